"""The card beside the pointer: what a thing is, and for a link its bytes by class and direction."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF

from topoedit.catalog.types import DeviceType
from topoedit.editor.canvas.loads import LoadView
from topoedit.editor.canvas.port_words import port_facts
from topoedit.editor.device_words import KIND_WORDS, name_in
from topoedit.model.connect import port_of
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link
from topoedit.model.operations import devices_inside, plural
from topoedit.model.plan import TRAFFIC_CLASSES
from topoedit.render.ink import Ink
from topoedit.units import format_bytes, format_percent

WIDTH = 268.0
LINE = 18.0
PAD = 10.0
BAR = 4.0


@dataclass(frozen=True)
class Direction:
    """One direction of a link: words, load, bytes in all and by class."""

    words: str
    load: float
    bytes: float
    by_class: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Card:
    """What to say."""

    title: str
    lines: tuple[str, ...] = ()
    directions: tuple[Direction, ...] = ()
    failed: bool = False


def card_for(
    document: Document,
    element_id: str,
    loads: LoadView | None,
    ranks: tuple[str, ...] = (),
    port: str = "",
) -> Card | None:
    """The card of an element; None for one that has nothing to say.

    Args:
        document: what is drawn.
        element_id: the element.
        loads: of the links.
        ranks: lines about the ranks that run on it.
        port: of a device, where the pointer is on one.
    """
    element = document.element(element_id)
    if isinstance(element, Device) and port:
        return _port_card(document, element, port, loads)
    if isinstance(element, Link):
        return _link_card(document, element, loads)
    if isinstance(element, Device):
        card = _device_card(document, element)
        return replace(card, lines=(*card.lines, *ranks))
    if isinstance(element, Group):
        return _group_card(document, element)
    return None


def _device_card(document: Document, device: Device) -> Card:
    kind: DeviceType = document.device_type(device)
    lines = [f"{KIND_WORDS.get(device.kind, device.kind)} · {kind.name}"]
    used = len(document.ports_in_use(device.id))
    total = "" if kind.open_ports else f" of {len(kind.port_list)}"
    lines.append(f"{used}{total} ports in use")
    if kind.gpus:
        lines.append(plural(kind.gpus, "GPU"))
    elif kind.gpus is None:
        lines.append("GPUs unknown")
    return Card(device.name, tuple(lines), failed=device.failed)


def _port_card(document: Document, device: Device, name: str, loads: LoadView | None) -> Card:
    """A free port and what it takes; the cable of one in use."""
    facts = " · ".join(port_facts(port_of(document, device, name)))
    link = document.links.get(document.ports_in_use(device.id).get(name, ""))
    title = f"{device.name}:{name}"
    if link is None:
        return Card(title, (f"Free port · {facts}",))
    card = _link_card(document, link, loads)
    return replace(card, title=title, lines=(f"Port in use · {facts}", card.title, *card.lines))


def _group_card(document: Document, group: Group) -> Card:
    devices = devices_inside(document, group.id)
    gpus = [document.device_type(device).gpus for device in devices]
    known = sum(number for number in gpus if number is not None)
    text = plural(known, "GPU")
    if None in gpus:
        text += ", some unknown"
    return Card(group.name, (group.kind.capitalize(), plural(len(devices), "device"), text))


def _link_card(document: Document, link: Link, loads: LoadView | None) -> Card:
    a, b = document.devices[link.a.device], document.devices[link.b.device]
    rate = "rate unknown" if link.gbps is None else f"{link.gbps:g} Gb/s per direction"
    lines = [f"{plural(link.count, 'cable')} · {rate}"]
    medium = name_in(document.catalog.media, link.medium) if link.medium else None
    parts = [medium, None if link.length_m is None else f"{link.length_m:g} m"]
    parts.append(None if link.km is None else f"{link.km:g} km")
    if any(parts):
        lines.append(" · ".join(part for part in parts if part))
    title = f"{a.name}:{link.a.ports} → {b.name}:{link.b.ports}"
    failed = link.failed >= link.count
    directions = () if loads is None or failed else _directions(loads, link, a.name, b.name)
    return Card(title, tuple(lines), directions, failed)


def _directions(loads: LoadView, link: Link, a: str, b: str) -> tuple[Direction, ...]:
    metric = loads.metric if loads.metric != "bytes" else "demand"
    load = loads.in_phase(link.id) or loads.of_link(link.id, metric)
    count = loads.of_link(link.id, "bytes")
    if load is None or count is None:
        return ()
    found = []
    for side, words in enumerate((f"{a} → {b}", f"{b} → {a}")):
        classes = (
            (name, pair[side])
            for name in TRAFFIC_CLASSES
            if name in loads.loads.forward and (pair := loads.of_link(link.id, name)) is not None
        )
        by_class = tuple((name, value) for name, value in classes if value > 0)
        found.append(Direction(words, load[side], count[side], by_class))
    return tuple(found)


def card_height(card: Card) -> float:
    """Height of a card in pixels."""
    rows = 1 + len(card.lines) + card.failed
    extra = sum(LINE + BAR + 6 + LINE * len(d.by_class) for d in card.directions)
    return 2 * PAD + rows * LINE + extra + (6 if card.directions else 0)


def paint_card(ink: Ink, card: Card, px: float, py: float, room: QRectF) -> QRectF:
    """Paint a card near a point, inside `room`; returns where."""
    height = card_height(card)
    x = px + 16 if px + 16 + WIDTH <= room.right() - 8 else px - 16 - WIDTH
    x = max(x, room.left() + 8)
    y = min(max(py + 16, room.top() + 8), room.bottom() - height - 8)
    ink.box(x, y, WIDTH, height, "surface.overlay", "border.default", radius=6)
    _paint_lines(ink, card, x + PAD, y + PAD)
    return QRectF(x, y, WIDTH, height)


def _paint_lines(ink: Ink, card: Card, x: float, y: float) -> None:
    room = WIDTH - 2 * PAD
    ink.text(x, y, card.title, 12, 600, width=room, height=LINE, elide="middle")
    y += LINE
    if card.failed:
        ink.text(x, y, "Failed: carries nothing", 11, 500, "severity.error", height=LINE)
        y += LINE
    for line in card.lines:
        ink.text(x, y, line, 11, color="text.secondary", width=room, height=LINE)
        y += LINE
    y += 6
    for direction in card.directions:
        y = _paint_direction(ink, direction, x, y, room)


def _paint_direction(ink: Ink, direction: Direction, x: float, y: float, room: float) -> float:
    """One direction with its bar, cut by traffic class; returns the next y."""
    load = None if math.isnan(direction.load) else direction.load
    right = format_percent(load)
    ink.text(x + room, y, right, 11, 600, align="right", height=LINE)
    ink.text(x, y, direction.words, 11, width=room - ink.width_of(right, 11, 600) - 8,
             height=LINE, elide="middle")  # fmt: skip
    y += LINE
    ink.box(x, y, room, BAR, "border.subtle", radius=2)
    filled, at = room * min(load or 0.0, 1.0), x
    total = sum(value for _, value in direction.by_class)
    for name, value in direction.by_class:
        width = filled * value / total if total else 0.0
        ink.painter.fillRect(QRectF(at, y, width, BAR), ink.color(f"traffic.{name}"))
        at += width
    y += BAR + 4
    for name, value in direction.by_class:
        ink.box(x, y + 5, 8, 8, f"traffic.{name}", radius=2)
        ink.text(x + 14, y, name, 11, color="text.secondary", height=LINE)
        ink.text(x + room, y, f"{format_bytes(value)} per step", 11, align="right", height=LINE)
        y += LINE
    return y + 2
