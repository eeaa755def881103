"""Moves of the view: pan, zoom at a point, centre, and the way between two views."""

from __future__ import annotations

from dataclasses import replace

from topoedit.render.view import MAX_SCALE, MIN_SCALE, View


def panned(view: View, dx: float, dy: float) -> View:
    """Moved so that the drawing follows the pointer by dx, dy pixels."""
    return replace(view, x=view.x - dx / view.scale, y=view.y - dy / view.scale)


def zoomed(view: View, factor: float, px: float, py: float) -> View:
    """Zoomed by a factor, the canvas point under the pixel px, py staying there."""
    return at_scale(view, view.scale * factor, px, py)


def at_scale(view: View, scale: float, px: float, py: float) -> View:
    """At another scale, the canvas point under the pixel px, py staying there."""
    scale = min(max(scale, MIN_SCALE), MAX_SCALE)
    x, y = view.to_canvas(px, py)
    return View.at(
        x - px / scale, y - py / scale, scale, view.width, view.height, before=view.level
    )


def centred(view: View, x: float, y: float) -> View:
    """At the same scale with a canvas point in the middle."""
    return replace(view, x=x - view.width / view.scale / 2, y=y - view.height / view.scale / 2)


def resized(view: View, width: float, height: float) -> View:
    """The same view in a window of another size; the top left corner stays."""
    return replace(view, width=width, height=height)


def between(start: View, end: View, share: float) -> View:
    """A view on the way from one to another, straight in what is seen; share 1 is the end."""
    if share >= 1.0:
        return end
    ratio = end.scale / start.scale
    scale = start.scale * ratio**share
    if abs(ratio - 1) < 1e-9:
        weight = share
    else:
        weight = (1 / start.scale - 1 / scale) / (1 / start.scale - 1 / end.scale)
    x = start.x + (end.x - start.x) * weight
    y = start.y + (end.y - start.y) * weight
    return View.at(x, y, scale, end.width, end.height, before=start.level)
