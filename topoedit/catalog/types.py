"""What a catalogue entry says: frozen structs, each number with its source.

Figures keep the unit of their name (`gbps`, `hbm_gb`, `GBps` = 10^9 bytes/s, all per direction);
properties without a unit in their name are bytes, seconds, bytes/s and dense FLOP/s.
None is unknown; it is never shown or counted as 0.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Annotated, Literal

import msgspec

from topoedit.units import GIB, GIGA, bytes_per_s

Kind = Literal[
    "server", "nvswitch", "leaf", "spine", "core", "switch",
    "router", "ocs", "storage", "management", "panel",
]  # fmt: skip
PortRole = Literal[
    "any", "compute", "storage", "in-band", "out-of-band", "scale-up", "fabric", "wan"
]
ScaleUpKind = Literal["nvswitch", "mesh", "torus", "none"]
Attention = Literal["MHA", "GQA", "MLA"]

# Bounds that no real entry comes near: they stop a wrong or hostile file, not a bold design.
Figure = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
PortCount = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$")]
Text = Annotated[str, msgspec.Meta(max_length=4000)]
Source = Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=200)]


def _and_parents(field: str) -> tuple[str, ...]:
    """`a[0].b.c` -> (`a.b.c`, `a.b`, `a`)."""
    parts = re.sub(r"\[\d+\]", "", field).split(".")
    return tuple(".".join(parts[:end]) for end in range(len(parts), 0, -1))


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every catalogue entry carries.

    Attributes:
        id: lower-case identifier, unique in its section.
        source: where the figures come from; covers every field without its own source.
        field_sources: field -> its own source.
        unverified: fields quoted from memory of their source; shown as unverified.
        derived: fields worked out from others (for example both directions / 2).
        caveat: where sources disagree or a figure needs care.
        extra_figures: further published figures by name, the unit in the name.
        notes: further facts in words, by name.
    """

    id: Id
    name: Name
    source: Source
    vendor: Text = ""
    aliases: Names = ()
    field_sources: dict[Name, Source] = {}
    unverified: Names = ()
    derived: Names = ()
    caveat: Text = ""
    extra_figures: dict[Name, Figure] = {}
    notes: dict[Name, Text] = {}

    def source_of(self, field: str) -> str:
        """The source of one field (`ports.gbps`, `ports[0].gbps` and `inside.gpus` alike)."""
        found = (self.field_sources.get(name) for name in _and_parents(field))
        return next((source for source in found if source), self.source)

    def is_unverified(self, field: str) -> bool:
        """Whether this field, or the one it is part of, is quoted from memory."""
        return any(name in self.unverified for name in _and_parents(field))

    def is_derived(self, field: str) -> bool:
        """Whether this field, or the one it is part of, is worked out from others."""
        return any(name in self.derived for name in _and_parents(field))


class Accelerator(Entry, frozen=True, kw_only=True):
    """A GPU or other accelerator; FLOP/s are dense."""

    generation: Text = ""
    year: Count | None = None
    bf16_tflops: Figure | None = None
    fp16_tflops: Figure | None = None
    fp8_tflops: Figure | None = None
    fp4_tflops: Figure | None = None
    int8_tops: Figure | None = None
    hbm_gb: Figure | None = None
    hbm_GBps: Figure | None = None  # noqa: N815 - the unit
    hbm_type: Text = ""
    scaleup: Text = ""
    scaleup_links: Count | None = None
    scaleup_GBps_per_link_dir: Figure | None = None  # noqa: N815
    scaleup_GBps_dir: Figure | None = None  # noqa: N815
    c2c_GBps_dir: Figure | None = None  # noqa: N815
    scaleout_GBps_dir: Figure | None = None  # noqa: N815
    tdp_w: Figure | None = None

    @property
    def hbm_bytes(self) -> float | None:
        """Memory a driver reports: the marketed GB times 2^30, within 1 %."""
        return None if self.hbm_gb is None else self.hbm_gb * GIB

    @property
    def hbm_rate(self) -> float | None:
        """Memory bandwidth in bytes/s."""
        return None if self.hbm_GBps is None else self.hbm_GBps * GIGA

    @property
    def scaleup_rate(self) -> float | None:
        """Scale-up bandwidth of one GPU in bytes/s per direction."""
        return None if self.scaleup_GBps_dir is None else self.scaleup_GBps_dir * GIGA

    def peak_flops(self, precision: str) -> float | None:
        """Dense FLOP/s of a matrix product in `precision`; None if the chip has no such mode."""
        table = {
            "bf16": self.bf16_tflops, "fp16": self.fp16_tflops or self.bf16_tflops,
            "fp8": self.fp8_tflops, "mxfp8": self.fp8_tflops, "nvfp4": self.fp4_tflops,
        }  # fmt: skip
        value = table.get(precision)
        return None if value is None else value * 1e12


class Port(msgspec.Struct, frozen=True):
    """One port of a device type, with its three names.

    Attributes:
        name: the printed name, by which drawings and files refer to it.
        cage: the cage it sits in; several ports may share one (`lane` tells them apart).
        os_name: the name the operating system gives it ("" if unknown).
        gbps: rate per direction; None if unknown.
        rail: NIC index within its server, or None.
    """

    name: Text
    cage: Text = ""
    lane: Text = ""
    os_name: Text = ""
    gbps: Figure | None = None
    role: PortRole = "any"
    cage_type: Text = ""
    rail: Count | None = None

    @property
    def rate(self) -> float | None:
        """Bytes/s per direction."""
        return None if self.gbps is None else bytes_per_s(self.gbps)


class PortGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run of like ports, `prefix` + number.

    Attributes:
        numbered: false for a single port named `prefix` alone.
        ports_per_cage: ports that share one cage, in order, unless `cages` lists them.
        cage_prefix: printed before the cage number; `prefix` if empty.
        cages, lanes: for each port its cage and its lane there, where they follow no rule.
        cage_watts: the most a module in the cage may draw.
        railed: ports belong to rails; the rail is the index, modulo `rails` if that is set.
        os_names: the operating system's names, port by port; else `os_pattern` with {n} (port
            number), {i} (index from 0), {cage}, {lane} and {lane0} (lane from 0).
    """

    prefix: Text = ""
    numbered: bool = True
    first: Count = 1
    count: PortCount
    gbps: Figure | None = None
    role: PortRole = "any"
    cage_type: Text = ""
    ports_per_cage: PortCount = 1
    cage_prefix: Text = ""
    cages: Names = ()
    lanes: Names = ()
    cage_watts: Figure | None = None
    railed: bool = False
    rails: PortCount | None = None
    os_names: Names = ()
    os_pattern: Text = ""

    def port(self, index: int) -> Port:
        """The port at `index` (from 0) of this group."""
        number = self.first + index
        cage, lane = self._cage(index), self._lane(index)
        rail = index if self.rails is None else index % self.rails
        return Port(
            name=f"{self.prefix}{number}" if self.numbered else self.prefix,
            cage=cage,
            lane=lane,
            os_name=self._os_name(index, number, cage, lane),
            gbps=self.gbps,
            role=self.role,
            cage_type=self.cage_type,
            rail=rail if self.railed else None,
        )

    def _cage(self, index: int) -> str:
        if index < len(self.cages):
            return self.cages[index]
        if not self.numbered:
            return self.prefix
        start = self.first if self.ports_per_cage == 1 else 1
        return f"{self.cage_prefix or self.prefix}{start + index // self.ports_per_cage}"

    def _lane(self, index: int) -> str:
        if index < len(self.lanes):
            return self.lanes[index]
        return str(index % self.ports_per_cage + 1) if self.ports_per_cage > 1 else ""

    def _os_name(self, index: int, number: int, cage: str, lane: str) -> str:
        if index < len(self.os_names):
            return self.os_names[index]
        lane0 = str(int(lane) - 1) if lane.isdecimal() else ""
        words = {"n": str(number), "i": str(index), "cage": cage, "lane": lane, "lane0": lane0}
        text = self.os_pattern
        for word, value in words.items():
            text = text.replace(f"{{{word}}}", value)
        return text


class ScaleUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the GPUs of one device reach each other.

    Attributes:
        kind: `nvswitch` (any crossbar of chips), `mesh` (a link for each pair), `torus`.
        switch: id of the scale-up switch type.
        chips: number of switch chips.
        links_per_chip: links from one GPU to each chip.
        GBps_per_link_dir: rate of one link per direction.
        GBps_per_pair_dir: for a mesh, the rate between two GPUs per direction.
        torus: shape for a torus; `GBps_per_axis_dir` gives a link's rate for each axis where
            they differ.
        multicast: in-switch reduction and multicast (NVLS).
    """

    kind: ScaleUpKind = "none"
    switch: Text = ""
    chips: Count = 0
    links_per_chip: tuple[Count, ...] = ()
    GBps_per_link_dir: Figure | None = None
    GBps_per_pair_dir: Figure | None = None
    torus: tuple[Count, ...] = ()
    GBps_per_axis_dir: tuple[Figure, ...] = ()
    multicast: bool = False


class Inside(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is inside a server.

    Attributes:
        gpus: number of accelerators; None if unknown.
        nic: catalogue id of the compute NIC.
        nic_gpu: for each compute port in order, the local GPU index it hangs on; -1 for none.
        pcie: catalogue id of the PCIe generation between GPU and NIC.
        pcie_lanes: lanes to one NIC.
        pcie_switches: number of PCIe switches.
        cpu_interconnect: catalogue id of a coherent link between CPU and GPU.
        gpus_per_tray: GPUs that share one operating system, where the device has trays.
    """

    accelerator: Text = ""
    gpus: Count | None = None
    cpus: Count | None = None
    scaleup: ScaleUp = ScaleUp()
    nic: Text = ""
    nic_gpu: tuple[Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)], ...] = ()
    pcie: Text = ""
    pcie_lanes: Count | None = None
    pcie_switches: Count | None = None
    cpu_interconnect: Text = ""
    gpus_per_tray: Count | None = None


class DeviceType(Entry, frozen=True, kw_only=True, dict=True):
    """Something that can be placed on the drawing.

    `open_ports` is true for a generic or imported type: a drawing may name any port.
    `trays` is how many trays one drawn device stands for (an NVL72 rack), `switch_trays` how
    many of its switch trays. `section` is the part of the palette it appears in.
    `logical_ports` is the most ports the box offers, however they are split; `breakouts` the
    number of ports in each mode. `power_kw_typical` of a switch assumes passive cables.
    """

    kind: Kind
    ports: Annotated[tuple[PortGroup, ...], msgspec.Meta(max_length=200)] = ()
    inside: Inside | None = None
    open_ports: bool = False
    default_gbps: Figure | None = None
    fabric: Text = ""
    section: Text = ""
    logical_ports: Count | None = None
    breakouts: dict[Text, Count] = {}
    in_network_reduction: Text = ""
    latency_ns: Figure | None = None
    buffer_mb: Figure | None = None
    tbps_dir: Figure | None = None
    power_kw_typical: Figure | None = None
    power_kw_max: Figure | None = None
    rack_units: Figure | None = None
    weight_kg: Figure | None = None
    deep_buffer: bool = False
    trays: Count | None = None
    switch_trays: Count | None = None
    depth_mm: Figure | None = None
    psu_count: Count | None = None
    psu_w: Figure | None = None
    co_packaged_optics: bool = False

    @cached_property
    def port_list(self) -> tuple[Port, ...]:
        """All ports in drawing order."""
        return tuple(group.port(i) for group in self.ports for i in range(group.count))

    @cached_property
    def port_by_name(self) -> dict[str, Port]:
        """Printed name -> port."""
        return {port.name: port for port in self.port_list}

    @property
    def gpus(self) -> int | None:
        """Number of accelerators; 0 for a device that is no server, None if unknown."""
        if self.kind != "server":
            return 0
        return None if self.inside is None else self.inside.gpus


class Medium(Entry, frozen=True, kw_only=True):
    """A cable or optics class; lengths in metres, rates per direction.

    Attributes:
        lane_gbps: lane rate it is made for, the highest it carries.
        lowest_lane_gbps: lowest lane rate it is sold for, if that is not `lane_gbps` itself.
        gbps: the most one module or cable carries; None if that follows from its lanes.
        warn_m: from here on it works only with care.
        in_rack_only: never leaves the rack.
        fabric: the only fabric it is sold for ("" for any).
        preference: order in which a planner tries it, cheapest first; None if never by itself.
        reach_rule: id of the design rule that checks its length, where `medium` does not tell.
        budget_db: the most light that may be lost between its two modules, fibre, connectors and
            splices together; None if unknown.
    """

    medium: Text = ""
    connector: Text = ""
    lane_gbps: Figure | None = None
    lowest_lane_gbps: Figure | None = None
    gbps: Figure | None = None
    min_m: Figure | None = None
    max_m: Figure | None = None
    warn_m: Figure | None = None
    in_rack_only: bool = False
    prop_ns_per_m: Figure | None = None
    power_w_end: Figure | None = None
    fabric: Text = ""
    preference: Count | None = None
    reach_rule: Text = ""
    budget_db: Figure | None = None

    @property
    def seconds_per_m(self) -> float | None:
        """Propagation delay in seconds a metre."""
        return None if self.prop_ns_per_m is None else self.prop_ns_per_m * 1e-9


class Nic(Entry, frozen=True, kw_only=True):
    """A network interface card."""

    gbps: Figure | None = None
    ports: Count | None = None
    planes: Count | None = None
    pcie_gen: Count | None = None
    pcie_lanes: Count | None = None
    power_w: Figure | None = None


class ScaleUpSwitch(Entry, frozen=True, kw_only=True):
    """A scale-up switch chip (NVSwitch and its kin)."""

    technology: Text = ""
    ports: Count | None = None
    GBps_per_port_dir: Figure | None = None
    GBps_total_dir: Figure | None = None
    in_network_reduction: bool | None = None
    latency_ns: Figure | None = None
    max_accelerators: Count | None = None
    chips_per_tray: Count | None = None
    max_cable_m: Figure | None = None


class Pcie(Entry, frozen=True, kw_only=True):
    """A PCIe generation."""

    gt_per_s: Figure | None = None
    GBps_per_lane_dir: Figure | None = None
    GBps_x16_dir: Figure | None = None


class CpuInterconnect(Entry, frozen=True, kw_only=True):
    """A link between CPU and GPU."""

    GBps_dir: Figure | None = None


class Llm(Entry, frozen=True, kw_only=True):
    """The shape of a large language model.

    Attributes:
        ffn: width of the dense feed-forward layer; moe_ffn that of one expert.
        experts, experts_active, shared_experts: routed, chosen for a token, always on.
        dense_layers: layers without experts (the leading ones unless `moe_interval` is set).
        moe_interval: every such layer has experts (2 = every second); None for all others.
        expert_groups, expert_groups_active: groups of experts, and in how many of them a token's
            experts lie (node-limited routing); None if it chooses among all.
        expert_bias: experts have biases and a clamped activation, which no fused kernel covers.
        q_lora, kv_lora, nope_dim, rope_dim, v_dim: latent attention (MLA).
    """

    layers: Count
    hidden: Count
    heads: Count
    kv_heads: Count
    head_dim: Count
    ffn: Count
    vocab: Count
    attention: Attention = "GQA"
    gated_ffn: bool = True
    tied_embeddings: bool = False
    experts: Count | None = None
    experts_active: Count | None = None
    shared_experts: Count | None = None
    moe_ffn: Count | None = None
    dense_layers: Count | None = None
    moe_interval: Count | None = None
    expert_groups: Count | None = None
    expert_groups_active: Count | None = None
    expert_bias: bool = False
    q_lora: Count | None = None
    kv_lora: Count | None = None
    nope_dim: Count | None = None
    rope_dim: Count | None = None
    v_dim: Count | None = None
    context: Count | None = None
    total_params_b: Figure | None = None
    active_params_b: Figure | None = None


@lru_cache(maxsize=1)
def struct_names() -> tuple[str, ...]:
    """Names of the entry classes, for messages and `topoedit catalog`."""
    return tuple(cls.__name__ for cls in Entry.__subclasses__())
