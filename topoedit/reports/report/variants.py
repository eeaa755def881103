"""Changed copies of a fabric: with something lost, or with a tier of another capacity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topoedit.engine.types import Bools, Fabric, Tier, VertexKind


def without_edges(fabric: Fabric, gone: Bools) -> Fabric:
    """The fabric with some of its directed edges carrying nothing.

    Args:
        fabric: the fabric.
        gone: (E,) which edges are lost.
    """
    capacity, working = fabric.capacity.copy(), fabric.working.copy()
    capacity[gone], working[gone] = 0.0, 0
    return replace(fabric, capacity=capacity, working=working)


def edges_of_device(fabric: Fabric, row: int) -> Bools:
    """(E,) the edges that begin or end in a device; `row` is its row in `device_ids`."""
    own = fabric.vertex_device == row
    touched: Bools = own[fabric.src] | own[fabric.dst]
    return touched


def edges_of_link(fabric: Fabric, row: int) -> Bools:
    """(E,) both directions of a link; `row` is its row in `link_ids`."""
    found: Bools = fabric.link == row
    return found


def with_tier_scaled(fabric: Fabric, tier: Tier, factor: float) -> Fabric:
    """The fabric with the capacity of every edge of a tier multiplied."""
    capacity = np.where(fabric.tier == tier, fabric.capacity * factor, fabric.capacity)
    return replace(fabric, capacity=capacity)


def devices_of_kind(fabric: Fabric, kind: VertexKind) -> list[int]:
    """Rows in `device_ids` of the switches of a kind."""
    rows = np.unique(fabric.vertex_device[fabric.vertex_kind == kind])
    return [int(row) for row in rows]
