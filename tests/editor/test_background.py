"""Work beside the window: progress, results, faults and Cancel."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.editor.background import Cancel, Progress, copy_of, start, start_telling
from topoedit.editor.room import BESIDE
from topoedit.editor.window import MainWindow
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.edits import Edit


def test_work_runs_in_another_thread_and_its_result_comes_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    main = threading.get_ident()
    task = start(lambda _p, _c: threading.get_ident(), window)
    with qtbot.waitSignal(task.done) as caught:
        pass
    assert caught.args is not None
    assert caught.args[0] != main


def test_an_expected_error_is_one_line(window: MainWindow, qtbot: QtBot) -> None:
    def work(_progress: Progress, _cancelled: Cancel) -> object:
        raise BadInputError("no such thing", "here", "Give another")

    results: list[object] = []
    task = start_telling(window, "Looking", work, results.append)
    with qtbot.waitSignal(task.failed):
        pass
    assert window.documents.messages.text == "here: no such thing. Give another"
    assert window.documents.jobs.rows == ()
    assert results == []


def test_a_fault_is_told_and_goes_to_the_hook(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[type[BaseException]] = []
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: seen.append(kind))
    task = start(lambda _p, _c: 1 / 0, window)
    with qtbot.waitSignal(task.failed) as caught:
        pass
    assert caught.args == ["topoedit has a fault: ZeroDivisionError, division by zero"]
    assert seen == [ZeroDivisionError]


def test_long_work_shows_progress_and_is_cancelled_by_its_button(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(progress: Progress, cancelled: Cancel) -> object:
        progress("half way", 0.5)
        begun.set()
        while not go_on.wait(0.01):
            if cancelled():
                return None
        return None

    drawn.show()
    results: list[object] = []
    task = start_telling(drawn, "Writing the report", work, results.append)
    jobs = drawn.documents.jobs
    qtbot.waitUntil(jobs.isVisible)
    (row,) = jobs.rows
    qtbot.waitUntil(lambda: row.bar.value() == 50)
    assert row.text.text() == "Writing the report: half way"
    with qtbot.waitSignal(task.stopped):
        qtbot.mouseClick(row.cancel, Qt.MouseButton.LeftButton)
    assert results == []
    assert jobs.rows == ()
    assert not jobs.isVisible()
    assert drawn.documents.messages.text == "Writing the report: cancelled."


def test_progress_of_cancelled_work_ends_it(window: MainWindow, qtbot: QtBot) -> None:
    reached: list[str] = []

    def work(progress: Progress, cancelled: Cancel) -> object:
        while not cancelled():
            pass
        progress("more", 0.9)
        reached.append("beyond")
        return None

    task = start(work, window)
    task.cancel()
    with qtbot.waitSignal(task.stopped):
        pass
    assert reached == []


def test_short_work_shows_nothing(drawn: MainWindow, qtbot: QtBot) -> None:
    results: list[object] = []
    task = start_telling(drawn, "Counting", lambda _p, _c: 7, results.append)
    with qtbot.waitSignal(task.done):
        pass
    assert results == [7]
    assert drawn.documents.jobs.isHidden()


def test_a_copy_stays_as_it_was(document: Document) -> None:
    copy = copy_of(document)
    count = len(document.devices)
    gone = next(iter(document.devices))
    document.apply(Edit("Remove", drop=(gone, *document.links_of(gone))))
    assert len(copy().devices) == count
    assert len(document.devices) == count - 1


def test_lines_float_and_do_not_move_the_canvas(drawn: MainWindow) -> None:
    drawn.show()
    canvas = drawn.documents.stack.geometry()
    drawn.tell("Deleted 4 devices and 32 cables. Ctrl Z brings it back.")
    assert drawn.documents.stack.geometry() == canvas
    news = drawn.documents.messages.geometry()
    assert news.bottom() > canvas.center().y()
    left, right = BESIDE
    assert left <= news.left() < news.right() <= canvas.right() + 1 - right
    drawn.tell("The file cannot be written.", "error")
    assert drawn.documents.stack.geometry() == canvas
    assert drawn.documents.messages.geometry().top() < canvas.center().y()
