"""Published training steps: one row of a table as everything that the step model reads.

Columns (those of most published tables; blank cells are filled by the rules of this package and
every rule that was used is noted): id, source, gpu, gpus, gpus_per_node, intra_link,
inter_link_Gbps_per_gpu, model, layers, hidden, heads, kv_heads, ffn_hidden, vocab, experts,
active_experts, seq_len, global_batch, micro_batch, tp, pp, vpp, cp, ep, zero, recompute,
precision, measured_step_time_s or derived_step_time_s or measured_tokens_per_s_per_gpu,
measured_mem_GiB, role, notes, inferred_fields; optional: stack, release, sequence_parallel,
grad_dtype, etp, head_dim, schedule, expert_imbalance, cite.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from topoedit.catalog.types import Accelerator
from topoedit.engine.published.models import shape_of
from topoedit.engine.published.names import Names
from topoedit.engine.published.stacks import (
    Numbered,
    recompute_of,
    stack_of,
    torch_native,
    zero_of,
)
from topoedit.engine.published.table import TableRow
from topoedit.engine.step.constants import (
    Stack,
    compute_units,
    generation_of,
    part_of,
    stack_named,
    step_section,
)
from topoedit.engine.workload.arrays import ScheduleKind, chip_row
from topoedit.errors import BadPlanError
from topoedit.paths import resources

NEEDED = ("id", "gpu", "gpus", "model")
TIMES = ("measured_step_time_s", "derived_step_time_s", "measured_tokens_per_s_per_gpu")

Numbers = dict[str, float | bool]

_SIXTEEN = ("bf16", "fp16", "float16", "16-mixed", "half")
_RACK = re.compile(r"nvl\s*(\d+)", re.IGNORECASE)
_NICS = {"volta": 100.0, "ampere": 200.0}
_FASTER_NICS = {"gb300": 800.0, "b300-sxm": 800.0}
_USUAL_NIC = 400.0
_RACK_PARTS = {"gb200": 72, "gb300": 72}
_WIDEST_EP = 64
_TITAN_SEQUENCE = 8192
_SCHEDULES = {
    "": ScheduleKind.ONE_F_ONE_B, "afab": ScheduleKind.AFAB, "1f1b": ScheduleKind.ONE_F_ONE_B,
    "zb": ScheduleKind.ZERO_BUBBLE, "dualpipe": ScheduleKind.DUALPIPE,
}  # fmt: skip


def shipped_steps() -> Path:
    """The table of published steps that the product ships."""
    return resources() / "validation" / "steps.csv"


@dataclass(frozen=True)
class StepRow:
    """One published step, ready for the step model.

    Attributes:
        group: the release that published it: `source`, or what stands in for it.
        measured: seconds; memory: measured peak in bytes or None.
        left_out: why it does not count (the row can be computed all the same).
        numbers: every field of shapes, plans, chips and of the symmetric cluster.
        open_fields: fields of the plan that the source leaves open.
        notes: what was assumed.
        inferred: fields that whoever made the table inferred.
    """

    id: str
    source: str
    role: str
    model: str
    generation: str
    accelerator: str
    stack_name: Numbered
    stack: Stack
    measured: float
    memory: float | None
    left_out: str
    numbers: Numbers
    open_fields: tuple[str, ...]
    notes: tuple[str, ...]
    inferred: str = ""

    @property
    def gpus(self) -> float:
        """GPUs that the step ran on."""
        return float(self.numbers["gpus"])

    @property
    def experts(self) -> bool:
        """The model has routed experts."""
        return bool(self.numbers["experts"])

    def with_numbers(self, **numbers: float | bool) -> StepRow:
        """The same row with some numbers replaced."""
        return replace(self, numbers=self.numbers | numbers)


@dataclass(frozen=True)
class Skipped:
    """A row that the engine cannot compute, and why."""

    id: str
    source: str
    role: str
    reason: str


def step_row(row: TableRow, names: Names) -> StepRow | Skipped:
    """A row made whole, or the reason why it cannot be."""
    name = row.text("id") or f"line {row.line}"
    try:
        if row.longer:
            raise ValueError("the row has more cells than the header")
        return _complete(name, row, names)
    except (ValueError, BadPlanError) as error:
        reason = error.what if isinstance(error, BadPlanError) else str(error)
        one_line = " ".join(reason.split())
        return Skipped(name, row.text("source"), row.text("role"), one_line)


def _complete(name: str, row: TableRow, names: Names) -> StepRow:
    chip = names.accelerator(row.text("gpu"))
    generation = generation_of(chip)
    if generation not in step_section().compute_units or f"gemm16.{generation}" not in _fitted():
        raise ValueError(f"no constants for {generation or 'that'} accelerators ({chip.id})")
    stack_name, stack_note = stack_of(row)
    stack = stack_named(*stack_name.split("@", 1))
    shape, notes = shape_of(row, names)
    maker = _Maker(row, stack_name, stack, shape, [note for note in (stack_note, *notes) if note])
    plan = maker.plan()
    numbers = shape | plan | _chip(chip, generation) | maker.cluster(chip, generation)
    memory = row.number("measured_mem_GiB")
    return StepRow(
        name, row.text("source"), row.text("role"), row.text("model"), generation, chip.id,
        stack_name, stack, maker.seconds(plan), memory * 2**30 if memory else None,
        _left_out(row, stack_name), numbers, tuple(maker.open_fields), tuple(maker.notes),
        row.text("inferred_fields"),
    )  # fmt: skip


def _fitted() -> Mapping[str, object]:
    return step_section().constants


def _chip(chip: Accelerator, generation: str) -> Numbers:
    part = part_of(chip)
    peak4 = part.fp4_tflops * 1e12 if part.fp4_tflops else None
    made: Numbers = dict(chip_row(chip, compute_units(generation), part.clock, peak4))
    missing = [field for field, value in made.items() if math.isnan(float(value))]
    if missing:
        raise ValueError(f"the catalogue gives no {', '.join(missing)} of {chip.id}")
    return made


def _left_out(row: TableRow, stack: Numbered) -> str:
    """Rows whose slowness is known not to be the model's matter; the only ones left out."""
    if "rowwise" in row.text("precision").lower():
        return "left out: row-wise scaled fp8 of that release is no faster than bf16"
    if stack == "fsdp-eager@deepspeed-2021":
        return "left out: DeepSpeed ZeRO-3 of 2021, as slow at half the batch"
    return ""


class _Maker:
    """Fills in a row's plan and cluster and remembers what it assumed."""

    def __init__(
        self,
        row: TableRow,
        name: Numbered,
        stack: Stack,
        shape: Mapping[str, float | bool],
        notes: list[str],
    ) -> None:
        self._row, self._name, self._stack, self._shape = row, name, stack, shape
        self.notes = notes
        self.open_fields: list[str] = []
        self._titan = torch_native(name)
        self._gpus = self._whole("gpus")

    def _whole(self, column: str, default: int | None = None) -> int:
        value = self._row.whole(column) or default
        if value is None:
            raise ValueError(f"{column} is not given")
        return value

    def _note(self, *texts: str) -> None:
        self.notes.extend(text for text in texts if text)

    def plan(self) -> Numbers:
        """Every field of `Plans`, and the number of GPUs."""
        tp, pp, cp = (self._whole(axis, 1) for axis in ("tp", "pp", "cp"))
        dp = self._gpus / (tp * pp * cp)
        if dp < 1 or dp != int(dp):
            raise ValueError(f"tp {tp} x pp {pp} x cp {cp} does not divide {self._gpus} GPUs")
        seq, batch = self._sequence(), self._batch(dp)
        micro_batch = self._micro_batch(batch / dp, pp)
        if batch < micro_batch * dp:
            self._note(f"{batch:g} sequences on {dp:g} replicas: one micro-batch each")
        zero, zero_note = zero_of(self._row, self._name, pp)
        recompute, recompute_note = recompute_of(self._row, self._name, self._stack.per_op)
        self._note(zero_note, recompute_note)
        bits, block_scaled, fp8_gather = self._precision()
        old = self._stack.attention == "unfused"
        schedule = self._row.text("schedule").lower()
        if schedule not in _SCHEDULES:
            raise ValueError(
                f'schedule "{schedule[:30]}" is none of {", ".join(filter(None, _SCHEDULES))}'
            )
        numbers: Numbers = {
            "gpus": self._gpus, "seq": seq, "global_batch": batch, "micro_batch": micro_batch,
            "tp": tp, "pp": pp, "vpp": self._chunks(pp), "cp": cp, "dp": dp,
            "ep": self._expert_ranks(dp * cp), "etp": self._expert_tensor(tp), "zero": zero,
            "shard": dp * cp, "recompute": recompute, "bits": bits, "block_scaled": block_scaled,
            "sp": self._sequence_parallel(old), "flash": not old, "fp8_gather": fp8_gather,
            "grad_bytes": self._gradient(old), "schedule": _SCHEDULES[schedule], "cp_kind": 0,
            "imbalance": max(1.0, self._row.number("expert_imbalance") or 1.0),
        }  # fmt: skip
        for flag in (
            "fused", "fused_experts", "dropout", "early_stop", "tp_overlap", "tp_copy",
            "dp_overlap", "pp_overlap", "one_nic",
        ):  # fmt: skip
            numbers[flag] = bool(getattr(self._stack, flag))
        return numbers

    def _sequence(self) -> int:
        if self._titan and not self._row.text("seq_len"):
            self._note(f"sequence of {_TITAN_SEQUENCE}, the default of the stack")
            return _TITAN_SEQUENCE
        return self._whole("seq_len")

    def _batch(self, dp: float) -> int:
        if self._titan and not self._row.text("global_batch"):
            self._note("one sequence on each replica, the default of the stack")
            return int(dp)
        return self._whole("global_batch")

    def _micro_batch(self, share: float, pp: int) -> float:
        given = self._row.whole("micro_batch")
        if given is not None:
            return given
        if self._titan:
            self._note("micro-batch: the batch of a replica, one for each stage")
            return max(1.0, share / pp)
        self._note("micro-batch: the fastest that fits")
        self.open_fields.append("micro_batch")
        return 1.0

    def _chunks(self, pp: int) -> float:
        given = self._row.whole("vpp")
        if given is None and pp > 1:
            self._note("virtual stages: the fastest that fits")
            self.open_fields.append("vpp")
        if given in (None, 1) and pp > 1 and "interleav" in self._row.text("notes").lower():
            return 2.0
        return float(given or 1)

    def _expert_ranks(self, replicas: float) -> float:
        experts = float(self._shape["experts"])
        given = self._row.whole("ep")
        if not experts:
            return 1.0
        if given is None:
            given = 2 ** int(math.log2(min(experts, replicas, _WIDEST_EP)))
            self._note(f"ep {given}, as wide as it goes")
        return float(given)

    def _expert_tensor(self, tp: int) -> float:
        given = self._row.whole("etp")
        if given is not None:
            return float(given)
        if "grok" in self._row.text("model").lower() and "ETP=1" not in self._row.text("notes"):
            self._note("experts split by tensor parallelism too (etp = tp)")
            return float(tp)
        return 1.0

    def _precision(self) -> tuple[int, bool, bool]:
        text = self._row.text("precision").lower()
        if not text:
            self._note("precision bf16, not stated")
        low = 4 if "fp4" in text else 8 if "fp8" in text else 16
        if low == 16 and text and not any(word in text for word in _SIXTEEN):
            raise ValueError(f'precision "{text[:30]}" is unknown')
        return low, "mx" in text, "all-gather" in text

    def _gradient(self, old: bool) -> float:
        text = self._row.text("grad_dtype").lower()
        if text:
            return 4.0 if text in ("fp32", "float32") else 2.0
        return 2.0 if old or self._stack.grad_dtype == "bf16" else 4.0

    def _sequence_parallel(self, old: bool) -> bool:
        text = self._row.text("sequence_parallel").lower()
        if text:
            return text in ("1", "true", "yes", "on")
        selective = self._row.text("recompute").lower().startswith("sel")
        return not old or selective or "MegaScale" in self._row.text("source")

    def cluster(self, chip: Accelerator, generation: str) -> Numbers:
        """A symmetric cluster like the row's: scale-up rate and domain, one NIC for each GPU."""
        gbps = self._row.number("inter_link_Gbps_per_gpu")
        if gbps is None or gbps <= 0:
            gbps = _FASTER_NICS.get(chip.id, _NICS.get(generation, _USUAL_NIC))
            self._note(f"{gbps:g} Gb/s of network for each GPU, not stated")
        rack = _RACK.search(self._row.text("intra_link"))
        domain = (
            int(rack[1])
            if rack
            else _RACK_PARTS.get(chip.id) or self._row.whole("gpus_per_node") or 8
        )
        if chip.scaleup_rate is None:
            raise ValueError(f"the catalogue gives no scale-up rate of {chip.id}")
        return {"scaleup": chip.scaleup_rate, "domain": domain, "nic": gbps * 1e9 / 8}

    def seconds(self, plan: Numbers) -> float:
        """The published step time, or the one that the published throughput means."""
        for column in TIMES[:2]:
            value = self._row.number(column)
            if value:
                return value
        tokens = self._row.number(TIMES[2])
        if not tokens:
            raise ValueError("neither a step time nor tokens/s are given")
        return float(plan["global_batch"]) * float(plan["seq"]) / (tokens * self._gpus)
