"""Stand-ins shared by the tests of the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from topoedit.editor.placing import place
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import MoveDevices


class Furniture:
    """Remembers whether the minimap is wanted."""

    minimap = True

    def show_minimap(self, wanted: bool) -> None:
        self.minimap = wanted


class CanvasDouble(QWidget):
    """Stands for the canvas: writes down what the shell asks of it."""

    zoom_changed = Signal(float)
    cursor_moved = Signal(float, float)
    tool_changed = Signal(str)
    template_asked = Signal()

    def __init__(self, session: DocumentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.session = session
        self.calls: list[tuple[object, ...]] = []
        self.furniture = Furniture()
        self.factor = 1.0
        self.under = ("", "")
        self.setFocusPolicy(self.focusPolicy().StrongFocus)

    def fit(self) -> None:
        self.calls.append(("fit",))

    def fit_selection(self) -> None:
        self.calls.append(("fit_selection",))

    def zoom(self) -> float:
        return self.factor

    def set_zoom(self, factor: float) -> None:
        self.factor = factor
        self.zoom_changed.emit(factor)

    def centre(self) -> tuple[float, float]:
        return (50.0, 60.0)

    def paste_place(self) -> tuple[float, float, str]:
        return (*self.centre(), "")

    def reveal(self, ids: Sequence[str]) -> bool:
        self.calls.append(("reveal", tuple(ids)))
        return bool(ids)

    def centre_on(self, ids: Iterable[str]) -> None:
        self.calls.append(("centre_on", tuple(ids)))

    def set_tool(self, name: str) -> None:
        self.calls.append(("tool", name))
        self.tool_changed.emit(name)

    def set_theme(self, theme: object) -> None:
        self.calls.append(("theme", theme))

    def begin_palette_drag(self, type_id: str, count: int) -> None:
        self.calls.append(("drag", type_id, count))

    def pointed(self) -> tuple[str, str]:
        return self.under

    in_focus = rulers = False

    def set_rulers(self, wanted: bool) -> None:
        self.rulers = wanted

    def set_focus(self, wanted: bool) -> None:
        self.in_focus = wanted

    def show_ghosts(self, ghosts: object) -> None:
        self.calls.append(("ghosts", ghosts is not None))

    block = ""

    def draws_as_block(self, group: str) -> bool:
        return group == self.block

    def open_up(self, group: str) -> None:
        self.calls.append(("open_up", group))

    def pick_end(self, ended: Callable[[str], None]) -> None:
        self.picked = ended

    def preview(self, edit: MoveDevices, title: str, ended: Callable[[bool], None]) -> None:
        self.calls.append(("preview", title))
        self.shown = (edit, ended)

    def end_preview(self, *, keep: bool) -> None:
        edit, ended = self.shown
        if keep:
            self.session.apply(edit)
        ended(keep)

    def place(self, type_id: str) -> None:
        edit = place(self.session.document, type_id, *self.centre())
        if self.session.apply(edit):
            self.session.select(element.id for element in edit.put)


def canvas_of(window: MainWindow) -> CanvasDouble:
    """The canvas double in front."""
    found = window.documents.widget
    assert isinstance(found, CanvasDouble)
    return found
