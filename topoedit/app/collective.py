"""One collective call on a drawing: what `topoedit collective` and the editor ask for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

import msgspec
import numpy as np

from topoedit.app.figure_records import Sweep, SweepRow
from topoedit.engine.collectives.cost import bus_factor
from topoedit.engine.collectives.estimate import (
    Estimate,
    OneByte,
    Question,
    estimate,
    network_bytes,
    port_bytes,
)
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing import Routes, default_mode, make_router, residual
from topoedit.engine.types import TIER_NAMES, Fabric, GroupShape, Longs, VertexKind
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.analysis import Interval, Unreachable
from topoedit.model.document import Document
from topoedit.model.plan import RingOrder
from topoedit.units import GIGA

MAX_BYTES = 1e18
MOST_SIZES = 200
SWEEP_EXAMPLE = "For example 8:16GiB, or 1MiB:1GiB:4 for every fourth power"
RINGS = {
    "node": "node order: each server is entered and left once, on all rails",
    "strided": "strided: every hop of the ring goes to another server",
    "random": "random order: the expectation over all rings, no single draw",
}
_PARTS = {VertexKind.GPU: "gpu", VertexKind.NIC: "nic", VertexKind.SCALE_UP: "switch"}
_SIZE_UNITS = {
    "": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
    "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40,
}  # fmt: skip


class Bottleneck(msgspec.Struct, frozen=True):
    """The link that holds the call up, in the direction that does."""

    link: str
    from_: str = msgspec.field(name="from")
    to: str = ""
    tier: str = ""
    share: float | None = None


class TierShare(msgspec.Struct, frozen=True):
    """Bytes that one GPU sends up over a tier and seconds of the tier's fullest link."""

    tier: str
    bytes_per_gpu: float
    time_s: float


class Spread(msgspec.Struct, frozen=True):
    """Seconds of a call over the draws of hashed routing; `time_s` is the median draw's."""

    flows_per_connection: int
    seeds: int
    median_s: float
    p95_s: float
    worst_s: float


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of `topoedit collective --json`; sizes in bytes, GB = 10^9 bytes.

    `port_bytes_per_gpu` is what the busiest GPU sends over its scale-up port, relays to other rails
    included (its network port where it is alone in its server); `network_bytes_*` leave the server,
    on average; all as routed. A call with pairs that no path joins never ends: its seconds, rates
    and interval are None. `bottleneck.share` is the part of the bandwidth time in which that link
    is full. `routing_efficiency` is the share of the rate
    that links between switches reach; None where NCCL's own model, which knows no switches, is
    asked for and all network links count like its ports.
    """

    op: str
    algorithm: str
    protocol: str
    runner_up: str
    runner_up_s: float | None
    ranks: int
    servers: int
    bytes: float
    time_s: float | None
    latency_s: float | None
    bandwidth_s: float | None
    algbw_GBps: float | None  # noqa: N815 - the JSON key
    busbw_GBps: float | None  # noqa: N815
    bytes_per_gpu: float
    port_bytes_per_gpu: float
    network_bytes_per_gpu: float
    network_bytes_per_server: float
    bottleneck: Bottleneck | None
    tiers: tuple[TierShare, ...]
    interval: Interval | None
    constants: str
    ring: str
    routing: str
    routing_efficiency: float | None
    spread: Spread | None
    unreachable: Unreachable
    formula: str
    source: str
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """What is asked, as words of the command line."""

    op: str
    bytes: float
    ranks: str = "all"
    algorithm: str = "auto"
    protocol: str = "auto"
    constants: str = "fitted"
    ring_order: RingOrder = "node"
    routing: str = ""
    pxn: bool = True
    flows_per_connection: int = 1
    seeds: int = 100
    routing_efficiency: float | None = None


def collective(document: Document, request: Request) -> Answer:
    """Time and traffic of one call among some ranks of a drawing.

    Raises:
        BadInputError: an unknown word, ranks that are not there, or an algorithm that is not
            available to them.
    """
    return collective_on(compile_fabric(document), request)


def collective_on(fabric: Fabric, request: Request) -> Answer:
    """`collective` on a fabric that is compiled already."""
    ranks = parse_ranks(request.ranks, len(fabric.gpus))
    caller = _caller(fabric, request)
    return _answer(caller, caller.ask(ranks, request.bytes), ranks)


@dataclass(frozen=True)
class _Caller:
    """Asks about calls of one kind, whatever their size."""

    fabric: Fabric
    request: Request
    router: Routes
    routing: str
    between: float | None

    def ask(
        self, ranks: Longs, size: float, known: dict[str, OneByte] | None = None
    ) -> Estimate:  # fmt: skip
        """The estimate of a call of `size` bytes; `known` as in `estimate`."""
        request = self.request
        question = Question(
            op=request.op,
            bytes=_checked(size),
            algorithm=request.algorithm,
            protocol=request.protocol,
            constants=request.constants,
            ring_order=request.ring_order,
        )
        return estimate(
            self.fabric, ranks, question, self.router, pxn=request.pxn, between=self.between,
            known=known,
        )  # fmt: skip


def _caller(fabric: Fabric, request: Request) -> _Caller:
    routing = request.routing or default_mode(fabric.network)
    router = make_router(fabric, routing, request.flows_per_connection, request.seeds)
    reached = residual(routing, request.flows_per_connection, request.routing_efficiency)
    plain = request.constants != "fitted" and request.routing_efficiency is None
    return _Caller(fabric, request, router, routing, None if plain else reached.value)


def _answer(caller: _Caller, found: Estimate, ranks: Longs) -> Answer:
    fabric, request = caller.fabric, caller.request
    time, shape = found.time, found.shape
    ends = not found.load.lost_pairs
    algbw, busbw = _bandwidths(request.op, request.bytes, time.time_s if ends else None, shape)
    ring = RINGS[request.ring_order] if time.algorithm == "ring" and shape.servers > 1 else ""
    sent = network_bytes(found)
    return Answer(
        op=request.op,
        algorithm=time.algorithm,
        protocol=time.protocol,
        runner_up=time.runner_up,
        runner_up_s=time.runner_up_s if ends else None,
        ranks=shape.ranks,
        servers=shape.servers,
        bytes=request.bytes,
        time_s=time.time_s if ends else None,
        latency_s=time.latency_s if ends else None,
        bandwidth_s=time.bandwidth_s if ends else None,
        algbw_GBps=algbw,
        busbw_GBps=busbw,
        bytes_per_gpu=time.bytes_per_gpu,
        port_bytes_per_gpu=port_bytes(fabric, found),
        network_bytes_per_gpu=sent,
        network_bytes_per_server=sent * shape.ranks / shape.servers,
        bottleneck=_bottleneck(fabric, found),
        tiers=tuple(TierShare(t.tier, t.bytes_per_gpu, t.time_s) for t in found.tiers),
        interval=found.interval if ends else None,
        constants=request.constants,
        ring=ring,
        routing=caller.routing,
        routing_efficiency=caller.between,
        spread=_spread(request, found) if ends else None,
        unreachable=_unreachable(fabric, found),
        formula=time.formula,
        source=time.source,
        notes=time.notes,
        warnings=tuple(_warnings(fabric, ranks)),
    )


def _bandwidths(
    op: str, size: float, seconds: float | None, shape: GroupShape
) -> tuple[float | None, float | None]:
    """Algorithm and bus bandwidth in GB/s, as nccl-tests counts them."""
    if not seconds:
        return None, None
    algbw = size / seconds / GIGA
    return algbw, algbw * bus_factor(op, shape.ranks)


def sweep(document: Document, request: Request, sizes: Sequence[float]) -> Sweep:
    """A call at many sizes, as nccl-tests runs it; `request.bytes` is not looked at.

    Raises:
        BadInputError: as `collective`, or no sizes.
    """
    return sweep_on(compile_fabric(document), request, sizes)


def sweep_on(
    fabric: Fabric,
    request: Request,
    sizes: Sequence[float],
    cancel: Callable[[], bool] | None = None,
) -> Sweep:
    """`sweep` on a fabric that is compiled already; `cancel` is asked before each size.

    Raises:
        BadInputError: as `sweep`.
        CancelledError: `cancel` said so.
    """
    if not sizes:
        raise BadInputError("there are no sizes to sweep over", "--sweep", SWEEP_EXAMPLE)
    ranks = parse_ranks(request.ranks, len(fabric.gpus))
    caller = _caller(fabric, request)
    known: dict[str, OneByte] = {}
    found = []
    for size in sizes:
        if cancel is not None and cancel():
            raise CancelledError("the sweep was stopped")
        found.append(caller.ask(ranks, size, known))
    rows = [_sweep_row(fabric, request.op, s, one) for s, one in zip(sizes, found, strict=True)]
    last = found[-1]
    return Sweep(
        op=request.op,
        ranks=last.shape.ranks,
        servers=last.shape.servers,
        constants=request.constants,
        routing=caller.routing,
        rows=tuple(rows),
        basis=last.interval.basis,
        nearest=last.interval.nearest,
        extrapolated=tuple(dict.fromkeys(t for one in found for t in one.interval.extrapolated)),
        unreachable=_unreachable(fabric, last),
        source=last.time.source,
        notes=tuple(dict.fromkeys(text for one in found for text in one.time.notes)),
        warnings=tuple(_warnings(fabric, ranks)),
    )


def _sweep_row(fabric: Fabric, op: str, size: float, found: Estimate) -> SweepRow:
    time, shape = found.time, found.shape
    ends = not found.load.lost_pairs
    seconds = time.time_s if ends else None
    low, high = (found.interval.low_s, found.interval.high_s) if ends else (None, None)
    algbw, busbw = _bandwidths(op, size, seconds, shape)
    held = _bottleneck(fabric, found)
    return SweepRow(
        bytes=size,
        algorithm=time.algorithm,
        protocol=time.protocol,
        time_s=seconds,
        low_s=low,
        high_s=high,
        algbw_GBps=algbw,
        busbw_GBps=busbw,
        busbw_low_GBps=_bandwidths(op, size, high, shape)[1],
        busbw_high_GBps=_bandwidths(op, size, low, shape)[1],
        bottleneck="" if held is None else held.link,
    )


def parse_sweep(text: str) -> list[float]:
    """Sizes from `8:16GiB` (each twice the one before) or `1MiB:1GiB:4` (four times).

    Raises:
        BadInputError: not such a text, or more than MOST_SIZES sizes.
    """
    parts = text.split(":")
    if len(parts) not in (2, 3):
        raise BadInputError(f'"{text}" is no range of sizes', "--sweep", SWEEP_EXAMPLE)
    first, last = parse_bytes(parts[0], "--sweep"), parse_bytes(parts[1], "--sweep")
    try:
        factor = float(parts[2]) if len(parts) == 3 else 2.0
    except ValueError:
        factor = 0.0
    if not (1 < factor < math.inf and first <= last):
        raise BadInputError(
            f'"{text}" leads from no size to a larger one', "--sweep", SWEEP_EXAMPLE
        )
    steps = math.floor(math.log(last / first) / math.log(factor) + 1e-9)
    if steps >= MOST_SIZES:
        raise BadInputError(
            f'"{text}" is {steps + 1} sizes', "--sweep",
            f"Use a factor that makes {MOST_SIZES} or fewer",
        )  # fmt: skip
    return [first * factor**step for step in range(steps + 1)]


def parse_ranks(text: str, gpus: int) -> Longs:
    """Ranks from `all`, a count (the first so many) or a list such as `0-7,16`.

    Raises:
        BadInputError: not such a text, ranks that are not there or named twice, no GPUs.
    """
    if not gpus:
        raise BadInputError(
            "the drawing has no GPUs that are known", mend="Give its servers a type with GPUs"
        )
    words = text.strip().lower()
    if words == "all":
        return np.arange(gpus, dtype=np.int64)
    if not re.fullmatch(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", words):
        raise BadInputError(
            f'"{text}" names no ranks', "--ranks", "Use all, a count such as 64, or 0-7,16"
        )
    if words.isdigit():
        count = int(words)
        if not 1 <= count <= gpus:
            raise BadInputError(
                f"there are {gpus} GPUs, not {count}", "--ranks", f"Use 1 to {gpus}, or all"
            )
        return np.arange(count, dtype=np.int64)
    return _listed(words, gpus)


def _listed(words: str, gpus: int) -> Longs:
    parts = []
    for part in words.split(","):
        first, _, last = part.partition("-")
        begin, end = int(first), int(last or first)
        if end < begin or end >= gpus:
            raise BadInputError(
                f"ranks {part} are not there", "--ranks", f"Ranks go from 0 to {gpus - 1}"
            )
        parts.append(np.arange(begin, end + 1, dtype=np.int64))
    ranks = np.concatenate(parts)
    if len(np.unique(ranks)) != len(ranks):
        raise BadInputError("a rank is named twice", "--ranks")
    return ranks


def parse_bytes(text: str, where: str = "--bytes") -> float:
    """Bytes from `1000000000`, `1e9`, `1GB` (10^9) or `1GiB` (2^30).

    Raises:
        BadInputError: not such a text.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?(?:e[+]?\d{1,2})?)\s*([a-z]*)\s*", text.lower())
    if found is None or found[2] not in _SIZE_UNITS:
        raise BadInputError(
            f'"{text}" is no size', where, "Use bytes, or a unit: 1GB is 10^9, 1GiB is 2^30"
        )
    return _checked(float(found[1]) * _SIZE_UNITS[found[2]])


def parse_ring_order(text: str) -> RingOrder:
    """`node`, `strided` or `random`; raises BadInputError on another word."""
    for order in get_args(RingOrder):
        if text == order:
            found: RingOrder = order
            return found
    raise BadInputError(
        f'there is no ring order "{text}"', "--ring-order", f"Known: {', '.join(RINGS)}"
    )


def _checked(size: float) -> float:
    if not 0 < size <= MAX_BYTES:
        raise BadInputError("a size lies between 1 byte and 10^18", "--bytes")
    return size


def _spread(request: Request, found: Estimate) -> Spread | None:
    draws = found.draws
    if draws is None:
        return None
    return Spread(
        request.flows_per_connection,
        len(draws),
        found.time.time_s,
        float(np.quantile(draws, 0.95)),
        float(draws.max()),
    )


def _bottleneck(fabric: Fabric, found: Estimate) -> Bottleneck | None:
    edge = found.edge
    if edge is None or found.load.lost_pairs:
        return None
    seconds = float(found.load.bytes[edge] / fabric.capacity[edge])
    share = seconds / found.time.bandwidth_s if found.time.bandwidth_s > 0 else None
    return Bottleneck(
        link=fabric.link_ids[int(fabric.link[edge])],
        from_=_end(fabric, edge, int(fabric.src[edge])),
        to=_end(fabric, edge, int(fabric.dst[edge])),
        tier=TIER_NAMES[int(fabric.tier[edge])],
        share=share,
    )


def _end(fabric: Fabric, edge: int, vertex: int) -> str:
    """The device at one end; of an inner link the part of the device."""
    device = fabric.device_names[int(fabric.vertex_device[vertex])]
    if int(fabric.link[edge]) < fabric.drawn_links:
        return device
    part = _PARTS.get(VertexKind(int(fabric.vertex_kind[vertex])), "")
    return f"{device}/{part}{int(fabric.vertex_local[vertex])}" if part else device


def _unreachable(fabric: Fabric, found: Estimate) -> Unreachable:
    load = found.load
    example = ""
    if load.example is not None:
        example = " to ".join(_place(fabric, rank) for rank in load.example)
    return Unreachable(load.lost_pairs, load.lost, example)


def _place(fabric: Fabric, rank: int) -> str:
    vertex = int(fabric.gpus[rank])
    server = fabric.device_names[int(fabric.vertex_device[vertex])]
    return f"{server}/gpu{int(fabric.vertex_local[vertex])}"


def _warnings(fabric: Fabric, ranks: Longs) -> list[str]:
    made = list(fabric.notes)
    kinds = sorted({fabric.accelerators[rank] for rank in ranks.tolist()})
    if len(kinds) > 1:
        made.append(f"a ring is as slow as its slowest member; here are {', '.join(kinds)}")
    return made
