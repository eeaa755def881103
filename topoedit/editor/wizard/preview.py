"""The right half of the wizard: picture, counts and parts of what would be drawn."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QSizePolicy, QVBoxLayout, QWidget

from topoedit.editor.panels.tables import LEFT, RIGHT, HeadedModel, Table
from topoedit.editor.qt_types import Index
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import clear, columns, label, rows
from topoedit.editor.wizard.draft import Draft, Part
from topoedit.units import format_number, format_seconds

WIDTH, HEIGHT = 720, 400
MEDIA_WIDTH = 132


class Picture(QWidget):
    """A picture in a rounded frame; pale while a newer one is made."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._image: QImage | None = None
        self._pale = False
        self.setMinimumSize(QSize(320, 200))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview of the drawing")

    def show_image(self, image: QImage | None) -> None:
        """Show another picture, or none."""
        self._image, self._pale = image, False
        self.update()

    def fade(self) -> None:
        """Say that the picture is about to change."""
        self._pale = True
        self.update()

    @property
    def image(self) -> QImage | None:
        """The picture shown."""
        return self._image

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame and picture."""
        theme = self._theming.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            frame = QPainterPath()
            frame.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            painter.fillPath(frame, theme.color("canvas.bg"))
            if self._image is not None:
                painter.setClipPath(frame)
                painter.setOpacity(0.45 if self._pale else 1.0)
                size = self._image.deviceIndependentSize()
                size.scale(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
                x, y = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
                painter.drawImage(QRectF(x, y, size.width(), size.height()), self._image)
                painter.setClipping(False)
                painter.setOpacity(1.0)
            painter.setPen(theme.color("border.subtle"))
            painter.drawPath(frame)


class PartsModel(HeadedModel):
    """One device type a row."""

    heads: ClassVar[tuple[str, ...]] = ("Part", "Count", "Ports used", "Power at most", "Media")
    right: ClassVar[frozenset[int]] = frozenset((1, 2, 3))

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: tuple[Part, ...] = ()

    def show(self, parts: tuple[Part, ...]) -> None:
        """Show other parts."""
        self.beginResetModel()
        self._parts = parts
        self.endResetModel()

    def rows_shown(self) -> int:
        """Number of types."""
        return len(self._parts)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell."""
        part, column = self._parts[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return (part.name, format_number(part.count), part.ports, part.power,
                    part.media)[column]  # fmt: skip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in self.right else LEFT
        return None


class Preview(QWidget):
    """Picture over figures over parts."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.picture = Picture(theming)
        self.took = label(role="caption")
        self._figures: QHBoxLayout = columns(None, gap=32)
        self.model = PartsModel(self)
        self.table = Table(theming, "Parts")
        self.table.setModel(self.model)
        self.table.setMinimumHeight(132)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(4, QHeaderView.ResizeMode.Fixed)
        self.table.setColumnWidth(4, MEDIA_WIDTH)
        head = columns()
        title = label("Preview", "strong")
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.took)
        column: QVBoxLayout = rows(self, (24, 20, 24, 16), 12)
        column.addLayout(head)
        column.addWidget(self.picture, 1)
        column.addLayout(self._figures)
        column.addWidget(self.table)

    def show_draft(self, draft: Draft) -> None:
        """Show what would be drawn."""
        self.picture.show_image(draft.picture)
        self.took.setText(f"Updates as you type · {format_seconds(draft.seconds)}")
        self.model.show(draft.parts)
        clear(self._figures)
        for value, word in draft.figures:
            column = rows(gap=2)
            column.addWidget(label(value, "number"))
            column.addWidget(label(word, "caption"))
            self._figures.addLayout(column)
        self._figures.addStretch(1)

    def picture_size(self) -> tuple[int, int]:
        """Width and height of the picture wanted; those of the design before it is shown."""
        if not self.picture.isVisible():
            return WIDTH, HEIGHT
        return self.picture.width(), self.picture.height()

    def show_nothing(self) -> None:
        """Show that nothing can be drawn from these values."""
        self.picture.fade()
        self.took.setText("")
