"""Building the report: the sections, the first page, and the count of what is not sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import (
    Block,
    Doubt,
    DoubtKind,
    Front,
    Part,
    Report,
    Table,
    columns,
    doubts_of,
    row,
)
from topoedit.reports.report.case import Case
from topoedit.reports.report.front import front_blocks, front_pair, subtitle
from topoedit.reports.report.words import number, some

SIGNS: dict[DoubtKind, str] = {"unverified": "†", "overridden": "‡"}
MARKED = "marked"
"""Id of the part that lists the values behind marked lines."""
_MOST_LINES = 200


def build_report(case: Case, chosen: Sequence[Section]) -> Report:
    """The report of a case.

    Args:
        case: the drawing and its analysis.
        chosen: the sections, in order.

    Raises:
        CancelledError: it was stopped.
    """
    parts: list[Part] = []
    on_front: list[Block] = []
    for done, section in enumerate(chosen):
        case.span(done / (len(chosen) + 1), (done + 1) / (len(chosen) + 1))
        case.told(section.title)
        blocks = tuple(section.build(case))
        if section.front:
            on_front += blocks
        elif blocks:
            parts.append(Part(section.id, section.title, blocks))
    case.span(len(chosen) / (len(chosen) + 1), 1.0)
    case.told("First page")
    ids = {section.id for section in chosen}
    blocks, pair = tuple(front_blocks(case, on_front, ids)), tuple(front_pair(case, ids))
    everything = [*blocks, *pair, *(block for part in parts for block in part.blocks)]
    return _report(case, blocks, pair, parts, everything)


def _report(
    case: Case,
    blocks: tuple[Block, ...],
    pair: tuple[Table, ...],
    parts: list[Part],
    everything: Iterable[Block],
) -> Report:
    lines = [doubts for doubts in doubts_of(everything) if doubts]
    kinds = Counter(kind for doubts in lines for kind in {doubt.kind for doubt in doubts})
    behind = Counter(doubt for doubts in lines for doubt in set(doubts))
    unverified, overridden = kinds["unverified"], kinds["overridden"]
    words = marked_words(unverified, overridden)
    if behind:
        parts.append(_listed(behind, len(lines)))
    return Report(
        name=case.name,
        file=case.file,
        revision=case.revision,
        front=Front(case.name, subtitle(case), blocks, pair, words),
        parts=tuple(parts),
        unverified=unverified,
        overridden=overridden,
        marked=len(lines),
        doubts=tuple(behind),
    )


def marked_words(unverified: int, overridden: int) -> str:
    """The sentence that counts marked lines.

    >>> marked_words(0, 0)
    'No line rests on an unverified or overridden value.'
    """
    if not unverified and not overridden:
        return "No line rests on an unverified or overridden value."
    said = []
    if unverified:
        said.append(f"{SIGNS['unverified']} {some(unverified, 'line')} on unverified values")
    if overridden:
        said.append(f"{SIGNS['overridden']} {some(overridden, 'line')} on overridden values")
    verb = "rests" if unverified + overridden == 1 else "rest"
    head, *tail = said
    first = head.replace(" on ", f" {verb} on ", 1)
    return f"{' and '.join((first, *tail))}."


def _listed(behind: Counter[Doubt], lines: int) -> Part:
    """The values themselves, those with the most lines first."""
    ordered = sorted(behind.items(), key=lambda pair: (-pair[1], pair[0].kind, pair[0].what))
    rows = tuple(
        row(SIGNS[doubt.kind], doubt.kind, doubt.what, doubt.why, number(count))
        for doubt, count in ordered[:_MOST_LINES]
    )
    titles = columns("", "Kind", "Value", "Source", ">Lines", shares=(0.2, 0.7, 1.6, 2.4, 0.4))
    note = (
        f"{some(lines, 'marked line')} in this report. Unverified: quoted from memory of its "
        "source. Overridden: set by the plan, the drawing or a catalogue of your own."
    )
    table = Table(titles, rows, note=note)
    return Part(MARKED, "Unverified and overridden values", (table,))
