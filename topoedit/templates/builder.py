"""Collects groups, devices and links of a cluster in the making."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Kind
from topoedit.model.edits import Edit
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Group,
    GroupKind,
    Link,
    Network,
    Ports,
)
from topoedit.model.ports import collapse
from topoedit.templates.floor import Spot, is_copper, length_m, medium_for, row_label
from topoedit.templates.hardware import RACK_UNITS, Switch, slower
from topoedit.templates.straight import Cages, cages, is_straight


@dataclass(frozen=True)
class End:
    """One end of a bundle: a device, its ports in cable order and what they run at."""

    device: str
    ports: Sequence[str]
    gbps: float | None
    fabric: str = ""


@dataclass
class Builder:
    """Elements so far; ids of devices and groups are their names."""

    catalog: Catalog
    types: dict[str, CustomType] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    spots: dict[str, Spot] = field(default_factory=dict)
    racks: dict[str, tuple[int, int]] = field(default_factory=dict)
    cables: int = 0
    _media: dict[tuple[float | None, float, str, bool], str] = field(default_factory=dict)
    _ranges: dict[tuple[str, ...], str] = field(default_factory=dict)
    _types: dict[str, DeviceType] = field(default_factory=dict)
    _cages: dict[str, Cages] = field(default_factory=dict)

    def group(self, name: str, kind: GroupKind, parent: str = "") -> str:
        """A pod, building or site; its id."""
        self.groups.append(Group(id=name, name=name, kind=kind, parent=parent))
        return name

    def rack(self, name: str, row: int, column: int, parent: str = "") -> str:
        """A rack at a place on the floor (both from 0); its id."""
        self.racks[name] = (row, column)
        self.groups.append(
            Group(
                id=name,
                name=name,
                kind="rack",
                parent=parent,
                row=row_label(row),
                column=column + 1,
                units=RACK_UNITS,
            )
        )
        return name

    def carry(self, switch: Switch) -> None:
        """Put a broken-out switch type into the drawing."""
        if switch.custom is not None:
            self.types[switch.custom.id] = switch.custom

    def device(
        self,
        name: str,
        type_: DeviceType,
        kind: Kind,
        rack: str,
        centre: tuple[float, float],
        unit: int,
        network: Network = "compute",
    ) -> str:
        """A device in a rack; its id."""
        row, column = self.racks[rack]
        self.spots[name] = Spot(row, column, unit)
        self._types[name] = type_
        self.devices.append(
            Device(
                id=name,
                name=name,
                type=type_.id,
                kind=kind,
                group=rack,
                x=centre[0],
                y=centre[1],
                unit=unit,
                network=network,
            )
        )
        return name

    def link(self, a: End, b: End, rail: int | None = None, network: Network = "compute") -> None:
        """A bundle that joins port i of `a` to port i of `b`, with length and medium."""
        metres = length_m(self.spots[a.device], self.spots[b.device])
        gbps = slower(a.gbps, b.gbps)
        first, count = self.cables + 1, len(a.ports)
        self.cables += count
        self.links.append(
            Link(
                id=f"link-c{first}",
                a=Ports(a.device, self._range(a.ports)),
                b=Ports(b.device, self._range(b.ports)),
                cables=f"c{first}" if count == 1 else f"c{first}-{first + count - 1}",
                medium=self._medium_of(a, b, gbps, metres),
                gbps=gbps,
                length_m=metres,
                network=network,
                rail=rail,
            )
        )

    def _medium_of(self, a: End, b: End, gbps: float | None, metres: float) -> str:
        """The usual medium; copper only where its plugs fill their cages."""
        fabric = a.fabric or b.fabric
        usual = self._medium(gbps, metres, fabric, copper=True)
        if not is_copper(usual):
            return usual
        if is_straight(a.ports, b.ports, self._cages_of(a.device), self._cages_of(b.device)):
            return usual
        return self._medium(gbps, metres, fabric, copper=False) or usual

    def _medium(self, gbps: float | None, metres: float, fabric: str, *, copper: bool) -> str:
        key = (gbps, metres, fabric, copper)
        if key not in self._media:
            self._media[key] = medium_for(self.catalog, gbps, metres, fabric, copper=copper)
        return self._media[key]

    def _cages_of(self, device: str) -> Cages:
        kind = self._types[device]
        if kind.id not in self._cages:
            self._cages[kind.id] = cages(kind)
        return self._cages[kind.id]

    def _range(self, names: Sequence[str]) -> str:
        key = tuple(names)
        if key not in self._ranges:
            self._ranges[key] = collapse(key)
        return self._ranges[key]

    def elements(self) -> tuple[AnyElement, ...]:
        """Everything, types and groups first."""
        return (*self.types.values(), *self.groups, *self.devices, *self.links)

    def edit(self, label: str) -> Edit:
        """One edit that draws everything."""
        return Edit(label, put=self.elements())


def padded(prefix: str, number: int, total: int) -> str:
    """`node-007` of 127: digits as wide as the largest number, at least two.

    >>> padded("node-", 7, 127)
    'node-007'
    """
    width = max(2, int(math.log10(max(total, 1))) + 1)
    return f"{prefix}{number:0{width}d}"
