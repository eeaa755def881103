"""Writing a PNG band by band, so that a poster never stands in memory uncompressed.

The format is the one of the PNG specification (ISO/IEC 15948): signature, IHDR, pHYs, IDAT, IEND.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator

from PySide6.QtGui import QImage

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INCH = 0.0254


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_bytes(
    width: int, height: int, band: Callable[[int, int], QImage], rows: int, dpi: float
) -> bytes:
    """A PNG of RGB pixels.

    Args:
        width: in pixels.
        height: in pixels.
        band: gives the picture of a number of rows from a row on.
        rows: rows of one band.
        dpi: resolution that the file states.
    """
    per_metre = round(dpi / _INCH)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [
        _SIGNATURE,
        _chunk(b"IHDR", head),
        _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
    ]
    packer = zlib.compressobj(6)
    for top in range(0, height, rows):
        count = min(rows, height - top)
        for line in _lines(band(top, count), width, count):
            packed = packer.compress(line)
            if packed:
                parts.append(_chunk(b"IDAT", packed))
    parts.append(_chunk(b"IDAT", packer.flush()))
    parts.append(_chunk(b"IEND", b""))
    return b"".join(parts)


def _lines(image: QImage, width: int, count: int) -> Iterator[bytes]:
    """Rows of an image as RGB bytes, each behind the number of its filter (0, none)."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    pixels = bytes(plain.constBits())
    step = plain.bytesPerLine()
    block = bytearray()
    for row in range(count):
        block += b"\x00" + pixels[row * step : row * step + 3 * width]
    yield bytes(block)
