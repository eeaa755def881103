"""Which layers devices and links are in, as numbers: alike elements share one, and are judged once.

A drawing may have 300,000 links in a dozen different combinations of layers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from topoedit.model.elements import Device, Link
from topoedit.model.layers import Layers

Codes = NDArray[np.int32]
ElementT = TypeVar("ElementT", Device, Link)


@dataclass
class LayerCodes(Generic[ElementT]):
    """Numbers of combinations of layers, in the order in which they were met.

    Attributes:
        samples: one element and its rail (-1 for none) for each number.
    """

    samples: list[tuple[ElementT, int]] = field(default_factory=list)
    _known: dict[Hashable, int] = field(default_factory=dict)

    def take(self, elements: Iterable[ElementT], rails: Iterable[int] | None = None) -> Codes:
        """The number of each element.

        Args:
            elements: devices or links.
            rails: rail of each link, -1 for none or several; None for devices.
        """
        known, samples = self._known, self.samples
        found: list[int] = []
        for element, key, rail in _keys(elements, rails):
            code = known.get(key)
            if code is None:
                code = known[key] = len(samples)
                samples.append((element, rail))
            found.append(code)
        return np.array(found, dtype=np.int32)

    def states(self, layers: Layers) -> NDArray[np.uint8]:
        """SHOWN, DIMMED or HIDDEN by number."""
        return np.array(
            [layers.state_of(element, rail) for element, rail in self.samples], dtype=np.uint8
        )


def _keys(
    elements: Iterable[ElementT], rails: Iterable[int] | None
) -> Iterator[tuple[ElementT, Hashable, int]]:
    if rails is not None:
        for link, rail in zip(elements, rails, strict=True):
            yield link, (link.network, link.plane, link.phase, link.tags, rail), rail
        return
    for device in elements:
        server = getattr(device, "kind", "") == "server"  # a server carries every network
        yield device, (server, device.network, device.plane, device.phase, device.tags), -1
