"""Lines of a bill of materials put together by where or what for the things are bought."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

import msgspec

from topoedit.errors import BadInputError
from topoedit.model.elements import Network
from topoedit.model.ports import natural_key
from topoedit.reports.bom_lines import Line

DIMENSIONS = ("type", "role", "network", "rack", "building", "site", "phase", "vendor")
NOWHERE = "–"


class GroupLine(msgspec.Struct, frozen=True):
    """How many of one item a rack, a network, a phase… takes.

    Attributes:
        value: of the dimension, `–` where a thing has none.
        spares: pieces beyond `quantity`; None if none are kept.
        watts: of the modules whose draw is known, None for anything else.
    """

    value: str
    category: str
    item: str
    part_number: str
    quantity: int
    unit: str
    spares: int | None
    watts: float | None


def grouped(lines: Iterable[Line], by: str) -> tuple[GroupLine, ...]:
    """The lines by one of DIMENSIONS, in the order of the bill within each value.

    Cables between two racks are under both names, as `A + B`; nothing is counted twice.

    Raises:
        BadInputError: there is no such dimension.
    """
    if by not in DIMENSIONS:
        raise BadInputError(
            f'a bill of materials is not kept by "{by[:40]}"', "--by",
            f"Use {', '.join(DIMENSIONS)}",
        )  # fmt: skip
    sums: dict[tuple[str, str, str, str, str], tuple[int, int | None, float | None]] = {}
    for line in lines:
        value = str(getattr(line, by)) or NOWHERE
        key = (value, line.category, line.item, line.part_number, line.unit)
        quantity, spares, watts = sums.get(key, (0, None, None))
        if line.spares is not None:
            spares = (spares or 0) + line.spares
        if line.watts_each is not None:
            watts = (watts or 0.0) + line.watts_each * line.quantity
        sums[key] = (quantity + line.quantity, spares, watts)
    rank = {value: number for number, value in enumerate(_in_order({key[0] for key in sums}, by))}
    return tuple(
        GroupLine(value, category, item, number, quantity, unit, spares, watts)
        for (value, category, item, number, unit), (quantity, spares, watts) in sorted(
            sums.items(), key=lambda pair: rank[pair[0][0]]
        )
    )


def _in_order(values: set[str], by: str) -> list[str]:
    """Networks as the file format lists them, all else in natural order; `–` last."""
    networks: tuple[str, ...] = get_args(Network) if by == "network" else ()
    known = {name: number for number, name in enumerate(networks)}
    return sorted(values, key=lambda v: (v == NOWHERE, known.get(v, len(known)), natural_key(v)))
