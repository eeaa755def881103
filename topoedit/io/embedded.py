"""A drawing inside its own picture: the text of a PNG, the metadata of an SVG.

Both hold the native file, packed with zlib: a PNG in an iTXt chunk with the keyword `topoedit`
(PNG specification, ISO/IEC 15948, 11.3.3.4), an SVG as base64 in `<metadata id="topoedit">`.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib

from topoedit.errors import BadFileError

KEY = b"topoedit"
MOST_BYTES = 256_000_000
"""A drawing inside a picture may unpack to so many bytes."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 200_000
_METADATA = re.compile(rb'<metadata id="topoedit">([A-Za-z0-9+/=\s]*)</metadata>')


def is_picture(data: bytes) -> bool:
    """Whether a file is a PNG or an SVG."""
    return data.startswith(_SIGNATURE) or b"<svg" in data[:2000]


def drawing_in(data: bytes, where: str) -> bytes | None:
    """The native file inside a picture; None if the file is no picture.

    Raises:
        BadFileError: a picture without a drawing, or with a damaged one.
    """
    if data.startswith(_SIGNATURE):
        packed = _text_of_png(data)
    elif b"<svg" in data[:2000]:
        packed = _metadata_of_svg(data, where)
    else:
        return None
    if packed is None:
        raise BadFileError(
            "the picture holds no drawing", where, "Open the drawing itself, or export with --embed"
        )
    return _unpacked(packed, where)


def _text_of_png(data: bytes) -> bytes | None:
    """The packed text of our iTXt chunk."""
    at = len(_SIGNATURE)
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            return None
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"iTXt" and body.startswith(KEY + b"\0\1\0"):
            _language, _, rest = body[len(KEY) + 3 :].partition(b"\0")
            _translated, _, text = rest.partition(b"\0")
            return text
        if kind == b"IEND":
            return None
        at += 12 + length
    return None


def _metadata_of_svg(data: bytes, where: str) -> bytes | None:
    found = _METADATA.search(data)
    if found is None:
        return None
    try:
        return base64.b64decode(found.group(1), validate=False)
    except (binascii.Error, ValueError):
        raise BadFileError("the drawing in the picture is damaged", where) from None


def _unpacked(packed: bytes, where: str) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MOST_BYTES)
    except zlib.error:
        raise BadFileError("the drawing in the picture is damaged", where) from None
    if unpacker.unconsumed_tail:
        raise BadFileError(
            f"the drawing in the picture is larger than {MOST_BYTES // 1_000_000} MB", where
        )
    if not unpacker.eof:
        raise BadFileError("the drawing in the picture is cut off", where)
    return text
