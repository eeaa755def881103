"""Layers of a drawing: networks, rails, planes, phases and tags, each shown, dimmed or hidden.

What is shown is a matter of the view and of a picture, never of the drawing: nothing here is saved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from topoedit.errors import BadInputError
from topoedit.model.elements import AnyElement, Device, Link

LayerKind = Literal["network", "rail", "plane", "phase", "tag"]
Key = tuple[LayerKind, str]
"""A layer, for example `("rail", "3")` or `("network", "storage")`."""

SHOWN, DIMMED, HIDDEN = 0, 1, 2
KINDS: tuple[LayerKind, ...] = get_args(LayerKind)
_NETWORKS = ("compute", "storage", "in-band", "out-of-band")


@dataclass(frozen=True)
class Layers:
    """Which layers are dimmed or hidden.

    An element with several tags takes the state of the tag that is shown best; for everything
    else the strongest state of its layers holds.

    Attributes:
        hidden: layers that are left out.
        dimmed: layers that sink into the canvas.
        solo: the one layer of its kind that stands out: all others of that kind are dimmed.
    """

    hidden: frozenset[Key] = field(default_factory=frozenset)
    dimmed: frozenset[Key] = field(default_factory=frozenset)
    solo: Key | None = None

    @property
    def all_shown(self) -> bool:
        """Whether nothing is hidden or dimmed."""
        return not (self.hidden or self.dimmed or self.solo)

    def state(self, key: Key) -> int:
        """SHOWN, DIMMED or HIDDEN."""
        if key in self.hidden:
            return HIDDEN
        other = self.solo is not None and self.solo[0] == key[0] and self.solo != key
        return DIMMED if other or key in self.dimmed else SHOWN

    def put(self, key: Key, state: int) -> Layers:
        """The same layers with one of them in another state."""
        hidden, dimmed = self.hidden - {key}, self.dimmed - {key}
        if state == HIDDEN:
            hidden |= {key}
        elif state == DIMMED:
            dimmed |= {key}
        solo = None if key == self.solo and state != SHOWN else self.solo
        return Layers(hidden, dimmed, solo)

    def only(self, key: Key | None) -> Layers:
        """One layer alone, or none again if it is alone already."""
        return replace(self, solo=None if key == self.solo else key)

    def state_of(self, element: AnyElement, rail: int | None = None) -> int:
        """The state of a device or link by its own properties; other elements are shown.

        Args:
            element: the element.
            rail: the rail that a link serves, where the link itself does not say.
        """
        if isinstance(element, Link):
            rail = element.rail if element.rail is not None else rail
            return self._combined(element.network, element.plane, element.phase, element.tags, rail)
        if isinstance(element, Device):
            if element.kind == "server":  # carries every network
                return self._combined("", None, element.phase, element.tags, None)
            return self._combined(element.network, element.plane, element.phase, element.tags, None)
        return SHOWN

    def shows(self, element: AnyElement) -> bool:
        """Whether an element is not hidden."""
        return self.state_of(element) != HIDDEN

    def _combined(
        self, network: str, plane: int | None, phase: str, tags: Iterable[str], rail: int | None
    ) -> int:
        states = [min((self.state(("tag", tag)) for tag in tags), default=SHOWN)]
        if network:
            states.append(self.state(("network", network)))
        if plane is not None:
            states.append(self.state(("plane", str(plane))))
        if phase:
            states.append(self.state(("phase", phase)))
        if rail is not None and rail >= 0:
            states.append(self.state(("rail", str(rail))))
        return max(states)


def parse_key(text: str) -> Key:
    """The layer that a text names: `storage`, `rail=3`, `plane=1`, `phase=2`, `tag=new`.

    Raises:
        BadInputError: it names no layer.
    """
    kind, equals, name = text.partition("=")
    if not equals and text in _NETWORKS:
        return ("network", text)
    for known in KINDS:
        if kind == known and name:
            if known in ("rail", "plane") and not name.isdecimal():
                break
            if known == "network" and name not in _NETWORKS:
                break
            return (known, name)
    raise BadInputError(
        f'"{text}" names no layer',
        mend="Use compute, storage, in-band or out-of-band, or rail=3, plane=1, phase=2, tag=new",
    )
