"""The report as a PDF: A4 portrait, vectors, text that can be selected, links that lead somewhere.

It is laid out twice: first on dry paper, to learn what lands on which page, then for good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from topoedit.errors import CancelledError
from topoedit.reports.report.blocks import Diagram, Report
from topoedit.reports.report.colours import hex_of
from topoedit.reports.report.pdf_links import Place, with_links
from topoedit.reports.report.picture import Picture
from topoedit.reports.report.safe import plain

if TYPE_CHECKING:
    from topoedit.render.paper import AnyPaper
    from topoedit.render.report_figure import ReportFigure
    from topoedit.reports.report.pdf_flow import Flow

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
TOP = "top"
_LEAST_DIAGRAM = 220.0
_NOWHERE = Place(99, 0.0)


def pdf_bytes(
    report: Report, picture: Picture, progress: Progress | None = None, cancel: Cancel | None = None
) -> bytes:
    """The whole file.

    Raises:
        CancelledError: `cancel` said so.
    """
    from topoedit.render.paper import DryPaper, Paper

    _tell("Laying out the pages", 0.1, progress, cancel)
    figure = _figure(report, picture)
    dry = _Book(report, figure, DryPaper(), {})
    flow = dry.write(
        lambda share: _tell("Laying out the pages", 0.1 + 0.3 * share, progress, cancel)
    )
    paper = Paper(plain(report.name))
    try:
        real = _Book(report, figure, paper, dict(flow.anchors), flow.page)
        flow = real.write(
            lambda share: _tell("Writing pages", 0.4 + 0.55 * share, progress, cancel)
        )
        data = paper.finish()
    finally:
        paper.close()
    outline = [("First page", TOP), *((plain(part.title), part.id) for part in report.parts)]
    return with_links(data, flow.links, flow.anchors, outline)


def _tell(words: str, fraction: float, progress: Progress | None, cancel: Cancel | None) -> None:
    if cancel is not None and cancel():
        raise CancelledError("stopped; no file was written")
    if progress is not None:
        progress(words, fraction)


def _figure(report: Report, picture: Picture) -> ReportFigure | None:
    """The diagram, as high as the first page leaves room for."""
    from topoedit.render.paper import DryPaper
    from topoedit.reports.report.pdf_flow import BOTTOM, FULL

    if not any(isinstance(block, Diagram) for block in report.front.blocks):
        return None
    ids = [part.id for part in report.parts]
    flow = _Book(report, None, DryPaper(), dict.fromkeys(ids, _NOWHERE)).front()
    used = flow.y if flow.page == 1 else BOTTOM
    return picture.figure(FULL, max(BOTTOM - used - 6, _LEAST_DIAGRAM))


class _Book:
    """One pass over a report.

    Args:
        report: what to say.
        figure: the diagram.
        paper: where to draw.
        places: where anchors are, as far as it is known.
        pages: how many pages there are, 0 if that is not known yet.
    """

    def __init__(
        self, report: Report, figure: ReportFigure | None, paper: AnyPaper,
        places: Mapping[str, Place], pages: int = 0,
    ) -> None:  # fmt: skip
        from topoedit.reports.report.pdf_flow import Flow

        self.report = report
        file = plain(report.file) or "not saved"
        head = f"{file} · revision {report.revision}"
        self.flow: Flow = Flow(paper, plain(report.name), head, figure, places, pages)

    def write(self, tell: Callable[[float], None]) -> Flow:
        """Every page."""
        flow, parts = self.front(), self.report.parts
        if parts:
            flow.break_page()
            self._contents()
        for index, part in enumerate(parts):
            tell(index / len(parts))
            flow.section(index + 1, part.id, part.title)
            for block in part.blocks:
                flow.block(block)
        flow.finish_page()
        return flow

    def front(self) -> Flow:
        """The first page."""
        flow, front = self.flow, self.report.front
        flow.mark(TOP, 0.0)
        flow.begin_front()
        flow.paragraph(front.title, 20, 600, 27, most=2)
        flow.paragraph(front.subtitle, 12, 400, 17, hex_of("text.secondary"), most=2)
        flow.skip(10)
        for block in front.blocks:
            flow.block(block)
        flow.pair(front.pair)
        flow.skip(6)
        flow.note_line(front.marked, "marked" if self.report.marked else "")
        return flow

    def _contents(self) -> None:
        flow = self.flow
        flow.paragraph("Contents", 16, 600, 24)
        flow.skip(4)
        for index, part in enumerate(self.report.parts):
            flow.entry(index + 1, part.title, part.id)
        flow.skip(8)
