"""A hundred random edits, undone and redone: the same document at every step."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.small import small_catalog
from topoedit.errors import TopoeditError
from topoedit.model import clipboard
from topoedit.model import operations as op
from topoedit.model.arrays import Array, repeat
from topoedit.model.connect import connect
from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit
from topoedit.model.elements import Device
from topoedit.model.wiring import Pattern, wire

STEPS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 1000), st.integers(0, 1000)), max_size=100
)


def some(document: Document, number: int, groups: bool = False) -> str:
    ids = sorted(document.groups if groups else document.devices)
    return ids[number % len(ids)] if ids else "nobody"


def edit_for(document: Document, step: tuple[int, int, int]) -> AnyEdit:
    what, i, j = step
    a, b = some(document, i), some(document, j)
    builders = {
        0: lambda: op.place(_new(document, i)),
        1: lambda: connect(document, a, b, cables=1 + j % 3),
        2: lambda: op.delete(document, [a]),
        3: lambda: op.move(document, [a, b], i % 50, j % 50),
        4: lambda: op.rename(document, a, f"name-{j % 40}"),
        5: lambda: op.group(document, [a, b], ("rack", "pod")[j % 2]),
        6: lambda: op.ungroup(document, some(document, i, groups=True)),
        7: lambda: clipboard.duplicate(document, [a, b], 10, 10),
        8: lambda: repeat(document, [a], Array(columns=1 + i % 3, rows=1 + j % 2)),
        9: lambda: wire(document, Pattern(a=a, b=b, scheme=("mesh", "rail", "pairs")[i % 3])),
    }
    return builders[what]()


def _new(document: Document, number: int) -> Device:
    kind = ("server4", "switch8", "open")[number % 3]
    name = document.new_name(f"new-{number % 9}")
    role = "server" if kind == "server4" else "leaf"
    return Device(id=document.new_id(name), name=name, type=kind, kind=role)


def state(document: Document) -> tuple[object, ...]:
    elements = {element.id: element for element in document.elements()}
    ports = {device: dict(document.ports_in_use(device)) for device in document.devices}
    links = {device: sorted(document.links_of(device)) for device in document.devices}
    members = {group: sorted(document.members(group)) for group in document.groups}
    return elements, ports, links, members


def fresh_indexes(document: Document) -> tuple[object, ...]:
    return state(Document(document.catalog, document.elements()))


def run(steps: list[tuple[int, int, int]]) -> None:
    document = Document(small_catalog())
    states, inverses, edits = [state(document)], [], []
    for step in steps:
        if len(document) > 400:
            break
        try:
            edit = edit_for(document, step)
            inverse = document.apply(edit)
        except TopoeditError:
            assert state(document) == states[-1]
            continue
        edits.append(edit)
        inverses.append(inverse)
        states.append(state(document))
    assert state(document) == fresh_indexes(document)
    for index in range(len(inverses) - 1, -1, -1):
        document.apply(inverses[index])
        assert state(document) == states[index]
    for index, edit in enumerate(edits):
        document.apply(edit)
        assert state(document) == states[index + 1]


@given(STEPS)
def test_undo_and_redo_pass_through_the_same_documents(steps: list[tuple[int, int, int]]) -> None:
    run(steps)


@pytest.mark.long
@settings(max_examples=int(os.environ.get("LONG_EXAMPLES", "2000")))
@given(STEPS)
def test_undo_and_redo_for_long(steps: list[tuple[int, int, int]]) -> None:
    run(steps)
