"""Long work in short slices, so that the window lives on and the work can be stopped."""

from __future__ import annotations

import time
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal

from topoedit.errors import TopoeditError

SLICE_S = 0.03


class StepRunner(QObject):
    """Runs a generator that yields how much is done and returns a result.

    Signals:
        progressed(float): how much is done, 0 to 1.
        finished(object): the result.
        failed(str): one line on what went wrong.
    """

    progressed = Signal(float)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: Generator[float, None, object] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._slice)

    @property
    def is_running(self) -> bool:
        """Whether there is work left."""
        return self._steps is not None

    def start(self, steps: Generator[float, None, object]) -> None:
        """Begin; earlier work is given up."""
        self.stop()
        self._steps = steps
        self._timer.start()

    def stop(self) -> None:
        """Give the work up; nothing more is told of it."""
        self._timer.stop()
        if self._steps is not None:
            steps, self._steps = self._steps, None
            steps.close()

    def _slice(self) -> None:
        steps = self._steps
        if steps is None:
            return
        end = time.perf_counter() + SLICE_S
        share = 0.0
        try:
            while time.perf_counter() < end:
                share = next(steps)
        except StopIteration as done:
            self._done()
            self.finished.emit(done.value)
        except TopoeditError as error:
            self._done()
            self.failed.emit(error.line)
        else:
            self.progressed.emit(share)

    def _done(self) -> None:
        self._steps = None
        self._timer.stop()
