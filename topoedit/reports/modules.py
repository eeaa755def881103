"""What is bought for every link: modules in cages at both ends, fibre and copper assemblies.

Links are not cables. A twin-port cage takes one module, or one plug of copper, for both its ports;
a split port shares its cage; an 800G port on two connectors takes two fibres; co-packaged optics
and patch panels take fibre without a module.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

from topoedit.catalog.types import DeviceType, Medium
from topoedit.errors import BadInputError, CancelledError
from topoedit.layout.routes import Route, Router
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.reports.bought import Cable as Cable
from topoedit.reports.bought import Lengths as Lengths
from topoedit.reports.bought import Module as Module
from topoedit.reports.bought import Plug as Plug
from topoedit.reports.bought import Purchase as Purchase
from topoedit.reports.bought import Strand, crossed, groups, lengths_of, node
from topoedit.reports.panel_cables import PanelCables
from topoedit.reports.parts import ModulePart, Parts, load_parts
from topoedit.reports.places import places
from topoedit.reports.ports import Port, PortBook
from topoedit.reports.selling import LINES, Shop, Sold, runs_through_panels, takes_modules

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
_EVERY = 4096


class _Use:
    """What the cables of one medium in one cage ask of its module."""

    __slots__ = ("link", "medium", "need_m", "plug", "ports")

    def __init__(self, plug: Plug, medium: Medium, link: Link) -> None:
        self.plug, self.medium, self.link = plug, medium, link
        self.need_m: float | None = None
        self.ports = 0


class _Run(NamedTuple):
    """What one drawn cable takes.

    Attributes:
        fibres: assemblies side by side; `sold` is what each is.
        shares: whether it shares a connector or plug with others.
        unclear: ends in shared cages whose module is not known.
        bare: for both ends, whether fibre goes in without a module.
        plugs: for both ends, connectors or plugs that the ports of a cage share; 0 if the port
            has its own.
    """

    fibres: int
    shares: bool
    unclear: int
    sold: Sold
    bare: tuple[bool, bool]
    plugs: tuple[int, int] = (0, 0)


def purchase(
    document: Document,
    parts: Parts | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Purchase:
    """Resolve the links of a drawing into what is bought and pulled.

    Raises:
        CancelledError: `cancel` said so.
    """
    return _Buyer(document, parts or load_parts()).run(progress, cancel)


class _Buyer:
    def __init__(self, document: Document, parts: Parts) -> None:
        self.document = document
        self.shop = Shop(parts)
        self.ports = PortBook(document)
        self.router = Router(document)
        self.places = places(document, self.router)
        self.cables: list[Cable] = []
        self.uses: dict[tuple[str, str, str], _Use] = {}
        self.strands: dict[tuple[str, bool], list[Strand]] = defaultdict(list)
        self.noted: Counter[str] = Counter()
        self._media: dict[str, Medium | None] = {}
        self._lengths: dict[tuple[object, ...], Lengths] = {}
        self._routes: list[Route | None] = []
        self._runs: dict[tuple[object, ...], _Run] = {}
        self._bare: dict[str, bool] = {}
        self.panels = PanelCables(document, self.shop, self.ports, self.router, self.places)

    def run(self, progress: Progress | None, cancel: Cancel | None) -> Purchase:
        links = list(self.document.links.values())
        for number, link in enumerate(links):
            if number % _EVERY == 0:
                _step("Resolving cables", number / max(1, len(links)), progress, cancel)
            self._link(link)
        for (_, fibre), strands in self.strands.items():
            self._bundle(strands, fibre=fibre)
        self.cables += self.panels.shared_and_trunks()
        modules = [self._module(use) for use in self.uses.values()]
        self._note_cages()
        return Purchase(self.cables, modules, self.places, self.ports, self._notes())

    # -- one link ------------------------------------------------------------------------------

    def medium(self, name: str) -> Medium | None:
        if name not in self._media:
            try:
                self._media[name] = self.document.catalog.medium(name) if name else None
            except BadInputError:
                self._media[name] = None
        return self._media[name]

    def _link(self, link: Link) -> None:
        a, b = self.document.devices[link.a.device], self.document.devices[link.b.device]
        lengths = self._lengths_of(link, a, b)
        medium = self.medium(link.medium)
        ids = link.cable_ids
        ports_a, ports_b = self.ports.of(a), self.ports.of(b)
        plugs = [
            (
                Plug(a.id, ports_a.get(name) or self.ports.port(a, name)),
                Plug(b.id, ports_b.get(other) or self.ports.port(b, other)),
            )
            for name, other in zip(link.a.names, link.b.names, strict=True)
        ]
        if lengths.need_m is None and link.km is None:
            self.noted["no-length"] += len(ids)
        if medium is None:
            self.noted["no-medium"] += len(ids)
        optical = takes_modules(medium)
        patched = bool(link.through) and runs_through_panels(medium)
        self.noted["attached"] += len(ids) if link.through and not patched else 0
        for index, (cable, (here, there)) in enumerate(zip(ids, plugs, strict=True)):
            run = self._run_of(link, medium, lengths.need_m, (here.port, there.port), (a, b))
            if optical and medium is not None:
                self._use(here, medium, link, lengths.need_m, run, 0)
                self._use(there, medium, link, lengths.need_m, run, 1)
            if patched and medium is not None:
                ends, whole = (here, there), lengths.need_m
                self.cables += self.panels.jumpers(link, medium, index, ends, run.plugs, whole)
            elif run.shares and medium is not None:
                near, far = node(here, run.plugs[0]), node(there, run.plugs[1])
                strand = Strand(cable, link, here, there, medium, lengths, near, far)
                self.strands[medium.id, optical].append(strand)
            elif run.fibres == 1:
                one = Cable(cable, (cable,), link, (here,), (there,), run.sold, lengths)
                self.cables.append(one)
            else:
                self.cables += (
                    Cable(f"{cable}/{n}", (cable,), link, (here,), (there,), run.sold, lengths)
                    for n in range(1, run.fibres + 1)
                )

    def _lengths_of(self, link: Link, a: Device, b: Device) -> Lengths:
        route = self.router.between(self.places[a.id].berth, self.places[b.id].berth)
        key = (id(route), link.length_m, link.km)
        found = self._lengths.get(key)
        if found is None:
            found = self._lengths[key] = lengths_of(link, route)
            self._routes.append(route)  # so that no other gets its id
        drawn, way = link.length_m, found.routed_m
        if drawn is not None and way is not None and drawn < way - 0.05:
            self.noted["short"] += link.count
        return found

    def _run_of(
        self,
        link: Link,
        medium: Medium | None,
        need_m: float | None,
        ports: tuple[Port, Port],
        ends: tuple[Device, Device],
    ) -> _Run:
        """What a drawn cable between ports of these kinds takes, worked out once."""
        one, other = ports
        key = (
            link.medium, need_m, link.km is None, ends[0].type, ends[1].type, one.cage_type,
            one.shared, one.gbps, other.cage_type, other.shared, other.gbps,
        )  # fmt: skip
        run = self._runs.get(key)
        if run is None:
            kinds = (self.document.device_type(ends[0]), self.document.device_type(ends[1]))
            line = link.km is not None or link.medium in LINES
            run = self._runs[key] = self._new_run(medium, ports, kinds, need_m, line=line)
        if run.unclear:
            self.noted["split"] += run.unclear
        return run

    def _new_run(
        self,
        medium: Medium | None,
        ports: tuple[Port, Port],
        kinds: tuple[DeviceType, DeviceType],
        need_m: float | None,
        *,
        line: bool,
    ) -> _Run:
        bare = (self.is_bare(kinds[0]), self.is_bare(kinds[1]))
        if medium is None or not takes_modules(medium):
            if line and medium is not None:
                return _Run(1, False, 0, self._line(medium), bare)
            sides = ((ports[0], kinds[0]), (ports[1], kinds[1]))
            shares = medium is not None and (ports[0].shared > 1 or ports[1].shared > 1)
            return _Run(1, shares, 0, self.shop.assembly(medium, sides, 1, need_m), bare, (1, 1))
        fibres, unclear = 1, 0
        plugs = [0, 0]
        found: ModulePart | None = None
        for side, (port, kind) in enumerate(zip(ports, kinds, strict=True)):
            module = None if bare[side] else self.shop.module(medium, port, kind, need_m)
            if module is None:
                unclear += port.shared > 1 and not bare[side]
                continue
            found = found or module
            fibres = max(fibres, module.connectors // port.shared)
            if module.connectors < port.shared:
                plugs[side] = module.connectors
        if line:
            return _Run(1, False, unclear, self._line(medium), bare)
        sold = self.shop.fibre(medium, found, 1, need_m)
        return _Run(fibres, any(plugs), unclear, sold, bare, (plugs[0], plugs[1]))

    def _line(self, medium: Medium) -> Sold:
        return Sold(
            "line between sites", medium.name, "", "", medium.id, None, False, medium.source, False
        )

    def _use(
        self,
        plug: Plug,
        medium: Medium,
        link: Link,
        need_m: float | None,
        run: _Run,
        side: int,
    ) -> None:
        if run.bare[side]:
            return
        key = (plug.device, plug.port.cage or plug.port.name, medium.id)
        use = self.uses.get(key)
        if use is None:
            use = self.uses[key] = _Use(plug, medium, link)
        use.ports += 1
        if need_m is not None and (use.need_m is None or need_m > use.need_m):
            use.need_m = need_m

    def is_bare(self, kind: DeviceType) -> bool:
        """Whether fibre goes in without a module: co-packaged optics, panels, optical switches."""
        found = self._bare.get(kind.id)
        if found is None:
            found = kind.co_packaged_optics or kind.kind in ("panel", "ocs")
            self._bare[kind.id] = found
        return found

    # -- cables that share plugs ---------------------------------------------------------------

    def _bundle(self, strands: list[Strand], *, fibre: bool) -> None:
        """Join strands that meet in a plug: a straight twin cable, a splitter, or neither."""
        for group in groups(strands):
            near, far = {strand.near for strand in group}, {strand.far for strand in group}
            star = len(near) == 1 or len(far) == 1
            if star and not near & far and not crossed(group):
                self._join(group, (len(near), len(far)), fibre=fibre)
                continue
            self.noted["crosswise"] += len(group)
            for strand in group:
                self._single(strand, fibre=fibre)

    def _join(self, group: list[Strand], plugs: tuple[int, int], *, fibre: bool) -> None:
        """One cable of strands between so many plugs at both ends, one of them single."""
        first = group[0]
        ways = max(plugs)
        lengths = max((s.lengths for s in group), key=lambda one: one.need_m or 0.0)
        sides = ((first.a.port, self._kind(first.a)), (first.b.port, self._kind(first.b)))
        if plugs[0] > plugs[1]:
            sides = (sides[1], sides[0])
        if fibre:
            port, kind = sides[0]
            module = self.shop.module(first.medium, port, kind, lengths.need_m)
            sold = self.shop.fibre(first.medium, module, ways, lengths.need_m)
        else:
            sold = self.shop.assembly(first.medium, sides, ways, lengths.need_m)
        ids = tuple(s.id for s in group)
        a, b = tuple(s.a for s in group), tuple(s.b for s in group)
        self.cables.append(Cable(ids[0], ids, first.link, a, b, sold, lengths))

    def _single(self, strand: Strand, *, fibre: bool) -> None:
        need = strand.lengths.need_m
        if fibre:
            sold = self.shop.fibre(strand.medium, None, 1, need)._replace(part_number="")
        else:
            sides = ((strand.a.port, self._kind(strand.a)), (strand.b.port, self._kind(strand.b)))
            sold = self.shop.assembly(strand.medium, sides, 1, need, sold=False)
        self.cables.append(
            Cable(
                strand.id,
                (strand.id,),
                strand.link,
                (strand.a,),
                (strand.b,),
                sold,
                strand.lengths,
            )
        )

    def _kind(self, plug: Plug) -> DeviceType:
        return self.document.device_type(self.document.devices[plug.device])

    # -- modules -------------------------------------------------------------------------------

    def _module(self, use: _Use) -> Module:
        kind, port = self._kind(use.plug), use.plug.port
        if not port.listed:
            self.noted["no-cage"] += 1
        part = self.shop.module(use.medium, port, kind, use.need_m)
        self.noted["no-part"] += part is None
        watts = part.watts if part is not None else _watts(use.medium, port, use.link.gbps)
        cage = port.cage or port.name
        return Module(use.plug.device, cage, use.medium, part, watts, use.link)

    def _note_cages(self) -> None:
        """Cages that hold two kinds of optics, which no module makes."""
        cages = Counter((device, cage) for device, cage, _ in self.uses)
        self.noted["mixed"] = sum(1 for number in cages.values() if number > 1)

    def _notes(self) -> tuple[str, ...]:
        words = {
            "no-medium": "Cables of no known medium, whose part and modules are unknown",
            "no-length": "Cables without a length and without racks to reckon one from",
            "short": "Cables drawn shorter than the way between their racks; the way is ordered",
            "crosswise": "Links that join the ports of shared cages crosswise, as no cable on sale "
            "does, counted one by one without a part number",
            "no-cage": "Modules in ports that the device type does not list, counted as one a port",
            "split": "Cable ends in shared cages whose module is unknown, "
            "each counted as a fibre of its own",
            "no-part": "Modules of no known part, whose part number is blank",
            "attached": "Cables with attached plugs, which cannot run through the panels drawn, "
            "each counted as one piece",
            "mixed": "Cages with cables of two media, which one module cannot carry; "
            "a module is counted for each",
        }
        found = [(text, self.noted[key]) for key, text in words.items() if self.noted[key]]
        return tuple(f"{text}: {number:,}" for text, number in found)


def _watts(medium: Medium, port: Port, gbps: float | None) -> float | None:
    """Watts of a module that is known by its medium alone; None where that is not plain."""
    if port.shared > 1:
        return None
    slower = medium.extra_figures.get("power_w_end_400g")
    if slower is not None and gbps is not None and gbps <= 400:
        return slower if gbps == 400 else None
    if medium.gbps is not None and gbps is not None and medium.gbps != gbps:
        return None
    return medium.power_w_end


def _step(words: str, fraction: float, progress: Progress | None, cancel: Cancel | None) -> None:
    if cancel is not None and cancel():
        raise CancelledError("stopped before anything was written")
    if progress is not None:
        progress(words, fraction)
