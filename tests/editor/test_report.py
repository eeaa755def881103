"""The report from the window: what is chosen, written in a process of its own, and Cancel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.app.report_job import ReportJob, Written, write_beside
from topoedit.editor.dialogs.report_dialog import ReportDialog, written_words
from topoedit.editor.window import MainWindow
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload


@pytest.fixture
def dialog(drawn: MainWindow) -> ReportDialog:
    """It goes with its window, or by itself once it has begun to write."""
    assert drawn.session is not None
    return ReportDialog(drawn, drawn.session, drawn)


def tick(dialog: ReportDialog, *wanted: str) -> None:
    for row in range(dialog.sections.count()):
        item = dialog.sections.item(row)
        on = item.data(Qt.ItemDataRole.UserRole) in wanted
        item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)


def job_of(document: Document, target: Path, **more: object) -> ReportJob:
    count = len(tuple(document.elements()))
    return ReportJob(elements=count, revision=7, folder="", file="", target=str(target), **more)


def test_sections_that_need_a_plan_are_off_without_one(dialog: ReportDialog) -> None:
    assert not {"step", "loads", "memory"} & set(dialog.chosen_sections())
    assert {"diagram", "tiers", "rules", "bom"} <= set(dialog.chosen_sections())


def test_with_a_plan_every_section_is_on(drawn: MainWindow) -> None:
    assert drawn.session is not None
    drawn.session.set_workload(Workload(model="llama3-8b", plan=Plan(tp=8)), "Choose a model")
    dialog = ReportDialog(drawn, drawn.session, drawn)
    assert len(dialog.chosen_sections()) == dialog.sections.count()
    assert dialog.line.text() == "Every section"


def test_nothing_chosen_cannot_be_written(dialog: ReportDialog) -> None:
    tick(dialog)
    assert not dialog.accept_button.isEnabled()
    tick(dialog, "tiers")
    assert dialog.accept_button.isEnabled()


def test_a_template_is_for_html(dialog: ReportDialog) -> None:
    assert dialog.template.isEnabled()
    dialog.kind.setCurrentIndex(dialog.kind.findData("pdf"))
    assert not dialog.template.isEnabled()


def test_the_report_is_written_beside_the_window(
    drawn: MainWindow, dialog: ReportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    tick(dialog, "tiers", "summary")
    target = tmp_path / "out.md"
    dialog.kind.setCurrentIndex(dialog.kind.findData("md"))
    task = dialog.write(target)
    with qtbot.waitSignal(task.done, timeout=60_000) as caught:
        pass
    found = caught.args[0] if caught.args else None
    assert isinstance(found, Written)
    assert found.files == (str(target),)
    assert "## Tiers of the compute network" in target.read_text()
    assert drawn.documents.messages.text.startswith("Wrote out.md, ")


def test_the_action_opens_the_dialog(drawn: MainWindow) -> None:
    drawn.actions_["file.report"].trigger()
    found = drawn.findChild(ReportDialog)
    assert found is not None
    found.reject()


def test_a_job_tells_how_far_it_is(document: Document, tmp_path: Path) -> None:
    seen: list[float] = []
    target = tmp_path / "r.html"
    done = write_beside(
        job_of(document, target, sections=("diagram", "tiers")), document.elements(),
        lambda _, share: seen.append(share), lambda: False,
    )  # fmt: skip
    assert done.bytes == target.stat().st_size
    assert seen == sorted(seen)
    assert seen[-1] > 0.8
    assert "revision 7" in target.read_text()


def test_a_stopped_job_leaves_no_file(document: Document, tmp_path: Path) -> None:
    with pytest.raises(CancelledError):
        write_beside(
            job_of(document, tmp_path / "r.html"), document.elements(),
            lambda *_: None, lambda: True,
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_is_one_line(document: Document, tmp_path: Path) -> None:
    job = job_of(document, tmp_path / "nowhere" / "r.html", sections=("tiers",))
    with pytest.raises(BadInputError, match="there is no such folder"):
        write_beside(job, document.elements(), lambda *_: None, lambda: False)


def test_words_of_what_was_written() -> None:
    assert written_words(Written(("a/r.pdf",), 120_000, 0)) == "Wrote r.pdf, 120 kB."
    assert written_words(Written(("a/r.pdf",), 120_000, 2)) == (
        "Wrote r.pdf, 120 kB. 2 lines rest on unverified or overridden values."
    )
