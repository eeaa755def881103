"""The constants of the collective model, by named set."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from topoedit.engine.calibration import Constant, Constants, load_section
from topoedit.engine.types import GroupShape
from topoedit.errors import BadInputError


class Generation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an accelerator generation behaves on its scale-up fabric.

    Attributes:
        accelerators: catalogue ids that these constants stand for.
        wire: rate of one accelerator into its scale-up fabric, per direction.
        ring_efficiency, a2a_efficiency: share of it that rings and all-to-all reach.
        nvls_rate: port rate that in-switch reduction reaches on `wire`; None without it.
        nvls_min_ranks: ranks in the domain from which the library uses it.
        nvls_latency: time through the switch and back.
        ll_rate: highest bus rate of the LL protocol in one server.
        hop_scale: factor on the hop of LL, LL128 and Simple.
        search_speeds: network speeds that the library's channel search tries; None: the
            efficiency of the network is used instead.
        switched: a switch joins all pairs (LL128 needs it).
        over_pcie: no scale-up fabric: PCIe hops.
    """

    wire: Constant
    ring_efficiency: Constant
    a2a_efficiency: Constant
    ll_rate: Constant
    hop_scale: Constants
    accelerators: tuple[str, ...] = ()
    nvls_rate: Constant | None = None
    nvls_min_ranks: Constant | None = None
    nvls_latency: Constant | None = None
    search_speeds: Constants | None = None
    switched: bool = True
    over_pcie: bool = False


class Network(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a kind of network behaves; the added latency is on top of InfiniBand's."""

    nic_efficiency: Constant
    added_small: Constant
    added_large: Constant
    ll128: bool = True


class Measured(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published set-up that the constants were compared with."""

    id: str
    about: str
    source: str
    generation: str
    network: str
    ranks: int
    servers: int
    ops: tuple[str, ...] = ("all_reduce",)


class Spread(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """80 % interval as factors on the time, for calls of up to `below` bytes (None: any size)."""

    low: Constant
    high: Constant
    rows: int
    below: Constant | None = None


class ConstantSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One named set. Lists are by protocol: LL, LL128, Simple.

    Attributes:
        ramp_gain, ramp_depth: a and k of the size ramp (see `cost.ramp`).
        ring_fill: latency of the pipeline that a ring's ramp refers to.
        hierarchical_hidden: share of the shorter part that a pipelined hierarchy hides.
        tree_by_size: two and three servers send S and 1.5 S in the double tree, not 2 S.
        nvls_law: `port` counts S (1 + 1/g) on the port, `bus` counts (n-1)/n S as NCCL does.
        intervals: 80 % intervals by size within what was measured; unseen: beyond it.
    """

    about: str
    ramp_gain: Constant
    ramp_depth: Constant
    ring_fill: Constant
    hierarchical_hidden: Constant
    ring_plateau: Constant
    ring_plateau_old: Constant
    tree_efficiency: Constant
    tree_by_size: bool
    collnet_efficiency: Constant
    pat_efficiency: Constant
    a2a_post: Constant
    ring_ll128: Constant
    tree_ll128_one: Constant
    tree_ll128: Constant
    ring_ll: Constant
    tree_ll: Constant
    post: Constant
    post_simple: Constant
    eager_bytes: Constant
    ll_network_two: Constant
    ll_network: Constant
    ring_base: Constants
    tree_base: Constants
    pat_base: Constant
    ring_hop: Constants
    tree_hop: Constants
    ring_pcie_hop: Constants
    tree_pcie_hop: Constants
    ring_network_hop: Constants
    tree_network_hop: Constants
    pat_network_hop: Constant
    pat_hop_divisor: Constant
    pat_per_rank: Constant
    nvls_network: Constant | None
    nvls_tree_hop: Constant | None
    collnet_inner: Constant | None
    collnet_per_rank: Constant
    collnet_network: Constant
    nvls_law: Literal["port", "bus"]
    generations: Mapping[str, Generation]
    networks: Mapping[str, Network]
    intervals: tuple[Spread, ...] = ()
    unseen: tuple[Spread, ...] = ()
    interval_basis: str = ""

    def generation(self, shape: GroupShape) -> Generation:
        """Constants of the accelerator; PCIe's where a group of several has no scale-up fabric."""
        if shape.per_server > 1 and shape.scaleup_rate <= 0:
            return self.generations["pcie"]
        for found in self.generations.values():
            if shape.accelerator in found.accelerators:
                return found
        return self.generations.get(shape.generation, self.generations["other"])

    def network(self, shape: GroupShape) -> Network:
        """Constants of the network; RDMA over Ethernet where it is unknown."""
        return self.networks[network_key(shape)]


class CollectivesSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Section `collectives` of the calibration file."""

    default: str
    sources: Mapping[str, str]
    sets: Mapping[str, ConstantSet]
    measured: tuple[Measured, ...] = ()


def network_key(shape: GroupShape) -> str:
    """Key of the network constants that stand for what the shape says."""
    name = shape.network.lower().replace(" ", "")
    if name in {"infiniband", "ib"}:
        return "ib"
    if name.startswith("efa"):
        version = name.removeprefix("efa").lstrip("v")
        old = shape.generation in {"volta", "ampere"}
        return f"efa{version}" if version in {"1", "2", "3"} else ("efa1" if old else "efa2")
    return name if name in {"tcp", "tcpxo"} else "roce"


@lru_cache(maxsize=1)
def section() -> CollectivesSection:
    """The section of the shipped calibration file."""
    return load_section("collectives", CollectivesSection)


def constant_set(name: str) -> ConstantSet:
    """A named set; raises BadInputError that lists the names."""
    sets = section().sets
    if name not in sets:
        raise BadInputError(
            f'there is no set of constants "{name}"', "--constants", f"Known: {', '.join(sets)}"
        )
    return sets[name]
