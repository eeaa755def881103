"""The last changes in the Plan page: what each did to the step and why, with its undo step."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from topoedit.editor.plan_change import ChangeLog, Entry
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Section, clear, label, rows, unbroken, widgets_in

SHOWN = 4


class ChangesSection(Section):
    """One line a change, newest first; hidden while there is none.

    Signals:
        step_asked(int): number of an undo step to show in the history.
    """

    step_asked = Signal(int)

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Last changes", "step time")
        self._list = rows(None, gap=10)
        self.body.addLayout(self._list)
        self._log: ChangeLog | None = None
        self.setVisible(False)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show the changes of another session."""
        if self._log is not None:
            self._log.changed.disconnect(self.refresh)
        self._log = None if session is None else ChangeLog.of(session)
        if self._log is not None:
            self._log.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the lines as they are now."""
        clear(self._list)
        entries = () if self._log is None else self._log.entries[:SHOWN]
        for number, entry in enumerate(entries):
            self._list.addWidget(self._item(entry, newest=number == 0))
        self.setVisible(bool(entries))

    def texts(self) -> list[str]:
        """The lines, as a screen reader says them."""
        return [item.accessibleName() for item in widgets_in(self._list)]

    def _item(self, entry: Entry, *, newest: bool) -> QWidget:
        item = QWidget()
        item.setAccessibleName(entry.line)
        layout = rows(item, gap=2)
        what = label(unbroken(entry.what), "strong" if newest else "secondary", wrap=True)
        layout.addWidget(what)
        sentence = unbroken(_sentence(entry))
        layout.addWidget(label(sentence, "" if newest else "caption", wrap=True))
        if entry.step:
            layout.addWidget(self._link(entry))
        return item

    def _link(self, entry: Entry) -> QPushButton:
        link = QPushButton("Show in history")
        link.setObjectName("link")
        link.setAccessibleName(f"Show the step {entry.step} in the history")
        link.setToolTip(f"Show this step in the history: {entry.step}")
        link.clicked.connect(partial(self._show_step, entry.index))
        return link

    def _show_step(self, index: int) -> None:
        self.step_asked.emit(index)


def _sentence(entry: Entry) -> str:
    text = entry.explained.line("")
    return text[:1].upper() + text[1:]
