"""Bottlenecks: classes of links that carry alike and set the pace, what they cost and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.figures import Figures, edge_index
from topoedit.engine.load import Routed
from topoedit.engine.types import TIER_NAMES, Bools, Fabric, Floats, Longs
from topoedit.model.analysis import Bottleneck
from topoedit.units import format_bytes, format_percent, format_rate

_SAME = 1e-6
_MOST = 12


@dataclass(frozen=True, eq=False)
class Candidate:
    """Links of one tier that set the pace of `kinds` of traffic; `mask` marks their edges."""

    edges: Longs
    mask: Bools
    kinds: tuple[str, ...]


def candidates(fabric: Fabric, routed: Sequence[Routed]) -> list[Candidate]:
    """The fullest edges of every kind of traffic, tier by tier; sets that overlap become one."""
    found: list[Candidate] = []
    for one in routed:
        for limit in (one.limit, one.network):
            if limit is None:
                continue
            for edges in _by_tier(fabric, limit.edges):
                found = _added(found, edges, len(fabric.src), one.class_)
    return found


def _by_tier(fabric: Fabric, edges: Longs) -> list[Longs]:
    """Edges apart by tier."""
    tiers = fabric.tier[edges]
    if not len(edges) or (tiers == tiers[0]).all():
        return [edges] if len(edges) else []
    return [edges[tiers == tier] for tier in np.unique(tiers)]


def _added(found: list[Candidate], edges: Longs, total: int, kind: str) -> list[Candidate]:
    mask = np.zeros(total, bool)
    mask[edges] = True
    kinds, apart, joined = [kind], [], False
    for one in found:
        if one.mask[edges].any():
            mask |= one.mask
            kinds, joined = [*one.kinds, *kinds], True
        else:
            apart.append(one)
    edges = np.flatnonzero(mask) if joined else edges
    return [*apart, Candidate(edges, mask, tuple(dict.fromkeys(kinds)))]


def bottlenecks(
    fabric: Fabric,
    figures: Figures,
    found: Sequence[Candidate],
    gains: Sequence[float],
) -> tuple[Bottleneck, ...]:
    """Records, dearest first; then the links in highest demand of every other tier.

    Args:
        fabric: the fabric.
        figures: its loads.
        found: candidates.
        gains: seconds a step that each would save if it were twice as fast.
    """
    rows = [
        _record(fabric, figures, one.edges, one.kinds, max(0.0, gain))
        for one, gain in zip(found, gains, strict=True)
    ]
    for edges in edge_index(fabric).by_tier.values():
        top = _highest(figures.demand, edges)
        if len(top) and not any(one.mask[top].any() for one in found):
            rows.append(_record(fabric, figures, top, (), 0.0))
    rows.sort(key=lambda row: (-row.cost_s, -row.demand, row.example))
    return tuple(rows[:_MOST])


def _highest(demand: Floats, edges: Longs) -> Longs:
    """Edges whose demand is the highest of a tier; none if nothing flows."""
    values = demand[edges]
    if np.isnan(values).any():
        values = np.nan_to_num(values)
    most = float(values.max(initial=0.0))
    return edges[values >= most * (1 - _SAME)] if most > 0 else np.zeros(0, np.int64)


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
