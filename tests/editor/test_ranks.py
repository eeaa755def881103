"""Rank placement in the panels: chart, typed rank, groups, properties, palette."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from topoedit.editor.command_palette import find_ranks
from topoedit.editor.panels.placement import PlacementSection
from topoedit.editor.panels.rank_section import RankSection
from topoedit.editor.rank_state import ALL
from topoedit.editor.rank_words import place_words, rank_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.plan import Plan, Workload

from .doubles import canvas_of
from .made_steps import analysed, give_step, pod


@pytest.fixture
def session(qapp: object) -> Iterator[DocumentSession]:
    made = DocumentSession(pod())
    give_step(made)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def section(qtbot: QtBot, session: DocumentSession, theming: Theming) -> PlacementSection:
    made = PlacementSection(theming)
    qtbot.addWidget(made)
    session.ranks.picked.connect(made.show_pick)
    made.resize(320, 300)
    made.show_ranks(session)
    made.show()
    return made


def cell(section: PlacementSection, number: int) -> QPoint:
    cells = section.chart.cells
    assert cells is not None
    return QPoint(round(cells.x[number] + cells.size / 2 + 1), round(cells.y[number] + 4))


def test_the_chart_has_a_cell_for_each_gpu_and_tells_its_place(
    section: PlacementSection,
) -> None:
    cells = section.chart.cells
    assert cells is not None
    assert len(cells.x) == 64
    assert "64 ranks on 8 servers" in section.caption.text()
    assert section.note.text() == "shade by PP stage"
    assert section.chart.words_at(cell(section, 17)) == (
        "node-03 GPU 1: rank 17\nTP 1, CP 0, DP 0, PP 1"
    )
    assert section.chart.words_at(QPoint(-9, -9)) == ""


def test_a_click_in_the_chart_picks_the_rank(
    qtbot: QtBot, section: PlacementSection, session: DocumentSession
) -> None:
    before = session.document.revision, session.undo_stack.count()
    qtbot.mouseClick(section.chart, Qt.MouseButton.LeftButton, pos=cell(section, 17))
    assert session.ranks.rank == 17
    assert section.rank.text() == "17"
    assert section.places.text() == "TP 1, CP 0, DP 0, PP 1"
    assert section.segments is not None
    assert section.segments.keys() == (ALL, "TP", "CP", "PP", "DP")
    qtbot.mouseClick(section.segments.button("DP"), Qt.MouseButton.LeftButton)
    assert session.ranks.group == "DP"
    assert "outlined: DP group of rank 17, 8 ranks" in section.caption.text()
    qtbot.keyClick(section.chart, Qt.Key.Key_Right)
    assert session.ranks.rank == 18
    assert session.ranks.group == "DP"
    qtbot.keyClick(section.chart, Qt.Key.Key_Up)
    assert session.ranks.rank == 10
    qtbot.keyClick(section.chart, Qt.Key.Key_Escape)
    assert session.ranks.rank is None
    assert section.segments is None
    assert (session.document.revision, session.undo_stack.count()) == before


def test_members_are_outlined_in_the_chart(
    section: PlacementSection, session: DocumentSession
) -> None:
    theme = section._theming.theme

    def edge(number: int) -> str:
        cells, image = section.chart.cells, section.chart.grab().toImage()
        ratio = image.devicePixelRatio()
        assert cells is not None
        x, y = (cells.x[number] + 1) * ratio, (cells.y[number] + 1 + cells.size / 2) * ratio
        return image.pixelColor(int(x), int(y)).name()

    pp = theme.color("traffic.PP").name()
    assert edge(33) != pp
    session.ranks.pick(17)
    session.ranks.choose("PP")
    assert [n for n in range(64) if edge(n) == pp] == [1, 33, 49]
    assert edge(17) == theme.color("text.primary").name()


def test_a_rank_can_be_typed(
    qtbot: QtBot, section: PlacementSection, session: DocumentSession
) -> None:
    told: list[str] = []
    session.refused.connect(told.append)
    section.rank.setFocus()
    qtbot.keyClicks(section.rank, "42")
    qtbot.keyClick(section.rank, Qt.Key.Key_Return)
    assert session.ranks.rank == 42
    section.rank.selectAll()
    qtbot.keyClicks(section.rank, "640")
    qtbot.keyClick(section.rank, Qt.Key.Key_Return)
    assert told == ["There is no rank 640. Ranks are 0 to 63"]
    assert session.ranks.rank == 42
    assert section.rank.text() == "42"
    section.rank.selectAll()
    qtbot.keyClick(section.rank, Qt.Key.Key_Delete)
    qtbot.keyClick(section.rank, Qt.Key.Key_Return)
    assert session.ranks.rank is None


def test_another_plan_keeps_the_rank_if_it_still_exists(session: DocumentSession) -> None:
    session.ranks.pick(40)
    session.ranks.choose("CP")
    give_step(session, Workload(model="llama-3.1-70b", plan=Plan(tp=4, pp=2)))
    assert session.ranks.rank == 40
    assert session.ranks.group == ALL  # no context parallelism any more
    give_step(session, Workload(model="llama-3.1-70b", plan=Plan(tp=4, pp=2, dp=4)))
    assert session.ranks.rank is None


def test_the_properties_of_a_server_list_its_ranks(
    qtbot: QtBot, session: DocumentSession, theming: Theming
) -> None:
    section = RankSection(theming)
    qtbot.addWidget(section)
    section.show_device(session, session.document.devices["node-03"])
    assert section.note.text() == "ranks 16–23"
    assert section.lines[1] == ("GPU 1", "Rank 17", "TP 1 · CP 0 · DP 0 · PP 1")
    assert len(section.lines) == 8
    section._grid.itemAtPosition(1, 1).widget().click()
    assert session.ranks.rank == 17
    section.show_device(session, session.document.devices["leaf-1"])
    assert not section.isVisibleTo(None)
    give_step(session, Workload(model="llama-3.1-70b", plan=Plan(tp=4, pp=1, dp=5)))
    section.show_device(session, session.document.devices["node-03"])
    assert section.note.text() == "4 of 8 GPUs"
    assert section.lines[5] == ("GPU 5", "idle", "")


def test_words_of_ranks() -> None:
    assert rank_words(np.array([3], np.int32)) == "rank 3"
    assert rank_words(np.array([3, 4, 5], np.int32)) == "ranks 3–5"
    assert rank_words(np.array([3, 9], np.int32)) == "2 ranks from 3 to 9"
    assert place_words(analysed()[2], np.array([16, 17], np.int32)) == "TP 0–1, CP 0, DP 0, PP 1"


@pytest.mark.parametrize("query", ["17", "rank 17", "Rank:17", "rank17"])
def test_the_palette_finds_a_rank(session: DocumentSession, query: str) -> None:
    (hit,) = find_ranks(session, query)
    assert (hit.text, hit.rank, hit.ids) == ("Rank 17", 17, ("node-03",))
    assert "node-03 GPU 1" in hit.note


@pytest.mark.parametrize("query", ["", "rank", "640", "node-17", "1 7"])
def test_the_palette_finds_no_rank_that_is_not_there(session: DocumentSession, query: str) -> None:
    assert list(find_ranks(session, query)) == []


def test_the_command_leads_to_the_rank(window: MainWindow, qtbot: QtBot) -> None:
    session = DocumentSession(pod())
    window.add_session(session)
    give_step(session)
    window.actions_.refresh()
    window.actions_["ranks.find"].trigger()
    palette = window.palette_window
    assert palette.search.text() == "rank "
    qtbot.keyClicks(palette.search, "17")
    assert palette.texts("Ranks") == ["Rank 17"]
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert session.ranks.rank == 17
    assert session.selection == ("node-03",)
    assert ("centre_on", ("node-03",)) in canvas_of(window).calls
    window.actions_["ranks.group"].trigger()
    assert session.ranks.group == "TP"
    for _ in range(4):
        window.actions_["ranks.group"].trigger()
    assert session.ranks.group == ALL
    window.actions_["ranks.clear"].trigger()
    assert session.ranks.rank is None


def test_the_plan_panel_shows_the_placement(window: MainWindow) -> None:
    session = DocumentSession(pod())
    window.add_session(session)
    plan = window.sides.inspector.plan
    assert not plan.placement.isVisibleTo(plan)
    give_step(session)
    assert plan.placement.isVisibleTo(plan)
    assert plan.placement.chart.cells is not None
    session.drop_result()
    session.ranks.take(None)
    assert not plan.placement.isVisibleTo(plan)
