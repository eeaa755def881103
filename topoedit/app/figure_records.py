"""Records of what charts and matrices show: what the worker answers and the editor draws.

They need neither numpy nor the engine, so that a window can read them at once.
"""

from __future__ import annotations

import msgspec

from topoedit.model.analysis import Unreachable

AXES = ("tp", "cp", "ep", "dp", "pp")
"""Axes of a plan, innermost first, in the order of `Band.coordinates`."""
Span = tuple[int, int]
BINS = 10
"""Bins of 10 % demand; one more holds what is above 100 %."""
MEMORY_KINDS = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")


class TierBins(msgspec.Struct, frozen=True):
    """Directed links of a tier by demand.

    Attributes:
        counts: links at 0 to 10 %, 10 to 20 % … 90 to 100 %, above 100 %.
        idle: of the first, those that carry nothing; unknown: links whose rate is not known.
        failed: links that can carry nothing.
    """

    tier: str
    counts: tuple[int, ...]
    idle: int = 0
    unknown: int = 0
    failed: int = 0


class StageBytes(msgspec.Struct, frozen=True):
    """Bytes of each of MEMORY_KINDS on one GPU of a pipeline stage."""

    stage: int
    kinds: tuple[float, ...]


class ChartFigures(msgspec.Struct, frozen=True):
    """Both; the capacity of a GPU in bytes is None where it is not known."""

    tiers: tuple[TierBins, ...]
    stages: tuple[StageBytes, ...]
    capacity_bytes: float | None


class SweepRow(msgspec.Struct, frozen=True, kw_only=True):
    """One size of a sweep; the bus bandwidths of the interval's ends beside it; as in `Answer`."""

    bytes: float
    algorithm: str
    protocol: str
    time_s: float | None
    low_s: float | None
    high_s: float | None
    algbw_GBps: float | None  # noqa: N815 - the JSON key
    busbw_GBps: float | None  # noqa: N815
    busbw_low_GBps: float | None  # noqa: N815
    busbw_high_GBps: float | None  # noqa: N815
    bottleneck: str


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of `topoedit collective --sweep --json`: what nccl-tests should show here."""

    op: str
    ranks: int
    servers: int
    constants: str
    routing: str
    rows: tuple[SweepRow, ...]
    basis: str
    nearest: str
    extrapolated: tuple[str, ...]
    unreachable: Unreachable
    source: str
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Band(msgspec.Struct, frozen=True, array_like=True):
    """A row or column: one GPU, or neighbours in the order of the drawing.

    Attributes:
        first: number of its first GPU; count: how many there are.
        name: what it is called; end: what `topoedit path` calls it, "" where it has no name there.
        elements: ids of its device or group, at most a few.
        ranks: lowest and highest rank, (-1, -1) where the plan uses none of its GPUs.
        coordinates: lowest and highest place on each of `AXES`.
    """

    first: int
    count: int
    name: str
    end: str
    elements: tuple[str, ...]
    ranks: Span = (-1, -1)
    coordinates: tuple[Span, ...] = ()


class Cells(msgspec.Struct, frozen=True):
    """Bytes of one traffic class: (N,) int32 row x columns + column, and (N,) float32 bytes."""

    class_: str = msgspec.field(name="class")
    places: bytes = b""
    values: bytes = b""


class RankMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes per step from rows to columns.

    Attributes:
        gpus: GPUs of the drawing; row_level, column_level: what a band is: `GPU`, `server`, `rack`…
        sizes: size of each of `AXES` in the plan.
    """

    gpus: int
    row_level: str
    column_level: str
    rows: tuple[Band, ...]
    columns: tuple[Band, ...]
    cells: tuple[Cells, ...]
    sizes: tuple[int, ...]
    notes: tuple[str, ...] = ()
