"""Fits the step model's constants on published rows, and predicts rows that a fit has not seen.

Robust (soft L1) least squares of the logarithm of the step time, with log-normal priors that were
set from published kernel tables beforehand and are frozen in `calibration.yaml`. Needs scipy (the
extra `fit`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np

from topoedit.engine.published.predict import Prepared, prepare
from topoedit.engine.published.step_rows import StepRow
from topoedit.engine.step.constants import ConstantPicker, Fitted, step_section
from topoedit.engine.types import Floats
from topoedit.errors import BadInputError

Values = dict[str, float]

SCATTER = 0.04
"""Expected scatter of one row, of the logarithm of its step time."""
_LOSS_SCALE = 1.5
_TOLERANCE = 1e-4
_FACTOR = 5.0
"""No constant leaves the range from a fifth to five times its prior."""


def free_constants() -> Mapping[str, Fitted]:
    """The constants that are fitted: those with a prior."""
    return {name: one for name, one in step_section().constants.items() if one.prior is not None}


def fit_rows(rows: Sequence[StepRow]) -> list[StepRow]:
    """The rows that a fit may use: complete ones that are not left out."""
    return [row for row in rows if row.role == "calibrate" and not row.left_out]


def copies(rows: Sequence[StepRow]) -> Floats:
    """(n,) weights 1/sqrt(k) for the k rows of one weak-scaling series, which are near copies."""
    keys = [_series(row) for row in rows]
    counted = Counter(keys)
    return np.array([counted[key] ** -0.5 for key in keys])


def _series(row: StepRow) -> Hashable:
    numbers = row.numbers
    plan = tuple(numbers[name] for name in ("bits", "tp", "pp", "micro_batch", "seq"))
    return (row.source, row.model, plan)


def fit(rows: Sequence[StepRow], weights: Floats | None = None) -> Values:
    """The constants that agree best with `rows` and the priors.

    Args:
        rows: complete rows, at least one.
        weights: (n,) further weight of each row, for resampling.

    Raises:
        BadInputError: scipy is not installed.
    """
    solve = _solver()
    free = free_constants()
    names = list(free)
    start = np.log([float(one.prior or 1.0) for one in free.values()])
    spread = np.array([one.prior_sigma or 1.0 for one in free.values()])
    packed = prepare(rows)
    measured, weight = np.log(packed.measured), copies(rows)
    weight = weight if weights is None else weight * weights

    def residuals(logs: Floats) -> Floats:
        seconds = packed.predict(_picker(names, logs)).seconds
        return np.concatenate(
            [(np.log(seconds) - measured) / SCATTER * weight, (logs - start) / spread]
        )

    found = solve(residuals, start, np.log(_FACTOR))
    return dict(zip(names, np.exp(found).tolist(), strict=True))


def _picker(names: Sequence[str], logs: Floats) -> ConstantPicker:
    return ConstantPicker(dict(zip(names, np.exp(logs).tolist(), strict=True)))


Solver = Callable[[Callable[[Floats], Floats], Floats, float], Floats]


def _solver() -> Solver:
    try:
        from scipy.optimize import least_squares
    except ImportError as error:
        raise BadInputError(
            "a fit needs scipy", "--leave-out", 'Install it with: pip install "topoedit[fit]"'
        ) from error

    def solve(residuals: Callable[[Floats], Floats], start: Floats, room: float) -> Floats:
        found = least_squares(
            residuals, start, bounds=(start - room, start + room), loss="soft_l1",
            f_scale=_LOSS_SCALE, ftol=_TOLERANCE, xtol=_TOLERANCE,
        )  # fmt: skip
        return np.asarray(found.x, dtype=np.float64)

    return solve


def predict_with(rows: Sequence[StepRow], values: Values) -> Floats:
    """(n,) seconds with some constants."""
    packed: Prepared = prepare(rows)
    return packed.predict(ConstantPicker(values)).seconds


def leave_out(
    rows: Sequence[StepRow], group_of: Callable[[StepRow], str], base: Sequence[StepRow] = ()
) -> dict[str, float]:
    """Row id -> seconds predicted by a fit that has seen no complete row of its group.

    Args:
        rows: what is predicted.
        group_of: the group of a row, such as its source.
        base: complete rows to fit on; by default those among `rows`. Rows of a group that has none
            were never in the fit: they are predicted by the fit on all.

    Raises:
        BadInputError: scipy is not installed, or nothing is left to fit on.
    """
    complete = list(base) or fit_rows(rows)
    held = {group_of(row) for row in complete}
    out: dict[str, float] = {}
    outside = [row for row in rows if group_of(row) not in held]
    if outside:
        out.update(_by_id(outside, fit(_some(complete))))
    for group in dict.fromkeys(group_of(row) for row in rows if group_of(row) in held):
        rest = [row for row in complete if group_of(row) != group]
        gone = [row for row in rows if group_of(row) == group]
        out.update(_by_id(gone, fit(_some(rest))))
    return out


def _some(rows: Sequence[StepRow]) -> Sequence[StepRow]:
    if not rows:
        raise BadInputError("no complete rows are left to fit on", "--leave-out")
    return rows


def _by_id(rows: Sequence[StepRow], values: Values) -> dict[str, float]:
    seconds = predict_with(rows, values)
    return dict(zip((row.id for row in rows), seconds.tolist(), strict=True))
