"""Rooms: what holds what, racks that stand in another room, floors that survive a file."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadEditError
from topoedit.io import native
from topoedit.model import clipboard, operations
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Group, Settings
from topoedit.model.floor import DEFAULT, Blocked, Floor, Way

PARTS = (
    Group(id="b", name="b", kind="building"),
    Group(id="h1", name="h1", kind="room", parent="b"),
    Group(id="h2", name="h2", kind="room", parent="b"),
    Group(id="p", name="p", kind="pod", parent="h1"),
    Group(id="r1", name="r1", kind="rack", parent="p"),
    Group(id="r2", name="r2", kind="rack", parent="p", room="h2"),
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture
def document(catalog: Catalog) -> Document:
    return Document(catalog, PARTS)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (Group(id="b", name="b", kind="building", parent="h1"), "a room cannot hold a building"),
        (Group(id="h1", name="h1", kind="room", parent="p"), "a pod cannot hold a room"),
        (Group(id="r1", name="r1", kind="rack", room="p"), 'there is no room "p"'),
        (Group(id="r1", name="r1", kind="rack", room="x"), 'there is no room "x"'),
        (Group(id="r1", name="r1", kind="rack", x_m=float("nan")), "x_m nan is no place"),
        (Group(id="r1", name="r1", kind="rack", feed_a_kw=-1.0), "a feed_a_kw of -1.0"),
    ],
)
def test_what_cannot_be(document: Document, changed: Group, says: str) -> None:
    with pytest.raises(BadEditError, match=says):
        document.apply(Edit("Set", put=(changed,)))
    assert dict(document.groups) == {group.id: group for group in PARTS}


def test_a_room_goes_only_with_nothing_left_in_it(document: Document) -> None:
    with pytest.raises(BadEditError, match="r2 stands in h2"):
        document.apply(Edit("Drop", drop=("h2",)))
    back = document.apply(operations.delete(document, ["h2"]))
    assert document.groups["r2"] == replace(PARTS[5], room="")
    document.apply(back)
    assert {group.id: group for group in PARTS} == dict(document.groups)


def test_ungrouping_a_room_frees_what_stood_in_it(document: Document) -> None:
    document.apply(operations.ungroup(document, "h2"))
    assert document.groups["r2"].room == ""
    document.apply(operations.ungroup(document, "h1"))
    assert document.groups["p"].parent == "b"


def test_a_copied_pod_keeps_its_rooms_or_gets_the_copied_ones(document: Document) -> None:
    alone = clipboard.paste(document, clipboard.copy(document, ["p"]), 0, 0)
    rooms = [element.room for element in alone.put if isinstance(element, Group)]
    assert sorted(rooms) == ["", "", "h2"]
    both = clipboard.paste(document, clipboard.copy(document, ["p", "h2"]), 0, 0)
    made = {element.id: element for element in both.put if isinstance(element, Group)}
    (room,) = (group.id for group in made.values() if group.kind == "room")
    assert sorted(group.room for group in made.values()) == ["", "", "", room]
    document.apply(both)


def test_floors_survive_a_file(document: Document) -> None:
    floor = Floor(
        row_pitch_m=2.4, tray="underfloor", cross=(1, 9), rows=("N", "S"), columns=12,
        blocked=(Blocked(row="N", column=3, to_column=4, what="pillar"),), bend_m=0.1,
    )  # fmt: skip
    room = replace(PARTS[1], floor=floor, cooling_kw=400.0, load_kg=9000.0)
    settings = replace(document.settings, floor=Floor(slack_m=0.8), ways=(Way("h1", "h2", 40.0),))
    document.apply(Edit("Set", put=(room, settings)))
    data = native.dumps(document)
    again = native.loads(data, document.catalog, "x").document
    assert again.groups["h1"] == room
    assert again.settings == settings
    assert native.dumps(again) == data


def test_unknown_fields_of_a_floor_survive(catalog: Catalog) -> None:
    room = '{"is":"group","id":"h","name":"h","kind":"room","floor":{"columns":4,"light":"led"}}'
    text = f'{{"format":"topoedit","format_version":2,"elements":[\n{room}\n]}}\n'.encode()
    read = native.loads(text, catalog, "x").document
    assert read.groups["h"].floor == Floor(columns=4)
    assert b'"light":"led"' in native.dumps(read)


@pytest.mark.parametrize(
    "bad",
    [
        {"rack_pitch_m": 0}, {"row_pitch_m": 1e9}, {"columns": 0}, {"tray": "ceiling"},
        {"blocked": [{"row": "A", "column": 10**9}]}, {"slack_share": -1}, {"rows": ["x" * 99]},
    ],
)  # fmt: skip
def test_impossible_floors_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(bad, Floor)


def test_a_plain_floor_takes_no_space_in_a_file(catalog: Catalog) -> None:
    document = Document(catalog, (Settings(name="x"), PARTS[0]))
    assert b"floor" not in native.dumps(document)
    assert Floor() == DEFAULT
