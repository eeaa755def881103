"""What an explained figure is: formula, inputs, source and value."""

from __future__ import annotations

import msgspec

Inputs = dict[str, float | str]


class Explanation(msgspec.Struct, frozen=True):
    """One figure explained; `inputs` are in bytes, seconds and FLOP/s unless their name says so."""

    key: str
    value: float | None
    unit: str
    formula: str
    inputs: Inputs
    source: str
