"""A TPU slice wraps round only on whole cubes: three axes of multiples of 4, or two up to 16."""

from __future__ import annotations

import numpy as np

from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_CUBE, _LARGEST_SQUARE = 4, 16


def _check(context: Context) -> Outcome:
    problems, checked, why = [], 0, []
    for code, kind in enumerate(context.devices.types):
        scaleup = None if kind.inside is None else kind.inside.scaleup
        if scaleup is None or scaleup.kind != "torus":
            continue
        accelerator = context.catalog.accelerators.get(
            kind.inside.accelerator if kind.inside else ""
        )
        if accelerator is None or not accelerator.scaleup.startswith("ICI"):
            continue
        if not scaleup.torus:
            why.append(f"the shape of {kind.name} is not known")
            continue
        rows = np.flatnonzero(context.devices.type == code)
        checked += len(rows)
        text = _wrong(scaleup.torus)
        if text:
            shape = " x ".join(map(str, scaleup.torus))
            who = f"{count(len(rows), 'slice')} of {kind.name}, {shape}"
            problems.append(
                Problem(context.ids(rows), f"{who}: {text}", "Take whole cubes of 4 x 4 x 4")
            )
    return outcome(problems, checked, why)


def _wrong(shape: tuple[int, ...]) -> str:
    if len(shape) == 3:
        odd = [side for side in shape if side % _CUBE]
        return f"{odd[0]} is no multiple of {_CUBE}: no wrap-around links" if odd else ""
    largest = max(shape)
    return f"{largest} is beyond {_LARGEST_SQUARE} x {_LARGEST_SQUARE}" * (
        largest > _LARGEST_SQUARE
    )


RULE = Rule(
    id="torus-wrap",
    title="TPU slices are whole cubes",
    severity="error",
    source=(
        "Austin et al., How to Scale Your Model, ch. TPUs, 2025, "
        "https://github.com/jax-ml/scaling-book/blob/main/tpus.md"
    ),
    check=_check,
)
