"""Random drawings keep their bytes; mutated files raise nothing but the expected errors."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.io.drawings import CANONICAL
from tests.model.small import small_catalog
from tests.model.test_random_edits import STEPS, edit_for, state
from topoedit.errors import TopoeditError
from topoedit.io import native
from topoedit.io.exporters import graphml, links_csv
from topoedit.model.document import Document

CATALOG = small_catalog()


def random_document(steps: list[tuple[int, int, int]]) -> Document:
    document = Document(CATALOG)
    for step in steps:
        if len(document) > 300:
            break
        try:
            document.apply(edit_for(document, step))
        except TopoeditError:
            continue
    return document


@given(STEPS)
def test_random_drawings_survive(steps: list[tuple[int, int, int]]):
    document = random_document(steps)
    written = native.dumps(document)
    again = native.loads(written, CATALOG, "f").document
    assert native.dumps(again) == written
    assert state(again)[0] == state(document)[0]
    indented = json.dumps(json.loads(written), indent=1).encode()
    assert native.dumps(native.loads(indented, CATALOG, "f").document) == written


@given(STEPS)
def test_random_drawings_export(steps: list[tuple[int, int, int]]):
    document = random_document(steps)
    cables = sum(link.count for link in document.links.values())
    assert links_csv.write(document).data.count(b"\n") == cables + 1
    assert graphml.write(document).data.count(b"<edge ") == len(document.links)


def try_to_read(data: bytes) -> None:
    """Reads, or raises one expected line; what can be read keeps its bytes from then on."""
    try:
        document = native.loads(data, CATALOG, "f").document
    except TopoeditError as error:
        if "\n" in error.line:
            pytest.fail(f"more than one line: {error.line}")
        return
    written = native.dumps(document)
    assert native.dumps(native.loads(written, CATALOG, "f").document) == written


@given(st.data())
def test_mutated_bytes(data: st.DataObject):
    raw = bytearray(CANONICAL.encode())
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(raw) - 1))
        end = min(len(raw), start + data.draw(st.integers(0, 12)))
        raw[start:end] = data.draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from([b"{", b"}", b"[", b"]", b'"', b",", b"null", b"1e999", b"-"]),
            )
        )
    try_to_read(bytes(raw))


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8),
        st.sampled_from(["leaf", "node-2", "1-4", "c1-4", "4-1", "a-1-2", "'", "٣-٥", "document"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@given(st.data())
def test_mutated_values(data: st.DataObject):
    content: dict[str, Any] = json.loads(CANONICAL)
    elements = content["elements"]
    for _ in range(data.draw(st.integers(1, 4))):
        element = data.draw(st.sampled_from(elements))
        known = [*element, "extra", "via", "ports", "tags", "unit", "group", "network", "failed"]
        key = data.draw(st.one_of(st.sampled_from(known), st.text(max_size=6)))
        element[key] = data.draw(VALUES)
    if data.draw(st.booleans()):
        content[data.draw(st.text(max_size=6))] = data.draw(VALUES)
    try_to_read(json.dumps(content).encode())


@given(VALUES)
def test_any_json(value: object):
    try_to_read(msgspec.json.encode({"format": "topoedit", "format_version": 2, "elements": value}))
    try_to_read(msgspec.json.encode({"format": "topoedit", "format_version": 1, "links": value}))
    try_to_read(msgspec.json.encode(value) + b" ")
