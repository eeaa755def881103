"""Which GPU's NIC a flow leaves and enters by, when it is not its own.

Rules, all static (they look at what works, not at where a flow goes):

1. A GPU with a working chain to the network uses its own NICs.
2. A GPU without one uses those of the GPUs of its server in the same scale-up domain, or, if the
   server has none, of the whole domain, in proportion to the capacity of their NICs.
3. With PXN the bytes for a GPU on another rail first move over scale-up to the GPUs of the same
   server and domain whose NIC is on the destination's rail; without such a GPU rule 1 or 2 holds.

With strict rails a byte enters the network on the rail it leaves it by: rule 3 is the only way to
another rail, a GPU without a NIC uses that of its unit on the destination's rail, and what has
neither has no path.

The rail of a GPU is the number of its first working NIC inside its server.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topoedit.engine.routing.access import Chains
from topoedit.engine.routing.sums import group, is_sorted, positions, starts, sum_by
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

    @cached_property
    def all_single(self) -> bool:
        """Whether every set has one member."""
        return bool((self.sizes() == 1).all())

    def expand(self, sets: Longs) -> tuple[Longs, Longs, Floats]:
        """Members of some sets: position in `sets`, rank, share."""
        if self.all_single:
            at = self.start[sets]
            return np.arange(len(sets)), self.rank[at], self.share[at]
        position, at = positions(self.start[sets], self.sizes()[sets])
        return position, self.rank[at], self.share[at]


@dataclass(eq=False)
class Relays:
    """The rules as arrays, worked out when first needed.

    Args:
        fabric: the fabric.
        weight: routing weight of each edge.
        chains: ways of the GPUs into the network.
        strict: bytes never change rail in the network.
    """

    fabric: Fabric
    weight: Floats
    chains: Chains
    strict: bool = False

    @cached_property
    def attached(self) -> Bools:
        """(G,) GPUs with a working chain of their own."""
        return np.diff(self.chains.start) > 0

    @cached_property
    def all_attached(self) -> bool:
        """Whether every GPU has one."""
        return bool(self.attached.all())

    @cached_property
    def _rails(self) -> tuple[Longs, int]:
        numbers = self.chains.rail
        used = np.flatnonzero(np.bincount(numbers)) if len(numbers) else numbers
        row = np.zeros(int(used.max(initial=-1)) + 1, np.int64)
        row[used] = np.arange(len(used))
        rail = np.full(len(self.attached), len(used), np.int64)
        if len(numbers) == len(rail) and self.all_attached:
            rail[self.chains.rank] = row[numbers]
        else:
            np.minimum.at(rail, self.chains.rank, row[numbers])
        rail[~self.attached] = -1
        return rail, max(len(used), 1)

    @property
    def rail(self) -> Longs:
        """(G,) rail of each GPU in 0..rails-1, -1 if it is not attached."""
        return self._rails[0]

    @property
    def rails(self) -> int:
        """Number of rails in use."""
        return self._rails[1]

    @cached_property
    def unit(self) -> Longs:
        """(G,) number of a GPU's server and scale-up domain taken together."""
        fabric = self.fabric
        pair = fabric.gpu_server.astype(np.int64) * (len(fabric.gpus) + 1) + fabric.gpu_domain
        return group(pair)[1]

    @cached_property
    def units(self) -> int:
        """Number of units."""
        return int(self.unit.max(initial=-1)) + 1

    @cached_property
    def _strength(self) -> Floats:
        """(G,) capacity of each GPU's NICs."""
        rate = self.weight[self.chains.wire_up]
        return sum_by(self.chains.rank, rate, len(self.attached))

    @cached_property
    def by_rail(self) -> Sets:
        """Set `unit * rails + rail` of rule 3."""
        members = np.flatnonzero(self.attached)
        key = self.unit[members] * self.rails + self.rail[members]
        return _sets(key, members, self._strength, self.units * self.rails)

    @cached_property
    def access(self) -> Sets:
        """Set `unit` of rule 2: attached GPUs of the unit, of its domain where it has none."""
        members = np.flatnonzero(self.attached)
        unit, domain = self.unit, self.fabric.gpu_domain.astype(np.int64)
        own = _sets(unit[members], members, self._strength, self.units)
        empty = np.flatnonzero(own.sizes() == 0)
        domains = int(domain.max(initial=-1)) + 1
        wide = _sets(domain[members], members, self._strength, domains)
        domain_of = np.zeros(self.units, np.int64)
        domain_of[unit] = domain
        position, rank, _ = wide.expand(domain_of[empty])
        filled = np.concatenate([unit[members], empty[position]])
        ranks = np.concatenate([members, rank])
        return _sets(filled, ranks, self._strength, self.units)

    def destinations(self, dst: Longs) -> tuple[Longs, Longs, Floats]:
        """Where flows leave the network: position of the flow, rank, share of its bytes."""
        return self._own_or_shared(dst)

    def sources(self, src: Longs, rail: Longs, *, pxn: bool) -> tuple[Longs, Longs, Floats]:
        """Where flows enter the network on the way to a GPU on `rail`.

        With strict rails a flow that has no way is left out.
        """
        if self.strict:
            return self._on_rail(src, rail, pxn=pxn)
        if not pxn:
            return self._own_or_shared(src)
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

    def _on_rail(self, src: Longs, rail: Longs, *, pxn: bool) -> tuple[Longs, Longs, Floats]:
        """Strict rails: the own NIC if it is on the rail, else those of the unit that are."""
        own = self.rail[src] == rail
        direct = np.flatnonzero(own)
        via = np.flatnonzero(~own & (pxn | ~self.attached[src]))
        position, relay, part = self.by_rail.expand(self.unit[src[via]] * self.rails + rail[via])
        return (
            np.concatenate([direct, via[position]]),
            np.concatenate([src[direct], relay]),
            np.concatenate([np.ones(len(direct)), part]),
        )

    def _own_or_shared(self, ranks: Longs) -> tuple[Longs, Longs, Floats]:
        """Rules 1 and 2: position, rank, share."""
        own = self.attached[ranks]
        if own.all():
            return np.arange(len(ranks)), ranks, np.ones(len(ranks))
        here, away = np.flatnonzero(own), np.flatnonzero(~own)
        position, rank, share = self.access.expand(self.unit[ranks[away]])
        return (
            np.concatenate([here, away[position]]),
            np.concatenate([ranks[here], rank]),
            np.concatenate([np.ones(len(here)), share]),
        )


def _sets(key: Longs, rank: Longs, strength: Floats, count: int) -> Sets:
    """Sets of ranks by key, shares in proportion to strength."""
    if not is_sorted(key):
        order = np.argsort(key, kind="stable")
        key, rank = key[order], rank[order]
    total = sum_by(key, strength[rank], count)
    share = strength[rank] / total[key]
    return Sets(starts(key, count), rank, share)
