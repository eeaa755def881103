"""Counts of a drawing, and the power of its devices."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from topoedit.catalog.types import Kind
from topoedit.model.document import Document
from topoedit.rules._power import budget_kw
from topoedit.rules.context import Context
from topoedit.units import UNKNOWN, format_number

SWITCHES: tuple[Kind, ...] = ("leaf", "spine", "core", "switch")
_WORDS = {
    "leaf": ("Leaf", "Leaves"), "nvswitch": ("NVSwitch", "NVSwitches"),
    "switch": ("Switch", "Switches"), "ocs": ("Optical switch", "Optical switches"),
    "storage": ("Storage", "Storage"), "management": ("Management", "Management"),
}  # fmt: skip


@dataclass(frozen=True)
class TypeCount:
    """Devices of one type.

    Attributes:
        watts: the most that all of them draw (a switch without optics its typical figure, which is
            for that), None if not known for this type.
    """

    type: str
    name: str
    kind: str
    count: int
    watts: float | None


def kind_words(kind: str, count: int) -> str:
    """A kind of device as a heading.

    >>> kind_words("leaf", 2), kind_words("server", 1)
    ('Leaves', 'Server')
    """
    one, many = _WORDS.get(kind, (kind.capitalize(), f"{kind.capitalize()}s"))
    return one if count == 1 else many


def count_gpus(document: Document) -> int | None:
    """GPUs of all servers; None if some server's are unknown."""
    total = 0
    for device in document.devices.values():
        gpus = document.device_type(device).gpus if device.kind == "server" else 0
        if gpus is None:
            return None
        total += gpus
    return total


def type_counts(document: Document) -> tuple[TypeCount, ...]:
    """Devices by type, servers first, then switches from the leaf up, with what they draw."""
    context = Context(document)
    sums: dict[tuple[Kind, str], list[float]] = {}
    for device, kw in zip(context.devices.items, budget_kw(context).tolist(), strict=True):
        found = sums.setdefault((device.kind, device.type), [0, 0.0])
        found[0] += 1
        found[1] += kw * 1e3
    first = {d.type: d for d in document.devices.values()}
    ranks = {kind: number for number, kind in enumerate(("server", "nvswitch", *SWITCHES))}
    return tuple(
        TypeCount(
            type_id, document.device_type(first[type_id]).name, kind, round(count),
            None if isnan(watts) else watts,
        )
        for (kind, type_id), (count, watts) in sorted(
            sums.items(), key=lambda item: (ranks.get(item[0][0], 99), item[0])
        )
    )  # fmt: skip


def watts_words(watts: float | None) -> str:
    """Power for people.

    >>> watts_words(81_600.0)
    '81.6 kW'
    """
    if watts is None:
        return UNKNOWN
    if watts >= 1e6:
        return f"{format_number(watts / 1e6, 2)} MW"
    return f"{format_number(watts / 1e3, 1)} kW"
