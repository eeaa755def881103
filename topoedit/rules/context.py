"""What a rule looks at: the drawing, its catalogue and arrays that all rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Llm, Medium, Port
from topoedit.engine.placement import Placement
from topoedit.engine.types import Bools, Fabric, Floats, Ints, Longs
from topoedit.engine.workload.resolve import ResolvedPlan
from topoedit.layout.routes import Router
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.plan import Workload
from topoedit.model.shared_ports import SharedPort
from topoedit.rules import _tables as tables
from topoedit.rules._clusters import clusters
from topoedit.rules._tables import COMPUTE, CORE, LEAF, NETWORKS, SERVER, SPINE
from topoedit.rules._words import some

_STRAY = 1_000_000
"""Codes from here on are of ports that no type lists."""
TIERS = (("leaf-spine", LEAF, SPINE), ("spine-core", SPINE, CORE))


@dataclass(frozen=True)
class PlanOnFabric:
    """A workload made whole: its plan, model and where its ranks are."""

    workload: Workload
    llm: Llm
    plan: ResolvedPlan
    placement: Placement


@dataclass(frozen=True, eq=False)
class Tier:
    """The cables of one tier of one network, seen from below.

    Attributes:
        name: `leaf-spine` or `spine-core`.
        lower, upper: rows of the devices at both ends of each link; link: its row.
        pod: cluster of each device that is an upper end; low_pod: of each lower one.
    """

    name: str
    network: int
    lower: Ints
    upper: Ints
    link: Longs
    pod: Ints
    low_pod: Ints


@dataclass(frozen=True, eq=False)
class HostCables:
    """Cables between servers and the switches above them, in the compute network.

    Attributes:
        cable: row in `Context.cables`.
        server, leaf: rows of the devices.
        port: place of the server's port in the arrays of `Links.runs`.
        slot: code of the port in the list of its type (a stray port has one of its own).
        unit: cluster of the leaf; own_unit: the one most of the server's cables go to.
    """

    cable: Longs
    server: Ints
    leaf: Ints
    port: Longs
    slot: Ints
    unit: Ints
    own_unit: Ints


def _figures(values: Iterable[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], float)


class Context:
    """A drawing as rules see it.

    Args:
        document: the drawing.
        catalog: what it is made of; the document's own by default.
        fabric: its compute network as arrays, if compiled.
        plan: the workload laid on that fabric, if there is one.
        shared: ports in which the file has a second cable, which is not in the drawing.
    """

    def __init__(
        self,
        document: Document,
        catalog: Catalog | None = None,
        fabric: Fabric | None = None,
        plan: PlanOnFabric | None = None,
        shared: tuple[SharedPort, ...] = (),
    ) -> None:
        self.document = document
        self.catalog = catalog if catalog is not None else document.catalog
        self.fabric = fabric
        self.plan = plan
        self.shared = shared
        self.kept: dict[str, object] = {}
        """What one rule worked out and another may use."""

    # -- tables --------------------------------------------------------------------------------

    @cached_property
    def devices(self) -> tables.Devices:
        """All devices."""
        return tables.device_table(self.document)

    @cached_property
    def links(self) -> tables.Links:
        """All links."""
        return tables.link_table(self.document, self.devices, self.catalog)

    @cached_property
    def lengths(self) -> Floats:
        """Metres of each link's cables: as drawn, else by the way between the racks (`routes`)."""
        return np.where(np.isnan(self.links.metres), self._ways[0], self.links.metres)

    @cached_property
    def least_lengths(self) -> Floats:
        """Metres without which no cable can join the ends: as drawn, else the bare way."""
        return np.where(np.isnan(self.links.metres), self._ways[1], self.links.metres)

    @cached_property
    def _ways(self) -> tuple[Floats, Floats]:
        """Metres of cable that each link without a length needs, with slack and at the least."""
        links, devices = self.links, self.devices
        need, least = np.full(len(links), np.nan), np.full(len(links), np.nan)
        rows = np.flatnonzero(np.isnan(links.metres) & links.racks_known)
        if not len(rows):
            return need, least
        router = Router(self.document)
        ends = np.concatenate([links.a[rows], links.b[rows]])
        used = tables.distinct(ends)
        found = (router.berth(devices.items[row]) for row in used.tolist())
        codes, berths = tables.encode(found, len(used))
        code = codes[np.searchsorted(used, ends)]
        first, kind = tables.alike(code[: len(rows)], code[len(rows) :])
        pairs = (code[: len(rows)][first].tolist(), code[len(rows) :][first].tolist())
        routes = [router.between(berths[a], berths[b]) for a, b in zip(*pairs, strict=True)]
        need[rows] = _figures(route and route.need_m for route in routes)[kind]
        least[rows] = _figures(route and route.least_m for route in routes)[kind]
        return need, least

    @cached_property
    def is_routed(self) -> Bools:
        """Links whose length is not drawn and follows from the way between the racks."""
        return np.asarray(np.isnan(self.links.metres) & ~np.isnan(self.lengths))

    @cached_property
    def cables(self) -> tables.Cables:
        """All cables."""
        return tables.cable_table(self.links)

    @cached_property
    def compute(self) -> Bools:
        """Links in the compute path."""
        return np.asarray((self.links.network == COMPUTE) & ~self.links.planned)

    @cached_property
    def is_switch(self) -> Bools:
        """Devices that forward packets of the data network."""
        kind = self.devices.kind
        return (kind >= LEAF) & (kind <= tables.ROUTER)

    @cached_property
    def fabrics(self) -> list[str]:
        """Technology of each device type ("" if it says none)."""
        return [kind.fabric for kind in self.devices.types]

    @cached_property
    def link_fabric(self) -> tuple[Ints, list[str]]:
        """Technology of each link, from the switch at either end, as a code; the names."""
        codes, names = tables.encode(["", *self.fabrics])
        codes = codes[1:]
        a, b = (codes[self.devices.type[end]] for end in (self.links.a, self.links.b))
        return np.where(a > 0, a, b).astype(np.int32), names

    # -- structure -----------------------------------------------------------------------------

    @cached_property
    def tiers(self) -> tuple[Tier, ...]:
        """Every tier of every network that has cables."""
        kind, links = self.devices.kind, self.links
        low = np.minimum(kind[links.a], kind[links.b])
        high = np.maximum(kind[links.a], kind[links.b])
        found = []
        for network in range(len(NETWORKS)):
            for name, below, above in TIERS:
                here = (low == below) & (high == above) & (links.network == network)
                rows = np.flatnonzero(here & ~links.planned)
                if len(rows):
                    found.append(self._tier(name, network, rows, below))
        return tuple(found)

    def _tier(self, name: str, network: int, rows: Longs, below: int) -> Tier:
        lower, upper = self.ends(rows, self.devices.kind == below)
        pod, low_pod = clusters(lower, upper, len(self.devices))
        return Tier(name, network, lower, upper, rows, pod, low_pod)

    def ends(self, rows: Longs, is_lower: Bools) -> tuple[Ints, Ints]:
        """The lower and the upper device of some links; `is_lower` tells them apart."""
        a, b = self.links.a[rows], self.links.b[rows]
        first = is_lower[a]
        return np.where(first, a, b), np.where(first, b, a)

    @cached_property
    def hosts(self) -> HostCables:
        """Cables from servers to switches in the compute network."""
        links, cables, devices = self.links, self.cables, self.devices
        server = devices.kind == SERVER
        joins = (server[links.a] & self.is_switch[links.b]) | (
            server[links.b] & self.is_switch[links.a]
        )
        cable = np.flatnonzero((joins & self.compute)[cables.link])
        rows = cables.link[cable]
        low, high = self.ends(rows, server)
        port = np.where(server[links.a[rows]], cables.port_a[cable], cables.port_b[cable])
        place = links.runs.place[port]
        slot = np.where(place < 0, _STRAY + self._stray[0][port], place).astype(np.int32)
        unit, own = clusters(low, high, len(devices))
        return HostCables(cable, low, high, port, slot, unit[high], own[low])

    @cached_property
    def _stray(self) -> tuple[Ints, list[str]]:
        return tables.encode([port.name for port in self.links.runs.ports])

    def slot_name(self, device: int, slot: int) -> str:
        """Name of the port with a code of `HostCables.slot`."""
        if slot >= _STRAY:
            return self._stray[1][slot - _STRAY]
        return self.type_of(device).port_list[slot].name

    @cached_property
    def kinds(self) -> tuple[Longs, ...]:
        """Rows of links that are alike in device types, ports, rate, medium and network."""
        links, types = self.links, self.devices.type
        like = links.runs.like
        columns = (
            types[links.a], types[links.b], like[links.run_a], like[links.run_b], links.gbps,
            links.medium, links.network, links.planned,
        )  # fmt: skip
        return tuple(tables.by_kind(np.arange(len(links)), columns))

    @cached_property
    def switch_pairs(self) -> tuple[Longs, Longs]:
        """Pairs of devices joined by working compute cables, each once, the lower row first."""
        links = self.links
        works = self.compute & (links.failed < links.cables)
        works &= ~(self.devices.failed[links.a] | self.devices.failed[links.b])
        a, b = links.a[works], links.b[works]
        return tables.distinct_pairs(np.minimum(a, b), np.maximum(a, b))

    # -- names ---------------------------------------------------------------------------------

    def name(self, row: int) -> str:
        """Name of a device."""
        return self.devices.items[row].name

    def ids(self, rows: Ints | Longs | list[int]) -> tuple[str, ...]:
        """Ids of devices."""
        items = self.devices.items
        return tuple([items[row].id for row in np.asarray(rows).tolist()])

    def names(self, rows: Ints | Longs | list[int], shown: int = 3) -> str:
        """Names of the first devices and how many more there are."""
        head = [self.name(int(row)) for row in rows[: shown + 1]]
        return some([*head[:shown], *([""] * (len(rows) - shown))], shown)

    def link(self, row: int) -> Link:
        """A link."""
        return self.links.items[row]

    def link_ids(self, rows: Ints | Longs | list[int]) -> tuple[str, ...]:
        """Ids of links."""
        items = self.links.items
        return tuple([items[row].id for row in np.asarray(rows).tolist()])

    def link_name(self, row: int) -> str:
        """A link by both its ends: `leaf-1:33 – spine-1:1`."""
        link = self.links.items[row]
        a, b = self.name(int(self.links.a[row])), self.name(int(self.links.b[row]))
        return f"{a}:{link.a.ports} – {b}:{link.b.ports}"

    def ports(self, row: int) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
        """The ports at both ends of a link, cable by cable."""
        links = self.links
        first = links.runs.first
        runs = (int(links.run_a[row]), int(links.run_b[row]))
        one, other = (tuple(links.runs.ports[first[r] : first[r + 1]]) for r in runs)
        return one, other

    def medium(self, row: int) -> Medium | None:
        """The medium of a link, None if it names none that is known."""
        return self.links.media[int(self.links.medium[row])]

    def type_of(self, row: int) -> DeviceType:
        """The type of a device."""
        return self.devices.types[int(self.devices.type[row])]

    def fabric_of(self, row: int) -> str:
        """Technology of the network that a link belongs to, "" if unknown."""
        codes, names = self.link_fabric
        return names[int(codes[row])]

    def medium_figure(self, value: Callable[[Medium], float | None]) -> Floats:
        """A figure of each link's medium; NaN where it is not known."""
        table = np.array([np.nan if m is None else value(m) for m in self.links.media], float)
        return table[self.links.medium] if len(self.links) else np.zeros(0)
