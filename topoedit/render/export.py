"""Pictures of a drawing as files: SVG with real text, PNG of any size, PDF on one page or many.

Everything here needs a QGuiApplication; `ensure_gui` makes one that works without a display.
"""

from __future__ import annotations

import base64
import os
import sys
import zlib
from collections.abc import Generator
from dataclasses import dataclass, replace
from math import floor
from typing import Literal

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from topoedit.errors import BadInputError
from topoedit.render.ink import TextLog
from topoedit.render.pdf import pdf_steps
from topoedit.render.png_stream import png_steps, text_chunk
from topoedit.render.scene import DiagramScene
from topoedit.render.sheet import (
    ExportOptions,
    Sheet,
    counts_line,
    line_count,
    paint_steps,
    plan_sheet,
)
from topoedit.units import format_number

__all__ = [
    "ExportOptions", "Format", "Size", "counts_line", "ensure_gui", "estimate", "picture_bytes",
    "picture_image", "picture_steps", "plan_sheet", "size_of",
]  # fmt: skip

Format = Literal["svg", "png", "pdf"]
Steps = Generator[float, None, bytes]

DRAWING_KEY = "topoedit"
"""Keyword of the PNG text and id of the SVG metadata that hold the drawing itself."""
MOST_PIXELS = 600e6
MOST_VECTOR_LINES = 60_000
MOST_COMPLETE_LINES = 1_000_000
MOST_DRAWING_BYTES = 64_000_000
_BAND_PIXELS = 8e6
# Bytes of files from afar and near by, fitted to the samples; only for an estimate.
_PER_LINE: dict[Format, tuple[float, float]] = {
    "svg": (190, 1200), "pdf": (13, 130), "png": (25, 700),
}  # fmt: skip
_PER_DEVICE: dict[Format, tuple[float, float]] = {
    "svg": (400, 12_000), "pdf": (60, 900), "png": (100, 1500),
}  # fmt: skip
_PER_PAGE: dict[Format, float] = {"svg": 3_000, "pdf": 14_000, "png": 4_000}
_PNG_PER_PIXEL = 0.03


@dataclass(frozen=True)
class Size:
    """What a picture will be, before it is made.

    Attributes:
        width, height: pixels of a PNG; of an SVG and PDF at 96 to the inch.
        bytes: about how large the file will be.
        columns, rows: of pages, 1 and 1 for a picture that is not on paper.
        paper: name of the paper, "" for none, with how it lies.
        lines: links drawn.
        collapsed: pods are shown as tiles because the drawing is large.
    """

    width: int
    height: int
    bytes: int
    columns: int
    rows: int
    paper: str
    lines: int
    collapsed: bool

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return self.columns * self.rows

    @property
    def words(self) -> str:
        """One line for people."""
        size = f"about {_rough_bytes(self.bytes)}"
        if self.paper:
            count = f"{self.pages} page{'' if self.pages == 1 else 's'} {self.paper}"
            grid = f", {self.columns} × {self.rows}" if self.pages > 1 else ""
            what = f"{count}{grid}"
        else:
            what = f"{format_number(self.width)} × {format_number(self.height)} pixels"
        closed = " · pods closed" if self.collapsed else ""
        return f"{what} · {size}{closed}"


def _rough_bytes(count: int) -> str:
    if count >= 950_000:
        return f"{count / 1e6:.0f} MB" if count >= 9.5e6 else f"{count / 1e6:.1f} MB"
    return f"{max(round(count / 1e3), 1)} kB"


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


def estimate(scene: DiagramScene, kind: Format, options: ExportOptions) -> Size:
    """How large a picture will be; nothing is painted.

    Raises:
        BadInputError: as `picture_bytes`, but for a picture that is too large.
    """
    ensure_gui()
    return size_of(plan_sheet(scene, options), kind, options)


def size_of(sheet: Sheet, kind: Format, options: ExportOptions) -> Size:
    """How large the picture of a sheet will be."""
    width, height = sheet.pixels
    lines = line_count(sheet)
    devices = int(sheet.scene.for_scale(sheet.view.scale).shown_devices().sum())
    columns, rows, landscape = sheet.paper or (1, 1, False)
    near = min(max((sheet.view.scale - 0.1) / 0.6, 0.0), 1.0)
    drawn = lines * _between(_PER_LINE[kind], near) + devices * _between(_PER_DEVICE[kind], near)
    count = columns * rows * _PER_PAGE[kind]
    if kind == "png":  # what is drawn grows with the enlargement, the ground with its square
        count += width * height * _PNG_PER_PIXEL + drawn * sheet.ratio
    else:
        count += drawn
    if options.drawing is not None and kind != "pdf":
        count += len(options.drawing) * (0.06 if kind == "png" else 0.08)
    paper = "" if options.poster is None else options.poster.paper
    way = f" {'landscape' if landscape else 'portrait'}" if paper else ""
    return Size(width, height, round(count), columns, rows, f"{paper}{way}", lines, sheet.collapsed)


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * share


# -- formats ------------------------------------------------------------------------------------


def picture_bytes(scene: DiagramScene, kind: Format, options: ExportOptions) -> bytes:
    """A whole file.

    Raises:
        BadInputError: the picture would be too large to be of use; says what to do.
    """
    steps = picture_steps(scene, kind, options)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return bytes(done.value)


def picture_steps(scene: DiagramScene, kind: Format, options: ExportOptions) -> Steps:
    """A whole file in small steps; closing the generator gives it up.

    Yields:
        How much is done, 0 to 1.

    Raises:
        BadInputError: at once or at the first step, see `picture_bytes`.
    """
    ensure_gui()
    if options.poster is not None and kind != "pdf":
        raise BadInputError("only a PDF can be laid on paper", mend="Name the file .pdf")
    if options.drawing is not None and len(options.drawing) > MOST_DRAWING_BYTES:
        raise BadInputError(
            "the drawing is too large to put into its picture",
            mend=f"Up to {MOST_DRAWING_BYTES // 1_000_000} MB can be; export it without",
        )
    sheet = plan_sheet(scene, options)
    if kind != "png":
        _check_lines(sheet, kind, options)
    return {"svg": _svg, "png": _png, "pdf": pdf_steps}[kind](sheet, options)


def _check_lines(sheet: Sheet, kind: Format, options: ExportOptions) -> None:
    count = line_count(sheet)
    if count > MOST_COMPLETE_LINES or (count > MOST_VECTOR_LINES and not options.complete):
        raise BadInputError(
            f"{format_number(count)} links are too many for a {kind.upper()} file",
            mend="Collapse pods or racks, export a PNG, or ask for the complete drawing",
        )


def _svg(sheet: Sheet, options: ExportOptions) -> Steps:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    width, height = sheet.pixels
    generator.setResolution(96)
    generator.setSize(QSizeF(width, height).toSize())
    generator.setViewBox(QRect(0, 0, round(sheet.width), round(sheet.height)))
    generator.setTitle(options.title or sheet.scene.document.settings.name)
    generator.setDescription(" · ".join((counts_line(sheet.scene), *options.lines)))
    log = options.log or TextLog()
    with QPainter(generator) as painter:
        yield from paint_steps(painter, sheet, replace(options, log=log))
    buffer.close()
    svg = _with_text_lengths(bytes(data.data()), log.advances)
    return svg if options.drawing is None else _with_drawing(svg, options.drawing)


def _with_text_lengths(svg: bytes, advances: list[float]) -> bytes:
    """State how wide each text is, so that it fits where Inter is not installed."""
    head, *rest = svg.split(b"<text ")
    if len(rest) != len(advances):  # a letter came from another font, and a text fell in two
        return svg
    parts = [head]
    for advance, tail in zip(advances, rest, strict=True):
        parts.append(b'<text textLength="%.1f" lengthAdjust="spacingAndGlyphs" ' % advance + tail)
    return b"".join(parts)


def _with_drawing(svg: bytes, drawing: bytes) -> bytes:
    """The same picture with the drawing in its metadata, packed."""
    packed = base64.b64encode(zlib.compress(drawing, 9))
    text = b'<metadata id="%s">%s</metadata>\n' % (DRAWING_KEY.encode(), packed)
    head, defs, tail = svg.partition(b"<defs>")
    return head + text + defs + tail


def _png(sheet: Sheet, options: ExportOptions) -> Steps:
    width, height = sheet.pixels
    if width * height > MOST_PIXELS:
        raise BadInputError(
            f"a picture of {format_number(width)} × {format_number(height)} pixels is too large"
            f" (about {_rough_bytes(size_of(sheet, 'png', options).bytes)})",
            f"--scale {options.scale:g}",
            f"Use a scale of at most {options.scale * (MOST_PIXELS / width / height) ** 0.5:.2g}",
        )
    rows = max(64, min(height, int(_BAND_PIXELS / width)))
    drawing = options.drawing
    return (
        yield from png_steps(
            width, height, lambda top, count: _band(sheet, options, top, count), rows,
            96 * sheet.ratio, alpha=options.background == "transparent",
            chunks=b"" if drawing is None else text_chunk(DRAWING_KEY, drawing),
        )
    )  # fmt: skip


def _band(sheet: Sheet, options: ExportOptions, top: int, rows: int) -> QImage:
    """Some rows of a picture."""
    width, height = sheet.pixels
    clear = options.background == "transparent"
    kinds = QImage.Format
    image = QImage(width, rows, kinds.Format_ARGB32_Premultiplied if clear else kinds.Format_RGB32)
    image.fill(Qt.GlobalColor.transparent if clear else Qt.GlobalColor.white)
    smooth = None if line_count(sheet) > MOST_VECTOR_LINES else True
    with QPainter(image) as painter:
        painter.translate(QPointF(0, -top))
        painter.scale(sheet.ratio, sheet.ratio)
        first = floor(top / sheet.ratio) - 24  # whole pixels: bands must round alike
        part = QRectF(0, first, sheet.width, rows / sheet.ratio + 50)
        for _ in paint_steps(painter, sheet, options, None if rows >= height else part, smooth):
            pass
    return image


def picture_image(scene: DiagramScene, options: ExportOptions) -> QImage:
    """A picture in memory, for the clipboard or a preview.

    Raises:
        BadInputError: it would have more than a tenth of `MOST_PIXELS`.
    """
    ensure_gui()
    sheet = plan_sheet(scene, options)
    width, height = sheet.pixels
    if width * height > MOST_PIXELS / 10:
        raise BadInputError(
            f"{format_number(width)} × {format_number(height)} pixels are too many to copy",
            mend="Export a file, or select a part of the drawing",
        )
    return _band(sheet, options, 0, height)
