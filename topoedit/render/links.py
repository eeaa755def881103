"""Painting lines: in batches of one colour and width, cold ones first so that hot ones lie on top.

A batch is drawn by `QPainter.drawLines(pointer, n)` straight from a numpy buffer. The cost is
pixels, not lines: a few nanoseconds each, and three to twenty times that with transparency, which
is why faded colours are blended with the canvas beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from shiboken6 import Shiboken

from topoedit.render.curves import Cubic, cubic, halves_of_route, route_of, split
from topoedit.render.dots import draw_dots
from topoedit.render.loadscale import (
    BINS,
    CODES,
    DOWN,
    FIRST_BIN,
    IDLE,
    NO_DATA,
    OVERLOAD,
    PLAIN,
    Codes,
)
from topoedit.render.scene import DiagramScene
from topoedit.render.strokes import Strokes, segments_of_code
from topoedit.render.tables import Floats, Ints
from topoedit.render.theme import Theme, blend, code_colors, faded_colors, number
from topoedit.render.view import Level, View

Job = Callable[[QPainter], None]
"""A piece of painting of about a millisecond."""
DotsJob = Callable[[Floats, QColor], Job]

SMOOTH_LINKS = 600
"""Up to so many visible lines are drawn smooth and at their full width."""
SMOOTH_PIXELS = 1.2e6
"""Up to so many pixels of line are drawn smooth: about 30 ms of painting."""
CURVED_LINKS = 1500
"""Beyond so many visible lines, near ones are straight too."""
JOB_PIXELS = 60_000
_SLICE, _SAMPLE = 20_000, 5_000
_LONGEST = 3000.0  # of a line's pixels, the window shows no more
_PIXELS_PER_LINE = 60.0  # what a line costs whatever its length
_CROWD = 100  # fewer lines than these are never crowded
_FULL_COVER = 0.4  # lines at full width may cover so much of their area
_CORELESS = 3.0  # from so many lines on each other the white dashes would hide the red
_HOT = FIRST_BIN + round(0.9 * BINS)
_THIN = 1.01
_SOLID, _DOTS, _DOWN, _STORAGE, _OOB, _PLANNED = range(6)
_DASHES: dict[int, tuple[float, float]] = {
    _DOTS: (1, 4),
    _DOWN: (2, 3),
    _STORAGE: (4, 3),
    _OOB: (1, 3),
    _PLANNED: (6, 4),
}
_OVERLOAD_DASH = (6.0, 5.0)
_WIDTH_STEPS, _STYLE = 128, 4096  # fine enough that 1.01 does not become Qt's slow width of 1


@dataclass(frozen=True)
class LineMode:
    """How the lines of a picture are drawn, decided for all of them together.

    Attributes:
        thin: one pixel in faded colours, because very many lines cross.
        smooth: with antialiasing.
        curved: leaving their devices upright.
        slim: factor of all widths, below 1 where lines would cover the ground.
        cover: pixels of line for each pixel of the area in which the lines lie.
    """

    thin: bool
    smooth: bool
    curved: bool
    slim: float = 1.0
    cover: float = 0.0


@dataclass(frozen=True)
class LinePalette:
    """Colours of all codes, and how lines are drawn.

    Attributes:
        colors: by code.
        plain: of networks that carry no training traffic.
        mode: widths and shapes.
    """

    colors: tuple[QColor, ...]
    plain: QColor
    planned: QColor
    core: QColor
    mode: LineMode

    @property
    def thin(self) -> bool:
        """One pixel, no dashes."""
        return self.mode.thin

    @property
    def smooth(self) -> bool:
        """With antialiasing."""
        return self.mode.smooth


def line_palette(theme: Theme, mode: LineMode, strength: float = 1.0) -> LinePalette:
    """The palette of a picture; a `strength` below 1 sinks all lines into the canvas."""
    thin = mode.thin
    quiet = max(0.12, min(0.55, 1.1 / max(mode.cover, 0.1)))
    back = theme.color("canvas.bg")
    colors = faded_colors(theme, quiet) if thin else code_colors(theme)
    plain, core = theme.color("canvas.link_plain"), theme.color("load.overload_core")
    if strength < 1:
        colors = tuple(blend(c, back, strength) for c in colors)
        plain, core = blend(plain, back, strength), blend(core, back, strength)
    return LinePalette(colors, plain, blend(plain, back, 0.6), core, mode)


def visible_strokes(scene: DiagramScene, view: View, margin: float = 4.0) -> Ints:
    """Rows of the lines whose boxes meet the view."""
    x0, y0, x1, y1 = view.box
    slack = margin / view.scale
    left, top, right, bottom = scene.strokes.boxes
    seen = (right >= x0 - slack) & (left <= x1 + slack)
    seen &= (bottom >= y0 - slack) & (top <= y1 + slack)
    for stroke in scene.bent:
        seen[stroke] = True
    return np.flatnonzero(seen).astype(np.int32)


def pixel_costs(seg: Floats, view: View) -> Floats:
    """Pixels that each line costs: its length inside a window, and a fixed part."""
    length = np.hypot(seg[:, 2] - seg[:, 0], seg[:, 3] - seg[:, 1]) * view.scale
    costs: Floats = np.minimum(length, np.hypot(view.width, view.height)) + _PIXELS_PER_LINE
    return costs


def line_mode(scene: DiagramScene, view: View, rows: Ints, smooth: bool | None = None) -> LineMode:
    """What suits the visible lines; `smooth` overrides the choice."""
    many = len(rows) > SMOOTH_LINKS
    cover = _cover(scene.strokes, view, rows)
    return LineMode(
        thin=(many or cover > 1) and view.level < Level.NEAR,
        smooth=is_smooth(scene, rows, view) if smooth is None else smooth,
        curved=is_curved(view, len(rows)),
        slim=min(1.0, _FULL_COVER / cover) if cover > _FULL_COVER else 1.0,
        cover=cover,
    )


def _cover(strokes: Strokes, view: View, rows: Ints) -> float:
    """Pixels of line for each pixel of the area in which the lines lie."""
    if len(rows) < _CROWD or view.level == Level.INSIDE:
        return 0.0
    every = max(1, len(rows) // _SAMPLE)
    rows = rows[::every]
    seg = strokes.seg[rows]
    length = np.hypot(seg[:, 2] - seg[:, 0], seg[:, 3] - seg[:, 1]) * view.scale
    left, top, right, bottom = strokes.boxes[:, rows]
    x0, y0, x1, y1 = view.box
    wide = min(float(right.max()), x1) - max(float(left.min()), x0)
    high = min(float(bottom.max()), y1) - max(float(top.min()), y0)
    area = max(wide, 1.0) * max(high, 1.0) * view.scale**2
    return float((length * strokes.width[rows]).sum()) * every / area


def pixels_of(strokes: Strokes, view: View, rows: Ints) -> float:
    """About how many pixels some lines cost, judged by a sample."""
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    if not len(sample):
        return 0.0
    return float(pixel_costs(strokes.seg[sample], view).mean()) * len(rows)


def is_smooth(scene: DiagramScene, rows: Ints, view: View) -> bool:
    """Whether a picture with these lines is drawn smooth."""
    if len(rows) <= SMOOTH_LINKS:
        return True
    if len(rows) * _PIXELS_PER_LINE > SMOOTH_PIXELS:
        return False
    return float(pixel_costs(scene.strokes.seg[rows], view).sum()) <= SMOOTH_PIXELS


def is_curved(view: View, count: int) -> bool:
    """Whether lines leave their devices upright instead of running straight."""
    return view.level >= Level.NEAR and count <= CURVED_LINKS


def line_jobs(scene: DiagramScene, view: View, rows: Ints, palette: LinePalette) -> Iterator[Job]:
    """Painting of some lines in small jobs, the coldest colour first."""
    bent = rows[:0]
    if scene.bent:
        bent = np.intersect1d(rows, np.array(sorted(scene.bent), dtype=np.int32))
        rows = np.setdiff1d(rows, bent, assume_unique=True)
    if palette.mode.curved:
        yield from _curve_jobs(scene, view, rows, palette)
    else:
        yield from _straight_jobs(scene.strokes, view, rows, palette)
    if len(bent):
        yield from _route_jobs(scene, view, bent, palette)


# -- straight lines -------------------------------------------------------------------------------


def _straight_jobs(strokes: Strokes, view: View, rows: Ints, palette: LinePalette) -> Iterator[Job]:
    """Code by code and in slices, so that not even the preparation of a job takes long."""
    ahead, back = strokes.forward[rows], strokes.backward[rows]
    counts = np.bincount(ahead, minlength=CODES) + np.bincount(back, minlength=CODES)
    for code in np.flatnonzero(counts).tolist():
        one, other = ahead == code, back == code
        for part in _slices(rows[one | other]):
            yield from _jobs_of_code(strokes, view, part, code, palette)


def _slices(rows: Ints) -> Iterator[Ints]:
    for start in range(0, len(rows), _SLICE):
        yield rows[start : start + _SLICE]


def _jobs_of_code(
    strokes: Strokes, view: View, rows: Ints, code: int, palette: LinePalette
) -> Iterator[Job]:
    lines, owner = segments_of_code(strokes, rows, code)
    yield from batches_of_code(strokes, _in_pixels(lines, view), owner, code, palette)


def batches_of_code(
    strokes: Strokes, lines: Floats, owner: Ints, code: int, palette: LinePalette,
    dots: DotsJob | None = None,
) -> Iterator[Job]:  # fmt: skip
    """Painting of lines of one code, batch by batch of one look.

    Args:
        strokes: the lines of the drawing.
        lines: what to paint of them, in pixels of the window.
        owner: the row in `strokes` of each.
        code: their colour code.
        palette: colours and widths.
        dots: what paints dots of one pixel along lines, None for the usual.
    """
    dots = dots or _dots_job
    codes = np.full(len(lines), code, np.uint8)
    style = _styles(strokes, codes, owner, palette)
    width = np.round(_line_widths(strokes, codes, owner, palette) * _WIDTH_STEPS).astype(np.int64)
    key = style * _STYLE + width
    order = np.argsort(key, kind="stable")
    key = key[order]
    cuts = np.flatnonzero(np.r_[True, key[1:] != key[:-1], True])
    costs = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    costs = np.minimum(costs, _LONGEST) + _PIXELS_PER_LINE
    for start, stop in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        look = int(key[start])
        kind, pixels = look // _STYLE, look % _STYLE / _WIDTH_STEPS
        pen = _pen_for(code, kind, pixels, palette)
        for part in _portions(order[start:stop], costs):
            if palette.thin and kind == _DOTS:
                yield dots(lines[part], pen.color())
                continue
            yield _lines_job(np.ascontiguousarray(lines[part]), pen, palette.smooth)
        if code == OVERLOAD and palette.mode.cover < _CORELESS:
            core = _core_pen(pixels, palette)
            yield _lines_job(np.ascontiguousarray(lines[order[start:stop]]), core, palette.smooth)


def mixed_halves(strokes: Strokes, rows: Ints) -> tuple[Ints, Codes, Codes]:
    """Lines of one colour whole, the others as two halves.

    Returns:
        stroke row, side (0 whole, 1 the half at `a`, 2 the half at `b`) and code of each.
    """
    ahead, back = strokes.forward[rows], strokes.backward[rows]
    alike = ahead == back
    whole, split_ = rows[alike], rows[~alike]
    sides = (np.full(len(whole), 0), np.full(len(split_), 1), np.full(len(split_), 2))
    return (
        np.concatenate((whole, split_, split_)),
        np.concatenate(sides).astype(np.uint8),
        np.concatenate((ahead[alike], ahead[~alike], back[~alike])),
    )


def _portions(rows: NDArray[np.intp], costs: Floats) -> Iterator[NDArray[np.intp]]:
    """Rows cut into runs that cost about `JOB_PIXELS` each."""
    reached = np.cumsum(costs[rows])
    pieces = max(1, int(np.ceil(reached[-1] / JOB_PIXELS)))
    if pieces == 1:
        yield rows
        return
    cuts = np.searchsorted(reached, np.arange(1, pieces) * JOB_PIXELS)
    yield from (part for part in np.split(rows, cuts) if len(part))


def _in_pixels(lines: Floats, view: View) -> Floats:
    """Canvas units to pixels of the window."""
    offset = np.array([view.x, view.y, view.x, view.y])
    return np.ascontiguousarray((lines - offset) * view.scale)


def _lines_job(pixels: Floats, pen: QPen, smooth: bool) -> Job:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        painter.setPen(pen)
        draw_lines(painter, pixels)

    return paint


def _dots_job(pixels: Floats, color: QColor) -> Job:
    return lambda painter: draw_dots(painter, pixels, color)


def draw_lines(painter: QPainter, lines: Floats) -> None:
    """Draw an array of lines (n, 4) of float64 without a loop in Python."""
    if len(lines):
        # The array must outlive the call, and the wrapper must not outlive it.
        first = cast("QLineF", Shiboken.wrapInstance(lines.ctypes.data, QLineF))
        painter.drawLines(first, len(lines))


def _styles(
    strokes: Strokes, codes: NDArray[np.uint8], owner: Ints, palette: LinePalette
) -> NDArray[np.int64]:
    net = strokes.net[owner]
    style = np.full(len(codes), _SOLID, np.int64)
    style[(codes == NO_DATA) & (net == 0)] = _DOTS  # elsewhere nobody asks for a load
    if not palette.thin:
        style[strokes.planned[owner]] = _PLANNED
        style[(net == 1) | (net == 2)] = _STORAGE
        style[net == 3] = _OOB
    style[codes == DOWN] = _DOWN
    return style


def _line_widths(
    strokes: Strokes, codes: NDArray[np.uint8], owner: Ints, palette: LinePalette
) -> Floats:
    if palette.thin:
        return np.where(codes >= _HOT, 2.0, _THIN)
    full = strokes.width[owner].astype(np.float64)
    width = np.maximum(full * palette.mode.slim, np.minimum(full, _THIN))
    width = np.where(codes == OVERLOAD, width + 1, width)
    width = np.where(codes == NO_DATA, np.minimum(width, 1.5), width)
    return np.where(codes == IDLE, _THIN, width)


def _pen_for(code: int, style: int, width: float, palette: LinePalette) -> QPen:
    color = palette.colors[code]
    if code == PLAIN and style in (_STORAGE, _OOB):
        color = palette.plain
    elif code in (NO_DATA, IDLE) and style in (_STORAGE, _OOB):
        color = palette.plain  # networks beside the training traffic: not "unknown", just quiet
    elif style == _PLANNED and code <= IDLE:
        color = palette.planned
    return _pen(color, width, _DASHES.get(style))


def _core_pen(width: float, palette: LinePalette) -> QPen:
    """The white dashes inside an overloaded line."""
    return _pen(palette.core, max(1.0, (width - 1) * 0.45), _OVERLOAD_DASH)


def _pen(color: QColor, width: float, dash: tuple[float, float] | None = None) -> QPen:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash is not None:
        pen.setDashPattern([d / max(width, 0.1) for d in dash])
    return pen


# -- curves and routes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Half:
    code: int
    style: int
    width: float
    path: QPainterPath


def _curve_jobs(scene: DiagramScene, view: View, rows: Ints, palette: LinePalette) -> Iterator[Job]:
    strokes = scene.strokes
    rows = rows[np.argsort(strokes.worst()[rows], kind="stable")]
    for start in range(0, len(rows), 24):
        part = rows[start : start + 24]
        yield lambda painter, part=part: _paint_curves(painter, scene, view, part, palette)  # type: ignore[misc]


def _paint_curves(
    painter: QPainter, scene: DiagramScene, view: View, rows: Ints, palette: LinePalette
) -> None:
    strokes = scene.strokes
    pixels = _in_pixels(strokes.seg[rows], view).tolist()
    sides = zip(strokes.side_a[rows].tolist(), strokes.side_b[rows].tolist(), strict=True)
    codes = (strokes.forward[rows], strokes.backward[rows])
    looks = [
        (
            _styles(strokes, code, rows, palette).tolist(),
            _line_widths(strokes, code, rows, palette).tolist(),
            code.tolist(),
        )
        for code in codes
    ]
    halves: list[_Half] = []
    for index, ((x1, y1, x2, y2), (side_a, side_b)) in enumerate(zip(pixels, sides, strict=True)):
        pair = split(cubic(x1, y1, x2, y2, side_a, side_b))
        for (styles, widths, code), curve in zip(looks, pair, strict=True):
            halves.append(_Half(code[index], styles[index], widths[index], _path_of(curve)))
    _paint_halves(painter, halves, palette)


def _path_of(curve: Cubic) -> QPainterPath:
    path = QPainterPath()
    path.moveTo(*curve[0])
    path.cubicTo(*curve[1], *curve[2], *curve[3])
    return path


def _paint_halves(painter: QPainter, halves: list[_Half], palette: LinePalette) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, palette.smooth)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for half in sorted(halves, key=lambda h: h.code):
        painter.setPen(_pen_for(half.code, half.style, half.width, palette))
        painter.drawPath(half.path)
        if half.code == OVERLOAD:
            painter.setPen(_core_pen(half.width, palette))
            painter.drawPath(half.path)


def _route_jobs(scene: DiagramScene, view: View, rows: Ints, palette: LinePalette) -> Iterator[Job]:
    """Manual routes: few, drawn one by one, with corners of 6 pixels."""
    for start in range(0, len(rows), 48):
        part = rows[start : start + 48]
        yield lambda painter, part=part: _paint_routes(painter, scene, view, part, palette)  # type: ignore[misc]


def _paint_routes(
    painter: QPainter, scene: DiagramScene, view: View, rows: Ints, palette: LinePalette
) -> None:
    strokes, halves = scene.strokes, []
    for row in rows.tolist():
        points = [view.to_pixels(*p) for p in route_of(scene, row) or ()]
        at = np.array([row], dtype=np.int32)
        for code, half in zip(
            (strokes.forward[at], strokes.backward[at]), halves_of_route(points), strict=True
        ):
            style = int(_styles(strokes, code, at, palette)[0])
            width = float(_line_widths(strokes, code, at, palette)[0])
            halves.append(_Half(int(code[0]), style, width, rounded_path(half)))
    _paint_halves(painter, halves, palette)


def rounded_path(points: list[tuple[float, float]]) -> QPainterPath:
    """A polyline whose corners are rounded with 6 pixels, less where a leg is shorter."""
    path = QPainterPath()
    path.moveTo(*points[0])
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path.lineTo(*_towards(corner, before))
        path.quadTo(*corner, *_towards(corner, after))
    path.lineTo(*points[-1])
    return path


def _towards(corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = max(float(np.hypot(dx, dy)), 1e-9)
    step = min(number("radius.card"), length / 2) / length
    return corner[0] + dx * step, corner[1] + dy * step
