"""Colour refinement: which vertices of a graph no routing rule can tell apart.

One-dimensional Weisfeiler-Leman refinement with 64-bit hashes. The stable partition is equitable:
every vertex of a class has the same links into every other class. Hop counts to a destination that
has a class of its own, next-hop counts and loads split by capacity are therefore equal on the
members of a class, and routing on classes is exact. A hash collision (odds about classes squared
over 2^64) would break this; `GraphRouter` checks conservation on every call to catch it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.types import Bytes8, Floats, Ints, Longs

Hashes = NDArray[np.uint64]

_MULTIPLIERS = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
_SHIFT = np.uint64(33)
_MAX_ROUNDS = 1000


def mix(values: Hashes) -> Hashes:
    """A 64-bit finaliser (the constants of MurmurHash3, public domain)."""
    out = values ^ (values >> _SHIFT)
    for multiplier in _MULTIPLIERS:
        out *= multiplier
        out ^= out >> _SHIFT
    return out


def hash_columns(*columns: Bytes8 | Ints | Longs | Floats) -> Hashes:
    """One hash for each row of some columns; equal rows have equal hashes."""
    out = np.zeros(len(columns[0]), np.uint64)
    for number, column in enumerate(columns):
        wide = np.asarray(column, np.float64 if column.dtype.kind == "f" else np.int64)
        bits = np.ascontiguousarray(wide).view(np.uint64)
        out = mix(out * np.uint64(31) + bits + np.uint64(number + 1))
    return out


def refine(src: Ints, dst: Ints, edge_hash: Hashes, colour: Longs) -> Ints:
    """The coarsest equitable partition that refines `colour`.

    Args:
        src: tails of the directed edges, sorted; each link is there in both directions.
        dst: heads of the edges.
        edge_hash: (edges,) hash of what tells edges apart (both directions' capacities, tier).
        colour: (vertices,) initial colours.

    Returns:
        (vertices,) class numbers from 0.
    """
    _, classes = np.unique(colour, return_inverse=True)
    count = int(classes.max(initial=-1)) + 1
    starts = np.flatnonzero(np.concatenate([[True], src[1:] != src[:-1]])) if len(src) else src
    sources = src[starts]
    for _ in range(_MAX_ROUNDS):
        own = mix(classes.astype(np.uint64) + np.uint64(1))
        around = np.zeros(len(colour), np.uint64)
        if len(src):
            around[sources] = np.add.reduceat(mix(own[dst] + edge_hash), starts)
        _, classes = np.unique(mix(around) + own * np.uint64(3), return_inverse=True)
        grown = int(classes.max(initial=-1)) + 1
        if grown == count:
            break
        count = grown
    return np.asarray(classes, np.int32)
