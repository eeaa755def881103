"""Typing the text of a note where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from topoedit.model.edits import Edit
from topoedit.render.facts import note_box

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

NARROWEST, LOWEST = 160, 64


class NoteEditor(QPlainTextEdit):
    """Lies over the note; Esc, or keys that go elsewhere, take the text as one undo step.

    Args:
        stage: the canvas.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._note, self._label, self._merge = "", "", ""
        self.setObjectName("noteEditor")
        self.setAccessibleName("Text of the note")
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()

    def open_on(self, note: str, *, merge: str = "") -> None:
        """Edit a note, all of its text selected.

        Args:
            note: id of the note.
            merge: key of the step that made it, which the text becomes part of; "" for none.
        """
        self.take()
        self._note, self._merge = note, merge
        self._label = "Add note" if merge else "Edit note"
        self.setPlainText(self._stage.session.document.notes[note].text)
        self.selectAll()
        self.follow()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self) -> None:
        """Lie where the note is seen now."""
        note = self._stage.session.document.notes.get(self._note)
        if note is None:
            return
        left, top, right, bottom = note_box(note)
        view = self._stage.view
        x, y = (round(v) for v in view.to_pixels(left, top))
        width, height = (round(v * view.scale) for v in (right - left, bottom - top))
        self.setGeometry(x, y, max(width, NARROWEST), max(height, LOWEST))

    def take(self) -> None:
        """Put the text into the note and go."""
        session, wanted = self._stage.session, self._note
        self._note = ""
        if not wanted:
            return
        had_keys = self.hasFocus()
        self.hide()
        if had_keys:
            self._stage.setFocus(Qt.FocusReason.OtherFocusReason)
        note = session.document.notes.get(wanted)
        text = self.toPlainText().strip()
        if note is not None and text and text != note.text:
            session.apply(Edit(self._label, put=(replace(note, text=text),)), self._merge)

    def event(self, event: QEvent) -> bool:
        """Every plain key is text here, and Esc ends it: none is a command."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            held = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the text, and so does Ctrl Enter."""
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (ctrl and enter):
            self.take()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keys go elsewhere, but for a menu over the text."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.take()
