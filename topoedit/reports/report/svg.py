"""Plots as SVG elements inside HTML."""

from __future__ import annotations

from html import escape

from topoedit.reports.report.colours import hex_of
from topoedit.reports.report.shapes import Box, Plot, Rule, Shape, Words

_ANCHOR = {"left": "start", "center": "middle", "right": "end"}
HATCH_DEFINITION = (
    '<svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="5" height="5" '
    'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="5" height="5" fill="{hex_of("breakdown.bubble")}"/>'
    f'<rect width="1.2" height="5" fill="{hex_of("text.tertiary")}"/></pattern></defs></svg>'
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
            fill = "url(#hatch)" if shape.hatch else shape.fill
            place = f'x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.w:.2f}"'
            head = f'<rect {place} height="{shape.h:.2f}" fill="{fill}"'
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
