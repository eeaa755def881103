"""What one call costs: the call, the cost of one algorithm and protocol, and the law of time.

Time of a call = base + hops + max(ramp(port bytes / rate), ramp(network bytes / rate)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from topoedit.engine.collectives.constants import ConstantSet, Generation, Network
from topoedit.engine.types import Floats, GroupShape
from topoedit.model.plan import RingOrder

OPS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv")
PROTOCOLS = ("ll", "ll128", "simple")
LL, LL128, SIMPLE = range(3)

# Ring bytes per channel and rank above which NCCL lengthens its hops (tuning.cc), 16 channels.
_PLATEAU_BYTES = 64 * 16


def bus_factor(op: str, ranks: int) -> float:
    """Bus bandwidth over algorithm bandwidth, also what a rank of a ring sends in units of S.

    Source: nccl-tests, doc/PERFORMANCE.md.

    >>> bus_factor("all_reduce", 8)
    1.75
    """
    if op in {"broadcast", "send_recv"}:
        return 1.0
    return (2 if op == "all_reduce" else 1) * (ranks - 1) / ranks


def tree_server_factor(servers: int) -> float:
    """Most bytes that a server sends in a double binary tree, in units of S.

    Each tree carries S/2. Two servers: S/2 up one tree and down the other; four and more: an
    inner server sends S/2 up and S down, and S/2 as a leaf of the other tree.
    """
    return {1: 0.0, 2: 1.0, 3: 1.5}.get(servers, 2.0)


@dataclass(frozen=True)
class Call:
    """One call for an array of sizes.

    Attributes:
        size: (K,) bytes as nccl-tests counts them: the whole buffer (all_gather: the gathered
            one; all_to_all: what one rank sends).
        host: seconds the host needs for each call; it hides behind the call before.
    """

    op: str
    size: Floats
    shape: GroupShape
    constants: ConstantSet
    ring_order: RingOrder = "node"
    host: float = 0.0

    @cached_property
    def generation(self) -> Generation:
        """Constants of the accelerator."""
        return self.constants.generation(self.shape)

    @cached_property
    def network(self) -> Network:
        """Constants of the network."""
        return self.constants.network(self.shape)

    @property
    def ranks(self) -> int:
        """Ranks n."""
        return self.shape.ranks

    @property
    def servers(self) -> int:
        """Servers N."""
        return self.shape.servers

    @property
    def local(self) -> float:
        """Ranks in a server g."""
        return max(1.0, self.shape.per_server)

    @property
    def passes(self) -> int:
        """An all-reduce goes round twice."""
        return 2 if self.op == "all_reduce" else 1

    @property
    def wire(self) -> float:
        """Rate of one accelerator into its server's fabric."""
        return self.shape.scaleup_rate if self.shape.scaleup_rate > 0 else self.generation.wire

    @property
    def ring_rate(self) -> float:
        """What rings and trees reach of `wire`; unbounded for one rank a server."""
        return self.wire * self.generation.ring_efficiency if self.local > 1 else math.inf

    @property
    def network_rate(self) -> float:
        """What a server's network ports reach together; unbounded within one server."""
        if self.servers == 1 or not self.shape.network_rate > 0:
            return math.inf
        speeds = self.generation.search_speeds
        if speeds is None:
            return self.shape.network_rate * self.network.nic_efficiency
        ports = max(1, self.shape.nics_per_server)
        one = self.shape.network_rate / ports
        return ports * next((s for s in speeds if s <= one * 1.000001), one)

    def hop(self, ring: bool, protocol: int) -> float:
        """Seconds of a hop inside a server."""
        c, gen = self.constants, self.generation
        if gen.over_pcie:
            return (c.ring_pcie_hop if ring else c.tree_pcie_hop)[protocol]
        return (c.ring_hop if ring else c.tree_hop)[protocol] * gen.hop_scale[protocol]

    def network_hop(self, ring: bool, protocol: int) -> Floats:
        """(K,) seconds of a hop between servers: NCCL's, what the network adds, distance."""
        c, net = self.constants, self.network
        own = (c.ring_network_hop if ring else c.tree_network_hop)[protocol]
        large = own + net.added_large
        if protocol != SIMPLE:
            small = own + net.added_small
            hop = np.where(self.size <= c.eager_bytes, small, max(small, large))
        else:
            hop = np.full(self.size.shape, large)
        return hop + self.shape.hop_latency

    def site_delay(self, crossings: float) -> float:
        """Seconds of going from site to site so many times."""
        return crossings * self.shape.site_latency if self.shape.sites > 1 else 0.0

    def ll_cap(self) -> float:
        """Highest bus rate of the LL protocol."""
        if self.servers == 1:
            return self.generation.ll_rate
        return self.constants.ll_network_two if self.servers == 2 else self.constants.ll_network

    def protocols(self) -> Iterator[int]:
        """Protocols that can be used: LL128 needs a switched fabric and a network that orders."""
        for protocol in range(3):
            if protocol == LL128 and not self.ll128:
                continue
            yield protocol

    @property
    def ll128(self) -> bool:
        """LL128 can be used."""
        return self.generation.switched and (self.servers == 1 or self.network.ll128)

    def plateau(self) -> Floats:
        """(K,) factor on the hops of a ring with Simple between servers."""
        c = self.constants
        old = self.shape.generation == "volta"
        factor = c.ring_plateau_old if old else c.ring_plateau
        return np.where(self.size >= _PLATEAU_BYTES * self.ranks, float(factor), 1.0)


@dataclass(frozen=True)
class Cost:
    """Cost of one algorithm with one protocol; arrays run over the sizes.

    Attributes:
        base: seconds of launch, not scaled by anything.
        hops: seconds of one pass through all hops.
        port_bytes, port_rate: on the busiest accelerator's scale-up port.
        network_bytes, network_rate: on the busiest server's network ports together.
        port_fill, network_fill: latency of the pipeline that each ramp refers to; 0: no ramp.
        serial: share of the shorter of the two parts that does not overlap the longer.
    """

    protocol: int
    base: float
    hops: Floats | float
    port_bytes: Floats
    port_rate: float
    network_bytes: Floats
    network_rate: float = math.inf
    port_fill: Floats | float = 0.0
    network_fill: Floats | float = 0.0
    serial: float = 0.0


@dataclass(frozen=True)
class Volume:
    """Bytes in units of S.

    Attributes:
        sent: useful bytes that leave one accelerator.
        port: bytes that leave it on its scale-up port (network port if alone in its server).
        server: mean bytes that leave a server on its network ports.
    """

    sent: float
    port: float
    server: float = 0.0


@dataclass(frozen=True)
class Timed:
    """Latency and bandwidth parts in seconds, (K,) each."""

    latency: Floats
    bandwidth: Floats

    @cached_property
    def total(self) -> Floats:
        """Seconds of the call."""
        return self.latency + self.bandwidth


def ramp(seconds: Floats, fill: Floats | float, gain: float, depth: float) -> Floats:
    """Seconds that bytes need in a pipeline of latency `fill`.

    x (1 + a x0 / (x + x0)) with x0 = k fill: with few small chunks 1/(1 + a) of the rate, the
    whole rate once the pipeline has been filled many times; filling costs a k fill altogether.
    """
    depth_s = depth * np.asarray(fill, dtype=np.float64) + 1e-15
    return seconds * (1 + gain * depth_s / (seconds + depth_s))


def timed(call: Call, cost: Cost) -> Timed:
    """The two parts of the time of a call."""
    gain, depth = call.constants.ramp_gain, call.constants.ramp_depth
    port = ramp(cost.port_bytes / cost.port_rate, cost.port_fill, gain, depth)
    network = ramp(cost.network_bytes / cost.network_rate, cost.network_fill, gain, depth)
    bandwidth = np.maximum(port, network)
    if cost.serial:
        bandwidth = bandwidth + cost.serial * np.minimum(port, network)
    total = cost.base + cost.hops + bandwidth
    if call.host:
        total = np.hypot(total, call.host)
    return Timed(np.maximum(total - bandwidth, 0.0), bandwidth)


@dataclass(frozen=True)
class Candidate:
    """One algorithm and protocol with its time."""

    algorithm: str
    cost: Cost
    time: Timed = field(repr=False)

    @property
    def protocol(self) -> str:
        """Name of the protocol."""
        return PROTOCOLS[self.cost.protocol]
