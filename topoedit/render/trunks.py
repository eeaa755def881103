"""Trunks: the bundles between closed groups, led around other boxes at right angles.

Only where there are few of them; very many cross whatever is done, and straight lines are then the
quieter picture. Routes come from `layout.orthogonal`; a manual route of a link always wins.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoedit.layout.orthogonal import Exit, route_all
from topoedit.render.anchors import BOTTOM, LEFT, RIGHT, TOP, Rects
from topoedit.render.strokes import Strokes
from topoedit.render.tables import Bools

MOST_TRUNKS = 64
MOST_BOXES = 400
Route = tuple[tuple[float, float], ...]
_SIDES: dict[int, Literal["top", "right", "bottom", "left"]] = {
    TOP: "top", RIGHT: "right", BOTTOM: "bottom", LEFT: "left",
}  # fmt: skip


class Trunks:
    """Routes of the bundles of a picture, kept until something moves."""

    def __init__(self) -> None:
        self._key = b""
        self._routes: dict[int, Route] = {}

    def routes(
        self, strokes: Strokes, rects: Rects, devices: int, shown: Bools
    ) -> dict[int, Route]:
        """Waypoints by stroke, without the ends.

        Args:
            strokes: all lines.
            rects: boxes of all nodes.
            devices: how many of the nodes are devices.
            shown: nodes that are drawn as a box: devices in sight and closed groups.
        """
        rows = np.flatnonzero((strokes.a >= devices) | (strokes.b >= devices))
        boxes = rects[:, shown].T
        if not 0 < len(rows) <= MOST_TRUNKS or len(boxes) > MOST_BOXES:
            return {}
        key = b"".join(part.tobytes() for part in (rows, strokes.seg[rows], boxes))
        if key != self._key:
            self._key, self._routes = key, _find(strokes, rows, boxes)
        return self._routes


def _find(strokes: Strokes, rows: NDArray[np.intp], boxes: NDArray[np.float64]) -> dict[int, Route]:
    ends = {}
    for row in rows.tolist():
        x1, y1, x2, y2 = strokes.seg[row].tolist()
        a, b = int(strokes.side_a[row]), int(strokes.side_b[row])
        ends[row] = (Exit(x1, y1, _SIDES[a]), Exit(x2, y2, _SIDES[b]))
    found = route_all(ends, np.ascontiguousarray(boxes))
    return {row: tuple(path[1:-1]) for row, path in found.items() if len(path) > 2}
