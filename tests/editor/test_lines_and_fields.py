"""Lines above the drawing, fields that leave undo to it, lists that open over the window."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from topoedit.app.worker import spoken
from topoedit.catalog.load import load_catalog
from topoedit.editor.application import tell_faults
from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.property_edits import set_property
from topoedit.editor.panels.property_extras import type_figures
from topoedit.editor.session import DocumentSession
from topoedit.editor.status_bar import known_gpus
from topoedit.editor.template_cards import HEIGHT, TemplateCard, few_lines, sketch
from topoedit.editor.theming import Theming
from topoedit.editor.welcome import template_rows
from topoedit.editor.window import MainWindow
from topoedit.errors import BadFileError, BadPlanError
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Ports
from topoedit.model.plan import Plan, Workload
from topoedit.paths import samples

from .made_results import give_result


def test_a_line_about_one_drawing_is_not_shown_over_another(drawn: MainWindow) -> None:
    bar = drawn.documents.messages
    drawn.tell("Restored 3 edits.", "ok")
    drawn.actions_["file.new"].trigger()
    assert bar.text == ""
    drawn.tell("Too many ports.", "error")
    drawn.actions_["window.next"].trigger()
    assert bar.text == ""


def test_a_line_told_before_there_is_a_drawing_stays(window: MainWindow) -> None:
    window.tell("The catalogue has a wrong entry.", "warning")
    window.actions_["file.new"].trigger()
    assert window.documents.messages.text == "The catalogue has a wrong entry."


def test_no_strip_is_left_where_a_line_was(drawn: MainWindow) -> None:
    drawn.show()
    canvas = drawn.documents.stack
    before = canvas.y()
    drawn.tell("A line.")
    QApplication.sendPostedEvents()
    drawn.documents.messages.hide()
    QApplication.sendPostedEvents()
    drawn.documents.layout().activate()
    assert canvas.y() == before == drawn.documents.progress.geometry().bottom() + 1


def test_a_line_is_taken_back_only_if_it_still_is_that_one(drawn: MainWindow) -> None:
    drawn.tell("Restored 3 edits. Save to keep them.", "ok")
    drawn.take_back("Something else")
    assert drawn.documents.messages.text == "Restored 3 edits. Save to keep them."
    drawn.take_back("Restored 3 edits. Save to keep them.")
    assert drawn.documents.messages.text == ""


def test_a_fault_is_told(drawn: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "__excepthook__", lambda *what: seen.append(what[0]))
    tell_faults(drawn)
    sys.excepthook(NameError, NameError("name 'x' is not defined"), None)
    assert seen == [NameError]
    assert drawn.documents.messages.text.startswith(
        "topoedit has a fault: NameError, name 'x' is not defined."
    )


def test_undo_in_a_field_is_that_of_the_drawing(drawn: MainWindow, qtbot: QtBot) -> None:
    """Ctrl Z in a field that was just used takes the step back; it does not edit the text."""
    session = drawn.session
    assert session is not None
    session.set_workload(Workload(model="llama-3.1-70b", plan=Plan()), "Choose a model")
    drawn.show()
    drawn.show_panel("plan")
    spin = drawn.sides.inspector.plan.sizes["tp"]
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, "8")
    assert session.workload is not None
    assert session.workload.plan.tp == 8
    qtbot.keyClick(spin, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.workload.plan.tp == 1
    assert spin.value() == 1
    assert session.undo_stack.index() == 1
    session.select(["node-1"])
    drawn.show_panel("properties")
    line = drawn.sides.inspector.properties.findChild(QLineEdit)
    assert line is not None
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.workload is None


def test_list_of_models_stays_over_the_window_and_closes_at_once(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    drawn.show()
    drawn.show_panel("plan")
    picker = drawn.sides.inspector.plan.model
    picker.click()
    popup = picker.popup
    room = QRect(drawn.mapToGlobal(QPoint(0, 0)), drawn.size())
    assert room.contains(popup.geometry())
    assert popup.search.placeholderText() == "Search"
    assert popup.texts()[0] == "Llama 3.1 70B"
    qtbot.keyClicks(popup.search, "70")
    qtbot.keyClick(popup.search, Qt.Key.Key_Escape)
    assert not popup.isVisible()


@pytest.mark.parametrize("width", [1120, 1280, 1600])
def test_the_tool_bar_keeps_export_at_every_width(drawn: MainWindow, width: int) -> None:
    drawn.resize(width, 700)
    drawn.show()
    QApplication.processEvents()
    bar, field = drawn.tool_bar, drawn.tool_bar.field
    assert bar.export.isVisible()
    assert bar.export.mapTo(drawn, QPoint(bar.export.width(), 0)).x() <= width
    words = field.fontMetrics().horizontalAdvance(field.text())
    taken = field.keys.width() + 16 if field.keys.isVisible() else 0
    assert words + 36 + taken <= field.width()


def test_gpus_nobody_knows_are_not_nought() -> None:
    assert known_gpus(64, 0) == "64"
    assert known_gpus(0, 191) == "–"
    assert known_gpus(1016, 72) == "1\u2009016 known"


def test_a_window_hears_nothing_of_options() -> None:
    assert spoken(BadPlanError("tp 3 does not divide the 64 heads", "--tp", "Use 2 or 4")) == (
        "tp 3 does not divide the 64 heads. Use 2 or 4"
    )
    assert spoken(BadPlanError("no such model", "--model")) == "no such model"
    assert spoken(BadFileError("cut off", "a.topo.json")) == "a.topo.json: cut off"


def test_titles_of_bottlenecks_are_cut_with_an_ellipsis(drawn: MainWindow) -> None:
    assert drawn.session is not None
    give_result(drawn.session)
    drawn.resize(1120, 700)
    drawn.show()
    drawn.show_panel("analysis")
    drawn.sides.inspector.analysis.refresh()
    QApplication.processEvents()
    for item in drawn.sides.inspector.analysis.items:
        for text in item.findChildren(QLabel):
            assert text.fontMetrics().horizontalAdvance(text.text()) <= text.width()
        assert item.accessibleName().split(".")[0] in item.toolTip()


def test_figures_of_a_type_name_parts_not_their_ids() -> None:
    catalog = load_catalog(user=False)
    figures = {name: text for name, text, _ in type_figures(catalog.device("dgx-h100"), catalog)}
    assert figures["GPUs"] == "8 × NVIDIA H100 SXM5 80GB"
    assert figures["NIC"] == f"8 × {catalog.nics['cx7'].name}"


def test_a_wrong_catalogue_of_the_user_does_not_keep_drawings_shut(
    window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "pod.topo.json"
    file.write_bytes((samples() / "dgx-h100.topo.json").read_bytes())
    folder = tmp_path / "catalog"
    folder.mkdir()
    (folder / "mine.yaml").write_text("devices:\n  - {id: box, name: Box, kind: spaceship}\n")
    assert window.files.open_path(file) == ""
    assert window.session is not None
    line = window.documents.messages.text
    assert line.startswith("Left out: ")
    assert "mine.yaml" in line
    assert "kind" in line


def test_a_drawing_that_needs_the_wrong_catalogue_names_it(
    window: MainWindow, tmp_path: Path
) -> None:
    text = (samples() / "dgx-h100.topo.json").read_text(encoding="utf-8")
    file = tmp_path / "pod.topo.json"
    file.write_text(text.replace('"dgx-h100"', '"box"'), encoding="utf-8")
    folder = tmp_path / "catalog"
    folder.mkdir()
    (folder / "mine.yaml").write_text("devices:\n  - {id: box, name: Box, kind: spaceship}\n")
    assert "mine.yaml" in window.files.open_path(file)
    assert window.session is None


def test_every_template_has_a_sketch_of_its_own_shape(theming: Theming, qtbot: QtBot) -> None:
    """A ring of groups, a lattice and racks are no trees; all others differ in their tiers."""
    seen: dict[bytes, str] = {}
    for template_id, _, _ in template_rows():
        image = QImage(166, 98, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        sketch(template_id)(painter, QRectF(16, 12, 134, 74), theming.theme)
        painter.end()
        data = bytes(image.constBits())
        assert data not in seen, (template_id, seen.get(data))
        seen[data] = template_id


def test_lines_of_a_card_are_cut_only_where_they_must_be(theming: Theming, qtbot: QtBot) -> None:
    card = TemplateCard(theming, "fat-tree", "Fat tree", "one two three " * 12)
    qtbot.addWidget(card)
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    assert few_lines(painter, "short", 200) == "short"
    lines = few_lines(painter, "one two three " * 12, 90).split("\n")
    painter.end()
    assert len(lines) == 3
    assert lines[-1].endswith("…")


def test_news_goes_by_itself_and_what_needs_a_hand_stays(drawn: MainWindow) -> None:
    bar = drawn.documents.messages
    drawn.tell("Deleted 1 device and 8 cables. Ctrl Z brings it back.")
    assert bar._news.isActive()
    bar._news.timeout.emit()
    assert bar.text == ""
    drawn.tell("Too many ports.", "error")
    assert not bar._news.isActive()
    bar.show_line("Unsaved work found", "info", (("Restore", lambda: None),))
    assert not bar._news.isActive()


@pytest.mark.parametrize("kind", ["nothing", "running", "stale", "stopped", "current"])
def test_the_engine_says_its_state_in_full(drawn: MainWindow, kind: str) -> None:
    drawn.resize(1120, 700)
    drawn.show()
    button = drawn.tool_bar.engine
    button.show_state(EngineState(kind, seconds=123.4))  # type: ignore[arg-type]
    QApplication.processEvents()
    drawn.tool_bar.layout().activate()
    for part in button.findChildren(QLabel):
        assert part.width() >= part.sizeHint().width() or not part.text()
        assert part.mapTo(button, part.rect().topRight()).x() <= button.width()


def test_imported_hosts_are_typed_in_the_properties(qapp: QApplication) -> None:
    """What the command line does with --server-type, a person does by choosing a type."""
    catalog = load_catalog(user=False)
    hosts = [Device(id=f"h{n}", name=f"h{n}", type="unknown-server", kind="server") for n in (1, 2)]
    leaf = Device(id="leaf", name="leaf", type="qm9700", kind="leaf")
    links = [
        Link(id=f"l{n}", a=Ports(f"h{n}", "HCA-1-8"), b=Ports("leaf", f"{8 * n - 7}-{8 * n}"),
             cables=f"c{8 * n - 7}-{8 * n}")
        for n in (1, 2)
    ]  # fmt: skip
    session = DocumentSession(Document(catalog, [leaf, *hosts, *links]))
    edit = set_property(session.document, hosts, "type", "dgx-h100", "Type")
    assert edit.label == "Set type of 2 devices to NVIDIA DGX H100"
    assert session.apply(edit)
    assert session.totals.gpus == 16
    assert session.totals.cables == 16
    assert session.totals.untyped == 0
    session.undo()
    assert session.totals.untyped == 2
    session.close()


def test_cards_are_high_enough_for_their_lines(window: MainWindow) -> None:
    """The style sheet and the card agree on the height."""
    window.theming.apply()
    window.show()
    window.fill_welcome()
    QApplication.processEvents()
    cards = window.findChildren(TemplateCard)
    assert cards
    assert {card.height() for card in cards} == {HEIGHT}


def test_the_welcome_page_needs_no_sideways_scrolling(window: MainWindow) -> None:
    window.theming.apply()
    window.resize(1120, 700)
    window.show()
    window.fill_welcome()
    QApplication.processEvents()
    bars = [area.horizontalScrollBar() for area in window.findChildren(QScrollArea)]
    assert bars
    assert all(bar.maximum() == 0 for bar in bars)


def test_the_zoom_is_shown_in_full(drawn: MainWindow) -> None:
    drawn.theming.apply()
    drawn.resize(1120, 700)
    drawn.show()
    for factor in (0.049, 1.0, 32.0):
        drawn.tool_bar.show_zoom(factor)
        QApplication.processEvents()
        zoom = drawn.tool_bar.zoom
        assert zoom.fontMetrics().horizontalAdvance(zoom.text()) + 12 <= zoom.width()


def test_the_label_of_a_tall_field_stands_beside_its_first_line(drawn: MainWindow) -> None:
    drawn.show()
    drawn.show_panel("properties")
    QApplication.processEvents()
    field = drawn.sides.inspector.properties.fields["description"]
    word = next(w for w in field.findChildren(QLabel) if w.text() == field.spec.text)
    top = field.editor.mapTo(field, QPoint(0, 0)).y()
    assert word.geometry().bottom() < top + 40


def test_the_cables_need_no_sideways_scrolling_in_a_large_window(drawn: MainWindow) -> None:
    drawn.theming.apply()
    drawn.resize(1600, 1000)
    drawn.show()
    drawn.show_panel("cables")
    QApplication.processEvents()
    table = drawn.sides.bottom.cables.table
    assert table.horizontalScrollBar().maximum() == 0
