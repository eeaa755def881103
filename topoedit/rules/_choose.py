"""Another medium for a link: the cheapest that its rate, network, length and cages allow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from topoedit.catalog.media import usual_media
from topoedit.catalog.types import Medium
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Link
from topoedit.rules._judge import Bad, Verdict
from topoedit.rules._plugs import is_assembly, runs_crosswise
from topoedit.rules._tables import Column
from topoedit.rules._words import count
from topoedit.rules.base import Finding
from topoedit.rules.context import Context

_TWISTED_PAIR = "RJ45"


def better(context: Context, row: int, *, loose: bool = False) -> Medium | None:
    """The usual medium for a link, None without a length and a rate or if there is none.

    Args:
        context: the drawing.
        row: the link.
        loose: fibre between modules alone, no cable with plugs.
    """
    length = float(context.lengths[row])
    rates = [port.gbps for end in context.ports(row) for port in end if port.gbps is not None]
    stated = context.link(row).gbps
    gbps = min([*rates, *([] if stated is None else [stated])], default=None)
    if np.isnan(length) or gbps is None:
        return None
    cages = {port.cage_type == _TWISTED_PAIR for end in context.ports(row) for port in end}
    fitting = usual_media(gbps, length, context.fabric_of(row), context.catalog.media)
    return next(
        (
            medium
            for medium in fitting
            if not (is_assembly(medium) and (loose or runs_crosswise(context, row)))
            and cages == {medium.connector == _TWISTED_PAIR}
            and medium is not context.medium(row)
        ),
        None,
    )


def choice(context: Context) -> tuple[Column, ...]:
    """Columns by which `better` may choose another medium, besides `_judge.shape`."""
    return context.lengths, context.link_fabric[0]


def advice(medium: Medium | None, words: str) -> str:
    """The words of a fix, the medium named if there is one."""
    return words if medium is None else f"{words}: {medium.name}"


def mend_medium(
    verdict: Callable[[Context, int], Verdict], choose: Callable[[Context, int], Medium | None]
) -> Callable[[Document, Finding], Edit | None]:
    """How a rule gives links that it finds bad the medium that `choose` says."""

    def mend(document: Document, finding: Finding) -> Edit | None:
        wanted = set(finding.elements)
        context = Context(document)
        put: list[Link] = []
        for row, link in enumerate(context.links.items):
            if link.id in wanted and isinstance(verdict(context, row), Bad):
                medium = choose(context, row)
                put += [] if medium is None else [_with(link, medium)]
        if not put:
            return None
        names = {link.medium for link in put}
        what = document.catalog.media[names.pop()].name if len(names) == 1 else "other media"
        return Edit(f"Take {what} for {count(len(put), 'link')}", put=tuple(put))

    return mend


def _with(link: Link, medium: Medium) -> Link:
    return replace(link, medium=medium.id)
