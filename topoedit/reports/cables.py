"""The cable schedule: one row a physical cable, in the order in which an installer walks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from topoedit.model.document import Document
from topoedit.model.ports import collapse, natural_key
from topoedit.reports.bom import both
from topoedit.reports.labels import DEFAULT, Label, label_maker
from topoedit.reports.modules import Cable, Cancel, Plug, Progress, Purchase, purchase
from topoedit.reports.parts import Parts
from topoedit.reports.tables import Cell

_END = ("site", "rack", "unit", "device", "port", "cage", "lane")
COLUMNS = (
    "id", "change", "label_a", "label_b", *(f"{name}_a" for name in _END),
    *(f"{name}_b" for name in _END), "medium", "length_m", "slack_m", "ordered_m", "network",
    "phase", "done", "wrong",
)  # fmt: skip
MORE_COLUMNS = (
    "part_number", "os_name_a", "os_name_b", "bundle", "link", "carries", "piece", "cord",
    "basis", "note",
)  # fmt: skip
AT = {name: index for index, name in enumerate((*COLUMNS, *MORE_COLUMNS))}
JOINT = " + "

Row = tuple[Cell, ...]
_Near = tuple[Cell, ...]


@dataclass(frozen=True)
class Schedule:
    """A cable schedule.

    Attributes:
        rows: cells in the order of COLUMNS and MORE_COLUMNS; None is unknown.
        bought: what the rows were made from.
    """

    rows: list[Row]
    bought: Purchase
    notes: tuple[str, ...]


def schedule(
    document: Document,
    *,
    label: str = DEFAULT,
    parts: Parts | None = None,
    bought: Purchase | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Schedule:
    """The rows of all cables, sorted by site, building, rack, unit and port of the first end.

    Args:
        document: the drawing.
        label: template of the label texts (`reports.labels`).
        parts: the parts on sale; by default the product's.
        bought: what `purchase` found, to save doing it twice.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        BadInputError: the template is wrong.
        CancelledError: `cancel` said so.
    """
    make = label_maker(label)
    bought = bought or purchase(document, parts, progress, cancel)
    return Schedule(_Scribe(bought, make).rows(), bought, bought.notes)


class _Scribe:
    """Writes rows; what repeats is made once: heads of devices, sort ranks of ports."""

    def __init__(self, bought: Purchase, label: Label) -> None:
        self.bought, self.label = bought, label
        self._heads: dict[str, tuple[Cell, Cell, Cell, str, str]] = {}
        self._bundles: dict[tuple[str, str], str] = {}

    def rows(self) -> list[Row]:
        return [self._row(cable) for cable in self._sorted()]

    def labels(self) -> Iterator[Row]:
        """Cable, end and text; the ends of a splitter are numbered."""
        label = self.label
        for cable in self._sorted():
            tail = _tail(cable)
            ends = self._end(cable.a), self._end(cable.b)
            for name, plugs, near, far in (
                ("a", cable.a, ends[0], ends[1]),
                ("b", cable.b, ends[1], ends[0]),
            ):
                wearers = _by_cage(plugs) if len(plugs) > 1 else ()
                if len(wearers) < 2:
                    yield cable.id, name, label((cable.id, *near, *far, *tail))
                    continue
                for number, some in enumerate(wearers, 1):
                    text = label((cable.id, *self._end(some), *far, *tail))
                    yield cable.id, f"{name}{number}", text

    def _sorted(self) -> list[Cable]:
        """The cables in walking order: by device, then by port; those of one port as they are."""
        places, cables = self.bought.places, self.bought.cables
        names = {cable.a[0].port.name for cable in cables}
        ranks = {name: rank for rank, name in enumerate(sorted(names, key=_by_number))}
        steps = len(ranks) + 1
        keys = [
            places[plug.device].order * steps + ranks[plug.port.name]
            for plug in (cable.a[0] for cable in cables)
        ]
        return [cables[number] for number in sorted(range(len(keys)), key=keys.__getitem__)]

    def _row(self, cable: Cable) -> Row:
        near, far = self._end(cable.a), self._end(cable.b)
        link, sold, lengths = cable.link, cable.sold, cable.lengths
        tail = _tail(cable)
        label_a = self.label((cable.id, *near, *far, *tail))
        label_b = self.label((cable.id, *far, *near, *tail))
        carries = "" if len(cable.drawn) == 1 and not cable.kind else _carried(cable)
        return (
            cable.id, "", label_a, label_b, *near[:3], *near[3:7], *far[:7], link.medium,
            lengths.routed_m, lengths.slack_m, sold.ordered_m, link.network, link.phase, "", "",
            sold.part_number, near[7], far[7], self._bundle(near[1], far[1]), link.id, carries,
            cable.kind, cable.cord, lengths.basis, "",
        )  # fmt: skip

    def _bundle(self, a: Cell, b: Cell) -> str:
        key = (str(a or ""), str(b or ""))
        found = self._bundles.get(key)
        if found is None:
            found = self._bundles[key] = both(*key)
        return found

    def _end(self, plugs: tuple[Plug, ...]) -> _Near:
        if len(plugs) == 1:
            return self._plug(plugs[0])
        ends = list(dict.fromkeys(self._plug(plug) for plug in plugs))
        if len(ends) == 1:
            return ends[0]
        return tuple(_joined(values) for values in zip(*ends, strict=True))

    def _plug(self, plug: Plug) -> _Near:
        site, rack, unit, device, place = self._head(plug.device)
        port = plug.port
        return (
            site, rack, unit, device, port.name, port.cage or port.name, port.lane, port.os_name,
            place,
        )  # fmt: skip

    def _head(self, device_id: str) -> tuple[Cell, Cell, Cell, str, str]:
        found = self._heads.get(device_id)
        if found is None:
            place = self.bought.places[device_id]
            unit = "" if place.unit is None else f"U{place.unit}"
            words = f"{place.rack} {unit}".strip()
            found = (place.site, place.rack, "" if place.unit is None else place.unit,
                     place.device.name, words)  # fmt: skip
            self._heads[device_id] = found
        return found


def _by_number(name: str) -> tuple[object, str]:
    """Natural order of port names, the same for `01` and `1` in every run."""
    return natural_key(name), name


def _carried(cable: Cable) -> str:
    """The drawn cables in a physical one; those of a trunk as a range."""
    return collapse(cable.drawn) if cable.kind == "trunk" else JOINT.join(cable.drawn)


def _tail(cable: Cable) -> tuple[Cell, Cell, Cell]:
    """Medium, ordered length and network for a label."""
    metres = cable.sold.ordered_m
    return cable.link.medium, "" if metres is None else f"{metres:g} m", cable.link.network


def _by_cage(plugs: tuple[Plug, ...]) -> list[tuple[Plug, ...]]:
    """The plugs of one end, those in one cage together: each wears one label."""
    found: dict[tuple[str, str], list[Plug]] = {}
    for plug in plugs:
        found.setdefault((plug.device, plug.port.cage or plug.port.name), []).append(plug)
    return [tuple(group) for group in found.values()]


def _joined(values: tuple[Cell, ...]) -> Cell:
    first = values[0]
    if all(value == first for value in values):
        return first
    return JOINT.join(str(value) for value in values)


LABEL_COLUMNS = ("id", "end", "text")
PORT_COLUMNS = (
    "device", "kind", "site", "rack", "unit", "port", "cage", "lane", "os_name", "cable",
    "far_device", "far_port", "medium", "network", "rear", "rear_device", "rear_port",
)  # fmt: skip


def labels(bought: Purchase, template: str = DEFAULT) -> Iterator[Row]:
    """One row for each label to print: both ends of every cable, and each end of a splitter.

    Raises:
        BadInputError: the template is wrong.
    """
    return _Scribe(bought, label_maker(template)).labels()


def port_maps(document: Document, bought: Purchase) -> list[Row]:
    """One row for each port of each switch and panel, in walking order; no cable where it is free.

    At a panel `cable` is what is plugged into the front, `rear` what comes from behind.
    """
    at: dict[tuple[str, str], list[tuple[Cable, Plug]]] = {}
    for cable in bought.cables:
        if cable.kind == "trunk":
            _behind(document, cable, at)
            continue
        for a, b in zip(cable.a, cable.b, strict=True):
            at.setdefault((a.device, a.port.name), []).append((cable, b))
            at.setdefault((b.device, b.port.name), []).append((cable, a))
    rows: list[Row] = []
    for place in sorted(bought.places.values(), key=lambda one: one.order):
        device = place.device
        if device.kind in ("server", "storage", "management"):
            continue
        listed = bought.ports.of(device)
        used = document.ports_in_use(device.id)
        if device.kind == "panel":
            used = {**used, **document.rear_ports(device.id)}
        names: Iterable[str] = listed
        if not used.keys() <= listed.keys():
            more = sorted((name for name in used if name not in listed), key=natural_key)
            names = (*listed, *more)
        start = (device.name, device.kind, place.site, place.rack, place.unit)
        for name in names:
            port = listed.get(name) or bought.ports.port(device, name)
            head = (*start, name, port.cage or name, port.lane, port.os_name)
            found = at.get((device.id, name))
            if found is None:
                rows.append((*head, *_FREE))
            elif device.kind == "panel":
                found.sort(key=lambda one: one[0].kind == "trunk")
                rows.append((*head, *_front(bought, found), *_rear(bought, found)))
            else:
                rows.append((*head, *_front(bought, found), None, None, None))
    return rows


_FREE: _Near = (None,) * 8


def _behind(
    document: Document, cable: Cable, at: dict[tuple[str, str], list[tuple[Cable, Plug]]]
) -> None:
    trunk = document.trunks[cable.id]
    for a, b in zip(trunk.a.names, trunk.b.names, strict=True):
        here, there = (
            Plug(end.device, plug.port._replace(name=name))
            for end, plug, name in ((trunk.a, cable.a[0], a), (trunk.b, cable.b[0], b))
        )
        at.setdefault((here.device, a), []).append((cable, there))
        at.setdefault((there.device, b), []).append((cable, here))


def _front(bought: Purchase, found: list[tuple[Cable, Plug]]) -> _Near:
    if not found or found[0][0].kind == "trunk":
        return (None,) * 5
    cable, far = found[0]
    name = bought.places[far.device].device.name
    return cable.id, name, far.port.name, cable.link.medium, cable.link.network


def _rear(bought: Purchase, found: list[tuple[Cable, Plug]]) -> _Near:
    rear = found[1:] if found and found[0][0].kind != "trunk" else found
    if not rear:
        return (None,) * 3
    cable, far = rear[0]
    return cable.id, bought.places[far.device].device.name, far.port.name
