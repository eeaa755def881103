"""Sheets as files: SVG and PNG with the sheets below one another, PDF with a page for each.

Everything here needs a QGuiApplication; `render.export.ensure_gui` makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor
from typing import Literal

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from topoedit.errors import BadInputError, CancelledError
from topoedit.render.ink import Ink, TextLog
from topoedit.render.pdf import name_pdf, steady_order, without_dates
from topoedit.render.png_stream import png_bytes
from topoedit.render.theme import Theme
from topoedit.units import format_number

Format = Literal["svg", "png", "pdf"]
MOST_PIXELS = 400e6
_BAND_PIXELS = 8e6
_DOTS = 1200  # per inch, of a PDF: places of letters are whole dots


@dataclass(frozen=True)
class Sheet:
    """One sheet: its size in pixels, and what paints it from its top left corner."""

    width: float
    height: float
    paint: Callable[[Ink], None]


@dataclass(frozen=True)
class SheetOptions:
    """How sheets are written.

    Attributes:
        theme: `light` or `dark`; scale: enlargement; title: of the file.
        log: collects the boxes of all texts.
        progress: told before each sheet how far it is; cancel: asked whether to stop.
    """

    theme: str = "light"
    scale: float = 1.0
    title: str = ""
    log: TextLog | None = None
    progress: Callable[[str, float], None] | None = None
    cancel: Callable[[], bool] | None = None

    def step(self, done: float) -> None:
        """Say how far it is; raises CancelledError if it shall stop."""
        if self.cancel is not None and self.cancel():
            raise CancelledError("stopped; no file was written")
        if self.progress is not None:
            self.progress("Painting the floor", done)


def sheets_bytes(sheets: Sequence[Sheet], kind: Format, options: SheetOptions) -> bytes:
    """A whole file.

    Raises:
        BadInputError: the scale is out of bounds, or the picture would be too large.
        CancelledError: `cancel` said so.
    """
    check_scale(options.scale)
    writer = {"svg": _svg, "png": _png, "pdf": _pdf}[kind]
    return writer(sheets, Theme.load(options.theme), options)


def check_scale(scale: float) -> None:
    """Raise BadInputError if a picture cannot be enlarged so."""
    if not 0.01 <= scale <= 100:
        raise BadInputError("a scale lies between 0.01 and 100", f"--scale {scale:g}")


def _whole(sheets: Sequence[Sheet]) -> tuple[float, float]:
    return max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets)


def _paint(
    painter: QPainter, sheets: Sequence[Sheet], theme: Theme, log: TextLog, options: SheetOptions
) -> None:
    width, height = _whole(sheets)
    painter.fillRect(QRectF(0, 0, width, height), theme.color("canvas.page"))
    for number, sheet in enumerate(sheets):
        options.step(number / len(sheets))
        _paint_one(painter, sheet, theme, log)
        painter.translate(0, sheet.height)


def _paint_one(painter: QPainter, sheet: Sheet, theme: Theme, log: TextLog | None) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    sheet.paint(Ink(painter, theme, log))


def _svg(sheets: Sequence[Sheet], theme: Theme, options: SheetOptions) -> bytes:
    width, height = _whole(sheets)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    generator.setSize(QSizeF(width * options.scale, height * options.scale).toSize())
    generator.setViewBox(QRect(0, 0, round(width), round(height)))
    generator.setTitle(options.title)
    log = options.log or TextLog()
    before = len(log.advances)
    with QPainter(generator) as painter:
        _paint(painter, sheets, theme, log, options)
    buffer.close()
    return _with_lengths(bytes(data.data()), log.advances[before:])


def _with_lengths(svg: bytes, advances: Sequence[float]) -> bytes:
    """State how wide each text is, so that it fits where Inter is not installed."""
    head, *rest = svg.split(b"<text ")
    if len(rest) != len(advances):  # a letter came from another font, and a text fell in two
        return svg
    parts = [head]
    for advance, tail in zip(advances, rest, strict=True):
        parts.append(b'<text textLength="%.1f" lengthAdjust="spacingAndGlyphs" ' % advance + tail)
    return b"".join(parts)


def _pdf(sheets: Sequence[Sheet], theme: Theme, options: SheetOptions) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with steady_order():
        _paint_pages(buffer, sheets, theme, options)
    buffer.close()
    return without_dates(bytes(data.data()))


def _paint_pages(
    buffer: QBuffer, sheets: Sequence[Sheet], theme: Theme, options: SheetOptions
) -> None:
    writer = QPdfWriter(buffer)
    name_pdf(writer, options.title)
    writer.setResolution(_DOTS)
    factor = _DOTS / 96 * options.scale
    _page_size(writer, sheets[0], options.scale)
    with QPainter(writer) as painter:
        for number, sheet in enumerate(sheets):
            options.step(number / len(sheets))
            if number:
                _page_size(writer, sheet, options.scale)
                writer.newPage()
            painter.resetTransform()
            painter.scale(factor, factor)
            painter.fillRect(QRectF(0, 0, sheet.width, sheet.height), theme.color("canvas.page"))
            _paint_one(painter, sheet, theme, options.log)


def _page_size(writer: QPdfWriter, sheet: Sheet, scale: float) -> None:
    points = 72 / 96 * scale
    size = QSizeF(sheet.width * points, sheet.height * points)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))


def _png(sheets: Sequence[Sheet], theme: Theme, options: SheetOptions) -> bytes:
    whole = _whole(sheets)
    width, height = (max(1, round(size * options.scale)) for size in whole)
    if width * height > MOST_PIXELS:
        raise BadInputError(
            f"a picture of {format_number(width)} × {format_number(height)} pixels is too large",
            f"--scale {options.scale:g}",
            f"Use --scale {options.scale * (MOST_PIXELS / width / height) ** 0.5:.2g} or less, "
            "one room, or a PDF",
        )
    rows = max(64, min(height, int(_BAND_PIXELS / width)))

    def band(top: int, count: int) -> QImage:
        options.step(top / height)
        image = QImage(width, count, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            painter.translate(QPointF(0, -top))
            painter.scale(options.scale, options.scale)
            first, last = floor(top / options.scale), (top + count) / options.scale
            painter.fillRect(QRectF(0, 0, *whole), theme.color("canvas.page"))
            y = 0.0
            for sheet in sheets:
                if y + sheet.height >= first and y <= last:
                    _paint_one(painter, sheet, theme, options.log)
                painter.translate(0, sheet.height)
                y += sheet.height
        return image

    return png_bytes(width, height, band, rows, 96 * options.scale)
