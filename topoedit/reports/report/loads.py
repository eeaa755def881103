"""Loads of a tier as heat map and histogram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.analyse import Result
from topoedit.engine.types import Bools, Fabric, Floats, Tier, VertexKind
from topoedit.model.ports import natural_key
from topoedit.reports.report.blocks import Bin, HeatMap

MOST_ROWS, MOST_COLUMNS = 32, 48
STEP = 0.1
_BINS = 10


def drawn_edges(fabric: Fabric, tier: Tier) -> Bools:
    """(E,) directed edges of drawn links of a tier."""
    found: Bools = (fabric.tier == tier) & (fabric.link < fabric.drawn_links)
    return found


def load_bins(demand: Floats) -> tuple[Bin, ...]:
    """How many of these loads lie in each tenth, and over 100 %; idle ones apart.

    >>> [bin.count for bin in load_bins(np.array([0.0, 0.05, 0.1, 0.95, 1.2]))]
    [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    """
    known = demand[~np.isnan(demand)]
    idle = int(np.count_nonzero(known <= 0))
    over = int(np.count_nonzero(known > 1 + 1e-9))
    rest = known[(known > 0) & (known <= 1 + 1e-9)]
    place = np.clip(np.ceil(rest / STEP - 1e-9).astype(int) - 1, 0, _BINS - 1)
    counts = np.bincount(place, minlength=_BINS).tolist()
    tenths = [
        Bin(f"{10 * i}–{10 * i + 10}", count, (i + 0.5) * STEP) for i, count in enumerate(counts)
    ]
    return (Bin("0", idle, 0.0), *tenths, Bin("> 100", over, 1.1))


def heat_map(result: Result, tier: Tier, title: str) -> HeatMap | None:
    """The higher demand of both directions between the lower and the upper ends of a tier.

    Links of a server have the number of their NIC as column. Many rows or columns are joined in
    their natural order; a cell shows the highest of what it stands for.
    """
    fabric = result.fabric
    low, high, load = _ends(fabric, tier, result.figures.demand)
    if not len(load):
        return None
    row_names, row = _named(fabric, low)
    if tier == Tier.HOST_LEAF:
        numbers, column = np.unique(fabric.vertex_local[high], return_inverse=True)
        column_names = [f"nic{number}" for number in numbers.tolist()]
    else:
        column_names, column = _named(fabric, high)
    row_words, row_of = _joined(row_names, MOST_ROWS)
    column_words, column_of = _joined(column_names, MOST_COLUMNS)
    values = np.full((len(row_words), len(column_words)), np.nan)
    np.fmax.at(values, (row_of[row], column_of[column]), load)
    joined = len(row_words) < len(row_names) or len(column_words) < len(column_names)
    note = "higher of both directions" + (", highest of each group" if joined else "")
    cells = tuple(
        tuple(None if value != value else value for value in line) for line in values.tolist()
    )
    return HeatMap(title, f"demand, {note}", tuple(row_words), tuple(column_words), cells)


def _ends(
    fabric: Fabric, tier: Tier, demand: Floats
) -> tuple[NDArray[np.int32], NDArray[np.int32], Floats]:
    """Vertices at the lower and upper end of each link of a tier, and its load.

    For links of servers both are the NIC.
    """
    half = len(fabric.src) // 2
    at = np.flatnonzero(drawn_edges(fabric, tier)[:half])
    a, b = fabric.src[at], fabric.dst[at]
    kind = fabric.vertex_kind
    lower = {Tier.HOST_LEAF: VertexKind.NIC, Tier.LEAF_SPINE: VertexKind.LEAF}.get(
        tier, VertexKind.SPINE
    )
    first, second = kind[a] == lower, kind[b] == lower
    fits = first ^ second
    low = np.where(first, a, b)[fits]
    high = low if tier == Tier.HOST_LEAF else np.where(first, b, a)[fits]
    load: Floats = np.fmax(demand[at], demand[at + half])[fits]
    return low, high, load


def _named(fabric: Fabric, vertices: NDArray[np.int32]) -> tuple[list[str], NDArray[np.intp]]:
    """Names of the devices of vertices in natural order, and for each vertex which it is."""
    rows, inverse = np.unique(fabric.vertex_device[vertices], return_inverse=True)
    names = [fabric.device_names[row] for row in rows.tolist()]
    order = sorted(range(len(names)), key=lambda i: natural_key(names[i]))
    rank = np.empty(len(names), dtype=np.intp)
    rank[order] = np.arange(len(names))
    return [names[i] for i in order], rank[inverse]


def _joined(names: list[str], most: int) -> tuple[list[str], NDArray[np.intp]]:
    """At most so many groups of neighbours, and for each name its group."""
    groups = min(len(names), most)
    of = (np.arange(len(names)) * groups // max(len(names), 1)).astype(np.intp)
    words = []
    for group in range(groups):
        members = np.flatnonzero(of == group)
        first, last = names[int(members[0])], names[int(members[-1])]
        words.append(first if first == last else f"{first} … {last}")
    return words, of
