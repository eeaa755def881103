"""Reach: what all rules that end in `-reach` share.

A cable longer than its medium reaches carries nothing: it is failed, never slow. The rules use the
same functions as the engine, so what a rule calls beyond reach has capacity 0 in an analysis. A
cable without a length is judged by the way between its racks: too long without any slack it is
failed as well, too long with its slack a warning.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from topoedit.catalog.media import next_medium_that_reaches, reaches
from topoedit.catalog.types import Medium
from topoedit.engine.types import Longs
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Link
from topoedit.rules._choose import better
from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules._plugs import is_assembly, runs_crosswise
from topoedit.rules._words import count, metres, rate
from topoedit.rules.base import Finding, Outcome, Rule
from topoedit.rules.context import Context

_BY_MEDIUM = {
    "fibre": "aoc-reach", "mmf": "mmf-reach", "smf": "smf-reach", "smf/mmf": "smf-reach",
    "smf-dwdm": "coherent-reach",
}  # fmt: skip
OTHER = "cable-reach"


def rule_of(medium: Medium) -> str:
    """Id of the rule that checks the length of a medium."""
    return medium.reach_rule or _BY_MEDIUM.get(medium.medium, OTHER)


def reach_rule(rule_id: str, title: str, source: str) -> Rule:
    """A rule over all links whose medium it is for."""
    return Rule(rule_id, title, "error", source, lambda context: check(context, rule_id), mend=mend)


def rows_of(context: Context, rule_id: str) -> Longs:
    """Links whose medium a rule is for."""
    table = [m is not None and rule_of(m) == rule_id for m in context.links.media]
    return np.flatnonzero(np.array(table, bool)[context.links.medium])


def check(context: Context, rule_id: str) -> Outcome:
    """Judge the length of every link of the rule's media."""
    links = context.links
    columns = (
        links.medium, context.lengths, context.least_lengths, context.is_routed, links.same_rack,
        links.gbps,
        context.link_fabric[0],
        links.runs.like[links.run_a], links.runs.like[links.run_b],
    )  # fmt: skip
    return judge(context, rows_of(context, rule_id), _verdict, columns)


def _verdict(context: Context, row: int) -> Verdict:
    medium, length = context.medium(row), _length(context.lengths[row])
    verdict = reaches(medium, length, same_rack=bool(context.links.same_rack[row]))
    if medium is None or verdict == "ok":
        return None
    if verdict == "unknown":
        lack = "no length" if length is None else f"{medium.name}, whose reach is not known"
        return Unknown(lack)
    fix, mendable = _fix(context, medium, row)
    if verdict == "beyond" and context.is_routed[row]:
        least = float(context.least_lengths[row])
        if reaches(medium, least, same_rack=bool(context.links.same_rack[row])) == "beyond":
            return Bad(_too_far(context, medium, row), fix, mendable=mendable)
        return Bad(_too_tight(context, medium, row), fix, "warning", mendable)
    if verdict == "beyond":
        return Bad(_beyond(context, medium, row), fix, mendable=mendable)
    return Bad(_warning(context, medium, row), fix, "warning", mendable)


def _length(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _beyond(context: Context, medium: Medium, row: int) -> str:
    length = _length(context.lengths[row])
    if medium.in_rack_only and not context.links.same_rack[row]:
        what = "never leaves its rack, and the ends are not in one rack"
    elif length is None:
        what = "does not reach"
    else:
        what = f"reaches {metres(medium.max_m or 0)}, the cable is {metres(length)}"
    return f"{medium.name} {what}: failed, 0 B/s{_instead(context, row)}"


def _too_far(context: Context, medium: Medium, row: int) -> str:
    """A cable of no drawn length whose way, without slack, is too long."""
    if medium.in_rack_only and not context.links.same_rack[row]:
        return _beyond(context, medium, row)
    least, length = float(context.least_lengths[row]), float(context.lengths[row])
    return (
        f"{medium.name} reaches {metres(medium.max_m or 0)}; no length is drawn, and the way "
        f"between the ends is at least {metres(round(least, 1))}, a cable of {metres(length)}: "
        f"failed, 0 B/s{_instead(context, row)}"
    )


def _too_tight(context: Context, medium: Medium, row: int) -> str:
    """A cable of no drawn length that reaches at most without its slack."""
    least, length = float(context.least_lengths[row]), float(context.lengths[row])
    return (
        f"{medium.name} reaches {metres(medium.max_m or 0)}; no length is drawn, and the way "
        f"between the ends (at least {metres(round(least, 1))}) takes a cable of {metres(length)} "
        "with its slack, which carries nothing"
    )


def _instead(context: Context, row: int) -> str:
    rates = context.cables.gbps[context.cables.link == row]
    known = rates[~np.isnan(rates)]
    return f" instead of {rate(float(known[0]))} a cable" if len(known) else ""


def _warning(context: Context, medium: Medium, row: int) -> str:
    length = float(context.lengths[row])
    if medium.min_m is not None and length < medium.min_m:
        return (
            f"{medium.name} is sold from {metres(medium.min_m)} on, the cable is {metres(length)}"
        )
    return (
        f"{medium.name} works beyond {metres(medium.warn_m or 0)} only with care "
        f"(at most {metres(medium.max_m or 0)}), the cable is {metres(length)}"
    )


def _fix(context: Context, medium: Medium, row: int) -> tuple[str, bool]:
    if medium.in_rack_only:
        return "Join the racks with network cables between NICs and switches", False
    length = float(context.lengths[row])
    shorter = f"shorten it to {metres(medium.warn_m or medium.max_m or 0)}"
    better = better_medium(context, medium, row)
    if better is not None:
        reach = f" ({metres(better.max_m)})" if better.max_m is not None else ""
        return f"Take {better.name}{reach}, or {shorter}", True
    other = _other_ports(context, length, row)
    if other is not None:
        return f"{shorter.capitalize()}, or take {other.name} and ports for it", False
    return f"{shorter.capitalize()}; no medium in the catalogue reaches that far", False


def better_medium(context: Context, medium: Medium, row: int) -> Medium | None:
    """The next medium that reaches, for the rate and network of a link."""
    known = context.cables.gbps[context.cables.link == row]
    gbps = float(known[0]) if len(known) and not np.isnan(known[0]) else None
    chosen = next_medium_that_reaches(
        medium, float(context.lengths[row]), gbps, context.fabric_of(row), context.catalog.media
    )
    found = context.catalog.media.get(chosen)
    if is_assembly(found) and runs_crosswise(context, row):
        return better(context, row, loose=True)
    return found


def _other_ports(context: Context, length: float, row: int) -> Medium | None:
    """The cheapest medium that reaches and is as fast, whatever ports it takes."""
    known = context.links.gbps[row]
    medium = context.medium(row)
    wanted = medium.gbps or 0.0 if np.isnan(known) and medium is not None else float(known)
    fitting = [
        m
        for m in context.catalog.media.values()
        if m.preference is not None and reaches(m, length) == "ok" and _speed(m) >= wanted
    ]
    return min(fitting, key=lambda m: m.preference or 0, default=None)


def _speed(medium: Medium) -> float:
    """Gb/s that a medium carries at least: its own figure or that of one lane."""
    return medium.gbps or medium.lane_gbps or 0.0


def mend(document: Document, finding: Finding) -> Edit | None:
    """Give the links the next medium that reaches; those changed since are left as they are."""
    links = [e for e in map(document.element, finding.elements) if isinstance(e, Link)]
    if not links:
        return None
    context = Context(document)
    rows = {link: row for row, link in enumerate(document.links)}
    medium = context.medium(rows[links[0].id])
    if medium is None or not isinstance(_verdict(context, rows[links[0].id]), Bad):
        return None
    same = (links[0].medium, links[0].length_m, links[0].km)
    alike = [link for link in links if (link.medium, link.length_m, link.km) == same]
    chosen: dict[bool, Medium | None] = {}
    put = []
    for link in alike:
        row = rows[link.id]
        crosswise = runs_crosswise(context, row)
        if crosswise not in chosen:
            chosen[crosswise] = better_medium(context, medium, row)
        taken = chosen[crosswise]
        put += [] if taken is None else [replace(link, medium=taken.id)]
    if not put:
        return None
    names = " and ".join(sorted({taken.name for taken in chosen.values() if taken is not None}))
    return Edit(f"Take {names} for {count(len(put), 'link')}", put=tuple(put))
