"""The layout of a picture for a file or printer: diagram, title block and legend on one sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from topoedit.errors import BadInputError
from topoedit.model.layers import Layers
from topoedit.render import legend as legend_
from topoedit.render.diagram import Labels, PaintOptions, paint_jobs
from topoedit.render.grouping import Box
from topoedit.render.ink import Ink, TextLog
from topoedit.render.links import Job, visible_strokes
from topoedit.render.posters import FINE_MM_PER_PIXEL, MM_PER_PIXEL, Poster
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View
from topoedit.units import format_number

Background = Literal["theme", "white", "transparent"]
BACKGROUNDS: tuple[Background, ...] = ("theme", "white", "transparent")

MARGIN = 32.0
EDGE = 32.0
"""Room beside the title block and the legend."""
LONGEST_SIDE = 6000.0
"""Larger drawings are drawn smaller, with less detail, unless a scale asks for more."""
COLLAPSED_SIDE = 2400.0
"""Longest side of a drawing whose pods are closed into tiles: they need less room."""
LARGE_LINKS = 20_000
"""From so many links on, a picture shows pods as tiles unless it is to be complete."""
_NARROWEST = 640.0
_FACTS_WIDTH = 184.0
_LARGEST_ON_PAPER = 4.0
_LINE = 17.0


@dataclass(frozen=True)
class ExportOptions:
    """How a picture is made.

    Attributes:
        theme: `light` or `dark`.
        scale: enlargement; 1 is one pixel a canvas unit for all but very large drawings.
        selection: ids of the elements to show; None for the whole drawing.
        background: the canvas colour, white (light theme only) or none.
        margin: pixels around the drawing.
        title: name under the diagram.
        lines: further lines under it, for example the plan and its step time.
        date, revision, author, note: what the title block says besides; "" for nothing.
        metric: name of the figure that colours the lines.
        traffic: which traffic it counts.
        title_block: draw title, counts and the lines above.
        legend: explain the colours, where there are any.
        labels: plates on the lines.
        layers: what is dimmed or hidden.
        complete: show every device of a large drawing and open what is collapsed.
        poster: lay it on paper; PDF and printers only.
        drawing: the native file to put into a PNG or SVG, so that it opens again.
        log: collects the boxes of all texts.
    """

    theme: str = "light"
    scale: float = 1.0
    selection: tuple[str, ...] | None = None
    background: Background = "theme"
    margin: float = MARGIN
    title: str = ""
    lines: tuple[str, ...] = ()
    date: str = ""
    revision: str = ""
    author: str = ""
    note: str = ""
    metric: str = "Demand"
    traffic: str = "All classes"
    title_block: bool = True
    legend: bool = True
    labels: Labels = "hot"
    layers: Layers = field(default_factory=Layers)
    complete: bool = False
    poster: Poster | None = None
    drawing: bytes | None = None
    log: TextLog | None = None

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Name and value of what the title block says beside the title."""
        named = (("Revision", self.revision), ("Date", self.date), ("Author", self.author))
        return tuple((name, value) for name, value in named if value)


@dataclass(frozen=True, eq=False)
class Sheet:
    """The layout of a picture in logical pixels, before any enlargement.

    Attributes:
        scene: what is shown, with layers, selection and closed pods as the options ask.
        view: the diagram's part of the sheet.
        width, height: of the sheet with its footer.
        ratio: device pixels a logical pixel.
        collapsed: pods are closed because the drawing is large.
        paper: columns, rows and landscape of a poster.
        mm: millimetres a logical pixel on paper.
    """

    scene: DiagramScene
    view: View
    width: float
    height: float
    ratio: float
    collapsed: bool = False
    paper: tuple[int, int, bool] | None = None
    mm: float = MM_PER_PIXEL

    @property
    def pixels(self) -> tuple[int, int]:
        """Size of a PNG."""
        return max(1, round(self.width * self.ratio)), max(1, round(self.height * self.ratio))


def plan_sheet(scene: DiagramScene, options: ExportOptions) -> Sheet:
    """Size and zoom of a picture.

    Raises:
        BadInputError: a number out of range, a selected element that does not exist, or a white
            ground under the dark theme.
    """
    _check(scene, options)
    shown, collapsed = shown_scene(scene, options)
    box = shown.bounds(options.selection)
    if options.poster is not None:
        return _paper_sheet(shown, box, options, options.poster, collapsed)
    wide, high = box[2] - box[0], box[3] - box[1]
    longest = COLLAPSED_SIDE if collapsed else LONGEST_SIDE
    asked = min(1.0, longest / max(wide, high, 1.0)) * options.scale
    zoom = min(1.0, asked)
    least = _least_width(shown, options)
    width = max(wide * zoom + 2 * options.margin, least)
    height = high * zoom + 2 * options.margin
    view = _centred(box, zoom, width, height)
    foot = footer_height(shown, options)
    return Sheet(shown, view, width, height + foot, asked / zoom, collapsed)


def _check(scene: DiagramScene, options: ExportOptions) -> None:
    if not 0.01 <= options.scale <= 100:
        raise BadInputError("a scale lies between 0.01 and 100", f"--scale {options.scale:g}")
    if not 0 <= options.margin <= 2000:
        raise BadInputError("a margin lies between 0 and 2000", f"--margin {options.margin:g}")
    if options.background not in BACKGROUNDS:
        raise BadInputError(
            f'there is no background "{options.background}"', mend=f"Use {', '.join(BACKGROUNDS)}"
        )
    if options.background == "white" and options.theme == "dark":
        raise BadInputError(
            "the dark theme cannot be read on white", mend="Use the light theme, or no background"
        )
    if options.poster is not None:
        options.poster.check()
    for element_id in options.selection or ():
        if element_id not in scene.document:
            raise BadInputError("there is no such element", f'--selection "{element_id}"')


def shown_scene(scene: DiagramScene, options: ExportOptions) -> tuple[DiagramScene, bool]:
    """What a picture shows of a scene, and whether large pods were closed for it."""
    found = scene.snapshot()
    found.set_layers(options.layers)
    if options.selection is not None:
        found.select_only(options.selection)
    if options.complete:
        found.open_groups()
        return found, False
    few = len(found.strokes) < LARGE_LINKS
    if few or not found.grouping.groups or options.selection is not None:
        return found, False
    return found.closed(), True


def _centred(box: Box, zoom: float, width: float, height: float) -> View:
    x = (box[0] + box[2]) / 2 - width / 2 / zoom
    y = (box[1] + box[3]) / 2 - height / 2 / zoom
    return View.at(x, y, zoom, width, height)


def _least_width(scene: DiagramScene, options: ExportOptions) -> float:
    if not footer_height(scene, options):
        return 1.0
    return _NARROWEST + (_FACTS_WIDTH if options.facts and options.title_block else 0)


def _paper_sheet(
    scene: DiagramScene, box: Box, options: ExportOptions, poster: Poster, collapsed: bool
) -> Sheet:
    """The sheet that fills the pages of a poster, or has the size that the scale asks for."""
    ways = (False, True) if poster.landscape is None else (poster.landscape,)
    if poster.columns is None or poster.rows is None:
        return min(
            (_scaled_sheet(scene, box, options, poster, way, collapsed) for way in ways),
            key=lambda s: s.paper[0] * s.paper[1] if s.paper else 0,
        )
    fitted = [_fitted_sheet(scene, box, options, poster, way, collapsed) for way in ways]
    return max(fitted, key=lambda s: s.view.scale * s.mm)


def _scaled_sheet(
    scene: DiagramScene, box: Box, options: ExportOptions, poster: Poster, landscape: bool,
    collapsed: bool,
) -> Sheet:  # fmt: skip
    mm = MM_PER_PIXEL * max(options.scale, 1.0)
    zoom = min(1.0, options.scale)
    width = max((box[2] - box[0]) * zoom + 2 * options.margin, _least_width(scene, options))
    height = (box[3] - box[1]) * zoom + 2 * options.margin
    foot = footer_height(scene, options)
    columns, rows = poster.pages_for(width * mm, (height + foot) * mm, landscape)
    view = _centred(box, zoom, width, height)
    paper = (columns, rows, landscape)
    return Sheet(scene, view, width, height + foot, mm / MM_PER_PIXEL, collapsed, paper, mm)


def _fitted_sheet(
    scene: DiagramScene, box: Box, options: ExportOptions, poster: Poster, landscape: bool,
    collapsed: bool,
) -> Sheet:  # fmt: skip
    """All pages filled; the text is small but readable, the level of detail follows the room."""
    wide_mm, high_mm = poster.spread(landscape)
    foot = footer_height(scene, options)
    wide, high = max(box[2] - box[0], 1.0), max(box[3] - box[1], 1.0)
    gap = 2 * options.margin
    mm = FINE_MM_PER_PIXEL
    zoom = min((wide_mm / mm - gap) / wide, (high_mm / mm - gap - foot) / high)
    if zoom > 1:  # a small drawing is enlarged with its text
        mm = min(wide_mm / (wide + gap), high_mm / (high + gap + foot), _LARGEST_ON_PAPER * mm)
        mm = max(min(mm, wide_mm / _least_width(scene, options)), FINE_MM_PER_PIXEL)
        zoom = 1.0
    width, height = wide_mm / mm, high_mm / mm
    view = _centred(box, max(zoom, 0.005), width, max(height - foot, 1.0))
    paper = (poster.columns or 1, poster.rows or 1, landscape)
    return Sheet(scene, view, width, height, mm / MM_PER_PIXEL, collapsed, paper, mm)


# -- painting -----------------------------------------------------------------------------------


def ground(theme: Theme, options: ExportOptions) -> QColor | None:
    """What is behind everything; None for nothing."""
    if options.background == "transparent":
        return None
    on_paper = options.poster is not None and not theme.is_dark
    if options.background == "white" or on_paper:
        return QColor(Qt.GlobalColor.white)
    return theme.color("canvas.bg")


def paint_steps(
    painter: QPainter, sheet: Sheet, options: ExportOptions, part: QRectF | None = None,
    smooth: bool | None = True,
) -> Iterator[float]:  # fmt: skip
    """Paint diagram, title and legend piece by piece; only what meets `part`, if it is given.

    Yields:
        How much is done, 0 to 1.
    """
    theme = Theme.load(options.theme)
    back = ground(theme, options)
    if back is not None:
        painter.fillRect(QRectF(0, 0, sheet.width, sheet.height), back)
    view = sheet.view if part is None else _narrowed(sheet.view, part)
    if view.height > 0 and view.width > 0:
        chosen = PaintOptions(
            background=False, smooth=smooth, whole=None if part is None else sheet.view,
            labels=options.labels, log=options.log,
        )  # fmt: skip
        painter.save()
        try:
            painter.setClipRect(
                QRectF(0, 0, sheet.view.width, sheet.view.height), Qt.ClipOperation.IntersectClip
            )
            if part is not None:
                painter.translate(max(part.left(), 0.0), max(part.top(), 0.0))
            yield from _do(painter, list(paint_jobs(sheet.scene, theme, view, chosen)))
        finally:
            painter.restore()
    if footer_height(sheet.scene, options):
        _paint_footer(painter, theme, sheet, options)
    yield 1.0


def _do(painter: QPainter, jobs: list[Job]) -> Iterator[float]:
    for index, job in enumerate(jobs):
        painter.save()
        job(painter)
        painter.restore()
        yield (index + 1) / len(jobs)


def _narrowed(view: View, part: QRectF) -> View:
    """What of a view a band or page of the sheet shows."""
    left, right = (min(max(x, 0.0), view.width) for x in (part.left(), part.right()))
    top, bottom = (min(max(y, 0.0), view.height) for y in (part.top(), part.bottom()))
    x, y = view.x + left / view.scale, view.y + top / view.scale
    return View(x, y, view.scale, right - left, bottom - top, view.level)


def _footer_lines(scene: DiagramScene, options: ExportOptions) -> tuple[str, ...]:
    note = tuple(line for line in options.note.splitlines() if line.strip())
    return (counts_line(scene), *options.lines, *note)[:8]


def _has_legend(scene: DiagramScene, options: ExportOptions) -> bool:
    return options.legend and scene.analysed


def footer_height(scene: DiagramScene, options: ExportOptions) -> float:
    """Room for title block and legend under the diagram."""
    height = 0.0
    if options.title_block:
        rows = max(len(_footer_lines(scene, options)), len(options.facts) - 1)
        height = 44.0 + _LINE * rows + 20.0
    if _has_legend(scene, options):
        height = max(height, legend_.HEIGHT + 2 * 20.0)
    return height


def _paint_footer(painter: QPainter, theme: Theme, sheet: Sheet, options: ExportOptions) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    ink = Ink(painter, theme, options.log)
    ink.rule(0, round(sheet.view.height), sheet.width, "border.subtle")
    y = sheet.view.height + 20
    right = sheet.width - EDGE
    if _has_legend(sheet.scene, options):
        shown = legend_.legend_of(legend_.rates_of(sheet.scene), options.metric, options.traffic)
        right -= legend_.WIDTH
        legend_.draw_legend(ink, right, y, shown)
        right -= 24
    if not options.title_block:
        return
    if options.facts:
        right -= _FACTS_WIDTH
        _paint_facts(ink, right, y, options.facts)
        right -= 24
    room = right - EDGE
    title = options.title or sheet.scene.document.settings.name or "Untitled"
    ink.text(EDGE, y, title, 14, 600, "text.primary", width=room, height=20, elide="middle")
    for index, line in enumerate(_footer_lines(sheet.scene, options)):
        at = y + 24 + _LINE * index
        ink.text(EDGE, at, line, 11, 400, "text.secondary", width=room, height=16)


def _paint_facts(ink: Ink, x: float, y: float, facts: tuple[tuple[str, str], ...]) -> None:
    for index, (name, value) in enumerate(facts):
        at = y + 2 + _LINE * index
        ink.text(x, at, name, 11, 400, "text.tertiary", width=56)
        ink.text(x + 60, at, value, 11, 500, "text.primary", width=_FACTS_WIDTH - 60)


def counts_line(scene: DiagramScene) -> str:
    """How many GPUs, switches and cables the drawing has."""
    kinds = [d.kind for d in scene.document.devices.values()]
    servers = kinds.count("server")
    switches = sum(kind in ("leaf", "spine", "core", "switch") for kind in kinds)
    gpus = scene.devices.gpus
    known = "GPUs unknown" if (gpus < 0).any() else f"{format_number(int(gpus.sum()))} GPUs"
    cables = int(scene.links.count.sum())
    parts = [
        known,
        _some(servers, "server"),
        _some(switches, "switch", "switches"),
        _some(cables, "cable"),
    ]
    return " · ".join(parts)


def _some(count: int, one: str, many: str = "") -> str:
    return f"{format_number(count)} {one if count == 1 else many or one + 's'}"


def line_count(sheet: Sheet) -> int:
    """How many lines the diagram has."""
    return len(visible_strokes(sheet.scene.for_scale(sheet.view.scale), sheet.view))
