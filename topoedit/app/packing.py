"""Timelines and rank maps as records that go over a pipe: arrays as bytes; light to import."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import numpy as np

from topoedit.engine.rank_map import RankMap
from topoedit.engine.timeline_types import PARTS, Columns, Pace, Phase, Timeline


class _PackedTimeline(msgspec.Struct, frozen=True, kw_only=True):
    """A `Timeline`: columns and shares are bytes of their arrays, in the order of the fields."""

    step_time: float
    critical: int
    schedule: str
    stages: tuple[str, ...]
    batches: int
    drawn: int
    chunks: int
    columns: tuple[bytes, ...]
    shares: bytes
    phases: tuple[Phase, ...]
    pace: Pace


_TYPES = (np.int32, np.int32, np.int32, np.int32, np.float64, np.float64)


def pack_timeline(made: Timeline) -> bytes:
    """A timeline in MessagePack."""
    columns = tuple(getattr(made.spans, field.name).tobytes() for field in fields(Columns))
    return msgspec.msgpack.encode(
        _PackedTimeline(
            step_time=made.step_time, critical=made.critical, schedule=made.schedule,
            stages=made.stages, batches=made.batches, drawn=made.drawn, chunks=made.chunks,
            columns=columns, shares=made.shares.tobytes(), phases=made.phases, pace=made.pace,
        )
    )  # fmt: skip


def unpack_timeline(body: bytes) -> Timeline:
    """The timeline in a record."""
    found = msgspec.msgpack.decode(body, type=_PackedTimeline)
    stage, kind, batch, chunk, start, end = (
        np.frombuffer(part, kind) for part, kind in zip(found.columns, _TYPES, strict=True)
    )
    shares = np.frombuffer(found.shares, np.float64)
    return Timeline(
        step_time=found.step_time, critical=found.critical, schedule=found.schedule,
        stages=found.stages, batches=found.batches, drawn=found.drawn, chunks=found.chunks,
        spans=Columns(stage, kind, batch, chunk, start, end),
        shares=shares.reshape(len(found.stages), 3, len(PARTS)),
        phases=found.phases, pace=found.pace,
    )  # fmt: skip


class _PackedRanks(msgspec.Struct, frozen=True):
    """A `RankMap`: int32 arrays as bytes with their shapes."""

    devices: tuple[str, ...]
    counts: bytes
    gpu_of_rank: bytes
    grid: bytes
    shape: tuple[int, int, int, int]
    experts: bytes
    expert_size: int


def pack_ranks(made: RankMap) -> bytes:
    """A map in MessagePack."""
    pp, dp, cp, tp = made.grid.shape
    return msgspec.msgpack.encode(
        _PackedRanks(
            made.devices, made.counts.tobytes(), made.gpu_of_rank.tobytes(),
            np.ascontiguousarray(made.grid).tobytes(), (pp, dp, cp, tp),
            np.ascontiguousarray(made.experts).tobytes(), made.experts.shape[1],
        )
    )  # fmt: skip


def unpack_ranks(body: bytes) -> RankMap:
    """The map in a record."""
    found = msgspec.msgpack.decode(body, type=_PackedRanks)
    return RankMap(
        found.devices,
        np.frombuffer(found.counts, np.int32),
        np.frombuffer(found.gpu_of_rank, np.int32),
        np.frombuffer(found.grid, np.int32).reshape(found.shape),
        np.frombuffer(found.experts, np.int32).reshape(-1, found.expert_size),
    )
