"""Writing a PNG band by band, so that a poster never stands in memory uncompressed.

The format is the one of the PNG specification (ISO/IEC 15948): signature, IHDR, pHYs, iTXt, IDAT,
IEND.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Generator, Iterator

from PySide6.QtGui import QImage

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INCH = 0.0254


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_bytes(
    width: int, height: int, band: Callable[[int, int], QImage], rows: int, dpi: float
) -> bytes:
    """A PNG of RGB pixels in one go; see `png_steps`."""
    steps = png_steps(width, height, band, rows, dpi)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return bytes(done.value)


def png_steps(
    width: int, height: int, band: Callable[[int, int], QImage], rows: int, dpi: float,
    *, alpha: bool = False, chunks: bytes = b"",
) -> Generator[float, None, bytes]:  # fmt: skip
    """A PNG of RGB pixels, or RGBA ones, band by band.

    Args:
        width: in pixels.
        height: in pixels.
        band: gives the picture of a number of rows from a row on.
        rows: rows of one band.
        dpi: resolution that the file states.
        alpha: keep transparency.
        chunks: further chunks, whole, to stand before the pixels.

    Yields:
        How much is done, 0 to 1.

    Returns:
        The file.
    """
    per_metre = round(dpi / _INCH)
    head = struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0)
    parts = [
        _SIGNATURE,
        _chunk(b"IHDR", head),
        _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
        chunks,
    ]
    packer = zlib.compressobj(6)
    for top in range(0, height, rows):
        count = min(rows, height - top)
        for line in _lines(band(top, count), width, count, alpha):
            packed = packer.compress(line)
            if packed:
                parts.append(_chunk(b"IDAT", packed))
        yield (top + count) / height
    parts.append(_chunk(b"IDAT", packer.flush()))
    parts.append(_chunk(b"IEND", b""))
    return b"".join(parts)


def text_chunk(keyword: str, text: bytes) -> bytes:
    """An iTXt chunk with compressed UTF-8 text."""
    return _chunk(b"iTXt", keyword.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text, 9))


def _lines(image: QImage, width: int, count: int, alpha: bool) -> Iterator[bytes]:
    """Rows of an image as RGB or RGBA bytes, each behind the number of its filter (0, none)."""
    kind = QImage.Format.Format_RGBA8888 if alpha else QImage.Format.Format_RGB888
    plain = image.convertToFormat(kind)
    pixels = bytes(plain.constBits())
    step, depth = plain.bytesPerLine(), 4 if alpha else 3
    block = bytearray()
    for row in range(count):
        block += b"\x00" + pixels[row * step : row * step + depth * width]
    yield bytes(block)
