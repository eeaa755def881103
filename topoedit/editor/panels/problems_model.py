"""Rows of the Problems table: what opening, analysis, plan and design rules have to say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from topoedit.editor.panels.tables import HeadedModel
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Severity
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.units import format_bytes, format_number

if TYPE_CHECKING:
    from topoedit.rules.base import Finding

HEADS = ("Problem", "What would mend it", "Where", "From")
ORDER: tuple[Severity, ...] = ("error", "warning", "info", "ok")
COLORS = {
    "error": "severity.error", "warning": "severity.warning",
    "info": "severity.info", "ok": "severity.ok",
}  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """One row: how bad, what, which elements, who says so.

    Attributes:
        fix: what would make it right, in words.
        finding: of a design rule.
        exclusion: id of the exclusion that accepts the finding, "" if none does.
    """

    severity: Severity
    text: str
    ids: tuple[str, ...] = ()
    where: str = ""
    source: str = ""
    fix: str = ""
    finding: Finding | None = None
    exclusion: str = ""


def problems_of(session: DocumentSession) -> list[Problem]:
    """Everything known to be wrong or in doubt, the worst first."""
    found: list[Problem] = []
    state, result = session.analysis_state, session.analysis
    if state.kind in ("refused", "stopped") and state.why:
        found.append(
            Problem("error", state.why, source="Plan" if state.kind == "refused" else "Engine")
        )
    if result is not None:
        lost = result.unreachable
        if lost.pairs:
            undelivered = format_bytes(lost.bytes)
            words = f"{format_number(lost.pairs)} pairs have no path: {undelivered} undelivered"
            found.append(
                Problem("error", words, _ids(session, lost.example), lost.example, "Routing")
            )
        if result.memory.risk == "no":
            found.append(
                Problem("error", "The plan does not fit into the memory of a GPU", source="Memory")
            )
        elif result.memory.risk == "tight":
            found.append(
                Problem("warning", "Memory is tight on the fullest stage", source="Memory")
            )
        found += [Problem("warning", text, source="Analysis") for text in result.warnings]
    found += [Problem("warning", text, source="File") for text in session.notices]
    if session.totals.untyped:
        ids = tuple(
            d.id
            for d in session.document.devices.values()
            if d.kind == "server" and session.document.device_type(d).gpus is None
        )
        words = f"{len(ids)} server{'' if len(ids) == 1 else 's'} of a type with unknown GPUs"
        found.append(Problem("info", words, ids, source="Drawing"))
    found += _by_rules(session)
    return sorted(found, key=lambda problem: ORDER.index(problem.severity))


def _by_rules(session: DocumentSession) -> Iterator[Problem]:
    report = session.rules.report
    if report is None:
        return
    for finding in report.violations:
        yield _of_rule(session, finding)
    for rule, count in report.not_listed.items():
        yield Problem("info", f"{format_number(count)} more findings of {rule}", source=rule)


def excluded_of(session: DocumentSession) -> list[Problem]:
    """Findings that a person has accepted, with the reason in place of the fix."""
    report = session.rules.report
    if report is None:
        return []
    return [_of_rule(session, e.finding, e.exclusion, e.comment) for e in report.excluded]


def _of_rule(
    session: DocumentSession, finding: Finding, exclusion: str = "", comment: str = ""
) -> Problem:
    text = f"Excluded: {finding.message}" if exclusion else finding.message
    return Problem(
        finding.severity,
        text,
        finding.elements,
        _places(session, finding.elements),
        finding.rule,
        comment if exclusion else finding.fix,
        finding,
        exclusion,
    )


def _places(session: DocumentSession, ids: tuple[str, ...]) -> str:
    """The first element and how many more there are."""
    if not ids:
        return ""
    document = session.document
    element = document.element(ids[0])
    name = str(getattr(element, "name", "")) or ids[0]
    if (link := document.links.get(ids[0])) is not None:
        ends = (document.devices[end.device].name for end in (link.a, link.b))
        name = " – ".join(ends)
    return name if len(ids) == 1 else f"{name} and {format_number(len(ids) - 1)} more"


def _ids(session: DocumentSession, text: str) -> tuple[str, ...]:
    """Elements named in a text such as `node-1/gpu0 -> node-2/gpu0`."""
    names = (word.split("/")[0].strip(",.") for word in text.split())
    return tuple(dict.fromkeys(e.id for name in names if (e := session.document.named(name))))


class ProblemsModel(HeadedModel):
    """Problems as rows."""

    heads = HEADS

    def __init__(self, theming: Theming, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theming = theming
        self.rows_: list[Problem] = []

    def show_rows(self, found: list[Problem]) -> None:
        """Show these."""
        self.beginResetModel()
        self.rows_ = found
        self.endResetModel()

    def rows_shown(self) -> int:
        """Number of problems."""
        return len(self.rows_)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid():
            return None
        row = self.rows_[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            where = row.where or (
                f"{len(row.ids)} devices" if len(row.ids) > 1 else "".join(row.ids)
            )
            text = (row.text, row.fix, where, row.source)[index.column()]
            return tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            color = "text.tertiary" if row.exclusion else COLORS[row.severity]
            return self._theming.theme.icon(row.severity, color, 16)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{row.severity}: {row.text}"
        return None
