"""The line above a plan that says which saved one is in use, with new, rename and delete."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QStackedWidget, QToolButton

from topoedit.editor import saved_plans
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton, columns, named
from topoedit.errors import BadInputError
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import SavedWorkload, Settings


class NameField(QLineEdit):
    """A name typed in place: Enter takes it, Esc leaves it as it was."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives the keys back."""
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.clearFocus()
            return
        super().keyPressEvent(event)


class PlanSwitcher(SessionPanel):
    """Shown once a drawing holds a saved plan.

    Attributes:
        picker: the list of saved plans.
        name: where a new name is typed.
        menu: new, rename, delete.
    """

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._shown: frozenset[str] = frozenset()
        self.picker = PickerButton(theming, "Saved plan")
        self.picker.picked.connect(self._choose)
        self.name = NameField()
        self.name.setAccessibleName("Name of the plan")
        self.name.setMaxLength(saved_plans.LONGEST)
        self.name.editingFinished.connect(self._named)
        self._places = QStackedWidget()
        self._places.addWidget(self.picker)
        self._places.addWidget(self.name)
        self._places.setFixedHeight(28)
        self.new = IconButton(theming, "plus", "New plan like this one")
        self.new.clicked.connect(self.copy)
        self.more = IconButton(theming, "more", "Rename or delete the plan")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        self._rename = self._entry("Rename", self.rename)
        self._delete = self._entry("Delete", self.delete)
        self.more.setMenu(self.menu)
        line = columns(self, gap=4)
        line.addWidget(self._places, 1)
        line.addWidget(self.new)
        line.addWidget(self.more)
        named(self, "Saved plans")
        self.hide()

    def _entry(self, text: str, slot: Callable[[], None]) -> QAction:
        made = self.menu.addAction(text)
        made.triggered.connect(lambda *_: slot())
        return made

    # -- following -----------------------------------------------------------------------------

    def listen(self, session: DocumentSession) -> None:
        """Follow the saved plans and which is in use."""
        self.bind(session.changed, self._follow)

    def _follow(self, change: Change) -> None:
        put = change.edit.put if isinstance(change.edit, Edit) else ()
        if any(isinstance(e, SavedWorkload | Settings) for e in put) or not self._shown.isdisjoint(
            change.removed
        ):
            self.refresh()

    def refresh(self) -> None:
        """Show the saved plans, and the one in use."""
        session = self.session
        plans = [] if session is None else saved_plans.saved_plans(session.document)
        self._shown = frozenset(saved.id for saved in plans)
        self.setVisible(bool(plans))
        self._show_name(False)
        active = None if session is None else session.saved_workload
        self.picker.set_choices([] if session is None else [_choice(session, s) for s in plans])
        self.picker.show_choice(
            active.id if active else "", active.name if active else "No plan in use"
        )
        for part in (self.new, self.more):
            part.setEnabled(active is not None)

    # -- changing ------------------------------------------------------------------------------

    def _choose(self, workload_id: str) -> None:
        if (session := self.session) is not None:
            session.apply(saved_plans.activate(session.document, workload_id))

    def copy(self) -> None:
        """Go on with a new plan like the one in use."""
        session = self.session
        if session is not None and (active := session.saved_workload) is not None:
            session.apply(saved_plans.copy(session.document, active.id))

    def rename(self) -> None:
        """Let the name of the plan in use be typed in place."""
        session = self.session
        if session is None or session.saved_workload is None:
            return
        self.name.setText(session.saved_workload.name)
        self._show_name(True)
        self.name.selectAll()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def delete(self) -> None:
        """Drop the plan in use; its neighbour takes its place, and Undo brings it back."""
        session = self.session
        if session is not None and (active := session.saved_workload) is not None:
            session.apply(saved_plans.delete(session.document, active.id))

    def _named(self) -> None:
        session, typed = self.session, self.name.isModified()
        if session is None or self._places.currentWidget() is not self.name:
            return
        self._show_name(False)
        if not typed or (active := session.saved_workload) is None:
            return
        try:
            session.apply(saved_plans.rename(session.document, active.id, self.name.text()))
        except BadInputError as error:
            session.refused.emit(error.line)

    def _show_name(self, typing: bool) -> None:
        self._places.setCurrentWidget(self.name if typing else self.picker)


def _choice(session: DocumentSession, saved: SavedWorkload) -> Choice:
    known = session.document.catalog.models.get(saved.workload.model)
    model = saved.workload.model if known is None else known.name
    return Choice(
        saved.id, saved.name, "" if saved.name in (model, saved.workload.model) else model
    )
