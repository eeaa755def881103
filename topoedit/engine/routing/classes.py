"""Classes of equivalent links, for bottlenecks that come by the hundred."""

from __future__ import annotations

import numpy as np

from topoedit.engine.routing.colours import hash_columns, refine
from topoedit.engine.types import Fabric, Floats, Ints


def edge_classes(fabric: Fabric) -> Ints:
    """(E,) number of the class of each directed edge.

    Two edges are in one class if nothing that routing reads tells them apart: same tier, capacity
    and (working) cables in both directions, and ends that colour refinement of the whole fabric
    (GPUs and NICs included) cannot distinguish. Neither length nor load is looked at; for the load
    see `split_classes`.
    """
    half = len(fabric.src) // 2
    if not half:
        return np.zeros(0, np.int32)
    turned = np.concatenate([np.arange(half, 2 * half), np.arange(half)])
    capacity = np.where(np.isnan(fabric.capacity), -1.0, fabric.capacity)
    kind = hash_columns(fabric.tier, fabric.cables, fabric.working, capacity, capacity[turned])
    order = np.argsort(fabric.src, kind="stable")
    colour = refine(
        fabric.src[order], fabric.dst[order], kind[order], fabric.vertex_kind.astype(np.int64)
    )
    key = hash_columns(colour[fabric.src], colour[fabric.dst], kind.view(np.int64))
    _, classes = np.unique(key, return_inverse=True)
    return np.asarray(classes, np.int32)


def split_classes(classes: Ints, *values: Floats, digits: int = 9) -> Ints:
    """Split classes so that each has one value (to `digits` significant figures) in every array.

    Args:
        classes: (E,) classes to split.
        values: (E,) arrays, for example bytes per traffic class.
        digits: significant figures that count.
    """
    rounded = [_round(value, digits) for value in values]
    _, out = np.unique(hash_columns(classes, *rounded), return_inverse=True)
    return np.asarray(out, np.int32)


def _round(value: Floats, digits: int) -> Floats:
    """Values to some significant figures; equal ones become bit-equal."""
    mantissa, exponent = np.frexp(np.nan_to_num(value, nan=-1.0))
    scale = 10.0**digits
    return np.asarray(np.ldexp(np.round(mantissa * scale), exponent))
