"""Manual routes: which links a person has led by waypoints, and through which points."""

from __future__ import annotations

import numpy as np

from topoedit.model.document import Document
from topoedit.render.strokes import Strokes
from topoedit.render.tables import Bools, LinkTable

Waypoints = tuple[tuple[float, float], ...]


def routed_links(document: Document, links: LinkTable) -> Bools:
    """For each link row whether it has waypoints."""
    return np.array([bool(document.links[i].via) for i in links.ids], dtype=np.bool_)


def manual_bends(document: Document, links: LinkTable, strokes: Strokes) -> dict[int, Waypoints]:
    """Waypoints by stroke; a line that stands for several links has none."""
    rows = ((links.row[e.id], e.via) for e in document.links.values() if e.via)
    found = ((int(strokes.of_link[row]), via) for row, via in rows)
    return {s: via for s, via in found if s >= 0 and strokes.links[s] == 1}
