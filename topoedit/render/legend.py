"""The legend of the load colours: 264 x 92, in the corner of the canvas and in exports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF

from topoedit.render.ink import Ink
from topoedit.render.loadscale import BINS
from topoedit.render.scene import DiagramScene
from topoedit.units import format_number

WIDTH, HEIGHT = 264.0, 92.0
MARGIN = 16.0
_RAMP = 160.0
SHARES = ("Demand", "Utilisation", "Phase share")
"""Figures of which 100 % is the rate of the link."""


@dataclass(frozen=True)
class Legend:
    """What the legend says.

    Attributes:
        metric: name of the figure that colours the lines.
        traffic: which classes it counts.
        menus: draw the small arrows of the two menus (on the canvas, not in an export).
        halves: lines are two halves, one a direction.
        rates: least and greatest rate of a cable, Gb/s per direction; None if none is known or if
            the figure is no share of it.
        unknown: links whose rate nobody states.
    """

    metric: str = "Demand"
    traffic: str = "All classes"
    menus: bool = True
    halves: bool = True
    rates: tuple[float, float] | None = None
    unknown: int = 0


@dataclass(frozen=True)
class Rates:
    """Rates of the compute links of a drawing.

    Attributes:
        span: least and greatest rate of a cable, Gb/s per direction; None if none is known.
        unknown: links whose rate nobody states.
    """

    span: tuple[float, float] | None = None
    unknown: int = 0


def rates_of(scene: DiagramScene) -> Rates:
    """The rates that a legend of a scene names."""
    compute = scene.links.gbps[scene.links.net == 0]
    known = compute[~np.isnan(compute)]
    span = (float(known.min()), float(known.max())) if len(known) else None
    return Rates(span, len(compute) - len(known))


def legend_of(
    rates: Rates, metric: str = "Demand", traffic: str = "All classes", menus: bool = False
) -> Legend:
    """What a legend says of links with these rates."""
    span = rates.span if metric in SHARES else None
    return Legend(metric, traffic, menus, rates=span, unknown=rates.unknown)


def legend_parts(x: float, y: float) -> dict[str, QRectF]:
    """Where its two menus are, for clicks: `metric` and `traffic`."""
    return {
        "metric": QRectF(x + 50, y + 4, 110, 24),
        "traffic": QRectF(x + 164, y + 4, 96, 24),
    }


def draw_legend(ink: Ink, x: float, y: float, legend: Legend | None = None) -> None:
    """Draw the legend with its top left corner at a point."""
    chosen = legend or Legend()
    if ink.log is not None:
        ink.log.cover(QRectF(x, y, WIDTH, HEIGHT))
    ink.box(x, y, WIDTH, HEIGHT, "surface.panel", "border.default", 6)
    end = ink.text(x + 12, y + 8, "Colour", 11, 400, "text.tertiary")
    arrow = 14 if chosen.menus else 0
    traffic = ink.width_of(chosen.traffic, 11) + arrow
    room = WIDTH - 24 - (end - x - 12) - 8 - arrow - traffic - 8
    end = ink.text(end + 8, y + 8, chosen.metric, 11, 600, "text.primary", width=room)
    ink.text(x + WIDTH - 12 - arrow, y + 8, chosen.traffic, 11, 400, "text.secondary", "right")
    if chosen.menus:
        ink.icon("chevron-down", end + 4, y + 11, 10, "text.tertiary")
        ink.icon("chevron-down", x + WIDTH - 22, y + 11, 10, "text.tertiary")
    _draw_ramp(ink, x + 12, y + 30)
    _draw_rates(ink, x + 12, y + 55, chosen)
    if chosen.halves:
        words = "Half next to a device: traffic leaving it"
        ink.text(x + 12, y + 72, words, 10, 400, "text.tertiary")


def _draw_ramp(ink: Ink, x: float, y: float) -> None:
    width = _RAMP / BINS
    for index, color in enumerate(ink.theme.load_bins()):
        ink.painter.fillRect(QRectF(x + index * width, y, width, 10), color)
    ink.box(x + 166, y, 28, 10, "load.overload")
    for index in range(3):
        ink.box(x + 168 + index * 9, y + 4, 5, 2, "load.overload_core")
    ink.line(x + 212, y + 5, x + 236, y + 5, "load.nodata", 2, (1.5, 4), round_=True)
    for text, at in (("0", 0.0), ("25", 40.0), ("50", 80.0), ("75", 118.0)):
        align = "left" if not at else "center"
        ink.text(x + at, y + 12, text, 10, 400, "text.tertiary", align)  # type: ignore[arg-type]
    ink.text(x + _RAMP, y + 12, "100\u2009%", 10, 400, "text.tertiary", "right")
    ink.text(x + 180, y + 12, "over", 10, 400, "text.tertiary", "center")
    ink.text(x + 240, y + 12, "unknown", 10, 400, "text.tertiary", "right")


def _draw_rates(ink: Ink, x: float, y: float, legend: Legend) -> None:
    """What the shares are in Gb/s, and how many links have no known rate."""
    if legend.unknown:
        count = f"{format_number(legend.unknown)} link{'' if legend.unknown == 1 else 's'}"
        ink.text(x + 240, y, count, 10, 400, "text.tertiary", "right", width=58)
    if legend.rates is None:
        return
    least, most = legend.rates
    if least != most:
        words = f"100 % is {_rate(least)} to {_rate(most)} Gb/s, by link"
        ink.text(x, y, words, 10, 400, "text.tertiary", width=_RAMP)
        return
    for share in (0.0, 0.25, 0.5):
        align = "center" if share else "left"
        text = _rate(share * most)
        ink.text(x + _RAMP * share, y, text, 10, 400, "text.tertiary", align)  # type: ignore[arg-type]
    ink.text(x + _RAMP, y, f"{_rate(most)} Gb/s", 10, 400, "text.tertiary", "right")


def _rate(gbps: float) -> str:
    return format_number(gbps) if gbps >= 10 or gbps == round(gbps) else f"{gbps:.2g}"
