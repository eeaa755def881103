"""Judging links that run through patch panels, each with all its cables."""

from __future__ import annotations

from collections.abc import Callable

from topoedit.model.document import Document
from topoedit.model.elements import Link, Ports
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._repeat import SINGLE
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Problem, outcome
from topoedit.rules.context import Context


def judge_patched(context: Context, verdict: Callable[[Document, Link], Verdict]) -> Outcome:
    """Judge every link that runs through a panel and is not merely planned."""
    document = context.document
    links = [document.links[i] for i in document.patched_links]
    links = [link for link in links if not link.planned]
    lacks: dict[str, int] = {}
    bad: dict[Bad, list[Link]] = {}
    for link in links:
        found = verdict(document, link)
        if isinstance(found, Unknown):
            lacks[found.lack] = lacks.get(found.lack, 0) + 1
        elif found is not None:
            bad.setdefault(found, []).append(link)
    problems = [p for what, alike in bad.items() for p in _problems(document, what, alike)]
    why = [lacking(number, len(links), "patched links", lack) for lack, number in lacks.items()]
    return outcome(problems, len(links) - sum(lacks.values()), why)


def _problems(document: Document, what: Bad, links: list[Link]) -> list[Problem]:
    if len(links) > SINGLE:
        text = f"{len(links)} links such as {name_of(document, links[0])}: {what.text}"
        return [Problem(tuple(link.id for link in links), text, what.fix, severity=what.severity)]
    return [
        Problem((link.id,), f"{name_of(document, link)}: {what.text}", what.fix,
                severity=what.severity)
        for link in links
    ]  # fmt: skip


def name_of(document: Document, link: Link) -> str:
    """A link by both its ends: `leaf-1:33 – spine-1:1`."""
    return f"{_end(document, link.a)} – {_end(document, link.b)}"


def _end(document: Document, end: Ports) -> str:
    return f"{document.devices[end.device].name}:{end.ports}"


def port_name(document: Document, port: tuple[str, str]) -> str:
    """A port of a panel, given by device and port."""
    return f"{document.devices[port[0]].name}:{port[1]}"
