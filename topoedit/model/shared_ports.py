"""Cables that share a port: a drawing cannot hold them, a file can.

To check such a file all the same, the first cable in a port is kept and the others are set aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoedit.model.elements import AnyElement, Link
from topoedit.model.ports import expand


@dataclass(frozen=True)
class SharedPort:
    """A port that two cables end in.

    Attributes:
        device, port: where.
        kept: the link that stays in the drawing.
        left_out: the one that does not.
    """

    device: str
    port: str
    kept: Link
    left_out: Link


def without_shared_ports(
    elements: Sequence[AnyElement],
) -> tuple[list[AnyElement], tuple[SharedPort, ...]]:
    """All elements but the links that end in a port in which an earlier one does.

    Args:
        elements: of a drawing, in the order of its file; their ranges are within bounds.
    """
    used: dict[tuple[str, str], Link] = {}
    kept: list[AnyElement] = []
    shared: list[SharedPort] = []
    for element in elements:
        if not isinstance(element, Link):
            kept.append(element)
            continue
        places = [
            (end.device, port)
            for end in (element.a, *element.through, element.b)
            for port in expand(end.ports)
        ]
        taken = next((place for place in places if place in used), None)
        if taken is None:
            kept.append(element)
            used.update(dict.fromkeys(places, element))
        else:
            shared.append(SharedPort(*taken, used[taken], element))
    return kept, tuple(shared)


__all__ = ["SharedPort", "without_shared_ports"]
