"""Which GPU holds which coordinate of a plan, and who is in a rank's groups; arrays only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from topoedit.engine.types import Fabric, Ints, Longs

if TYPE_CHECKING:
    from topoedit.engine.placement import Placement

GROUPS = ("TP", "CP", "EP", "PP", "DP")
"""Kinds of groups that a rank is in, by traffic class."""


@dataclass(frozen=True, eq=False)
class RankMap:
    """Ranks of a plan on the GPUs of a drawing.

    GPUs are numbered as the drawing orders them; rank r runs on GPU `gpu_of_rank[r]`.

    Attributes:
        devices: ids of the devices with GPUs, in the order of their GPUs.
        counts: (D,) GPUs of each.
        gpu_of_rank: (R,) GPU of each rank.
        grid: (pp, dp, cp, tp) rank at each coordinate.
        experts: (K, ep) ranks of each expert group; (0, 1) for a model without experts.
    """

    devices: tuple[str, ...]
    counts: Ints
    gpu_of_rank: Ints
    grid: Ints
    experts: Ints

    @property
    def ranks(self) -> int:
        """GPUs in use."""
        return len(self.gpu_of_rank)

    @property
    def gpus(self) -> int:
        """GPUs of the drawing."""
        return int(self.counts.sum())

    @cached_property
    def first(self) -> Longs:
        """(D + 1,) number of the first GPU of each device."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.counts, dtype=np.int64)))

    @cached_property
    def rank_of_gpu(self) -> Ints:
        """(G,) rank on each GPU, -1 for an idle one."""
        found = np.full(self.gpus, -1, np.int32)
        found[self.gpu_of_rank] = np.arange(self.ranks, dtype=np.int32)
        return found

    @cached_property
    def coordinates(self) -> Ints:
        """(R, 4) pp, dp, cp and tp of each rank."""
        found = np.empty((self.ranks, 4), np.int32)
        axes = np.indices(self.grid.shape, dtype=np.int32).reshape(4, -1)
        found[self.grid.ravel()] = axes.T
        return found

    @cached_property
    def row_of_device(self) -> dict[str, int]:
        """Device id -> row."""
        return {name: row for row, name in enumerate(self.devices)}

    @cached_property
    def _expert_place(self) -> tuple[Ints, Ints]:
        """(R,) expert group of each rank and its place in it; -1 without experts."""
        group, place = np.full(self.ranks, -1, np.int32), np.full(self.ranks, -1, np.int32)
        if self.experts.size:
            rows, columns = np.indices(self.experts.shape, dtype=np.int32)
            group[self.experts.ravel()] = rows.ravel()
            place[self.experts.ravel()] = columns.ravel()
        return group, place

    def device_of(self, rank: int) -> tuple[str, int]:
        """The device that a rank runs on, and the GPU's number in it."""
        gpu = int(self.gpu_of_rank[rank])
        row = int(np.searchsorted(self.first, gpu, side="right")) - 1
        return self.devices[row], gpu - int(self.first[row])

    def ranks_on(self, device: str) -> Ints:
        """Rank on each GPU of a device, -1 for an idle one; empty for one without GPUs."""
        row = self.row_of_device.get(device)
        if row is None:
            return np.zeros(0, np.int32)
        return self.rank_of_gpu[self.first[row] : self.first[row + 1]]

    def rows_of(self, ranks: Ints) -> Longs:
        """Row in `devices` of the device of each rank."""
        return np.searchsorted(self.first, self.gpu_of_rank[ranks], side="right") - 1

    def places(self, rank: int) -> dict[str, int]:
        """Coordinate of a rank on each axis that has more than one."""
        pp, dp, cp, tp = self.coordinates[rank].tolist()
        sizes = dict(zip(("PP", "DP", "CP", "TP"), self.grid.shape, strict=True))
        found = {"TP": tp, "CP": cp, "DP": dp, "PP": pp}
        made = {name: place for name, place in found.items() if sizes[name] > 1}
        if self.experts.size and self.experts.shape[1] > 1:
            made["EP"] = int(self._expert_place[1][rank])
        return made

    def group(self, kind: str, rank: int) -> Ints:
        """Ranks of a group of `rank`, itself among them, in the order of the axis.

        DP are the ranks that hold the same weights: replicas, and context ranks of each.
        """
        pp, dp, cp, tp = self.coordinates[rank].tolist()
        if kind == "TP":
            return np.ascontiguousarray(self.grid[pp, dp, cp])
        if kind == "CP":
            return np.ascontiguousarray(self.grid[pp, dp, :, tp])
        if kind == "PP":
            return np.ascontiguousarray(self.grid[:, dp, cp, tp])
        if kind == "DP":
            return self.grid[pp, :, :, tp].ravel()
        number = int(self._expert_place[0][rank])
        return self.experts[number] if number >= 0 else np.array([rank], np.int32)

    def groups(self, rank: int) -> dict[str, Ints]:
        """Every group of a rank that has other members."""
        found = {kind: self.group(kind, rank) for kind in GROUPS}
        return {kind: ranks for kind, ranks in found.items() if len(ranks) > 1}


def rank_map(fabric: Fabric, placement: Placement, *, experts: bool) -> RankMap:
    """The map of a placement on a drawing; `experts` says whether the model has any."""
    order = placement.order
    server = np.asarray(fabric.gpu_server, dtype=np.int64)
    change = np.flatnonzero(np.diff(server, prepend=-1))
    counts = np.diff(np.append(change, len(server)))
    rank = np.full(len(server), -1, np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return RankMap(
        tuple(fabric.device_ids[row] for row in server[change].tolist()),
        counts.astype(np.int32),
        order.astype(np.int32),
        rank[placement.grid],
        rank[placement.ep] if experts else np.zeros((0, 1), np.int32),
    )
