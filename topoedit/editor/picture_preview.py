"""A small picture of what a file or print will show, with the borders of its pages."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from topoedit.editor.step_runner import StepRunner
from topoedit.render.pdf import sheet_pages
from topoedit.render.posters import BORDER
from topoedit.render.sheet import ExportOptions, Sheet, line_count, paint_steps
from topoedit.render.theme import Theme

MOST_LINES = 30_000
"""More lines than these are not painted for a preview."""
_GAP = 12.0


class PicturePreview(QWidget):
    """Shows a sheet as large as fits; posters page by page with a gap between pages."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sheet: Sheet | None = None
        self._options = ExportOptions()
        self._image: QImage | None = None
        self._runner = StepRunner(self)
        self._runner.finished.connect(self._painted)
        self._later = QTimer(self, singleShot=True, interval=120)
        self._later.timeout.connect(self._begin)
        self.words = ""
        self.setMinimumSize(360, 280)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def sizeHint(self) -> QSize:
        """Room for a landscape page."""
        return QSize(560, 440)

    @property
    def is_ready(self) -> bool:
        """Whether the preview shows what was asked for last."""
        return not (self._runner.is_running or self._later.isActive())

    @property
    def image(self) -> QImage | None:
        """What is shown."""
        return self._image

    def show_sheet(self, sheet: Sheet | None, options: ExportOptions) -> None:
        """Show another sheet, soon; None for nothing."""
        self._sheet, self._options = sheet, options
        self._runner.stop()
        self._later.start()

    def stop(self) -> None:
        """Paint no more."""
        self._later.stop()
        self._runner.stop()

    def _begin(self) -> None:
        sheet = self._sheet
        if sheet is None:
            self._image, self.words = None, ""
            self.update()
            return
        if line_count(sheet) > MOST_LINES:
            self._image, self.words = None, "No preview of so many links"
            self.update()
            return
        self._runner.start(preview_steps(sheet, self._options, self._room(), self._ratio()))

    def _room(self) -> tuple[float, float]:
        return max(self.width() - 2 * _GAP, 40.0), max(self.height() - 2 * _GAP, 40.0)

    def _ratio(self) -> float:
        return self.devicePixelRatioF()

    def _painted(self, image: object) -> None:
        if isinstance(image, QImage):
            self._image, self.words = image, ""
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Paint again in the new size."""
        super().resizeEvent(event)
        if self._sheet is not None:
            self.show_sheet(self._sheet, self._options)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The image in the middle of a quiet ground."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("surface.app"))
            if self._image is not None:
                size = self._image.deviceIndependentSize()
                x, y = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
                painter.drawImage(QPointF(x, y), self._image)
            elif self.words:
                painter.setFont(self._theme.font("body"))
                painter.setPen(self._theme.color("text.secondary"))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)


def preview_steps(
    sheet: Sheet, options: ExportOptions, room: tuple[float, float], ratio: float
) -> Generator[float, None, QImage]:
    """Paint a sheet into an image that fits a room, in logical pixels."""
    boxes = _page_boxes(sheet, options)
    wide, high = max(b.right() for b, _ in boxes), max(b.bottom() for b, _ in boxes)
    factor = min(room[0] / wide, room[1] / high, 1.5)
    image = QImage(
        max(1, round(wide * factor * ratio)), max(1, round(high * factor * ratio)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )  # fmt: skip
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(factor, factor)
        for index, (box, part) in enumerate(boxes):
            for share in _paint_page(painter, sheet, options, box, part):
                yield (index + share) / len(boxes)
    return image


def _page_boxes(sheet: Sheet, options: ExportOptions) -> list[tuple[QRectF, QRectF | None]]:
    """Where each page stands in the preview, and its part of the sheet (None for all)."""
    if sheet.paper is None or options.poster is None:
        return [(QRectF(0, 0, sheet.width, sheet.height), None)]
    width, height = (size / sheet.mm for size in options.poster.size(sheet.paper[2]))
    gap = 0.04 * max(width, height)
    return [
        (
            QRectF(page.column * (width + gap), page.row * (height + gap), width, height),
            QRectF(
                page.x / sheet.mm, page.y / sheet.mm, page.width / sheet.mm, page.height / sheet.mm
            ),
        )
        for page in sheet_pages(sheet, options.poster)
    ]


def _paint_page(
    painter: QPainter, sheet: Sheet, options: ExportOptions, box: QRectF, part: QRectF | None
) -> Generator[float, None, None]:
    painter.save()
    try:
        yield from _paint_sheet(painter, sheet, options, box, part)
    finally:
        painter.restore()
    painter.setPen(QPen(Theme.load(options.theme).color("border.default"), 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)


def _paint_sheet(
    painter: QPainter, sheet: Sheet, options: ExportOptions, box: QRectF, part: QRectF | None
) -> Generator[float, None, None]:
    painter.translate(box.topLeft())
    if part is None:
        if options.background == "transparent":
            _paint_chequers(painter, box)
        yield from paint_steps(painter, sheet, options)
    else:
        painter.fillRect(QRectF(0, 0, box.width(), box.height()), QColor(Qt.GlobalColor.white))
        border = BORDER / sheet.mm
        painter.translate(border, border)
        painter.setClipRect(
            QRectF(0, 0, part.width(), part.height()), Qt.ClipOperation.IntersectClip
        )
        painter.translate(-part.left(), -part.top())
        yield from paint_steps(painter, sheet, options, part.adjusted(-8, -8, 8, 8))


def _paint_chequers(painter: QPainter, box: QRectF) -> None:
    """What shows through a transparent picture."""
    painter.fillRect(QRectF(0, 0, box.width(), box.height()), QColor(Qt.GlobalColor.white))
    painter.fillRect(
        QRectF(0, 0, box.width(), box.height()),
        Qt.BrushStyle.Dense6Pattern,
    )
