"""The part of the canvas that shows: camera, cached picture, overlay and furniture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.beforehand import take_scene
from topoedit.editor.canvas import camera
from topoedit.editor.canvas.furniture import Furniture
from topoedit.editor.canvas.gestures.base import Gesture
from topoedit.editor.canvas.ghosts import Ghosts
from topoedit.editor.canvas.loads import LoadView
from topoedit.editor.canvas.marks import mark_of
from topoedit.editor.canvas.overlay import paint_overlay
from topoedit.editor.canvas.picture import Picture
from topoedit.editor.canvas.watcher import Watcher
from topoedit.editor.preferences import Habits
from topoedit.editor.session import DocumentSession
from topoedit.render import hits
from topoedit.render.diagram import PaintOptions, paint_jobs
from topoedit.render.ink import Ink
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme, number
from topoedit.render.view import View

MOST_REVEALED = 400
"""Elements that are looked at to see whether a change is in view."""


class Stage(QWidget):
    """Shows a session's drawing from a movable camera.

    Signals:
        zoom_changed(float): the zoom factor; 1.0 is 100 %.
        cursor_moved(float, float): the pointer, canvas units.
        refined(): the picture is sharp again after a move or change.
        covered(): more or less of its edges is covered.
        template_asked(), open_asked(), search_asked(): buttons of an empty drawing.
    """

    zoom_changed = Signal(float)
    cursor_moved = Signal(float, float)
    refined = Signal()
    covered = Signal()
    template_asked = Signal()
    open_asked = Signal()
    search_asked = Signal()

    def __init__(
        self, session: DocumentSession, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._scene = take_scene(session)
        self._view = View.at(0, 0, 1.0, 800, 600)
        self._gesture: Gesture | None = None
        self._lifted: frozenset[str] = frozenset()
        self._painted: QRectF | None = None
        self._fitted = True
        self._last = QPointF()
        self._pointer_inside = False
        self._card_shown = False
        self._by_keyboard = self._by_tab = False
        self._tool = "select"
        self._port = ""
        self._ghosts: Ghosts | None = None
        self._in_focus = False
        self._rulers = False
        self.reduced_motion = False
        self._habits = Habits()
        self._animation: QVariantAnimation | None = None
        self._covers: dict[str, tuple[int, int]] = {}
        self._picture = Picture(self._jobs, self)
        self._furniture = Furniture(self)
        self._watcher = Watcher(self)
        self.setObjectName("canvas")
        self.setAccessibleName("Drawing")
        self.setAccessibleDescription("The drawing; the tree panel lists the same elements.")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 160)
        self._picture.set_background(theme.color("canvas.bg"))
        self._picture.painted.connect(self.update)
        self._picture.refined.connect(self.refined)
        session.selection_changed.connect(self.update)
        session.hover_changed.connect(lambda _id: self.update())

    # -- what gestures and parts see -----------------------------------------------------------

    @property
    def session(self) -> DocumentSession:
        """The open drawing."""
        return self._session

    @property
    def scene(self) -> DiagramScene:
        """Its picture as arrays."""
        return self._scene

    @property
    def theme(self) -> Theme:
        """Colours and fonts."""
        return self._theme

    @property
    def view(self) -> View:
        """What is visible."""
        return self._view

    @property
    def gesture(self) -> Gesture | None:
        """The gesture under way."""
        return self._gesture

    @property
    def card_shown(self) -> bool:
        """Whether the card of the hovered element is open."""
        return self._card_shown

    @property
    def loads(self) -> LoadView | None:
        """Loads of the links as they are shown, None without an analysis."""
        return self._watcher.loads

    @property
    def is_moving(self) -> bool:
        """Whether devices hang on the pointer."""
        return bool(self._lifted)

    @property
    def by_keyboard(self) -> bool:
        """Whether the last thing done was done by keyboard."""
        return self._by_keyboard

    @property
    def reached_by_tab(self) -> bool:
        """Whether the keys came here by Tab."""
        return self._by_tab

    @property
    def tool(self) -> str:
        """The tool in use: `select`, `pan` or `link`."""
        return self._tool

    @property
    def hovered_port(self) -> str:
        """The port under the pointer, of the hovered device."""
        return self._port

    @property
    def ghosts(self) -> Ghosts | None:
        """What a dialog would add, shown while it is open."""
        return self._ghosts

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Show what a dialog would add; None for nothing more."""
        self._ghosts = ghosts
        self.update()

    @property
    def in_focus(self) -> bool:
        """Whether all but the selection and its neighbours is dimmed."""
        return self._in_focus

    def set_focus(self, wanted: bool) -> None:
        """Dim all but the selection and its neighbours, or show everything again."""
        self._in_focus = wanted
        self._watcher.refocus()

    @property
    def rulers(self) -> bool:
        """Whether rulers stand along the edges."""
        return self._rulers

    def set_rulers(self, wanted: bool) -> None:
        """Show or hide the rulers."""
        self._rulers = wanted
        self._furniture.place()
        self.update()

    def mark_of(self, element: str) -> tuple[float, float] | None:
        """Where the mark of an element stands, in pixels; None for one that is not drawn."""
        return mark_of(self, element)

    @property
    def pointer(self) -> QPointF:
        """Where the pointer was last, in pixels."""
        return self._last

    @property
    def picture(self) -> Picture:
        """The cached picture."""
        return self._picture

    @property
    def furniture(self) -> Furniture:
        """Legend, minimap and the hint of an empty drawing."""
        return self._furniture

    def refresh(self, area: QRectF | None = None) -> None:
        """Paint the overlay again: all of it, or what a gesture has changed (see `Surface`)."""
        before, self._painted = self._painted, area
        if area is None or before is None:
            self.update()
        else:
            region = QRegion((area | before).toAlignedRect())
            for plate in (self._furniture.legend, self._furniture.minimap):
                if plate.isVisible():  # they are opaque: what lies under them need not be painted
                    region -= plate.geometry()
            self.update(region)

    @property
    def habits(self) -> Habits:
        """How it behaves for this person."""
        return self._habits

    def take_habits(self, habits: Habits) -> None:
        """Behave and look as a person prefers."""
        before, self._habits = self._habits, habits
        self.reduced_motion = habits.reduce_motion
        if habits.labels != before.labels:
            self._session.set_labels(habits.labels)
        if habits.grid != before.grid:
            self.repaint_picture()

    def lift(self, ids: tuple[str, ...]) -> None:
        """Leave devices and their links out of the picture while they move."""
        if frozenset(ids) != self._lifted:
            self._lifted = frozenset(ids)
            self.repaint_picture()

    def repaint_picture(self) -> None:
        """The drawing, its loads or its colours have changed."""
        self._picture.invalidate()
        self._furniture.refresh()
        self.update()

    def recolour_picture(self) -> None:
        """Only loads have changed; they may come faster than a picture is painted."""
        self._picture.recolour()
        self._furniture.refresh()
        self.update()

    # -- view ----------------------------------------------------------------------------------

    def cover(self, by: str, top: int, right: int) -> None:
        """Something floats over the top or right edge: a fitted drawing moves clear of it.

        Args:
            by: who says so; each says it for itself.
            top: pixels covered at the top, 0 for none.
            right: pixels covered at the right, 0 for none.
        """
        before = self.covered_top, self.covered_right
        self._covers[by] = top, right
        if before == (self.covered_top, self.covered_right):
            return
        self._furniture.place()
        self.covered.emit()
        if self._fitted and self._gesture is None:
            self.set_view(self._fitting(), fitted=True)

    @property
    def covered_top(self) -> int:
        """Pixels at the top that lie under a message or the first hints."""
        return max((top for top, _ in self._covers.values()), default=0)

    @property
    def covered_right(self) -> int:
        """Pixels at the right that lie under a floating panel."""
        return max((right for _, right in self._covers.values()), default=0)

    def set_view(self, view: View, *, fitted: bool = False) -> None:
        """Show another part of the drawing at once; a `fitted` view follows the window's size."""
        self._fitted = fitted
        self._painted = None
        zoom = view.scale != self._view.scale
        self._view = view
        self._picture.show(view, self.devicePixelRatioF())
        if zoom:
            self.zoom_changed.emit(view.scale)
        self._furniture.moved()
        self.update()

    def stand_still(self) -> None:
        """End a movement of the camera where it is."""
        if self._animation is not None:
            self._animation.stop()

    def _go_to(self, view: View, *, fitted: bool = False) -> None:
        """Move the camera there, smoothly unless motion is reduced or the window is hidden."""
        self.stand_still()
        duration = 0 if self.reduced_motion else int(number("motion.slow"))
        if not duration or not self.isVisible():
            self.set_view(view, fitted=fitted)
            return
        start = self._view
        animation = QVariantAnimation(self, duration=duration)
        animation.setStartValue(0.0)
        animation.setEndValue(1.0)
        animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        animation.valueChanged.connect(
            lambda share: self.set_view(camera.between(start, view, float(share)), fitted=fitted)
        )
        self._animation = animation
        animation.start(QVariantAnimation.DeletionPolicy.KeepWhenStopped)

    def fit(self) -> None:
        """Show the whole drawing."""
        self._go_to(self._fitting(), fitted=True)

    def _fitting(self) -> View:
        """The view of the whole drawing where neither furniture nor messages cover it."""
        width = self.width() - self.covered_right
        height = self.height() - self._furniture.room - self.covered_top
        fitted = View.fit(self._scene.bounds(), width, height)
        if self._furniture.is_empty:
            fitted = camera.at_scale(fitted, 1.0, width / 2, height / 2)
        fitted = camera.resized(fitted, self.width(), self.height())
        return camera.panned(fitted, 0, self.covered_top)

    def fit_selection(self) -> None:
        """Zoom to what is selected, or to everything."""
        ids = self._session.selection
        if not ids:
            self.fit()
            return
        box = self._scene.bounds(ids)
        self._go_to(View.fit(box, self.width(), self.height(), margin=96.0))

    def enter(self, element: str) -> None:
        """Fill the view with one element."""
        self._go_to(View.fit(self._scene.bounds((element,)), self.width(), self.height(), most=4))

    def draws_as_block(self, group: str) -> bool:
        """Whether a group, or one around it, is drawn as one tile at this zoom."""
        return self._is_block(group, self._view.scale)

    def _is_block(self, group: str, scale: float) -> bool:
        drawn = self._scene.for_scale(scale).grouping
        index = drawn.row.get(group)
        return index is not None and (drawn.groups[index].collapsed or drawn.groups[index].hidden)

    def open_up(self, group: str) -> None:
        """Zoom to a group until it is no block any more."""
        box = self._scene.bounds((group,))
        view = View.fit(box, self.width(), self.height(), most=4)
        while self._is_block(group, view.scale) and view.scale < 1.0:
            view = camera.at_scale(view, view.scale * 1.25, self.width() / 2, self.height() / 2)
        self._go_to(view)

    def zoom(self) -> float:
        """The zoom factor now."""
        return self._view.scale

    def set_zoom(self, factor: float) -> None:
        """Zoom to a factor about the middle; 1.0 is 100 %."""
        self._go_to(camera.at_scale(self._view, factor, self.width() / 2, self.height() / 2))

    def centre(self) -> tuple[float, float]:
        """The canvas point in the middle of the view."""
        return self._view.to_canvas(self.width() / 2, self.height() / 2)

    def centre_on(self, ids: Iterable[str]) -> None:
        """Bring elements to the middle, zooming out only as far as they need.

        The camera stays where it is if all of them are in view already.
        """
        box = self._scene.bounds(tuple(ids))
        if self._sees(box):
            return
        fitted = View.fit(box, self.width(), self.height(), margin=64.0)
        if self._view.scale <= fitted.scale:
            self._go_to(camera.centred(self._view, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        else:
            self._go_to(fitted)

    def reveal(self, ids: Sequence[str]) -> bool:
        """Bring elements into view unless one of them is; False if none can be shown."""
        shown = [i for i in self._with_ends(ids[:MOST_REVEALED]) if self._scene.rect_of(i)]
        if shown and not any(self._sees(self._scene.bounds((i,))) for i in shown):
            self.centre_on(shown)
        return bool(shown)

    def _with_ends(self, ids: Iterable[str]) -> Iterator[str]:
        """Devices at both ends in place of each link."""
        links = self._session.document.links
        for element_id in ids:
            link = links.get(element_id)
            yield from (element_id,) if link is None else (link.a.device, link.b.device)

    def paste_place(self) -> tuple[float, float, str]:
        """Where what is pasted belongs: under the pointer, else the middle; and in which group."""
        inside = self._pointer_inside and self.rect().contains(self._last.toPoint())
        x, y = self._view.to_canvas(self._last.x(), self._last.y()) if inside else self.centre()
        return x, y, hits.group_at(self._scene, x, y) or ""

    def _sees(self, box: tuple[float, float, float, float]) -> bool:
        """Whether a box is in view and neither legend nor minimap covers it."""
        left, top = self._view.to_pixels(box[0], box[1])
        right, bottom = self._view.to_pixels(box[2], box[3])
        room = self.height() - self._furniture.room
        clear = self.width() - self.covered_right
        return left >= 0 and top >= self.covered_top and right <= clear and bottom <= room

    def set_theme(self, theme: Theme) -> None:
        """Paint with another theme."""
        self._theme = theme
        self._furniture.restyle()
        self._picture.set_background(theme.color("canvas.bg"))
        self.update()

    # -- painting ------------------------------------------------------------------------------

    def _jobs(self, painter: QPainter, view: View) -> Iterator[object]:
        for job in paint_jobs(self._scene, self._theme, view, self._options()):
            job(painter)
            yield None

    def _options(self) -> PaintOptions:
        stale = self._session.analysis is not None and not self._session.analysis_is_current
        strength = self._theme.opacity("state.stale_opacity") if stale else 1.0
        return PaintOptions(
            background=False,
            grid=self._habits.grid,
            labels=self._session.labels,
            strength=strength,
            without=self._lifted,
            screen=self.devicePixelRatioF(),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Blit the picture and paint the overlay."""
        with QPainter(self) as painter:
            self._picture.blit(painter, self._view)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_overlay(self, Ink(painter, self._theme))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A fitted drawing stays fitted; else the top left corner stays."""
        self._view = camera.resized(self._view, self.width(), self.height())
        self._furniture.place()
        if self._fitted:
            self.set_view(self._fitting(), fitted=True)
        else:
            self.set_view(self._view)
