"""What an importer hands over: nodes and cables as the file names them, nothing concluded."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.catalog.types import Kind
from topoedit.model.elements import GroupKind, Network


@dataclass(frozen=True)
class Adapter:
    """One network port of a host as its system names it.

    Attributes:
        name: the port's name on the drawing while the host's type is unknown.
        device: what the host calls the adapter, for example `mlx5_4` or `HCA-5`.
        index: its place among the host's adapters, from 0; None if it cannot be told.
        port: port number on the adapter, from 1.
    """

    name: str
    device: str = ""
    index: int | None = None
    port: int = 1


@dataclass(frozen=True)
class ParsedNode:
    """A device of the file.

    Attributes:
        key: what the cables refer to, unique in the file.
        name: its name for people; the builder makes names unique.
        kind: its role; `switch` lets connectivity decide between leaf, spine and core.
        model: what the file calls its model, for messages.
        type: catalogue id if the importer knows one, else "".
        adapters: the network ports of a host, in no particular order.
        named: False when the name is only an identifier that stands for a missing name.
        group: name of the group that holds it.
        position: centre on the drawing, if the file says it.
    """

    key: str
    name: str
    kind: Kind = "switch"
    model: str = ""
    type: str = ""
    adapters: tuple[Adapter, ...] = ()
    named: bool = True
    guid: str = ""
    group: str = ""
    position: tuple[float, float] | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParsedCable:
    """One physical cable between two ports; `gbps` per direction, None if unknown."""

    a: str
    a_port: str
    b: str
    b_port: str
    gbps: float | None = None
    network: Network = "compute"
    medium: str = ""
    length_m: float | None = None


@dataclass(frozen=True)
class ParsedGroup:
    """A rack, pod, building or site of the file."""

    name: str
    kind: GroupKind
    parent: str = ""


@dataclass(frozen=True)
class Parsed:
    """Everything an importer found.

    Attributes:
        warnings: what could not be kept or understood, for people.
    """

    nodes: tuple[ParsedNode, ...]
    cables: tuple[ParsedCable, ...]
    groups: tuple[ParsedGroup, ...] = ()
    name: str = ""
    warnings: tuple[str, ...] = ()
