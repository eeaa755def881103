"""The row of steps over a wizard: numbered circles, done ones ticked, each a button."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from topoedit.editor.theming import Theming
from topoedit.editor.widgets import columns
from topoedit.render.theme import font

_CIRCLE, _GAP = 18, 8
_MIDDLE = int(Qt.AlignmentFlag.AlignCenter)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class StepButton(QAbstractButton):
    """One step."""

    def __init__(self, theming: Theming, number: int, text: str) -> None:
        super().__init__()
        self._theming, self._number = theming, number
        self._state = "open"
        self.setText(text)
        self.setAccessibleName(f"Step {number}: {text}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def state(self) -> str:
        """`done`, `current` or `open`."""
        return self._state

    def show_state(self, state: str) -> None:
        """Show it as `done`, `current` or `open`."""
        self._state = state
        self.update()

    def sizeHint(self) -> QSize:
        """Circle and words."""
        self.setFont(font("body", 600))
        return QSize(_CIRCLE + _GAP + self.fontMetrics().horizontalAdvance(self.text()) + 6, 32)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint circle and words."""
        theme = self._theming.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            circle = QRectF(1, (self.height() - _CIRCLE) / 2, _CIRCLE, _CIRCLE)
            current = self._state == "current"
            painter.setPen(
                theme.color("border.strong") if self._state == "open" else Qt.PenStyle.NoPen
            )
            if self._state != "open":
                painter.setBrush(theme.color("accent.base" if current else "accent.subtle"))
            painter.drawEllipse(circle)
            if self._state == "done":
                painter.setPen(QPen(theme.color("accent.base"), 1.75))
                at = circle.center()
                painter.drawPolyline(
                    [at + QPointF(-4, 0), at + QPointF(-1, 3), at + QPointF(4, -3)]
                )
            else:
                painter.setFont(font("micro", 600))
                painter.setPen(theme.color("text.on_accent" if current else "text.secondary"))
                painter.drawText(circle, _MIDDLE, str(self._number))
            painter.setFont(font("body", 600 if current else 500))
            painter.setPen(theme.color("text.primary" if current else "text.secondary"))
            words = self.rect().adjusted(_CIRCLE + _GAP, 0, 0, 0)
            painter.drawText(words, _LEFT, self.text())
            if self.hasFocus():
                painter.setPen(QPen(theme.color("border.focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


class StepRow(QWidget):
    """All steps in order.

    Signals:
        chosen(int): a step was clicked.
    """

    chosen = Signal(int)

    def __init__(self, theming: Theming, titles: tuple[str, ...]) -> None:
        super().__init__()
        self.buttons: list[StepButton] = []
        line = columns(self, (24, 8, 24, 8), 20)
        for index, title in enumerate(titles):
            button = StepButton(theming, index + 1, title)
            button.clicked.connect(lambda _on=False, at=index: self.chosen.emit(at))
            self.buttons.append(button)
            line.addWidget(button)
        line.addStretch(1)

    def show_step(self, current: int) -> None:
        """Mark the step in hand and those before it."""
        for index, button in enumerate(self.buttons):
            states = ("done", "current", "open")
            button.show_state(states[(index >= current) + (index > current)])
