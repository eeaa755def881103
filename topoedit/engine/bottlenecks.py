"""Bottlenecks: classes of links that carry alike and set the pace, what they cost and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.edge_index import TierEdges, edge_index
from topoedit.engine.figures import Figures
from topoedit.engine.load import Faster, Routed
from topoedit.engine.types import TIER_NAMES, Fabric, Floats, Longs
from topoedit.model.analysis import Bottleneck
from topoedit.units import format_bytes, format_percent, format_rate

_SAME = 1e-6
_MOST = 12


@dataclass(frozen=True, eq=False)
class Candidate:
    """Links of one tier that set the pace of `kinds` of traffic."""

    links: Faster
    kinds: tuple[str, ...]


def candidates(fabric: Fabric, routed: Sequence[Routed]) -> list[Candidate]:
    """The fullest edges of every kind of traffic, tier by tier; sets that overlap become one."""
    found: list[Candidate] = []
    for one in routed:
        for limit in (one.limit, one.network):
            if limit is None:
                continue
            for tier, edges in _by_tier(fabric, limit.edges):
                found = _added(found, edges, tier, one.class_, len(fabric.src))
    return found


def _by_tier(fabric: Fabric, edges: Longs) -> list[tuple[int, Longs]]:
    """Edges apart by tier."""
    if not len(edges):
        return []
    tiers = fabric.tier[edges]
    if (tiers == tiers[0]).all():
        return [(int(tiers[0]), edges)]
    return [(int(tier), edges[tiers == tier]) for tier in np.unique(tiers)]


def _added(
    found: list[Candidate], edges: Longs, tier: int, kind: str, total: int
) -> list[Candidate]:  # fmt: skip
    mask = np.zeros(total, bool)
    mask[edges] = True
    kinds, apart, joined = [kind], [], False
    for one in found:
        if one.links.tier == tier and one.links.mask[edges].any():
            mask |= one.links.mask
            kinds, joined = [*one.kinds, *kinds], True
        else:
            apart.append(one)
    edges = np.flatnonzero(mask) if joined else edges
    return [*apart, Candidate(Faster(edges, mask, tier), tuple(dict.fromkeys(kinds)))]


def bottlenecks(
    fabric: Fabric,
    figures: Figures,
    found: Sequence[Candidate],
    gains: Sequence[float],
) -> tuple[tuple[Bottleneck, Longs], ...]:
    """Records with their directed links, dearest first; then the fullest links of other tiers.

    Args:
        fabric: the fabric.
        figures: its loads.
        found: candidates.
        gains: seconds a step that each would save if it were twice as fast.
    """
    rows = [
        (_record(fabric, figures, one.links.edges, one.kinds, max(0.0, gain)), one.links.edges)
        for one, gain in zip(found, gains, strict=True)
    ]
    for tier, edges in edge_index(fabric).tiers.items():
        here = [one.links for one in found if one.links.tier == tier]
        top = _highest(figures.demand, figures.tops[tier], edges, here)
        if len(top):
            rows.append((_record(fabric, figures, top, (), 0.0), top))
    rows.sort(key=lambda row: (-row[0].cost_s, -row[0].demand, row[0].example))
    return tuple(rows[:_MOST])


def _highest(demand: Floats, most: float, edges: TierEdges, told: Sequence[Faster]) -> Longs:
    """Edges whose demand is the highest of a tier; none if nothing flows or they are told."""
    least = most * (1 - _SAME)
    # a comparison with NaN, an unknown demand, is false
    if most <= 0 or any((demand[one.edges] >= least).any() for one in told):
        return np.zeros(0, np.int64)
    return np.sort(edges.numbers[demand[edges.numbers] >= least], kind="stable")


def _record(
    fabric: Fabric, figures: Figures, edges: Longs, kinds: tuple[str, ...], gain: float
) -> Bottleneck:
    # the example is the one whose demand is highest, the first of equals
    demand = figures.demand[edges]
    edge = int(edges[np.argmax(np.nan_to_num(demand) if np.isnan(demand[0]) else demand)])
    sent = {
        name: float(row[edge])
        for name, row in zip(figures.classes, figures.bytes, strict=True)
        if row[edge] > 0
    }
    links = fabric.link[edges]
    single = bool((links == links[0]).all())
    return Bottleneck(
        links=len(edges),
        example=fabric.link_ids[fabric.link[edge]],
        from_=_name(fabric, fabric.src[edge]),
        to=_name(fabric, fabric.dst[edge]),
        tier=TIER_NAMES[fabric.tier[edge]],
        utilisation=_known(figures.utilisation[edge]),
        phase_share=_known(figures.phase_share[edge]),
        demand=_known(figures.demand[edge]),
        bytes=float(figures.total[edge]),
        by_class=sent,
        cost_s=gain,
        cost_one_s=gain if single else 0.0,
        why=_why(fabric, figures, edge, kinds, len(edges)),
    )


def _why(fabric: Fabric, figures: Figures, edge: int, kinds: tuple[str, ...], links: int) -> str:
    sent, rate = format_bytes(figures.total[edge]), format_rate(float(fabric.capacity[edge]))
    load = f"{sent} a step at {rate} on each of {links} directed links"
    demand = f"demand {format_percent(_known(figures.demand[edge]))}"
    if not kinds:
        return f"{load}, {demand}; no traffic waits for these links"
    names = " and ".join(kinds)
    return f"{names} traffic waits for these links: {load}, {demand}"


def _name(fabric: Fabric, vertex: int) -> str:
    return fabric.device_names[int(fabric.vertex_device[vertex])]


def _known(value: float) -> float:
    return 0.0 if np.isnan(value) else float(value)
