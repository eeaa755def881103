"""What routers share whose connections take one path each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from topoedit.engine.routing.pairs import network_pairs
from topoedit.engine.routing.router import Router
from topoedit.engine.routing.spread import Measures
from topoedit.engine.routing.walk import Connections, Walker
from topoedit.engine.types import AllToAll, Demand, Fabric, Flows, InNetwork


@dataclass(eq=False)
class SinglePaths:
    """A fabric to walk on.

    Args:
        fabric: the fabric.
    """

    fabric: Fabric
    even: Router = field(init=False)

    def __post_init__(self) -> None:
        self.even = Router(self.fabric, weights="cables")

    @cached_property
    def walker(self) -> Walker:
        """Walks on the fabric."""
        return Walker(self.even)

    @cached_property
    def measures(self) -> Measures:
        """Turns loads of cables into seconds of tiers and classes."""
        walker = self.walker
        return Measures(self.fabric, self.even.edge_classes, walker.columns, walker.variable)

    def connections(self, demands: tuple[Demand, ...], flows: int, *, pxn: bool) -> Connections:
        """Who sends to whom over the network, each pair split into some flows."""
        return self.walker.connections(network_pairs(self.even, demands, pxn=pxn), flows)


def listed(demand: Demand | Iterable[Demand]) -> tuple[Demand, ...]:
    """One demand or several as a tuple."""
    return (demand,) if isinstance(demand, Flows | AllToAll | InNetwork) else tuple(demand)
