"""Templates, export, wiring by pattern and arrays: what the dialogs say and do."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from topoedit.catalog.load import load_catalog
from topoedit.editor.dialogs.array_dialog import ArrayDialog
from topoedit.editor.dialogs.export_dialog import ExportDialog
from topoedit.editor.dialogs.wire_dialog import WireDialog, names_text
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.shortcut_sheet import ShortcutSheet
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document
from topoedit.model.edits import Edit

from .doubles import CanvasDouble
from .made_results import give_result


def session_of(window: MainWindow) -> DocumentSession:
    assert window.session is not None
    return window.session


def test_an_array_is_described_placed_and_undone(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.select(["node-1"])
    dialog = ArrayDialog(drawn, session, drawn)
    qtbot.addWidget(dialog)
    assert dialog.across.value() == 108 + 16
    dialog.columns_box.setValue(3)
    dialog.rows_box.setValue(2)
    assert dialog.line.text() == "Adds 5 new devices in 5 more places. One undo step."
    dialog.rows_box.setValue(1)
    dialog.accept_button.click()
    names = {d.name for d in session.document.devices.values() if d.kind == "server"}
    assert names == {"node-1", "node-2", "node-3", "node-4"}
    assert session.undo_stack.count() == 1
    session.undo()
    assert len(session.document.devices) == 4


def test_an_array_of_one_place_is_refused(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.select(["node-1"])
    dialog = ArrayDialog(drawn, session, drawn)
    qtbot.addWidget(dialog)
    dialog.columns_box.setValue(1)
    assert not dialog.accept_button.isEnabled()
    assert dialog.line.text() == "Set more than one column or row."


def test_wiring_shows_its_port_plan_and_is_one_step(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.apply(Edit("Delete links", drop=tuple(session.document.links)))
    dialog = WireDialog(drawn, session, drawn)
    qtbot.addWidget(dialog)
    assert (dialog.a.text(), dialog.b.text()) == ("node-*", "leaf-*")
    assert dialog.scheme.currentData() == "rail"
    dialog.preview()
    assert dialog.line.text() == "Adds 16 cables in 16 links. One undo step."
    first = [dialog._model.item(0, column).text() for column in range(4)]
    assert first[0] == "node-1"
    assert first[2] == "leaf-1"
    dialog.accept_button.click()
    assert session.totals.cables == 16
    session.undo()
    assert session.totals.cables == 0


def test_wiring_that_matches_nothing_says_so(drawn: MainWindow, qtbot: QtBot) -> None:
    dialog = WireDialog(drawn, session_of(drawn), drawn)
    qtbot.addWidget(dialog)
    dialog.a.setText("nobody*")
    dialog.b.setText("leaf-*")
    dialog.preview()
    assert "nobody*" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()
    assert dialog._model.rowCount() == 0


def test_wiring_starts_with_the_side_that_is_selected(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    for chosen, sides in (("leaf-1", ("", "leaf-1")), ("node-1", ("node-1", ""))):
        session.select([chosen])
        dialog = WireDialog(drawn, session, drawn)
        qtbot.addWidget(dialog)
        dialog.show()
        assert (dialog.a.text(), dialog.b.text()) == sides
        assert dialog.line.text() == "Name the devices on both sides."
        assert dialog.line.property("role") == "secondary"  # to be filled in is no mistake
        assert not dialog.accept_button.isEnabled()
        assert dialog.focusWidget() is (dialog.a if sides[0] == "" else dialog.b)


def test_wiring_offers_nothing_that_cannot_be_wired(drawn: MainWindow, qtbot: QtBot) -> None:
    dialog = WireDialog(drawn, session_of(drawn), drawn)  # every NIC is cabled already
    qtbot.addWidget(dialog)
    assert (dialog.a.text(), dialog.b.text()) == ("", "")
    assert dialog.line.property("role") == "secondary"


def test_numbers_of_dialogs_do_not_touch_their_frame(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.select(["node-1"])
    for made in (WireDialog(drawn, session, drawn), ArrayDialog(drawn, session, drawn)):
        qtbot.addWidget(made)
        boxes = made.findChildren(QSpinBox)
        assert boxes
        assert all(box.lineEdit().textMargins().left() >= 6 for box in boxes)


def test_names_become_a_glob_only_where_it_means_the_same(document: Document) -> None:
    devices = document.devices
    assert names_text(document, [devices["node-1"], devices["node-2"]]) == "node-*"
    assert names_text(document, [devices["node-1"]]) == "node-1"
    assert names_text(document, [devices["node-1"], devices["leaf-1"]]) == "node-1, leaf-1"


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_picture_is_written_coloured(
    drawn: MainWindow, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    session = session_of(drawn)
    give_result(session)
    dialog = ExportDialog(drawn, session, drawn)
    qtbot.addWidget(dialog)
    assert dialog.colours.isChecked()
    dialog.kind.setCurrentIndex(dialog.kind.findData(kind))
    target = tmp_path / f"out.{kind}"
    dialog.write(target)
    qtbot.waitUntil(target.exists)
    data = target.read_bytes()
    assert data[:4] in (b"%PDF", b"\x89PNG", b"<?xm")
    assert drawn.documents.messages.text.startswith(f"Exported out.{kind}, ")
    if kind == "svg":
        assert b"Step 2.00 s (80 % interval 1.80 s to 2.30 s)" in data


def test_a_picture_that_cannot_be_written_says_why(
    drawn: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = ExportDialog(drawn, session_of(drawn), drawn)
    qtbot.addWidget(dialog)
    dialog.write(tmp_path / "nowhere" / "out.svg")
    qtbot.waitUntil(lambda: not dialog.bar.isVisibleTo(dialog))
    assert "nowhere" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()


@pytest.fixture
def full_window(qtbot: QtBot, theming: Theming) -> MainWindow:
    """A window over the installed catalogue."""
    made = MainWindow(
        lambda: (load_catalog(), ()),
        theming,
        Preferences(),
        lambda session, _theming, parent: CanvasDouble(session, parent),
    )
    qtbot.addWidget(made, before_close_func=lambda w: [w.close_tab(0) for _ in range(3)])
    made.show_welcome()
    return made


def test_welcome_offers_templates_samples_and_recent(full_window: MainWindow) -> None:
    page = full_window.welcome.page
    assert page is not None
    full_window.fill_welcome()
    titles = [card.title for card in page.cards]
    assert "NVIDIA SuperPOD" in titles
    assert "pod64-h100" in page.samples.names()
    assert not page.recent.isVisible()


def test_the_sheet_lists_every_key(drawn: MainWindow, qtbot: QtBot) -> None:
    sheet = ShortcutSheet(drawn.actions_, drawn)
    qtbot.addWidget(sheet)
    assert ("Undo", "Ctrl+Z") in sheet.lines
    assert ("All commands", "Ctrl+K") in sheet.lines
    assert ("Wire by pattern", "W") in sheet.lines
    assert len(sheet.lines) > 60
