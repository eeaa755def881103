"""A4 pages of a PDF to write and draw on: text that can be selected, vectors, no widgets.

Units are pixels of 96 an inch, y downwards; colours are #RRGGBB.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Literal
from uuid import UUID, uuid5

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QPointF,
    QRectF,
    Qt,
    QUuid,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageSize, QPainter, QPdfWriter, QPen

from topoedit.render.export import ensure_gui
from topoedit.render.icons import draw_icon
from topoedit.render.pdf import without_dates
from topoedit.render.report_figure import ReportFigure
from topoedit.render.theme import Theme, blend

_DPI = 1200
_NAMESPACE = UUID("0b7c1a52-3a0c-5e57-9d0e-5c1c2f6a8e41")
_XMP = """<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="{author}">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end='w'?>
"""
Align = Literal["left", "center", "right"]


class Ruler:
    """Measures text; both kinds of paper are one."""

    @staticmethod
    def width_of(text: str, px: int = 11, weight: int = 400) -> float:
        """Width of a line of text."""
        return width_of(text, px, weight)

    @staticmethod
    def wrapped(text: str, px: int, weight: int, width: float, most: int = 0) -> list[str]:
        """A text broken into lines; see `wrapped`."""
        return wrapped(text, px, weight, width, most)

    @staticmethod
    def fitting(text: str, px: int, weight: int, width: float) -> str:
        """A text cut to a width, with an ellipsis."""
        return fitting(text, px, weight, width)


class Paper(Ruler):
    """A PDF that grows page by page; nothing in it tells when it was made.

    Args:
        title: of the document.
        author: who is named as its maker.
    """

    def __init__(self, title: str, author: str = "topoedit") -> None:
        ensure_gui()
        self._theme = Theme.load("light")
        self._data = QByteArray()
        self._buffer = QBuffer(self._data)
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._writer = QPdfWriter(self._buffer)
        QHashSeed.setDeterministicGlobalSeed()  # the order of its objects follows Qt's hashes
        self._writer.setTitle(title)
        self._writer.setCreator(author)
        self._writer.setDocumentId(QUuid(str(uuid5(_NAMESPACE, title))))
        xmp = _XMP.format(title=escape(title), author=escape(author))
        self._writer.setDocumentXmpMetadata(QByteArray(xmp.encode("utf-8", "replace")))
        self._writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        self._writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        self._writer.setResolution(_DPI)
        self._painter = QPainter(self._writer)
        self._painter.scale(_DPI / 96, _DPI / 96)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self.pages = 1

    def new_page(self) -> None:
        """Go on to the next page."""
        self._writer.newPage()
        self.pages += 1

    def finish(self) -> bytes:
        """The whole file; nothing can be drawn after it."""
        self.close()
        self._buffer.close()
        return without_dates(bytes(self._data.data()))

    def close(self) -> None:
        """End painting without a result, after something went wrong."""
        if self._painter.isActive():
            self._painter.end()
            QHashSeed.resetRandomGlobalSeed()

    # -- shapes --------------------------------------------------------------------------------

    def box(
        self, x: float, y: float, w: float, h: float, fill: str = "", radius: float = 0.0,
        edge: str = "",
    ) -> None:  # fmt: skip
        """A rectangle, filled, outlined or both."""
        if w <= 0 or h <= 0:
            return
        painter = self._painter
        painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(edge), 0.75) if edge else Qt.PenStyle.NoPen)
        rect = QRectF(x, y, max(w, 0.0), max(h, 0.0))
        if radius:
            painter.drawRoundedRect(rect, radius, radius)
        else:
            painter.drawRect(rect)

    def hatch(self, x: float, y: float, w: float, h: float) -> None:
        """The pattern of waiting: slanted lines on a quiet ground, cut at its edges.

        They are cut here and not by the painter, whose paths outside a clip are faulty in a PDF.
        """
        self.box(x, y, w, h, self._theme.hex("breakdown.bubble"))
        color = blend(
            self._theme.color("text.tertiary"), self._theme.color("breakdown.bubble"), 0.55
        ).name()
        start = x - h + 2.5
        while start < x + w:
            left, right = max(start, x), min(start + h, x + w)
            if right > left:
                self.line(left, y + h - (left - start), right, y + h - (right - start), color)
            start += 5

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: str, width: float = 0.75
    ) -> None:
        """A straight line."""
        self._painter.setPen(QPen(QColor(color), width))
        self._painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))

    def icon(self, name: str, x: float, y: float, size: float, color: str) -> None:
        """One of the product's icons."""
        draw_icon(self._painter, name, QRectF(x, y, size, size), QColor(color))

    def figure(self, figure: ReportFigure, x: float, y: float, width: float) -> None:
        """A diagram, scaled to a width."""
        painter = self._painter
        factor = width / figure.width
        painter.save()
        painter.translate(x, y)
        painter.scale(factor, factor)
        painter.setClipRect(QRectF(0, 0, figure.width, figure.height))
        figure.paint(painter)
        painter.restore()

    # -- text ----------------------------------------------------------------------------------

    def text(
        self, x: float, y: float, text: str, px: int = 11, weight: int = 400,
        color: str = "", align: Align = "left", turned: bool = False,
    ) -> float:  # fmt: skip
        """One line of text on the base line `y`; turned, it runs upwards.

        Returns:
            Its width.
        """
        advance = width_of(text, px, weight)
        painter = self._painter
        painter.setFont(_font(px, weight))
        painter.setPen(QColor(color) if color else self._theme.color("text.primary"))
        left = {"left": 0.0, "center": -advance / 2, "right": -advance}[align]
        if turned:
            painter.save()
            painter.translate(x, y)
            painter.rotate(-90)
            painter.drawText(QPointF(left, 0), text)
            painter.restore()
        else:
            painter.drawText(QPointF(x + left, y), text)
        return advance


class DryPaper(Ruler):
    """Takes what a `Paper` takes and draws nothing: for finding out what lands on which page."""

    def __init__(self) -> None:
        ensure_gui()
        self.pages = 1

    def new_page(self) -> None:
        """Go on to the next page."""
        self.pages += 1

    def box(
        self, x: float, y: float, w: float, h: float, fill: str = "", radius: float = 0.0,
        edge: str = "",
    ) -> None:  # fmt: skip
        """Nothing."""

    def hatch(self, x: float, y: float, w: float, h: float) -> None:
        """Nothing."""

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: str, width: float = 0.75
    ) -> None:
        """Nothing."""

    def icon(self, name: str, x: float, y: float, size: float, color: str) -> None:
        """Nothing."""

    def figure(self, figure: ReportFigure, x: float, y: float, width: float) -> None:
        """Nothing."""

    def text(
        self, x: float, y: float, text: str, px: int = 11, weight: int = 400,
        color: str = "", align: Align = "left", turned: bool = False,
    ) -> float:  # fmt: skip
        """The width that the text would have."""
        return width_of(text, px, weight)


AnyPaper = Paper | DryPaper


@lru_cache(maxsize=64)
def _font(px: int, weight: int) -> QFont:
    """A font without alternate glyphs, for a PDF cannot tell which letters those stand for."""
    return Theme.load("light").sized_font(px, weight, True)


@lru_cache(maxsize=64)
def _metrics(px: int, weight: int) -> QFontMetricsF:
    return QFontMetricsF(_font(px, weight))


@lru_cache(maxsize=65536)
def width_of(text: str, px: int = 11, weight: int = 400) -> float:
    """Width of a line of text."""
    return _metrics(px, weight).horizontalAdvance(text)


def wrapped(text: str, px: int, weight: int, width: float, most: int = 0) -> list[str]:
    """A text broken into lines that fit; a word that is too long is broken anywhere.

    Args:
        text: the text.
        px: size of the font.
        weight: of the font.
        width: room.
        most: lines at most, the last one ending in an ellipsis; 0 for as many as it takes.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        lines += _broken(paragraph, px, weight, width)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], fitting(f"{lines[most - 1]}…", px, weight, width)]
    return lines


def _broken(paragraph: str, px: int, weight: int, width: float) -> list[str]:
    lines, line = [], ""
    for word in paragraph.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, px, weight) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, px, weight, width)
        lines += full
    return [*lines, line]


def _pieces(word: str, px: int, weight: int, width: float) -> Sequence[str]:
    """A word cut where the line ends, after a separator if one is near."""
    pieces = []
    while width_of(word, px, weight) > width and len(word) > 1:
        end = max(1, int(len(word) * width / width_of(word, px, weight)))
        while end > 1 and width_of(word[:end], px, weight) > width:
            end -= 1
        near = max(word.rfind(sign, end // 2, end) for sign in "/-_.,:;")
        end = near + 1 if near > 0 else end
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def fitting(text: str, px: int, weight: int, width: float) -> str:
    """A text cut to a width, with an ellipsis."""
    if width_of(text, px, weight) <= width:
        return text
    return _metrics(px, weight).elidedText(text, Qt.TextElideMode.ElideRight, width)
