"""What the design rules found, which ran, and what they could not judge."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Callout, Cell, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import first_few, number, some
from topoedit.rules.base import rules
from topoedit.rules.run import Report

MOST = 80


def _build(case: Case) -> Iterator[Block]:
    report = case.rules
    yield _verdict(report)
    ran = [rule for rule, count in report.checked.items() if count]
    yield Text(
        f"{some(len(ran), 'rule')} of {number(len(rules()))} ran on at least one element; "
        f"{some(len(report.unchecked), 'point')} could not be checked. Revision "
        f"{number(case.revision)} of the drawing."
    )
    if report.violations:
        yield _findings(case, report)
    if report.excluded:
        rows = tuple(row(one.finding.rule, one.finding.message, one.comment or "no reason given")
                     for one in report.excluded[:MOST])  # fmt: skip
        shares = (1.0, 2.6, 1.6)
        yield Table(columns("Rule", "Finding", "Reason", shares=shares), rows, title="Accepted")
    yield _ran(report)
    if report.unchecked:
        lines = tuple(row(one.rule, one.why) for one in report.unchecked)
        titles = columns("Rule", "Why", shares=(1.0, 3.0))
        yield Table(titles, lines, title="Not checked")


def _verdict(report: Report) -> Callout:
    counts = report.counts
    words = [
        some(counts.error, "error"),
        some(counts.warning, "warning"),
        some(counts.info, "note"),
    ]
    text = f"{', '.join(words)}, {number(counts.excluded)} accepted by a person."
    if counts.error:
        return Callout("error", text)
    return Callout("warning" if counts.warning else "ok", text)


def _findings(case: Case, report: Report) -> Table:
    hidden = len(report.violations) - MOST + sum(report.not_listed.values())
    note = f"{number(hidden)} more are not listed; `topoedit check` has them." if hidden > 0 else ""
    rows = tuple(_line(case, number_) for number_ in range(min(MOST, len(report.violations))))
    titles = columns("Rule", "Finding and fix", "Where", shares=(1.1, 3.0, 1.3))
    return Table(titles, rows, title="Findings", note=note)


def _line(case: Case, at: int) -> Row:
    one = case.rules.violations[at]
    names = [case.names.get(element, element) for element in one.elements]
    text = f"{one.message.rstrip('.')}. {one.fix}" if one.fix else one.message
    return row(Cell(one.rule, severity=one.severity), text, first_few(names, 3))


def _ran(report: Report) -> Table:
    """Two rules a line, to save paper."""
    ran = [(rule, number(count)) for rule, count in report.checked.items() if count]
    half = (len(ran) + 1) // 2
    right = [*ran[half:], ("", "")]
    rows = tuple(row(*ran[at], *right[at]) for at in range(half))
    titles = columns("Rule", ">Elements", "Rule", ">Elements", shares=(1.6, 0.7, 1.6, 0.7))
    return Table(titles, rows, title="Rules that ran")


SECTION = Section("rules", "Design rules", 100, _build)
