"""The lines of the drawing: one for each visible link, or for all links between two tiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topoedit.render.anchors import Rects, facing_sides, place_ends
from topoedit.render.loadscale import DOWN, PLAIN, Codes
from topoedit.render.tables import Bools, Bytes, Ints, LinkTable

Values = TypeVar("Values", np.uint8, np.bool_)
Segments = NDArray[np.float64]
"""Lines as rows x1, y1, x2, y2: shape (n, 4), C-contiguous, as QPainter.drawLines reads them."""

WIDTH_STEP = 0.25
_MIN_WIDTH, _MAX_WIDTH, _WIDTH_PER_DOUBLING = 1.5, 8.0, 0.75
_WAN_WIDTH = 3.0
_SHORT = (1 << 16) - 1
_THIN = 1.01  # exactly 1 would choose Qt's slower hairline path


@dataclass
class Strokes:
    """One row a drawn line, from node `a` to node `b`.

    Attributes:
        a, b: nodes: a device row, or device count + group index for a collapsed group.
        seg: end points in canvas units, shape (n, 4).
        boxes: left, top, right, bottom of each line, float32, shape (4, n).
        side_a, side_b: edge of the node that it meets.
        width: in screen pixels, whatever the zoom.
        count: cables it stands for; links: how many links.
        link: row of its link (of the first one, if it stands for several).
        net: index into `tables.NETWORKS`.
        planned, wan: how it is dashed and widened.
        of_link: for each link row its stroke, -1 if it is hidden.
        flipped: for each link row, whether it runs from `b` to `a` of its stroke.
        forward, backward: colour code of the half next to `a` (traffic that leaves `a`) and of
            the half next to `b`.
    """

    a: Ints
    b: Ints
    seg: Segments
    boxes: NDArray[np.float32]
    side_a: Bytes
    side_b: Bytes
    width: NDArray[np.float32]
    count: Ints
    links: Ints
    link: Ints
    net: Bytes
    planned: Bools
    wan: Bools
    of_link: Ints
    flipped: Bools
    forward: Codes
    backward: Codes

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def by_stroke(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Links sorted by stroke (hidden ones first), and where those of each stroke begin."""
        at = self.of_link
        if len(self) < _SHORT:
            at = (at + 1).astype(np.uint16)  # sorted in two passes over the bytes
        order = np.argsort(at, kind="stable")
        return order, np.searchsorted(self.of_link[order], np.arange(len(self) + 1))

    @cached_property
    def has_parallels(self) -> bool:
        """Whether several lines join the same two nodes."""
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        pairs = low.astype(np.int64) * (int(high.max(initial=0)) + 1) + high
        return len(np.unique(pairs * 4 + self.net)) < len(pairs)

    @cached_property
    def is_plain(self) -> bool:
        """Whether every stroke is one link, in the same order, and none is hidden."""
        return len(self.of_link) == len(self) and bool((self.links == 1).all())

    def worst_of(self, stroke: int) -> int:
        """The hotter code of the two halves of one line."""
        return max(int(self.forward[stroke]), int(self.backward[stroke]))

    def worst(self) -> Codes:
        """The hotter of the two halves of each line."""
        return np.maximum(self.forward, self.backward)


def widths_of(count: Ints, net: Bytes, wan: Bools) -> NDArray[np.float32]:
    """Width in pixels: clamp(1.5 + 0.75 log2(cables), 1.5, 8); WAN at least 3, other networks 1."""
    raw = _MIN_WIDTH + _WIDTH_PER_DOUBLING * np.log2(np.maximum(count, 1))
    width = np.clip(np.round(raw / WIDTH_STEP) * WIDTH_STEP, _MIN_WIDTH, _MAX_WIDTH)
    width = np.where(wan, np.maximum(width, _WAN_WIDTH), width)
    return np.where(net > 0, _THIN, width).astype(np.float32)


def build_strokes(
    links: LinkTable, node: Ints, rects: Rects, rails: Ints, hidden: Bools | None,
    bundles: bool = False, apart: Bools | None = None,
) -> Strokes:  # fmt: skip
    """All lines of a drawing.

    Args:
        links: the links.
        node: for each device row the node drawn for it.
        rects: boxes of all nodes, devices first.
        rails: number of rail columns of each node.
        hidden: for each link row whether a filter hides it.
        bundles: also make one line of the links between the same two devices, but for failed ones.
        apart: link rows that keep a line of their own even so, as those of manual routes do.
    """
    a, b = node[links.a], node[links.b]
    shown = a != b
    if hidden is not None:
        shown &= ~hidden
    devices = len(node)
    single = links.down if apart is None else links.down | apart
    merged = shown & ((bundles & ~single) | (a >= devices) | (b >= devices))
    of_link, first, sizes = _group_links(links, a, b, shown, merged)
    flipped = merged & (a > b)
    low, high = np.where(flipped, b, a)[first], np.where(flipped, a, b)[first]
    count = np.bincount(of_link[shown], weights=links.count[shown], minlength=len(first))
    strokes = Strokes(
        a=low.astype(np.int32),
        b=high.astype(np.int32),
        seg=np.zeros((len(first), 4)),
        boxes=np.zeros((4, len(first)), np.float32),
        side_a=np.zeros(len(first), np.uint8),
        side_b=np.zeros(len(first), np.uint8),
        width=widths_of(count.astype(np.int32), links.net[first], links.wan[first]),
        count=count.astype(np.int32),
        links=sizes.astype(np.int32),
        link=first.astype(np.int32),
        net=links.net[first],
        planned=links.planned[first],
        wan=links.wan[first],
        of_link=of_link,
        flipped=flipped,
        forward=np.full(len(first), PLAIN, np.uint8),
        backward=np.full(len(first), PLAIN, np.uint8),
    )
    place_strokes(strokes, links, rects, rails)
    return strokes


def _group_links(
    links: LinkTable, a: Ints, b: Ints, shown: Bools, merged: Bools
) -> tuple[Ints, Ints, Ints]:
    """Stroke of each link, first link of each stroke, number of links of each stroke."""
    of_link = np.full(len(links), -1, np.int32)
    single = np.flatnonzero(shown & ~merged)
    of_link[single] = np.arange(len(single))
    several = np.flatnonzero(merged)
    if not len(several):
        return of_link, single.astype(np.int32), np.ones(len(single), np.int32)
    low, high = np.minimum(a, b)[several].astype(np.int64), np.maximum(a, b)[several]
    key = (low * (int(high.max()) + 1) + high) * 4 + links.net[several]
    _, first, inverse, sizes = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    of_link[several] = len(single) + inverse
    return (
        of_link,
        np.r_[single, several[first]].astype(np.int32),
        np.r_[np.ones(len(single), np.int64), sizes].astype(np.int32),
    )


def place_strokes(
    strokes: Strokes, links: LinkTable, rects: Rects, rails: Ints, near: Bools | None = None
) -> None:
    """Work out where lines begin and end.

    Args:
        strokes: changed in place.
        links: the links they stand for.
        rects: boxes of all nodes.
        rails: rail columns of all nodes.
        near: nodes whose ends are placed anew (None for all); see `nodes_to_place`.
    """
    count = len(strokes)
    at_a = (
        np.arange(count, dtype=np.int32)
        if near is None
        else np.flatnonzero(near[strokes.a]).astype(np.int32)
    )
    at_b = (
        np.arange(count, dtype=np.int32)
        if near is None
        else np.flatnonzero(near[strokes.b]).astype(np.int32)
    )
    here = np.r_[strokes.a[at_a], strokes.b[at_b]]
    there = np.r_[strokes.b[at_a], strokes.a[at_b]]
    side = facing_sides(rects, here, there)
    column_a, order_a = _ports_at(strokes, links, at_a, start=True)
    column_b, order_b = _ports_at(strokes, links, at_b, start=False)
    x, y = place_ends(
        rects, here, there, side, np.r_[column_a, column_b], np.r_[order_a, order_b], rails
    )
    cut = len(at_a)
    strokes.side_a[at_a], strokes.side_b[at_b] = side[:cut], side[cut:]
    strokes.seg[at_a, 0], strokes.seg[at_a, 1] = x[:cut], y[:cut]
    strokes.seg[at_b, 2], strokes.seg[at_b, 3] = x[cut:], y[cut:]
    x1, y1, x2, y2 = strokes.seg.T
    strokes.boxes[:] = (
        np.minimum(x1, x2),
        np.minimum(y1, y2),
        np.maximum(x1, x2),
        np.maximum(y1, y2),
    )


def _ports_at(strokes: Strokes, links: LinkTable, rows: Ints, start: bool) -> tuple[Ints, Ints]:
    """Rail column and port number at one end of some lines; none for a line of several links."""
    link = strokes.link[rows]
    at_a = ~strokes.flipped[link] if start else strokes.flipped[link]
    column = np.where(at_a, links.column_a[link], links.column_b[link])
    order = np.where(at_a, links.order_a[link], links.order_b[link])
    return np.where(strokes.links[rows] == 1, column, -1).astype(np.int32), order


def nodes_to_place(strokes: Strokes, moved: Bools) -> Bools:
    """Nodes whose link ends shift when some nodes move: these and their neighbours."""
    near = moved.copy()
    touched = moved[strokes.a] | moved[strokes.b]
    near[strokes.a[touched]] = True
    near[strokes.b[touched]] = True
    return near


def colour_strokes(strokes: Strokes, forward: Codes, backward: Codes, down: Bools) -> None:
    """Give each stroke the worst colour of its links in each direction.

    A stroke is down only if all of its links are.
    """
    if strokes.is_plain:
        strokes.forward = np.where(down, np.uint8(DOWN), forward)
        strokes.backward = np.where(down, np.uint8(DOWN), backward)
        return
    one, other = np.where(down, PLAIN, forward), np.where(down, PLAIN, backward)
    ahead = np.where(strokes.flipped, other, one).astype(np.uint8)
    back = np.where(strokes.flipped, one, other).astype(np.uint8)
    alive = _worst(strokes, ~down)
    strokes.forward = np.where(alive, _worst(strokes, ahead), np.uint8(DOWN))
    strokes.backward = np.where(alive, _worst(strokes, back), np.uint8(DOWN))


def _worst(strokes: Strokes, of_link: NDArray[Values]) -> NDArray[Values]:
    """Highest value among the links of each stroke; no stroke is without a link."""
    if not len(strokes):
        return of_link[:0]
    order, starts = strokes.by_stroke
    found: NDArray[Values] = np.maximum.reduceat(of_link[order], starts[:-1])
    return found


def segments_of_code(strokes: Strokes, rows: Ints, code: int) -> tuple[Segments, Ints]:
    """The lines in one colour: the whole where both halves have it, else the half that has.

    Args:
        strokes: all lines.
        rows: strokes that have the colour in at least one half.
        code: the colour code.

    Returns:
        lines and the stroke row of each.
    """
    seg = strokes.seg[rows]
    ahead, back = strokes.forward[rows] == code, strokes.backward[rows] == code
    middle = (seg[:, :2] + seg[:, 2:]) / 2
    seg[~back, 2:] = middle[~back]
    seg[~ahead, :2] = seg[~ahead, 2:]
    seg[~ahead, 2:] = middle[~ahead]
    return seg, rows


def ends_by_node(strokes: Strokes, nodes: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Ends (stroke, or stroke count + stroke for its `b`) sorted by node, and where each begins."""
    node = np.concatenate((strokes.a, strokes.b))
    order = np.argsort(node, kind="stable")
    return order, np.searchsorted(node[order], np.arange(nodes + 1))


def down_links(links: LinkTable, failed: Bools) -> Bools:
    """Links that carry nothing: all cables failed, or a device at an end has `failed` (by row)."""
    return links.down | failed[links.a] | failed[links.b] if failed.any() else links.down


def load_of(
    strokes: Strokes, stroke: int, loads: NDArray[np.float64], rows: NDArray[np.intp] | None
) -> tuple[float, float]:
    """Highest load of each direction of one line, NaN if unknown.

    Args:
        strokes: all lines.
        stroke: which one.
        loads: of all links, both directions; shape (2, links).
        rows: the links that it stands for, None for one alone.
    """
    if rows is None:
        link = strokes.link[stroke]
        ahead, back = loads[:, link].tolist()
        return (back, ahead) if strokes.flipped[link] else (ahead, back)
    turned, (here, there) = strokes.flipped[rows], loads[:, rows]
    return highest(np.where(turned, there, here)), highest(np.where(turned, here, there))


def highest(values: NDArray[np.float64]) -> float:
    """The greatest of the known values, NaN if none is known."""
    known = values[~np.isnan(values)]
    return float(known.max()) if len(known) else float("nan")
