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


def bottleneck_title(session: DocumentSession, number: int) -> str:
    """Ends of the example and how many like it there are; inside a device, what it is."""
    bottleneck = _bottleneck(session, number)
    names = []
    for end in (bottleneck.from_, bottleneck.to):
        device = session.document.devices.get(end)
        names.append(device.name if device is not None else end)
    inner = bottleneck.example.rsplit("/", 2)
    count = f"  {words}" if (words := count_words(session, number)) else ""
    if names[0] == names[1] and len(inner) > 2:
        return f"{names[0]}: {INNER.get(inner[1], inner[1])}, {inner[2]}{count}"
    return f"{names[0]} → {names[1]}{count}"


def count_words(session: DocumentSession, number: int) -> str:
    """How many links a class has, which is how many a click selects; "" for one."""
    classes = session.bottleneck_classes
    if classes is None:
        return ""
    drawn = len(classes.drawn(number))
    if drawn:
        return f"×{format_number(drawn)}" if drawn > 1 else ""
    holders = len(classes.holders(number))
    many = f"×{format_number(classes.inner(number))}"
    return f"{many} in {format_number(holders)} devices" if holders > 1 else many


def _bottleneck(session: DocumentSession, number: int) -> Bottleneck:
    if session.analysis is None:
        raise LookupError("there is no result")
    return session.analysis.bottlenecks[number]


def cost_words(bottleneck: Bottleneck) -> str:
    """What the class costs: the cost comes before the cause."""
    if bottleneck.cost_s <= 0:
        return "costs nothing"
    return f"slows the step by {format_seconds(bottleneck.cost_s)}"


def cost_cell(bottleneck: Bottleneck) -> str:
    """The cost as a table shows it."""
    return UNKNOWN if bottleneck.cost_s <= 0 else format_seconds(bottleneck.cost_s)


def elements_of(session: DocumentSession, number: int) -> tuple[str, ...]:
    """Ids to select: all drawn links of the class, or the devices that its links are in."""
    classes, document = session.bottleneck_classes, session.document
    if classes is None:
        return ()
    drawn = tuple(link for link in classes.drawn(number) if link in document.links)
    if drawn:
        return drawn
    found = (document.named(name) or document.element(name) for name in classes.holders(number))
    return tuple(device.id for device in found if device is not None)


def paint_stripe(theming: Theming, demand: float) -> Callable[[QWidget], None]:
    """Paints four pixels of the load colour at the left edge of a widget."""

    def paint(widget: QWidget) -> None:
        with QPainter(widget) as painter:
            color = theming.theme.load_color(load_code(demand))
            painter.fillRect(5, 8, 3, widget.height() - 16, color)

    return paint
