"""Undo, clipboard, delete, lock and the selection commands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model import clipboard, operations
from topoedit.model.clipboard import Clip
from topoedit.model.document import Document
from topoedit.model.edits import Change
from topoedit.model.elements import AnyElement, Device, Group, Link
from topoedit.model.operations import plural

CLIP_TYPE = "application/x-topoedit-clip"
STEP = 24.0
GRID = 8.0


@dataclass
class EditCommands:
    """Acts on the selection of the current drawing."""

    shell: Shell
    _pasted: int = field(default=0)
    _pasted_at: tuple[float, float] = field(default=(math.inf, math.inf))

    def undo(self) -> None:
        """Take the last step back, and show where."""
        if (session := self.shell.session) is not None:
            self._step(session, session.undo, f"Undone: {session.undo_stack.undoText()}.")

    def redo(self) -> None:
        """Make the step last taken back again, and show where."""
        if (session := self.shell.session) is not None:
            self._step(session, session.redo, f"Done again: {session.undo_stack.redoText()}.")

    def _step(self, session: DocumentSession, step: Callable[[], None], words: str) -> None:
        """Walk the history by one step; what it changes comes into view, or is named."""
        changes: list[Change] = []
        with _hearing(session, changes):
            step()
        canvas = self.shell.canvas
        touched = [i for c in changes for i in (*c.added, *c.changed) if i in session.document]
        if changes and (canvas is None or not canvas.reveal(touched)):
            self.shell.tell(words)

    def delete(self) -> None:
        """Remove the selection, and say what went with it."""
        session = self.shell.session
        if session is None or not session.selection:
            return
        edit = operations.delete(session.document, session.selection)
        if session.apply(edit):
            self.shell.tell(f"{edit.label.replace('Delete', 'Deleted', 1)}. Ctrl Z brings it back.")

    def cut(self) -> None:
        """Copy, then remove."""
        if self._copy():
            self.delete()

    def copy(self) -> None:
        """Put the selection into the clipboard, as our own type and as text."""
        self._copy()

    def _copy(self) -> bool:
        session = self.shell.session
        if session is None or not session.selection:
            return False
        clip = clipboard.copy(session.document, session.selection)
        text = clipboard.to_text(clip)
        data = QMimeData()
        data.setData(CLIP_TYPE, text.encode())
        data.setText(text)
        QGuiApplication.clipboard().setMimeData(data)
        return True

    def paste(self) -> None:
        """Insert the clipboard and select what came."""
        session = self.shell.session
        if session is None:
            return
        try:
            clip = clipboard.from_text(_clipboard_text())
            clip, dx, dy = self._where(session.document, clip)
            edit = clipboard.paste(session.document, clip, dx, dy)
        except BadInputError as error:
            self.shell.tell(error.line, "error")
            return
        if session.apply(edit):
            _select_new(session, edit.put)

    def _where(self, document: Document, clip: Clip) -> tuple[Clip, float, float]:
        """How far a clip is moved: to the pointer or the middle of the view, on the grid.

        Pasted once more at one place it steps aside. Devices that come without their rack stand
        in the one they land in.
        """
        canvas = self.shell.canvas
        if canvas is None:
            return clip, STEP, STEP
        x, y, group = canvas.paste_place()
        again = (x, y) == self._pasted_at
        self._pasted, self._pasted_at = self._pasted + 1 if again else 0, (x, y)
        middle = clip.centre
        dx, dy = (
            _on_grid(to - at) + STEP * self._pasted for to, at in zip((x, y), middle, strict=True)
        )
        return clipboard.placed_in(document, clip, group), dx, dy

    def duplicate(self) -> None:
        """Copy the selection beside itself and select the copy."""
        session = self.shell.session
        if session is None or not session.selection:
            return
        try:
            edit = clipboard.duplicate(session.document, session.selection, STEP, STEP)
        except BadInputError as error:
            self.shell.tell(error.line, "error")
            return
        if session.apply(edit):
            _select_new(session, edit.put)

    def rename(self) -> None:
        """Put the keys into the name field."""
        self.shell.show_panel("name")

    def replace(self) -> None:
        """Find a text and put another in its place."""
        from topoedit.editor.dialogs.replace_dialog import ReplaceDialog

        if (session := self.shell.session) is not None:
            ReplaceDialog(self.shell, session, self.shell.widget).open()

    def lock(self) -> None:
        """Lock what is selected; unlock it if all of it is locked."""
        session = self.shell.session
        if session is None:
            return
        held = [e for e in session.selected() if isinstance(e, Device | Group)]
        lock = not all(e.locked for e in held)
        words = "Lock" if lock else "Unlock"
        edit = operations.set_fields(session.document, [e.id for e in held], {"locked": lock})
        from msgspec.structs import replace

        session.apply(replace(edit, label=f"{words} {plural(len(edit.put), 'element')}"))

    def select_all(self) -> None:
        """Select every device, link and note that is shown."""
        session = self.shell.session
        if session is not None and session.layers.all_shown:
            drawn = session.document
            session.select((*drawn.devices, *drawn.links, *drawn.groups, *drawn.notes))
        elif session is not None:
            shows = session.layers.shows
            session.select(e.id for e in _everything(session.document) if shows(e))

    def select_same(self) -> None:
        """Select everything of the kinds selected now."""
        session = self.shell.session
        if session is None:
            return
        wanted = {_likeness(e) for e in session.selected()}
        session.select(e.id for e in _everything(session.document) if _likeness(e) in wanted)

    def select_connected(self) -> None:
        """Add links of selected devices and both ends of selected links."""
        session = self.shell.session
        if session is None:
            return
        found: list[str] = []
        for element in session.selected():
            if isinstance(element, Link):
                found += (element.a.device, element.b.device)
            elif isinstance(element, Device):
                for link_id in session.document.links_of(element.id):
                    found += (link_id, session.document.links[link_id].other(element.id))
        session.select_also(found)

    def select_nothing(self) -> None:
        """Let go of the selection."""
        if (session := self.shell.session) is not None:
            session.clear_selection()


@contextmanager
def _hearing(session: DocumentSession, changes: list[Change]) -> Iterator[None]:
    """Collect the changes of a drawing for a while."""
    session.changed.connect(changes.append)
    try:
        yield
    finally:
        session.changed.disconnect(changes.append)


def _clipboard_text() -> str:
    """What the clipboard holds, "" for nothing; text of others may be anything."""
    if not can_paste():
        return ""
    data = QGuiApplication.clipboard().mimeData()
    if data.hasFormat(CLIP_TYPE):
        return bytes(data.data(CLIP_TYPE).data()).decode(errors="replace")
    return data.text()


def _on_grid(value: float) -> float:
    return round(value / GRID) * GRID


def _everything(document: Document) -> Iterable[AnyElement]:
    yield from document.devices.values()
    yield from document.links.values()
    yield from document.groups.values()
    yield from document.notes.values()


def _likeness(element: AnyElement) -> tuple[str, str]:
    if isinstance(element, Device):
        return "device", element.type
    if isinstance(element, Group):
        return "group", element.kind
    if isinstance(element, Link):
        return "link", element.network
    return type(element).__name__, ""


def _select_new(session: DocumentSession, elements: Iterable[AnyElement]) -> None:
    made = [e for e in elements if e.id in session.document]
    devices = [e.id for e in made if isinstance(e, Device)]
    session.select(devices or [e.id for e in made])


def can_paste() -> bool:
    """Whether the clipboard may hold something of ours."""
    data = QGuiApplication.clipboard().mimeData()
    # Qt has no data at all, not an empty object, for an empty clipboard.
    return bool(data) and (data.hasFormat(CLIP_TYPE) or data.hasText())
