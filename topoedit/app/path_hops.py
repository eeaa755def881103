"""One hop of a path in people's words: ports, cable, medium, length and the parts of its delay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from topoedit.app.endpoints import Places
from topoedit.catalog import media
from topoedit.catalog.types import DeviceType, Medium
from topoedit.engine import latency
from topoedit.engine.latency import Part
from topoedit.engine.types import Fabric, Tier, VertexKind
from topoedit.model.elements import Device, Link
from topoedit.model.panels import cut_cables


class PortNames(msgspec.Struct, frozen=True):
    """The three names of a port: printed, cage and lane, operating system ("" if unknown)."""

    printed: str
    cage: str = ""
    lane: str = ""
    os: str = ""


@dataclass(frozen=True)
class Cable:
    """One working cable of an edge: its id and the ports at the tail and at the head."""

    id: str
    tail: str
    head: str


def link_of(places: Places, edge: int) -> Link | None:
    """The drawn link of an edge; None for an inner link."""
    fabric = places.fabric
    row = int(fabric.link[edge])
    return places.document.links[fabric.link_ids[row]] if row < fabric.drawn_links else None


def cables_of(places: Places, edge: int) -> list[Cable]:
    """The working cables of an edge of a drawn link, in port order; the last ones failed.

    Those whose trunk or panel failed are left out.
    """
    fabric, link = places.fabric, link_of(places, edge)
    if link is None:
        return []
    half = len(fabric.src) // 2
    forward = edge < half
    a, b = (int(fabric.src[edge]), int(fabric.dst[edge]))
    ends = (a, b) if forward else (b, a)
    found = []
    cut = cut_cables(places.document).get(link.id, frozenset()) if link.through else frozenset()
    triples = zip(link.cable_ids, link.a.names, link.b.names, strict=True)
    whole = list(triples)[: link.count - link.failed]
    for cable, port_a, port_b in (row for i, row in enumerate(whole) if i not in cut):
        at = (
            places.port_vertex(link.a.device, port_a),
            places.port_vertex(link.b.device, port_b),
        )
        if at == ends:
            found.append(Cable(cable, *((port_a, port_b) if forward else (port_b, port_a))))
    return found


def width_of(places: Places, edges: list[int]) -> int:
    """Equal-cost cables (inner links count one) among which a hop chooses."""
    return sum(len(cables_of(places, edge)) or 1 for edge in edges)


def port_names(places: Places, device: Device, port: str) -> PortNames:
    """The three names of a port, as far as type and drawing know them."""
    known = places.document.device_type(device).port_by_name.get(port)
    if known is None:
        return PortNames(port)
    return PortNames(port, known.cage, known.lane, known.os_name)


def metres_of(link: Link | None) -> float | None:
    """Length of one cable; None if unknown."""
    if link is None:
        return None
    return link.km * 1000 if link.km is not None else link.length_m


def delay_parts(places: Places, edge: int, *, gpudirect: bool = True) -> list[Part]:
    """What a hop's delay is made of: the cable, then what the bytes enter."""
    fabric = places.fabric
    link = link_of(places, edge)
    if fabric.tier[edge] == Tier.HOST_BUS:
        return list(_bus(fabric, edge, gpudirect=gpudirect))
    parts = [] if link is None else [_cable(places, link)]
    if fabric.tier[edge] == Tier.SCALE_UP:
        return [*parts, *_scale_up(places, edge)]
    tail, head = int(fabric.src[edge]), int(fabric.dst[edge])
    if fabric.vertex_kind[tail] == VertexKind.NIC:
        parts.insert(0, _nic(_fabric_of(places, head)))
    if fabric.vertex_kind[head] == VertexKind.NIC:
        return [*parts, _nic(_fabric_of(places, tail))]
    return [*parts, _entered(places, head)]


def _bus(fabric: Fabric, edge: int, *, gpudirect: bool) -> Iterator[Part]:
    yield latency.part("pcie")
    ends = {int(fabric.vertex_kind[v]) for v in (fabric.src[edge], fabric.dst[edge])}
    if not gpudirect and VertexKind.NIC in ends:
        yield latency.unknown("copy through host memory", "no figure for a copy through the host")


def _cable(places: Places, link: Link) -> Part:
    """Propagation along a link."""
    if link.km is not None:
        return latency.part("fibre", link.km * 1000, f"{link.km:g} km of fibre")
    metres = link.length_m
    if metres is None:
        return latency.unknown("the cable", "the length of the cable is not known")
    medium = places.document.catalog.media.get(link.medium)
    seconds = None if medium is None else media.propagation_s(medium, metres)
    if medium is None or seconds is None:
        return latency.part("fibre", metres, f"{metres:g} m, taken as fibre")
    source = medium.source_of("prop_ns_per_m")
    return Part(f"{metres:g} m of {medium.name}", seconds, source, _confidence(medium))


def _confidence(medium: Medium | DeviceType, name: str = "prop_ns_per_m") -> latency.Confidence:
    if medium.is_unverified(name):
        return "low"
    return "middle" if medium.is_derived(name) else "high"


def _scale_up(places: Places, edge: int) -> Iterator[Part]:
    """NVLink: the switch as it is entered, all the rest of the published way into the last GPU.

    Between a GPU and the router on its own die there is no delay to add.
    """
    fabric = places.fabric
    tail, head = int(fabric.src[edge]), int(fabric.dst[edge])
    kinds = fabric.vertex_kind
    if kinds[tail] == VertexKind.GPU and _own_router(places, head):
        return
    if kinds[head] == VertexKind.GPU:
        if _is_nvlink(places, edge) and _switched(places, head):
            yield _nvlink_rest()
        elif not _own_router(places, tail):
            yield _no_figure()
    elif places.device_of(tail).kind == places.device_of(head).kind == "server":
        if kinds[tail] == VertexKind.GPU and _is_nvlink(places, edge):
            yield latency.part("nvswitch")
        else:
            yield _no_figure()
    elif not _is_nvlink(places, edge):
        yield _no_figure()
    elif not _own_router(places, head):
        yield latency.part("nvswitch")


def _no_figure() -> Part:
    return latency.unknown("scale-up network", "no published figure for this scale-up link")


def _switched(places: Places, vertex: int) -> bool:
    """Whether a GPU's scale-up network has switches."""
    inside = places.document.device_type(places.device_of(vertex)).inside
    return inside is not None and inside.scaleup.kind == "nvswitch"


def _nvlink_rest() -> Part:
    whole, switch = (latency.latency_figures()[name] for name in ("nvlink", "nvswitch"))
    seconds = whole.seconds - switch.seconds
    return Part(f"{whole.about}, without the switch", seconds, whole.source, "middle")


def _own_router(places: Places, vertex: int) -> bool:
    """A scale-up vertex that is the router on one GPU's own die."""
    device = places.device_of(vertex)
    if device.kind != "server":
        return False
    block = places.block(device.id)
    return block.gpus > 1 and int((block.kinds == VertexKind.SCALE_UP).sum()) == block.gpus


def _is_nvlink(places: Places, edge: int) -> bool:
    """NVLink by the id of the inner link; drawn links end at a GPU with NVLink."""
    fabric = places.fabric
    if link_of(places, edge) is None:
        return "/nvlink/" in fabric.link_ids[int(fabric.link[edge])]
    ends = (places.device_of(int(v)) for v in (fabric.src[edge], fabric.dst[edge]))
    accelerators = [places.block(d.id).accelerator for d in ends if d.kind == "server"]
    known = [places.document.catalog.accelerators.get(name) for name in accelerators]
    return all(chip is not None and "nvlink" in chip.scaleup.lower() for chip in known)


def _fabric_of(places: Places, vertex: int) -> str:
    return places.block(places.device_of(vertex).id).fabric


def _nic(fabric: str) -> Part:
    """A NIC with its software, by what it is plugged into."""
    known = {"InfiniBand": "nic-infiniband", "Ethernet": "nic-ethernet"}.get(fabric)
    if known is None:
        return latency.unknown("NIC", "the kind of network is not known")
    return latency.part(known)


def _entered(places: Places, vertex: int) -> Part:
    """Port to port delay of the switch or router that is entered."""
    device = places.device_of(vertex)
    kind = places.document.device_type(device)
    if kind.latency_ns is not None:
        source, sure = kind.source_of("latency_ns"), _confidence(kind, "latency_ns")
        return Part(f"{kind.name}, port to port", kind.latency_ns * 1e-9, source, sure)
    if kind.deep_buffer or device.kind == "router":
        return latency.unknown(kind.name, "no figure for an unloaded deep-buffer switch or router")
    known = {"InfiniBand": "switch-infiniband", "Ethernet": "switch-ethernet"}.get(kind.fabric)
    if known is None or device.kind in ("server", "storage", "management"):
        return latency.unknown(kind.name, "no figure for this device")
    return latency.part(known)
