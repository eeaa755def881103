"""What the design rules say of one drawing, and whether the drawing has changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from topoedit.model.document import Document

if TYPE_CHECKING:
    from topoedit.render.states import Mark
    from topoedit.rules.run import Report

MOST_MARKS = 500
_ORDER = ("error", "warning", "info")


class RuleFindings(QObject):
    """The last report of the rules.

    Signals:
        changed(): another report, or this one has become stale.
    """

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._report: Report | None = None
        self._revision = -1
        self._told_stale = False
        self._marks: dict[str, tuple[Mark, int]] = {}
        self._with_excluded = False
        self.note = ""
        """Why rules that need the plan were left out."""

    @property
    def report(self) -> Report | None:
        """The last report; see `is_stale`."""
        return self._report

    @property
    def is_stale(self) -> bool:
        """Whether the drawing has changed since the report."""
        return self._report is not None and self._revision != self._document.revision

    @property
    def marks(self) -> dict[str, tuple[Mark, int]]:
        """Element id -> its worst finding and the number of findings, for the canvas."""
        return self._marks

    @property
    def with_excluded(self) -> bool:
        """Whether findings that a person has accepted are marked too."""
        return self._with_excluded

    def show_excluded(self, wanted: bool) -> None:
        """Mark findings that a person has accepted, too; hollow, where nothing else is found."""
        if wanted != self._with_excluded:
            self._with_excluded = wanted
            self._mark()
            self.changed.emit()

    def _mark(self) -> None:
        report = self._report
        self._marks = {} if report is None else _marks(self._document, report)
        for accepted in report.excluded if report is not None and self._with_excluded else ():
            for element in _marked(self._document, accepted.finding.elements):
                mark, count = self._marks.get(element, ("excluded", 0))
                if mark == "excluded" and len(self._marks) < MOST_MARKS:
                    self._marks[element] = (mark, count + 1)

    def take(self, report: Report, revision: int, note: str = "") -> None:
        """Show a report about a revision of the document."""
        self._report, self._revision, self.note = report, revision, note
        self._told_stale = self.is_stale
        self._mark()
        self.changed.emit()

    def drawing_changed(self) -> None:
        """The drawing is another now: what is shown is stale at once."""
        if self._report is not None and not self._told_stale:
            self._told_stale = True
            self.changed.emit()


def _marks(document: Document, report: Report) -> dict[str, tuple[Mark, int]]:
    """The worst findings first, until there are enough marks."""
    found: dict[str, tuple[Mark, int]] = {}
    for finding in report.violations:
        for element in _marked(document, finding.elements):
            known = found.get(element)
            if known is None and len(found) >= MOST_MARKS:
                continue
            worst = finding.severity if known is None else known[0]
            if _ORDER.index(finding.severity) < _ORDER.index(str(worst)):
                worst = finding.severity
            found[element] = (worst, 1 if known is None else known[1] + 1)
    return found


def _marked(document: Document, elements: tuple[str, ...]) -> list[str]:
    """What bears the mark of a finding: its devices and groups, else its links."""
    boxes = [e for e in elements if e in document.devices or e in document.groups]
    if boxes:
        return boxes
    return [e for e in elements if e in document.links]
