"""Which software stack a published row ran on, and what that says about its open fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from topoedit.engine.published.table import TableRow
from topoedit.engine.workload.arrays import Recomputation

Numbered = str
"""A stack with its release, as `--stack` takes it: `fsdp-eager@llm-foundry`."""


@dataclass(frozen=True)
class _Rule:
    stack: Numbered
    says: Callable[[TableRow], bool]


def _source(*words: str) -> Callable[[TableRow], bool]:
    lower = [word.lower() for word in words]
    return lambda row: any(word in row.text("source").lower() for word in lower)


def _notes(word: str) -> Callable[[TableRow], bool]:
    return lambda row: word in row.text("notes").lower()


def _both(*parts: Callable[[TableRow], bool]) -> Callable[[TableRow], bool]:
    return lambda row: all(part(row) for part in parts)


def _sharded(row: TableRow) -> bool:
    text = row.text("zero").lower()
    return text.startswith("3") or "fsdp" in text or "zero-3" in text


def _old_megatron(row: TableRow) -> bool:
    return row.text("precision").lower() == "fp16" and row.text("gpu").startswith(("A100", "V100"))


_STAGE = re.compile(r"(?:zero|stage)?[\s-]*([0-3])(?!\d)")
_FOUNDRY = _source("llm-foundry")
_TITAN = _source("torchtitan")
_RULES = (
    _Rule("fsdp-eager@llm-foundry-pure", _both(_FOUNDRY, _notes("mode pure"))),
    _Rule("fsdp-eager@llm-foundry", _FOUNDRY),
    _Rule("fsdp-eager@torchtitan", _both(_TITAN, _notes("eager"))),
    _Rule("fsdp-compile@async-tp", _both(_TITAN, _notes("async"))),
    _Rule("fsdp-compile", _TITAN),
    _Rule("xla", _source("paxml", "maxtext")),
    _Rule("fsdp-eager@deepspeed-2021", _both(_source("ZeRO-3"), _sharded)),
    _Rule(
        "nemo", _both(_source("MegaScale"), lambda row: row.text("notes").startswith("MegaScale"))
    ),
    _Rule("nemo@automodel", _source("AutoModel")),
    _Rule(
        "megatron",
        _source("Narayanan", "Korthikanti", "README scaling", "2021-2023", "MegaScale"),
    ),
    _Rule("nemo", _source("NeMo", "Megatron", "dgxc", "NVIDIA")),
    _Rule("megatron", _old_megatron),
    _Rule("fsdp-compile", _both(_sharded, lambda row: "fsdp" in row.text("zero").lower())),
)


def stack_of(row: TableRow) -> tuple[Numbered, str]:
    """The stack of a row and, where the row does not name it, the assumption made."""
    named = row.text("stack")
    if named:
        release = row.text("release")
        return (f"{named}@{release}" if release and "@" not in named else named), ""
    for rule in _RULES:
        if rule.says(row):
            return rule.stack, f"stack {rule.stack}, from the source"
    return "nemo", "stack nemo: the source names none"


_POLICIES = {
    "none": Recomputation.NONE,
    "no": Recomputation.NONE,
    "off": Recomputation.NONE,
    "false": Recomputation.NONE,
    "yes": Recomputation.FULL,
    "on": Recomputation.FULL,
    "true": Recomputation.FULL,
    "per-op": Recomputation.PER_OP,
    "alternate": Recomputation.ALTERNATE,
}


def recompute_of(row: TableRow, stack: Numbered, per_op: bool) -> tuple[Recomputation, str]:
    """How activations are recomputed; a blank cell takes what the stack does by default."""
    text = row.text("recompute").lower()
    if stack == "xla":
        return Recomputation.NONE, "" if text else "no recompute: the default of the stack"
    if text.startswith("full"):
        return Recomputation.FULL, ""
    if text.startswith("sel"):
        if not per_op:
            return Recomputation.SELECTIVE, ""
        layers = "layer" in text
        return (Recomputation.ALTERNATE if layers else Recomputation.PER_OP), ""
    if text in _POLICIES:
        return _POLICIES[text], ""
    if text:
        raise ValueError(f'recompute "{text[:30]}" is none of none, selective and full')
    return _usual(row, stack)


def torch_native(stack: Numbered) -> bool:
    """A stack that takes torchtitan's defaults where a row is silent."""
    return stack.startswith("fsdp-") and "llm-foundry" not in stack and "deepspeed" not in stack


def _usual(row: TableRow, stack: Numbered) -> tuple[Recomputation, str]:
    if torch_native(stack):
        return Recomputation.PER_OP, "selective recompute by operation: the default of the stack"
    if stack == "megatron" and "MegaScale" not in row.text("source"):
        return Recomputation.FULL, "full recompute, the rule before it could be selective"
    return Recomputation.AS_NEEDED, "as many layers recomputed as the memory asks for"


def zero_of(row: TableRow, stack: Numbered, pp: int) -> tuple[int, str]:
    """The ZeRO stage: a digit, or 3 for any FSDP; ZeRO-2 of Megatron moves what ZeRO-1 moves.

    FSDP under a pipeline keeps what it gathered and reduces gradients once a step (the default of
    torchtitan): it moves what ZeRO-1 moves too.
    """
    text = row.text("zero").lower()
    if not text:
        return 1, "ZeRO-1, not stated"
    found = _STAGE.match(text)
    if found:
        stage = int(found[1])
        if stage >= 2 and pp > 1 and "fsdp" in text:
            return 1, "FSDP under a pipeline gathers and reduces once a step, as ZeRO-1"
        if stage == 2 and not stack.startswith("fsdp-") and not text[0].isdigit():
            return 1, f"{text[:30]} as ZeRO-1: gradients are summed before they travel ({stack})"
        return stage, ""
    if "fsdp" in text or "hsdp" in text:
        if pp > 1:
            return 1, "FSDP under a pipeline gathers and reduces once a step, as ZeRO-1"
        return 3, ""
    if text in ("ddp", "none"):
        return 0, ""
    raise ValueError(f'zero "{text[:30]}" is none of 0, 1, 2 and 3')
