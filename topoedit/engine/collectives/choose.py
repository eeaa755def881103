"""Time of a collective: the fastest candidate, as the library chooses, or a forced one."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.collectives.algorithm import Algorithm, algorithms
from topoedit.engine.collectives.constants import constant_set, section
from topoedit.engine.collectives.cost import OPS, PROTOCOLS, Call, Candidate, Timed, timed
from topoedit.engine.types import CollectiveTime, Floats, GroupShape
from topoedit.errors import BadInputError
from topoedit.model.plan import RingOrder
from topoedit.units import format_bytes, format_rate, format_seconds

RING_ORDERS = ("node", "strided", "random")


def collective_time(
    op: str,
    bytes: float,  # noqa: A002 - the word of the command line
    shape: GroupShape,
    *,
    algorithm: str = "auto",
    protocol: str = "auto",
    constants: str = "fitted",
    ring_order: RingOrder = "node",
    host: float = 0.0,
) -> CollectiveTime:
    """Time of one call and what it sends.

    Args:
        op: all_reduce, all_gather, reduce_scatter, all_to_all, broadcast or send_recv.
        bytes: S as nccl-tests counts it (the gathered buffer; what a rank sends in all_to_all).
        shape: the group, its slowest like.
        algorithm: `auto`, or a name to force it.
        protocol: the same.
        constants: a named set of the calibration file.
        ring_order: how rings go through the servers; `random` is the expectation.
        host: seconds the host needs for each call (30 to 40 us from Python), hidden behind the
            call before as sqrt(kernel^2 + host^2).

    Raises:
        BadInputError: an unknown word, or an algorithm that this group cannot use.
    """
    return _one(op, float(bytes), shape, algorithm, protocol, constants, ring_order, host)


def collective_times(
    op: str,
    bytes: ArrayLike,  # noqa: A002
    shape: GroupShape,
    *,
    algorithm: str = "auto",
    protocol: str = "auto",
    constants: str = "fitted",
    ring_order: RingOrder = "node",
    host: float = 0.0,
) -> Floats:
    """(K,) seconds for (K,) sizes, as `collective_time` gives them one by one."""
    call = make_call(op, bytes, shape, constants, ring_order, host)
    if shape.ranks < 2:
        return np.zeros(call.size.shape)
    found = candidates(call, algorithm, protocol)
    best: Floats = np.min(np.stack([c.time.total for c in found]), axis=0)
    return best


def candidates(call: Call, algorithm: str = "auto", protocol: str = "auto") -> list[Candidate]:
    """Every algorithm and protocol in question with its time.

    Raises:
        BadInputError: nothing is left; the message says why and what is available.
    """
    wanted = protocol.lower()
    if wanted not in {"auto", *PROTOCOLS}:
        raise BadInputError(
            f'there is no protocol "{protocol}"',
            "--protocol",
            f"Known: auto, {', '.join(PROTOCOLS)}",
        )
    made = [
        Candidate(one.name, cost, timed(call, cost))
        for one in _chosen(call, algorithm)
        for cost in one.costs(call)
    ]
    kept = [c for c in made if wanted in {"auto", c.protocol}]
    if not kept:
        have = ", ".join(dict.fromkeys(c.protocol for c in made))
        raise BadInputError(
            f"{protocol} is not available for {algorithm} here", "--protocol", f"Available: {have}"
        )
    return kept


def _chosen(call: Call, algorithm: str) -> list[Algorithm]:
    able = [one for one in algorithms().values() if call.op in one.ops]
    usable = [one for one in able if not one.missing(call)]
    if algorithm == "auto":
        return [one for one in usable if one.by_default(call)]
    name = algorithm.lower().replace("_", "-")
    have = f"Available: auto, {', '.join(one.name for one in usable)}"
    found = algorithms().get(name)
    if found is None:
        raise BadInputError(f'there is no algorithm "{algorithm}"', "--algorithm", have)
    if call.op not in found.ops:
        raise BadInputError(f"{name} cannot carry out {call.op}", "--algorithm", have)
    lack = found.missing(call)
    if lack:
        raise BadInputError(f"{name} is not available here: it needs {lack}", "--algorithm", have)
    return [found]


def make_call(
    op: str,
    size: ArrayLike,
    shape: GroupShape,
    constants: str,
    order: RingOrder = "node",
    host: float = 0.0,
) -> Call:
    """A call with its constants; raises BadInputError on an unknown word or a bad size."""
    if op not in OPS:
        raise BadInputError(f'there is no operation "{op}"', "--op", f"Known: {', '.join(OPS)}")
    if order not in RING_ORDERS:
        raise BadInputError(
            f'there is no ring order "{order}"', "--ring-order", f"Known: {', '.join(RING_ORDERS)}"
        )
    sizes = np.atleast_1d(np.asarray(size, dtype=np.float64))
    if not (np.isfinite(sizes) & (sizes >= 0)).all():
        raise BadInputError("a size must be a number of bytes, 0 or more", "--bytes")
    return Call(op, sizes, shape, constant_set(constants), order, host)


@lru_cache(maxsize=8192)
def _one(
    op: str, size: float, shape: GroupShape, algorithm: str, protocol: str, constants: str,
    order: RingOrder, host: float,
) -> CollectiveTime:  # fmt: skip
    call = make_call(op, size, shape, constants, order, host)
    if shape.ranks < 2:
        return CollectiveTime(op, "none", "", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, source="a single rank")
    found = sorted(candidates(call, algorithm, protocol), key=lambda c: float(c.time.total[0]))
    best = found[0]
    other = next((c for c in found if c.algorithm != best.algorithm), None)
    second = other or (found[1] if len(found) > 1 else None)
    name = "" if second is None else second.algorithm
    if second is not None and other is None:
        name = f"{second.algorithm}/{second.protocol}"
    algo = algorithms()[best.algorithm]
    volume, share = algo.volume(call), shape.servers / shape.ranks
    return CollectiveTime(
        op=op,
        algorithm=best.algorithm,
        protocol=best.protocol,
        time_s=float(best.time.total[0]),
        latency_s=float(best.time.latency[0]),
        bandwidth_s=float(best.time.bandwidth[0]),
        bytes_per_gpu=volume.sent * size,
        port_bytes=volume.port * size,
        network_bytes=volume.server * size * share,
        runner_up=name,
        runner_up_s=None if second is None else float(second.time.total[0]),
        formula=_explain(call, algo, best),
        source=f"{algo.source}; constants {constants}: {call.constants.about}",
        notes=_notes(call, best, algorithm),
    )


def _explain(call: Call, algo: Algorithm, best: Candidate) -> str:
    """The formula with its numbers."""
    cost, time = best.cost, best.time
    parts = [
        f"{algo.formula(call)} = {_sum(time)}",
        f"n = {call.ranks}, N = {call.servers}, g = {call.local:.4g}",
        f"S = {format_bytes(call.size[0])}",
        f"protocol {best.protocol}: base {format_seconds(cost.base)}",
    ]
    if cost.port_bytes[0] and np.isfinite(cost.port_rate):
        parts.append(
            f"{format_bytes(cost.port_bytes[0])} at {format_rate(cost.port_rate)} on a port"
        )
    if cost.network_bytes[0] and np.isfinite(cost.network_rate):
        parts.append(
            f"{format_bytes(cost.network_bytes[0])} at {format_rate(cost.network_rate)}"
            " on the network ports of a server"
        )
    return "; ".join(parts)


def _sum(time: Timed) -> str:
    return (
        f"{format_seconds(time.latency[0])} latency + {format_seconds(time.bandwidth[0])} bandwidth"
    )


def _notes(call: Call, best: Candidate, algorithm: str) -> tuple[str, ...]:
    notes = []
    shape = call.shape
    if shape.servers > 1 and not shape.network_rate > 0:
        notes.append("the rate of the servers' network ports is unknown: only the scale-up counts")
    if shape.servers > 1 and not shape.network:
        notes.append("the kind of network is unknown: RDMA over Ethernet assumed")
    if call.generation is call.constants.generations["other"]:
        notes.append(f"no measurements of {shape.accelerator or 'this accelerator'}: estimated")
    sharp = algorithms()["collnet"]
    if algorithm == "auto" and call.op in sharp.ops and not sharp.missing(call):
        notes.append(
            "the switches can reduce (SHARP), which NCCL uses only when told to: algorithm collnet"
        )
    if best.algorithm == "ring" and shape.servers > 1:
        words = {
            "node": "ring in node order, on all rails",
            "strided": "ring across servers at every hop",
            "random": "expectation over rings in random order",
        }
        notes.append(words[call.ring_order])
    return tuple(notes)


def default_constants() -> str:
    """Name of the set that is used unless another is asked for."""
    return section().default
