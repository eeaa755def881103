"""Sizes and options of a plan as data, and the spin box that shows what is worked out."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.number_box import NumberBox
from topoedit.model.plan import Precision, Recompute, Schedule, Stack, choices
from topoedit.units import format_number

LARGEST = 1_000_000
NARROWEST, WIDEST, AROUND = 64, 118, 38
"""Widths of a box, and of all in it that is not text, in pixels."""


@dataclass(frozen=True)
class SizeSpec:
    """One whole number of a plan; `open` means that it may be left to be worked out."""

    name: str
    text: str
    tip: str
    open: bool = False


SIZES = (
    SizeSpec("tp", "TP", "Tensor parallel: each layer is split over so many GPUs."),
    SizeSpec("pp", "PP", "Pipeline parallel: the layers are dealt out to so many stages."),
    SizeSpec("cp", "CP", "Context parallel: each sequence is split over so many GPUs."),
    SizeSpec("dp", "DP", "Data parallel: so many replicas; 0 takes the GPUs that remain.", True),
    SizeSpec("ep", "EP", "Expert parallel: the experts are spread over so many GPUs."),
    SizeSpec("vpp", "VPP", "Virtual pipeline: chunks of layers on each stage."),
    SizeSpec("micro_batch", "Micro-batch", "Sequences that pass through a stage at a time."),
    SizeSpec("global_batch", "Global batch", "Sequences in a step; 0 works it out.", True),
    SizeSpec("seq_len", "Sequence", "Tokens of a sequence; 0 takes at most 8192.", True),
)  # fmt: skip

_ZERO_WORDS = {
    0: "0, replicated", 1: "1, optimizer", 2: "2, and gradients", 3: "3, and parameters",
}  # fmt: skip
_WORDS = {
    "none": "None", "selective": "Selective", "full": "Full",
    "afab": "All forward, all backward", "1f1b": "1F1B", "zb": "Zero bubble",
    "dualpipe": "DualPipe", "megatron": "Megatron", "nemo": "NeMo", "xla": "XLA",
    "fsdp-eager": "FSDP, eager", "fsdp-compile": "FSDP, compiled",
}  # fmt: skip

OPTIONS: tuple[tuple[str, str, str, tuple[object, ...]], ...] = (
    ("recompute", "Recompute", "Activations worked out again to save memory.", choices(Recompute)),
    ("precision", "Precision", "Number format of the matrix products.", choices(Precision)),
    ("zero", "ZeRO", "What is sharded over the replicas.", (0, 1, 2, 3)),
    ("schedule", "Schedule", "Order of forward and backward passes.", choices(Schedule)),
    ("stack", "Stack", "Training software whose overlaps and kernels are assumed.", choices(Stack)),
)


def option_words(name: str, value: object) -> str:
    """A value of an option as people read it."""
    if name == "zero" and isinstance(value, int):
        return _ZERO_WORDS[value]
    return _WORDS.get(str(value), str(value).upper())


class PlanSpin(NumberBox):
    """A whole number; 0 stands for what is worked out, which it then shows."""

    def __init__(self, spec: SizeSpec) -> None:
        super().__init__()
        self.spec = spec
        self.setRange(0 if spec.open else 1, LARGEST)
        self.setAccessibleName(spec.text)
        self.setToolTip(spec.tip)
        self.setMinimumWidth(NARROWEST)

    def show_value(self, value: object, worked_out: int | None = None) -> None:
        """Show a value, None for what is worked out; emits nothing."""
        self.blockSignals(True)
        if worked_out is not None:
            words = f"auto {format_number(worked_out)}"
            self.setSpecialValueText(words)
            room = self.fontMetrics().horizontalAdvance(words) + AROUND
            self.setMinimumWidth(min(max(NARROWEST, room), WIDEST))
        wanted = value if isinstance(value, int) else 0
        if self.value() != wanted:
            self.setValue(wanted)
        self.blockSignals(False)
