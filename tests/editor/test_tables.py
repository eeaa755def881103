"""The tables at the bottom, the tree and the layers: rows, filters, selection both ways."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.editor.engine_client import EngineResult
from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.bottleneck_words import bottleneck_title, elements_of
from topoedit.editor.panels.cables_model import CablesModel
from topoedit.editor.panels.problems_model import problems_of
from topoedit.editor.panels.tables import LOAD_ROLE, PARTS_ROLE
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.analysis import Memory, Unreachable
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Link, Ports

from .doubles import canvas_of
from .made_results import LINKS, analysis, give_result, loads


def cell(model, row: int, column: int) -> str:
    return model.data(model.index(row, column))


def test_bottlenecks_name_cost_before_cause(drawn: MainWindow) -> None:
    session, panel = drawn.session, drawn.sides.bottom.bottlenecks
    assert session is not None
    give_result(session)
    panel.refresh()
    assert cell(panel.model, 0, 0) == "node-1 → leaf-1  ×4"
    assert cell(panel.model, 0, 1) == "host-leaf ×4"
    assert panel.model.data(panel.model.index(0, 2), LOAD_ROLE) == 1.12
    parts = panel.model.data(panel.model.index(0, 3), PARTS_ROLE)
    assert [(part.name, part.value) for part in parts] == [("PP", 0.41e12), ("DP", 1e12)]
    assert cell(panel.model, 0, 4) == "1.41 TB"
    assert cell(panel.model, 0, 5) == "260 ms"
    assert cell(panel.model, 1, 0) == "node-1: NVLink, gpu3  ×3 in 2 devices"
    assert cell(panel.model, 1, 5) == "–"
    assert drawn.sides.bottom.title_of("bottlenecks") == "Bottlenecks  2"


def test_a_bottleneck_selects_all_links_of_its_class(drawn: MainWindow, qtbot: QtBot) -> None:
    session, panel = drawn.session, drawn.sides.bottom.bottlenecks
    assert session is not None
    give_result(session)
    drawn.show_panel("bottlenecks")
    panel.refresh()
    panel.table.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert set(session.selection) == set(LINKS)
    assert canvas_of(drawn).calls[-1][0] == "centre_on"
    panel.table.setCurrentIndex(panel.model.index(1, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert session.selection == ("node-1", "node-2")


def test_the_number_selected_is_the_number_shown(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    give_result(session)
    revision, made = session.document.revision, analysis()
    some = (np.array([1, 3], np.int32), np.array([4], np.int32))
    session.take_result(EngineResult(session.key, revision, made, loads(), 0.1, some))
    assert bottleneck_title(session, 0).endswith("×2")
    assert elements_of(session, 0) == ("link-12", "link-22")
    session.apply(Edit("Delete link", drop=("link-22",)))
    assert elements_of(session, 0) == ("link-12",)
    assert session.bottleneck_classes is not None
    assert session.bottleneck_classes.number_of("link-12") == 0
    assert session.bottleneck_classes.number_of("link-11") is None


def test_without_rows_the_bottleneck_table_says_why_at_its_top(drawn: MainWindow) -> None:
    panel = drawn.sides.bottom.bottlenecks
    drawn.show_panel("bottlenecks")
    panel.refresh()
    assert panel.table.isHidden()
    assert panel._empty.text() == "No result yet: choose a model in the plan."
    assert not panel._empty.isHidden()
    assert drawn.session is not None
    give_result(drawn.session)
    panel.refresh()
    assert not panel.table.isHidden()
    assert panel._empty.isHidden()


def test_items_of_the_analysis_page_select_their_links(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    give_result(session)
    page = drawn.sides.inspector.analysis
    page.refresh()
    assert len(page.items) == 2
    assert (
        page.items[0].accessibleName().startswith("node-1 → leaf-1  ×4. slows the step by 260 ms")
    )
    page.items[0].click()
    assert set(session.selection) == set(LINKS)


def test_an_old_result_is_dimmed_and_stays(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    give_result(session)
    panel = drawn.sides.bottom.bottlenecks
    panel.refresh()
    assert panel.table.graphicsEffect() is None
    session.set_analysis_state(EngineState("running", "Routing", 0.62, 0.038))
    assert panel.table.graphicsEffect() is not None
    assert panel.model.rowCount() == 2
    assert drawn.tool_bar.engine.words == "Routing, 62\u2009% last 38.0 ms"
    session.set_analysis_state(EngineState("current", seconds=0.04))
    assert panel.table.graphicsEffect() is None
    assert drawn.tool_bar.engine.words == "Up to date 40.0 ms"


def test_cables_list_both_ends_and_filter(drawn: MainWindow, qtbot: QtBot) -> None:
    panel = drawn.sides.bottom.cables
    drawn.show_panel("cables")
    assert panel.filter.hasFocus() or panel.filter.isVisible()
    assert panel.model.rowCount() == 4
    assert [cell(panel.model, 0, c) for c in range(9)] == [
        "c1-4", "node-1", "nic0-3", "leaf-1", "1-4", "Single-mode fibre, DR4",
        "4 × 400 Gb/s", "5 m", "compute",
    ]  # fmt: skip
    qtbot.keyClicks(panel.filter, "leaf-2 node-1")
    panel.flush()
    assert panel.model.ids == ["link-12"]
    panel.filter.clear()
    panel.flush()
    session = drawn.session
    assert session is not None
    session.select(["leaf-1"])
    panel.only_selected.click()
    assert panel.model.ids == ["link-11", "link-21"]
    assert drawn.sides.bottom.title_of("cables") == "Cables  16"


def test_cables_sort_with_unknown_last(catalog: Catalog, document: Document, qapp) -> None:
    session = DocumentSession(document)
    from msgspec.structs import replace

    for link_id, length in (("link-11", 9.0), ("link-12", None), ("link-21", 3.0)):
        session.apply(Edit("Set length", put=(replace(document.links[link_id], length_m=length),)))
    model = CablesModel()
    model.show_session(session)
    model.sort(7)
    assert model.ids == ["link-21", "link-22", "link-11", "link-12"]
    model.sort(7, Qt.SortOrder.DescendingOrder)
    assert model.ids == ["link-11", "link-22", "link-21", "link-12"]
    assert cell(model, 3, 7) == "–"
    model.sort(1)
    assert model.ids[:2] == ["link-11", "link-12"]
    session.close()
    session.deleteLater()


def test_many_links_are_plain_rows(catalog: Catalog, qapp) -> None:
    count = 300
    many = [Device(id=f"s{n}", name=f"s{n}", type="store", kind="storage") for n in range(2)]
    links = [
        Link(id=f"k{n}", a=Ports("s0", f"p{n}"), b=Ports("s1", f"p{n}"), cables=f"c{n + 1}")
        for n in range(count)
    ]
    session = DocumentSession(Document(catalog, (*many, *links)))
    model = CablesModel()
    model.show_session(session)
    assert model.rowCount() == count
    assert model.rowCount(model.index(0, 0)) == 0
    session.close()
    session.deleteLater()


def test_problems_collect_what_is_known(document: Document, qapp) -> None:
    session = DocumentSession(document)
    session.notices = ("two cables had no length",)
    give_result(
        session,
        memory=Memory(0, 90e9, 80e9, -10e9, "no", 90e9, 0, 0, 0, 0, 0),
        unreachable=Unreachable(8, 3e9, "node-1/gpu0 -> node-2/gpu0"),
    )
    rows = problems_of(session)
    assert [row.severity for row in rows] == ["error", "error", "warning", "warning"]
    assert rows[0].text == "8 pairs have no path: 3.00 GB undelivered"
    assert rows[0].ids == ("node-1", "node-2")
    assert "does not fit" in rows[1].text
    assert {row.source for row in rows[2:]} == {"Analysis", "File"}
    session.close()
    session.deleteLater()


def test_problems_are_walked_by_key_and_counted(drawn: MainWindow, qtbot: QtBot) -> None:
    session = drawn.session
    assert session is not None
    give_result(session, unreachable=Unreachable(8, 3e9, "node-1/gpu0 -> node-2/gpu0"))
    drawn.sides.bottom.problems.refresh()
    assert drawn.status._problems["error"].text() == "1"
    assert drawn.status._problems["warning"].text() == "1"
    canvas = canvas_of(drawn)
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_F8)
    assert session.selection == ("node-1", "node-2")
    assert drawn.sides.bottom.problems.table.currentIndex().row() == 0
    qtbot.keyClick(canvas, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert drawn.sides.bottom.problems.table.currentIndex().row() == 1


def names(model, parent: QModelIndex | None = None) -> list[str]:
    at = parent or QModelIndex()
    return [model.index(row, 0, at).data() for row in range(model.rowCount(at))]


def test_the_tree_mirrors_the_drawing_and_shares_the_selection(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    session, outline = drawn.session, drawn.sides.left.outline
    assert session is not None
    assert names(outline.model) == ["rack-1", "leaf-1", "leaf-2"]
    rack = outline.model.index(0, 0)
    assert names(outline.model, rack) == ["node-1", "node-2"]
    assert outline.model.index(0, 1).data() == "16 GPU"
    session.select(["node-2", "leaf-1"])
    chosen = {index.data() for index in outline.tree.selectionModel().selectedRows()}
    assert chosen == {"node-2", "leaf-1"}
    drawn.show_panel("tree")
    outline.tree.setCurrentIndex(outline.model.index_of("leaf-2"))
    assert session.selection == ("leaf-2",)
    qtbot.keyClick(outline.tree, Qt.Key.Key_Return)
    assert canvas_of(drawn).calls[-1] == ("centre_on", ("leaf-2",))


def test_the_tree_follows_names_and_keeps_what_was_open(drawn: MainWindow) -> None:
    session, outline = drawn.session, drawn.sides.left.outline
    assert session is not None
    outline.tree.setExpanded(outline.model.index_of("rack-1"), True)
    session.select(["leaf-1"])
    drawn.actions_["edit.delete"].trigger()
    assert names(outline.model) == ["rack-1", "leaf-2"]
    assert outline.tree.isExpanded(outline.model.index_of("rack-1"))
    session.undo()
    assert names(outline.model) == ["rack-1", "leaf-1", "leaf-2"]


def test_layers_hide_a_network_without_touching_the_drawing(drawn: MainWindow) -> None:
    session, layers = drawn.session, drawn.sides.left.layers
    assert session is not None
    drawn.show_panel("layers")
    header = layers.model.item(0)
    assert header.text() == "Networks"
    assert header.child(0).text() == "Compute   16"
    assert not layers.show_all.isEnabled()
    header.child(0).setCheckState(Qt.CheckState.Unchecked)
    assert session.layers.hidden == frozenset({("network", "compute")})
    layers.model.item(0).child(0).setCheckState(Qt.CheckState.PartiallyChecked)
    assert session.layers.dimmed == frozenset({("network", "compute")})
    assert not session.layers.hidden
    assert session.undo_stack.count() == 0
    layers.show_all.click()
    assert session.layers.all_shown


def test_history_goes_back_to_a_step(drawn: MainWindow) -> None:
    session, history = drawn.session, drawn.sides.bottom.history
    assert session is not None
    for element in ("leaf-1", "leaf-2"):
        session.select([element])
        drawn.actions_["edit.delete"].trigger()
    assert history.view.model().rowCount() == 3
    history.view.setCurrentIndex(history.view.model().index(1, 0))
    assert "leaf-1" not in session.document.devices
    assert "leaf-2" in session.document.devices
