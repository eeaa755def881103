"""How sure a predicted time is: an 80 % interval, and what it rests on."""

from __future__ import annotations

import math

from topoedit.engine.collectives.constants import Measured, constant_set, network_key, section
from topoedit.engine.types import GroupShape
from topoedit.model.analysis import Interval


def interval_of(
    time_s: float, op: str, size: float, shape: GroupShape, constants: str = "fitted"
) -> Interval:
    """The interval of one call's time.

    Within what was measured: errors of rows of this size whose set-up was left out of the fit;
    beyond it the wider figures for fabrics never seen.
    """
    chosen = constant_set(constants)
    measured = section().measured
    beyond = reasons(op, shape, measured)
    spreads = chosen.unseen if beyond and chosen.unseen else chosen.intervals
    spread = next(s for s in spreads if s.below is None or size < s.below)
    return Interval(
        low_s=time_s * spread.low,
        high_s=time_s * spread.high,
        basis=chosen.interval_basis,
        rows=spread.rows,
        nearest=nearest(op, shape, measured).about,
        extrapolated=beyond,
    )


def reasons(op: str, shape: GroupShape, measured: tuple[Measured, ...]) -> tuple[str, ...]:
    """What lies outside the measured range."""
    same_op = [m for m in measured if op in m.ops]
    if not same_op:
        return (f"{op} was never measured",)
    beyond = []
    generation = [m for m in same_op if m.generation == shape.generation]
    if not generation:
        beyond.append(f"{op} was not measured on {shape.generation} accelerators")
    most = max(m.ranks for m in same_op)
    if shape.ranks > most:
        beyond.append(f"{shape.ranks} GPUs; measured up to {most}")
    if shape.servers == 1:
        widest = max((m.ranks / m.servers for m in generation), default=0)
        if generation and shape.ranks > widest:
            beyond.append(f"{shape.ranks} GPUs in a domain; measured up to {widest:.0f}")
        return tuple(beyond)
    if generation and max(m.servers for m in generation) == 1:
        beyond.append(f"{op} was not measured between servers of {shape.generation} accelerators")
    servers = max(m.servers for m in same_op)
    if shape.servers > servers:
        beyond.append(f"{shape.servers} servers; measured up to {servers}")
    network = network_key(shape)
    if not any(m.network == network and m.servers > 1 for m in same_op):
        beyond.append(f"{op} was not measured over {shape.network or 'this network'}")
    if shape.crosses_sites:
        beyond.append("calls between sites were not measured")
    return tuple(beyond)


def nearest(op: str, shape: GroupShape, measured: tuple[Measured, ...]) -> Measured:
    """The measured set-up most like this one."""
    network = network_key(shape) if shape.servers > 1 else ""

    def distance(one: Measured) -> float:
        other = one.network if one.servers > 1 else ""
        return (
            abs(math.log2(one.ranks / shape.ranks))
            + 2 * abs(math.log2(one.servers / shape.servers))
            + 3 * (one.generation != shape.generation)
            + 2 * (other != network)
            + 2 * (op not in one.ops)
        )

    return min(measured, key=distance)
