"""Which networks, planes, tags and phases of a drawing are shown; view state, never saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from topoedit.model.elements import AnyElement, Device, Link


@dataclass(frozen=True)
class Layers:
    """What is hidden. An element is shown unless one of its properties is hidden.

    Attributes:
        networks: hidden networks.
        planes: hidden planes, by number.
        tags: hidden tags; an element goes when all its tags are hidden.
    """

    networks: frozenset[str] = field(default_factory=frozenset)
    planes: frozenset[int] = field(default_factory=frozenset)
    tags: frozenset[str] = field(default_factory=frozenset)

    @property
    def all_shown(self) -> bool:
        """Whether nothing is hidden."""
        return not (self.networks or self.planes or self.tags)

    def shows(self, element: AnyElement) -> bool:
        """Whether an element is shown; servers carry every network and hide only by tag."""
        if not isinstance(element, Device | Link):
            return True
        if element.tags and self.tags.issuperset(element.tags):
            return False
        if isinstance(element, Device) and element.kind == "server":
            return True
        if element.network in self.networks:
            return False
        return element.plane is None or element.plane not in self.planes
