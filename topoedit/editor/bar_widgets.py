"""Widgets around the bars of `render.bars`: one load, stacked parts, swatches with figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from topoedit.editor.theming import Theming
from topoedit.editor.widgets import clear, columns, label
from topoedit.model.analysis import Memory
from topoedit.render import bars
from topoedit.render.bars import Part
from topoedit.render.ink import Ink
from topoedit.render.theme import Theme

GAP = 12
NARROWEST = 300 - 2 * 16
"""Room of a section in the narrowest inspector."""


def paint_load(painter: QPainter, rect: QRect, load: float, theme: Theme) -> None:
    """The bar of a load in a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    bars.draw_load_bar(
        Ink(painter, theme), rect.left(), rect.top(), rect.width(), rect.height(), load
    )


def paint_parts(
    painter: QPainter, rect: QRect, parts: Sequence[Part], theme: Theme, whole: float | None = None
) -> None:
    """Parts side by side in a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = Ink(painter, theme)
    if whole is not None:
        ink.box(rect.left(), rect.top(), rect.width(), rect.height(), "surface.pressed", None, 2)
    bars.draw_stack(ink, rect.left(), rect.top(), rect.width(), rect.height(), parts, whole)


class _Bar(QWidget):
    def __init__(self, theming: Theming, height: int) -> None:
        super().__init__()
        self._theming = theming
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(120, self._height)


class LoadBar(_Bar):
    """The load of one direction of one link."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, 10)
        self._load: float | None = None

    def show_load(self, load: float | None) -> None:
        """Show a load, 1.0 is 100 %."""
        self._load = load
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar."""
        with QPainter(self) as painter:
            room = self.rect().adjusted(0, 3, 0, -3)
            paint_load(painter, room, self._load or 0.0, self._theming.theme)


class StackBar(_Bar):
    """Parts of a whole side by side."""

    def __init__(self, theming: Theming, height: int = 16) -> None:
        super().__init__(theming, height)
        self._parts: tuple[Part, ...] = ()
        self._whole: float | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts shown."""
        return self._parts

    def show_parts(self, parts: Sequence[Part], whole: float | None = None) -> None:
        """Show parts; the whole is their sum unless given."""
        self._parts = tuple(parts)
        total = sum(part.value for part in parts)
        self._whole = None if whole is None else max(whole, total)
        scale = self._whole or total
        shares = [f"{p.name} {p.value / scale:.0%}" for p in parts if scale > 0]
        self.setToolTip("\n".join(shares))
        self.setAccessibleName(", ".join(shares))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar."""
        with QPainter(self) as painter:
            paint_parts(painter, self.rect(), self._parts, self._theming.theme, self._whole)


class MemoryBar(_Bar):
    """Memory in use against what the GPU has."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, 16)
        self._memory: Memory | None = None

    def show_memory(self, memory: Memory) -> None:
        """Show predicted memory."""
        self._memory = memory
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar."""
        if self._memory is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._theming.theme)
            bars.draw_memory(ink, 0, 0, self.width(), self.height(), self._memory)


class Swatch(QWidget):
    """A small square in the colour of a part."""

    def __init__(self, theming: Theming, token: str) -> None:
        super().__init__()
        self._theming, self._token = theming, token
        self.setFixedSize(8, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the square."""
        with QPainter(self) as painter:
            bars.draw_swatch(Ink(painter, self._theming.theme), 0, 0, self._token)


class FigureGrid(QGridLayout):
    """Figures in two columns, in one where two would be wider than the narrowest inspector."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(GAP)
        self.setVerticalSpacing(4)

    def show_rows(self, rows: Sequence[FigureRow]) -> None:
        """Show these rows in place of those before."""
        clear(self)
        wide = [row.minimumSizeHint().width() for row in rows]
        both = max(wide[0::2], default=0) + max(wide[1::2], default=0)
        across = 2 if both + GAP <= NARROWEST else 1
        for index, row in enumerate(rows):
            self.addWidget(row, index // across, index % across)


class FigureRow(QWidget):
    """Swatch, name and figure; every bar has such rows, so that nothing is told by colour alone.

    Args:
        theming: the look.
        name: what it is.
        value: the figure.
        token: colour of the swatch.
        explain: key of an explanation; then a click, or Enter, asks why.

    Signals:
        why_asked(str): the key.
    """

    why_asked = Signal(str)

    def __init__(
        self, theming: Theming, name: str, value: str, token: str = "", explain: str = ""
    ) -> None:
        super().__init__()
        self._theming = theming
        line = columns(self, gap=4)
        if token:
            line.addWidget(Swatch(theming, token))
        line.addWidget(label(name, "secondary"), 1)
        self.value = label(value, "strong")
        line.addWidget(self.value)
        self.setAccessibleName(f"{name} {value}")
        self._explain = explain
        if explain:
            self.setProperty("explain", explain)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(f"Why {name} takes {value}: click, or Alt+Enter")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click asks why."""
        if self._explain and self.rect().contains(event.position().toPoint()):
            self.why_asked.emit(self._explain)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks why."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if self._explain and plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.why_asked.emit(self._explain)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ring of the focus."""
        if self.hasFocus():
            with QPainter(self) as painter:
                Ink(painter, self._theming.theme).box(
                    0.5, 0.5, self.width() - 1, self.height() - 1, None, "border.focus", 3, 1
                )
