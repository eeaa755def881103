"""Writes what a fit gives: constants with their spread, intervals, rows predicted unseen.

The figures go into the section `step` of `calibration.yaml` and into `left_out.csv` by hand, so
that a change of the numbers is a change that somebody has read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from topoedit.app.validate.fit import Values, fit, fit_rows, free_constants, leave_out
from topoedit.app.validate.steps import COMPLETE, FEWEST_ROWS, interval_kind, read_steps
from topoedit.engine.published.step_rows import StepRow, shipped_steps
from topoedit.engine.types import Floats
from topoedit.errors import BadFileError, BadInputError

SAMPLES = 24
SHARE = 0.8
"""The part of published times that an interval is meant to hold."""


@dataclass(frozen=True)
class Spread:
    """Measured over predicted lies between low and high for `SHARE` of `rows` rows."""

    low: float
    high: float
    rows: int


@dataclass(frozen=True)
class Calibration:
    """What the rows say.

    Attributes:
        values: constants fitted on all complete rows.
        sigma: their standard deviation when whole sources are drawn with replacement.
        left_out: row id -> seconds predicted without the row's source.
        spreads: intervals by kind of row.
    """

    values: Values
    sigma: Values
    left_out: Mapping[str, float]
    spreads: Mapping[str, Spread]


def calibrate(rows: Sequence[StepRow], samples: int = SAMPLES) -> Calibration:
    """Fit, resample, leave out and take intervals; minutes."""
    counted = [row for row in rows if not row.left_out]
    found = leave_out(counted, lambda row: row.source)
    complete = fit_rows(counted)
    return Calibration(fit(complete), resampled(complete, samples), found, spreads(counted, found))


def resampled(rows: Sequence[StepRow], samples: int, seed: int = 0) -> Values:
    """Standard deviation of each constant over draws of whole sources."""
    draw = np.random.default_rng(seed)
    sources = sorted({row.source for row in rows})
    place = np.array([sources.index(row.source) for row in rows])
    found: dict[str, list[float]] = {name: [] for name in free_constants()}
    for _ in range(samples):
        drawn = np.bincount(draw.integers(0, len(sources), len(sources)), minlength=len(sources))
        for name, value in fit(rows, np.sqrt(drawn[place].astype(float))).items():
            found[name].append(value)
    return {name: float(np.std(values)) for name, values in found.items()}


def spreads(rows: Sequence[StepRow], seconds: Mapping[str, float]) -> dict[str, Spread]:
    """Intervals of the kinds that have enough rows, from rows that the fit has not seen."""
    ratios: dict[str, list[float]] = {}
    for row in rows:
        ratios.setdefault(interval_kind(row), []).append(row.measured / seconds[row.id])
    return {
        kind: _spread(np.array(found))
        for kind, found in sorted(ratios.items())
        if len(found) >= FEWEST_ROWS
    }


def _spread(ratios: Floats) -> Spread:
    tail = (1 - SHARE) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail]).tolist()
    return Spread(low, high, len(ratios))


def as_yaml(found: Calibration) -> Iterator[str]:
    """Lines for the section `step` of the calibration file."""
    yield "constants:"
    for name, prior in free_constants().items():
        yield (
            f"  {name}: {{value: {found.values[name]:.4g}, sigma: {found.sigma[name]:.2g}, "
            f"prior: {prior.prior:g}, prior_sigma: {prior.prior_sigma:g}, origin: fit}}"
        )
    yield "intervals:"
    for kind, spread in found.spreads.items():
        yield f"  {kind}: {{low: {spread.low:.3f}, high: {spread.high:.3f}, rows: {spread.rows}}}"


def write_calibration(table: Path | None, folder: Path) -> tuple[Path, Path]:
    """Refit everything on a table and write `constants.yaml` and `left_out.csv` into a folder.

    Args:
        table: published steps; the product's own if None.
        folder: an existing folder.

    Raises:
        BadFileError: the table is none, or the folder cannot be written to.
        BadInputError: scipy is not installed, or no row is complete.
    """
    rows = read_steps(table or shipped_steps()).rows
    if not fit_rows(rows):
        raise BadInputError(
            f'no row has the role "{COMPLETE}"', str(table or ""), "A fit needs some"
        )
    found = calibrate(rows)
    paths = folder / "constants.yaml", folder / "left_out.csv"
    try:
        for path, lines in zip(paths, (as_yaml(found), as_csv(rows, found)), strict=True):
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadFileError(f"cannot be written: {error.strerror}", str(folder)) from error
    return paths


def as_csv(rows: Sequence[StepRow], found: Calibration) -> Iterator[str]:
    """Lines of `left_out.csv`."""
    yield "id,predicted_s"
    known: Callable[[StepRow], bool] = lambda row: row.id in found.left_out  # noqa: E731
    for row in filter(known, rows):
        yield f"{row.id},{found.left_out[row.id]:.5g}"
