"""PDF files: pages of a picture, the same bytes whenever the same picture is made."""

from __future__ import annotations

import re
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from html import escape

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QRectF,
    QSizeF,
    Qt,
    QUuid,
)
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPainter, QPdfWriter

from topoedit.render.posters import (
    BORDER,
    SIZES,
    Page,
    Poster,
    pages_of,
    paint_marks,
)
from topoedit.render.sheet import ExportOptions, Sheet, counts_line, paint_steps
from topoedit.render.theme import Theme

_DPI = 1200
_NAMESPACE = uuid.UUID("6d5f3c1e-6f0a-5e0b-9a52-7a1c0d0e7e11")
_DATES = re.compile(rb"/(?:CreationDate|ModDate) \(D:[0-9+\-'Z]*\)")
_XMP = """<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="topoedit">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{about}</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end='w'?>
"""


def pdf_steps(sheet: Sheet, options: ExportOptions) -> Generator[float, None, bytes]:
    """A PDF of one sheet, or of the pages of a poster.

    Nothing in it tells when it was made: no dates, an id that follows from its title.

    Yields:
        How much is done, 0 to 1.
    """
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with steady_order():
        writer = _writer(buffer, sheet, options)
        with QPainter(writer) as painter:
            if sheet.paper is None or options.poster is None:
                factor = _DPI / 96 * sheet.ratio
                painter.scale(factor, factor)
                yield from paint_steps(painter, sheet, options)
            else:
                dots = _DPI / 25.4
                yield from poster_steps(painter, sheet, options, options.poster, dots, writer)
    buffer.close()
    return without_dates(bytes(data.data()))


def _writer(buffer: QBuffer, sheet: Sheet, options: ExportOptions) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    title = options.title or sheet.scene.document.settings.name
    name_pdf(writer, title, " · ".join((counts_line(sheet.scene), *options.lines)))
    writer.setResolution(_DPI)
    if sheet.paper is None or options.poster is None:
        points = 72 / 96 * sheet.ratio
        size = QSizeF(sheet.width * points, sheet.height * points)
        exact = QPageSize.SizeMatchPolicy.ExactMatch
        writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    else:
        writer.setPageLayout(page_layout(options.poster, sheet.paper[2]))
    return writer


@contextmanager
def steady_order() -> Iterator[None]:
    """While a PDF is written: the order of its objects follows Qt's hashes, which vary else."""
    QHashSeed.setDeterministicGlobalSeed()
    try:
        yield
    finally:
        QHashSeed.resetRandomGlobalSeed()


def name_pdf(writer: QPdfWriter, title: str, about: str = "") -> None:
    """Put in what a PDF is and by whom, with an id that follows from that and not from the time."""
    writer.setTitle(title)
    writer.setCreator("topoedit")
    writer.setDocumentId(QUuid(str(uuid.uuid5(_NAMESPACE, _writable(f"{title}\n{about}")))))
    xmp = _XMP.format(title=escape(_writable(title)), about=escape(_writable(about)))
    writer.setDocumentXmpMetadata(QByteArray(xmp.encode()))


def _writable(text: str) -> str:
    """Without halves of surrogate pairs, which names of files may hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()


def page_layout(poster: Poster, landscape: bool) -> QPageLayout:
    """The paper, lying as it should, without margins: the border is ours."""
    way = QPageLayout.Orientation
    layout = QPageLayout(
        QPageSize(SIZES[poster.paper][2]),
        way.Landscape if landscape else way.Portrait,
        QMarginsF(0, 0, 0, 0),
    )
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def sheet_pages(sheet: Sheet, poster: Poster) -> list[Page]:
    """The pages that a sheet takes."""
    columns, rows, landscape = sheet.paper or (1, 1, False)
    return pages_of(poster, columns, rows, landscape)


def poster_steps(
    painter: QPainter, sheet: Sheet, options: ExportOptions, poster: Poster, dots: float,
    device: QPagedPaintDevice,
) -> Generator[float, None, None]:  # fmt: skip
    """Paint all pages of a poster.

    Args:
        painter: on a device whose origin is the corner of the paper.
        sheet: what to paint.
        options: how.
        poster: the paper.
        dots: of the device in a millimetre.
        device: what begins the next page; a printer or PDF.
    """
    pages = sheet_pages(sheet, poster)
    for page in pages:
        if page.number > 1:
            device.newPage()
        for share in page_steps(painter, sheet, options, page, dots, poster.marks):
            yield (page.number - 1 + share) / len(pages)


def page_steps(
    painter: QPainter, sheet: Sheet, options: ExportOptions, page: Page, dots: float, marks: bool
) -> Generator[float, None, None]:
    """Paint one page; `dots` a millimetre."""
    painter.save()
    try:
        yield from _paint_page(painter, sheet, options, page, dots, marks)
    finally:
        painter.restore()


def _paint_page(
    painter: QPainter, sheet: Sheet, options: ExportOptions, page: Page, dots: float, marks: bool
) -> Generator[float, None, None]:
    painter.scale(dots, dots)
    painter.translate(BORDER, BORDER)
    if marks and page.total > 1:
        title = options.title or sheet.scene.document.settings.name
        paint_marks(painter, Theme.load("light"), page, title)
    painter.setClipRect(page.box, Qt.ClipOperation.IntersectClip)
    painter.translate(-page.x, -page.y)
    painter.scale(sheet.mm, sheet.mm)
    part = QRectF(
        page.x / sheet.mm - 4, page.y / sheet.mm - 4,
        page.width / sheet.mm + 8, page.height / sheet.mm + 8,
    )  # fmt: skip
    whole = page.total == 1
    yield from paint_steps(painter, sheet, options, None if whole else part)


def without_dates(pdf: bytes) -> bytes:
    """Blanks in place of the dates: the places of all objects in the file stay as listed."""
    return _DATES.sub(lambda found: b" " * len(found.group()), pdf)


__all__ = [
    "name_pdf",
    "page_layout",
    "page_steps",
    "pdf_steps",
    "poster_steps",
    "sheet_pages",
    "steady_order",
    "without_dates",
]
