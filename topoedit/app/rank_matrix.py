"""Who sends how much to whom in a step: a matrix of GPUs, or of servers, racks and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from topoedit.app.analyse import subject_of
from topoedit.app.figure_records import AXES, Band, Cells, RankMatrix, Span
from topoedit.engine.analyse import Subject, step_exchanges
from topoedit.engine.placement import Placement
from topoedit.engine.rank_traffic import block_bytes, rank_traffic
from topoedit.engine.types import Fabric, Longs
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.document import Document
from topoedit.model.plan import TRAFFIC_CLASSES, Workload

MOST_BANDS = 512
"""Rows and columns of a matrix; more GPUs are put together by server, rack, pod …"""
_COARSEST = 16
"""A level with less than this part of the rows allowed shows too little: neighbours are merged."""
GROUPS = ("rack", "pod", "building", "site")
IN_SWITCH = "what is reduced in the scale-up switch is spread evenly over the group"


@dataclass(frozen=True)
class Window:
    """GPUs shown, first and behind the last, as senders and as receivers; None for all."""

    rows: Span | None = None
    columns: Span | None = None


def rank_matrix(
    document: Document,
    fabric: Fabric,
    workload: Workload,
    window: Window,
    *,
    base: Path | None = None,
    most: int = MOST_BANDS,
    cancel: Callable[[], bool] | None = None,
) -> RankMatrix:
    """The traffic matrix of a plan on a drawing.

    Args:
        document: the drawing.
        fabric: the same, compiled.
        workload: model and plan.
        window: which GPUs.
        base: folder of the drawing.
        most: rows and columns at most.
        cancel: asked between kinds of groups.

    Raises:
        BadInputError: a plan that cannot exist here, or a window without GPUs.
        CancelledError: `cancel` said so.
    """
    subject = subject_of(fabric, workload, document.catalog, base)
    places = _Places(document, fabric, subject.job.placement, _sizes(subject))
    row_level, rows = places.bands(window.rows, most)
    column_level, columns = places.bands(window.columns, most)
    cells, notes = _cells(subject, places, rows, columns, cancel)
    return RankMatrix(
        gpus=len(fabric.gpus),
        row_level=row_level,
        column_level=column_level,
        rows=rows,
        columns=columns,
        cells=cells,
        sizes=places.sizes,
        notes=notes,
    )


def _cells(
    subject: Subject, places: _Places, rows: tuple[Band, ...], columns: tuple[Band, ...],
    cancel: Callable[[], bool] | None,
) -> tuple[tuple[Cells, ...], tuple[str, ...]]:  # fmt: skip
    job = subject.job
    row, column = places.blocks(rows), places.blocks(columns)
    shape = (len(rows), len(columns))
    sums = {name: np.zeros(shape) for name in TRAFFIC_CLASSES}
    notes: list[str] = []
    for sent in rank_traffic(job, step_exchanges(job, subject.resolved, subject.case)):
        if cancel is not None and cancel():
            raise CancelledError("the matrix was stopped")
        sums[sent.class_] += block_bytes(sent.demands, row, column, shape)
        if sent.in_switch:
            notes.append(f"{sent.class_}: {IN_SWITCH}")
    made = []
    for name, total in sums.items():
        found = np.flatnonzero(total)
        if len(found):
            values = total.ravel()[found].astype(np.float32)
            made.append(Cells(name, found.astype(np.int32).tobytes(), values.tobytes()))
    return tuple(made), tuple(dict.fromkeys(notes))


def _sizes(subject: Subject) -> tuple[int, ...]:
    plan = subject.resolved.plan
    return plan.tp, plan.cp, plan.ep, subject.resolved.dp, plan.pp


@dataclass(frozen=True, eq=False)
class _Places:
    """Where the GPUs of a fabric are drawn and what the plan makes of them."""

    document: Document
    fabric: Fabric
    placement: Placement
    sizes: tuple[int, ...]

    def bands(self, span: Span | None, most: int) -> tuple[str, tuple[Band, ...]]:
        """The finest level at which a span has no more bands than `most`."""
        first, end = span if span is not None else (0, len(self.fabric.gpus))
        if not 0 <= first < end <= len(self.fabric.gpus):
            raise BadInputError(f"there are no GPUs {first} to {end - 1}")
        level, starts = self._level(first, end, most)
        merged = -(-len(starts) // most)
        starts = starts[::merged]
        if merged > 1:
            level = f"{merged} {level}s"
        ends = [*starts[1:].tolist(), end]
        coordinates = _Coordinates.of(self.placement, len(self.fabric.gpus))
        made = (
            self._band(a, b, level, coordinates) for a, b in zip(starts.tolist(), ends, strict=True)
        )
        return level, tuple(made)

    def _level(self, first: int, end: int, most: int) -> tuple[str, Longs]:
        """Name and first GPUs of the finest level that fits; one finer where that is a jump."""
        finer: tuple[str, Longs] | None = None
        for level, labels in self._levels():
            starts = first + _run_starts(labels[first:end])
            if len(starts) <= most:
                jump = finer is not None and len(starts) < most // _COARSEST
                return finer if jump and finer is not None else (level, starts)
            finer = (level, starts)
        return finer or ("GPU", np.arange(first, end))

    def _levels(self) -> Iterator[tuple[str, Longs]]:
        """Names of levels from fine to coarse, with a label for each GPU."""
        servers = np.asarray(self.fabric.gpu_server, dtype=np.int64)
        yield "GPU", np.arange(len(servers))
        yield "server", servers
        for kind in GROUPS:
            numbers = self._numbers(kind)
            if (numbers >= 0).any():
                # what lies in no such group keeps to itself
                yield kind, np.where(numbers[servers] >= 0, numbers[servers], -1 - servers)

    def _numbers(self, kind: str) -> Longs:
        """(devices,) number of the group of this kind that each lies in, -1 for none."""
        known: dict[str, int] = {}
        found = []
        for device_id in self.fabric.device_ids:
            group = self._group(device_id, kind)
            found.append(-1 if not group else known.setdefault(group, len(known)))
        return np.array(found, dtype=np.int64)

    def _group(self, device_id: str, kind: str) -> str:
        groups, device = self.document.groups, self.document.devices.get(device_id)
        here = "" if device is None else device.group
        for _ in range(len(GROUPS) + 2):
            group = groups.get(here)
            if group is None:
                return ""
            if group.kind == kind:
                return here
            here = group.parent
        return ""

    def blocks(self, bands: tuple[Band, ...]) -> Longs:
        """(G,) band of each GPU, -1 for none."""
        made = np.full(len(self.fabric.gpus), -1, dtype=np.int64)
        for number, band in enumerate(bands):
            made[band.first : band.first + band.count] = number
        return made

    def _band(self, first: int, end: int, level: str, places: _Coordinates) -> Band:
        ranks, coordinates = places.spans(first, end)
        name, end_name, elements = self._named(first, end, level)
        return Band(first, end - first, name, end_name, elements, ranks, coordinates)

    def _named(self, first: int, end: int, level: str) -> tuple[str, str, tuple[str, ...]]:
        ids, names = self.fabric.device_ids, self.fabric.device_names
        here, last = (int(self.fabric.gpu_server[g]) for g in (first, end - 1))
        if level == "GPU":
            name = f"{names[here]}/gpu{int(self.fabric.vertex_local[self.fabric.gpus[first]])}"
            return name, name, (ids[here],)
        if level in GROUPS and (group := self._group(ids[here], level)):
            return self.document.groups[group].name, "", (group,)
        if here == last:
            return names[here], names[here], (ids[here],)
        return f"{names[here]} – {names[last]}", "", (ids[here], ids[last])


@dataclass(frozen=True, eq=False)
class _Coordinates:
    """(G,) rank and (G, 5) place on each axis of every GPU; -1 where the plan does not use it."""

    rank: Longs
    axes: Longs

    @classmethod
    def of(cls, placement: Placement, gpus: int) -> _Coordinates:
        """Read from the grid of a placement."""
        grid = placement.grid
        axes = np.full((gpus, len(AXES)), -1, dtype=np.int64)
        pp, dp, cp, tp = np.indices(grid.shape).reshape(4, -1)
        axes[grid.ravel()] = np.stack([tp, cp, np.zeros_like(tp), dp, pp], axis=1)
        axes[placement.ep.ravel(), AXES.index("ep")] = np.tile(
            np.arange(placement.ep.shape[1]), len(placement.ep)
        )
        rank = np.full(gpus, -1, dtype=np.int64)
        rank[placement.order] = np.arange(placement.order.size)
        return cls(rank, axes)

    def spans(self, first: int, end: int) -> tuple[Span, tuple[Span, ...]]:
        """Lowest and highest rank and coordinates of some GPUs in use."""
        used = np.flatnonzero(self.rank[first:end] >= 0) + first
        if not len(used):
            return (-1, -1), ()
        ranks, axes = self.rank[used], self.axes[used]
        low, high = axes.min(axis=0).tolist(), axes.max(axis=0).tolist()
        return (int(ranks.min()), int(ranks.max())), tuple(zip(low, high, strict=True))


def _run_starts(labels: Longs) -> Longs:
    """Where a label differs from the one before it."""
    return np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
