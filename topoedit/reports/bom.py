"""The bill of materials: what is bought, line by line, and what it leaves out.

Lines are never added up across categories: totals are kept by category and unit.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import get_args

import msgspec

from topoedit.catalog.types import DeviceType
from topoedit.model.document import Document
from topoedit.model.elements import Device, Network
from topoedit.model.ports import natural_key
from topoedit.reports.bom_lines import Bom, Cost, Line, RollUp, Total, VendorShare
from topoedit.reports.modules import Cable, Cancel, Module, Progress, Purchase, purchase
from topoedit.reports.parts import Parts, load_parts
from topoedit.reports.places import Place
from topoedit.reports.prices import Price

COLUMNS = (
    "category", "item", "part_number", "quantity", "unit", "spares", "type", "role", "network",
    "rack", "building", "phase",
)  # fmt: skip
MORE_COLUMNS = ("site", "vendor", "watts_each", "ordered_m", "routed_m_total", "slack_m_total")
PRICE_COLUMNS = ("price_each", "price_total", "currency", "price_source")
_SPLIT = re.compile(r"(.+)-\d+x[\d.]+")
FABRIC_MANAGER = "fabric manager"
INCLUDED, NOT_DRAWN = "included", "not drawn"
_SPARED = frozenset({"module", "fibre", "DAC", "AEC", "ACC", "AOC", "twisted pair", "copper cable"})
_ORDER = ("server", "switch", "NVLink switch", "router", "optical switch", "storage", "management",
          "panel", "module", "fibre", "trunk")  # fmt: skip
_KINDS = {"leaf": "switch", "spine": "switch", "core": "switch", "nvswitch": "NVLink switch",
          "ocs": "optical switch"}  # fmt: skip


class _Sum:
    __slots__ = ("quantity", "routed", "slack")

    def __init__(self) -> None:
        self.quantity = 0
        self.routed: float | None = 0.0
        self.slack: float | None = 0.0

    def add(self, routed: float | None, slack: float | None) -> None:
        self.quantity += 1
        self.routed = None if self.routed is None or routed is None else self.routed + routed
        self.slack = None if self.slack is None or slack is None else self.slack + slack


_Key = tuple[str, str, str, str, str, str, str, str, str, str, str, float | None, float | None]


def bill_of_materials(
    document: Document,
    *,
    spares_percent: float | None = None,
    prices: Mapping[str, Price] | None = None,
    parts: Parts | None = None,
    bought: Purchase | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Bom:
    """What a drawing costs in pieces.

    Args:
        document: the drawing.
        spares_percent: spare modules and cables, percent of each item, rounded up once an item.
        prices: from `read_prices`; without them no line has a price.
        parts: the parts on sale; by default the product's.
        bought: what `purchase` found, to save doing it twice.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        CancelledError: `cancel` said so.
    """
    parts = parts or load_parts()
    bought = bought or purchase(document, parts, progress, cancel)
    sums: dict[_Key, _Sum] = defaultdict(_Sum)
    sources: dict[str, str] = {}
    _devices(document, bought.places, sums, sources)
    _modules(bought.modules, bought.places, sums, sources)
    _cables(bought.cables, bought.places, sums, sources)
    lines = _priced(_lines(sums, spares_percent), prices or {})
    counted = [line.price_each is not None for line in lines] if prices is not None else []
    return Bom(
        name=document.settings.name,
        lines=tuple(lines),
        networks=networks_of(document),
        totals=_totals(lines),
        vendors=_vendors(lines),
        rollups=_rollups(document, parts),
        costs=_costs(lines),
        priced=sum(counted) if prices is not None else None,
        unpriced=len(counted) - sum(counted) if prices is not None else None,
        spares_percent=spares_percent,
        sources=dict(sorted(sources.items())),
        notes=_notes(bought, lines, spares_percent),
    )


def networks_of(document: Document) -> dict[str, str]:
    """Which networks the drawing holds, so that nobody takes a part for the whole."""
    linked = {link.network for link in document.links.values()}
    found = {name: INCLUDED if name in linked else NOT_DRAWN for name in get_args(Network)}
    manager = any(
        device.kind == "management" and device.network == "compute" and document.links_of(device.id)
        for device in document.devices.values()
    )
    return {**found, FABRIC_MANAGER: INCLUDED if manager else NOT_DRAWN}


def category_of_device(device: Device) -> str:
    """The category of a device: leaves, spines and cores are all switches."""
    return _KINDS.get(device.kind, device.kind)


def _devices(
    document: Document,
    places: Mapping[str, Place],
    sums: dict[_Key, _Sum],
    sources: dict[str, str],
) -> None:
    for device in document.devices.values():
        kind, place = _sold_as(document, document.device_type(device)), places[device.id]
        key = (
            category_of_device(device), kind.name, "", kind.id, device.kind, device.network,
            place.rack, place.building, device.phase, place.site, kind.vendor, None, None,
        )  # fmt: skip
        sums[key].add(None, None)
        sources.setdefault(kind.name, kind.source)


def _sold_as(document: Document, kind: DeviceType) -> DeviceType:
    """The box that is bought: a type whose ports are split is the whole one, set up otherwise."""
    split = _SPLIT.fullmatch(kind.id)
    return document.catalog.devices.get(split.group(1), kind) if split else kind


def _modules(
    modules: Iterable[Module],
    places: Mapping[str, Place],
    sums: dict[_Key, _Sum],
    sources: dict[str, str],
) -> None:
    for module in modules:
        place, part, link = places[module.device], module.part, module.link
        item = part.name if part else f"Module {module.medium.name}"
        number, vendor = (part.part_number, part.vendor) if part else ("", "")
        key = (
            "module", item, number, module.medium.id, place.device.kind, link.network, place.rack,
            place.building, link.phase or place.device.phase, place.site, vendor, module.watts,
            None,
        )  # fmt: skip
        sums[key].add(None, None)
        sources.setdefault(item, part.source if part else module.medium.source)


def _cables(
    cables: Iterable[Cable],
    places: Mapping[str, Place],
    sums: dict[_Key, _Sum],
    sources: dict[str, str],
) -> None:
    for cable in cables:
        a, b = places[cable.a[0].device], places[cable.b[0].device]
        sold, link = cable.sold, cable.link
        item = sold.item if sold.ordered_m is None else f"{sold.item}, {sold.ordered_m:g} m"
        key = (
            sold.category, item, sold.part_number, sold.medium,
            f"{a.device.kind}-{b.device.kind}", link.network, both(a.rack, b.rack),
            both(a.building, b.building), link.phase, both(a.site, b.site), sold.vendor, None,
            sold.ordered_m,
        )  # fmt: skip
        sums[key].add(cable.lengths.routed_m, cable.lengths.slack_m)
        sources.setdefault(item, sold.source)


def both(a: str, b: str) -> str:
    """Two places as one text, in natural order; one if they are the same."""
    if a == b or not a or not b:
        return a or b
    return " + ".join(sorted((a, b), key=natural_key))


def _lines(sums: dict[_Key, _Sum], percent: float | None) -> list[Line]:
    spares = _spares(sums, percent)
    lines = [
        Line(
            *key[:3],
            found.quantity,
            "each",
            spares.get(key),
            *key[3:9],
            site=key[9],
            vendor=key[10],
            watts_each=key[11],
            ordered_m=key[12],
            routed_m_total=_metres(found.routed, key),
            slack_m_total=_metres(found.slack, key),
        )
        for key, found in sums.items()
    ]
    natural: dict[str, object] = {}

    def nat(text: str) -> object:
        if text not in natural:
            natural[text] = natural_key(text)
        return natural[text]

    rank = {name: number for number, name in enumerate(_ORDER)}
    lines.sort(
        key=lambda one: (
            rank.get(one.category, len(rank)),
            one.category,
            nat(one.item),
            one.part_number,
            one.role,
            one.network,
            nat(one.site),
            nat(one.building),
            nat(one.rack),
            one.phase,
            one.type,
            one.watts_each or 0.0,
        )
    )
    return lines


def _metres(total: float | None, key: _Key) -> float | None:
    return None if total is None or key[12] is None else round(total, 1)


def _spares(sums: dict[_Key, _Sum], percent: float | None) -> dict[_Key, int]:
    """Spares of each item, rounded up once for all its lines and shared out over them."""
    if percent is None:
        return {}
    items: dict[tuple[str, str, str], list[_Key]] = defaultdict(list)
    for key in sums:
        if key[0] in _SPARED:
            items[key[:3]].append(key)
    found: dict[_Key, int] = {}
    for keys in items.values():
        ordered = sorted(keys, key=lambda key: (-sums[key].quantity, str(key)))
        left = math.ceil(sum(sums[key].quantity for key in keys) * percent / 100 - 1e-9)
        for key in ordered:
            share = min(left, math.ceil(sums[key].quantity * percent / 100 - 1e-9))
            found[key] = share
            left -= share
    return found


def _priced(lines: list[Line], prices: Mapping[str, Price]) -> list[Line]:
    if not prices:
        return lines
    found = []
    for line in lines:
        names = priced_by(line)
        price = next((prices[n.lower()] for n in names if n.lower() in prices), None)
        if price is None:
            found.append(line)
            continue
        found.append(
            msgspec.structs.replace(
                line,
                price_each=price.price,
                price_total=round(price.price * line.quantity, 2),
                currency=price.currency,
                price_source=price.source,
            )
        )
    return found


def priced_by(line: Line) -> tuple[str, ...]:
    """What a price may call a line, the first that has a price counts."""
    names = (line.part_number, line.item, line.type if line.category != "module" else "")
    return tuple(name for name in names if name)


def _totals(lines: Iterable[Line]) -> tuple[Total, ...]:
    groups: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.category, line.unit].append(line)
    found = []
    for (category, unit), members in groups.items():
        spares = [line.spares for line in members if line.spares is not None]
        watts = known = None
        if category == "module":
            lit = [line for line in members if line.watts_each is not None]
            known = sum(line.quantity for line in lit)
            watts = sum(line.quantity * (line.watts_each or 0.0) for line in lit) if lit else None
        quantity = sum(line.quantity for line in members)
        found.append(Total(category, unit, quantity, sum(spares) if spares else None, watts, known))
    return tuple(found)


def _vendors(lines: Iterable[Line]) -> tuple[VendorShare, ...]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        counts[line.category][line.vendor] += line.quantity
    return tuple(
        VendorShare(category, vendor, number, number / vendors.total())
        for category, vendors in counts.items()
        for vendor, number in vendors.most_common()
    )


def _costs(lines: Iterable[Line]) -> tuple[Cost, ...]:
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for line in lines:
        if line.price_each is None:
            continue
        pair = sums[line.category, line.currency]
        pair[0] += line.price_each * line.quantity
        pair[1] += line.price_each * (line.quantity + (line.spares or 0))
    return tuple(Cost(*key, round(a, 2), round(b, 2)) for key, (a, b) in sums.items())


def _rollups(document: Document, parts: Parts) -> tuple[RollUp, ...]:
    """Rack systems: each drawn device stands for all their trays and their scale-up copper."""
    counts = Counter(device.type for device in document.devices.values())
    kinds = {
        device.type: document.device_type(device)
        for device in document.devices.values()
        if document.device_type(device).trays
    }
    return tuple(
        _rollup(kind, counts[name], parts) for name, kind in sorted(kinds.items()) if kind.inside
    )


def _rollup(kind: DeviceType, racks: int, parts: Parts) -> RollUp:
    inside = kind.inside
    gpus = (inside.gpus or 0) if inside else 0
    links = gpus * sum(inside.scaleup.links_per_chip) if inside else 0
    rate = inside.scaleup.GBps_per_link_dir if inside else None
    switch = inside.scaleup.switch if inside else ""
    copper = next((one for one in parts.scale_up if one.switch == switch), None)
    return RollUp(
        type=kind.id,
        item=kind.name,
        racks=racks,
        gpus=gpus * racks,
        compute_trays=(kind.trays or 0) * racks,
        switch_trays=None if kind.switch_trays is None else kind.switch_trays * racks,
        scale_up_links=links * racks,
        copper_pairs=copper.pairs_per_link * links * racks if copper else None,
        TBps=None if rate is None or not links else round(2 * links * racks * rate / 1000, 6),
        source=copper.source if copper else kind.source,
    )


def _notes(bought: Purchase, lines: list[Line], percent: float | None) -> tuple[str, ...]:
    notes = list(bought.notes)
    rounded = sum(1 for c in bought.cables if c.sold.ordered_m is not None and not c.sold.exact)
    if rounded:
        notes.append(
            "Cables of no known length on sale, their ordered length rounded up to 1 m for fibre "
            f"and 0.5 m for copper: {rounded:,}"
        )
    if any(c.sold.unverified and c.sold.part_number for c in bought.cables):
        notes.append("Lengths on sale of fibre assemblies are quoted from memory: check them")
    modules = [line for line in lines if line.category == "module"]
    dark = sum(line.quantity for line in modules if line.watts_each is None)
    if dark:
        total = sum(line.quantity for line in modules)
        notes.append(f"Power is known for {total - dark:,} of {total:,} modules")
    if percent is not None:
        notes.append(f"Spares: {percent:g} % of modules and cables, rounded up once an item")
    return tuple(notes)
