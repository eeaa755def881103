"""Oversubscription: what comes from below over what goes up, switch by switch and tier by tier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Bools, Floats
from topoedit.model.document import Document
from topoedit.rules._tables import CORE, LEAF, SERVER, SPINE, STORAGE
from topoedit.rules.context import TIERS, Context


@dataclass(frozen=True, eq=False)
class Ratios:
    """One tier, seen from the switches at its lower end; Gb/s per direction of all cables drawn.

    Attributes:
        tier: `leaf-spine` or `spine-core`.
        switch: rows of the switches that have cables upwards.
        down, up: Gb/s on their cables down and up; NaN if a rate is unknown.
    """

    tier: str
    switch: np.ndarray
    down: Floats
    up: Floats

    @property
    def ratio(self) -> Floats:
        """Down over up; NaN where a rate is unknown or nothing goes up."""
        empty = np.full(len(self.up), np.nan)
        return np.asarray(np.divide(self.down, self.up, out=empty, where=self.up > 0))

    @property
    def whole(self) -> float:
        """Down over up of the whole tier; NaN if a rate is unknown or nothing goes up."""
        up = float(self.up.sum())
        return float(self.down.sum()) / up if up > 0 else float("nan")


def tier_ratios(context: Context) -> tuple[Ratios, ...]:
    """The compute network's tiers that have cables."""
    found = context.kept.get("ratios")
    if not isinstance(found, tuple):
        found = context.kept["ratios"] = _tier_ratios(context)
    return found


def _tier_ratios(context: Context) -> tuple[Ratios, ...]:
    cables, links, kind = context.cables, context.links, context.devices.kind
    used = context.compute[cables.link] & cables.works
    link = cables.link[used]
    a, b, gbps = links.a[link], links.b[link], cables.gbps[used]
    drawn_a, drawn_b = links.a[context.compute], links.b[context.compute]
    count = len(kind)
    low = {LEAF: (SERVER, STORAGE), SPINE: (LEAF,), CORE: (SPINE,)}
    found = []
    for name, below, above in TIERS:
        up = _sums(kind, a, b, gbps, below, (above,), count)
        down = _sums(kind, a, b, gbps, below, low[below], count)
        has = np.bincount(drawn_a[kind[drawn_b] == above], minlength=count)
        has += np.bincount(drawn_b[kind[drawn_a] == above], minlength=count)
        switch = np.flatnonzero((kind == below) & (has > 0))
        if len(switch):
            found.append(Ratios(name, switch, down[switch], up[switch]))
    return tuple(found)


def _sums(
    kind: np.ndarray, a: np.ndarray, b: np.ndarray, gbps: Floats, own: int,
    towards: tuple[int, ...], count: int,
) -> Floats:  # fmt: skip
    """Gb/s of each device of one kind on cables to devices of other kinds."""
    one: Bools = (kind[a] == own) & np.isin(kind[b], towards)
    other: Bools = (kind[b] == own) & np.isin(kind[a], towards)
    sums = np.zeros(count)
    for chosen, end in ((one, a), (other, b)):
        sums += np.asarray(np.bincount(end[chosen], gbps[chosen], count), float)
    return sums


def host_rate(context: Context) -> float:
    """Gb/s of all servers into the compute network; NaN if a rate is unknown."""
    cable = context.hosts.cable
    return float(context.cables.gbps[cable][context.cables.works[cable]].sum())


def targets(document: Document) -> tuple[dict[str, float], str]:
    """Highest ratio wanted for each tier and where that is said: the settings, or the template.

    The drawing's origin is the command that made it; its `--oversubscription` is meant for the
    leaves.
    """
    settings = document.settings
    if settings.targets:
        return dict(settings.targets), "stated in this document"
    words = settings.origin.split()
    if "--oversubscription" in words[:-1]:
        text = words[words.index("--oversubscription") + 1]
        try:
            return {"leaf-spine": float(text)}, "given to the template"
        except ValueError:
            return {}, ""
    return {}, ""
