"""Loads by link instead of by edge: for the canvas as arrays, for `--links` as records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.figures import Figures
from topoedit.engine.types import Fabric, Floats
from topoedit.model.analysis import LinkLoad
from topoedit.units import GIGA


@dataclass(frozen=True, eq=False)
class LinkArrays:
    """Figures of all links, drawn ones first: rows are (name, direction), direction 0 from a to b.

    Attributes:
        names: `demand`, `utilisation`, `phase_share`, `bytes`, then the traffic classes.
        values: (2 x names, links) float32; for several edges of one link bytes are summed and the
            figures are those of the fullest; NaN for no data.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]


def link_arrays(fabric: Fabric, figures: Figures) -> LinkArrays:
    """Figures of every link in both directions."""
    names = ("demand", "utilisation", "phase_share", "bytes", *figures.classes)
    rows = [figures.demand, figures.utilisation, figures.phase_share, figures.total, *figures.bytes]
    links, half = len(fabric.link_ids), len(fabric.src) // 2
    values = np.full((2 * len(names), links), np.nan, dtype=np.float32)
    spread = _spread(fabric)
    for number, row in enumerate(rows):
        for direction, edges in enumerate((row[:half], row[half:])):
            target = values[2 * number + direction]
            if spread is None:
                target[fabric.link[:half]] = edges
            elif names[number] in ("demand", "utilisation", "phase_share"):
                target[spread.links] = np.fmax.reduceat(edges[spread.order], spread.starts)
            else:
                target[spread.links] = np.add.reduceat(edges[spread.order], spread.starts)
    return LinkArrays(names, values)


@dataclass(frozen=True, eq=False)
class _Spread:
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    links: NDArray[np.int32]


def _spread(fabric: Fabric) -> _Spread | None:
    """How edges fall together into links; None if every edge is a link of its own."""
    half = len(fabric.src) // 2
    rows = fabric.link[:half]
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    first = np.ones(half, bool)
    first[1:] = ordered[1:] != ordered[:-1]
    if first.all():
        return None
    starts = np.flatnonzero(first)
    return _Spread(order, starts, ordered[starts])


def link_loads(fabric: Fabric, figures: Figures) -> tuple[LinkLoad, ...]:
    """Two records for every drawn link, one a direction; failed links carry 0."""
    arrays = link_arrays(fabric, figures)
    half = len(fabric.src) // 2
    capacity = np.zeros(len(fabric.link_ids))
    np.add.at(capacity, fabric.link[:half], fabric.capacity[:half])
    ends = np.zeros(len(fabric.link_ids), dtype=np.int64)
    ends[fabric.link[:half]] = np.arange(half)
    rows: list[LinkLoad] = []
    for link in range(fabric.drawn_links):
        edge = int(ends[link])
        rows += [_link_load(fabric, arrays, link, edge, side, capacity) for side in (0, 1)]
    return tuple(rows)


def _link_load(
    fabric: Fabric, arrays: LinkArrays, link: int, edge: int, direction: int, capacity: Floats
) -> LinkLoad:
    column = arrays.values[direction::2, link]
    known = dict(zip(arrays.names, column.tolist(), strict=True))
    start, end = (fabric.src, fabric.dst) if direction == 0 else (fabric.dst, fabric.src)
    rate = float(capacity[link])
    failed = rate == 0
    return LinkLoad(
        link=fabric.link_ids[link],
        from_=fabric.device_names[fabric.vertex_device[start[edge]]],
        to=fabric.device_names[fabric.vertex_device[end[edge]]],
        capacity_GBps=None if np.isnan(rate) else rate / GIGA,
        bytes=known["bytes"],
        by_class={name: known[name] for name in arrays.names[4:] if known[name] > 0},
        utilisation=_number(known["utilisation"]),
        phase_share=_number(known["phase_share"]),
        demand=_number(known["demand"]),
        state="failed" if failed else "ok",
    )


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
