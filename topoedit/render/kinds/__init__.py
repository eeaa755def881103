"""How each kind of device looks close up: one module a kind, found by itself.

A module names the kinds it draws and holds one object `PAINTER` with `near` and `inside`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Protocol

from topoedit.render.ink import Ink
from topoedit.render.looks import DeviceLook


class KindPainter(Protocol):
    """Draws devices of some kinds from 96 pixels of width on.

    Attributes:
        kinds: the styles of `DeviceLook.style` that it draws.
    """

    kinds: tuple[str, ...]

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Ports and parts in outline; 96 to 319 pixels wide."""

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """Everything inside with its figures; 320 pixels wide or more."""


@lru_cache(maxsize=1)
def painters() -> dict[str, KindPainter]:
    """The painter of each style."""
    found: dict[str, KindPainter] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        painter: KindPainter | None = getattr(module, "PAINTER", None)
        if painter is not None:
            found.update((kind, painter) for kind in painter.kinds)
    return found


def painter_of(style: str) -> KindPainter:
    """The painter of a style; that of the generic device for an unknown one."""
    known = painters()
    return known.get(style, known["switch"])
