"""The parts of a step, of memory and of the traffic on a link, in their fixed order and colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topoedit.model.analysis import Breakdown, Memory

HATCH = "hatch"
"""The colour of a part that stands for waiting."""


@dataclass(frozen=True)
class Part:
    """One part of a bar: its name, its value and its token path (or `hatch`)."""

    name: str
    value: float
    color: str


def step_parts(breakdown: Breakdown) -> tuple[Part, ...]:
    """The exposed seconds of a step in their fixed order; parts of no length are left out."""
    rows = (
        ("Compute", breakdown.compute, "breakdown.compute"),
        ("Recompute", breakdown.recompute, "breakdown.recompute"),
        ("TP", breakdown.tp, "traffic.TP"),
        ("CP", breakdown.cp, "traffic.CP"),
        ("EP", breakdown.ep, "traffic.EP"),
        ("PP", breakdown.pp, "traffic.PP"),
        ("DP", breakdown.dp, "traffic.DP"),
        ("WAN", breakdown.wan, "traffic.WAN"),
        ("Bubble", breakdown.bubble, HATCH),
        ("Optimizer", breakdown.optimizer, "breakdown.optimizer"),
        ("Other", breakdown.other, "breakdown.other"),
    )
    return tuple(Part(*row) for row in rows if row[1] > 0)


def memory_parts(memory: Memory) -> tuple[Part, ...]:
    """The bytes on one GPU in their fixed order."""
    rows = (
        ("Parameters", memory.parameters_bytes, "memory.parameters"),
        ("Gradients", memory.gradients_bytes, "memory.gradients"),
        ("Optimizer", memory.optimizer_bytes, "memory.optimizer"),
        ("Activations", memory.activations_bytes, "memory.activations"),
        ("Buffers", memory.buffers_bytes + memory.context_bytes, "memory.buffers"),
    )
    return tuple(Part(*row) for row in rows if row[1] > 0)


def class_parts(by_class: Mapping[str, float]) -> tuple[Part, ...]:
    """The bytes of each traffic class on a link, in the order of the classes."""
    order = ("TP", "CP", "EP", "PP", "DP", "KV", "WAN")
    known = {name.upper(): value for name, value in by_class.items()}
    return tuple(Part(c, known[c], f"traffic.{c}") for c in order if known.get(c, 0) > 0)
