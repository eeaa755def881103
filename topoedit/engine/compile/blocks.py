"""What one device becomes in the fabric: its vertices, inner links and ports, once per type.

A server's block holds, in this order, a GPU vertex for each accelerator, its scale-up vertices
and a NIC vertex for each compute port. Scale-up is drawn in one of three ways:

- `nvswitch`: one aggregate crossbar for all chips, since every GPU reaches every chip with the
  same share of its rate; one inner link for each GPU with its total rate;
- `mesh` and `torus`: one scale-up vertex for each GPU (the router on its die), an inner link from
  the GPU with its total rate, and inner links between the routers. The GPU vertex itself then
  never forwards, whatever the scale-up network;
- no scale-up but several GPUs: they exchange data over PCIe, drawn as a crossbar of tier host-bus.

A tray without switch chips of its own but with scale-up ports (its switches are drawn apart) gets
one scale-up vertex for each GPU without inner links between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Inside, Port, ScaleUp
from topoedit.engine.types import Bytes8, Floats, Ints, Tier, VertexKind
from topoedit.model.elements import Device, PortOverride
from topoedit.model.ports import expand
from topoedit.units import GIGA, bytes_per_s

NETWORK, SCALE_UP, EITHER, OUTSIDE = range(4)
"""Sides of a port: data network, scale-up network, either, or another network than compute."""

_SIDES = {
    "any": EITHER, "compute": NETWORK, "fabric": NETWORK, "wan": NETWORK, "scale-up": SCALE_UP,
    "storage": OUTSIDE, "in-band": OUTSIDE, "out-of-band": OUTSIDE,
}  # fmt: skip

_VERTEX_KINDS = {
    "nvswitch": VertexKind.SCALE_UP, "leaf": VertexKind.LEAF, "spine": VertexKind.SPINE,
    "core": VertexKind.CORE, "switch": VertexKind.SWITCH, "router": VertexKind.ROUTER,
    "server": VertexKind.HOST, "storage": VertexKind.HOST, "management": VertexKind.HOST,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PortEnd:
    """Where a port leads: local vertex, rate in bytes/s (NaN if unknown) and side."""

    vertex: int
    rate: float
    side: int


@dataclass(frozen=True, eq=False)
class Block:
    """One device as arrays with local vertex numbers.

    Attributes:
        kinds, numbers: VertexKind and index inside the device, one for each vertex.
        src, dst, capacity, tier: its inner links, one direction each.
        names: end of the inner links' ids, `/nvlink/gpu3`.
        ports: printed port name -> where it leads; `other` for ports the type does not list.
        gpus: number of GPU vertices, which come first.
        unknown: a server whose inside is unknown.
        latency: port-to-port delay of a switch in seconds.
        fabric: "InfiniBand", "Ethernet" or "".
        reduction: a switch with in-network reduction.
        multicast: scale-up switches that reduce and multicast (NVLS).
    """

    kinds: Bytes8
    numbers: Ints
    src: Ints
    dst: Ints
    capacity: Floats
    tier: Bytes8
    names: tuple[str, ...]
    ports: dict[str, PortEnd]
    other: PortEnd
    gpus: int = 0
    accelerator: str = ""
    unknown: bool = False
    latency: float = 0.0
    fabric: str = ""
    reduction: bool = False
    multicast: bool = False
    failed: bool = False

    @property
    def size(self) -> int:
        """Number of vertices."""
        return len(self.kinds)


@dataclass(slots=True)
class _Inner:
    """Inner links while they are collected."""

    src: list[int] = field(default_factory=list)
    dst: list[int] = field(default_factory=list)
    capacity: list[float] = field(default_factory=list)
    tier: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, src: int, dst: int, capacity: float, tier: Tier, name: str) -> None:
        """One inner link."""
        self.src.append(src)
        self.dst.append(dst)
        self.capacity.append(capacity)
        self.tier.append(tier)
        self.names.append(name)


def make_block(
    catalog: Catalog, kind: DeviceType, device: Device, strays: tuple[str, ...] = ()
) -> Block:
    """The block of a device.

    Args:
        catalog: for accelerators, PCIe generations and scale-up switches.
        kind: the device's type.
        device: the device: its drawn kind, port overrides and state count, nothing else.
        strays: ports of a compute link that the type does not list, each a NIC of a GPU server.
    """
    inside = kind.inside
    if device.kind == "server" and inside is not None and inside.gpus:
        return _server_block(catalog, kind, inside, device, strays)
    ends = {port.name: PortEnd(0, _rate(port, kind), _SIDES[port.role]) for port in kind.port_list}
    _override(ends, device.ports)
    side = SCALE_UP if device.kind == "nvswitch" else EITHER
    if device.kind == "nvswitch":
        ends = {name: PortEnd(0, end.rate, SCALE_UP) for name, end in ends.items()}
    return Block(
        kinds=np.array([_VERTEX_KINDS.get(device.kind, VertexKind.OTHER)], np.uint8),
        numbers=np.zeros(1, np.int32),
        src=np.zeros(0, np.int32),
        dst=np.zeros(0, np.int32),
        capacity=np.zeros(0),
        tier=np.zeros(0, np.uint8),
        names=(),
        ports=ends,
        other=PortEnd(0, _default_rate(kind), side),
        unknown=device.kind == "server" and (inside is None or inside.gpus is None),
        latency=(kind.latency_ns or 0.0) * 1e-9,
        fabric=kind.fabric,
        reduction=bool(kind.in_network_reduction),
        multicast=device.kind == "nvswitch" and bool(kind.in_network_reduction),
        failed=device.failed,
    )


def _server_block(
    catalog: Catalog, kind: DeviceType, inside: Inside, device: Device, strays: tuple[str, ...]
) -> Block:
    gpus = inside.gpus or 0
    up_ports = [p for p in kind.port_list if p.role == "scale-up"]
    nics = [*_compute_ports(kind), *(Port(name=name) for name in strays)]
    routers, inner = _scale_up(catalog, inside, gpus, external=bool(up_ports))
    first_nic = gpus + routers
    pcie = _pcie_rate(catalog, inside)
    hangs_on = _nic_gpus(inside, len(nics), gpus)
    for number, gpu in enumerate(hangs_on):
        if gpu >= 0:
            inner.add(gpu, first_nic + number, pcie, Tier.HOST_BUS, f"/pcie/nic{number}")
    ends = {p.name: PortEnd(0, _rate(p, kind), _SIDES[p.role]) for p in kind.port_list}
    for number, port in enumerate(nics):
        ends[port.name] = PortEnd(first_nic + number, _rate(port, kind), NETWORK)
    for number, port in enumerate(up_ports):
        router = gpus + (number * routers // len(up_ports) if routers else 0)
        ends[port.name] = PortEnd(router, _rate(port, kind), SCALE_UP)
    _override(ends, device.ports)
    kinds = [VertexKind.GPU] * gpus + [VertexKind.SCALE_UP] * routers + [VertexKind.NIC] * len(nics)
    return Block(
        kinds=np.array(kinds, np.uint8),
        numbers=np.array([*range(gpus), *range(routers), *range(len(nics))], np.int32),
        src=np.array(inner.src, np.int32),
        dst=np.array(inner.dst, np.int32),
        capacity=np.array(inner.capacity, float),
        tier=np.array(inner.tier, np.uint8),
        names=tuple(inner.names),
        ports=ends,
        other=PortEnd(0, _default_rate(kind), OUTSIDE),
        gpus=gpus,
        accelerator=inside.accelerator,
        multicast=inside.scaleup.multicast,
        failed=device.failed,
    )


def compute_port_names(kind: DeviceType) -> frozenset[str]:
    """Names of the ports a GPU server's NIC vertices stand for."""
    return frozenset(port.name for port in _compute_ports(kind))


def _compute_ports(kind: DeviceType) -> list[Port]:
    """Ports of role compute; of a type that gives no roles, all that have none."""
    compute = [p for p in kind.port_list if p.role == "compute"]
    return compute or [p for p in kind.port_list if p.role == "any"]


def _nic_gpus(inside: Inside, nics: int, gpus: int) -> tuple[int, ...]:
    """The GPU each NIC hangs on; spread evenly where the catalogue does not say."""
    if len(inside.nic_gpu) == nics:
        return inside.nic_gpu
    return tuple(number * gpus // nics for number in range(nics))


def _scale_up(catalog: Catalog, inside: Inside, gpus: int, *, external: bool) -> tuple[int, _Inner]:
    """Number of scale-up vertices and the inner links of the scale-up network."""
    scaleup, inner = inside.scaleup, _Inner()
    rate, word = _scale_up_rate(catalog, inside, gpus), _technology(catalog, inside)
    if scaleup.kind == "none":
        if gpus < 2:
            return 0, inner
        for gpu in range(gpus):
            inner.add(gpu, gpus, _pcie_rate(catalog, inside), Tier.HOST_BUS, f"/pcie/gpu{gpu}")
        return 1, inner
    if scaleup.kind == "nvswitch" and not (external and not scaleup.chips):
        for gpu in range(gpus):
            inner.add(gpu, gpus, rate, Tier.SCALE_UP, f"/{word}/gpu{gpu}")
        return 1, inner
    for gpu in range(gpus):
        inner.add(gpu, gpus + gpu, rate, Tier.SCALE_UP, f"/{word}/gpu{gpu}")
    for one, other, capacity in _router_links(scaleup, gpus):
        name = f"/{word}/gpu{one}-gpu{other}"
        inner.add(gpus + one, gpus + other, capacity, Tier.SCALE_UP, name)
    return gpus, inner


def _router_links(scaleup: ScaleUp, gpus: int) -> Iterator[tuple[int, int, float]]:
    """Links between the GPUs' own scale-up routers: both GPUs and bytes/s per direction."""
    if scaleup.kind == "mesh":
        for one, other in combinations(range(gpus), 2):
            yield one, other, _giga(scaleup.GBps_per_pair_dir)
    elif scaleup.kind == "torus" and math.prod(scaleup.torus) == gpus:
        for one, other in torus_edges(scaleup.torus):
            yield one, other, _giga(scaleup.GBps_per_link_dir)


def torus_edges(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Links of a torus of this shape; an axis of length 2 has one link, of length 1 none."""
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    for place in product(*(range(length) for length in shape)):
        here = sum(p * s for p, s in zip(place, strides, strict=True))
        for axis, length in enumerate(shape):
            if length == 1 or (length == 2 and place[axis] == 1):
                continue
            step = (place[axis] + 1) % length - place[axis]
            yield here, here + step * strides[axis]


def _scale_up_rate(catalog: Catalog, inside: Inside, gpus: int) -> float:
    """Total scale-up rate of one GPU per direction: links of the type, else the accelerator's."""
    scaleup = inside.scaleup
    if scaleup.kind == "nvswitch" and scaleup.links_per_chip and scaleup.GBps_per_link_dir:
        return sum(scaleup.links_per_chip) * scaleup.GBps_per_link_dir * GIGA
    if scaleup.kind == "mesh" and scaleup.GBps_per_pair_dir:
        return (gpus - 1) * scaleup.GBps_per_pair_dir * GIGA
    accelerator = catalog.accelerators.get(inside.accelerator)
    rate = None if accelerator is None else accelerator.scaleup_rate
    return math.nan if rate is None else rate


def _technology(catalog: Catalog, inside: Inside) -> str:
    """Word for the scale-up technology in inner-link ids."""
    accelerator = catalog.accelerators.get(inside.accelerator)
    text = "" if accelerator is None else accelerator.scaleup.lower()
    words = {"nvlink": "nvlink", "infinity": "xgmi", "xgmi": "xgmi", "ici": "ici"}
    words |= {"neuronlink": "neuronlink", "ualink": "ualink"}
    return next((word for key, word in words.items() if key in text), "nvlink")


def _pcie_rate(catalog: Catalog, inside: Inside) -> float:
    """Bytes/s per direction between a GPU and its NIC; NaN if the generation is unknown."""
    pcie = catalog.pcie.get(inside.pcie)
    if pcie is None:
        return math.nan
    if inside.pcie_lanes and pcie.GBps_per_lane_dir:
        return inside.pcie_lanes * pcie.GBps_per_lane_dir * GIGA
    return _giga(pcie.GBps_x16_dir)


def _giga(value: float | None) -> float:
    return math.nan if value is None else value * GIGA


def _default_rate(kind: DeviceType) -> float:
    return math.nan if kind.default_gbps is None else bytes_per_s(kind.default_gbps)


def _rate(port: Port, kind: DeviceType) -> float:
    return _default_rate(kind) if port.rate is None else port.rate


def _override(ends: dict[str, PortEnd], overrides: tuple[PortOverride, ...]) -> None:
    """Apply what a device changes of its type's ports."""
    for override in overrides:
        for name in expand(override.names):
            end = ends.get(name)
            if end is None:
                continue
            rate = end.rate if override.gbps is None else bytes_per_s(override.gbps)
            side = _SIDES.get(override.role, end.side)
            ends[name] = PortEnd(end.vertex, rate, side)
