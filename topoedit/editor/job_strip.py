"""Work that goes on beside the window: what it does, how far it is, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton

from topoedit.editor.background import Task
from topoedit.editor.tips import tip
from topoedit.editor.widgets import columns, label, rows

SHOWN_AFTER_MS = 300  # shorter work is over before a person could read about it
WIDTH = 440


class JobRow(QFrame):
    """One piece of work."""

    def __init__(self, words: str, task: Task) -> None:
        super().__init__()
        self.task = task
        self._words = words
        self.text = label(f"{words}…")
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(words)
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip(tip(f"Stop: {words[:1].lower()}{words[1:]}"))
        self.cancel.clicked.connect(self._cancel)
        column = rows(gap=6)
        column.addWidget(self.text)
        column.addWidget(self.bar)
        line = columns(self, (12, 8, 8, 8), 12)
        line.addLayout(column, 1)
        line.addWidget(self.cancel)
        task.progressed.connect(self.show_progress)

    def show_progress(self, step: str, fraction: float) -> None:
        """Show the step and how much is done."""
        self.bar.setValue(round(100 * fraction))
        self.text.setText(f"{self._words}: {step}" if step else f"{self._words}…")

    def _cancel(self) -> None:
        self.task.cancel()
        self.cancel.setEnabled(False)
        self.text.setText(f"{self._words}: stopping…")


class JobStrip(QFrame):
    """The work in hand, one row each; gone when there is none.

    Signals:
        resized(): it has more rows or fewer.
    """

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("message")
        self.setAccessibleName("Work in hand")
        self._rows: list[JobRow] = []
        self._column = rows(self)
        self._later = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self._later.timeout.connect(self._show)
        self.hide()

    @property
    def rows(self) -> tuple[JobRow, ...]:
        """The work in hand, oldest first."""
        return tuple(self._rows)

    def add(self, words: str, task: Task) -> None:
        """Follow a piece of work until it ends."""
        row = JobRow(words, task)
        self._rows.append(row)
        self._column.addWidget(row)
        for signal in (task.done, task.failed, task.stopped):
            signal.connect(lambda *_: self._drop(row))
        self._later.start()

    def cancel_all(self) -> None:
        """Ask all of it to end."""
        for row in self._rows:
            row.task.cancel()

    def _show(self) -> None:
        self.setVisible(bool(self._rows))
        self.resized.emit()

    def _drop(self, row: JobRow) -> None:
        if row not in self._rows:
            return
        self._rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        if not self._rows:
            self._later.stop()
        if not self.isHidden():
            self._show()
