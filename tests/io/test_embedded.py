"""A drawing inside its picture: taken out whole, and nothing else is believed."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.app.open import PICTURE_ID, open_document
from topoedit.errors import BadFileError
from topoedit.io import embedded, native

SAMPLE = Path(__file__).parents[2] / "sample_topologies" / "dgx-h100.topo.json"


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(text: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + text + chunk(b"IEND", b"")


def itxt(drawing: bytes) -> bytes:
    return chunk(b"iTXt", b"topoedit\0\1\0\0\0" + zlib.compress(drawing))


def svg(drawing: bytes) -> bytes:
    packed = base64.b64encode(zlib.compress(drawing))
    return b'<svg xmlns="x"><metadata id="topoedit">' + packed + b"</metadata></svg>"


@pytest.mark.parametrize("make", [lambda d: png(itxt(d)), svg], ids=["png", "svg"])
def test_a_picture_opens_as_its_drawing(tmp_path: Path, make) -> None:
    drawing = SAMPLE.read_bytes()
    path = tmp_path / "picture.bin"
    path.write_bytes(make(drawing))
    opened = open_document(path)
    assert opened.format == PICTURE_ID
    assert native.dumps(opened.document) == drawing


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (png(b""), "holds no drawing"),
        (b"<svg></svg>", "holds no drawing"),
        (png(chunk(b"iTXt", b"topoedit\0\1\0\0\0garbage")), "damaged"),
        (png(chunk(b"iTXt", b"topoedit\0\1\0\0\0" + zlib.compress(b"x" * 9000)[:20])), "cut off"),
        (b'<svg><metadata id="topoedit">AAA</metadata></svg>', "damaged"),
    ],
)
def test_pictures_without_a_whole_drawing_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(BadFileError, match=words):
        embedded.drawing_in(data, "x.png")


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_BYTES", 1000)
    with pytest.raises(BadFileError, match="larger than"):
        embedded.drawing_in(png(itxt(b"0" * 100_000)), "x.png")


@given(st.binary(max_size=300), st.integers(0, 200))
def test_damaged_pictures_give_an_error_or_a_drawing(noise: bytes, at: int) -> None:
    whole = png(itxt(b'{"a": 1}'))
    data = whole[: 8 + at] + noise + whole[8 + at :]
    try:
        found = embedded.drawing_in(data, "x.png")
    except BadFileError:
        return
    assert isinstance(found, bytes)


def test_other_files_are_no_pictures() -> None:
    assert embedded.drawing_in(b'{"format": "topoedit"}', "x.json") is None
