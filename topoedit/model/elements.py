"""The elements of a drawing: small frozen structs, shared by reference between versions."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from topoedit.catalog.types import DeviceType, Kind
from topoedit.model import ports as port_ranges
from topoedit.model.floor import Airflow, Floor, Way
from topoedit.model.plan import Workload

GroupKind = Literal["rack", "pod", "room", "building", "site"]
Network = Literal["compute", "storage", "in-band", "out-of-band"]
FibreKind = Literal["", "smf", "mmf"]
Polish = Literal["", "APC", "UPC"]
Polarity = Literal["", "A", "B", "C"]


class Element(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag_field="is"
):
    """What every element has: an id that never changes, unique in its document.

    `extra` keeps fields of a newer or foreign writer, so that a round trip loses nothing.
    """

    id: str
    extra: dict[str, Any] | None = None


class PortOverride(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What differs from the type for some ports of one device (`names` is a range text).

    `pcie` is the address of the port's NIC on the bus, as the server tells it (`0000:18:00.0`).
    """

    names: str
    gbps: float | None = None
    role: str = ""
    cage_type: str = ""
    rail: int | None = None
    os_name: str = ""
    pcie: str = ""


class Device(Element, frozen=True, gc=False, kw_only=True, tag="device"):
    """A drawn thing.

    Attributes:
        type: catalogue id of its type.
        kind: its role on the drawing; may differ from the type's (a leaf used as a spine).
        group: id of the rack, pod, room, building or site that holds it ("" for none).
        x, y: centre on the drawing, in canvas units.
        unit: lowest rack unit, None if not placed.
        plane: index of its parallel fabric, None if its network has only one.
        failed: taken out of service for an analysis; carries nothing.
        guid: hardware identifier of an imported device.
    """

    name: str
    type: str
    kind: Kind
    group: str = ""
    x: float = 0.0
    y: float = 0.0
    unit: int | None = None
    network: Network = "compute"
    plane: int | None = None
    phase: str = ""
    tags: tuple[str, ...] = ()
    ports: tuple[PortOverride, ...] = ()
    address: str = ""
    guid: str = ""
    locked: bool = False
    failed: bool = False


class Ports(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """One end of a link: a device id and its ports as a range text (`33-34`)."""

    device: str
    ports: str

    @property
    def names(self) -> tuple[str, ...]:
        """The port names in cable order."""
        return port_ranges.expand(self.ports)


class Link(Element, frozen=True, gc=False, kw_only=True, tag="link"):
    """A drawn connection: a bundle of one or more cables between two devices.

    Cable i joins port i of `a` to port i of `b` and has the i-th id of `cables`.

    Attributes:
        cables: ids of the cables as a range text, one a port pair.
        medium: catalogue id of cable or optics ("" if unknown).
        gbps: rate of one cable per direction; None if unknown.
        length_m: length of one cable; None if unknown.
        failed: cables out of service (all of them when it equals the cable count).
        via: waypoints of a manual route, canvas units.
        km: distance for a link between sites; its delay follows from it.
        protocol: what it speaks where that is not plain from its ends: `roce-v1`, `roce-v2`,
            `fibre-channel` or `internet` (a public line), "" for the usual.
        through: panels that it runs through from `a` to `b`, with the ports it takes there: one a
            cable, or the same whole number of ports for each cable where it has several
            connectors. Then `length_m` is the whole way from `a` to `b`.
    """

    a: Ports
    b: Ports
    cables: str
    medium: str = ""
    gbps: float | None = None
    length_m: float | None = None
    km: float | None = None
    network: Network = "compute"
    plane: int | None = None
    rail: int | None = None
    phase: str = ""
    tags: tuple[str, ...] = ()
    label: str = ""
    failed: int = 0
    via: tuple[tuple[float, float], ...] = ()
    planned: bool = False
    protocol: str = ""
    through: tuple[Ports, ...] = ()

    @property
    def count(self) -> int:
        """Number of cables."""
        return port_ranges.count(self.cables)

    @property
    def cable_ids(self) -> tuple[str, ...]:
        """Ids of the cables in port order."""
        return port_ranges.expand(self.cables)

    def end_at(self, device: str) -> Ports:
        """The end at `device` (the `a` end of a link from a device to itself)."""
        return self.a if self.a.device == device else self.b

    def other(self, device: str) -> str:
        """The device at the other end."""
        return self.b.device if self.a.device == device else self.a.device


class Trunk(Element, frozen=True, gc=False, kw_only=True, tag="trunk"):
    """One fixed cable of many fibres between the rear sides of two patch panels.

    It joins port i of `a` to port i of `b`, with an equal share of its fibres for each.

    Attributes:
        fibres: fibres in all, a multiple of the ports.
        fibre: `smf` or `mmf`, "" if unknown.
        connector: plug of the trunk (`MPO-12`, `MPO-16`, `MPO-24`, `LC`); with two fibres a port
            and an MPO plug the panel's fronts are LC (a cassette).
        polish: `APC` or `UPC`, "" if unknown.
        polarity: method A, B or C of TIA-568, "" if unknown.
        length_m: None if it follows from where the panels stand, or is unknown.
        splices: splices in each fibre.
        failed: cut; no link through it carries anything.
    """

    a: Ports
    b: Ports
    fibres: int
    fibre: FibreKind = ""
    connector: str = "MPO-12"
    polish: Polish = ""
    polarity: Polarity = ""
    length_m: float | None = None
    splices: int = 0
    phase: str = ""
    tags: tuple[str, ...] = ()
    label: str = ""
    failed: bool = False

    @property
    def ports(self) -> int:
        """Number of ports at each panel."""
        return port_ranges.count(self.a.ports)

    @property
    def fibres_per_port(self) -> int:
        """Fibres behind one port; 0 if it has no ports."""
        return self.fibres // self.ports if self.ports else 0

    def end_at(self, panel: str) -> Ports:
        """The end at `panel`."""
        return self.a if self.a.device == panel else self.b


class Group(Element, frozen=True, gc=False, kw_only=True, tag="group"):
    """A rack, pod, room, building or site.

    Attributes:
        row, column: place of a rack on the grid of its room's floor.
        x_m, y_m: its centre on the floor, metres, where it does not stand on the grid.
        room: id of the room where a rack stands, where it is not the one that holds it (a pod
            may lie in two rooms).
        units: height of a rack.
        power_kw: the most it may draw; feed_a_kw and feed_b_kw: the most of each feed alone.
        cooling_kw: heat that is taken away from it.
        load_kg: the most that may be put into a rack, or stand in a room.
        airflow: way of the air through a rack, "" if unknown.
        floor: grid, trays and blocked cells of a room; None for those of the drawing.
    """

    name: str
    kind: GroupKind
    parent: str = ""
    collapsed: bool = False
    row: str = ""
    column: int | None = None
    units: int | None = None
    power_kw: float | None = None
    x: float | None = None
    y: float | None = None
    width: float | None = None
    height: float | None = None
    locked: bool = False
    room: str = ""
    x_m: float | None = None
    y_m: float | None = None
    feed_a_kw: float | None = None
    feed_b_kw: float | None = None
    cooling_kw: float | None = None
    load_kg: float | None = None
    airflow: Airflow = ""
    floor: Floor | None = None


class Note(Element, frozen=True, gc=False, kw_only=True, tag="note"):
    """A text on the drawing."""

    text: str
    x: float = 0.0
    y: float = 0.0
    width: float = 200.0
    height: float = 80.0


class SavedWorkload(Element, frozen=True, gc=False, kw_only=True, tag="workload"):
    """A named model and plan kept with the drawing."""

    name: str
    workload: Workload


class CustomType(Element, frozen=True, gc=False, kw_only=True, tag="type"):
    """A device type carried inside the file; its id is the type's id.

    `stamp` is a hash of the installed catalogue's entry when it was embedded ("" if it had none).
    """

    type: DeviceType
    stamp: str = ""


class Exclusion(Element, frozen=True, gc=False, kw_only=True, tag="exclusion"):
    """A rule finding that a person has accepted, with the reason."""

    rule: str
    elements: tuple[str, ...] = ()
    comment: str = ""


class Settings(Element, frozen=True, gc=False, kw_only=True, tag="settings"):
    """What holds for the whole document; there is exactly one, with the id `document`.

    Attributes:
        active: id of the saved workload that the editor analyses ("" for none).
        origin: how it was made, for example the template and its arguments.
        severities: rule id -> severity set for this document; `off` leaves the rule out.
        targets: tier (`leaf-spine`, `spine-core`) -> highest oversubscription wanted, down to up.
        floor: grid and trays of racks in no room, and of rooms without their own; None for usual.
        ways: lengths of cable between rooms, buildings or sites.
    """

    id: str = "document"
    name: str = ""
    description: str = ""
    active: str = ""
    origin: str = ""
    severities: dict[str, str] = {}
    targets: dict[str, float] = {}
    max_panels: int | None = None
    floor: Floor | None = None
    ways: tuple[Way, ...] = ()


class Foreign(Element, frozen=True, gc=False, kw_only=True, tag="foreign"):
    """An element of a kind this version does not know, kept as it was read and written back."""

    raw: dict[str, Any]


AnyElement = (
    Device
    | Link
    | Trunk
    | Group
    | Note
    | SavedWorkload
    | CustomType
    | Exclusion
    | Settings
    | Foreign
)
