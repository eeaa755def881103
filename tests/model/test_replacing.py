"""Find and replace: what is found, numbered, refused, and undone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.catalog.load import load_catalog
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, Note, Ports
from topoedit.model.replacing import Found, Search, look, replace_all


@pytest.fixture
def document() -> Document:
    servers = [
        Device(id=f"n{i}", name=f"node-{i}", type="dgx-h100", kind="server", tags=("old", "x"))
        for i in (1, 2, 10)
    ]
    leaf = Device(id="leaf", name="leaf-1", type="qm9700", kind="leaf", tags=("old", "new"))
    link = Link(id="l", a=Ports("n1", "nic0"), b=Ports("leaf", "1"), cables="c1", label="node-1 up")
    rack = Group(id="rack", name="rack node", kind="rack")
    note = Note(id="note", text="node-1 is on loan")
    return Document(load_catalog(user=False), [*servers, leaf, link, rack, note])


def test_names_are_found_in_natural_order(document: Document) -> None:
    found = look(document, Search("node-", "gpu-"))
    assert [f.after for f in found] == ["gpu-1", "gpu-2", "gpu-10"]
    back = document.apply(replace_all(document, found))
    assert document.devices["n10"].name == "gpu-10"
    document.apply(back)
    assert document.devices["n10"].name == "node-10"


def test_finds_are_numbered_on(document: Document) -> None:
    found = look(document, Search(r"node-\d+", "h-{n:07}", expression=True))
    assert [f.after for f in found] == ["h-07", "h-08", "h-09"]
    found = look(document, Search(r"node-(\d+)", r"h{n}-\1", expression=True))
    assert [f.after for f in found] == ["h1-1", "h2-2", "h3-10"]


def test_case_fields_and_selection_narrow_it_down(document: Document) -> None:
    assert look(document, Search("NODE-1")) == ()
    assert len(look(document, Search("NODE-1", match_case=False))) == 2
    everywhere = look(document, Search("node-1", "a", ("name", "label", "text")))
    assert {f.field for f in everywhere} == {"name", "label", "text"}
    assert [f.element for f in look(document, Search("node", "a"), ["rack", "n2"])] == [
        "n2", "rack",
    ]  # fmt: skip


def test_tags_stay_a_set(document: Document) -> None:
    found = look(document, Search("old", "new", ("tags",)))
    document.apply(replace_all(document, found))
    assert document.devices["n1"].tags == ("new", "x")
    assert document.devices["leaf"].tags == ("new",)
    document.apply(replace_all(document, look(document, Search("x", "", ("tags",)))))
    assert document.devices["n1"].tags == ("new",)


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (Search(""), "nothing to look for"),
        (Search("(", expression=True), "no regular expression"),
        (Search("node-1", r"\7", expression=True), "cannot be read"),
        (Search("a" * 201), "200 characters"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused(
    document: Document, search: Search, words: str
) -> None:
    with pytest.raises(BadInputError, match=words):
        look(document, search)


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (Search(r"node-\d+", "same", expression=True), '"same" would be the name of two'),
        (Search("node-2", "leaf-1"), '"leaf-1" would be the name of two'),
        (Search("leaf-1", " "), "empty"),
    ],
)
def test_names_stay_unique_and_filled(document: Document, search: Search, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        replace_all(document, look(document, search))


def test_names_may_change_places(document: Document) -> None:
    swapped = (Found("n1", "name", "node-1", "node-2"), Found("n2", "name", "node-2", "node-1"))
    document.apply(replace_all(document, swapped))
    assert document.devices["n1"].name == "node-2"
    assert document.devices["n2"].name == "node-1"


@given(find=st.text(max_size=8), put=st.text(max_size=8))
def test_any_plain_text_replaces_as_python_does(find: str, put: str) -> None:
    name = "node-1"
    one = Device(id="n", name=name, type="dgx-h100", kind="server")
    drawn = Document(load_catalog(user=False), [one])
    if not find:
        return
    found = look(drawn, Search(find, put))
    after = found[0].after if found else name
    assert after == name.replace(find, put.replace("{n}", "1"))
