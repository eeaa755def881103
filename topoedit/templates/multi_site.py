"""Two or more sites, each built by another template, joined by lines between WAN edge routers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import structs

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Kind, Port
from topoedit.errors import BadInputError
from topoedit.layout.grid import centred
from topoedit.layout.sizes import GAP, MARGIN, SWITCH_HEIGHT, size
from topoedit.model import ports as port_ranges
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Group,
    Link,
    Ports,
)
from topoedit.templates import fat_tree, nvl72_pod, rail_optimized, superpod
from topoedit.templates.base import Built, Parameter, Template, Value, Values
from topoedit.templates.builder import Builder, End
from topoedit.templates.clos import spread
from topoedit.templates.floor import Spot, medium_between_sites, row_index
from topoedit.templates.text import count

INNER: Mapping[str, Template] = {
    t.id: t
    for t in (rail_optimized.TEMPLATE, fat_tree.TEMPLATE, superpod.TEMPLATE, nvl72_pod.TEMPLATE)
}
_OWN = (
    Parameter("sites", "int", "number of sites", 2, low=2, high=16),
    Parameter("inner", "text", "template of each site", "rail-optimized", choices=tuple(INNER)),
    Parameter("km", "float", "distance between two sites in km", 100.0, low=0.1, high=20_000),
    Parameter("wan_gbps", "float", "rate of one line in Gb/s", 400.0, low=0.1, high=1600),
    Parameter("wan_links", "int", "lines between two sites", 2, low=1, high=32),
    Parameter("router", "device", "type of the WAN edge routers", "wan-edge"),
)
_SITE_GAP = 320.0
_EDGE_GAP = 160.0
_TOP_KINDS: tuple[Kind, ...] = ("core", "spine", "leaf")


def _passed() -> tuple[Parameter, ...]:
    """Options of the templates of a site; a default is left to the template that is chosen."""
    own = {parameter.name for parameter in _OWN}
    found: dict[str, Parameter] = {}
    for template in INNER.values():
        for p in template.parameters:
            if p.name not in own:
                found.setdefault(
                    p.name, Parameter(p.name, p.kind, p.help, None, p.low, p.high, p.choices)
                )
    return tuple(found.values())


def _inner_values(values: Values, inner: Template) -> Values:
    """What the site's template gets; it leaves one port of each top switch free."""
    own = {parameter.name for parameter in _OWN}
    given: dict[str, object] = {n: values.values[n] for n in values.given if n not in own}
    read = inner.read(given)
    inside: dict[str, Value] = {**read.values, "reserve": 1}
    return Values(inside, read.given)


def _renamed(
    elements: Sequence[AnyElement], prefix: str, site: str, dx: float, dy: float, cables: int
) -> list[AnyElement]:
    """The elements of a site with its prefix, moved, their cables numbered after `cables`."""
    moved: list[AnyElement] = []
    for e in elements:
        if isinstance(e, Device):
            name, group = prefix + e.name, prefix + e.group if e.group else site
            moved.append(
                structs.replace(e, id=name, name=name, group=group, x=e.x + dx, y=e.y + dy)
            )
        elif isinstance(e, Group):
            parent = prefix + e.parent if e.parent else site
            moved.append(structs.replace(e, id=prefix + e.id, name=prefix + e.name, parent=parent))
        elif isinstance(e, Link):
            numbers = [int(cable[1:]) + cables for cable in e.cable_ids]
            first, last = numbers[0], numbers[-1]
            moved.append(
                structs.replace(
                    e,
                    id=f"link-c{first}",
                    a=Ports(prefix + e.a.device, e.a.ports),
                    b=Ports(prefix + e.b.device, e.b.ports),
                    cables=f"c{first}" if first == last else f"c{first}-{last}",
                )
            )
    return moved


def _take(builder: Builder, elements: Sequence[AnyElement]) -> list[Device]:
    """Put a site's elements into the builder; its devices."""
    devices = [e for e in elements if isinstance(e, Device)]
    groups = [e for e in elements if isinstance(e, Group)]
    links = [e for e in elements if isinstance(e, Link)]
    builder.groups += groups
    builder.devices += devices
    builder.links += links
    builder.cables += sum(link.count for link in links)
    builder.racks.update(
        (g.id, (row_index(g.row), (g.column or 1) - 1)) for g in groups if g.kind == "rack"
    )
    builder.spots.update((d.id, Spot(*builder.racks[d.group], d.unit or 1)) for d in devices)
    return devices


def _free_ports(catalog: Catalog, builder: Builder, tops: Sequence[Device]) -> dict[str, Port]:
    """The last free port of each switch of the highest tier.

    Raises:
        BadInputError: a switch has none.
    """
    names = {device.id for device in tops}
    used: dict[str, set[str]] = {name: set() for name in names}
    for link in builder.links:
        for end in (link.a, link.b):
            if end.device in names:
                used[end.device].update(port_ranges.expand(end.ports))
    found = {}
    for device in tops:
        custom = builder.types.get(device.type)
        kind = custom.type if custom is not None else catalog.device(device.type)
        free = [port for port in kind.port_list if port.name not in used[device.id]]
        if not free:
            raise BadInputError(
                f"every port of {device.name} is taken, none is left for the WAN", "--inner",
                "Use rail-optimized or fat-tree, which leave room, or another size",
            )  # fmt: skip
        found[device.id] = free[-1]
    return found


def _edges(
    catalog: Catalog, builder: Builder, values: Values, prefix: str, devices: list[Device]
) -> list[str]:
    """WAN edge routers of one site, cabled to every switch of its highest tier."""
    compute = [d for d in devices if d.network == "compute"]
    top = next(kind for kind in _TOP_KINDS if any(d.kind == kind for d in compute))
    tops = [d for d in compute if d.kind == top]
    free = _free_ports(catalog, builder, tops)
    router = catalog.device(values.text("router"))
    down = [p for p in router.port_list if p.role != "wan"]
    lines = (values.integer("sites") or 2) - 1
    wan = sum(p.role == "wan" for p in router.port_list)
    per_router = len(down) - (0 if wan else lines * (values.integer("wan_links") or 1))
    if per_router < 1:
        raise BadInputError(f"{router.name} has too few ports", "--router")
    number = math.ceil(len(tops) / per_router)
    y = min(d.y for d in tops) - SWITCH_HEIGHT - 2 * MARGIN - _EDGE_GAP
    middle = (min(d.x for d in devices) + max(d.x for d in devices)) / 2
    row = builder.racks[tops[0].group][0]
    last = max(c for name, (r, c) in builder.racks.items() if r == row and name.startswith(prefix))
    rack = builder.rack(f"{prefix}wan-rack", row, last + 2, f"site{prefix[1:-1]}")
    names = []
    for index, x in enumerate(centred(number, size("router")[0] + GAP, middle)):
        name = f"{prefix}edge-{index + 1}"
        names.append(builder.device(name, router, "router", rack, (x, y), 40 - 2 * index))
        mine = tops[index * per_router : (index + 1) * per_router]
        for seat, device in enumerate(mine):
            port, own = free[device.id], down[seat]
            builder.link(End(device.id, [port.name], port.gbps), End(name, [own.name], own.gbps))
    return names


def _wan(builder: Builder, catalog: Catalog, values: Values, edges: list[list[str]]) -> int:
    """Lines between every two sites, shared evenly by their routers; how many."""
    router = catalog.device(values.text("router"))
    wan = [p.name for p in router.port_list if p.role == "wan"]
    names = wan or [p.name for p in router.port_list][::-1]
    lines, gbps = values.integer("wan_links") or 1, values.number("wan_gbps")
    km = values.number("km")
    medium = medium_between_sites(catalog, gbps, km)
    taken: dict[str, int] = {}
    total = 0
    for a, near in enumerate(edges):
        for far in edges[a + 1 :]:
            for index, number in spread(0, lines, min(len(near), len(far))):
                ends = near[index], far[index]
                slices = [names[taken.get(e, 0) : taken.get(e, 0) + number] for e in ends]
                if any(len(ports) < number for ports in slices):
                    raise BadInputError(f"{router.name} has too few ports", "--wan-links")
                for end in ends:
                    taken[end] = taken.get(end, 0) + number
                _line(builder, ends, slices, (gbps, km), medium)
                total += number
    return total


def _line(
    builder: Builder, ends: tuple[str, str], ports: list[list[str]], rate: tuple[float, float],
    medium: str,
) -> None:  # fmt: skip
    first, number = builder.cables + 1, len(ports[0])
    builder.cables += number
    builder.links.append(
        Link(
            id=f"link-c{first}",
            a=Ports(ends[0], port_ranges.collapse(ports[0])),
            b=Ports(ends[1], port_ranges.collapse(ports[1])),
            cables=f"c{first}" if number == 1 else f"c{first}-{first + number - 1}",
            medium=medium,
            gbps=rate[0],
            km=rate[1],
        )
    )


def _make(values: Values, catalog: Catalog) -> Built:
    inner = INNER[values.text("inner")]
    one = inner.make(_inner_values(values, inner), catalog)
    placed = [e for e in one.edit.put if isinstance(e, Device)]
    width = max(d.x for d in placed) - min(d.x for d in placed) + _SITE_GAP
    height = max(d.y for d in placed) - min(d.y for d in placed) + 2 * _SITE_GAP + _EDGE_GAP
    sites = values.integer("sites") or 2
    across = sites if sites <= 3 else math.ceil(math.sqrt(sites))
    builder = Builder(catalog)
    builder.types.update((e.id, e) for e in one.edit.put if isinstance(e, CustomType))
    edges = []
    for index in range(sites):
        site, prefix = f"site{index + 1}", f"s{index + 1}-"
        builder.group(site, "site")
        row, column = divmod(index, across)
        copy = _renamed(one.edit.put, prefix, site, column * width, row * height, builder.cables)
        devices = _take(builder, copy)
        edges.append(_edges(catalog, builder, values, prefix, devices))
    lines = _wan(builder, catalog, values, edges)
    km = values.number("km")
    mesh = f"{values.number('wan_gbps'):g} Gb/s over {km:g} km, every site with every other"
    notes = [
        f"Each site: {one.summary}",
        f"{count(lines, 'line')} of {mesh}; the delay follows from the distance",
    ]
    installed = (catalog.devices.get(d.type) for d in placed if d.kind == "leaf")
    if any(kind is not None and kind.fabric == "InfiniBand" for kind in installed):
        notes.append("InfiniBand ends at 40 km (MetroX); beyond that the edge is a gateway")
    return Built(
        edit=builder.edit("Draw multi-site"),
        name=f"{count(sites, 'site')} of {one.name}",
        summary=f"{count(sites, 'site')}, each {one.summary}",
        notes=(*notes, *one.notes),
    )


TEMPLATE = Template(
    id="multi-site",
    title="Several sites",
    summary="two or more sites, each built by another template, joined by WAN lines",
    parameters=(*_OWN, *_passed()),
    checked="Delay of a line: 4.9 µs/km one way, as the engine counts it; no published row",
    make=_make,
)
