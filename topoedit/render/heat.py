"""How hot devices and groups are: the worst of the links at them."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topoedit.render.grouping import Grouping
from topoedit.render.loadscale import Codes
from topoedit.render.tables import Floats, LinkTable

Values = TypeVar("Values", np.uint8, np.float64)
_SHORT = 1 << 16  # so many different numbers are sorted in two passes over their bytes


class HeatIndex:
    """Which links are at which node, worked out once so that each new load is quickly shown.

    Args:
        grouping: groups and how many devices there are.
        links: all links.
    """

    def __init__(self, grouping: Grouping, links: LinkTable) -> None:
        self._grouping, self._links = grouping, links
        self._devices = len(grouping.of_device)

    @cached_property
    def _by_device(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Link rows sorted by device, the devices that have any, and where each begins."""
        device = np.concatenate((self._links.a, self._links.b))
        if self._devices <= _SHORT:
            device = device.astype(np.uint16)
        order = np.argsort(device, kind="stable")
        device = device[order]
        starts = np.flatnonzero(np.r_[True, device[1:] != device[:-1]])
        return order % len(self._links), device[starts].astype(np.intp), starts

    @cached_property
    def _levels(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Nodes and the groups right around them, from the innermost outwards."""
        groups, of_device, count = self._grouping.groups, self._grouping.of_device, self._devices
        held = np.flatnonzero(of_device >= 0)
        levels = [(held, count + of_device[held].astype(np.intp))]
        parents = np.array([g.parent for g in groups], dtype=np.intp)
        depths = np.array([g.depth for g in groups], dtype=np.intp)
        for depth in range(int(depths.max(initial=0)), 0, -1):
            inner = np.flatnonzero((depths == depth) & (parents >= 0))
            levels.append((count + inner, count + parents[inner]))
        return levels

    def codes(self, worst: Codes) -> Codes:
        """Hottest code at each node from the hotter code of both directions by link."""
        return self._highest(worst, np.zeros(self._nodes, np.uint8))

    def loads(self, loads: Floats) -> Floats:
        """Highest load at each node, NaN for none; from both directions, shape (2, links)."""
        worst = np.fmax(np.fmax(loads[0], loads[1]), -1.0)
        heat = self._highest(worst, np.full(self._nodes, -1.0))
        heat[heat < 0] = np.nan
        return heat

    @property
    def _nodes(self) -> int:
        return self._devices + len(self._grouping.groups)

    def _highest(self, of_link: NDArray[Values], found: NDArray[Values]) -> NDArray[Values]:
        if len(of_link):
            rows, devices, starts = self._by_device
            found[devices] = np.maximum.reduceat(of_link[rows], starts)
        for inner, around in self._levels:
            np.maximum.at(found, around, found[inner])
        return found
