"""The timeline of a step as a record that goes over a pipe: arrays as bytes."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import numpy as np

from topoedit.engine.timeline import Timeline
from topoedit.engine.timeline_phases import Pace, Phase
from topoedit.engine.timeline_rows import PARTS, Columns


class _Packed(msgspec.Struct, frozen=True, kw_only=True):
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


def pack(made: Timeline) -> bytes:
    """A timeline in MessagePack."""
    columns = tuple(getattr(made.spans, field.name).tobytes() for field in fields(Columns))
    return msgspec.msgpack.encode(
        _Packed(
            step_time=made.step_time, critical=made.critical, schedule=made.schedule,
            stages=made.stages, batches=made.batches, drawn=made.drawn, chunks=made.chunks,
            columns=columns, shares=made.shares.tobytes(), phases=made.phases, pace=made.pace,
        )
    )  # fmt: skip


def unpack(body: bytes) -> Timeline:
    """The timeline in a record."""
    found = msgspec.msgpack.decode(body, type=_Packed)
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
