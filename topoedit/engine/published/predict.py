"""What the step model makes of published steps, each on a symmetric cluster like the row's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.published.step_rows import StepRow
from topoedit.engine.step.assemble import Step, evaluate, make_case
from topoedit.engine.step.constants import ConstantPicker, physics, step_section
from topoedit.engine.step.kernels import Case
from topoedit.engine.step.rates import SymmetricCluster, symmetric_rates
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Chips, Plans, Shapes, pack
from topoedit.engine.workload.memory import worst_total

_MICRO_BATCHES = (1, 2, 4, 8, 16, 32)
_MOST_CHUNKS = 12
_TOO_FULL = 100.0


@dataclass(frozen=True)
class Predicted:
    """Predictions for n rows: seconds and bytes, (n,) each, and the steps they come from."""

    seconds: Floats
    memory: Floats
    step: Step


@dataclass(frozen=True)
class Prepared:
    """Rows as arrays, so that other constants need no new packing."""

    rows: Sequence[StepRow]
    shapes: Shapes
    plans: Plans
    chips: Chips
    cluster: SymmetricCluster
    measured: Floats

    def case(self, picker: ConstantPicker) -> Case:
        """The rows with some constants."""
        constants = picker.pick([(row.generation, row.stack) for row in self.rows])
        return make_case(self.shapes, self.plans, self.chips, constants)

    def predict(self, picker: ConstantPicker) -> Predicted:
        """Step times and memory with some constants."""
        case = self.case(picker)
        step = evaluate(case, symmetric_rates(case.plan, self.cluster, physics()))
        shape = self.measured.shape
        memory = np.broadcast_to(worst_total(case, step.share), shape)
        return Predicted(np.broadcast_to(step.total, shape), memory, step)


def prepare(rows: Sequence[StepRow]) -> Prepared:
    """Pack rows into arrays of shape (n,); n is at least 1."""
    numbers = [row.numbers for row in rows]
    columns = (
        np.array([row[name] for row in numbers], dtype=float)
        for name in ("scaleup", "domain", "nic")
    )
    return Prepared(
        rows, pack(Shapes, numbers), pack(Plans, numbers), pack(Chips, numbers),
        SymmetricCluster(*columns), np.array([row.measured for row in rows]),
    )  # fmt: skip


def priors() -> ConstantPicker:
    """The constants as they were before any fit: sourced values, frozen in the calibration."""
    constants = step_section().constants
    return ConstantPicker({n: f.prior for n, f in constants.items() if f.prior is not None})


def resolved(rows: Sequence[StepRow]) -> list[StepRow]:
    """Rows whose open fields are filled with the fastest value that fits.

    Published runs are tuned. Decided with the prior constants, so that no fit changes what is
    fitted.
    """
    choices = [_choices(row) if row.open_fields else [row] for row in rows]
    several = [one for made in choices if len(made) > 1 for one in made]
    if not several:
        return [made[0] for made in choices]
    predicted = prepare(several).predict(priors())
    limit = np.array([one.numbers["hbm_bytes"] for one in several], dtype=float)
    slow = np.where(predicted.memory <= limit, 1.0, _TOO_FULL)
    seconds = (predicted.seconds * slow).tolist()
    out, at = [], 0
    for made in choices:
        if len(made) == 1:
            out.append(made[0])
            continue
        taken = seconds[at : at + len(made)]
        out.append(made[taken.index(min(taken))])
        at += len(made)
    return out


def _choices(row: StepRow) -> list[StepRow]:
    return [row.with_numbers(micro_batch=b, vpp=v) for b in _batches(row) for v in _chunks(row)]


def _batches(row: StepRow) -> list[float]:
    if "micro_batch" not in row.open_fields:
        return [float(row.numbers["micro_batch"])]
    share = float(row.numbers["global_batch"]) / float(row.numbers["dp"])
    return [float(b) for b in _MICRO_BATCHES if b <= share and share % b == 0] or [1.0]


def _chunks(row: StepRow) -> list[float]:
    """Virtual stages that tile the layers, embedding and head counted as layers or not."""
    if "vpp" not in row.open_fields:
        return [float(row.numbers["vpp"])]
    layers, pp = float(row.numbers["layers"]), float(row.numbers["pp"])
    tiles = [
        float(v)
        for v in range(1, _MOST_CHUNKS + 1)
        if (layers / pp) % v == 0 or ((layers + 2) / pp) % v == 0
    ]
    return tiles or [1.0]


def errors(predicted: Floats, measured: Floats) -> Floats:
    """Predicted over measured, less one."""
    return predicted / measured - 1
