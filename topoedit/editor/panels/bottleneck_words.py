"""Bottleneck classes in words, and which elements of the drawing they stand for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.model.analysis import Bottleneck
from topoedit.render.loadscale import load_code
from topoedit.units import UNKNOWN, format_number, format_seconds

INNER = {"nvlink": "NVLink", "pcie": "PCIe", "xgmi": "xGMI"}


def bottleneck_title(session: DocumentSession, bottleneck: Bottleneck) -> str:
    """Ends of the example and how many like it there are; inside a device, what it is."""
    names = []
    for end in (bottleneck.from_, bottleneck.to):
        device = session.document.devices.get(end)
        names.append(device.name if device is not None else end)
    count = f"  ×{format_number(bottleneck.links)}" if bottleneck.links > 1 else ""
    inner = bottleneck.example.split("/")
    if names[0] == names[1] and len(inner) > 1:
        part = f", {inner[2]}" if len(inner) > 2 else ""
        return f"{names[0]}: {INNER.get(inner[1], inner[1])}{part}{count}"
    return f"{names[0]} → {names[1]}{count}"


def cost_words(bottleneck: Bottleneck) -> str:
    """What the class costs: the cost comes before the cause."""
    if bottleneck.cost_s <= 0:
        return "costs nothing"
    return f"slows the step by {format_seconds(bottleneck.cost_s)}"


def cost_cell(bottleneck: Bottleneck) -> str:
    """The cost as a table shows it."""
    return UNKNOWN if bottleneck.cost_s <= 0 else format_seconds(bottleneck.cost_s)


def device_of(session: DocumentSession, bottleneck: Bottleneck) -> tuple[str, ...]:
    """Ids to select: the links of the class that are drawn, else the device with the inner link."""
    document = session.document
    if bottleneck.example in document.links:
        return links_alike(session, bottleneck)
    holder = bottleneck.example.split("/", 1)[0]
    found = document.named(holder) or document.element(holder)
    return () if found is None else (found.id,)


def links_alike(session: DocumentSession, bottleneck: Bottleneck) -> tuple[str, ...]:
    """Drawn links of the class, the example first.

    The result counts the class but names one link; the others are those with the same load on
    the same direction between devices of the same kinds, and their number is checked.
    """
    document, loads = session.document, session.loads
    example = document.links[bottleneck.example]
    if bottleneck.links <= 1 or loads is None or "demand" not in loads.forward:
        return (example.id,)
    rows = {name: row for row, name in enumerate(loads.links[: loads.drawn])}
    row = rows.get(example.id)
    if row is None:
        return (example.id,)
    forward = example.a.device == bottleneck.from_
    wanted = (loads.forward if forward else loads.backward)["demand"][row]
    kinds = _kinds(session, example.id)
    found = [example.id]
    for name, at in rows.items():
        link = document.links.get(name)
        if name == example.id or link is None or _kinds(session, name) != kinds:
            continue
        same = any(
            abs(float(side["demand"][at]) - float(wanted)) <= 1e-6 * max(1.0, float(wanted))
            for side in (loads.forward, loads.backward)
        )
        if same:
            found.append(name)
    return tuple(found)


def belongs(session: DocumentSession, bottleneck: Bottleneck, link_id: str) -> bool:
    """Whether a drawn link is of a class."""
    if bottleneck.example == link_id:
        return True
    if bottleneck.links <= 1 or bottleneck.example not in session.document.links:
        return False
    if _kinds(session, link_id) != _kinds(session, bottleneck.example):
        return False
    return link_id in links_alike(session, bottleneck)


def _kinds(session: DocumentSession, link_id: str) -> frozenset[str]:
    link, devices = session.document.links[link_id], session.document.devices
    return frozenset(devices[end.device].kind for end in (link.a, link.b) if end.device in devices)


def paint_stripe(theming: Theming, demand: float) -> Callable[[QWidget], None]:
    """Paints four pixels of the load colour at the left edge of a widget."""

    def paint(widget: QWidget) -> None:
        painter = QPainter(widget)
        color = theming.theme.load_color(load_code(demand))
        painter.fillRect(5, 8, 3, widget.height() - 16, color)
        painter.end()

    return paint
