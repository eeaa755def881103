"""The diagram of a report: as SVG with real text and places to point at, or painted on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from topoedit.model.document import Document
from topoedit.render.diagram import PaintOptions, paint_diagram
from topoedit.render.export import ensure_gui
from topoedit.render.links import is_curved, visible_strokes
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.two_way import stroke_pixels
from topoedit.render.view import View
from topoedit.units import format_number, format_percent

MARGIN = 20.0
MOST_TARGETS = 6000
"""Lines and devices that can be pointed at; more would make the file large for nothing."""
_TALLEST = 1.25  # of the width
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Loads(NamedTuple):
    """Loads of links: ids, and the load from end a to b and from b to a (1.0 is 100 %)."""

    ids: Sequence[str]
    forward: ArrayLike
    backward: ArrayLike


class ReportFigure:
    """One picture of a whole drawing, `width` wide.

    Large drawings show closed pods and racks, as they do on the canvas from afar.

    Args:
        document: the drawing.
        loads: loads of its links, None if nothing was analysed.
        width: logical pixels; devices show as much detail as they would at that size on a screen.
        height: the most it may be high; None for 1.25 times the width.
    """

    def __init__(
        self, document: Document, loads: Loads | None, width: float, height: float | None = None
    ) -> None:
        ensure_gui()
        self._theme = Theme.load("light")
        scene = DiagramScene(document)
        if loads is not None:
            scene.set_loads(loads.ids, loads.forward, loads.backward)
        left, top, right, bottom = scene.bounds()
        wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
        room = width - 2 * MARGIN
        tallest = max((height or width * _TALLEST) - 2 * MARGIN, 1.0)
        scale = min(room / wide, tallest / high, 1.5)
        self.width, self.height = width, float(round(high * scale + 2 * MARGIN))
        x = (left + right) / 2 - self.width / 2 / scale
        y = (top + bottom) / 2 - self.height / 2 / scale
        self._view = View.at(x, y, scale, self.width, self.height)
        self._scene = scene.for_scale(scale)
        self.analysed = loads is not None

    def paint(self, painter: QPainter) -> None:
        """Paint it from (0, 0) to (width, height)."""
        painter.save()
        paint_diagram(
            painter,
            self._scene,
            self._theme,
            self._view,
            PaintOptions(background=False, smooth=True),
        )
        painter.restore()

    def svg(self, described: str) -> str:
        """An `<svg>` element with real text; lines and devices have titles to point at."""
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setResolution(96)
        generator.setSize(QSize(round(self.width), round(self.height)))
        generator.setViewBox(QRect(0, 0, round(self.width), round(self.height)))
        with QPainter(generator) as painter:
            self.paint(painter)
        buffer.close()
        text = bytes(data.data()).decode("utf-8", "replace")
        inner = text[text.index("<g") : text.rindex("</svg>")]
        targets = "".join(self._targets())
        return (
            f'<svg class="diagram" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" font-family="Inter, sans-serif">'
            f"<title>{clean(described)}</title>{inner}"
            f'<g class="targets" fill="transparent" stroke="transparent">{targets}</g></svg>'
        )

    # -- what can be pointed at ----------------------------------------------------------------

    def _targets(self) -> Iterator[str]:
        rows = visible_strokes(self._scene, self._view)
        curved = is_curved(self._view, len(rows))
        worst = self._scene.strokes.worst()[rows]
        hottest = rows[np.argsort(worst, kind="stable")][-MOST_TARGETS:]
        for stroke in hottest.tolist():
            points = stroke_pixels(self._scene, self._view, stroke, curved)
            step = max(1, len(points) // 9) if curved else max(1, len(points) - 1)
            kept = [*points[:-1:step].tolist(), points[-1].tolist()]
            path = "L".join(f"{x:.0f} {y:.0f}" for x, y in kept)
            title = _title(self._words(stroke))
            yield f'<path d="M{path}" fill="none" stroke-width="7">{title}</path>'
        yield from self._nodes()

    def _nodes(self) -> Iterator[str]:
        scene, view = self._scene, self._view
        shown = np.flatnonzero(scene.shown_devices())[:MOST_TARGETS]
        count = len(scene.devices)
        tiles = [
            count + index
            for index, group in enumerate(scene.grouping.groups)
            if group.collapsed and not group.hidden
        ]
        for node in [*shown.tolist(), *tiles[:MOST_TARGETS]]:
            left, top, right, bottom = scene.rects[:, node].tolist()
            x, y = view.to_pixels(left, top)
            w, h = (right - left) * view.scale, (bottom - top) * view.scale
            box = f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}">'
            yield f"{box}{_title(self._node_words(node))}</rect>"

    def _words(self, stroke: int) -> str:
        scene = self._scene
        a, b = int(scene.strokes.a[stroke]), int(scene.strokes.b[stroke])
        cables = int(scene.strokes.count[stroke])
        many = f", {format_number(cables)} cables" if cables > 1 else ""
        ends = f"{self._name(a)} – {self._name(b)}{many}"
        if not self.analysed:
            return ends
        ahead, back = scene.stroke_load(stroke)
        first, second = _percent(ahead), _percent(back)
        return f"{ends}\nleaving {self._name(a)}: {first}\nleaving {self._name(b)}: {second}"

    def _node_words(self, node: int) -> str:
        load = float(self._scene.node_loads[node])
        worst = f"\nfullest link {_percent(load)}" if self.analysed and load == load else ""
        return f"{self._name(node)}{worst}"

    def _name(self, node: int) -> str:
        element = self._scene.document.element(self._scene.id_of(node))
        return str(getattr(element, "name", "") or self._scene.id_of(node))


def _percent(load: float) -> str:
    return format_percent(load if load == load else None, 1)


def clean(text: str) -> str:
    """A text that XML and HTML can hold."""
    return escape(_CONTROL.sub("\ufffd", text), {'"': "&quot;"})


def _title(text: str) -> str:
    return f"<title>{clean(text)}</title>"
