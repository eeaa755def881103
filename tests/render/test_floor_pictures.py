"""Plans and elevations: what they show, that no text meets another, real text in every format."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from defusedxml import ElementTree
from msgspec.structs import replace
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from topoedit.app.open import open_document
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Group
from topoedit.model.floor import Blocked, Floor
from topoedit.paths import samples
from topoedit.render.floor.plan import plan_view
from topoedit.render.floor.sheets import SheetOptions, sheets_bytes
from topoedit.render.ink import TextLog
from topoedit.reports.floor.pictures import faces_of, picture_bytes, plan_of, sheets_of
from topoedit.reports.floor.rollup import FloorData, floor_data


def changed(document: Document, groups: Iterable[Group], floor: Floor | None = None) -> Document:
    settings = replace(document.settings, floor=floor)
    document.apply(Edit("Set", put=(settings, *groups)))
    return document


@pytest.fixture(autouse=True)
def _application(qapp: QApplication) -> None:
    """Text is measured with an application."""


@pytest.fixture
def superpod() -> Document:
    return open_document(Path(samples()) / "superpod-h100-127.topo.json").document


@pytest.fixture
def hall(superpod: Document) -> FloorData:
    """Budgets for all, one too small; feeds, airflow and weight limits; a pillar and a door."""
    groups = []
    for group in superpod.groups.values():
        if group.kind == "rack":
            budget = 40.0 if group.name == "su1-rack-3" else 45.0
            groups.append(replace(group, power_kw=budget, feed_a_kw=45.0, feed_b_kw=45.0,
                                  airflow="front-to-back", load_kg=1200.0))  # fmt: skip
    blocked = (
        Blocked(row="C", column=3, to_row="C", to_column=4, what="pillar"),
        Blocked(row="C", column=6, what="door"),
    )
    return floor_data(changed(superpod, groups, Floor(blocked=blocked, cross=(1, 9))))


def test_the_plan_shows_racks_where_they_stand(hall: FloorData) -> None:
    plan = plan_of(hall.areas[0], hall)
    racks = {rack.name: rack for rack in plan.racks}
    assert len(racks) == 37
    rack = racks["su2-rack-1"]
    assert (rack.place, rack.x_m, rack.y_m) == ("B01", pytest.approx(0.3), 3.0)
    assert (rack.tone, rack.number, rack.over) == ("share", "91\u2009%", False)  # 40.8 of 45 kW
    assert (racks["su1-rack-3"].number, racks["su1-rack-3"].over) == ("102\u2009%", True)
    assert [row.label for row in plan.rows] == ["A", "B", "C", "D", "E"]
    assert [number for number, _ in plan.columns] == list(range(1, 10))
    assert [cell.text for cell in plan.cells] == ["Pillar", "Door"]
    assert plan.cells[0].right_m - plan.cells[0].left_m == pytest.approx(1.2)
    assert plan.crossings_m == pytest.approx((0.3, 5.1))


def test_without_budgets_racks_are_shaded_and_the_legend_says_so(superpod: Document) -> None:
    data = floor_data(superpod)
    plan = plan_of(data.areas[0], data)
    assert {rack.tone for rack in plan.racks} == {"shade"}
    assert not plan.ramp
    assert [key.words for key in plan.keys] == ["no limit given: the darker, the more"]
    assert next(r for r in plan.racks if r.name == "spine-rack").number == "27.5 kW"


@pytest.mark.parametrize(
    ("by", "number"), [("units", "67\u2009%"), ("cooling", "40.8 kW"), ("phase", "no phase")]
)
def test_other_figures(superpod: Document, by: str, number: str) -> None:
    data = floor_data(superpod)
    plan = plan_of(data.areas[0], data, by)  # type: ignore[arg-type]
    assert next(r for r in plan.racks if r.name == "su1-rack-1").number == number


def test_phases_have_greys_of_their_own(superpod: Document) -> None:
    nodes = [replace(d, phase=str(1 + (d.unit or 0) // 20)) for d in superpod.devices.values()]
    superpod.apply(Edit("Phase", put=tuple(nodes)))
    data = floor_data(superpod)
    plan = plan_of(data.areas[0], data, "phase")
    assert [(key.words, key.share) for key in plan.keys[:3]] == [("1", 0.0), ("2", 0.5), ("3", 1.0)]
    mixed = next(r for r in plan.racks if r.name == "su1-rack-1")
    assert (mixed.tone, mixed.number) == ("none", "1, 2")


def test_elevations_show_devices_at_their_units(hall: FloorData) -> None:
    row = faces_of(hall.areas[0], hall.areas[0].rows[0], hall)
    assert row.title == "Rack elevations · superpod-h100-127 · Row A"
    rack = row.racks[0]
    assert (rack.place, rack.units, rack.airflow) == ("A01", 48, "front-to-back")
    assert [(b.name, b.unit, b.height) for b in rack.boxes] == [
        ("node-001", 1, 8), ("node-002", 9, 8), ("node-003", 17, 8), ("node-004", 25, 8),
    ]  # fmt: skip
    assert rack.lines == (
        "40.8 kW of 45.0 kW (91\u2009%)", "32/48 U in use", "522 kg of 1\u2009200 kg",
        "Feed A 45.0 kW, feed B 45.0 kW", "One feed alone carries it",
    )  # fmt: skip
    assert row.racks[2].over == ("draws 40.8 kW, its budget is 40.0 kW",)


def test_devices_in_one_place_are_shown_to_clash(superpod: Document) -> None:
    nodes = [replace(superpod.devices["node-002"], unit=5), superpod.devices["node-003"]]
    nodes[1] = replace(nodes[1], unit=None)
    superpod.apply(Edit("Move", put=tuple(nodes)))
    data = floor_data(superpod)
    rack = faces_of(data.areas[0], data.areas[0].rows[0], data).racks[0]
    assert [(b.name, b.clash) for b in rack.boxes] == [
        ("node-001", False), ("node-002", True), ("node-004", False),
    ]  # fmt: skip
    assert rack.loose == ("node-003",)


@pytest.mark.parametrize("elevations", [False, True])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_text_meets_another(hall: FloorData, theme: str, elevations: bool) -> None:
    log = TextLog()
    options = SheetOptions(theme, 1.0, "x", log)
    sheet = sheets_of(hall, elevations=elevations)[0]  # of elevations, row A
    svg = sheets_bytes([sheet], "svg", options)
    assert log.overlaps() == []
    texts = "".join(ElementTree.fromstring(svg).itertext())
    assert "node-001" in texts if elevations else "su1-" in texts
    assert "Pillar" in texts or elevations


def test_a_pdf_has_a_page_for_each_row_and_each_room(hall: FloorData) -> None:
    pages = picture_bytes(hall, "pdf", elevations=True)
    assert pages.count(b"/Type /Page\n") == 5
    assert picture_bytes(hall, "pdf").count(b"/Type /Page\n") == 1


def test_a_png_is_as_large_as_its_scale_says(hall: FloorData) -> None:
    one, two = (QImage.fromData(picture_bytes(hall, "png", scale=s)) for s in (1.0, 2.0))
    assert (two.width(), two.height()) == (2 * one.width(), 2 * one.height())
    with pytest.raises(BadInputError, match="is too large"):
        picture_bytes(hall, "png", scale=50.0)


def test_nothing_to_show_is_said(superpod: Document) -> None:
    empty = floor_data(Document(superpod.catalog))
    with pytest.raises(BadInputError, match="there are no racks to show"):
        picture_bytes(empty, "svg")


def test_a_rack_is_found_under_the_pointer(hall: FloorData) -> None:
    view = plan_view(plan_of(hall.areas[0], hall))
    rack = next(r for r in view.room.racks if r.name == "su3-rack-5")
    middle = view.box(rack).center()
    assert view.rack_at(middle.x(), middle.y()) is rack
    assert view.metres(middle.x(), middle.y()) == pytest.approx((rack.x_m, rack.y_m), abs=0.02)
    assert view.rack_at(2.0, 2.0) is None


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_painting_says_how_far_it_is_and_stops(hall: FloorData, kind: str) -> None:
    said: list[float] = []
    picture_bytes(hall, kind, elevations=True, progress=lambda _, done: said.append(done))  # type: ignore[arg-type]
    assert said[0] == 0.0
    assert said == sorted(said)
    with pytest.raises(CancelledError):
        picture_bytes(hall, kind, cancel=lambda: True)  # type: ignore[arg-type]
