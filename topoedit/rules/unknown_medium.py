"""Every cable is of a medium that the catalogue has: of any other neither reach nor rate is known.

A link may name no medium; then nothing is claimed, and the rules that need one say so.
"""

from __future__ import annotations

import difflib

import numpy as np
from msgspec.structs import replace

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Medium
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.rules._repeat import repeated
from topoedit.rules._words import count
from topoedit.rules.base import Finding, Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_NEAR = 0.6
"""Share of letters in common, as difflib counts it, from which a medium may have been meant."""


def _check(context: Context) -> Outcome:
    links = context.links
    problems: list[Problem] = []
    named = np.array([bool(name) for name in links.medium_ids], bool)
    for code, name in enumerate(links.medium_ids):
        if not name or links.media[code] is not None:
            continue
        near = _near(context.catalog, name)
        called = (
            "is not in the catalogue"
            if not _alias(context.catalog, name)
            else ("is not the id of one in the catalogue")
        )
        text = f'the medium "{name}" {called}: no reach and no rate is taken from it'
        rows = np.flatnonzero(links.medium == code)
        problems += repeated(context, rows, text, _advice(near), mendable=len(near) == 1)
    checked = int(np.count_nonzero(named[links.medium])) if len(links) else 0
    lack = len(links) - checked
    why = f"{count(lack, 'link')} of {len(links)} without a medium" if lack else ""
    return outcome(problems, checked, [why])


def _near(catalog: Catalog, name: str) -> list[Medium]:
    """Media that may be meant: the one that is called so otherwise, else the nearest."""
    alias = _alias(catalog, name)
    if alias is not None:
        return [alias]
    ids = difflib.get_close_matches(name.lower(), list(catalog.media), n=3, cutoff=_NEAR)
    return [catalog.media[found] for found in ids]


def _alias(catalog: Catalog, name: str) -> Medium | None:
    """The medium that has another name of this text."""
    try:
        return catalog.medium(name)
    except BadInputError:
        return None


def _advice(near: list[Medium]) -> str:
    if not near:
        return "Take one that `topoedit catalog media` lists, or add yours to a catalogue"
    ids = [medium.id for medium in near]
    if len(ids) == 1:
        return f"Take {ids[0]} ({near[0].name})"
    return f"Take one that the catalogue has; nearest: {', '.join(ids)}"


def _mend(document: Document, finding: Finding) -> Edit | None:
    put = []
    for element_id in finding.elements:
        link = document.links.get(element_id)
        if link is None or link.medium in document.catalog.media:
            continue
        near = _near(document.catalog, link.medium) if link.medium else []
        put += [replace(link, medium=near[0].id)] if len(near) == 1 else []
    if not put:
        return None
    names = {link.medium for link in put}
    what = document.catalog.media[names.pop()].name if len(names) == 1 else "other media"
    return Edit(f"Take {what} for {count(len(put), 'link')}", put=tuple(put))


RULE = Rule(
    id="unknown-medium",
    title="Every medium that a link names is in the catalogue",
    severity="warning",
    source="The catalogue's media; no reach or rate is assumed for any other",
    check=_check,
    mend=_mend,
)
