"""Constants of the step model, read from the section `step` of `resources/calibration.yaml`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec
import numpy as np

from topoedit.catalog.types import Accelerator
from topoedit.engine.calibration import Constant, load_section
from topoedit.engine.types import Floats
from topoedit.errors import BadPlanError


class Fitted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A share or a time that was fitted (or published, where it has no prior).

    Attributes:
        origin: `fit`, or a key of the section's sources.
        sigma: standard deviation when whole sources are resampled.
        prior, prior_sigma: the log-normal prior of the fit.
    """

    value: float
    origin: str
    sigma: float | None = None
    prior: float | None = None
    prior_sigma: float | None = None


class Stack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a software stack does; `elementwise`, `fsdp`, `fixed` name its fitted constants.

    Attributes:
        attention: `te` (cuDNN), `fa2`, `fa1` (Triton) or `unfused`.
        fused_experts: a compiler fuses the kernels of experts with biases and a clamped activation.
        per_op: selective recompute means torch's per-operation policy.
    """

    title: str
    elementwise: str
    fsdp: str = "none"
    fixed: str = "none"
    attention: str = "te"
    fused: bool = True
    fused_experts: bool = False
    dropout: bool = False
    early_stop: bool = False
    per_op: bool = False
    tp_overlap: bool = False
    tp_copy: bool = False
    dp_overlap: bool = True
    pp_overlap: bool = True
    one_nic: bool = False
    grad_dtype: str = "fp32"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the step model needs of an accelerator beyond the catalogue."""

    clock: float = 1.0
    fp4_tflops: float | None = None
    generation: str = ""
    source: str = ""


class IntervalKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An 80 % interval: measured / predicted lies between `low` and `high`, from `rows` rows."""

    low: float
    high: float
    rows: int
    basis: str


class StepSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The section `step` of the calibration file."""

    fit: str
    sources: dict[str, str]
    physics: dict[str, Constant]
    constants: dict[str, Fitted]
    stacks: dict[str, Stack]
    compute_units: dict[str, float]
    parts: dict[str, Part]
    intervals: dict[str, IntervalKind]

    def source(self, key: str) -> str:
        """The text of a source key."""
        return self.fit if key == "fit" else self.sources.get(key, key)


@lru_cache(maxsize=1)
def step_section() -> StepSection:
    """The section `step`, checked; raises BadFileError naming the field that is wrong."""
    return load_section("step", StepSection)


@dataclass(frozen=True, slots=True)
class Physics:
    """Numbers that are published, not fitted here; see calibration.yaml for each source."""

    scaleup_efficiency: float
    all_to_all_efficiency: float
    network_efficiency: float
    scaleup_hop: float
    network_hop: float
    collective_launch: float
    kernel_launch: float
    k_ramp: float
    quantisation: float
    stream: float
    grouped_gemm: float
    block_scaled: float
    attention_backward: float
    attention_half_rate: float
    tp_hidden: float
    dp_tail: float
    optimizer_bytes: float
    jitter: float
    memory_fill: float
    fragmentation: float
    context_bytes: float
    offload_exposed: float
    context_merge_bytes: float
    biased_expert_bytes: float
    biased_expert_bytes_backward: float
    memory_error: float


@lru_cache(maxsize=1)
def physics() -> Physics:
    """The published numbers."""
    return Physics(**{name: float(value) for name, value in step_section().physics.items()})


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants chosen for a generation and a stack; arrays of shape (B,) or (1,).

    Attributes:
        gemm16, gemm8, gemm4: share of the dense peak that large GEMMs sustain.
        attention: fused attention forward, share of the 16-bit peak.
        memory: share of the HBM bandwidth reached by elementwise kernels.
        fsdp: share of sharded data-parallel traffic that compute never hides.
        fixed: seconds a step that scale with nothing.
    """

    gemm16: Floats
    gemm8: Floats
    gemm4: Floats
    attention: Floats
    memory: Floats
    fsdp: Floats
    fixed: Floats


def stack_named(name: str, release: str = "") -> Stack:
    """The stack `name`, or its entry for one release; raises BadPlanError with near names."""
    stacks = step_section().stacks
    wanted = f"{name}@{release}" if release else name
    found = stacks.get(wanted) or stacks.get(name)
    if found is None:
        near = difflib.get_close_matches(name, list(stacks), n=3, cutoff=0.3) or list(stacks)
        raise BadPlanError(f'there is no stack "{name}"', "--stack", f"Nearest: {', '.join(near)}")
    return found


def releases_of(name: str) -> tuple[str, ...]:
    """Releases of a stack that have an entry of their own."""
    pairs = (key.partition("@") for key in step_section().stacks)
    return tuple(release for stack, _, release in pairs if stack == name and release)


class ConstantPicker:
    """Chooses constants by generation and stack; `overrides` replaces fitted values."""

    def __init__(self, overrides: dict[str, float] | None = None) -> None:
        values = {name: figure.value for name, figure in step_section().constants.items()}
        self._values = values | (overrides or {})

    def value(self, kind: str, generation: str) -> float:
        """A constant of a generation; one that was never measured borrows Hopper's."""
        return self._values.get(f"{kind}.{generation}", self._values[f"{kind}.hopper"])

    def row(self, generation: str, stack: Stack) -> tuple[float, ...]:
        """The fields of `Constants` for one plan."""
        known = self._values
        gemm8 = self.value("gemm8", generation)
        return (
            self.value("gemm16", generation),
            gemm8,
            known.get(f"gemm4.{generation}", gemm8),
            self._attention(generation, stack.attention),
            known[f"mem.{stack.elementwise}"],
            known[f"fsdp.{stack.fsdp}"],
            known[f"fix.{stack.fixed}"],
        )

    def pick(self, rows: Iterable[tuple[str, Stack]]) -> Constants:
        """Constants of shape (B,) for B pairs of generation and stack."""
        table: Sequence[tuple[float, ...]] = [self.row(*row) for row in rows]
        return Constants(*(np.array(column) for column in zip(*table, strict=True)))

    def _attention(self, generation: str, kernel: str) -> float:
        known = self._values
        if kernel == "fa1":
            return known.get(f"attn_fa1.{generation}", self.value("attn", generation))
        # FlashAttention-2 is also what fused kernels reach on Ampere.
        if kernel in ("fa2", "unfused") or generation == "ampere":
            return known.get(f"attn_fa2.{generation}", self.value("attn", generation))
        return self.value("attn", generation)


def generation_of(chip: Accelerator) -> str:
    """The generation whose constants apply: the calibration's own, else the catalogue's."""
    return part_of(chip).generation or chip.generation.lower()


def part_of(chip: Accelerator) -> Part:
    """Sustained clock and fp4 rate of an accelerator where they differ from its data sheet."""
    return step_section().parts.get(chip.id, Part())


def compute_units(generation: str) -> float:
    """Streaming multiprocessors of a generation's training part; Hopper's where unknown."""
    units = step_section().compute_units
    return units.get(generation, units["hopper"])
