"""Values that should be unique among devices and are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from topoedit.model.elements import Device
from topoedit.rules._words import some
from topoedit.rules.base import Problem
from topoedit.rules.context import Context


def shared(
    context: Context, value: Callable[[Device], str], what: str, fix: str, *, mendable: bool = False
) -> Iterator[Problem]:
    """A problem for each value that several devices have."""
    keys = [value(device) for device in context.devices.items]
    named = [key for key in keys if key]
    if len(set(named)) == len(named):
        return
    seen: dict[str, list[int]] = {}
    for row, key in enumerate(keys):
        if key:
            seen.setdefault(key, []).append(row)
    for key, rows in seen.items():
        if len(rows) > 1:
            names = [context.name(row) for row in rows]
            text = f"{len(rows)} devices have the {what} {key}: {some(names, 6)}"
            yield Problem(context.ids(rows), text, fix, mendable)
