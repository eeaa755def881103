"""Rail-only networks on any drawing: switches that join rails are taken out.

A switch with NICs on it is a rail's own. Any other belongs to the rails of the switches below it
(Wang et al., arXiv 2307.12169: no cable joins two rails); one that serves several joins them.
"""

from __future__ import annotations

import numpy as np

from topoedit.engine.compile.layout import vertex_is_switch
from topoedit.engine.routing.access import Chains
from topoedit.engine.types import Bools, Fabric, Floats, Ints, Longs

_NONE, _SEVERAL = -1, -2


def without_joints(fabric: Fabric, weight: Floats, chains: Chains) -> Floats:
    """(E,) weights, 0 on the edges of switches that join rails.

    Args:
        fabric: the fabric.
        weight: (E,) routing weights.
        chains: ways of the GPUs into the network.
    """
    joint = _joints(fabric, weight, chains)
    return np.where(joint[fabric.src] | joint[fabric.dst], 0.0, weight)


def _joints(fabric: Fabric, weight: Floats, chains: Chains) -> Bools:
    """(V,) switches above the leaves that serve several rails."""
    switch = vertex_is_switch(fabric.vertex_kind)
    rail = np.full(len(switch), _NONE, np.int64)
    _label(rail, chains.leaf, chains.rail)
    joint = np.zeros(len(switch), bool)
    live = np.flatnonzero(switch[fabric.src] & switch[fabric.dst] & (weight > 0))
    src, dst = fabric.src[live], fabric.dst[live]
    while True:
        new = (rail[src] != _NONE) & (rail[dst] == _NONE)
        if not new.any():
            return joint
        reached = dst[new]
        _label(rail, reached, rail[src[new]])
        joint[reached] = rail[reached] == _SEVERAL


def _label(rail: Longs, vertex: Longs | Ints, of: Longs) -> None:
    """Give each vertex the one rail named for it, or `_SEVERAL`."""
    low = np.full(len(rail), np.iinfo(np.int64).max)
    high = np.full(len(rail), np.iinfo(np.int64).min)
    np.minimum.at(low, vertex, of)
    np.maximum.at(high, vertex, of)
    named = np.unique(vertex)
    rail[named] = np.where(low[named] == high[named], low[named], _SEVERAL)
