"""What is whole of a broken file: everything but the elements at fault, which are named."""

from __future__ import annotations

import json

import pytest

from tests.io.drawings import CANONICAL, small_drawing
from tests.model.small import small_catalog
from topoedit.errors import BadFileError
from topoedit.io import native
from topoedit.io.salvage import salvage

WHOLE = {element.id for element in small_drawing().elements()}


def broken(change: str, value: object, element_id: str) -> bytes:
    """The small drawing with one field of one element spoiled."""
    content = json.loads(CANONICAL)
    for raw in content["elements"]:
        if raw.get("id") == element_id:
            raw[change] = value
    return json.dumps(content, indent=0).encode()


def a_device() -> str:
    return next(iter(small_drawing().devices))


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("x", "left", "Expected"), ("type", "no-such-type", "no-such-type"), ("kind", "toaster", "")],
)
def test_a_broken_device_goes_with_its_links_and_nothing_else(
    field: str, value: object, words: str
) -> None:
    device = a_device()
    data = broken(field, value, device)
    with pytest.raises(BadFileError):
        native.loads(data, small_catalog(), "small")
    found = salvage(data, small_catalog(), "small")
    gone = {device, *small_drawing().links_of(device)}
    assert {element.id for element in found.document.elements()} == WHOLE - gone
    assert len(found.left_out) == len(gone)
    assert device in found.left_out[0]
    assert "(line " in found.left_out[0]
    assert words in found.left_out[0]


def test_a_file_that_is_cut_off_keeps_its_whole_lines() -> None:
    lines = CANONICAL.rstrip().split("\n")
    cut = "\n".join(lines[:-3])[:-10].encode()
    with pytest.raises(BadFileError):
        native.loads(cut, small_catalog(), "small")
    found = salvage(cut, small_catalog(), "small")
    assert 1 < len(found.document) < len(WHOLE) + 1
    assert "truncated" in found.left_out[0]


def test_a_whole_file_is_read_whole() -> None:
    found = salvage(CANONICAL.encode(), small_catalog(), "small")
    assert found.left_out == ()
    assert native.dumps(found.document) == CANONICAL.encode()


@pytest.mark.parametrize("data", [b"{}", b'{"format": "topoedit", "for', b'{"elements": []}'])
def test_where_nothing_is_whole_it_says_so(data: bytes) -> None:
    with pytest.raises(BadFileError):
        salvage(data, small_catalog(), "small")


def test_a_flood_of_broken_elements_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topoedit.io.salvage.MOST_LEFT_OUT", 20)
    raws = [{"is": "device", "id": f"d{n}", "name": 3} for n in range(50)]
    data = json.dumps({"format": "topoedit", "format_version": 1, "elements": raws}).encode()
    with pytest.raises(BadFileError, match="more than 20 elements are broken"):
        salvage(data, small_catalog(), "small")
