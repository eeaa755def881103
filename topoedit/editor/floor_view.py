"""The floor plan of one room as a widget: click selects a rack, a drag moves it on the grid."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QToolTip, QWidget

from topoedit.app.move_rack import Cell, cell_at, move_rack
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.errors import BadEditError
from topoedit.layout.standing import standing
from topoedit.render.floor.data import PlanRack
from topoedit.render.floor.plan import PlanView, paint_plan, plan_view
from topoedit.render.ink import Ink
from topoedit.reports.floor.pictures import By, plan_of
from topoedit.reports.floor.rollup import AreaLoad, FloorData, floor_data

_DRAG = 4
_MOST_CACHED = 24_000_000  # pixels; larger plans are painted anew each time


class FloorView(QWidget):
    """Shows one room of the current drawing, painted as in the files.

    Signals:
        rooms_changed(): there are other rooms now.
        told(str): what a person should know, for example why a rack cannot go there.
    """

    rooms_changed = Signal()
    told = Signal(str)

    def __init__(self, session: DocumentSession, theming: Theming, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._theming = session, theming
        self.room = 0
        self.by: By = "power"
        self.data: FloorData | None = None
        self._view: PlanView | None = None
        self._picture: QPixmap | None = None
        self._grabbed: PlanRack | None = None
        self._from, self._at = QPointF(), QPointF()
        self._dragging = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Floor plan")
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        session.changed.connect(self._soon)
        session.selection_changed.connect(self._selection_changed)
        theming.changed.connect(self._lay_out)
        self.refresh()

    def _soon(self, _change: object = None) -> None:
        self._later.start()

    def _selection_changed(self) -> None:
        self.update()

    # -- what is shown -------------------------------------------------------------------------

    @property
    def areas(self) -> tuple[AreaLoad, ...]:
        """The rooms of the drawing."""
        return self.data.areas if self.data is not None else ()

    @property
    def view(self) -> PlanView | None:
        """Where the metres are; None if there is no room."""
        return self._view

    def show_room(self, index: int) -> None:
        """Show another room."""
        self.room = index
        self._lay_out()

    def show_by(self, by: By) -> None:
        """Colour the racks by another figure."""
        self.by = by
        self._lay_out()

    def refresh(self) -> None:
        """Sum up the drawing as it is now."""
        before = [area.load.name for area in self.areas]
        self.data = floor_data(self._session.document)
        if before != [area.load.name for area in self.areas]:
            self.room = min(self.room, max(0, len(self.areas) - 1))
            self.rooms_changed.emit()
        self._lay_out()

    def _lay_out(self, _theme: object = None) -> None:
        self._view = None
        if self.data is not None and self.room < len(self.areas):
            self._view = plan_view(plan_of(self.areas[self.room], self.data, self.by))
            self.setFixedSize(round(self._view.width), round(self._view.height))
        self._picture = None
        self.update()

    def sizeHint(self) -> QSize:
        """As large as the plan."""
        view = self._view
        return QSize(400, 300) if view is None else QSize(round(view.width), round(view.height))

    # -- painting ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the plan, the selection and what is dragged."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self._theming.theme.color("canvas.page"))
            if self._view is not None:
                self._paint_view(painter, self._view)

    def _paint_view(self, painter: QPainter, view: PlanView) -> None:
        self._paint_plan(painter, view)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = Ink(painter, self._theming.theme)
        for rack in view.room.racks:
            if self._session.is_selected(rack.id):
                box = view.box(rack).adjusted(-3, -3, 3, 3)
                ink.box(box.x(), box.y(), box.width(), box.height(), None, "selection.stroke", 5, 2)
        if self._dragging and self._grabbed is not None:
            self._paint_ghost(ink, view, self._grabbed)

    def _paint_plan(self, painter: QPainter, view: PlanView) -> None:
        ratio = self.devicePixelRatioF()
        if view.width * view.height * ratio * ratio > _MOST_CACHED:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_plan(Ink(painter, self._theming.theme), view)
            return
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            size = QSize(round(view.width * ratio), round(view.height * ratio))
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self._theming.theme.color("canvas.page"))
            with QPainter(self._picture) as inner:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_plan(Ink(inner, self._theming.theme), view)
        painter.drawPixmap(0, 0, self._picture)

    def _paint_ghost(self, ink: Ink, view: PlanView, rack: PlanRack) -> None:
        cell = self._target()
        if cell is None:
            return
        good = not self._refusal(cell)
        size = view.box(rack).size()
        box = QRectF(QPointF(), size)
        box.moveCenter(QPointF(view.x(cell.x_m), view.y(cell.y_m)))
        edge = "state.drop_ok" if good else "state.drop_bad"
        ink.box(box.x(), box.y(), box.width(), box.height(), None, edge, 4, 2, (5, 3))
        words = f"{cell.row}{cell.column:02d}"
        ink.text(box.center().x(), box.center().y() - 9, words, 14, 600, edge, "center", height=18)

    # -- pointer -------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the rack under the pointer, or nothing."""
        if event.button() != Qt.MouseButton.LeftButton or self._view is None:
            return
        self._from = self._at = event.position()
        self._grabbed = self._view.rack_at(self._from.x(), self._from.y())
        if self._grabbed is None:
            self._session.clear_selection()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._session.toggle([self._grabbed.id])
        else:
            self._session.select([self._grabbed.id])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a rack, or tell about the one under the pointer."""
        self._at = event.position()
        if self._grabbed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._tell_of(event)
            return
        if (self._at - self._from).manhattanLength() >= _DRAG:
            self._dragging = True
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Put the rack where it is dropped, as one step."""
        self._at = event.position()
        cell = self._target() if self._dragging else None
        rack, self._grabbed, self._dragging = self._grabbed, None, False
        if cell is not None and rack is not None:
            self._drop(rack, cell)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves a dragged rack where it was."""
        if event.key() == Qt.Key.Key_Escape and self._dragging:
            self._grabbed, self._dragging = None, False
            self.update()
            return
        super().keyPressEvent(event)

    def _tell_of(self, event: QMouseEvent) -> None:
        rack = self._view.rack_at(self._at.x(), self._at.y()) if self._view is not None else None
        if rack is None:
            QToolTip.hideText()
            return
        words = "\n".join((f"{rack.place} {rack.name}".strip(), rack.number, *rack.lines))
        QToolTip.showText(event.globalPosition().toPoint(), tip(words), self)

    def _target(self) -> Cell | None:
        """The cell that the dragged rack would take."""
        if self._view is None or self.room >= len(self.areas):
            return None
        x, y = self._view.metres(self._at.x(), self._at.y())
        return cell_at(self.areas[self.room].area, x, y)

    def _refusal(self, cell: Cell) -> str:
        if self._grabbed is None or self.data is None:
            return ""
        try:
            move_rack(self._session.document, self._grabbed.id, cell, self.data.standing)
        except BadEditError as error:
            return error.line
        return ""

    def _drop(self, rack: PlanRack, cell: Cell) -> None:
        document = self._session.document
        try:
            edit = move_rack(document, rack.id, cell, standing(document))
        except BadEditError as error:
            self.told.emit(error.line)
            return
        if not edit.is_empty:
            self.told.emit("")
            self._session.apply(edit)
