"""Every path between two ends of a drawing, hop by hop: what `topoedit path` and the trace show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from topoedit.app.endpoints import Endpoint, Places, find_endpoint
from topoedit.app.path_hops import (
    PortNames,
    cables_of,
    delay_parts,
    link_of,
    metres_of,
    port_names,
    width_of,
)
from topoedit.app.placement_file import read_placement
from topoedit.engine import latency
from topoedit.engine.analyse import Result
from topoedit.engine.compile import compile_fabric
from topoedit.engine.latency import Part
from topoedit.engine.routing import Router
from topoedit.engine.routing.modes import MODES
from topoedit.engine.trace import End, Hop, Path, Trace, Tracer
from topoedit.engine.types import TIER_NAMES, Fabric, Longs, Tier, VertexKind
from topoedit.errors import BadInputError
from topoedit.model.analysis import Unreachable
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload
from topoedit.units import GIGA, gbps

_CHECKS = {1: "same-leaf", 3: "cross-leaf"}
_SWITCHES = {
    VertexKind.LEAF, VertexKind.SPINE, VertexKind.CORE, VertexKind.SWITCH, VertexKind.ROUTER,
}  # fmt: skip


class Load(msgspec.Struct, frozen=True):
    """Load of one direction of a hop's link in a training step; bytes of each traffic class."""

    bytes: float
    by_class: dict[str, float]
    utilisation: float | None
    phase_share: float | None
    demand: float | None


class HopRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One hop of an example path; see the help of `topoedit path` for each key."""

    from_: str = msgspec.field(name="from")
    to: str
    link: str
    tier: str
    cable: str | None = None
    port_a: str | None = None
    port_b: str | None = None
    names_a: PortNames | None = None
    names_b: PortNames | None = None
    medium: str | None = None
    metres: float | None = None
    metres_range: tuple[float, float] | None = None
    gbps: float | None = None
    capacity_GBps: float | None = None  # noqa: N815 - the JSON key
    latency_s: float | None = None
    latency_source: str = ""
    latency_confidence: str = ""
    latency_parts: tuple[Part, ...] = ()
    width: int = 1
    links: int = 1
    load: Load | UnsetType = UNSET


class Check(msgspec.Struct, frozen=True):
    """A published measurement of a like path, beside the sum of the hops."""

    what: str
    seconds: float
    source: str


class PathRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A class of equivalent paths, with one of them hop by hop."""

    share: float
    leaves_by: str
    arrives_by: str
    hops: tuple[HopRecord, ...]
    latency_s: float | None
    latency_known_s: float
    latency_covers: str
    latency_confidence: str
    measured: Check | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of `topoedit path --json`."""

    from_: str = msgspec.field(name="from")
    to: str
    paths: tuple[PathRecord, ...]
    routing: str
    pxn: bool
    gpudirect: bool
    unreachable: Unreachable | UnsetType = UNSET
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Traced:
    """An answer with the arrays behind it, for lighting up a canvas."""

    answer: Answer
    trace: Trace
    fabric: Fabric


def find_paths(
    document: Document, a: str, b: str, workload: Workload | None = None,
    base: FilePath | None = None,
) -> Traced:  # fmt: skip
    """Every shortest path between two ends; with a model also the load by traffic class.

    Args:
        document: the drawing.
        a: a GPU (`node-01/gpu3`, `rank:17`), a NIC or port (`node-01:nic3`), a device, or a glob
            that means one device.
        b: the other end, likewise.
        workload: plan (routing, PXN, GPUDirect), and a model unless its name is "".
        base: folder that a relative model file is looked for in.

    Raises:
        BadInputError: an end is not there, is ambiguous, or both are the same.
    """
    if workload is not None and workload.model:
        from topoedit.app.analyse import analyse_document

        result = analyse_document(document, workload, base=base)
        return trace_on(document, result.fabric, a, b, workload.plan, result, base=base)
    plan = Plan() if workload is None else workload.plan
    return trace_on(document, compile_fabric(document), a, b, plan, base=base)


def trace_on(
    document: Document, fabric: Fabric, a: str, b: str, plan: Plan, result: Result | None = None,
    router: Router | None = None, base: FilePath | None = None,
) -> Traced:  # fmt: skip
    """`find_paths` on a fabric that is compiled already.

    Args:
        document: the drawing.
        fabric: the same as arrays.
        a: one end.
        b: the other.
        plan: routing, PXN and GPUDirect.
        result: an analysis of this fabric, for the loads.
        router: a router made for this fabric with the weights of the plan's routing.
        base: folder that a relative placement file is looked for in.
    """
    places = Places(document, fabric, _order(plan, fabric, base))
    start, goal = find_endpoint(places, a), find_endpoint(places, b)
    if start.end.vertex == goal.end.vertex:
        raise BadInputError(f"{start.label} and {goal.label} are one end", mend="Name two")
    routing = plan.routing or ("ecmp" if fabric.network == "Ethernet" else "adaptive")
    if router is None:
        router = Router(fabric, weights=MODES[routing].weights, rails=MODES[routing].rails)
    trace, notes = _by_ports(places, Tracer(router), start, goal, plan.pxn)
    ports = frozenset((end.device, end.port) for end in (start, goal) if end.port)
    writer = _Writer(places, plan, result, router, ports)
    answer = Answer(
        from_=start.label,
        to=goal.label,
        paths=tuple(writer.path(path, start, goal) for path in trace.paths),
        routing=routing,
        pxn=plan.pxn,
        gpudirect=plan.gpudirect,
        unreachable=_unreachable(trace, start, goal),
        notes=(*start.notes, *goal.notes, *notes, *_notes(trace, routing)),
        warnings=fabric.notes,
    )
    return Traced(answer, trace, fabric)


def _order(plan: Plan, fabric: Fabric, base: FilePath | None) -> Longs | None:
    """GPU number of each rank if the plan has a placement file, beside the drawing or not."""
    if not plan.placement:
        return None
    beside = (base or FilePath()) / plan.placement
    return read_placement(beside if beside.is_file() else FilePath(plan.placement), fabric)


def _by_ports(
    places: Places, tracer: Tracer, start: Endpoint, goal: Endpoint, pxn: bool
) -> tuple[Trace, tuple[str, ...]]:
    """All paths, or only those over the ports that the ends name where there are any."""
    trace = whole = tracer.trace(start.end, goal.end, pxn=pxn)
    notes: list[str] = []
    first = _port_edge(places, whole, start, leaving=True, notes=notes)
    if first is not None:
        rest = places.end(int(places.fabric.dst[first.edge]))
        trace = _joined(tracer, (first, rest, goal.end, None), pxn)
    last = _port_edge(places, trace, goal, leaving=False, notes=notes)
    if last is not None:
        begin = start.end if first is None else places.end(int(places.fabric.dst[first.edge]))
        if first is None or first.edge != last.edge:
            rest = places.end(int(places.fabric.src[last.edge]))
            trace = _joined(tracer, (first, begin, rest, last), pxn)
    return trace, tuple(notes)


def _port_edge(
    places: Places, trace: Trace, end: Endpoint, *, leaving: bool, notes: list[str]
) -> Hop | None:
    """The first or last hop by the port of an end, if a shortest path takes it."""
    if not end.port or not trace.paths:
        return None
    fabric = places.fabric
    link = places.document.ports_in_use(end.device).get(end.port, "")
    at = (fabric.src if leaving else fabric.dst)[trace.edges]
    for edge in trace.edges[at == end.end.vertex].tolist():
        cables = cables_of(places, edge) if fabric.link_ids[fabric.link[edge]] == link else []
        if any(end.port == (c.tail if leaving else c.head) for c in cables):
            choices = trace.edges[fabric.src[trace.edges] == fabric.src[edge]]
            return Hop(edge, np.array([edge]), choices, "network")
    side = "leaves" if leaving else "arrives"
    notes.append(f"no shortest path {side} by {end.label}: all paths of its device are shown")
    return None


def _joined(tracer: Tracer, legs: tuple[Hop | None, End, End, Hop | None], pxn: bool) -> Trace:
    """A given first hop, the paths between two ends, and a given last hop."""
    first, begin, finish, last = legs
    before, after = (() if hop is None else (hop,) for hop in (first, last))
    given = np.array([hop.edge for hop in (*before, *after)], np.int64)
    if begin.vertex == finish.vertex:
        return Trace((Path(1.0, (*before, *after)),), given, np.ones(len(given)), 1.0)
    middle = tracer.trace(begin, finish, pxn=pxn)
    paths = tuple(
        Path(path.share, (*before, *path.hops, *after), path.via, path.out) for path in middle.paths
    )
    edges = np.concatenate([middle.edges, given])
    shares = np.concatenate([middle.shares, np.full(len(given), middle.delivered)])
    return Trace(paths, edges, shares, middle.delivered, middle.omitted)


def _unreachable(trace: Trace, start: Endpoint, goal: Endpoint) -> Unreachable | UnsetType:
    if trace.delivered > 1 - 1e-9:
        return UNSET
    return Unreachable(1, 0.0, f"{start.label} to {goal.label}")


def _notes(trace: Trace, routing: str) -> Iterator[str]:
    if 1e-9 < trace.delivered < 1 - 1e-9:
        yield f"{1 - trace.delivered:.0%} of the bytes has no path"
    if trace.omitted:
        yield f"{trace.omitted:.1%} of the bytes takes further classes of paths, not listed"
    sprayed = MODES[routing].weights == "capacity"
    if not sprayed and any(len(h.choices) > 1 for p in trace.paths for h in p.hops):
        yield "one connection takes one of the equal-cost links at each hop; shares are of many"


def covers(fabric: Fabric, path: Path) -> str:
    """What the latency of a path is the sum of, in words."""
    tiers = {int(fabric.tier[hop.edge]) for hop in path.hops}
    ends = [int(v[hop.edge]) for hop in path.hops for v in (fabric.src, fabric.dst)]
    has = set(fabric.vertex_kind[ends].tolist())
    words = {
        "scale-up network with its software": Tier.SCALE_UP in tiers,
        "PCIe": Tier.HOST_BUS in tiers,
        "NIC with its software": VertexKind.NIC in has,
        "switches port to port": bool(has & _SWITCHES),
        "cables": any(int(fabric.link[hop.edge]) < fabric.drawn_links for hop in path.hops),
    }
    listed = ", ".join(word for word, there in words.items() if there)
    return (
        f"one way of a small message, nothing else running: {listed}; no queueing and no time for "
        "the bytes themselves"
    )


class _Writer:
    """Turns traced paths into records."""

    def __init__(
        self, places: Places, plan: Plan, result: Result | None, router: Router,
        ports: frozenset[tuple[str, str]],
    ) -> None:  # fmt: skip
        self._places, self._plan, self._result, self._router = places, plan, result, router
        self._ports = ports

    def path(self, path: Path, start: Endpoint, goal: Endpoint) -> PathRecord:
        """One class of paths."""
        hops = tuple(self._hop(hop) for hop in path.hops)
        parts = [part for hop in hops for part in hop.latency_parts]
        seconds = [hop.latency_s for hop in hops]
        known = [value for value in seconds if value is not None]
        return PathRecord(
            share=path.share,
            leaves_by=self._leaves(path, start.end.rank, path.via),
            arrives_by=self._leaves(path, goal.end.rank, path.out, arriving=True),
            hops=hops,
            latency_s=sum(known) if len(known) == len(seconds) else None,
            latency_known_s=latency.known(parts),
            latency_covers=covers(self._places.fabric, path),
            latency_confidence=latency.least_sure(parts),
            measured=self._measured(path, start, goal),
        )

    def _hop(self, hop: Hop) -> HopRecord:
        places, fabric, edge = self._places, self._places.fabric, hop.edge
        link, cables = link_of(places, edge), cables_of(places, edge)
        tail, head = int(fabric.src[edge]), int(fabric.dst[edge])
        ends = (places.device_of(tail), places.device_of(head))
        named = (
            c for c in cables
            if self._ports & {(ends[0].id, c.tail), (ends[1].id, c.head)}
        )  # fmt: skip
        first = next(named, cables[0] if cables else None)
        parts = delay_parts(places, edge, gpudirect=self._plan.gpudirect)
        medium = None if link is None else places.document.catalog.media.get(link.medium)
        inner = "host bus" if TIER_NAMES[int(fabric.tier[edge])] == "host-bus" else "scale-up"
        capacity = float(fabric.capacity[edge])
        rate = None if np.isnan(capacity) else capacity / max(1, len(cables))
        return HopRecord(
            from_=places.label(tail),
            to=places.label(head),
            link=fabric.link_ids[int(fabric.link[edge])],
            tier=TIER_NAMES[int(fabric.tier[edge])],
            cable=None if first is None else first.id,
            port_a=None if first is None else first.tail,
            port_b=None if first is None else first.head,
            names_a=None if first is None else port_names(places, ends[0], first.tail),
            names_b=None if first is None else port_names(places, ends[1], first.head),
            medium=inner if link is None else medium.name if medium else link.medium or None,
            metres=metres_of(link),
            metres_range=self._range(hop),
            gbps=None if rate is None else gbps(rate),
            capacity_GBps=None if np.isnan(capacity) else capacity / GIGA,
            latency_s=latency.total(parts),
            latency_source="; ".join(dict.fromkeys(p.source for p in parts)) or "on the same die",
            latency_confidence=latency.least_sure(parts) if parts else "high",
            latency_parts=tuple(parts),
            width=width_of(places, hop.choices.tolist()),
            links=len(np.unique(fabric.link[hop.members])),
            load=self._load(edge),
        )

    def _range(self, hop: Hop) -> tuple[float, float] | None:
        """Least and greatest length within the class, if they differ."""
        found = [metres_of(link_of(self._places, edge)) for edge in hop.members.tolist()]
        lengths = [value for value in found if value is not None]
        if not lengths or min(lengths) == max(lengths):
            return None
        return min(lengths), max(lengths)

    def _load(self, edge: int) -> Load | UnsetType:
        if self._result is None:
            return UNSET
        figures = self._result.figures
        by_class = (
            (name, float(row[edge]))
            for name, row in zip(figures.classes, figures.bytes, strict=True)
        )

        def fraction(values: np.ndarray) -> float | None:
            value = float(values[edge])
            return value if np.isfinite(value) else None

        return Load(
            bytes=float(figures.total[edge]),
            by_class={name: value for name, value in by_class if value > 0},
            utilisation=fraction(figures.utilisation),
            phase_share=fraction(figures.phase_share),
            demand=fraction(figures.demand),
        )

    def _leaves(self, path: Path, rank: int, via: int, *, arriving: bool = False) -> str:
        """How bytes leave or reach a GPU, in a word; "" for an end that is no GPU."""
        if rank < 0:
            return ""
        hop = path.hops[-1 if arriving else 0]
        fabric = self._places.fabric
        word = fabric.link_ids[int(fabric.link[hop.edge])].split("/")
        inner = word[-2] if len(word) > 1 else "nvlink"
        if not any(h.leg == "network" for h in path.hops):
            return inner
        copy = "gpudirect" if self._plan.gpudirect else "host-copy"
        if via == rank:
            return copy
        relayed = not arriving and self._plan.pxn and bool(self._router.relays.attached[rank])
        through = "pxn" if relayed else f"{inner} to another GPU's NIC"
        return through if self._plan.gpudirect else f"{through}, {copy}"

    def _measured(self, path: Path, start: Endpoint, goal: Endpoint) -> Check | None:
        """The published time of host to host over as many switches, where there is one."""
        fabric = self._places.fabric
        ends = start.end.rank >= 0 and goal.end.rank >= 0 and self._plan.gpudirect
        if not ends or any(hop.leg == "scale-up" for hop in path.hops):
            return None
        kinds = fabric.vertex_kind[[fabric.dst[hop.edge] for hop in path.hops]]
        switches = int(((kinds >= VertexKind.LEAF) & (kinds <= VertexKind.SWITCH)).sum())
        words = (fabric.network.lower(), _CHECKS.get(switches, ""))
        figure = latency.latency_figures().get("-".join(words))
        if figure is None:
            return None
        return Check(figure.about, figure.seconds, figure.source)
