"""What a template makes, worked out beside the window: the drawing, its picture and its counts."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QImage, QPainter

from topoedit.app.generate import generate_with_notes
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.editor.background import Cancel, Progress
from topoedit.engine.compile import compile_fabric
from topoedit.engine.compile.summary import tier_summary
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Link, SavedWorkload
from topoedit.model.plan import Workload
from topoedit.render.diagram import PaintOptions, paint_diagram
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View
from topoedit.units import UNKNOWN, format_number

LARGE = 5000
"""Devices above which the tier ratio is not worked out for the preview: it takes seconds."""
_SWITCHES = ("leaf", "spine", "core", "switch")
_MARGIN = 16.0


@dataclass(frozen=True)
class Order:
    """What the steps ask for.

    Attributes:
        values: option name -> value, of those given.
        workload: model and plan to begin with, if any.
        width, height: of the picture, logical pixels; `ratio` device pixels each.
    """

    template: str
    values: Mapping[str, object]
    workload: Workload | None
    theme: str
    width: int
    height: int
    ratio: float


@dataclass(frozen=True)
class Part:
    """One device type of the drawing: ports in use and all ports of one, power of all."""

    name: str
    count: int
    ports: str
    power: str
    media: str


@dataclass(frozen=True)
class Draft:
    """The drawing, its picture, and figures as (value, what it counts)."""

    document: Document
    summary: str
    notes: tuple[str, ...]
    picture: QImage
    figures: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    seconds: float


def draw(order: Order, catalog: Catalog, progress: Progress, cancelled: Cancel) -> Draft:
    """Make the drawing and everything that the preview shows of it; touches no widget.

    Raises:
        BadInputError: the values cannot be built.
        CancelledError: newer values came.
    """
    begun = time.perf_counter()
    document, built = generate_with_notes(order.template, order.values, catalog)
    progress("counting", 0.5)
    parts = parts_of(document)
    figures = _figures(document)
    progress("painting", 0.8)
    picture = paint(document, order)
    if order.workload is not None:
        set_workload(document, order.workload)
    seconds = time.perf_counter() - begun
    return Draft(document, built.summary, built.notes, picture, figures, parts, seconds)


def set_workload(document: Document, workload: Workload) -> None:
    """Let a new drawing begin with a model and plan."""
    from msgspec.structs import replace

    saved = SavedWorkload(id=document.new_id("workload"), name=workload.model, workload=workload)
    document.apply(Edit("Set plan", put=(replace(document.settings, active=saved.id), saved)))


def paint(document: Document, order: Order) -> QImage:
    """The whole drawing in the size of the preview."""
    scene = DiagramScene(document)
    theme = Theme.load(order.theme)
    left, top, right, bottom = scene.bounds()
    scale = min(
        1.0,
        (order.width - 2 * _MARGIN) / max(right - left, 1.0),
        (order.height - 2 * _MARGIN) / max(bottom - top, 1.0),
    )
    x = (left + right) / 2 - order.width / 2 / scale
    y = (top + bottom) / 2 - order.height / 2 / scale
    ratio = order.ratio
    image = QImage(
        round(order.width * ratio), round(order.height * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(theme.color("canvas.bg"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = View.at(x, y, scale, order.width, order.height)
        paint_diagram(painter, scene, theme, view, PaintOptions(background=False))
    return image


def _figures(document: Document) -> tuple[tuple[str, str], ...]:
    kinds: Counter[str] = Counter(device.kind for device in document.devices.values())
    cables = sum(link.count for link in document.links.values())
    gpus = [document.device_type(d).gpus for d in document.devices.values() if d.kind == "server"]
    known = UNKNOWN if None in gpus else format_number(sum(g or 0 for g in gpus))
    figures = [
        (known, "GPUs"),
        (format_number(kinds["server"]), "servers"),
        (format_number(sum(kinds[k] for k in _SWITCHES)), "switches"),
        (format_number(cables), "cables"),
        (_megawatts(document), "MW at most"),
    ]
    if len(document.devices) <= LARGE:
        figures += _ratios(document)
    return tuple(figures)


def _ratios(document: Document) -> list[tuple[str, str]]:
    tiers = tier_summary(document, compile_fabric(document))
    return [
        (f"{tier.oversubscription:.3g}:1", "leaf to spine")
        for tier in tiers
        if tier.tier == "leaf-spine" and tier.oversubscription is not None
    ]


def _megawatts(document: Document) -> str:
    """Maximum draw of all devices; "≥" where some have none known."""
    known = [document.device_type(d).power_kw_max for d in document.devices.values()]
    watts = [kw for kw in known if kw is not None]
    if not watts:
        return UNKNOWN
    return f"{'≥ ' if len(watts) < len(known) else ''}{sum(watts) / 1000:.3g}"


def parts_of(document: Document) -> tuple[Part, ...]:
    """Device types by count, servers first, as drawn."""
    by_type: dict[tuple[str, str], list[str]] = defaultdict(list)
    for device in document.devices.values():
        by_type[device.type, device.kind].append(device.id)
    order = sorted(by_type, key=lambda key: (key[1] != "server", -len(by_type[key]), key))
    return tuple(_part(document, by_type[key], key[1]) for key in order)


def _part(document: Document, ids: list[str], kind: str) -> Part:
    first = document.devices[ids[0]]
    found = document.device_type(first)
    links = [document.links[i] for i in document.links_of(ids[0])]
    used = sum(link.count for link in links)
    most = max(used, *(_ports_used(document, i) for i in ids[-1:]))
    total = len(found.port_by_name)
    kw = found.power_kw_max
    return Part(
        name=_short(found) if kind == "server" else f"{kind.capitalize()} {_short(found)}",
        count=len(ids),
        ports=f"{most} of {total}" if total else UNKNOWN,
        power=UNKNOWN if kw is None else f"{format_number(round(kw * len(ids)))} kW",
        media=", ".join(_media(document, links)) or UNKNOWN,
    )


def _short(kind: DeviceType) -> str:
    """The name without the maker and what stands in brackets or behind a slash."""
    return kind.name.removeprefix(f"{kind.vendor} ").split(" (")[0].split(" / ")[0]


def _ports_used(document: Document, device_id: str) -> int:
    return sum(document.links[i].count for i in document.links_of(device_id))


def _media(document: Document, links: list[Link]) -> list[str]:
    media = document.catalog.media
    found = {link.medium for link in links if link.medium}
    return sorted({media[m].name.split()[0] if m in media else m for m in found})
