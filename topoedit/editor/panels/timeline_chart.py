"""The chart of the Timeline page: rows of stages, lanes of traffic, and a play head to drag."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from topoedit.editor.theming import Theming
from topoedit.editor.timeline_state import TimelineState
from topoedit.editor.tips import tip
from topoedit.engine.timeline_types import KINDS, Timeline
from topoedit.render import timeline as drawing
from topoedit.render.ink import Ink
from topoedit.render.timeline import AXIS, LABELS, TimeWindow, least_height
from topoedit.units import format_seconds

WHEEL = 1.25
NOTCH = 120.0
DEEPEST = 1e-5
"""The shortest window, as a share of the step."""
STEPS = 100
"""Arrow keys move by this part of what is shown."""
_END, _TOP = 12, 6
_Key = Qt.Key


class TimelineChart(QWidget):
    """Paints a step; drag or arrows move the play head, the wheel zooms at the pointer."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._state: TimelineState | None = None
        self._start, self._end = 0.0, 1.0
        self._cache: QPixmap | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Step timeline")
        theming.changed.connect(self.repaint_all)

    # -- what is shown -------------------------------------------------------------------------

    def show_state(self, state: TimelineState | None) -> None:
        """Show another drawing's step from end to end."""
        self._state = state
        self.show_all()

    @property
    def made(self) -> Timeline | None:
        """The step shown."""
        return None if self._state is None else self._state.timeline

    @property
    def shown(self) -> tuple[float, float]:
        """First and last second in view."""
        return self._start, self._end

    def show_all(self) -> None:
        """Show the whole step."""
        made = self.made
        self._start, self._end = 0.0, made.step_time if made is not None else 1.0
        self.repaint_all()

    def show_window(self, start: float, end: float) -> None:
        """Show a part of the step."""
        made = self.made
        if made is None:
            return
        length = min(max(end - start, made.step_time * DEEPEST), made.step_time)
        self._start = min(max(start, 0.0), made.step_time - length)
        self._end = self._start + length
        self.repaint_all()

    @property
    def is_zoomed(self) -> bool:
        """Whether only a part is in view."""
        made = self.made
        return made is not None and self._end - self._start < made.step_time * (1 - 1e-9)

    def window_now(self) -> TimeWindow:
        """Which part is where."""
        width = max(self.width() - LABELS - _END, 10.0)
        return TimeWindow(self._start, self._end, LABELS, width)

    def repaint_all(self) -> None:
        """Paint the step anew, not only the play head."""
        self._cache = None
        made = self.made
        self.setMinimumHeight(0 if made is None else round(least_height(made)) + _TOP + 2)
        self.setAccessibleDescription("" if self._state is None else self._state.words)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(600, 140)

    # -- painting ------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size."""
        self._cache = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The step, from the last picture of it, and the play head."""
        made = self.made
        if made is None or self._state is None:
            return
        if self._cache is None:
            self._cache = self._picture(made)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._cache)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._theming.theme)
            self._paint_head(ink)
            if self.hasFocus():
                ink.box(0.5, 0.5, self.width() - 1, self.height() - 1, None, "border.focus", 3, 1)

    def _picture(self, made: Timeline) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            classes = self._state.classes if self._state is not None else None
            drawing.paint_timeline(
                Ink(painter, self._theming.theme), made, self.window_now(), _TOP, self._room(),
                None if classes is None else frozenset(classes),
            )  # fmt: skip
        return picture

    def _paint_head(self, ink: Ink) -> None:
        """A line over all rows with the moment in a plate on the axis."""
        moment = None if self._state is None else self._state.moment
        if moment is None or not self._start <= moment <= self._end:
            return
        x = round(self.window_now().to_x(moment))
        foot = self._foot()
        ink.painter.fillRect(x - 1, 0, 2, round(foot) + 2, ink.color("accent.base"))
        words = format_seconds(moment)
        wide = ink.width_of(words, 10, 600) + 12
        left = min(max(x - wide / 2, LABELS), self.width() - wide)
        ink.box(left, foot + 2, wide, 16, "accent.base", None, 3)
        ink.text(left + 6, foot + 2, words, 10, 600, "text.on_accent")

    def _room(self) -> float:
        """Height of rows, lanes and axis."""
        return self.height() - _TOP - 2

    def _foot(self) -> float:
        """Where the axis begins."""
        made = self.made
        if made is None:
            return self.height() - AXIS
        rows = drawing.pitch_of(made, self._room()) * len(made.stages)
        return _TOP + rows + least_height(made) - AXIS - 4.0 * len(made.stages)

    # -- mouse ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the play head there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._drag_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the play head."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag_to(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole step again."""
        self.show_all()

    def _drag_to(self, position: QPointF) -> None:
        if self._state is not None:
            seconds = self.window_now().to_seconds(position.x())
            self._state.go_to(min(max(seconds, self._start), self._end))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways, or with Shift, move along."""
        turn = event.angleDelta()
        sideways = turn.x() if turn.x() else turn.y()
        if self.made is None:
            return
        length = self._end - self._start
        if turn.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            moved = self._start - sideways / NOTCH * length / 10
            self.show_window(moved, moved + length)
        else:
            self._zoom(WHEEL ** (turn.y() / NOTCH), self.window_now().to_seconds(
                event.position().x()))  # fmt: skip
        event.accept()

    def _zoom(self, factor: float, about: float) -> None:
        about = min(max(about, self._start), self._end)
        length = (self._end - self._start) / factor
        share = (about - self._start) / (self._end - self._start)
        self.show_window(about - share * length, about + (1 - share) * length)

    # -- keys ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the play head, Home and End go to the ends, Esc shows the whole step."""
        state, made = self._state, self.made
        if state is None or made is None or not self._key(event, state, made):
            super().keyPressEvent(event)

    def _key(self, event: QKeyEvent, state: TimelineState, made: Timeline) -> bool:
        key, moment = event.key(), state.moment
        step = (self._end - self._start) / STEPS
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            step *= 10
        if key in (_Key.Key_Left, _Key.Key_Right):
            here = self._start if moment is None else moment
            state.go_to(here + (step if key == _Key.Key_Right else -step))
            self._follow(state)
        elif key in (_Key.Key_Home, _Key.Key_End):
            state.go_to(0.0 if key == _Key.Key_Home else made.step_time)
            self._follow(state)
        elif key in (_Key.Key_PageUp, _Key.Key_PageDown):
            self._next_phase(state, made, 1 if key == _Key.Key_PageDown else -1)
        elif key in (_Key.Key_Plus, _Key.Key_Equal, _Key.Key_Minus):
            middle = (self._start + self._end) / 2
            factor = 1 / WHEEL if key == _Key.Key_Minus else WHEEL
            self._zoom(factor, middle if moment is None else moment)
        elif key == _Key.Key_Escape and moment is not None:
            state.go_to(None)
        else:
            return False
        return True

    def _next_phase(self, state: TimelineState, made: Timeline, turn: int) -> None:
        if made.phases:
            before = state.phase if state.phase is not None else (-1 if turn > 0 else 0)
            state.choose((before + turn) % len(made.phases))

    def _follow(self, state: TimelineState) -> None:
        """Keep the play head in view."""
        moment = state.moment
        if moment is not None and not self._start <= moment <= self._end:
            half = (self._end - self._start) / 2
            self.show_window(moment - half, moment + half)

    # -- words ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """The tooltip says what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self.words_at(event.pos())), self)
            return True
        return super().event(event)

    def words_at(self, place: QPoint) -> str:
        """What is at a point, "" for nothing."""
        made, window = self.made, self.window_now()
        if made is None or not window.x <= place.x() <= window.x + window.width:
            return ""
        seconds = window.to_seconds(place.x())
        pitch = drawing.pitch_of(made, self._room())
        stage = int((place.y() - _TOP) // pitch)
        if 0 <= stage < len(made.stages):
            return _span_words(made, stage, seconds)
        lanes = drawing.classes_of(made)
        lane = int((place.y() - _TOP - pitch * len(made.stages)) // drawing.LANE)
        if 0 <= lane < len(lanes):
            return _phase_words(made, lanes[lane], seconds)
        return ""


def _span_words(made: Timeline, stage: int, seconds: float) -> str:
    spans = made.spans
    found = (spans.stage == stage) & (spans.start <= seconds) & (seconds < spans.end)
    rows = found.nonzero()[0]
    if not len(rows):
        return ""
    row = int(rows[0])
    kind = KINDS[spans.kind[row]]
    words = drawing.WORDS[kind]
    if kind in KINDS[:3]:
        words += f" of micro-batch {int(spans.batch[row])}"
        if made.chunks > 1:
            words += f", chunk {int(spans.chunk[row])}"
        if made.drawn < made.batches:
            words += f" (each stands for {made.batches / made.drawn:.3g})"
    length = format_seconds(float(spans.end[row] - spans.start[row]))
    return f"{made.stages[stage]}: {words}\n{length} from {format_seconds(float(spans.start[row]))}"


def _phase_words(made: Timeline, name: str, seconds: float) -> str:
    lines = [
        f"{phase.title}: {format_seconds(phase.seconds)}, {format_seconds(phase.exposed)} exposed"
        for phase in made.phases
        if phase.class_ == name and any(a <= seconds <= b for a, b in phase.spans)
    ]
    return "\n".join(lines)
