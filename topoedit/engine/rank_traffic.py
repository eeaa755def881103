"""What each GPU sends to each other one in a step, summed over blocks of GPUs.

These are the flows that the engine routes, before any of them has taken a path: a ring's are those
from each rank to the next, an all-to-all's those of every pair. A reduction in the scale-up switch
has no receiver; what a GPU sends into the switch is spread evenly over the others of its group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.load import RoutingJob, demands_of
from topoedit.engine.types import AllToAll, Demand, Floats, Flows, InNetwork, Longs
from topoedit.engine.workload.communication import Exchange

_SMALL_GROUP = 48
"""Groups up to this size go pair by pair, larger ones by counting members in blocks."""
_CHUNK = 4096


@dataclass(frozen=True, eq=False)
class Sent:
    """What the groups of one kind send in a step.

    Attributes:
        class_: traffic class, WAN where the groups cross sites; kind: field of `Placement`.
        demands: point to point, in bytes a step between GPU numbers of the fabric.
        in_switch: some of it is reduced in the scale-up switch.
    """

    class_: str
    kind: str
    demands: tuple[Demand, ...]
    in_switch: bool


def rank_traffic(job: RoutingJob, exchanges: Sequence[Exchange]) -> list[Sent]:
    """The traffic of every kind of group of a plan, as it is given to the router."""
    made = []
    for kind in dict.fromkeys(one.groups for one in exchanges):
        chosen = [one for one in exchanges if one.groups == kind]
        demands = tuple(demands_of(job, kind, chosen)[1])
        class_ = "WAN" if job.shapes[kind].crosses_sites else chosen[0].class_
        inside = any(isinstance(one, InNetwork) for one in demands)
        made.append(Sent(class_, kind, demands, inside))
    return made


def block_bytes(
    demands: Sequence[Demand], row: Longs, column: Longs, shape: tuple[int, int]
) -> Floats:
    """Bytes between blocks of GPUs.

    Args:
        demands: what is sent.
        row: (G,) block that a GPU is counted in as a sender, -1 for none.
        column: (G,) the same as a receiver.
        shape: number of blocks of senders and of receivers, R and C.

    Returns:
        (R, C) bytes a step; a GPU sends nothing to itself.
    """
    total = np.zeros(shape)
    for one in demands:
        match one:
            case Flows():
                _add(total, row[one.src], column[one.dst], one.bytes)
            case AllToAll():
                _add_pairs(total, one.groups, one.pair_bytes, row, column)
            case InNetwork():
                others = one.groups.shape[1] - 1
                if others:
                    _add_pairs(total, one.groups, one.up / others, row, column)
    return total


def _add(total: Floats, row: Longs, column: Longs, sent: Floats) -> None:
    seen = (row >= 0) & (column >= 0) & (sent > 0)
    rows, columns = total.shape
    if seen.any():
        place = row[seen].astype(np.int64) * columns + column[seen]
        total += np.bincount(place, sent[seen], rows * columns).reshape(total.shape)


def _add_pairs(total: Floats, groups: Longs, sent: float, row: Longs, column: Longs) -> None:
    """`sent` bytes from every member of a group to every other."""
    if groups.shape[1] <= _SMALL_GROUP:
        each = np.full(groups.size, sent)
        source = row[groups].ravel()
        for shift in range(1, groups.shape[1]):
            _add(total, source, column[np.roll(groups, -shift, axis=1)].ravel(), each)
        return
    for some in _chunks(groups):
        senders, receivers = (
            _members(some, row, total.shape[0]),
            _members(some, column, total.shape[1]),
        )
        total += sent * (senders.T @ receivers)
    everyone = groups.ravel()
    _take_self(total, row[everyone], column[everyone], sent)


def _take_self(total: Floats, row: Longs, column: Longs, sent: float) -> None:
    """Take back what members would have sent to themselves."""
    seen = (row >= 0) & (column >= 0)
    place = row[seen].astype(np.int64) * total.shape[1] + column[seen]
    total -= sent * np.bincount(place, minlength=total.size).reshape(total.shape)
    np.maximum(total, 0.0, out=total)


def _chunks(groups: Longs) -> Iterator[Longs]:
    for low in range(0, len(groups), _CHUNK):
        yield groups[low : low + _CHUNK]


def _members(groups: Longs, blocks: Longs, count: int) -> Floats:
    """(K, count) how many members of each group lie in each block."""
    block = blocks[groups]
    seen = block >= 0
    number = np.broadcast_to(np.arange(len(groups))[:, None], groups.shape)
    place = number[seen] * count + block[seen]
    return np.bincount(place, minlength=len(groups) * count).reshape(-1, count).astype(float)
