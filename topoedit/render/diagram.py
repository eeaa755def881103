"""Painting a whole diagram: the order of everything, in one go or in small jobs.

`paint_diagram` draws on any QPaintDevice. `paint_jobs` yields the same picture as pieces of about
a millisecond, for a screen that must not stall; what changes with every click (selection, hover,
marks) is drawn apart by `overlay.paint_overlay`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from topoedit.model.layers import DIMMED
from topoedit.render import containers, crowds, links
from topoedit.render.batches import fill_boxes, pixel_boxes
from topoedit.render.curves import middle_of
from topoedit.render.devices import device_jobs, visible_devices
from topoedit.render.end_labels import END_LABELS_FROM, end_label_jobs
from topoedit.render.ink import Ink, TextLog
from topoedit.render.labels import MOST_LABELS, Plate, choose_plates, draw_plate
from topoedit.render.link_words import both_ways, labelled, stroke_label, worst_load
from topoedit.render.links import Job
from topoedit.render.loadscale import BINS, FIRST_BIN, OVERLOAD, Codes
from topoedit.render.notes import draw_note
from topoedit.render.scene import DiagramScene
from topoedit.render.tables import Bools, Ints
from topoedit.render.theme import Theme, blend, number
from topoedit.render.two_way import draw_two_way, stroke_pixels
from topoedit.render.view import Level, View

Labels = Literal["none", "hot", "all"]

_HOT_CODE = FIRST_BIN + round(0.9 * BINS)
_GROUPS_A_JOB = 40
_TILES_A_JOB = 6
_MOST_TWO_WAY = 200
_GRID, _GRID_MAJOR = 16.0, 64.0
_GRID_FADES_UNDER, _GRID_GONE_UNDER = 0.6, 0.3


@dataclass(frozen=True)
class PaintOptions:
    """How a diagram is painted.

    Attributes:
        background: fill the window with the canvas colour.
        grid: draw the dots of the snap grid.
        labels: plates on lines: none, those from 90 % load on, or as many as fit.
        strength: below 1 the lines sink into the canvas (a stale result: `state.stale_opacity`).
        focus: ids of devices; lines that do not join two of them sink back. None for no focus.
        smooth: antialiasing of lines; None decides by their number and cost.
        whole: the view of the whole picture, if this one is only a band of it.
        without: ids of devices to leave out with their lines (they are being moved).
        screen: device pixels a pixel of a picture for the screen, in which lines that hotter ones
            hide may be left out; None paints every line.
        log: collects the boxes of all texts.
    """

    background: bool = True
    grid: bool = False
    labels: Labels = "hot"
    strength: float = 1.0
    focus: frozenset[str] | None = None
    smooth: bool | None = None
    whole: View | None = None
    without: frozenset[str] = frozenset()
    screen: float | None = None
    log: TextLog | None = None


def paint_diagram(
    painter: QPainter, scene: DiagramScene, theme: Theme, view: View,
    options: PaintOptions | None = None,
) -> None:  # fmt: skip
    """Paint everything that the view shows; the painter's own transform is kept."""
    for job in paint_jobs(scene, theme, view, options):
        painter.save()
        job(painter)
        painter.restore()


def paint_jobs(
    scene: DiagramScene, theme: Theme, view: View, options: PaintOptions | None = None
) -> Iterator[Job]:
    """The picture as small jobs, in their order from the canvas up; each sets its own pens.

    A job is a function of a painter whose coordinates are the pixels of the view. Jobs must run in
    order, but may be spread over as many painters on the same picture as one likes.
    """
    chosen = options or PaintOptions()
    scene = scene.for_scale(view.scale)
    if chosen.background or chosen.grid:
        yield lambda painter: paint_canvas(painter, theme, view, chosen)
    shown = containers.visible_groups(scene, view)
    frames = [i for i in shown if not scene.grouping.groups[i].collapsed]
    tiles = [i for i in shown if scene.grouping.groups[i].collapsed]
    for start in range(0, len(frames), _GROUPS_A_JOB):
        part = frames[start : start + _GROUPS_A_JOB]
        yield _frames_job(scene, theme, view, part, chosen, containers.draw_frame)
    rows = links.visible_strokes(scene, view)
    devices = visible_devices(scene, view)
    if chosen.without:
        rows, devices = _left_in(scene, rows, devices, chosen.without)
    yield from _line_jobs(scene, theme, view, rows, chosen)
    free = containers.free_outside(scene, chosen.whole or view, shown)

    def draw_title(ink: Ink, look: containers.GroupLook) -> None:
        containers.draw_title(ink, look, look.node - len(scene.devices) in free)

    for start in range(0, len(frames), _GROUPS_A_JOB):
        part = frames[start : start + _GROUPS_A_JOB]
        yield _frames_job(scene, theme, view, part, chosen, draw_title)
    for start in range(0, len(tiles), _TILES_A_JOB):
        yield _tiles_job(scene, theme, view, tiles[start : start + _TILES_A_JOB], chosen)
    yield from device_jobs(scene, theme, view, devices, chosen.log)
    if view.scale >= END_LABELS_FROM and chosen.labels != "none":
        yield from end_label_jobs(scene, theme, view, devices, chosen.log)
    dim = _dim_devices(scene, devices, chosen.focus)
    if len(dim):
        yield _dim_job(scene, theme, view, dim)
    yield lambda painter: _paint_notes(painter, scene, theme, view, chosen)
    if chosen.labels != "none":
        yield from _label_jobs(scene, theme, view, rows, chosen)


def _left_in(
    scene: DiagramScene, rows: Ints, devices: Ints, without: frozenset[str]
) -> tuple[Ints, Ints]:
    """Lines and devices less some devices and the lines at them."""
    gone = np.zeros(scene.node_count, np.bool_)
    gone[[row for i in without if (row := scene.devices.row.get(i)) is not None]] = True
    kept = ~(gone[scene.strokes.a[rows]] | gone[scene.strokes.b[rows]])
    return rows[kept], devices[~gone[devices]]


def paint_canvas(painter: QPainter, theme: Theme, view: View, options: PaintOptions) -> None:
    """Background and grid dots: one pixel every 16 units, stronger every 64; gone below 30 %."""
    back = theme.color("canvas.bg")
    if options.background:
        painter.fillRect(QRectF(0, 0, view.width, view.height), back)
    if not options.grid or view.scale < _GRID_GONE_UNDER:
        return
    span = _GRID_FADES_UNDER - _GRID_GONE_UNDER
    share = min(1.0, (view.scale - _GRID_GONE_UNDER) / span)
    if view.scale >= _GRID_FADES_UNDER:
        _paint_dots(painter, theme, view, _GRID, "canvas.grid", 1.0)
    _paint_dots(painter, theme, view, _GRID_MAJOR, "canvas.grid_major", share)


def _paint_dots(
    painter: QPainter, theme: Theme, view: View, pitch: float, color: str, share: float
) -> None:
    x0, y0, x1, y1 = view.box
    xs = np.arange(np.ceil(x0 / pitch), np.floor(x1 / pitch) + 1) * pitch
    ys = np.arange(np.ceil(y0 / pitch), np.floor(y1 / pitch) + 1) * pitch
    grid_x, grid_y = (g.ravel() for g in np.meshgrid(xs, ys))
    x, y = (grid_x - view.x) * view.scale, (grid_y - view.y) * view.scale
    one = np.ones(len(x))
    dots = pixel_boxes(np.floor(x), np.floor(y), one, one)
    fill_boxes(painter, dots, blend(theme.color(color), theme.color("canvas.bg"), share))


def _frames_job(
    scene: DiagramScene, theme: Theme, view: View, indexes: list[int], options: PaintOptions,
    draw: Callable[[Ink, containers.GroupLook], None],
) -> Job:  # fmt: skip
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        ink = Ink(painter, theme, options.log)
        for index in indexes:
            draw(ink, containers.group_look(scene, view, index))

    return paint


def _tiles_job(
    scene: DiagramScene, theme: Theme, view: View, indexes: list[int], options: PaintOptions
) -> Job:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        ink = Ink(painter, theme, options.log)
        for index in indexes:
            containers.draw_tile(ink, scene, containers.group_look(scene, view, index))

    return paint


# -- lines --------------------------------------------------------------------------------------


def _line_jobs(
    scene: DiagramScene, theme: Theme, view: View, rows: Ints, options: PaintOptions
) -> Iterator[Job]:
    all_rows = rows if options.whole is None else links.visible_strokes(scene, options.whole)
    mode = links.line_mode(scene, options.whole or view, all_rows, options.smooth)
    palette = links.line_palette(theme, mode, options.strength)
    lit = ~scene.dim_strokes[rows]
    if options.focus is not None:
        lit &= _joins_focus(scene, rows, options.focus)
    if not lit.all():
        dim = links.line_palette(theme, mode, theme.opacity("state.dimmed_opacity"))
        yield from _lines(scene, view, rows[~lit], dim, options)
        rows = rows[lit]
    close = _close_up(scene, view, rows)
    yield from _lines(scene, view, rows[~close] if close.any() else rows, palette, options)
    for start in range(0, int(close.sum()), 24):
        yield _two_way_job(scene, theme, view, rows[close][start : start + 24])


def _lines(
    scene: DiagramScene, view: View, rows: Ints, palette: links.LinePalette, options: PaintOptions
) -> Iterator[Job]:
    mode = palette.mode
    few = options.screen is None or mode.smooth or mode.curved
    if few or links.pixels_of(scene.strokes, view, rows) < crowds.CROWD_PIXELS:
        yield from links.line_jobs(scene, view, rows, palette)
        return
    bent = rows[:0]
    if scene.bent:
        bent = np.intersect1d(rows, np.array(sorted(scene.bent), dtype=np.int32))
        rows = np.setdiff1d(rows, bent, assume_unique=True)
    yield from crowds.crowd_jobs(scene.strokes, view, rows, palette, options.screen or 1.0)
    yield from links.line_jobs(scene, view, bent, palette)


def _joins_focus(scene: DiagramScene, rows: Ints, focus: frozenset[str]) -> Bools:
    nodes = np.zeros(scene.node_count, np.bool_)
    nodes[[n for i in focus if (n := scene.node_of(i)) is not None]] = True
    lit: Bools = nodes[scene.strokes.a[rows]] & nodes[scene.strokes.b[rows]]
    return lit


def _close_up(scene: DiagramScene, view: View, rows: Ints) -> Bools:
    """Lines drawn as two strokes: those at the devices of an inside view."""
    close = np.zeros(len(rows), np.bool_)
    if view.level != Level.INSIDE or len(rows) > _MOST_TWO_WAY:
        return close
    count = len(scene.devices)
    known = scene.strokes.net[rows] == 0
    loaded = scene.strokes.worst()[rows] >= FIRST_BIN
    device = (scene.strokes.a[rows] < count) & (scene.strokes.b[rows] < count)
    free = ~np.isin(rows, np.array(sorted(scene.bent), dtype=np.int32))
    wanted: Bools = known & loaded & device & free
    return wanted


def _two_way_job(scene: DiagramScene, theme: Theme, view: View, rows: Ints) -> Job:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        ink = Ink(painter, theme)
        for row in rows.tolist():
            draw_two_way(ink, scene, view, row, curved=True)

    return paint


def _dim_devices(scene: DiagramScene, rows: Ints, focus: frozenset[str] | None) -> Ints:
    """Devices out of focus, and those of a dimmed layer."""
    dim: Bools = scene.states.device[rows] == DIMMED
    if focus is not None:
        dim |= np.array([scene.devices.ids[r] not in focus for r in rows.tolist()], dtype=np.bool_)
    return rows[dim]


def _dim_job(scene: DiagramScene, theme: Theme, view: View, rows: Ints) -> Job:
    """A veil over some devices."""

    def paint(painter: QPainter) -> None:
        veil = theme.color("canvas.bg", 1 - theme.opacity("state.dimmed_opacity"))
        left, top, right, bottom = scene.rects[:, rows]
        x, y = (left - view.x) * view.scale, (top - view.y) * view.scale
        w, h = (right - left) * view.scale, (bottom - top) * view.scale
        fill_boxes(painter, pixel_boxes(x - 4, y - 4, w + 8, h + 8), veil)

    return paint


# -- notes and labels ---------------------------------------------------------------------------


def _paint_notes(
    painter: QPainter, scene: DiagramScene, theme: Theme, view: View, options: PaintOptions
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    ink = Ink(painter, theme, options.log)
    for note in scene.notes.values():
        draw_note(ink, note, view)


def _label_jobs(
    scene: DiagramScene, theme: Theme, view: View, rows: Ints, options: PaintOptions
) -> Iterator[Job]:
    """Labels are chosen for the whole picture, or two bands of it would not fit together.

    Which lines have one is found out between two jobs: of 300,000 that takes milliseconds.
    """
    whole = options.whole or view
    if options.whole is not None:
        rows = links.visible_strokes(scene, whole)
    on_screen = options.screen is not None
    if on_screen:
        yield _nothing
    lines = _labelled_lines(scene, whole, rows, options)
    if on_screen:
        yield _nothing

    def paint(painter: QPainter) -> None:
        if options.whole is not None:
            painter.translate((whole.x - view.x) * view.scale, (whole.y - view.y) * view.scale)
        _paint_labels(painter, scene, theme, whole, lines, options)

    yield paint


def _nothing(_: QPainter) -> None:
    """The work was done before."""


@dataclass(frozen=True)
class _LabelledLines:
    """Lines that may have a label: the hottest first, those close up, whether they are curved."""

    hottest: list[int]
    close: list[int]
    curved: bool


def _labelled_lines(
    scene: DiagramScene, view: View, rows: Ints, options: PaintOptions
) -> _LabelledLines:
    close = _close_up(scene, view, rows)
    worst = np.maximum(scene.strokes.forward[rows], scene.strokes.backward[rows])
    least = _HOT_CODE if options.labels == "hot" else 0
    wanted = worst >= least
    if not scene.strokes.is_plain:
        bundles = scene.strokes.links[rows] > 1
        if np.count_nonzero(bundles) <= MOST_LABELS:  # a few always say how many cables they are
            wanted |= bundles
    wanted &= worst <= OVERLOAD
    wanted |= labelled(scene, rows)
    wanted &= ~(close | scene.dim_strokes[rows])
    order = _hottest(worst, wanted, 3 * MOST_LABELS)
    return _LabelledLines(
        rows[order].tolist(), rows[close].tolist(), links.is_curved(view, len(rows))
    )


def _paint_labels(
    painter: QPainter, scene: DiagramScene, theme: Theme, view: View, lines: _LabelledLines,
    options: PaintOptions,
) -> None:  # fmt: skip
    """Plates on the hottest lines, as many as stand apart, at most 40."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    ink = Ink(painter, theme, options.log)
    plates = []
    for stroke in lines.hottest:
        x, y = label_place(scene, view, stroke, lines.curved)
        text = stroke_label(scene, stroke)
        if text and 0 <= x <= view.width and 0 <= y <= view.height:
            plates.append(_plate(scene, stroke, x, y, text))
    for stroke in lines.close:
        place = visible_middle(scene, view, stroke)
        if place is not None:
            plates.append(_plate(scene, stroke, *place, both_ways(scene, stroke)))
    for plate in choose_plates(ink, plates, _taken(scene, view)):
        draw_plate(ink, plate)


def _hottest(worst: Codes, wanted: Bools, most: int) -> NDArray[np.intp]:
    """Places of the hottest of the wanted lines, the hottest first."""
    found: list[NDArray[np.intp]] = []
    for code in range(OVERLOAD, -1, -1):
        at = np.flatnonzero(worst == code)
        at = at[wanted[at]]
        found.append(at[::-1][:most])
        most -= len(at)
        if most <= 0:
            break
    return np.concatenate(found)


def visible_middle(scene: DiagramScene, view: View, stroke: int) -> tuple[float, float] | None:
    """The middle of the part of a line that the window shows."""
    points = stroke_pixels(scene, view, stroke, curved=True)
    inside = (points[:, 0] >= 0) & (points[:, 0] <= view.width)
    inside &= (points[:, 1] >= 0) & (points[:, 1] <= view.height)
    seen = points[inside]
    if len(seen) < 2:
        return None
    x, y = seen[len(seen) // 2].tolist()
    return float(x), float(y)


def _plate(scene: DiagramScene, stroke: int, x: float, y: float, text: str) -> Plate:
    load = worst_load(scene, stroke)
    over = scene.strokes.worst_of(stroke) == OVERLOAD
    edge = "load.overload" if over else "canvas.group_border"
    return Plate(x, y, text, priority=load, edge=edge)


def label_place(scene: DiagramScene, view: View, stroke: int, curved: bool) -> tuple[float, float]:
    """The middle of a line in pixels."""
    return view.to_pixels(*middle_of(scene, stroke, curved))


def _taken(scene: DiagramScene, view: View) -> Iterator[QRectF]:
    """Titles of tiles, devices and the port names beside them, which plates must not cover."""
    if view.level < Level.MID:
        yield from _tile_titles(scene, view)
        return
    names = 40.0 if view.scale >= END_LABELS_FROM else 0.0
    for row in visible_devices(scene, view).tolist():
        left, top, right, bottom = scene.rects[:, row].tolist()
        x, y = view.to_pixels(left, top)
        w, h = (right - left) * view.scale, (bottom - top) * view.scale
        yield QRectF(x, y - names, w, h + 2 * names)


def _tile_titles(scene: DiagramScene, view: View) -> Iterator[QRectF]:
    for index in containers.visible_groups(scene, view):
        if scene.grouping.groups[index].collapsed:
            left, top, right, bottom = scene.grouping.groups[index].box
            x, y = view.to_pixels(left, top)
            high = min((bottom - top) * view.scale, number("glyph.group_header"))
            yield QRectF(x, y, (right - left) * view.scale, high)
