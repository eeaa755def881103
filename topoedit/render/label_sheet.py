"""Labels printed on sheets: a PDF with vector outlines and text that can be selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPageSize, QPainter, QPdfWriter, QPen

from topoedit.errors import BadInputError, CancelledError
from topoedit.render.export import ensure_gui
from topoedit.render.label_stock import Stock
from topoedit.render.pdf import name_pdf, steady_order, without_dates
from topoedit.render.theme import Theme

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
MOST_LABELS = 250_000
_DPI = 1200
_UNITS = 100.0  # painter units a millimetre, fine enough for whole pixel sizes of fonts
_POINT = 25.4 / 72 * _UNITS
_SIZES = (9.0, 8.0, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5, 4.0)
_LEADING = 1.18
_PAD = 1.2 * _UNITS


@dataclass(frozen=True)
class Printed:
    """A PDF of labels.

    Attributes:
        shortened: labels whose text does not fit at the smallest size and ends in an ellipsis.
    """

    data: bytes
    labels: int
    pages: int
    shortened: int


def label_pdf(
    rows: Sequence[tuple[str, str, str]],
    stock: Stock,
    *,
    title: str = "",
    start: int = 1,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Printed:
    """Print labels on sheets.

    Args:
        rows: cable id, end (`a`, `b`) and text of each label.
        stock: the sheet.
        title: of the document.
        start: the first place to print on, from 1, where a sheet has been used in part.
        progress: told what goes on and how far it is.
        cancel: asked before each page whether to stop.

    Raises:
        BadInputError: there are none or too many labels, or the first place is not on the sheet.
        CancelledError: `cancel` said so.
    """
    if not 0 < len(rows) <= MOST_LABELS:
        what = "there are no labels to print" if not rows else f"{len(rows):,} labels are too many"
        raise BadInputError(
            what, "--labels", f"A PDF holds 1 to {MOST_LABELS:,}; CSV and XLSX hold more"
        )
    if not 1 <= start <= stock.per_page:
        raise BadInputError(
            f"the first label cannot be at place {start}", "--sheet-start",
            f"{stock.name} has places 1 to {stock.per_page}",
        )  # fmt: skip
    ensure_gui()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with steady_order():
        writer = _writer(buffer, stock, title)
        printed = _print_pages(writer, rows, stock, start - 1, progress, cancel)
    buffer.close()
    return replace(printed, data=without_dates(bytes(data.data())))


def _print_pages(
    writer: QPdfWriter,
    rows: Sequence[tuple[str, str, str]],
    stock: Stock,
    first: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Printed:
    """Print all pages, on the first one from place `first`; the bytes are still with the writer."""
    with QPainter(writer) as painter:
        painter.scale(_DPI / 25.4 / _UNITS, _DPI / 25.4 / _UNITS)
        press = _Press(painter, stock)
        rest, page = iter(rows), 0
        while batch := list(islice(rest, stock.per_page - first)):
            if cancel is not None and cancel():
                raise CancelledError("stopped; no file was written")
            if progress is not None:
                progress("Printing labels", page * stock.per_page / len(rows))
            if page:
                writer.newPage()
            press.page(batch, first)
            page, first = page + 1, 0
    return Printed(b"", len(rows), page, press.shortened)


def _writer(buffer: QBuffer, stock: Stock, title: str) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    name_pdf(writer, title, stock.name)
    size = QSizeF(*stock.size)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Millimeter, stock.paper, exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_DPI)
    return writer


class _Type:
    """A font in one size, with the widths of words it has measured."""

    def __init__(self, theme: Theme, points: float, weight: int) -> None:
        self.font = theme.sized_font(round(points * _POINT), weight, plain=True)
        self.line = points * _POINT * _LEADING
        self.ascent = points * _POINT * 0.95
        self._metrics = QFontMetricsF(self.font)
        self._widths: dict[str, float] = {}

    def width(self, text: str) -> float:
        found = self._widths.get(text)
        if found is None:
            found = self._widths[text] = self._metrics.horizontalAdvance(text)
        return found

    def wrapped(self, text: str, width: float) -> list[str]:
        """Lines no wider than `width`; a word that is too long is cut where it must be."""
        lines: list[str] = []
        line, taken, blank = "", 0.0, self.width(" ")
        for word in text.split():
            for piece in self._pieces(word, width):
                long = self.width(piece)
                if line and taken + blank + long > width:
                    lines.append(line)
                    line, taken = piece, long
                else:
                    taken += long + (blank if line else 0.0)
                    line = f"{line} {piece}" if line else piece
        return [*lines, line] if line else lines

    def _pieces(self, word: str, width: float) -> Iterable[str]:
        while self.width(word) > width and len(word) > 1:
            fits = next(
                (n for n in range(len(word) - 1, 1, -1) if self.width(word[:n]) <= width), 1
            )
            yield word[:fits]
            word = word[fits:]
        yield word


class _Press:
    """Paints the labels of one sheet after the other."""

    def __init__(self, painter: QPainter, stock: Stock) -> None:
        self._painter, self._stock = painter, stock
        theme = Theme.load("light")
        self._types = [(_Type(theme, points, 400), _Type(theme, points, 600)) for points in _SIZES]
        self._ink = theme.color("print.ink")
        cut = theme.color("print.cut")
        self._cut = QPen(cut, 0.1 * _UNITS)
        self._fold = QPen(cut, 0.1 * _UNITS, Qt.PenStyle.DashLine)
        self.shortened = 0

    def page(self, rows: Sequence[tuple[str, str, str]], first: int) -> None:
        for place, row in enumerate(rows, first):
            left, top = (value * _UNITS for value in self._stock.corner(place))
            whole = QRectF(left, top, self._stock.width * _UNITS, self._stock.height * _UNITS)
            self._outline(whole)
            fits = [self._text(row, box) for box in self._boxes(whole)]
            self.shortened += not all(fits)

    def _boxes(self, whole: QRectF) -> tuple[QRectF, ...]:
        """Where the text goes: once, or on both sides of the fold of a flag."""
        inner = (_PAD, _PAD, -_PAD, -_PAD)
        if self._stock.form == "wrap":
            height = (self._stock.printed or self._stock.height) * _UNITS
            return (QRectF(whole.left(), whole.top(), whole.width(), height).adjusted(*inner),)
        if self._stock.form == "plain":
            return (whole.adjusted(*inner),)
        half = whole.width() / 2
        sides = (QRectF(whole.left() + n * half, whole.top(), half, whole.height()) for n in (0, 1))
        return tuple(side.adjusted(*inner) for side in sides)

    def _outline(self, whole: QRectF) -> None:
        if not self._stock.cut:
            return
        self._painter.setPen(self._cut)
        self._painter.drawRect(whole)
        self._painter.setPen(self._fold)
        if self._stock.form == "flag":
            middle = whole.center().x()
            self._painter.drawLine(QPointF(middle, whole.top()), QPointF(middle, whole.bottom()))
        elif self._stock.printed:
            below = whole.top() + self._stock.printed * _UNITS
            self._painter.drawLine(QPointF(whole.left(), below), QPointF(whole.right(), below))

    def _text(self, row: tuple[str, str, str], box: QRectF) -> bool:
        """Print one label as large as it fits; false if it had to be shortened."""
        cable, end, text = row
        near, far = _sides(cable, text)
        for plain, bold in self._types:
            head = bold.wrapped(cable, box.width() - plain.width(f" {end.upper()}"))
            body = plain.wrapped(near, box.width()) + plain.wrapped(far, box.width())
            if plain.line * (len(head) + len(body)) <= box.height():
                self._lines(box, end, (head, bold), (body, plain))
                return True
        plain, bold = self._types[-1]
        room = max(1, int(box.height() / plain.line))
        head, body = head[:room], body[: max(0, room - len(head))]
        shown = body or head
        shown[-1] = shown[-1][:-1] + "…"
        self._lines(box, end, (head, bold), (body, plain))
        return False

    def _lines(
        self, box: QRectF, end: str, head: tuple[list[str], _Type], body: tuple[list[str], _Type]
    ) -> None:
        painter, y = self._painter, box.top()
        painter.setPen(self._ink)
        for lines, kind in (head, body):
            painter.setFont(kind.font)
            for line in lines:
                painter.drawText(QPointF(box.left(), y + kind.ascent), line)
                y += kind.line
        plain, mark = body[1], end.upper()
        painter.setFont(plain.font)
        right = box.right() - plain.width(mark)
        painter.drawText(QPointF(right, box.top() + plain.ascent), mark)


def _sides(cable: str, text: str) -> tuple[str, str]:
    """The text without the id, which has its own line, and what stands after ` > ` apart."""
    rest = text.removeprefix(cable).strip() if text.startswith(f"{cable} ") else text
    near, arrow, far = rest.partition(" > ")
    return near, f"> {far}" if arrow else ""
