"""What a report is about: the drawing, its analysis, and what sections ask for, each once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from topoedit.engine.analyse import Result
from topoedit.engine.compile.summary import TierSummary, tier_summary
from topoedit.engine.types import Fabric
from topoedit.errors import CancelledError
from topoedit.model.analysis import Analysis
from topoedit.model.document import Document
from topoedit.reports.bom import bill_of_materials
from topoedit.reports.bom_lines import Bom
from topoedit.reports.modules import Cancel, Progress, Purchase, purchase
from topoedit.reports.report.counts import TypeCount, type_counts
from topoedit.reports.report.doubts import DoubtBook
from topoedit.rules.run import Report as RuleReport

Again = Callable[[Fabric], Result]


@dataclass(frozen=True)
class ErrorLine:
    """How wrong predictions of one kind were on published figures, as fractions."""

    what: str
    rows: int
    median: float | None
    p90: float | None
    bias: float | None = None


@dataclass(frozen=True, eq=False)
class Tools:
    """What a report asks others for.

    Attributes:
        check: runs the design rules.
        again: analyses the same plan on a changed fabric; None without a plan.
        validate: errors against published figures.
    """

    check: Callable[[], RuleReport]
    validate: Callable[[], tuple[ErrorLine, ...]]
    again: Again | None = None


class Case:
    """A drawing and, if there is a plan, what the engine says of it.

    Args:
        document: the drawing.
        fabric: its compute network.
        tools: see `Tools`.
        result: the analysis of the plan on that fabric.
        file: name of the drawing's file.
        plan_from: where the plan was taken from, in words.
        revision: that the report names; the document's own by default.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.
    """

    def __init__(
        self,
        document: Document,
        fabric: Fabric,
        tools: Tools,
        *,
        result: Result | None = None,
        file: str = "",
        plan_from: str = "",
        revision: int | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self.document, self.fabric, self.tools = document, fabric, tools
        self.result, self.file, self.plan_from = result, file, plan_from
        self.revision = document.revision if revision is None else revision
        self._progress, self._cancel = progress, cancel
        self._from, self._to = 0.0, 1.0

    # -- how far it is -------------------------------------------------------------------------

    def span(self, start: float, end: float) -> None:
        """The part of the whole that what follows takes."""
        self._from, self._to = start, end

    def told(self, words: str, fraction: float = 0.0) -> None:
        """Tell what goes on; `fraction` is of the present span.

        Raises:
            CancelledError: it shall stop.
        """
        if self._cancel is not None and self._cancel():
            raise CancelledError("stopped; no file was written")
        if self._progress is not None:
            self._progress(words, self._from + (self._to - self._from) * fraction)

    # -- worked out once -----------------------------------------------------------------------

    @property
    def analysis(self) -> Analysis | None:
        """The record of the analysis."""
        return None if self.result is None else self.result.analysis

    @property
    def name(self) -> str:
        """The drawing's name, or its file's."""
        return self.document.settings.name or self.file or "Untitled"

    @cached_property
    def doubts(self) -> DoubtBook:
        """Which values are unverified or overridden."""
        return DoubtBook(self.document, self.result)

    @cached_property
    def tiers(self) -> tuple[TierSummary, ...]:
        """Figures of each tier."""
        return tier_summary(self.document, self.fabric)

    @cached_property
    def rules(self) -> RuleReport:
        """What the design rules say."""
        self.told("Checking the design")
        return self.tools.check()

    @cached_property
    def bought(self) -> Purchase:
        """Modules and cables."""
        return purchase(self.document, None, self.told, self._cancel)

    @cached_property
    def bom(self) -> Bom:
        """The bill of materials."""
        self.told("Counting what is bought", 0.9)
        return bill_of_materials(self.document, bought=self.bought, cancel=self._cancel)

    @cached_property
    def errors(self) -> tuple[ErrorLine, ...]:
        """Errors against published figures."""
        self.told("Comparing with published figures")
        return self.tools.validate()

    @cached_property
    def types(self) -> tuple[TypeCount, ...]:
        """Devices by type, with their power."""
        return type_counts(self.document)

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each device and group by id."""
        devices = {device.id: device.name for device in self.document.devices.values()}
        return devices | {group.id: group.name for group in self.document.groups.values()}
