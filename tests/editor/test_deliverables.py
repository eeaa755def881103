"""Bill of materials, cables, labels and files of other tools, written from the window."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from topoedit.editor.background import Task
from topoedit.editor.commands.deliverable_commands import DeliverableCommands, _suffixed
from topoedit.editor.dialogs.labels_dialog import LabelsDialog
from topoedit.editor.window import MainWindow
from topoedit.render.label_stock import STOCKS


@pytest.fixture
def commands(drawn: MainWindow) -> DeliverableCommands:
    return DeliverableCommands(drawn)


def finished(qtbot: QtBot, begin: Callable[[], Task]) -> None:
    task = begin()
    with qtbot.waitSignal(task.done, timeout=60_000):
        pass


def cables_of(window: MainWindow) -> int:
    assert window.session is not None
    return sum(link.count for link in window.session.document.links.values())


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_bill_is_written(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path, suffix: str
) -> None:
    out, session = tmp_path / f"bom.{suffix}", drawn.session
    assert session is not None
    finished(qtbot, lambda: commands.write_bill(session, out))
    assert out.read_bytes().startswith(b"category,item" if suffix == "csv" else b"PK")


def test_a_schedule_lists_every_cable(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path
) -> None:
    out, session = tmp_path / "cables.csv", drawn.session
    assert session is not None
    finished(qtbot, lambda: commands.write_cables(session, out))
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len({row["id"] for row in rows}) == cables_of(drawn) > 0


def test_labels_on_sheets_and_as_a_list(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path
) -> None:
    pdf, listed, session = tmp_path / "labels.pdf", tmp_path / "labels.csv", drawn.session
    assert session is not None
    finished(qtbot, lambda: commands.write_labels(session, pdf, "A4-flag"))
    assert pdf.read_bytes().startswith(b"%PDF-")
    finished(qtbot, lambda: commands.write_labels(session, listed, template="{id} {device}"))
    lines = listed.read_text().splitlines()
    assert len(lines) == 1 + 2 * cables_of(drawn)


def test_a_file_of_another_tool(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path
) -> None:
    out, session = tmp_path / "fabric.topo", drawn.session
    assert session is not None
    finished(qtbot, lambda: commands.write_format(session, out, "ufm-topo"))
    assert " -4x-100G-> " in out.read_text()


def test_what_cannot_be_written_is_told(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path
) -> None:
    session = drawn.session
    assert session is not None
    task = commands.write_bill(session, tmp_path / "none" / "bom.csv")
    with qtbot.waitSignal(task.failed, timeout=60_000) as said:
        pass
    assert "no such folder" in said.args[0]


def test_cancelled_leaves_no_file(
    qtbot: QtBot, drawn: MainWindow, commands: DeliverableCommands, tmp_path: Path
) -> None:
    session = drawn.session
    assert session is not None
    task = commands.write_cables(session, tmp_path / "cables.csv")
    task.cancel()
    with qtbot.waitSignal(task.stopped, timeout=60_000):
        pass
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]


@pytest.mark.parametrize("name", ["bill", "cables", "convert"])
def test_a_file_is_asked_for(drawn: MainWindow, commands: DeliverableCommands, name: str) -> None:
    getattr(commands, name)()
    dialogs = [one for one in drawn.findChildren(QFileDialog) if one.isVisible()]
    assert len(dialogs) == 1
    assert dialogs[0].acceptMode() == QFileDialog.AcceptMode.AcceptSave
    dialogs[0].reject()


def test_the_dialog_of_labels(qtbot: QtBot, drawn: MainWindow) -> None:
    assert drawn.session is not None
    dialog = LabelsDialog(drawn.session, drawn)
    assert dialog.sheet.count() == len(STOCKS) + 1
    assert dialog.accept_button.isEnabled()
    dialog.template.setText("{colour}")
    assert not dialog.accept_button.isEnabled()
    assert "no field" in dialog.line.text()
    dialog.template.setText("{id}")
    dialog.sheet.setCurrentIndex(dialog.sheet.findData("A4-wrap"))
    with qtbot.waitSignal(dialog.chosen) as said:
        dialog.accept()
    assert said.args == ["A4-wrap", "{id}"]


@pytest.mark.parametrize(
    ("name", "kind", "becomes"),
    [
        ("a", "Table (*.csv)", "a.csv"),
        ("a.csv", "Workbook (*.xlsx)", "a.xlsx"),
        ("a.b", "Sheets (*.pdf)", "a.b.pdf"),
        ("a.TOPO", "Fabric (*.topo)", "a.TOPO"),
        ("a", "HCA (*.hca.csv)", "a.hca.csv"),
    ],
)
def test_the_suffix_follows_the_kind(name: str, kind: str, becomes: str) -> None:
    assert _suffixed(Path(name), kind).name == becomes
