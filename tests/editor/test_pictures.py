"""Export, print, copy, layers and labels: what the screen shows is what the picture shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrinter
from pytestqt.qtbot import QtBot

from topoedit.app.open import open_document
from topoedit.editor import printing
from topoedit.editor.dialogs.export_dialog import ExportDialog
from topoedit.editor.layers import DIMMED, HIDDEN, census
from topoedit.editor.picture_export import PictureChoice, picture_options, picture_scene
from topoedit.editor.printing import PrintDialog
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.render.export import picture_bytes


def exporting(drawn: MainWindow, qtbot: QtBot) -> ExportDialog:
    assert drawn.session is not None
    dialog = ExportDialog(drawn, drawn.session, drawn)
    qtbot.addWidget(dialog)
    return dialog


def choose(combo, data: object) -> None:
    combo.setCurrentIndex(combo.findData(data))


def test_the_size_is_said_while_choosing(drawn: MainWindow, qtbot: QtBot) -> None:
    dialog = exporting(drawn, qtbot)
    choose(dialog.kind, "png")
    one = dialog.line.text()
    choose(dialog.scale, 4.0)
    four = dialog.line.text()
    width, width_of_four = (int(t.split(" ×")[0].replace("\u2009", "")) for t in (one, four))
    assert width_of_four == pytest.approx(4 * width, abs=3)
    choose(dialog.kind, "pdf")
    choose(dialog.paper.size_, "A3")
    dialog.paper.columns.setValue(3)
    dialog.paper.rows.setValue(2)
    assert dialog.line.text().startswith("6 pages A3 ")
    choose(dialog.theme, "dark")
    choose(dialog.background, "white")
    assert "cannot be read on white" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()


def test_the_preview_follows(drawn: MainWindow, qtbot: QtBot) -> None:
    dialog = exporting(drawn, qtbot)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.preview.is_ready and dialog.preview.image is not None)
    light = dialog.preview.image
    assert light is not None
    choose(dialog.theme, "dark")
    qtbot.waitUntil(lambda: dialog.preview.is_ready)
    dark = dialog.preview.image
    assert dark is not None
    assert light.pixelColor(20, 20).lightness() > 200 > 60 > dark.pixelColor(20, 20).lightness()


def test_a_picture_with_the_drawing_inside_opens_again(
    drawn: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = exporting(drawn, qtbot)
    choose(dialog.kind, "png")
    dialog.embed.setChecked(True)
    target = tmp_path / "drawing.png"
    dialog.write(target)
    qtbot.waitUntil(target.exists)
    assert drawn.session is not None
    kept = native.dumps(drawn.session.document)
    assert native.dumps(open_document(target, drawn.catalog).document) == kept
    drawn.open_path(target)
    assert drawn.session.title == "drawing.png"
    assert drawn.session.path is None, "saving must not replace the picture"


def test_an_export_can_be_stopped(drawn: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = exporting(drawn, qtbot)
    dialog.write(tmp_path / "out.svg")
    dialog.reject()
    assert dialog.accept_button.isEnabled()
    assert "pixels" in dialog.line.text()
    assert not list(tmp_path.iterdir())


def test_layers_of_the_screen_are_those_of_the_picture(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    session.set_layers(session.layers.put(("network", "compute"), HIDDEN))
    options = picture_options(session, PictureChoice())
    svg = picture_bytes(picture_scene(session), "svg", options)
    assert b"node-1" in svg
    assert b"leaf-1" not in svg


def test_keys_let_one_rail_stand_out_and_nought_shows_all(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    assert drawn.actions_["view.rail_2"].shortcut().toString() == "3"
    drawn.actions_["view.rail_2"].trigger()
    assert session.layers.solo == ("rail", "2")
    assert drawn.actions_["view.rail_2"].isChecked()
    links = session.document.links.values()
    states = {link.rail: session.layers.state_of(link) for link in links if link.rail is not None}
    assert all((state == DIMMED) is (rail != 2) for rail, state in states.items())
    assert session.undo_stack.count() == 0
    drawn.actions_["view.rail_all"].trigger()
    assert session.layers.all_shown
    assert not drawn.actions_["view.rail_2"].isChecked()


def test_the_census_counts_cables_by_rail(drawn: MainWindow) -> None:
    assert drawn.session is not None
    counts = census(drawn.session.document)
    assert sum(counts["network"].values()) == drawn.session.totals.cables
    assert list(counts) == ["network", "rail", "plane", "phase", "tag"]


def test_a_layer_can_be_alone(drawn: MainWindow) -> None:
    session, layers = drawn.session, drawn.sides.left.layers
    assert session is not None
    drawn.show_panel("layers")
    menu = layers.menu_for(("network", "compute"))
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == ["Show", "Dim", "Hide", "This one alone"]
    menu.actions()[-1].trigger()
    assert session.layers.solo == ("network", "compute")
    assert layers.model.item(0).child(0).text() == "Compute   16 · alone"


def test_labels_are_chosen_for_the_drawing_in_front(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    assert drawn.actions_["view.labels_hot"].isChecked()
    drawn.actions_["view.labels_all"].trigger()
    assert session.labels == "all"
    assert picture_options(session, PictureChoice()).labels == "all"
    session.set_labels("everything")
    assert session.labels == "all"


def test_the_selection_is_copied_as_a_picture(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    drawn.actions_["edit.copy_picture"].trigger()
    whole = QGuiApplication.clipboard().image()
    session.select(["leaf-1"])
    drawn.actions_["edit.copy_picture"].trigger()
    part = QGuiApplication.clipboard().image()
    assert 0 < part.width() < whole.width()
    assert "Copied the selection" in drawn.documents.messages.text


def test_print_without_a_printer_offers_a_pdf(
    drawn: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "has_printers", lambda: False)
    assert drawn.session is not None
    dialog = PrintDialog(drawn, drawn.session, drawn)
    qtbot.addWidget(dialog)
    assert dialog.line.text().endswith(printing.NO_PRINTER)
    choose(dialog.paper.size_, "A3")
    dialog.accept()
    export = next(w for w in drawn.findChildren(ExportDialog))
    assert export.chosen_kind == "pdf"
    assert export.paper.size_.currentData() == "A3"
    export.reject()


def test_a_poster_is_printed_on_as_many_pages_as_the_preview_shows(
    drawn: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert drawn.session is not None
    dialog = PrintDialog(drawn, drawn.session, drawn)
    qtbot.addWidget(dialog)
    dialog.paper.columns.setValue(2)
    assert dialog.line.text().startswith("2 pages A4 ")
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "print.pdf"))
    with qtbot.waitSignal(dialog.accepted):
        dialog.print_on(printer)
    data = (tmp_path / "print.pdf").read_bytes()
    assert data.count(b"/Type /Page\n") == 2
    assert drawn.documents.messages.text == "Printed 2 pages."


def test_the_clipboard_picture_has_the_look_of_the_window(drawn: MainWindow) -> None:
    drawn.actions_["edit.copy_picture"].trigger()
    image: QImage = QGuiApplication.clipboard().image()
    ground = drawn.theming.theme.color("canvas.bg")
    assert image.pixelColor(2, 2) == ground
