"""Whether an answer takes longer than a person should see old figures as if they were new."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

LATE_MS = 300


class Patience(QObject):
    """Counts from a question to its answer.

    Signals:
        late(): the answer has not come for `LATE_MS`.
    """

    late = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting = self._late = False
        self._timer = QTimer(self, singleShot=True, interval=LATE_MS)
        self._timer.timeout.connect(self._over)

    @property
    def is_late(self) -> bool:
        """Whether what is shown has been old for too long."""
        return self._late

    def ask(self) -> None:
        """A question has been sent."""
        self._waiting = True
        if not self._timer.isActive() and not self._late:
            self._timer.start()

    def done(self) -> None:
        """The answer is there, or nobody waits any more."""
        self._waiting = self._late = False
        self._timer.stop()

    def _over(self) -> None:
        if self._waiting:
            self._late = True
            self.late.emit()
