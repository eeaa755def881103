"""Undo, clipboard, delete, lock and the selection commands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model import clipboard, operations
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, Link
from topoedit.model.operations import plural

CLIP_TYPE = "application/x-topoedit-clip"
STEP = 24.0


@dataclass
class EditCommands:
    """Acts on the selection of the current drawing."""

    shell: Shell
    _pasted: int = field(default=0)

    def undo(self) -> None:
        """Take the last step back."""
        if (session := self.shell.session) is not None:
            session.undo()

    def redo(self) -> None:
        """Make the step last taken back again."""
        if (session := self.shell.session) is not None:
            session.redo()

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
        self._pasted = 0
        return True

    def paste(self) -> None:
        """Insert the clipboard and select what came."""
        session = self.shell.session
        if session is None:
            return
        data = QGuiApplication.clipboard().mimeData()
        raw = data.data(CLIP_TYPE).data() if data.hasFormat(CLIP_TYPE) else data.text().encode()
        text = bytes(raw).decode(errors="replace")
        shift = STEP * (self._pasted + 1)
        try:
            clip = clipboard.from_text(text)
            edit = clipboard.paste(session.document, clip, shift, shift)
        except BadInputError as error:
            self.shell.tell(error.line, "error")
            return
        if session.apply(edit):
            self._pasted += 1
            _select_new(session, edit.put)

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
