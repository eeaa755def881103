"""Published training steps as arrays, and what the step model makes of them.

The rows are in `resources/validation/steps.csv`: figures and citations, with the columns that a
source leaves open filled by the rules its `inferred` column and the README name. A blank
`micro_batch` or `vpp` means that the source does not say: the fastest value that fits is taken,
published runs being tuned.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from topoedit.engine.step.assemble import Step, evaluate, make_case
from topoedit.engine.step.constants import (
    ConstantPicker,
    Stack,
    compute_units,
    physics,
    stack_named,
    step_section,
)
from topoedit.engine.step.kernels import Case
from topoedit.engine.step.rates import SymmetricCluster, symmetric_rates
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Chips, Plans, Recomputation, Shapes, pack
from topoedit.engine.workload.memory import worst_total
from topoedit.paths import resources

Row = Mapping[str, str]
Numbers = dict[str, float | bool]

_RECOMPUTE = {
    "": Recomputation.AS_NEEDED,
    "none": Recomputation.NONE,
    "selective": Recomputation.SELECTIVE,
    "full": Recomputation.FULL,
    "per-op": Recomputation.PER_OP,
    "alternate": Recomputation.ALTERNATE,
}
_SHAPE = (
    "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab", "experts", "top_k",
    "moe_ffn", "shared_ffn", "dense_layers", "mla_q", "mla_kv", "mla_rope",
)  # fmt: skip
_PLAN = ("global_batch", "tp", "pp", "dp", "cp", "ep", "etp", "zero", "bits", "grad_bytes")
_MICRO_BATCHES = (1, 2, 4, 8, 16, 32)
_MOST_CHUNKS = 12


@dataclass(frozen=True)
class PublishedRow:
    """One published step.

    Attributes:
        measured: seconds; memory: measured peak in bytes or None.
        numbers: every field of shapes, plans, chips and cluster.
        open_fields: fields that the source leaves open.
    """

    id: str
    source: str
    role: str
    generation: str
    accelerator: str
    stack: Stack
    experts: bool
    gpus: float
    measured: float
    memory: float | None
    excluded: str
    numbers: Numbers
    open_fields: tuple[str, ...]


def published_rows(path: Path | None = None) -> list[PublishedRow]:
    """The rows that the product ships, or those of a file with the same columns."""
    path = path or resources() / "validation" / "steps.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [_parse(row) for row in csv.DictReader(file)]


def _parse(row: Row) -> PublishedRow:
    stack = stack_named(*row["stack"].split("@"))
    return PublishedRow(
        id=row["id"],
        source=row["source"],
        role=row["role"],
        generation=row["generation"],
        accelerator=row["accelerator"],
        stack=stack,
        experts=float(row["experts"]) > 0,
        gpus=float(row["gpus"]),
        measured=float(row["step_time_s"]),
        memory=float(row["memory_gib"]) * 2**30 if row["memory_gib"] else None,
        excluded=row["excluded"],
        numbers=_numbers(row, stack),
        open_fields=tuple(name for name in ("micro_batch", "vpp") if not row[name]),
    )


def _numbers(row: Row, stack: Stack) -> Numbers:
    part = step_section().parts.get(row["accelerator"])
    numbers: Numbers = {name: float(row[name]) for name in (*_SHAPE, *_PLAN)}
    numbers |= {
        "gated": row["gated"] == "1",
        "tied": row["tied"] == "1",
        "seq": float(row["seq_len"]),
        "micro_batch": float(row["micro_batch"] or 1),
        "vpp": float(row["vpp"] or 1),
        "shard": float(row["dp"]) * float(row["cp"]),
        "recompute": _RECOMPUTE[row["recompute"]],
        "block_scaled": row["block_scaled"] == "1",
        "sp": row["sequence_parallel"] == "1",
        "fp8_gather": row["fp8_gather"] == "1",
        "flash": stack.attention != "unfused",
        "schedule": 1.0,
        "cp_kind": 0.0,
        "imbalance": 1.0,
        "peak16": float(row["bf16_tflops"]) * 1e12,
        "peak8": float(row["fp8_tflops"]) * 1e12,
        "peak4": float(row["fp4_tflops"]) * 1e12,
        "hbm": float(row["hbm_GBps"]) * 1e9,
        "hbm_bytes": float(row["hbm_gb"]) * 2**30,
        "sms": compute_units(row["generation"]),
        "c2c": row["coherent_cpu"] == "1",
        "clock": 1.0 if part is None else part.clock,
        "scaleup": float(row["scaleup_GBps"]) * 1e9,
        "domain": float(row["domain"]),
        "nic": float(row["nic_gbps"]) * 1e9 / 8,
    }
    for flag in (
        "fused", "dropout", "early_stop", "tp_overlap", "tp_copy", "dp_overlap", "pp_overlap",
        "one_nic",
    ):  # fmt: skip
        numbers[flag] = getattr(stack, flag)
    return numbers


@dataclass(frozen=True)
class Predicted:
    """Predictions for some rows: seconds and bytes, (n,) each, and the steps they come from."""

    seconds: Floats
    memory: Floats
    step: Step


def predict(rows: Sequence[PublishedRow], picker: ConstantPicker | None = None) -> Predicted:
    """Step times and memory of rows on clusters built from their own figures."""
    case, cluster = _arrays(rows, picker or ConstantPicker())
    step = evaluate(case, symmetric_rates(case.plan, cluster, physics()))
    return Predicted(step.total, worst_total(case, step.share), step)


def _arrays(rows: Sequence[PublishedRow], picker: ConstantPicker) -> tuple[Case, SymmetricCluster]:
    numbers = [row.numbers for row in rows]
    constants = picker.pick([(row.generation, row.stack) for row in rows])
    case = make_case(pack(Shapes, numbers), pack(Plans, numbers), pack(Chips, numbers), constants)
    cluster = SymmetricCluster(
        *(
            np.array([row[name] for row in numbers], dtype=float)
            for name in ("scaleup", "domain", "nic")
        )
    )
    return case, cluster


def resolved_rows(rows: Sequence[PublishedRow]) -> list[PublishedRow]:
    """Rows whose open fields are filled with the fastest value that fits, by prior constants."""
    priors = {
        name: fitted.prior
        for name, fitted in step_section().constants.items()
        if fitted.prior is not None
    }
    picker = ConstantPicker(priors)
    return [row if not row.open_fields else _tuned(row, picker) for row in rows]


def _tuned(row: PublishedRow, picker: ConstantPicker) -> PublishedRow:
    choices = [_with(row, b, v) for b in _batches(row) for v in _chunks(row)]
    predicted = predict(choices, picker)
    limit = np.array([one.numbers["hbm_bytes"] for one in choices], dtype=float)
    seconds = np.where(predicted.memory <= limit, predicted.seconds, predicted.seconds * 100)
    return choices[int(np.argmin(seconds))]


def _batches(row: PublishedRow) -> list[float]:
    if "micro_batch" not in row.open_fields:
        return [float(row.numbers["micro_batch"])]
    share = float(row.numbers["global_batch"]) / float(row.numbers["dp"])
    return [float(b) for b in _MICRO_BATCHES if b <= share and share % b == 0] or [1.0]


def _chunks(row: PublishedRow) -> list[float]:
    if "vpp" not in row.open_fields:
        return [float(row.numbers["vpp"])]
    layers, pp = float(row.numbers["layers"]), float(row.numbers["pp"])
    tiles = [
        float(v)
        for v in range(1, _MOST_CHUNKS + 1)
        if (layers / pp) % v == 0 or ((layers + 2) / pp) % v == 0
    ]
    return tiles or [1.0]


def _with(row: PublishedRow, micro_batch: float, vpp: float) -> PublishedRow:
    from dataclasses import replace

    return replace(row, numbers={**row.numbers, "micro_batch": micro_batch, "vpp": vpp})


def errors(rows: Sequence[PublishedRow], predicted: Floats) -> Floats:
    """Predicted over measured, less one."""
    return np.asarray(predicted / np.array([row.measured for row in rows]) - 1)
