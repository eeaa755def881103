"""Cards of the templates with a small sketch of what they make."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton

from topoedit.editor.theming import Theming
from topoedit.render.theme import Theme, font

WIDTH, PICTURE, HEIGHT = 166, 98, 184
LINES = 3
_WRAP = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)


class TemplateCard(QPushButton):
    """A sketch over a title and one line."""

    def __init__(self, theming: Theming, template_id: str, title: str, line: str) -> None:
        super().__init__()
        self._theming, self.template_id = theming, template_id
        self._title, self._line = title, line
        self.setObjectName("card")
        self.setFixedSize(QSize(WIDTH, HEIGHT))
        self.setAccessibleName(f"Template {title}: {line}")
        self.setToolTip(line)

    @property
    def title(self) -> str:
        """The title."""
        return self._title

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame, sketch and words."""
        super().paintEvent(event)
        theme = self._theming.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            inside = QRectF(2, 2, self.width() - 4, PICTURE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("canvas.bg"))
            painter.drawRoundedRect(inside, 5, 5)
            painter.setPen(theme.color("border.subtle"))
            painter.drawLine(QLineF(2, PICTURE + 2.5, self.width() - 2, PICTURE + 2.5))
            sketch(self.template_id)(painter, inside.adjusted(16, 12, -16, -12), theme)
            words = self.rect().adjusted(10, PICTURE + 10, -8, -6)
            painter.setFont(font("body_strong"))
            painter.setPen(theme.color("text.primary"))
            title = painter.fontMetrics().elidedText(
                self._title, Qt.TextElideMode.ElideRight, words.width()
            )
            painter.drawText(words, _WRAP, title)
            painter.setFont(font("caption"))
            painter.setPen(theme.color("text.tertiary"))
            painter.drawText(
                words.adjusted(0, 19, 0, 0), _WRAP, few_lines(painter, self._line, words.width())
            )


def few_lines(painter: QPainter, text: str, width: int, most: int = LINES) -> str:
    """A text cut so that it takes at most a few lines, with an ellipsis where it was cut."""
    metrics = painter.fontMetrics()
    words, lines = text.split(), [""]
    for position, word in enumerate(words):
        longer = f"{lines[-1]} {word}".strip()
        if metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            rest = " ".join((lines[-1], *words[position:]))
            lines[-1] = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
            break
    return "\n".join(lines)


Sketch = Callable[[QPainter, QRectF, Theme], None]


def sketch(template_id: str) -> Sketch:
    """The sketch that suits a template's id."""
    if "nvl72" in template_id:
        return _racks
    if "site" in template_id:
        return _sites
    if "torus" in template_id:
        return _lattice
    if "dragonfly" in template_id:
        return _meshed
    tiers = next((t for word, t in _TIERS.items() if word in template_id), (6, 10, 10))
    return lambda painter, rect, theme: _clos(painter, rect, theme, tiers)


_TIERS: dict[str, tuple[int, ...]] = {
    "rail-only": (8, 8), "rail": (4, 8, 8), "multi-plane": (8, 8, 8), "fat-tree": (4, 6, 8),
}  # fmt: skip
_HEIGHTS = {2: (0.2, 0.85), 3: (0.08, 0.45, 0.9)}


def _clos(painter: QPainter, rect: QRectF, theme: Theme, tiers: tuple[int, ...]) -> None:
    rows = [
        [
            QPointF(rect.left() + rect.width() * (i + 0.5) / count, rect.top() + rect.height() * y)
            for i in range(count)
        ]
        for count, y in zip(tiers, _HEIGHTS[len(tiers)], strict=True)
    ]
    painter.setPen(QPen(theme.color("canvas.device_border"), 0.7))
    for upper, lower in pairwise(rows):
        for a in upper:
            for b in lower:
                painter.drawLine(QLineF(a, b))
    _boxes(painter, rows, theme, rect.width())


def _boxes(painter: QPainter, rows: list[list[QPointF]], theme: Theme, width: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_soft(theme))
    for depth, row in enumerate(rows):
        wide = min(14.0, width / len(row) - 3)
        high = 11.0 if depth == len(rows) - 1 else 6.0
        for point in row:
            painter.drawRoundedRect(
                QRectF(point.x() - wide / 2, point.y() - high / 2, wide, high), 1.5, 1.5
            )


def _soft(theme: Theme) -> QColor:
    return theme.color("text.tertiary", 0.75)


def _racks(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    wide, gap = 22.0, 10.0
    left = rect.center().x() - (4 * wide + 3 * gap) / 2
    for rack in range(4):
        box = QRectF(left + rack * (wide + gap), rect.top(), wide, rect.height())
        painter.setPen(QPen(theme.color("canvas.device_border"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 2, 2)
        painter.setPen(Qt.PenStyle.NoPen)
        for tray in range(9):
            painter.setBrush(theme.color("accent.base") if tray == 4 else _soft(theme))
            y = box.top() + 4 + tray * (box.height() - 6) / 9
            painter.drawRect(QRectF(box.left() + 3, y, wide - 6, (box.height() - 6) / 9 - 2))


def _sites(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    boxes = [QRectF(rect.left(), rect.top() + 8, 48, rect.height() - 16)]
    boxes.append(QRectF(rect.right() - 48, rect.top() + 8, 48, rect.height() - 16))
    painter.setPen(QPen(theme.color("traffic.WAN"), 3))
    painter.drawLine(
        QLineF(boxes[0].right(), rect.center().y(), boxes[1].left(), rect.center().y())
    )
    for box in boxes:
        painter.setPen(QPen(theme.color("canvas.device_border"), 1))
        painter.setBrush(theme.color("canvas.group_fill"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_soft(theme))
        for row in range(2):
            for column in range(3):
                cell = QRectF(box.left() + 7 + column * 12, box.center().y() - 13 + row * 15, 9, 11)
                painter.drawRoundedRect(cell, 1.5, 1.5)


def _meshed(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Groups on a ring, each joined with every other."""
    groups, radius = 7, rect.height() / 2 - 4
    points = [
        rect.center() + QPointF(math.sin(turn), -math.cos(turn)) * radius
        for turn in (2 * math.pi * i / groups for i in range(groups))
    ]
    painter.setPen(QPen(theme.color("canvas.device_border"), 0.8))
    for a, b in combinations(points, 2):
        painter.drawLine(QLineF(a, b))
    painter.setPen(Qt.PenStyle.NoPen)
    for point in points:
        painter.setBrush(theme.color("canvas.bg"))
        painter.drawEllipse(point, 8, 8)
        painter.setBrush(_soft(theme))
        painter.drawEllipse(point, 6, 6)


def _lattice(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("canvas.device_border"), 0.8))
    points = [
        [
            QPointF(
                rect.left() + column * rect.width() / 5 + row * 4,
                rect.top() + row * rect.height() / 3,
            )
            for column in range(5)
        ]
        for row in range(4)
    ]
    for row in points:
        painter.drawPolyline(row)
    for column in zip(*points, strict=True):
        painter.drawPolyline(list(column))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_soft(theme))
    for row in points:
        for point in row:
            painter.drawRect(QRectF(point.x() - 2.5, point.y() - 2.5, 5, 5))
