"""What algorithms need to know of a fabric: which GPUs share a server, and how they are joined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from topoedit.engine.types import Fabric, Floats, Longs, Tier


@dataclass(frozen=True, eq=False)
class Layout:
    """GPUs by server, and links between the scale-up routers of single GPUs.

    Attributes:
        unit: (G,) number of the server of each GPU, or of its scale-up domain where that is as
            wide.
        peer_a, peer_b, peer_rate: directed links between GPUs' own routers (mesh, torus).
        meshed: a link of its own joins every two GPUs of a server: rings then use all of them.
    """

    unit: Longs
    peer_a: Longs
    peer_b: Longs
    peer_rate: Floats
    meshed: bool


@lru_cache(maxsize=1)
def layout_of(fabric: Fabric) -> Layout:
    """The layout of a fabric; the last one is kept."""
    unit = _units(fabric)
    rank = np.full(len(fabric.vertex_kind), -1, dtype=np.int64)
    rank[fabric.gpus] = np.arange(len(fabric.gpus))
    up = np.flatnonzero(fabric.tier == Tier.SCALE_UP)
    src, dst = fabric.src[up], fabric.dst[up]
    out = rank[src] >= 0
    owner = np.full(len(fabric.vertex_kind), -1, dtype=np.int64)
    owner[dst[out]] = rank[src[out]]
    owner[np.bincount(dst[out], minlength=len(fabric.vertex_kind)) > 1] = -1
    joined = (owner[src] >= 0) & (owner[dst] >= 0)
    a, b = owner[src[joined]], owner[dst[joined]]
    return Layout(unit, a, b, fabric.capacity[up[joined]], _meshed(unit, a))


def _units(fabric: Fabric) -> Longs:
    server = np.asarray(fabric.gpu_server, dtype=np.int64)
    domain = np.asarray(fabric.gpu_domain, dtype=np.int64)
    if not server.size:
        return server
    in_server = np.bincount(server)[server]
    in_domain = np.bincount(domain)[domain]
    return np.where(in_domain >= in_server, domain, server + domain.max() + 1)


def _meshed(unit: Longs, peer_a: Longs) -> bool:
    if not peer_a.size:
        return False
    links = np.bincount(peer_a, minlength=unit.size)
    return bool((links == np.bincount(unit)[unit] - 1).all())
