"""Sizes on the canvas, in canvas units, shared by everything that places devices."""

from __future__ import annotations

from topoedit.catalog.types import Kind

SERVER_WIDTH, SERVER_HEIGHT = 108.0, 116.0
SWITCH_WIDTH, SWITCH_HEIGHT = 108.0, 44.0
SPINE_WIDTH = 148.0
COLUMN_PITCH = 124.0
ROW_PITCH = 124.0
PADDING = 12.0
HEADER = 32.0
MARGIN = PADDING + HEADER
GAP = 16.0
FAN = 96.0


RACK_SCALE_HEIGHT = 148.0


def size(kind: Kind, trays: int | None = None) -> tuple[float, float]:
    """Width and height of a drawn device; `trays` above 1 is a rack drawn as one server.

    >>> size("leaf")
    (108.0, 44.0)
    """
    if kind == "server":
        tall = (trays or 0) > 1
        return SERVER_WIDTH, RACK_SCALE_HEIGHT if tall else SERVER_HEIGHT
    if kind in ("spine", "core"):
        return SPINE_WIDTH, SWITCH_HEIGHT
    return SWITCH_WIDTH, SWITCH_HEIGHT
