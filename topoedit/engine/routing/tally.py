"""What has been routed so far, in the arrays where it is cheapest to add."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from topoedit.engine.types import Floats, Longs


@dataclass(eq=False)
class Tally:
    """Load while demand is being routed; arrays come into being when first used.

    Attributes:
        edges: number of directed edges of the fabric.
        gpus: number of GPUs.
        class_edges: number of edge classes of the routed graph.
        delivered, lost, lost_pairs, example: as in EdgeLoad.
    """

    edges: int
    gpus: int
    class_edges: int
    delivered: float = 0.0
    lost: float = 0.0
    lost_pairs: int = 0
    example: tuple[int, int] | None = field(default=None)

    @cached_property
    def load(self) -> Floats:
        """(E,) bytes of irregular parts, edge by edge."""
        return np.zeros(self.edges)

    @cached_property
    def network(self) -> tuple[Floats, Floats]:
        """(G,) bytes that each GPU sends and receives over the network."""
        return np.zeros(self.gpus), np.zeros(self.gpus)

    @cached_property
    def inside(self) -> tuple[Floats, Floats]:
        """(G,) bytes that each GPU of a star domain sends and receives inside it."""
        return np.zeros(self.gpus), np.zeros(self.gpus)

    @cached_property
    def classes(self) -> Floats:
        """Bytes on one edge of each class of the routed graph."""
        return np.zeros(self.class_edges)

    def has(self, part: str) -> bool:
        """Whether one of the arrays has been used."""
        return part in self.__dict__

    def add(self, part: str, sent: Floats, received: Floats) -> None:
        """Add (G,) bytes to `network` or `inside`."""
        if not self.has(part):
            self.__dict__[part] = (sent.copy(), received.copy())
            return
        pair: tuple[Floats, Floats] = self.__dict__[part]
        np.add(pair[0], sent, out=pair[0])
        np.add(pair[1], received, out=pair[1])

    def lose(self, src: Longs, dst: Longs, amount: Floats) -> None:
        """Record pairs without a path and the bytes each could not send."""
        if not len(src):
            return
        self.lost += float(amount.sum())
        self.lost_pairs += len(src)
        if self.example is None:
            self.example = (int(src[0]), int(dst[0]))
