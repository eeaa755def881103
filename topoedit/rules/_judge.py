"""Judging links by kind: what alike links have in common is judged once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Bools, Floats, Ints, Longs
from topoedit.rules._repeat import repeated
from topoedit.rules._tables import alike
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Problem, Severity, outcome
from topoedit.rules.context import Context


@dataclass(frozen=True, slots=True)
class Bad:
    """A violation that all links of a kind share; the text follows the link's name."""

    text: str
    fix: str = ""
    severity: Severity | None = None
    mendable: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a kind of links lacks, so that it cannot be judged: "no length"."""

    lack: str


Verdict = Bad | Unknown | None
Column = Ints | Longs | Bools | Floats


def by_kind(rows: Longs, columns: tuple[Column, ...]) -> Iterator[Longs]:
    """The rows that are alike in all columns, kind by kind; a column has a value for each link."""
    first, kind = alike(*(column[rows] for column in columns))
    order = np.argsort(kind, kind="stable")
    ends = np.cumsum(np.bincount(kind, minlength=len(first)))
    for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=False):
        yield rows[order[begin:end]]


def shape(context: Context) -> tuple[Column, ...]:
    """Columns that tell links apart by device types, ports, rate and medium."""
    links, types = context.links, context.devices.type
    like = links.runs.like
    return (
        types[links.a], types[links.b], like[links.run_a], like[links.run_b], links.gbps,
        links.medium, links.network,
    )  # fmt: skip


def judge(
    context: Context,
    rows: Longs,
    verdict: Callable[[Context, int], Verdict],
    columns: tuple[Column, ...] | None = None,
) -> Outcome:
    """Judge links by one of each kind.

    Args:
        context: the drawing.
        rows: links to judge.
        verdict: judges one link.
        columns: what the verdict looks at; by default types, ports, rate and medium.
    """
    if not len(rows):
        return Outcome()
    problems: list[Problem] = []
    lacks: dict[str, int] = {}
    for members in by_kind(rows, columns or shape(context)):
        found = verdict(context, int(members[0]))
        if isinstance(found, Unknown):
            lacks[found.lack] = lacks.get(found.lack, 0) + len(members)
        elif found is not None:
            problems += repeated(
                context, members, found.text, found.fix,
                mendable=found.mendable, severity=found.severity,
            )  # fmt: skip
    why = [lacking(number, len(rows), "links", lack) for lack, number in lacks.items()]
    return outcome(problems, len(rows) - sum(lacks.values()), why)


def all_links(context: Context) -> Longs:
    """Every link that is not merely planned."""
    return np.flatnonzero(~context.links.planned)
