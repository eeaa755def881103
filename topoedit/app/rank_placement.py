"""Which GPU holds which coordinate of a plan, and which links a rank's groups use."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from topoedit.app.analyse import subject_of
from topoedit.catalog.catalog import Catalog
from topoedit.engine.group_links import group_bytes
from topoedit.engine.rank_map import RankMap, rank_map
from topoedit.engine.types import Fabric
from topoedit.errors import BadInputError
from topoedit.model.plan import Workload


class _Packed(msgspec.Struct, frozen=True):
    """A `RankMap`: int32 arrays as bytes with their shapes."""

    devices: tuple[str, ...]
    counts: bytes
    gpu_of_rank: bytes
    grid: bytes
    shape: tuple[int, int, int, int]
    experts: bytes
    expert_size: int


def ranks_on(
    fabric: Fabric, workload: Workload, catalog: Catalog, base: Path | None = None
) -> RankMap:
    """The ranks of a plan on the GPUs of a drawing; arguments as of `analyse_fabric`.

    Raises:
        BadInputError: no such model, or a plan that cannot exist here.
    """
    subject = subject_of(fabric, workload, catalog, base)
    return rank_map(fabric, subject.job.placement, experts=bool(subject.llm.experts))


def links_of_group(
    fabric: Fabric, workload: Workload, catalog: Catalog, group: str, rank: int,
    base: Path | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """Ids of the links, drawn ones first, that carry traffic of a rank's groups of a class.

    Raises:
        BadInputError: no such rank, or a plan that cannot exist here.
    """
    subject = subject_of(fabric, workload, catalog, base)
    order = subject.job.placement.order
    if not 0 <= rank < len(order):
        raise BadInputError(f"there is no rank {rank}", mend=f"Ranks are 0 to {len(order) - 1}")
    sent = group_bytes(subject, group.lower(), int(order[rank]))
    rows = np.unique(fabric.link[sent > 0])
    return tuple(fabric.link_ids[row] for row in rows.tolist())


def pack(made: RankMap) -> bytes:
    """A map in MessagePack."""
    pp, dp, cp, tp = made.grid.shape
    return msgspec.msgpack.encode(
        _Packed(
            made.devices, made.counts.tobytes(), made.gpu_of_rank.tobytes(),
            np.ascontiguousarray(made.grid).tobytes(), (pp, dp, cp, tp),
            np.ascontiguousarray(made.experts).tobytes(), made.experts.shape[1],
        )
    )  # fmt: skip


def unpack(body: bytes) -> RankMap:
    """The map in a record."""
    found = msgspec.msgpack.decode(body, type=_Packed)
    return RankMap(
        found.devices,
        np.frombuffer(found.counts, np.int32),
        np.frombuffer(found.gpu_of_rank, np.int32),
        np.frombuffer(found.grid, np.int32).reshape(found.shape),
        np.frombuffer(found.experts, np.int32).reshape(-1, found.expert_size),
    )
