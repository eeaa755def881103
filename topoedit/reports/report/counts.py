"""Counts of a drawing, and the power of its devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from topoedit.catalog.types import Kind
from topoedit.model.document import Document
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
        watts: the most that all of them draw, None if not known for this type.
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


def type_counts(document: Document) -> Iterator[TypeCount]:
    """Devices by type, servers first, then switches from the leaf up."""
    order = ("server", "nvswitch", *SWITCHES)
    first = {d.type: d for d in document.devices.values()}
    counts = Counter((d.kind, d.type) for d in document.devices.values())
    ranks = {kind: number for number, kind in enumerate(order)}
    for kind, type_id in sorted(counts, key=lambda pair: (ranks.get(pair[0], 99), pair)):
        entry, count = document.device_type(first[type_id]), counts[kind, type_id]
        each = entry.power_kw_max
        yield TypeCount(
            type_id, entry.name, kind, count, None if each is None else each * 1e3 * count
        )


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
