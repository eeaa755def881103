"""The traffic of a collective: flows, all-to-all groups and in-switch reductions to be routed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.collectives.algorithm import algorithms
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.collectives.layout import Layout, layout_of
from topoedit.engine.types import Demand, Fabric, Longs
from topoedit.errors import BadInputError
from topoedit.model.plan import RingOrder


def demands(
    op: str,
    algorithm: str,
    groups: ArrayLike,
    bytes: float,  # noqa: A002 - the word of the command line
    fabric: Fabric,
    ring_order: RingOrder = "node",
) -> list[Demand]:
    """What one call in every group sends, exact in bytes.

    Args:
        op: one of the six operations.
        algorithm: as `CollectiveTime.algorithm` names it; never `auto`.
        groups: (K, n) ranks; they are put in node order here.
        bytes: S as nccl-tests counts it, per call and group.
        fabric: tells which ranks share a server.
        ring_order: how rings go; `random` gives the expectation over all rings.

    Raises:
        BadInputError: no such algorithm, or it cannot carry out the operation.
    """
    members = np.atleast_2d(np.asarray(groups, dtype=np.int64))
    if members.shape[1] < 2 or not bytes:
        return []
    found = algorithms().get(algorithm.split("/")[0])
    if found is None or op not in found.ops:
        able = ", ".join(name for name, one in algorithms().items() if op in one.ops)
        raise BadInputError(
            f'"{algorithm}" cannot carry out {op}', "--algorithm", f"Able: {able or 'none'}"
        )
    return found.demands(op, node_ordered(members, layout_of(fabric), ring_order), bytes)


def node_ordered(members: Longs, layout: Layout, ring_order: RingOrder) -> Groups:
    """Groups with the ranks of each server side by side, in order of rank."""
    if (members[:, 1:] < members[:, :-1]).any():
        members = np.sort(members, axis=1)
    server = layout.unit[members]
    if (server[:, 1:] < server[:, :-1]).any():
        turn = np.argsort(server, axis=1, kind="stable")
        members = np.take_along_axis(members, turn, axis=1)
        server = np.take_along_axis(server, turn, axis=1)
    return Groups(
        np.ascontiguousarray(members), np.ascontiguousarray(server), ring_order, layout.meshed
    )
