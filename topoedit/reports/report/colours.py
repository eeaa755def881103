"""The colours of reports: the light theme's tokens, for paper is white."""

from __future__ import annotations

import json
from functools import lru_cache
from math import isnan

from topoedit.paths import resources
from topoedit.render.loadcodes import BINS


@lru_cache(maxsize=1)
def _light() -> dict[str, object]:
    text = (resources() / "tokens.json").read_text(encoding="utf-8")
    themes: dict[str, dict[str, object]] = json.loads(text)["themes"]
    return themes["light"]


def hex_of(path: str) -> str:
    """The colour at a token path, for example `traffic.EP`, as #RRGGBB.

    Raises:
        KeyError: there is no such token.
    """
    found: object = _light()
    for key in path.split("."):
        if not isinstance(found, dict):
            raise KeyError(path)
        found = found[key]
    return str(found)[:7]


def load_bins() -> tuple[str, ...]:
    """The load ramp, from 0 to 100 %."""
    bins = _light()["load"]
    if not isinstance(bins, dict):
        raise KeyError("load.bins")
    return tuple(bins["bins"])


def load_hex(load: float | None) -> str:
    """The colour of a load: never stretched to the data, 100 % is always the top."""
    if load is None or isnan(load):
        return hex_of("surface.pressed")
    if load <= 0:
        return hex_of("load.idle")
    if load > 1 + 1e-9:
        return hex_of("load.overload")
    return load_bins()[min(BINS - 1, int(load * BINS))]
