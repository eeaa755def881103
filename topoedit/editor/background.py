"""Long work beside the window: off the GUI thread, with progress, and cancelled by a word.

Work gets two functions, `progress(words, fraction)` and `cancelled() -> bool`, and touches no
widget. It must not read a drawing that a person may edit meanwhile: `copy_of` gives it one of its
own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QRunnable, Qt, QThreadPool, Signal, Slot

from topoedit.errors import CancelledError, TopoeditError

if TYPE_CHECKING:
    from topoedit.editor.shell import Shell
    from topoedit.model.document import Document

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
Work = Callable[[Progress, Cancel], object]

_QUEUED = Qt.ConnectionType.QueuedConnection
_WORDS_EVERY = 0.02  # of the whole; more often than a person reads helps nobody


class Task(QObject):
    """One piece of work.

    Signals, all in the GUI thread; exactly one of the last three comes:
        progressed(str, float): what it does, and how much of it is done, 0 to 1.
        done(object): what the work returned.
        failed(str): one line on what went wrong.
        stopped(): it was cancelled.
    """

    progressed = Signal(str, float)
    done = Signal(object)
    failed = Signal(str)
    stopped = Signal()
    # From the thread to here; the signals above then come when everybody had time to connect.
    _stepped = Signal(str, float)
    _ended = Signal(object, object)

    def __init__(self, work: Work, owner: QObject) -> None:
        # The application keeps it: the thread may outlive the owner, and tells it the end.
        super().__init__(QCoreApplication.instance())
        self._work = work
        self._cancelled = self._alone = False
        owner.destroyed.connect(self._forsake)
        self._shown = -1.0
        self._stepped.connect(self.progressed, _QUEUED)
        self._ended.connect(self._end, _QUEUED)

    def cancel(self) -> None:
        """Ask the work to end; `stopped` comes when it has."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to end."""
        return self._cancelled

    @Slot()
    def _forsake(self) -> None:
        """Nobody waits any more."""
        self._cancelled = self._alone = True

    def run(self) -> None:
        """Do the work, in a thread of the pool."""
        result: object = None
        wrong: BaseException | None = None
        try:
            result = self._work(self._progress, lambda: self._cancelled)
        except BaseException as error:  # told in the GUI thread
            wrong = error
        self._ended.emit(result, wrong)

    def _progress(self, words: str, fraction: float) -> None:
        if self._cancelled:
            raise CancelledError("cancelled")
        if abs(fraction - self._shown) >= _WORDS_EVERY or fraction >= 1.0:
            self._shown = fraction
            self._stepped.emit(words, fraction)

    @Slot(object, object)
    def _end(self, result: object, error: BaseException | None) -> None:
        if self._alone:
            pass
        elif self._cancelled or isinstance(error, CancelledError):
            self.stopped.emit()
        elif error is None:
            self.done.emit(result)
        elif isinstance(error, TopoeditError):
            self.failed.emit(error.line)
        elif isinstance(error, OSError):
            self.failed.emit(f"{error.filename or 'file'}: {error.strerror or error}")
        else:
            sys.excepthook(type(error), error, error.__traceback__)
            self.failed.emit(f"topoedit has a fault: {type(error).__name__}, {error}")
        self.deleteLater()


class _Runner(QRunnable):
    def __init__(self, task: Task) -> None:
        super().__init__()
        self._task = task

    def run(self) -> None:
        """Run the task."""
        self._task.run()


def start(work: Work, owner: QObject) -> Task:
    """Begin work at once beside the window; connect to what comes back before returning.

    Args:
        work: what to do.
        owner: who waits for it, usually the window; when it goes, the work is cancelled and
            nobody is told.
    """
    task = Task(work, owner)
    QThreadPool.globalInstance().start(_Runner(task))
    return task


def start_telling(
    shell: Shell, words: str, work: Work, then: Callable[[object], None]
) -> Task:  # fmt: skip
    """Begin work that is shown over the drawing, with progress and Cancel, while it takes long.

    Args:
        shell: the window.
        words: what is being done, such as "Writing the report".
        work: what to do.
        then: is called with what the work returned; not when it failed or was cancelled.
    """
    task = start(work, shell.widget)
    task.done.connect(then)
    task.failed.connect(lambda line: shell.tell(line, "error"))
    task.stopped.connect(lambda: shell.tell(f"{words}: cancelled."))
    shell.show_job(words, task)
    return task


def copy_of(document: Document) -> Callable[[], Document]:
    """A copy to be made where the work runs; elements are shared, for they never change."""
    elements, catalog = tuple(document.elements()), document.catalog

    def made() -> Document:
        from topoedit.model.document import Document as Fresh

        return Fresh(catalog, elements)

    return made
