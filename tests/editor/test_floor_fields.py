"""Rooms, racks and floors in the Properties panel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.editor.panels.floor_fields import (
    blocked_text,
    floor_value,
    read_blocked,
    set_floor,
)
from topoedit.editor.panels.property_forms import FLOOR, form_of, has_racks, word_choices
from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.elements import Group
from topoedit.model.floor import Blocked, Floor

ROOM = Group(id="h", name="Hall", kind="room")
RACK = Group(id="r", name="r", kind="rack", parent="h")


@pytest.fixture
def document() -> Document:
    catalog: Catalog = load_catalog(user=False)
    return Document(catalog, (ROOM, RACK, Group(id="s", name="s", kind="site")))


def test_each_kind_of_group_has_its_fields(document: Document) -> None:
    names = {kind: {spec.name for spec in form_of([document.groups[kind]])} for kind in "hrs"}
    assert {"room", "row", "column", "units", "feed_a_kw", "feed_b_kw", "airflow"} <= names["r"]
    assert {"floor.rack_pitch_m", "floor.blocked", "cooling_kw"} <= names["h"]
    assert not any(name.startswith("floor.") for name in names["s"] | names["r"])
    assert {spec.name for spec in FLOOR} <= {spec.name for spec in form_of([], racks=True)}
    assert has_racks(document)
    assert not any(spec.name.startswith("floor.") for spec in form_of([]))


def test_words_of_choices(document: Document) -> None:
    rack = [document.groups["r"]]
    assert word_choices(document, "room", rack) == [("", "In what holds it"), ("h", "Hall")]
    assert word_choices(document, "parent", rack) == [("", "No group"), ("h", "Hall"), ("s", "s")]
    assert word_choices(document, "airflow", rack)[:2] == [
        ("", "Unknown"), ("front-to-back", "Front-to-back"),
    ]  # fmt: skip


def test_a_floor_is_set_in_one_step_and_undone(document: Document) -> None:
    room = [document.groups["h"]]
    assert floor_value(document, room[0], "floor.slack_share") == 10.0
    edit = set_floor(document, room, "floor.slack_share", 12.5, "Slack")
    assert edit.label == "Set slack of Hall"
    back = document.apply(edit)
    assert document.groups["h"].floor == Floor(slack_share=0.125)
    document.apply(back)
    assert document.groups["h"].floor is None
    document.apply(set_floor(document, [], "floor.cross", ("1", "9"), "Cross trays"))
    assert document.settings.floor == Floor(cross=(1, 9))
    assert floor_value(document, document.groups["h"], "floor.cross") == ("1", "9")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("floor.rack_pitch_m", 0.0, "enter 0.1 to 100 m"),
        ("floor.slack_share", 2000.0, "enter 0 to 1000 %"),
        ("floor.cross", ("x",), '"x" is no column'),
        ("floor.blocked", ("B4 tree",), '"B4 tree" is no blocked cell'),
    ],
)
def test_values_that_make_no_sense(document: Document, name: str, value: object, says: str) -> None:
    with pytest.raises(BadEditError, match=says.replace("%", "%")):
        set_floor(document, [document.groups["h"]], name, value, "x")


def test_blocked_cells_in_words() -> None:
    assert read_blocked("B4 pillar") == Blocked(row="B", column=4, what="pillar")
    assert read_blocked("7:1-8:3 cooling") == Blocked(
        row="7", column=1, to_row="8", to_column=3, what="cooling"
    )
    assert read_blocked("C3").what == "kept-free"


rows = st.sampled_from(("A", "ZZ", "7", "12", "Hot 3"))


@given(rows, st.integers(-99, 999), rows, st.integers(-99, 999), st.booleans(),
       st.sampled_from(("pillar", "kept-free", "door")))  # fmt: skip
def test_blocked_cells_read_back(
    row: str, column: int, to_row: str, to_column: int, several: bool, what: str
) -> None:
    cell = Blocked(row=row, column=column, what=what)  # type: ignore[arg-type]
    if several:
        cell = Blocked(row=row, column=column, to_row=to_row, to_column=to_column, what=what)  # type: ignore[arg-type]
    assert read_blocked(blocked_text(cell)) == cell
