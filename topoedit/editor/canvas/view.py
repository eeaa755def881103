"""The canvas: what it shows is in `stage`; here mouse, keys and touchpad become gestures."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from topoedit.editor.canvas import camera, keyboard, pointing
from topoedit.editor.canvas.drag_filter import DragFilter
from topoedit.editor.canvas.gestures.base import Gesture, Pointer
from topoedit.editor.canvas.gestures.layout_preview import LayoutPreview
from topoedit.editor.canvas.gestures.palette_drag import PaletteDrag
from topoedit.editor.canvas.gestures.pan import Pan
from topoedit.editor.canvas.gestures.pick_end import PickEnd
from topoedit.editor.canvas.marks import mark_under
from topoedit.editor.canvas.note_editor import NoteEditor
from topoedit.editor.canvas.rank_picking import end_words, pick_by_click, traced_end
from topoedit.editor.canvas.stage import Stage
from topoedit.editor.canvas.touchpad import is_touchpad
from topoedit.editor.placing import NOTE, free_place, place
from topoedit.editor.session import DocumentSession
from topoedit.errors import TopoeditError
from topoedit.model.edits import MoveDevices
from topoedit.model.operations import set_collapsed
from topoedit.render.theme import Theme
from topoedit.render.view import View

WHEEL_STEP = 1.1
FINE_STEP = 1.02
NOTCH = 120.0
HOVER_MS, CARD_MS = 80, 500
_LEFT, _MIDDLE, _RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_NO_KEYS = Qt.KeyboardModifier.NoModifier
_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class CanvasView(Stage):
    """Turns gestures into edits of the session.

    Signals:
        activated(str): an element was double clicked, or Enter pressed on it.
        tool_changed(str): another tool is in use.
        menu_asked(object): the context menu is wanted at a global point.
    """

    activated = Signal(str)
    tool_changed = Signal(str)
    menu_asked = Signal(object)

    def __init__(
        self, session: DocumentSession, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, theme, parent)
        self._space = False
        self._pointed = pointing.NOTHING
        self._pressed: Pointer | None = None
        self._drag: DragFilter | None = None
        self._walking = False
        self._note_editor = NoteEditor(self)
        self._hover_timer = QTimer(self, singleShot=True, interval=HOVER_MS)
        self._card_timer = QTimer(self, singleShot=True, interval=CARD_MS)
        self._hover_timer.timeout.connect(self._find_hover)
        self._card_timer.timeout.connect(self._show_card)
        session.changed.connect(lambda _change: self._let_go_of_removed())

    # -- tools ---------------------------------------------------------------------------------

    def set_tool(self, name: str) -> None:
        """Use `select`, `pan` or `link`."""
        self._end_gesture(cancel=True)
        self._tool, self._walking = name, False
        self._show_cursor()
        self.tool_changed.emit(name)

    def begin_palette_drag(self, type_id: str, count: int = 1) -> None:
        """Let devices hang on the cursor until the button is let go."""
        self._end_gesture(cancel=True)
        position = QPointF(self.mapFromGlobal(QCursor.pos()))
        pointer = Pointer.at(self._view, position, Qt.KeyboardModifier.NoModifier)
        self._gesture = PaletteDrag(self, pointer, type_id, count)
        self._drag = DragFilter(
            self,
            self._gesture,
            lambda: self._view,
            lambda gave_up: self._end_gesture(cancel=gave_up),
        )
        self._furniture.show()
        self._show_cursor()

    def preview(self, edit: MoveDevices, title: str, ended: Callable[[bool], None]) -> None:
        """Show an arrangement as ghosts until it is kept or left."""
        self._end_gesture(cancel=True)
        self.stand_still()
        self._begin(LayoutPreview(self, edit, title, ended))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.update()

    def end_preview(self, *, keep: bool) -> None:
        """Keep the arrangement shown, or leave everything as it was."""
        if isinstance(self._gesture, LayoutPreview):
            kept = keep and self._gesture.commit()
            self._end_gesture(cancel=not kept)

    def pick_end(self, ended: Callable[[str], None]) -> None:
        """Wait for a click on the other end of a trace; `ended` is told it, "" after Esc."""
        self._end_gesture(cancel=True)
        self.stand_still()
        here = Pointer.at(self._view, self._last, _NO_KEYS)
        self._begin(PickEnd(self, here, lambda pointer: end_words(self, pointer), ended))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self, type_id: str) -> None:
        """Put a new device, group or note on a free place near the middle of the view.

        A note comes under the pointer, if that is over the drawing, and is written at once.
        """
        document = self._session.document
        try:
            if type_id == NOTE and self._pointer_inside:
                x, y, _ = self.paste_place()
            else:
                x, y = free_place(document, type_id, *self.centre())
            edit = place(document, type_id, x, y)
        except TopoeditError as error:
            self._session.refused.emit(error.line)
            return
        new = tuple(element.id for element in edit.put)
        merge = f"note.{new[0]}" if type_id == NOTE else ""
        if self._session.apply(edit, merge):
            self._session.select(new)
            if merge:
                self.edit_note(new[0], merge)

    def edit_note(self, note: str, merge: str = "") -> None:
        """Type the text of a note in its place; `merge` is the key of the step that made it."""
        self.stand_still()
        self._note_editor.open_on(note, merge=merge)

    def set_view(self, view: View, *, fitted: bool = False) -> None:
        """Show another part of the drawing; the note being written goes along."""
        super().set_view(view, fitted=fitted)
        self._note_editor.follow()

    def _let_go_of_removed(self) -> None:
        """End a gesture whose elements went, by undo or by another window of the drawing."""
        document = self._session.document
        if self._gesture is not None and not all(i in document for i in self._gesture.needs):
            self._end_gesture(cancel=True)

    def _end_gesture(self, *, cancel: bool) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return
        if self._drag is not None:
            self._drag.stop()
            self._drag = None
        if cancel:
            gesture.cancel()
        self._furniture.show()
        self._show_cursor()
        self.update()

    def _show_cursor(self) -> None:
        if self._gesture is not None:
            self.setCursor(self._gesture.cursor)
        elif self._space or self._tool == "pan":
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._tool == "link":
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.unsetCursor()

    # -- mouse ---------------------------------------------------------------------------------

    def _pointer_at(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        self._last, self._pointer_inside = position, True
        return Pointer.at(self._view, position, modifiers)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture, or go on with one that lasts over several clicks."""
        pointer = self._pointer_at(event.position(), event.modifiers())
        self._by_keyboard = self._walking = False
        self._hide_card()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == _MIDDLE or (event.button() == _LEFT and self._space):
            self._begin(Pan(self, pointer))
        elif event.button() == _RIGHT:
            self._press_right(pointer)
        elif event.button() == _LEFT:
            self._press_left(pointer)

    def pointed(self) -> tuple[str, str]:
        """Element and port, or GPU (`/gpu3`), under the pointer when the menu was asked for."""
        return self._pointed.element, self._pointed.port

    def _press_left(self, pointer: Pointer) -> None:
        self._pointed = pointing.NOTHING
        if self._gesture is not None:
            if not self._gesture.press(pointer):
                self._end_gesture(cancel=False)
            return
        if self._open_mark(pointer):
            return
        target = pointing.under(self, pointer).element
        if target in self._session.document.groups and pointing.on_chevron(self, pointer, target):
            self._toggle(target)
            return
        gesture = pointing.gesture_for(self, pointer, self._tool)
        self._pressed = pointer if self._tool == "select" else None
        if gesture is not None:
            self._begin(gesture)

    def _open_mark(self, pointer: Pointer) -> bool:
        """A press on a mark opens what it is about; one elsewhere closes it."""
        self._furniture.close_popover()
        marked = mark_under(self, pointer.px, pointer.py) if self._tool == "select" else ""
        if not marked:
            return False
        self._session.select((marked,))
        return self._furniture.popover.open_at(marked)

    def _press_right(self, pointer: Pointer) -> None:
        """Select what is under the pointer, so that the menu is about it."""
        if self._gesture is not None:
            self._end_gesture(cancel=True)
            return
        self._pointed = traced_end(self, pointer)
        target = self._pointed.element
        if target and not self._session.is_selected(target):
            self._session.select((target,))
        elif not target:
            self._session.clear_selection()

    def _toggle(self, group: str) -> None:
        document = self._session.document
        self._session.apply(set_collapsed(document, (group,), not document.groups[group].collapsed))

    def _begin(self, gesture: Gesture) -> None:
        self._end_gesture(cancel=True)
        self._gesture = gesture
        self._show_cursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or look what is under the pointer."""
        pointer = self._pointer_at(event.position(), event.modifiers())
        self.cursor_moved.emit(pointer.x, pointer.y)
        if self._gesture is not None:
            self._gesture.move(pointer)
            return
        self._hide_card()
        self._hover_timer.start()
        if self._tool == "link" or self._rulers:
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture, unless it lasts."""
        if self._gesture is None or event.button() == _RIGHT:
            return
        pointer = self._pointer_at(event.position(), event.modifiers())
        if not self._gesture.release(pointer):
            self._end_gesture(cancel=False)
        if event.button() == _LEFT:
            pressed, self._pressed = self._pressed, None
            pick_by_click(self, pressed, pointer)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enter a container; open the properties of anything else."""
        if event.button() != _LEFT:
            return
        pointer = self._pointer_at(event.position(), event.modifiers())
        target = pointing.under(self, pointer).element
        if not target:
            return
        self._end_gesture(cancel=True)
        if target in self._session.document.groups:
            if self._session.document.groups[target].collapsed:
                self._toggle(target)
            self.enter(target)
        else:
            self._session.select((target,))
            self._activate(target)

    def _activate(self, element: str) -> None:
        """Write a note; ask for the properties of anything else."""
        if element in self._session.document.notes:
            self.edit_note(element)
        else:
            self.activated.emit(element)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu about the selection."""
        self.menu_asked.emit(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more, unless a menu about it has opened."""
        self._pointer_inside = QApplication.activePopupWidget() is not None
        self._hover_timer.stop()
        self._hide_card()
        self._session.hover("")

    def _find_hover(self) -> None:
        pointer = Pointer.at(self._view, self._last, _NO_KEYS)
        found = pointing.under(self, pointer)
        self._port = found.port
        self._session.hover(found.element)
        if self._session.hovered:
            self._card_timer.start()

    def _show_card(self) -> None:
        self._card_shown = bool(self._session.hovered) and self._gesture is None
        self.update()

    def _hide_card(self) -> None:
        self._card_timer.stop()
        if self._card_shown:
            self._card_shown = False
            self.update()

    # -- wheel and touchpad --------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms at the pointer; a touchpad pans; Shift pans sideways."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        modifiers, position = event.modifiers(), event.position()
        if is_touchpad(event) and not modifiers & _CTRL:
            self.set_view(camera.panned(self._view, pixels.x(), pixels.y()))
        elif modifiers & _SHIFT or not angle.y():
            self.set_view(camera.panned(self._view, angle.y() or angle.x(), 0))
        else:
            step = FINE_STEP if modifiers & _CTRL else WHEEL_STEP
            factor = step ** (angle.y() / NOTCH)
            self.set_view(camera.zoomed(self._view, factor, position.x(), position.y()))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Pinch zooms one to one; Tab walks before it leaves."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._tab(event) or super().event(event)
        if event.type() == QEvent.Type.NativeGesture and isinstance(event, QNativeGestureEvent):
            return self._native(event)
        return super().event(event)

    def _native(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        position = event.position()
        factor = 1.0 + event.value()
        self.set_view(camera.zoomed(self._view, factor, position.x(), position.y()))
        return True

    # -- keys ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of the gesture first, then Space, arrows, Enter and Escape."""
        self._by_keyboard = True
        self._hide_card()
        if self._gesture is not None and self._gesture.key(event):
            return
        if self._gesture is not None and event.key() in _ENTER and self._gesture.commit():
            self._end_gesture(cancel=False)
            return
        arrow = keyboard.direction(event)
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self._show_cursor()
        elif event.key() in _ENTER and self._session.selection:
            self._activate(self._session.selection[-1])
        elif arrow is not None:
            self._arrow(arrow, event.modifiers())
        else:
            super().keyPressEvent(event)

    def _arrow(self, arrow: tuple[int, int], modifiers: Qt.KeyboardModifier) -> None:
        """Walk to a neighbour, or move what was selected by the mouse; see `keyboard.walks`."""
        if not keyboard.walks(modifiers, bool(self._session.selection), self._walking):
            keyboard.nudge(self._session, *arrow, modifiers)
            return
        last = self._session.selection[-1] if self._session.selection else ""
        found = (
            keyboard.neighbour(self._scene, last, *arrow)
            if last
            else keyboard.nearest_to(self._scene, *self.centre())
        )
        if found is not None:
            self._walk_to(found)

    def _walk_to(self, element: str) -> None:
        self._by_keyboard = self._walking = True
        self._session.select((element,))
        self._keep_in_view(element)

    def _tab(self, event: QKeyEvent) -> bool:
        """Tab walks from device to device once one is selected, and leaves after the last."""
        by = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}.get(Qt.Key(event.key()), 0)
        if not by or event.modifiers() & _CTRL or self._gesture is not None:
            return False
        self._walking = False
        if len(self._session.selection) != 1:
            return False
        found = keyboard.beside(self._scene, self._session.selection[0], by)
        if found is not None:
            self._walk_to(found)
        return found is not None

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys come by Tab: say so, and let arrows walk."""
        self._by_tab = event.reason() in _BY_TAB
        if self._by_tab:
            self._by_keyboard = True
            self._walking = not self._session.selection
        super().focusInEvent(event)

    def _keep_in_view(self, element: str) -> None:
        box = self._scene.rect_of(element)
        left, top, right, bottom = self._view.box
        if box and not (left <= box[0] and box[2] <= right and top <= box[1] and box[3] <= bottom):
            self.centre_on((element,))

    def _escape(self) -> None:
        """One level a press: gesture, popover, tool, selection, focus, rank, phase, trace."""
        if self._gesture is not None:
            self._end_gesture(cancel=True)
        elif self._furniture.close_popover():
            return
        elif self._tool != "select":
            self.set_tool("select")
        elif self._session.selection:
            self._session.clear_selection()
            self._walking = False
        elif self._in_focus:
            self.set_focus(False)
        elif self._session.ranks.rank is not None:
            self._session.ranks.pick(None)
        elif self._session.timeline.moment is not None:
            self._session.timeline.go_to(None)
        elif self._session.trace.is_active:
            self._session.trace.clear()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space no longer pans."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._show_cursor()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A held Space is forgotten when the keys go elsewhere."""
        self._space = False
        self._show_cursor()
        self.update()
        super().focusOutEvent(event)
