"""The diagram of a report, made when a writer asks for it; Qt is loaded then, not before."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from topoedit.engine.analyse import Result
from topoedit.engine.linkloads import link_arrays
from topoedit.model.document import Document

if TYPE_CHECKING:
    from topoedit.render.report_figure import Loads, ReportFigure

SCREEN_WIDTH = 1400.0
FINER = 1.4
"""How much larger than its place on paper a figure is laid out, for more detail in it."""


class Picture:
    """The diagram of a drawing, coloured by demand if there is an analysis.

    Args:
        document: the drawing.
        result: an analysis of it.
    """

    def __init__(self, document: Document, result: Result | None = None) -> None:
        self._document, self._result = document, result

    def svg(self, described: str) -> str:
        """An `<svg>` element; `described` says what it shows to those who do not see it."""
        return self._figure(SCREEN_WIDTH).svg(described)

    def figure(self, width: float, height: float) -> ReportFigure:
        """What can be painted into a box on paper."""
        return self._figure(width * FINER, height * FINER)

    def _figure(self, width: float, height: float | None = None) -> ReportFigure:
        from topoedit.render.report_figure import ReportFigure

        return ReportFigure(self._document, self._loads, width, height)

    @cached_property
    def _loads(self) -> Loads | None:
        if self._result is None:
            return None
        from topoedit.render.report_figure import Loads

        fabric = self._result.fabric
        arrays = link_arrays(fabric, self._result.figures)
        at, drawn = 2 * arrays.names.index("demand"), fabric.drawn_links
        forward, backward = arrays.values[at, :drawn], arrays.values[at + 1, :drawn]
        return Loads(fabric.link_ids[:drawn], forward, backward)
