"""Plots as SVG elements inside HTML."""

from __future__ import annotations

from html import escape

from topoedit.reports.report.colours import hex_of
from topoedit.reports.report.shapes import Box, Plot, Rule, Shape, Words

_ANCHOR = {"left": "start", "center": "middle", "right": "end"}


def hatched(x: float, y: float, w: float, h: float) -> str:
    """The pattern of waiting: slanted lines on a quiet ground, cut at its edges."""
    lines, start = [], x - h + 2.5
    while start < x + w:
        left, right = max(start, x), min(start + h, x + w)
        if right > left:
            top, foot = y + h - (right - start), y + h - (left - start)
            lines.append(f"M{left:.1f} {foot:.1f}L{right:.1f} {top:.1f}")
        start += 5
    place = f'x="{x:.2f}" y="{y:.2f}" width="{w:.2f}" height="{h:.2f}"'
    return (
        f'<rect {place} fill="{hex_of("breakdown.bubble")}"/>'
        f'<path d="{"".join(lines)}" stroke="{hex_of("text.tertiary")}" stroke-width="0.8"/>'
    )


def plot_svg(plot: Plot) -> str:
    """An `<svg>` element with real text, as wide as its column; tips are titles."""
    inner = "".join(map(_shape, plot.shapes))
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {plot.width:g} {plot.height:g}">'
        f"<title>{escape(plot.described)}</title>{inner}</svg>"
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Box():
            if shape.hatch:
                inside = hatched(shape.x, shape.y, shape.w, shape.h)
                return f"<g><title>{escape(shape.tip)}</title>{inside}</g>"
            place = f'x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.w:.2f}"'
            head = f'<rect {place} height="{shape.h:.2f}" fill="{shape.fill}"'
            return f"{head}><title>{escape(shape.tip)}</title></rect>" if shape.tip else f"{head}/>"
        case Rule():
            ends = (
                f'x1="{shape.x1:.2f}" y1="{shape.y1:.2f}" x2="{shape.x2:.2f}" y2="{shape.y2:.2f}"'
            )
            return f'<line {ends} stroke="{shape.color}"/>'
        case Words():
            turn = f' transform="rotate(-90 {shape.x:.1f} {shape.y:.1f})"' if shape.turned else ""
            return (
                f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.px}" '
                f'fill="{shape.color or hex_of("text.primary")}" '
                f'text-anchor="{_ANCHOR[shape.align]}"{turn}>{escape(shape.text)}</text>'
            )
