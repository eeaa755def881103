"""Figures that may be known for some devices only, and what they say of the whole.

Heat is the IT power: what a rack draws it gives off. 1 kW = 3,412.14 BTU/h (1 Btu_IT =
1,055.056 J, ISO 80000-5), one ton of refrigeration = 12,000 BTU/h = 3.51685 kW.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from topoedit.units import UNKNOWN, format_number

BTU_PER_KWH = 3412.14
KW_PER_TON = 12_000 / BTU_PER_KWH

Basis = Literal["maximum", "typical"]
BASES: tuple[Basis, ...] = ("maximum", "typical")
BASIS_WORDS: dict[Basis, str] = {
    "maximum": "the most that devices draw, pluggable modules included; a switch with passive "
    "copper alone counts with its typical draw",
    "typical": "what devices typically draw, switches without pluggable modules",
}
IT_WORDS: dict[Basis, str] = {
    "maximum": "This is IT power without cooling and losses; pluggable modules are included, and "
    "a switch with passive copper alone counts with its typical draw.",
    "typical": "This is IT power without cooling and losses; switches count without pluggable "
    "modules, which come on top.",
}
"""The second sentence on power. Makers state the maximum of a switch with modules in its cages and
its typical draw with passive cables, as `power_kw_max` and `power_kw_typical` of the catalogue."""


@dataclass(frozen=True)
class Sum:
    """A total over devices, and of how many of them the figure is known.

    Attributes:
        total: of those that are known.
        known, of: by word (`server`, `switch`…), devices whose figure is known, and all of them.
    """

    total: float = 0.0
    known: dict[str, int] = field(default_factory=dict)
    of: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether the figure is known for everything."""
        return sum(self.known.values()) == sum(self.of.values())

    @property
    def nothing(self) -> bool:
        """Whether it is known for nothing that there is."""
        return not any(self.known.values()) and any(self.of.values())

    @property
    def value(self) -> float | None:
        """The total; None if nothing is known."""
        return None if self.nothing else self.total

    def plus(self, other: Sum) -> Sum:
        """Both together."""
        return Sum(self.total + other.total, _added(self.known, other.known),
                   _added(self.of, other.of))  # fmt: skip

    def covers(self) -> str:
        """For how many it is known: `all 127 servers and 41 of 56 switches`."""
        words = sorted(self.of, key=lambda w: (w != "server", w != "switch", w))
        parts = [_share(self.known.get(word, 0), self.of[word], word) for word in words]
        return " and ".join([", ".join(parts[:-1]), parts[-1]]) if parts[1:] else "".join(parts)


def _share(known: int, count: int, word: str) -> str:
    many = plural(word, count)
    if known == count == 2:
        return f"both {many}"
    if known == count:
        return f"all {format_number(count)} {many}" if count > 1 else f"the {word}"
    return f"{format_number(known)} of {format_number(count)} {many}"


def plural(word: str, count: float) -> str:
    """The word for so many."""
    if count == 1:
        return word
    return f"{word}es" if word.endswith(("s", "ch", "x")) else f"{word}s"


def _added(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


def kilowatts(kw: float | None) -> str:
    """Power for people: MW from 1,000 kW on.

    >>> kilowatts(1360.0), kilowatts(44.96), kilowatts(None)
    ('1.36 MW', '45.0 kW', '–')
    """
    if kw is None or not math.isfinite(kw):
        return UNKNOWN
    return f"{kw / 1000:.2f} MW" if kw >= 999.95 else f"{kw:.1f} kW"


def kilograms(kg: float | None) -> str:
    """Weight for people: t from 10,000 kg on."""
    if kg is None or not math.isfinite(kg):
        return UNKNOWN
    return f"{kg / 1000:.1f} t" if kg >= 9_999.5 else f"{format_number(kg)} kg"


def btu_per_hour(kw: float) -> float:
    """Heat of a power in BTU/h."""
    return kw * BTU_PER_KWH


def tons(kw: float) -> float:
    """Heat of a power in tons of refrigeration."""
    return kw / KW_PER_TON
