"""What a catalogue entry says: frozen structs, each number with its source.

Figures keep the unit of their name (`gbps`, `hbm_gb`, `GBps` = 10^9 bytes/s, all per direction);
properties without a unit in their name are bytes, seconds, bytes/s and dense FLOP/s.
None is unknown; it is never shown or counted as 0.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Literal

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


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every catalogue entry carries.

    Attributes:
        id: lower-case identifier, unique in its section.
        source: where the figures come from; covers every field without its own source.
        field_sources: field -> its own source.
        unverified: fields quoted from memory of their source; shown as unverified.
        derived: fields worked out from others (for example both directions / 2).
        caveat: where sources disagree or a figure needs care.
    """

    id: str
    name: str
    source: str
    vendor: str = ""
    aliases: tuple[str, ...] = ()
    field_sources: dict[str, str] = {}
    unverified: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    caveat: str = ""

    def source_of(self, field: str) -> str:
        """The source of one field."""
        return self.field_sources.get(field, self.source)


class Accelerator(Entry, frozen=True, kw_only=True):
    """A GPU or other accelerator; FLOP/s are dense."""

    generation: str = ""
    year: int | None = None
    bf16_tflops: float | None = None
    fp16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    hbm_gb: float | None = None
    hbm_GBps: float | None = None  # noqa: N815 - the unit
    hbm_type: str = ""
    scaleup: str = ""
    scaleup_links: int | None = None
    scaleup_GBps_per_link_dir: float | None = None  # noqa: N815
    scaleup_GBps_dir: float | None = None  # noqa: N815
    c2c_GBps_dir: float | None = None  # noqa: N815
    tdp_w: float | None = None

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

    name: str
    cage: str = ""
    lane: str = ""
    os_name: str = ""
    gbps: float | None = None
    role: PortRole = "any"
    cage_type: str = ""
    rail: int | None = None

    @property
    def rate(self) -> float | None:
        """Bytes/s per direction."""
        return None if self.gbps is None else bytes_per_s(self.gbps)


class PortGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run of like ports, `prefix` + number.

    `os_names` lists the operating system's names; else `os_pattern` may use {n} (port number),
    {i} (index from 0), {cage} and {lane}.
    """

    prefix: str = ""
    first: int = 1
    count: int
    gbps: float | None = None
    role: PortRole = "any"
    cage_type: str = ""
    ports_per_cage: int = 1
    cage_watts: float | None = None
    railed: bool = False
    os_names: tuple[str, ...] = ()
    os_pattern: str = ""

    def port(self, index: int) -> Port:
        """The port at `index` (from 0) of this group."""
        number = self.first + index
        cage, lane = str(index // self.ports_per_cage + 1), str(index % self.ports_per_cage + 1)
        os_name = ""
        if index < len(self.os_names):
            os_name = self.os_names[index]
        elif self.os_pattern:
            os_name = self.os_pattern.format(n=number, i=index, cage=cage, lane=lane)
        return Port(
            name=f"{self.prefix}{number}",
            cage=f"{self.prefix}{cage}" if self.ports_per_cage > 1 else f"{self.prefix}{number}",
            lane=lane if self.ports_per_cage > 1 else "",
            os_name=os_name,
            gbps=self.gbps,
            role=self.role,
            cage_type=self.cage_type,
            rail=index if self.railed else None,
        )


class ScaleUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the GPUs of one device reach each other.

    Attributes:
        kind: `nvswitch` (any crossbar of chips), `mesh` (a link for each pair), `torus`.
        switch: id of the scale-up switch type.
        chips: number of switch chips.
        links_per_chip: links from one GPU to each chip.
        GBps_per_link_dir: rate of one link per direction.
        GBps_per_pair_dir: for a mesh, the rate between two GPUs per direction.
        torus: shape for a torus.
        multicast: in-switch reduction and multicast (NVLS).
    """

    kind: ScaleUpKind = "none"
    switch: str = ""
    chips: int = 0
    links_per_chip: tuple[int, ...] = ()
    GBps_per_link_dir: float | None = None  # noqa: N815
    GBps_per_pair_dir: float | None = None  # noqa: N815
    torus: tuple[int, ...] = ()
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
    """

    accelerator: str = ""
    gpus: int | None = None
    cpus: int | None = None
    scaleup: ScaleUp = ScaleUp()
    nic: str = ""
    nic_gpu: tuple[int, ...] = ()
    pcie: str = ""
    pcie_lanes: int | None = None
    pcie_switches: int | None = None


class DeviceType(Entry, frozen=True, kw_only=True, dict=True):
    """Something that can be placed on the drawing.

    `open_ports` is true for a generic or imported type: a drawing may name any port.
    `trays` is how many trays one drawn device stands for (an NVL72 rack).
    """

    kind: Kind
    ports: tuple[PortGroup, ...] = ()
    inside: Inside | None = None
    open_ports: bool = False
    default_gbps: float | None = None
    fabric: str = ""
    section: str = ""
    logical_ports: int | None = None
    breakouts: dict[str, int] = {}
    in_network_reduction: str = ""
    latency_ns: float | None = None
    buffer_mb: float | None = None
    tbps_dir: float | None = None
    power_kw_typical: float | None = None
    power_kw_max: float | None = None
    rack_units: float | None = None
    weight_kg: float | None = None
    deep_buffer: bool = False
    trays: int | None = None

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
    """A cable or optics class; lengths in metres, rates per direction."""

    medium: str = ""
    connector: str = ""
    lane_gbps: float | None = None
    gbps: float | None = None
    min_m: float | None = None
    max_m: float | None = None
    warn_m: float | None = None
    in_rack_only: bool = False
    prop_ns_per_m: float | None = None
    power_w_end: float | None = None
    extra_figures: dict[str, float] = {}

    @property
    def seconds_per_m(self) -> float | None:
        """Propagation delay in seconds a metre."""
        return None if self.prop_ns_per_m is None else self.prop_ns_per_m * 1e-9


class Nic(Entry, frozen=True, kw_only=True):
    """A network interface card."""

    gbps: float | None = None
    ports: int | None = None
    planes: int | None = None
    pcie_gen: int | None = None
    pcie_lanes: int | None = None
    power_w: float | None = None


class ScaleUpSwitch(Entry, frozen=True, kw_only=True):
    """A scale-up switch chip (NVSwitch and its kin)."""

    technology: str = ""
    ports: int | None = None
    GBps_per_port_dir: float | None = None  # noqa: N815
    GBps_total_dir: float | None = None  # noqa: N815
    in_network_reduction: bool = False
    latency_ns: float | None = None
    max_accelerators: int | None = None
    chips_per_tray: int | None = None
    max_cable_m: float | None = None
    extra_figures: dict[str, float] = {}


class Pcie(Entry, frozen=True, kw_only=True):
    """A PCIe generation."""

    gt_per_s: float | None = None
    GBps_per_lane_dir: float | None = None  # noqa: N815
    GBps_x16_dir: float | None = None  # noqa: N815


class CpuInterconnect(Entry, frozen=True, kw_only=True):
    """A link between CPU and GPU."""

    GBps_dir: float | None = None  # noqa: N815


class Llm(Entry, frozen=True, kw_only=True):
    """The shape of a large language model.

    Attributes:
        ffn: width of the dense feed-forward layer; moe_ffn that of one expert.
        experts, experts_active, shared_experts: routed, chosen for a token, always on.
        dense_layers: leading layers without experts.
        q_lora, kv_lora, nope_dim, rope_dim, v_dim: latent attention (MLA).
    """

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    attention: Attention = "GQA"
    gated_ffn: bool = True
    tied_embeddings: bool = False
    experts: int | None = None
    experts_active: int | None = None
    shared_experts: int | None = None
    moe_ffn: int | None = None
    dense_layers: int | None = None
    q_lora: int | None = None
    kv_lora: int | None = None
    nope_dim: int | None = None
    rope_dim: int | None = None
    v_dim: int | None = None
    context: int | None = None
    total_params_b: float | None = None
    active_params_b: float | None = None


@lru_cache(maxsize=1)
def struct_names() -> tuple[str, ...]:
    """Names of the entry classes, for messages and `topoedit catalog`."""
    return tuple(cls.__name__ for cls in Entry.__subclasses__())
