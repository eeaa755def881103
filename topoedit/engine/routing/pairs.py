"""Who sends to whom over the network, GPU by GPU, for routing one connection at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from topoedit.engine.routing.alltoall import listed_pairs
from topoedit.engine.routing.router import Router
from topoedit.engine.routing.sums import merge
from topoedit.engine.types import AllToAll, Demand, Flows


def network_pairs(router: Router, demands: Iterable[Demand], *, pxn: bool) -> Flows:
    """Bytes between the GPUs whose NICs they leave and arrive by; equal pairs are one.

    What stays inside a scale-up domain or has no path is left out.
    """
    size = len(router.fabric.gpus)
    keys, values = [np.zeros(0, np.int64)], [np.zeros(0)]
    for flows in _all_flows(demands):
        domain = router.fabric.gpu_domain
        far = (domain[flows.src] != domain[flows.dst]) & (flows.bytes > 0)
        src, dst, amount = flows.src[far], flows.dst[far], flows.bytes[far]
        _, via, out, value = router.network_legs(src, dst, amount, pxn=pxn)
        keys.append(via * size + out)
        values.append(value)
    key, value = merge(np.concatenate(keys), np.concatenate(values), size * size)
    return Flows(key // max(size, 1), key % max(size, 1), value)


def _all_flows(demands: Iterable[Demand]) -> Iterator[Flows]:
    for demand in demands:
        if isinstance(demand, Flows):
            yield demand
        elif isinstance(demand, AllToAll) and demand.groups.size and demand.pair_bytes > 0:
            yield from listed_pairs(demand)
