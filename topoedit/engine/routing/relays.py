"""Which GPU's NIC a flow leaves and enters by, when it is not its own.

Rules, all static (they look at what works, not at where a flow goes):

1. A GPU with a working chain to the network uses its own NICs.
2. A GPU without one uses those of the GPUs of its server in the same scale-up domain, or, if the
   server has none, of the whole domain, in proportion to the capacity of their NICs.
3. With PXN the bytes for a GPU on another rail first move over scale-up to the GPUs of the same
   server and domain whose NIC is on the destination's rail; without such a GPU rule 1 or 2 holds.

The rail of a GPU is the number of its first working NIC inside its server.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.routing.access import Chains
from topoedit.engine.routing.sums import positions, sum_by
from topoedit.engine.types import Bools, Fabric, Floats, Longs


@dataclass(frozen=True, eq=False)
class Sets:
    """Weighted sets of ranks: set i is `rank[start[i]:start[i + 1]]`, shares sum to 1."""

    start: Longs
    rank: Longs
    share: Floats

    def sizes(self) -> Longs:
        """Size of each set."""
        return np.diff(self.start)

    def expand(self, sets: Longs) -> tuple[Longs, Longs, Floats]:
        """Members of some sets: position in `sets`, rank, share."""
        position, at = positions(self.start[sets], self.sizes()[sets])
        return position, self.rank[at], self.share[at]


@dataclass(frozen=True, eq=False)
class Relays:
    """The rules as arrays.

    Attributes:
        attached: (G,) has a working chain of its own.
        rail: (G,) its rail in 0..rails-1, -1 if not attached.
        rails: number of rails in use.
        unit: (G,) number of its server and scale-up domain taken together.
        units: number of units.
        access: set `unit` for GPUs without a chain (rule 2).
        by_rail: set `unit * rails + rail` (rule 3).
    """

    attached: Bools
    rail: Longs
    rails: int
    unit: Longs
    units: int
    access: Sets
    by_rail: Sets

    def destinations(self, dst: Longs) -> tuple[Longs, Longs, Floats]:
        """Where flows leave the network: position of the flow, rank, share of its bytes."""
        return self._own_or(self.attached[dst], dst, self.access, self.unit[dst])

    def sources(self, src: Longs, rail: Longs, *, pxn: bool) -> tuple[Longs, Longs, Floats]:
        """Where flows enter the network on the way to a GPU on `rail`."""
        if not pxn:
            return self._own_or(self.attached[src], src, self.access, self.unit[src])
        key = self.unit[src] * self.rails + rail
        relayed = (self.rail[src] != rail) & (self.by_rail.sizes()[key] > 0)
        direct, via = np.flatnonzero(~relayed), np.flatnonzero(relayed)
        at, rank, share = self.sources(src[direct], rail[direct], pxn=False)
        position, relay, part = self.by_rail.expand(key[via])
        return (
            np.concatenate([direct[at], via[position]]),
            np.concatenate([rank, relay]),
            np.concatenate([share, part]),
        )

    def _own_or(
        self, own: Bools, ranks: Longs, sets: Sets, which: Longs
    ) -> tuple[Longs, Longs, Floats]:
        if own.all():
            return np.arange(len(ranks)), ranks, np.ones(len(ranks))
        here, away = np.flatnonzero(own), np.flatnonzero(~own)
        position, rank, share = sets.expand(which[away])
        return (
            np.concatenate([here, away[position]]),
            np.concatenate([ranks[here], rank]),
            np.concatenate([np.ones(len(here)), share]),
        )


def find_relays(fabric: Fabric, weight: Floats, chains: Chains) -> Relays:
    """Work out the sets of the rules."""
    count = len(fabric.gpus)
    attached = np.diff(chains.start) > 0
    rail = np.full(count, -1, np.int64)
    names, numbers = np.unique(chains.rail, return_inverse=True)
    # chains of a rank are in no order of rail, so take the least
    order = np.argsort(-numbers, kind="stable")
    rail[chains.rank[order]] = numbers[order]
    pair = fabric.gpu_server.astype(np.int64) * (count + 1) + fabric.gpu_domain
    _, unit = np.unique(pair, return_inverse=True)
    units, rails = int(unit.max(initial=-1)) + 1, max(len(names), 1)
    strength = sum_by(chains.rank, weight[chains.wire_up], count)
    members = np.flatnonzero(attached)
    return Relays(
        attached=attached,
        rail=rail,
        rails=rails,
        unit=unit.astype(np.int64),
        units=units,
        access=_access_sets(fabric, members, unit, units, strength),
        by_rail=_sets(unit[members] * rails + rail[members], members, strength, units * rails),
    )


def _sets(key: Longs, rank: Longs, strength: Floats, count: int) -> Sets:
    """Sets of ranks by key, shares in proportion to strength."""
    order = np.argsort(key, kind="stable")
    key, rank = key[order], rank[order]
    total = sum_by(key, strength[rank], count)
    share = strength[rank] / total[key]
    return Sets(np.searchsorted(key, np.arange(count + 1)), rank, share)


def _access_sets(fabric: Fabric, members: Longs, unit: Longs, units: int, strength: Floats) -> Sets:
    """Attached GPUs of each unit; of its domain where the unit has none."""
    own = _sets(unit[members], members, strength, units)
    empty = np.flatnonzero(own.sizes() == 0)
    if not len(empty):
        return own
    domains = int(fabric.gpu_domain.max(initial=-1)) + 1
    wide = _sets(fabric.gpu_domain[members].astype(np.int64), members, strength, domains)
    domain_of = np.zeros(units, np.int64)
    domain_of[unit] = fabric.gpu_domain
    position, rank, _ = wide.expand(domain_of[empty])
    filled = np.concatenate([unit[members], empty[position]])
    return _sets(filled, np.concatenate([members, rank]), strength, units)
