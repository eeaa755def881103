"""Pictures of a drawing as files: SVG with real text, PNG of any size, PDF on one page.

Everything here needs a QGuiApplication; `ensure_gui` makes one that works without a display.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import floor
from typing import Literal

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from topoedit.errors import BadInputError
from topoedit.render import legend as legend_
from topoedit.render.diagram import PaintOptions, paint_diagram
from topoedit.render.grouping import Box
from topoedit.render.ink import Ink, TextLog
from topoedit.render.links import visible_strokes
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View
from topoedit.units import format_number

Format = Literal["svg", "png", "pdf"]

MARGIN = 32.0
FOOTER, PLAIN_FOOTER = legend_.HEIGHT + 2 * 20.0, 84.0
LONGEST_SIDE = 6000.0
"""Larger drawings are drawn smaller, with less detail, unless a scale asks for more."""
MOST_PIXELS = 600e6
MOST_VECTOR_LINES = 60_000
_BAND_PIXELS = 8e6
_BYTES_PER_PIXEL = 0.12  # of diagrams, measured on the samples; only for an estimate
_NARROWEST = 640.0


@dataclass(frozen=True)
class ExportOptions:
    """How a picture is made.

    Attributes:
        theme: `light` or `dark`.
        scale: enlargement; 1 is one pixel a canvas unit for all but very large drawings.
        selection: ids of the elements to show; None for the whole drawing.
        title: name under the diagram.
        lines: further lines under it, for example the plan and its step time.
        metric: name of the figure that colours the lines.
        footer: draw title and legend.
        log: collects the boxes of all texts.
    """

    theme: str = "light"
    scale: float = 1.0
    selection: tuple[str, ...] | None = None
    title: str = ""
    lines: tuple[str, ...] = ()
    metric: str = "Demand"
    footer: bool = True
    log: TextLog | None = None


@dataclass(frozen=True)
class Sheet:
    """The layout of a picture in logical pixels, before any enlargement.

    Attributes:
        view: the diagram's part of the sheet.
        width, height: of the sheet with its footer.
        ratio: device pixels a logical pixel.
    """

    view: View
    width: float
    height: float
    ratio: float

    @property
    def pixels(self) -> tuple[int, int]:
        """Size of a PNG."""
        return max(1, round(self.width * self.ratio)), max(1, round(self.height * self.ratio))

    @property
    def estimated_bytes(self) -> int:
        """About how large a PNG will be."""
        width, height = self.pixels
        return round(width * height * _BYTES_PER_PIXEL)


def ensure_gui() -> QGuiApplication:
    """The running application, or a new one that paints into memory.

    A picture needs no window: on systems where a display may be missing, or be named and not
    answer, none is asked for. Elsewhere the system's own platform has the better fonts.
    """
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    if sys.platform not in ("win32", "darwin"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return QGuiApplication(sys.argv[:1])


def plan_sheet(scene: DiagramScene, options: ExportOptions) -> Sheet:
    """Size and zoom of a picture.

    Raises:
        BadInputError: the scale is not a positive number, or a selected element does not exist.
    """
    if not 0.01 <= options.scale <= 100:
        raise BadInputError("a scale lies between 0.01 and 100", f"--scale {options.scale:g}")
    left, top, right, bottom = _box(scene, options.selection)
    longest = max(right - left, bottom - top, 1.0)
    asked = min(1.0, LONGEST_SIDE / longest) * options.scale
    zoom = min(1.0, asked)
    width = max((right - left) * zoom + 2 * MARGIN, _NARROWEST if options.footer else 1.0)
    height = (bottom - top) * zoom + 2 * MARGIN
    x = (left + right) / 2 - width / 2 / zoom
    y = top - MARGIN / zoom
    view = View.at(x, y, zoom, width, height)
    footer = FOOTER if scene.analysed or options.lines else PLAIN_FOOTER
    return Sheet(view, width, height + (footer if options.footer else 0), asked / zoom)


def _box(scene: DiagramScene, selection: Iterable[str] | None) -> Box:
    if selection is None:
        return scene.bounds()
    wanted = list(selection)
    for element_id in wanted:
        if element_id not in scene.document:
            raise BadInputError("there is no such element", f'--selection "{element_id}"')
    return scene.bounds(wanted)


def paint_sheet(
    painter: QPainter, scene: DiagramScene, sheet: Sheet, options: ExportOptions,
    part: QRectF | None = None, smooth: bool | None = True,
) -> None:  # fmt: skip
    """Paint diagram, title and legend; only what meets `part` of the sheet, if it is given."""
    theme = Theme.load(options.theme)
    painter.fillRect(QRectF(0, 0, sheet.width, sheet.height), theme.color("canvas.bg"))
    view = sheet.view if part is None else _narrowed(sheet.view, part)
    if view.height > 0:
        painter.save()
        painter.setClipRect(QRectF(0, 0, sheet.view.width, sheet.view.height))
        offset = 0.0 if part is None else max(part.top(), 0.0)
        painter.translate(0, offset)
        chosen = PaintOptions(
            background=False, smooth=smooth, whole=None if part is None else sheet.view,
            log=options.log,
        )  # fmt: skip
        paint_diagram(painter, scene, theme, view, chosen)
        painter.restore()
    if options.footer:
        _paint_footer(painter, scene, theme, sheet, options)


def _narrowed(view: View, part: QRectF) -> View:
    """The rows of a view that a band of the sheet shows."""
    top = min(max(part.top(), 0.0), view.height)
    bottom = min(max(part.bottom(), 0.0), view.height)
    return View(view.x, view.y + top / view.scale, view.scale, view.width, bottom - top, view.level)


def _paint_footer(
    painter: QPainter, scene: DiagramScene, theme: Theme, sheet: Sheet, options: ExportOptions
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    ink = Ink(painter, theme, options.log)
    top = sheet.view.height
    ink.rule(0, round(top), sheet.width, "border.subtle")
    y = top + 20
    room = sheet.width - 2 * MARGIN
    if scene.analysed:
        right = sheet.width - MARGIN - legend_.WIDTH
        shown = legend_.Legend(metric=options.metric, menus=False)
        legend_.draw_legend(ink, right, y, shown)
        room -= legend_.WIDTH + 24
    title = options.title or scene.document.settings.name or "Untitled"
    ink.text(MARGIN, y, title, 14, 600, "text.primary", width=room, height=20, elide="middle")
    for index, line in enumerate((counts_line(scene), *options.lines)[:4]):
        ink.text(
            MARGIN, y + 24 + 17 * index, line, 11, 400, "text.secondary", width=room, height=16
        )


def counts_line(scene: DiagramScene) -> str:
    """How many GPUs, switches and cables the drawing has."""
    kinds = [d.kind for d in scene.document.devices.values()]
    servers = kinds.count("server")
    switches = sum(kind in ("leaf", "spine", "core", "switch") for kind in kinds)
    gpus = scene.devices.gpus
    known = "GPUs unknown" if (gpus < 0).any() else f"{format_number(int(gpus.sum()))} GPUs"
    cables = int(scene.links.count.sum())
    parts = [
        known,
        _some(servers, "server"),
        _some(switches, "switch", "switches"),
        _some(cables, "cable"),
    ]
    return " · ".join(parts)


def _some(count: int, one: str, many: str = "") -> str:
    return f"{format_number(count)} {one if count == 1 else many or one + 's'}"


# -- formats ------------------------------------------------------------------------------------


def picture_bytes(scene: DiagramScene, kind: Format, options: ExportOptions) -> bytes:
    """A whole file.

    Raises:
        BadInputError: the picture would be too large to be of use; says what to do.
    """
    ensure_gui()
    sheet = plan_sheet(scene, options)
    if kind != "png":
        _check_lines(scene, sheet, kind)
    return {"svg": _svg, "png": _png, "pdf": _pdf}[kind](scene, sheet, options)


def _check_lines(scene: DiagramScene, sheet: Sheet, kind: Format) -> None:
    count = len(visible_strokes(scene, sheet.view))
    if count > MOST_VECTOR_LINES:
        raise BadInputError(
            f"{format_number(count)} links are too many for a {kind.upper()} file",
            mend="Collapse pods or racks, or export a PNG",
        )


def _svg(scene: DiagramScene, sheet: Sheet, options: ExportOptions) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    width, height = sheet.pixels
    generator.setResolution(96)
    generator.setSize(QSizeF(width, height).toSize())
    generator.setViewBox(QRect(0, 0, round(sheet.width), round(sheet.height)))
    generator.setTitle(options.title or scene.document.settings.name)
    generator.setDescription(" · ".join((counts_line(scene), *options.lines)))
    log = options.log or TextLog()
    painter = QPainter(generator)
    paint_sheet(painter, scene, sheet, replace(options, log=log))
    painter.end()
    buffer.close()
    return _with_text_lengths(bytes(data.data()), log.advances)


def _with_text_lengths(svg: bytes, advances: list[float]) -> bytes:
    """State how wide each text is, so that it fits where Inter is not installed."""
    head, *rest = svg.split(b"<text ")
    if len(rest) != len(advances):  # a letter came from another font, and a text fell in two
        return svg
    parts = [head]
    for advance, tail in zip(advances, rest, strict=True):
        parts.append(b'<text textLength="%.1f" lengthAdjust="spacingAndGlyphs" ' % advance + tail)
    return b"".join(parts)


def _pdf(scene: DiagramScene, sheet: Sheet, options: ExportOptions) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(options.title or scene.document.settings.name)
    writer.setCreator("topoedit")
    points = 72 / 96 * sheet.ratio
    size = QSizeF(sheet.width * points, sheet.height * points)
    writer.setPageSize(
        QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    )
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(1200)
    painter = QPainter(writer)
    factor = 1200 / 96 * sheet.ratio
    painter.scale(factor, factor)
    paint_sheet(painter, scene, sheet, options)
    painter.end()
    buffer.close()
    return bytes(data.data())


def _png(scene: DiagramScene, sheet: Sheet, options: ExportOptions) -> bytes:
    from topoedit.render.png_stream import png_bytes

    width, height = sheet.pixels
    if width * height > MOST_PIXELS:
        raise BadInputError(
            f"a picture of {format_number(width)} × {format_number(height)} pixels is too large"
            f" (about {format_number(sheet.estimated_bytes / 1e6)} MB)",
            f"--scale {options.scale:g}",
            f"Use a scale of at most {options.scale * (MOST_PIXELS / width / height) ** 0.5:.2g}",
        )
    smooth = None if len(visible_strokes(scene, sheet.view)) > MOST_VECTOR_LINES else True

    def band(top: int, rows: int) -> QImage:
        image = QImage(width, rows, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        painter.translate(QPointF(0, -top))
        painter.scale(sheet.ratio, sheet.ratio)
        first = floor(top / sheet.ratio) - 24  # whole pixels: bands must round alike
        part = QRectF(0, first, sheet.width, rows / sheet.ratio + 50)
        whole = rows >= height
        paint_sheet(painter, scene, sheet, options, None if whole else part, smooth)
        painter.end()
        return image

    rows = max(64, min(height, int(_BAND_PIXELS / width)))
    return png_bytes(width, height, band, rows, 96 * sheet.ratio)
