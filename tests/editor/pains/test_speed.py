"""Speed with many items: pains 18 to 24, as work counted, never as time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.editor.made_results import give_result
from tests.editor.pains.conftest import Desk
from topoedit.editor.session import DocumentSession
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import Device, Link, Ports


def many(count: int) -> tuple[Device | Link, ...]:
    """Servers in a row with one cable each to the one beside."""
    servers = [
        Device(id=f"s-{n}", name=f"s-{n}", type="dgx-h100", kind="server",
               x=120.0 * (n % 40), y=400.0 + 120.0 * (n // 40))
        for n in range(count)
    ]  # fmt: skip
    links = [
        Link(id=f"l-{n}", a=Ports(f"s-{n}", "nic0"), b=Ports(f"s-{n + 1}", "nic1"),
             cables=f"c{1000 + n}", gbps=400)
        for n in range(count - 1)
    ]  # fmt: skip
    return (*servers, *links)


def calls_of(does: Callable[[], object]) -> int:
    """Python functions called."""
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        does()
    finally:
        sys.setprofile(before)
    return count


@pytest.fixture
def heard(desk: Desk) -> Iterator[list[Change]]:
    """Changes of the drawing."""
    found: list[Change] = []
    desk.session.changed.connect(found.append)
    yield found
    desk.session.changed.disconnect(found.append)


def test_an_edit_costs_what_it_changes_not_what_there_is(desk: Desk) -> None:
    def edit() -> None:
        desk.document.apply(Edit("Note", put=(desk.document.devices["leaf-1"],)))

    few = calls_of(edit)
    desk.document.apply(Edit("Many", put=many(600)))
    assert calls_of(edit) <= few + 10


def test_zooming_and_panning_arrange_nothing(desk: Desk, heard: list[Change]) -> None:
    scene = desk.canvas.scene
    kept = [(name, getattr(scene, name)) for name in ("rects", "grouping", "strokes")]
    revision = desk.document.revision
    for turn in (120, 120, -240, 960, -960):
        desk.hands.wheel(100.0, 0.0, turn)
        desk.canvas.repaint()
    desk.hands.wheel(0.0, 0.0, 120, Qt.KeyboardModifier.ShiftModifier)
    assert heard == []
    assert desk.document.revision == revision
    assert all(getattr(scene, name) is value for name, value in kept)


def test_four_hundred_devices_are_dragged_as_one_change(desk: Desk, heard: list[Change]) -> None:
    desk.session.apply(Edit("Many", put=many(400)))
    heard.clear()
    desk.session.select([f"s-{n}" for n in range(400)])
    desk.look_at(120.0, 400.0)
    desk.hands.drag((0.0, 400.0), (64.0, 480.0))
    assert len(heard) == 1
    assert len(heard[0].changed) == 400
    moved = {(desk.document.devices[f"s-{n}"].x - 120.0 * (n % 40),
              desk.document.devices[f"s-{n}"].y - 400.0 - 120.0 * (n // 40))
             for n in range(400)}  # fmt: skip
    assert len(moved) == 1  # never half old, half new


def test_selecting_makes_no_traffic_in_the_model(desk: Desk, heard: list[Change]) -> None:
    told: list[int] = []
    desk.session.selection_changed.connect(lambda: told.append(len(desk.session.selection)))
    desk.do("edit.select_all")
    assert heard == []
    assert told == [9]


def test_hovering_builds_no_widgets(desk: Desk) -> None:
    before = len(desk.window.findChildren(QWidget)), len(QApplication.topLevelWidgets())
    for element in ("leaf-1", "node-1", "leaf-2"):
        desk.hands.move(*desk.hands.of(element))
        desk.canvas._find_hover()
        desk.canvas._show_card()
        desk.canvas.repaint()
        assert desk.session.hovered == element
    assert (len(desk.window.findChildren(QWidget)), len(QApplication.topLevelWidgets())) == before


def test_neighbours_cost_the_same_in_a_drawing_ten_times_as_large(catalog) -> None:
    def asked(count: int) -> int:
        document = Document(catalog)
        document.apply(Edit("Many", put=many(count)))

        def neighbours() -> None:
            for n in (5, 17, 40):
                for link in document.links_of(f"s-{n}"):
                    assert document.links[link].other(f"s-{n}") in document.devices
                document.ports_in_use(f"s-{n}")

        return calls_of(neighbours)

    assert asked(1000) == asked(100)


def test_recolouring_leaves_every_line_where_it_is(desk: Desk) -> None:
    session: DocumentSession = desk.session
    give_result(session)
    scene = desk.canvas.scene
    kept = {name: getattr(scene, name) for name in ("rects", "grouping")}
    lines = scene.strokes
    give_result(session, step_time_s=3.0)
    session.set_metric("bytes")
    session.set_metric("utilisation")
    assert all(getattr(scene, name) is value for name, value in kept.items())
    assert scene.strokes is lines or np.array_equal(scene.strokes.seg, lines.seg)
