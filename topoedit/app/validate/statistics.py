"""Means, medians and slopes of errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from topoedit.app.validate.records import SizeErrors, SourceErrors, StepErrors
from topoedit.engine.types import Floats

T = TypeVar("T")


def grouped(items: Sequence[T], key: Callable[[T], str]) -> dict[str, list[int]]:
    """Places of the items by key, in order of appearance."""
    found: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        found.setdefault(key(item), []).append(place)
    return found


def source_errors(errors: Floats) -> SourceErrors:
    """Errors of at least one row."""
    size = np.abs(errors)
    return SourceErrors(
        len(errors), float(size.mean()), float(np.median(size)), float(errors.mean()),
        float(errors[size.argmax()]),
    )  # fmt: skip


def by_group(errors: Floats, groups: Mapping[str, Sequence[int]]) -> dict[str, SourceErrors]:
    """Errors of each group."""
    return {name: source_errors(errors[list(places)]) for name, places in groups.items()}


def size_errors(errors: Floats) -> SizeErrors:
    """Errors of a class of sizes, which may be empty."""
    if not len(errors):
        return SizeErrors(0, None, None, None)
    size = np.abs(errors)
    return SizeErrors(
        len(size), float(np.median(size)), float(np.quantile(size, 0.9)), float(size.max())
    )


def step_errors(
    what: str, errors: Floats, gpus: Floats, sources: Sequence[str], skipped: int
) -> StepErrors:
    """The figures of some step times; None where there is nothing to count."""
    groups = grouped(sources, lambda source: source)
    if not len(errors):
        return StepErrors(
            rows=what, n=0, skipped=skipped, mean_abs_error=None, median_abs_error=None,
            p90_abs_error=None, bias=None, slope_per_doubling=None, by_source={},
        )  # fmt: skip
    size = np.abs(errors)
    return StepErrors(
        rows=what,
        n=len(errors),
        skipped=skipped,
        mean_abs_error=float(size.mean()),
        median_abs_error=float(np.median(size)),
        p90_abs_error=float(np.quantile(size, 0.9)),
        bias=float(errors.mean()),
        slope_per_doubling=slope_per_doubling(errors, gpus),
        by_source=by_group(errors, groups),
    )


def slope_per_doubling(errors: Floats, gpus: Floats) -> float | None:
    """Least-squares slope of the signed error over log2 of the GPUs; None for one size only."""
    doublings = np.log2(gpus)
    spread = doublings - doublings.mean()
    total = float(spread @ spread)
    return float(spread @ errors) / total if total > 0 else None
