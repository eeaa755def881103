"""Groups of a plan on the fabric: which domains, servers and sites they span, how fast each is."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Fabric, Ints, Longs, Tier, VertexKind
from topoedit.rules.context import Context

_SHOWN = 64


def spans(groups: Longs, place: Ints) -> Longs:
    """How many different places the members of each group are in.

    Args:
        groups: (K, n) ranks of each group.
        place: place of each rank.
    """
    where = np.sort(place[groups], axis=1)
    return np.asarray(1 + np.count_nonzero(np.diff(where, axis=1), axis=1))


def servers_of(context: Context, groups: Longs) -> tuple[str, ...]:
    """Ids of the servers of some groups, not more than a person can look at."""
    fabric = context.fabric
    if fabric is None:
        return ()
    rows = np.unique(fabric.gpu_server[groups[:_SHOWN].reshape(-1)])
    return tuple(fabric.device_ids[row] for row in rows.tolist())


def gpu_rates(fabric: Fabric) -> tuple[float, float]:
    """Bytes/s per direction of one GPU into its scale-up network, and its share of the NICs.

    The medians over all servers; NaN where a rate is not known.
    """
    kind, half = fabric.vertex_kind, len(fabric.src) // 2
    src, dst, capacity = fabric.src[:half], fabric.dst[:half], fabric.capacity[:half]
    up = (kind[src] == VertexKind.GPU) & (fabric.tier[:half] == Tier.SCALE_UP)
    count = len(fabric.device_ids)
    gpus = np.bincount(fabric.gpu_server, minlength=count)
    inside = np.bincount(fabric.vertex_device[src[up]], weights=capacity[up], minlength=count)
    out = np.zeros(count)
    for one, other in ((src, dst), (dst, src)):
        nic = (kind[one] == VertexKind.NIC) & (kind[other] != VertexKind.GPU)
        out += np.bincount(fabric.vertex_device[one[nic]], weights=capacity[nic], minlength=count)
    has = gpus > 0
    if not has.any():
        return float("nan"), float("nan")
    return float(np.median(inside[has] / gpus[has])), float(np.median(out[has] / gpus[has]))
