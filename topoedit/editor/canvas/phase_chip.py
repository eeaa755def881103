"""The plate over the legend that says which phase of the step colours the links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from topoedit.render.bars import draw_swatch
from topoedit.render.ink import Ink
from topoedit.render.legend import WIDTH

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

HEIGHT = 28


class PhaseChip(QWidget):
    """Shown while the play head stands somewhere; a click goes back to the whole step."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self.setFixedSize(round(WIDTH), HEIGHT)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("Show all phases again")
        stage.session.timeline.moved.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Say which phase it is now."""
        words = self._stage.session.timeline.words
        self.setVisible(bool(words))
        self.setAccessibleName(f"Phase: {words}. Show all phases again" if words else "")
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """All phases."""
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self._stage.session.timeline.go_to(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space do what a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._stage.session.timeline.go_to(None)
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEvent) -> None:
        """The cross stands out."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """The cross recedes."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Swatches of the classes, the words, a cross."""
        state = self._stage.session.timeline
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._stage.theme)
            edge = "border.focus" if self.hasFocus() else "border.default"
            ink.box(0, 0, WIDTH, HEIGHT, "surface.panel", edge, 6)
            x = 12.0
            for name in state.classes or ():
                draw_swatch(ink, x, 10, f"traffic.{name}")
                x += 12
            x = ink.text(x + 4, 6, "Phase", 11, 400, "text.tertiary") + 8
            ink.text(x, 6, state.words, 11, 600, width=WIDTH - x - 32)
            shade = "text.primary" if self.underMouse() else "text.tertiary"
            ink.icon("close", WIDTH - 24, 8, 12, shade)
