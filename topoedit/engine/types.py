"""The records that the stages of the engine hand to each other: arrays, no drawing, no names.

Units: bytes, seconds, bytes/s per direction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes8 = NDArray[np.uint8]
Bools = NDArray[np.bool_]


class VertexKind(IntEnum):
    """What a vertex of the fabric is."""

    GPU = 0
    NIC = 1
    SCALE_UP = 2  # an NVSwitch chip or other scale-up crossbar
    LEAF = 3
    SPINE = 4
    CORE = 5
    SWITCH = 6
    ROUTER = 7
    HOST = 8  # a server whose inside is unknown, or a device that is no GPU server
    OTHER = 9


class Tier(IntEnum):
    """Tiers of links, in the words of the command line (see TIER_NAMES)."""

    SCALE_UP = 0
    HOST_LEAF = 1
    LEAF_SPINE = 2
    SPINE_CORE = 3
    BETWEEN_SITES = 4
    HOST_BUS = 5  # PCIe between GPU and NIC; inner, reported as its own inner links
    OTHER = 6


BETWEEN_SWITCHES = (Tier.LEAF_SPINE, Tier.SPINE_CORE, Tier.OTHER)
"""Tiers between switches of a site, where paths are chosen: a routing mode's share counts there."""

TIER_NAMES = (
    "scale-up", "host-leaf", "leaf-spine", "spine-core", "between-sites", "host-bus", "other",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Fabric:
    """A drawing as arrays. Directed edge e and e + E/2 are the two directions of one link.

    Attributes:
        name: the drawing's name.
        revision: topology revision of the document it was compiled from.
        vertex_kind: (V,) VertexKind.
        vertex_device: (V,) row in `device_ids`.
        vertex_local: (V,) index inside its device (GPU, NIC or chip number), 0 for a switch.
        device_ids, device_names: ids and names of the devices, one row each.
        src, dst: (E,) vertices of each directed edge.
        capacity: (E,) bytes/s per direction of all its working cables; 0 for a failed link;
            NaN where the rate is unknown (routed over, reported without utilisation).
        latency: (E,) seconds of propagation and port-to-port delay.
        tier: (E,) Tier.
        cables: (E,) number of cables (1 for an inner link); working: of them, those that carry.
        link: (E,) row in `link_ids`.
        link_ids: ids of drawn links, then of inner links (`dgx-01/nvlink/gpu3`).
        drawn_links: how many of `link_ids` are drawn links.
        gpus: (G,) vertex of each GPU in rank order (site, building, pod, rack, device, index).
        gpu_domain: (G,) scale-up domain of each GPU.
        gpu_server: (G,) row in `device_ids`.
        gpu_site: (G,) site number.
        accelerators: (G,) catalogue id of each GPU's accelerator.
        multicast: (D,) for each scale-up domain, in-switch reduction (NVLS) is there.
        reduction: in-network reduction (SHARP) on every switch of the compute network.
        network: "InfiniBand", "Ethernet" or "" if unknown or mixed.
        unknown_hosts: servers whose GPUs are unknown.
        notes: what a reader should know about the compilation (for `warnings`).
    """

    name: str
    revision: int
    vertex_kind: Bytes8
    vertex_device: Ints
    vertex_local: Ints
    device_ids: tuple[str, ...]
    device_names: tuple[str, ...]
    src: Ints
    dst: Ints
    capacity: Floats
    latency: Floats
    tier: Bytes8
    cables: Ints
    working: Ints
    link: Ints
    link_ids: tuple[str, ...]
    drawn_links: int
    gpus: Ints
    gpu_domain: Ints
    gpu_server: Ints
    gpu_site: Ints
    accelerators: tuple[str, ...]
    multicast: Bools
    reduction: bool
    network: str
    unknown_hosts: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flows:
    """Point-to-point demand between GPUs given as rank numbers: `bytes[i]` from src to dst."""

    src: Longs
    dst: Longs
    bytes: Floats


@dataclass(frozen=True, slots=True)
class AllToAll:
    """All-to-all in equal groups without a list of its pairs.

    Attributes:
        groups: (K, n) ranks of each group.
        pair_bytes: bytes from each member to each other member.
    """

    groups: Longs
    pair_bytes: float


@dataclass(frozen=True, slots=True)
class InNetwork:
    """Reduction in the scale-up switch: each GPU sends `up` and receives `down` bytes.

    `groups` is (K, n); every group lies in one scale-up domain.
    """

    groups: Longs
    up: float
    down: float


Demand = Flows | AllToAll | InNetwork


@dataclass(frozen=True, eq=False)
class Spread:
    """How long the fullest single cables take, for each of S draws of who takes which path.

    Seconds are bytes over the full rate; cables of unknown rate count nothing. S is 1 where the
    paths are fixed.

    Attributes:
        tiers: (S, tiers) the fullest cable of each Tier.
        classes: (S, C) the fullest cable of each class of links that carries something.
        class_tier, class_links: (C,) Tier and number of directed edges of each class.
    """

    tiers: Floats
    classes: Floats
    class_tier: Ints
    class_links: Longs


@dataclass(frozen=True, slots=True)
class EdgeLoad:
    """What routing some demand puts on the fabric.

    Attributes:
        bytes: (E,) bytes on each directed edge; where paths are drawn by chance, their mean.
        delivered: bytes that arrived; lost: bytes that have no path.
        lost_pairs: number of pairs without a path; example: ranks of one of them.
        spread: what single cables carry, where a flow takes one path and not all.
    """

    bytes: Floats
    delivered: float
    lost: float = 0.0
    lost_pairs: int = 0
    example: tuple[int, int] | None = None
    spread: Spread | None = None


@dataclass(frozen=True, slots=True)
class GroupShape:
    """What a collective needs to know of one communication group (its slowest like).

    Attributes:
        ranks: n, size of the group.
        servers: N, servers (or scale-up domains when wider) that the group spans.
        per_server: g = n / N.
        domain_ranks: ranks in one scale-up domain.
        scaleup_rate: bytes/s per direction of one GPU into its scale-up fabric; 0 if none.
        network_rate: bytes/s per direction of one server's NICs that this group uses; 0 if none.
        nics_per_server: NICs of a server that this group uses.
        generation: accelerator generation (`ampere`, `hopper`, `blackwell`, ...).
        accelerator: catalogue id.
        network: "InfiniBand", "Ethernet", "" (and "EFA" where stated).
        multicast: NVLS available in the domain; reduction: SHARP on the network.
        hop_latency: extra seconds of one way between two servers beyond the constants' own
            (distance, more switches).
        crosses_sites: some members are on other sites.
        sites: number of sites; site_latency: seconds of one way between two of them.
    """

    ranks: int
    servers: int
    per_server: float
    domain_ranks: int
    scaleup_rate: float
    network_rate: float
    nics_per_server: int
    generation: str
    accelerator: str
    network: str
    multicast: bool = False
    reduction: bool = False
    hop_latency: float = 0.0
    crosses_sites: bool = False
    sites: int = 1
    site_latency: float = 0.0


@dataclass(frozen=True, slots=True)
class CollectiveTime:
    """Time of one call and what it sends.

    Attributes:
        algorithm: name as on the command line; runner_up: next best of the automatic choice.
        bytes_per_gpu: useful bytes that leave one GPU; port_bytes: bytes on its port.
        network_bytes: bytes that leave one server's NICs, for each of its group members.
        formula: the formula with its inputs, for "why".
        source: where formula and constants come from.
    """

    op: str
    algorithm: str
    protocol: str
    time_s: float
    latency_s: float
    bandwidth_s: float
    bytes_per_gpu: float
    port_bytes: float
    network_bytes: float
    runner_up: str = ""
    runner_up_s: float | None = None
    formula: str = ""
    source: str = ""
    notes: tuple[str, ...] = field(default=())
