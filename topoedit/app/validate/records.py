"""What a validation says: plain records, named like the JSON keys of `topoedit validate`."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["step_time", "memory", "collective"]
LeaveOut = Literal["source", "setup", "release"]


class Bounds(msgspec.Struct, frozen=True):
    """The 80 % interval of a predicted time, seconds, and what it rests on."""

    low_s: float
    high_s: float
    basis: str
    rows: int


class RowResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """One published figure and what the engine says; seconds, or bytes for memory.

    Attributes:
        error: predicted / published - 1.
        skipped: why the row does not count; None for a row that does.
        assumptions: what was taken for cells that the row leaves blank.
    """

    id: str
    source: str
    kind: Kind
    predicted: float | None = None
    published: float | None = None
    error: float | None = None
    skipped: str | None = None
    role: str = ""
    interval: Bounds | None = None
    assumptions: tuple[str, ...] = ()


class SourceErrors(msgspec.Struct, frozen=True):
    """Errors of one source (or set-up, or release), fractions; `worst` is signed."""

    n: int
    mean_abs_error: float
    median_abs_error: float
    bias: float
    worst_error: float


class StepErrors(msgspec.Struct, frozen=True, kw_only=True):
    """Errors of step times, fractions. `slope_per_doubling`: signed error per doubling of GPUs."""

    rows: str
    n: int
    skipped: int
    mean_abs_error: float | None
    median_abs_error: float | None
    p90_abs_error: float | None
    bias: float | None
    slope_per_doubling: float | None
    by_source: dict[str, SourceErrors]


class MemoryErrors(msgspec.Struct, frozen=True, kw_only=True):
    """Errors of peak memory, fractions; `apart` are rows whose plan is not published whole."""

    n: int
    skipped: int
    mean_abs_error: float | None
    median_abs_error: float | None
    p90_abs_error: float | None
    worst_abs_error: float | None
    bias: float | None
    apart: dict[str, float]


class SizeErrors(msgspec.Struct, frozen=True):
    """Errors of collectives of one class of sizes, fractions."""

    n: int
    median_abs_error: float | None
    p90_abs_error: float | None
    worst_abs_error: float | None


class CollectiveErrors(msgspec.Struct, frozen=True, kw_only=True):
    """Small is below 1 MiB, large from 64 MiB."""

    n: int
    skipped: int
    by_size: dict[str, SizeErrors]
    by_setup: dict[str, SourceErrors]


class Coverage(msgspec.Struct, frozen=True):
    """How many published times lie in their 80 % interval, on rows that no fit has seen."""

    n: int
    inside: int
    share: float


class Agreement(msgspec.Struct, frozen=True):
    """How far times with the rates of drawn clusters are from the closed form, fractions."""

    n: int
    median_abs_difference: float | None
    worst_abs_difference: float | None


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """Errors of rows whose source, set-up or release a fit has not seen."""

    by: str
    step_time: StepErrors | None = None
    trend: dict[str, StepErrors] = {}
    releases: dict[str, dict[str, float]] = {}
    collectives: CollectiveErrors | None = None
    coverage: dict[str, Coverage] = {}


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in figures."""

    step_time: StepErrors
    trend: dict[str, StepErrors]
    memory: MemoryErrors
    collectives: CollectiveErrors
    coverage: dict[str, Coverage]
    leave_out: LeftOut | None = None
    drawn: Agreement | None = None


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """What `topoedit validate --json` prints."""

    rows: tuple[RowResult, ...]
    summary: Summary
