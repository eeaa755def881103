"""The seeded hash that stands for a switch's hash of a packet header.

A connection's key is a hash of its two GPUs, of the NIC it leaves by and of its number among the
flows of the pair; each switch adds a salt of its own. Keys and salts come from the ids of devices,
not from row numbers, so that a change elsewhere in the drawing leaves every other choice as it was
and a comparison of before and after shares its draws.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from topoedit.engine.routing.colours import Hashes, hash_columns, mix
from topoedit.engine.types import Fabric, Ints, Longs

_HALF = np.uint64(32)
_STEP = np.uint64(0x9E3779B97F4A7C15)


def salts(fabric: Fabric) -> Hashes:
    """(V,) a number for each vertex, from the id of its device and its place inside it."""
    device = np.array([crc32(name.encode()) for name in fabric.device_ids], np.int64)
    return hash_columns(device[fabric.vertex_device], fabric.vertex_local, fabric.vertex_kind)


def connection_keys(salt: Hashes, src: Ints, dst: Ints, nic: Longs, flow: Longs) -> Hashes:
    """Keys of connections.

    Args:
        salt: (V,) of the fabric's vertices.
        src: (n,) vertices of the GPUs by whose NICs the bytes leave.
        dst: (n,) vertices of the GPUs by whose NICs they arrive.
        nic: (n,) number of the NIC among those of the GPU.
        flow: (n,) number of the flow among those of the pair.
    """
    return hash_columns(salt[src].view(np.int64), salt[dst].view(np.int64), nic, flow)


def pick(key: Hashes, seed: Longs, salt: Hashes, count: Longs) -> Longs:
    """(n,) which of `count` cables each connection takes at a vertex.

    Args:
        key: (n,) of the connections.
        seed: (n,) number of the draw.
        salt: (n,) of the vertex.
        count: (n,) cables to choose from, at least 1 and below 2^32.
    """
    return choose(drawn(key, seed), salt, count)


def drawn(key: Hashes, seed: Longs) -> Hashes:
    """Keys of connections in a draw."""
    return mix(key + (seed.astype(np.uint64) + np.uint64(1)) * _STEP)


def choose(key: Hashes, salt: Hashes, count: Longs) -> Longs:
    """`pick` for keys that are drawn already."""
    high = mix(key ^ salt) >> _HALF
    return ((high * count.astype(np.uint64)) >> _HALF).view(np.int64)
