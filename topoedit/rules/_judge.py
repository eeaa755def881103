"""Judging links by kind: what alike links have in common is judged once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from topoedit.engine.types import Longs
from topoedit.rules._repeat import repeated
from topoedit.rules._tables import Column, by_kind
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


def judge(
    context: Context,
    rows: Longs | None,
    verdict: Callable[[Context, int], Verdict],
    columns: tuple[Column, ...] = (),
) -> Outcome:
    """Judge links by one of each kind.

    Args:
        context: the drawing.
        rows: links to judge; None for all that are not merely planned.
        verdict: judges one link.
        columns: what the verdict looks at besides device types, ports, rate, medium and network;
            with rows that are given, all that it looks at.
    """
    problems: list[Problem] = []
    lacks: dict[str, int] = {}
    total = 0
    for members in _kinds(context, rows, columns):
        total += len(members)
        found = verdict(context, int(members[0]))
        if isinstance(found, Unknown):
            lacks[found.lack] = lacks.get(found.lack, 0) + len(members)
        elif found is not None:
            problems += repeated(
                context, members, found.text, found.fix,
                mendable=found.mendable, severity=found.severity,
            )  # fmt: skip
    why = [lacking(number, total, "links", lack) for lack, number in lacks.items()]
    return outcome(problems, total - sum(lacks.values()), why)


def _kinds(context: Context, rows: Longs | None, columns: tuple[Column, ...]) -> Iterator[Longs]:
    """The links to judge, kind by kind."""
    if rows is not None:
        yield from by_kind(rows, columns or shape(context))
        return
    for members in context.kinds:
        if not context.links.planned[members[0]]:
            yield from by_kind(members, columns) if columns else (members,)


def shape(context: Context) -> tuple[Column, ...]:
    """Columns that tell links apart by device types, ports, rate and medium."""
    links, types = context.links, context.devices.type
    like = links.runs.like
    return (
        types[links.a], types[links.b], like[links.run_a], like[links.run_b], links.gbps,
        links.medium,
    )  # fmt: skip
