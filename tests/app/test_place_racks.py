"""Rack lists in a drawing: by name, by place, with rooms, pods, devices and blocked cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from topoedit.app.check import check
from topoedit.app.floor import import_racks
from topoedit.app.place_racks import PlacedRacks, place_racks
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadFileError
from topoedit.io.rack_list import RackList, RackRow, parse_rack_list
from topoedit.io.spreadsheet import SheetRow
from topoedit.layout.standing import standing
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Settings
from topoedit.model.floor import Blocked, Floor
from topoedit.reports.floor.lists import rack_table
from topoedit.reports.floor.rollup import floor_data

CATALOG = load_catalog(user=False)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return CATALOG


def rack(name: str, **more: object) -> Group:
    return Group(id=name, name=name, kind="rack", **more)  # type: ignore[arg-type]


def host(name: str, group: str = "", unit: int | None = None) -> Device:
    return Device(id=name, name=name, type="dgx-h100", kind="server", group=group, unit=unit)


def pod(catalog: Catalog) -> Document:
    """A building with two pods of two racks each."""
    groups = [
        Group(id="b", name="b", kind="building"),
        *(Group(id=p, name=p, kind="pod", parent="b") for p in ("p1", "p2")),
        *(rack(f"r{n}", parent=f"p{(n + 1) // 2}", row="A", column=n) for n in range(1, 5)),
    ]
    return Document(catalog, (*groups, host("n1", "r1", 1), host("n2", "r2", 1)))


def placed(document: Document, *rows: RackRow, cells: tuple[RackRow, ...] = ()) -> PlacedRacks:
    found = place_racks(document, RackList(rows, cells))
    if not found.edit.is_empty:
        inverse = document.apply(found.edit)
        del inverse
    return found


def test_racks_by_name_keep_what_the_list_does_not_say(catalog: Catalog) -> None:
    document = pod(catalog)
    found = placed(document, RackRow(2, "r1", row="C", power_kw=45.0), RackRow(3, "r2", row="A"))
    assert (found.made, found.moved, found.same) == (0, 1, 1)
    assert document.groups["r1"] == rack("r1", parent="p1", row="C", column=1, power_kw=45.0)
    assert found.summary == "0 new racks, 1 rack changed, 1 as before"


def test_a_pod_moves_as_one_only_if_all_of_it_does(catalog: Catalog) -> None:
    document = pod(catalog)
    rows = [RackRow(n, f"r{n}", room="Hall 1" if n < 4 else "Hall 2") for n in range(1, 5)]
    found = placed(document, *rows)
    assert found.rooms == 2
    assert [(g.name, g.kind, g.parent) for g in document.groups.values() if g.kind == "room"] == [
        ("Hall 1", "room", "b"), ("Hall 2", "room", "b"),
    ]  # fmt: skip
    assert document.groups["p1"].parent == "Hall 1"
    assert document.groups["p2"].parent == "b"
    assert {i: document.groups[i].room for i in ("r1", "r2", "r3", "r4")} == {
        "r1": "", "r2": "", "r3": "Hall 1", "r4": "Hall 2",
    }  # fmt: skip
    assert standing(document).area_of == {"r1": "Hall 1", "r2": "Hall 1", "r3": "Hall 1",
                                          "r4": "Hall 2"}  # fmt: skip
    again = place_racks(document, RackList(tuple(rows)))
    assert again.edit.is_empty


def test_an_unnamed_rack_is_known_by_its_place(catalog: Catalog) -> None:
    document = pod(catalog)
    found = placed(
        document,
        RackRow(2, "A02", named=False, row="A", column=2, units=42),
        RackRow(3, "A09", named=False, row="A", column=9, units=42),
    )
    assert (found.made, found.moved) == (1, 1)
    assert document.groups["r2"].units == 42
    assert document.groups["A09"].column == 9


def test_a_place_in_metres_leaves_no_column_behind(catalog: Catalog) -> None:
    document = pod(catalog)
    placed(document, RackRow(2, "r1", x_m=3.3), RackRow(3, "r2", x_m=0.9, y_m=4.0))
    one, two = document.groups["r1"], document.groups["r2"]
    assert (one.row, one.column, one.x_m) == ("A", None, 3.3)
    assert (two.row, two.column, two.x_m, two.y_m) == ("", 2, 0.9, 4.0)  # 0.9 m is column 2
    spots = standing(document).spots
    assert (spots["r1"].x_m, spots["r2"].y_m) == (3.3, 4.0)
    placed(document, RackRow(2, "r1", column=6), RackRow(3, "r2", row="A"))
    one, two = document.groups["r1"], document.groups["r2"]
    assert (one.column, one.x_m, two.row, two.y_m) == (6, None, "A", None)
    assert standing(document).spots["r1"].x_m == pytest.approx(3.3)  # 5.5 racks of 0.6 m


def test_racks_in_each_others_place_are_told_in_metres(catalog: Catalog) -> None:
    document = pod(catalog)
    found = placed(document, RackRow(2, "r1", x_m=1.65), RackRow(3, "r4", column=2))
    assert found.notes == (
        "r2 and r4 both stand at row A, column 2 of b",
        (
            "r3 at row A, column 3 of b and r1 at 1.65 m along row A of b stand in each other's "
            "place, 0.15 m apart"
        ),
    )
    problems = check(document, severities={}).violations
    said = {one.message for one in problems if one.rule == "floor-place"}
    assert said == {*found.notes}
    assert placed(document, RackRow(2, "r1", x_m=3.3)).notes == ()


def test_devices_go_to_their_units(catalog: Catalog) -> None:
    document = pod(catalog)
    row = RackRow(2, "r4", devices=((9, "n1"), (None, "n2"), (1, "n3"), (1, "n1")))
    found = placed(document, row)
    assert [(d.name, d.group, d.unit) for d in document.devices.values()] == [
        ("n1", "r4", 9), ("n2", "r4", 1),
    ]  # fmt: skip
    assert found.problems == (
        'row 2: there is no device "n3" to put into r4',
        'row 2: "n1" is listed in two places',
    )
    assert found.notes == (
        "devices that changed racks stay where they are drawn; arrange them anew",
    )


def test_names_of_other_things_are_not_taken(catalog: Catalog) -> None:
    document = pod(catalog)
    found = placed(
        document, RackRow(2, "p1"), RackRow(3, "n1"), RackRow(4, "r1", room="b"), RackRow(5, "x")
    )
    assert found.problems == (
        'row 2: "p1" is a pod, not a rack',
        'row 3: "n1" is a device, not a rack',
        'row 4: "b" is a building, not a room',
    )
    assert document.groups["x"].kind == "rack"


def test_blocked_cells_are_added_once(catalog: Catalog) -> None:
    document = Document(catalog, (Settings(floor=Floor(row_pitch_m=2.4)),))
    cells = (
        RackRow(2, room="Hall", row="B", column=4, blocked="pillar"),
        RackRow(3, row="A", column=1, blocked="door"),
    )
    placed(document, RackRow(4, "r1", room="Hall"), cells=cells)
    pillar = Blocked(row="B", column=4, what="pillar")
    assert document.groups["Hall"].floor == Floor(row_pitch_m=2.4, blocked=(pillar,))
    door = Blocked(row="A", column=1, what="door")
    assert document.settings.floor == Floor(row_pitch_m=2.4, blocked=(door,))
    assert placed(document, RackRow(4, "r1", room="Hall"), cells=cells).edit.is_empty


def test_a_list_with_bad_rows_places_nothing_unless_told_to(
    catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "racks.csv"
    path.write_text("name,row,column\nr1,B,7\nr2,B,x\n", encoding="utf-8")
    document, said = pod(catalog), list[str]()
    with pytest.raises(BadFileError, match=r'row 3: column C .*"x" is no number; nothing'):
        import_racks(document, path, told=said.append)
    assert said == []  # the refusal itself says it
    assert (document.revision, document.groups["r1"].row) == (0, "A")
    import_racks(document, path, skip_bad=True, told=said.append)
    assert said == [f'{path}: row 3: column C (column): "x" is no number']
    assert (document.groups["r1"].row, document.groups["r1"].column) == ("B", 7)


def test_new_racks_do_not_lie_on_one_another(catalog: Catalog) -> None:
    document = pod(catalog)
    placed(document, *(RackRow(n, f"x{n}", row="AB"[n % 2], column=n) for n in range(6)))
    places = {(g.x, g.y) for g in document.groups.values() if g.name.startswith("x")}
    assert len(places) == 6


figures = st.none() | st.integers(0, 5000).map(lambda n: n / 10)
words = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf")), min_size=1, max_size=12
).map(str.strip).filter(lambda t: bool(t) and t[0] != "'")  # fmt: skip


@st.composite
def floors(draw: st.DrawFn) -> Document:
    """Racks in two rooms, in a pod or in none, with any figures, and devices in them."""
    names = draw(st.lists(words, min_size=3, max_size=10, unique_by=str.casefold))
    rooms = [Group(id=f"room {n}", name=n, kind="room") for n in names[:2]]
    pod_ = Group(id="#pod", name="#pod", kind="pod")
    made: list[Group | Device] = [*rooms, pod_]
    for number, name in enumerate(names[2:]):
        home = draw(st.sampled_from(("", rooms[0].id, rooms[1].id, "#pod")))
        room = draw(st.sampled_from(("", rooms[0].id))) if home == "#pod" else ""
        group = rack(name, parent=home, room=room, row=draw(st.sampled_from(("", "A", "7"))),
                     column=draw(st.none() | st.integers(1, 9)), power_kw=draw(figures),
                     x_m=draw(figures), y_m=draw(figures), feed_a_kw=draw(figures),
                     airflow=draw(st.sampled_from(("", "liquid"))),
                     units=draw(st.none() | st.integers(1, 60)))  # fmt: skip
        made.append(replace(group, id=f"#{number}"))
        made.append(host(f"h; {number}", f"#{number}", draw(st.none() | st.integers(0, 60))))
    return Document(CATALOG, made)


@given(floors())
def test_what_goes_out_comes_in_and_changes_nothing(document: Document) -> None:
    table = rack_table(document, floor_data(document))
    rows = [SheetRow("", 1, table.columns)]
    rows += [SheetRow("", n, tuple(row)) for n, row in enumerate(table.rows, 2)]
    found = parse_rack_list(rows)
    assert found.problems == ()
    result = place_racks(document, found)
    assert (result.problems, result.made) == ((), 0)
    assert result.edit.put == ()
