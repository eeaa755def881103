"""Port names at the ends of lines, from 200 % zoom on: along the line, beside its port.

Names that would meet another are left out, those of hotter lines last; the hovered line says them
on two plates, each with a leader to its end.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from topoedit.model import ports as port_ranges
from topoedit.render.anchors import BOTTOM, LEFT, RIGHT, TOP
from topoedit.render.ink import Ink, TextLog
from topoedit.render.labels import Plate, draw_plate, plate_rect
from topoedit.render.links import Job
from topoedit.render.looks import PortLook, look_at
from topoedit.render.scene import DiagramScene
from topoedit.render.tables import Ints
from topoedit.render.theme import Theme
from topoedit.render.view import View

END_LABELS_FROM = 2.0
_HEIGHT = 12.0
_LEAST_PITCH = 13.0  # names closer together than this would meet
_MOST_DEVICES = 60
_LONGEST = 64.0


def end_label_jobs(
    scene: DiagramScene, theme: Theme, view: View, rows: Ints, log: TextLog | None
) -> Iterator[Job]:
    """Names of the ports of the visible devices."""
    for row in rows[:_MOST_DEVICES].tolist():
        yield _job(scene, theme, view, row, log)


def _job(scene: DiagramScene, theme: Theme, view: View, row: int, log: TextLog | None) -> Job:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        ink = Ink(painter, theme, log)
        sides: dict[int, list[PortLook]] = defaultdict(list)
        for port in look_at(scene, view, row).ports:
            sides[port.side].append(port)
        for side, all_ports in sides.items():
            ports = apart(all_ports, side)
            pitch = _pitch(ports, side)
            bends = [_bends_after(scene, row, port) for port in ports]
            if pitch < 2 * _HEIGHT + 4:  # no room for two names between two lines: all on one side
                bends = [sum(bends) * 2 > len(bends)] * len(bends)
            for port, bend in zip(ports, bends, strict=True):
                _write(ink, port, port_words(scene, row, port.stroke), bend)

    return paint


def apart(ports: list[PortLook], side: int) -> list[PortLook]:
    """The ports of one edge whose names have room beside each other, hot ones first."""
    chosen: list[PortLook] = []
    for port in sorted(ports, key=lambda p: -p.code):
        at = port.x if side in (TOP, BOTTOM) else port.y
        places = (p.x if side in (TOP, BOTTOM) else p.y for p in chosen)
        if all(abs(at - place) >= _LEAST_PITCH for place in places):
            chosen.append(port)
    return sorted(chosen, key=lambda p: (p.x, p.y))


def _pitch(ports: list[PortLook], side: int) -> float:
    places = sorted(p.x if side in (TOP, BOTTOM) else p.y for p in ports)
    return min((b - a for a, b in pairwise(places)), default=1e9)


def port_words(scene: DiagramScene, row: int, stroke: int) -> str:
    """The ports of a line at a device, `33–34`; how many links it has, if it stands for several."""
    strokes = scene.strokes
    if strokes.links[stroke] != 1:
        return f"{int(strokes.links[stroke])} links"
    link = scene.document.links[scene.links.ids[int(strokes.link[stroke])]]
    names = link.end_at(scene.devices.ids[row]).names
    if len(names) == 1:
        return names[0]
    return port_ranges.collapse(names).replace("-", "–") if names else ""


def _bends_after(scene: DiagramScene, row: int, port: PortLook) -> bool:
    """Whether a line bends to the right, or downwards if it leaves sideways."""
    x1, y1, x2, y2 = scene.strokes.seg[port.stroke].tolist()
    dx, dy = (x2 - x1, y2 - y1) if scene.strokes.a[port.stroke] == row else (x1 - x2, y1 - y2)
    return bool(dx > 0 if port.side in (TOP, BOTTOM) else dy > 0)


def _write(ink: Ink, port: PortLook, text: str, bends_after: bool) -> None:
    painter = ink.painter
    painter.save()
    painter.translate(round(port.x), round(port.y))
    if port.side in (TOP, BOTTOM):
        painter.rotate(-90)
    away = port.side in (TOP, RIGHT)
    # Beside the line, on the side from which it bends away.
    ink.text(
        10 if away else -10, -14 if bends_after else 2, text, 10, 400, "canvas.label_sub",
        "left" if away else "right", width=_LONGEST, height=_HEIGHT, elide="middle",
    )  # fmt: skip
    painter.restore()


def draw_end_tags(
    ink: Ink, scene: DiagramScene, view: View, stroke: int, taken: Iterable[QRectF] = ()
) -> None:
    """Port names of one line on plates beside its two ends, wherever they are in the window."""
    strokes = scene.strokes
    used = list(taken)
    for row, side, x, y in (
        (int(strokes.a[stroke]), int(strokes.side_a[stroke]), *strokes.seg[stroke, :2].tolist()),
        (int(strokes.b[stroke]), int(strokes.side_b[stroke]), *strokes.seg[stroke, 2:].tolist()),
    ):
        px, py = view.to_pixels(x, y)
        inside = 0 <= px <= view.width and 0 <= py <= view.height
        if row >= len(scene.devices) or not inside or view.scale >= END_LABELS_FROM:
            continue
        text = port_words(scene, row, stroke)
        plate = next(_tag_places(ink, text, px, py, side, used), None) if text else None
        if plate is not None:
            used.append(plate_rect(ink, plate))
            edge_x = plate.x - math.copysign(used[-1].width() / 2, plate.x - px)
            ink.line(px, py, edge_x, plate.y, "canvas.label_sub", 1)
            draw_plate(ink, plate)


def _tag_places(
    ink: Ink, text: str, x: float, y: float, side: int, used: list[QRectF]
) -> Iterator[Plate]:
    """Free places for a plate beside an end, out of the device and off the line."""
    half = ink.width_of(text, 10, 600) / 2 + 5
    dx, dy = {TOP: (0, -1), BOTTOM: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}[side]
    for turn in (1, -1):
        for step in (14.0, 32.0):
            if dy:
                plate = Plate(x + turn * (half + 8), y + dy * step, text)
            else:
                plate = Plate(x + dx * (half + 8), y + turn * step, text)
            if not any(plate_rect(ink, plate).intersects(rect) for rect in used):
                yield plate
