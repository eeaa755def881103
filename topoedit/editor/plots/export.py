"""Files of a chart: SVG and PNG as painted on the screen, with title and legend; CSV."""

from __future__ import annotations

import html
import re

from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from topoedit.editor.plots.chart import Chart
from topoedit.render.bars import draw_swatch
from topoedit.render.ink import Ink, text_width
from topoedit.render.loadcodes import FIRST_BIN
from topoedit.render.theme import Theme

_TEXT = re.compile(
    r'<text [^>]*?font-size="(?P<px>[0-9.]+)" font-weight="(?P<weight>[0-9]+)"[^>]*>'
    r"(?P<text>[^<]*)</text>"
)
WIDTH, HEIGHT, MARGIN = 960, 420, 24
_TOP, _ROW = 76, 22


def svg_bytes(chart: Chart, theme: Theme) -> bytes:
    """The chart as SVG, texts as texts."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setTitle(chart.title)
    made.setDescription(chart.spoken)
    made.setSize(QSize(WIDTH, HEIGHT))
    made.setViewBox(QRect(0, 0, WIDTH, HEIGHT))
    made.setResolution(96)
    with QPainter(made) as painter:
        _paint(painter, chart, theme)
    return _with_lengths(bytes(buffer.data().data()).decode(), theme).encode()


def _with_lengths(svg: str, theme: Theme) -> str:
    """State how wide each text is, so that it fits where Inter is not installed."""

    def widened(found: re.Match[str]) -> str:
        text = html.unescape(found["text"]).strip()
        if not text:
            return found[0]
        width = text_width(theme, text, round(float(found["px"])), int(found["weight"]))
        return f'<text textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs" {found[0][6:]}'

    return _TEXT.sub(widened, svg)


def png_bytes(chart: Chart, theme: Theme, scale: float = 2.0) -> bytes:
    """The chart as PNG with `scale` pixels for each one of the screen."""
    image = QImage(round(WIDTH * scale), round(HEIGHT * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    with QPainter(image) as painter:
        _paint(painter, chart, theme)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def _paint(painter: QPainter, chart: Chart, theme: Theme) -> None:
    """Title, legend and axes at their natural size."""
    from topoedit.editor.plots.drawing import Drawn
    from topoedit.editor.plots.surface import make_surface

    ink = Ink(painter, theme)
    painter.fillRect(0, 0, WIDTH, HEIGHT, theme.color("surface.panel"))
    ink.text(MARGIN, 20, chart.title, 14, 600)
    ink.text(WIDTH - MARGIN, 20, chart.note, 11, 400, "text.tertiary", "right")
    top = _legend(ink, chart, 46) + 10
    surface = make_surface()
    surface.resize(WIDTH - MARGIN, HEIGHT - top - 12)
    surface.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    surface.show()  # lays everything out at once
    drawn = Drawn(surface, chart, theme)
    drawn.settle()
    target = QRectF(MARGIN / 2, top, surface.width(), surface.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)  # axes are drawn with the brush that they find
    surface.render(painter, target, surface.rect(), Qt.AspectRatioMode.IgnoreAspectRatio)
    surface.close()
    surface.deleteLater()


def _legend(ink: Ink, chart: Chart, y: int) -> int:
    """Swatches with names and figures, as many rows as needed; returns where they end."""
    x = float(MARGIN)
    for key in chart.keys:
        width = 16 + ink.width_of(key.name, 11) + 8 + ink.width_of(key.figure, 11, 600) + 22
        if x + width > WIDTH - MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + _ROW
        draw_key(ink, x, y + 4, key.color, key.dash)
        end = ink.text(x + 16, y, key.name, 11, 400, "text.secondary")
        ink.text(end + 8, y, key.figure, 11, 600)
        x += width
    return y + _ROW


def draw_key(
    ink: Ink, x: float, y: float, color: str | int, dash: tuple[float, ...] | None
) -> None:  # fmt: skip
    """The swatch of a legend row: a square, or a piece of the line."""
    if dash is not None:
        path = str(color)
        ink.line(x - 2, y + 4, x + 10, y + 4, path, 2, dash)
    elif isinstance(color, int):
        ink.box(x, y, 8, 8, ink.theme.load_color(FIRST_BIN + color), None, 2)
    else:
        draw_swatch(ink, x, y, color)
