"""Group shapes and bare fabrics for the tests of collectives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoedit.engine.types import Fabric, GroupShape

NCCL = "nccl-2.30.7"


def shape(
    ranks: int,
    servers: int = 1,
    *,
    scaleup: float = 450e9,
    network: float = 400e9,
    ports: int = 8,
    generation: str = "hopper",
    accelerator: str = "h100-sxm",
    kind: str = "InfiniBand",
    **more: object,
) -> GroupShape:
    """A group of H100 (by default) with 8 x 400 Gb/s a server."""
    return GroupShape(
        ranks=ranks, servers=servers, per_server=ranks / servers, domain_ranks=ranks // servers,
        scaleup_rate=scaleup, network_rate=network, nics_per_server=ports, generation=generation,
        accelerator=accelerator, network=kind, **more,
    )  # fmt: skip


def bare_fabric(servers: Sequence[int]) -> Fabric:
    """A fabric without links: GPU i is in server `servers[i]`."""
    of_gpu = np.array(servers, np.int32)
    count = len(of_gpu)
    none, nothing = np.zeros(0, np.int32), np.zeros(0)
    names = tuple(f"s{i}" for i in range(int(of_gpu.max()) + 1))
    return Fabric(
        name="bare", revision=0,
        vertex_kind=np.zeros(count, np.uint8), vertex_device=of_gpu,
        vertex_local=np.zeros(count, np.int32), device_ids=names, device_names=names,
        src=none, dst=none, capacity=nothing, latency=nothing, tier=np.zeros(0, np.uint8),
        cables=none, working=none, link=none, link_ids=(), drawn_links=0,
        gpus=np.arange(count, dtype=np.int32), gpu_domain=of_gpu, gpu_server=of_gpu,
        gpu_site=np.zeros(count, np.int32), accelerators=("h100-sxm",) * count,
        multicast=np.ones(len(names), bool), reduction=False, network="InfiniBand",
    )  # fmt: skip
