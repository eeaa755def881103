"""Exporting a drawing as a picture: the use case that editor, command line and Python share.

Qt is imported when the first picture is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from topoedit.errors import BadInputError, CancelledError
from topoedit.model.analysis import Analysis
from topoedit.model.document import Document
from topoedit.model.layers import Layers
from topoedit.model.plan import Workload
from topoedit.units import format_percent, format_seconds

if TYPE_CHECKING:
    from topoedit.engine.analyse import Result
    from topoedit.render.export import Size
    from topoedit.render.posters import Poster
    from topoedit.render.scene import DiagramScene
    from topoedit.render.sheet import ExportOptions

Metric = Literal["demand", "utilisation", "phase_share"]
PICTURES = ("svg", "png", "pdf")
_METRIC_NAMES: dict[str, str] = {
    "demand": "Demand", "utilisation": "Utilisation", "phase_share": "Phase share",
}  # fmt: skip


Kind = Literal["svg", "png", "pdf"]
Background = Literal["theme", "white", "transparent"]
LabelChoice = Literal["none", "hot", "all"]


@dataclass(frozen=True)
class PaperChoice:
    """Paper for a PDF; see `render.posters.Poster`.

    Attributes:
        size: `A4` to `A0`, `Letter` or `Tabloid`.
        landscape: None for whichever shows the picture larger.
        pages: columns and rows of pages; None for as many as the scale asks for.
        overlap: millimetres shared by neighbours.
        marks: crop and page marks.
    """

    size: str = "A4"
    landscape: bool | None = None
    pages: tuple[int, int] | None = (1, 1)
    overlap: float = 10.0
    marks: bool = True


@dataclass(frozen=True)
class TitleBlock:
    """What stands under a picture besides name and counts; "" for nothing.

    Attributes:
        title: in place of the drawing's name.
        date, revision, author: as the user gives them; nothing is made up.
        note: any text, up to a few lines.
    """

    title: str = ""
    date: str = ""
    revision: str = ""
    author: str = ""
    note: str = ""


@dataclass(frozen=True)
class ExportChoice:
    """What is asked of a picture.

    Attributes:
        theme: `light` or `dark`.
        scale: enlargement.
        selection: ids, names or globs of what to show; empty for everything.
        metric: figure that colours the links of an analysed drawing.
        background: the theme's, white or none.
        margin: pixels around the drawing; None for the usual 32.
        labels: loads on no link, on hot ones, or wherever they fit.
        legend: explain the colours.
        title_block: name, counts, plan and `titles` under the diagram.
        titles: what the title block says.
        layers: what is dimmed or hidden.
        complete: every device of a large drawing, and open what is collapsed.
        paper: lay a PDF on paper.
        embed: put the drawing itself into the PNG or SVG, so that it opens again.
    """

    theme: str = "light"
    scale: float = 1.0
    selection: tuple[str, ...] = ()
    metric: Metric = "demand"
    background: Background = "theme"
    margin: float | None = None
    labels: LabelChoice = "hot"
    legend: bool = True
    title_block: bool = True
    titles: TitleBlock = TitleBlock()
    layers: Layers = field(default_factory=Layers)
    complete: bool = False
    paper: PaperChoice | None = None
    embed: bool = False


def picture_kind(target: Path) -> Kind:
    """The format that a file name asks for.

    Raises:
        BadInputError: its suffix is none of .svg, .png and .pdf.
    """
    suffix = target.suffix.lower().lstrip(".")
    if suffix == "svg":
        return "svg"
    if suffix == "png":
        return "png"
    if suffix == "pdf":
        return "pdf"
    raise BadInputError(
        f'"{target.suffix or target.name}" is no picture format', str(target),
        "Use .svg, .png or .pdf",
    )  # fmt: skip


def export_diagram(
    document: Document, target: Path, choice: ExportChoice | None = None,
    result: Result | None = None, *, progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> int:  # fmt: skip
    """Write a picture of a drawing, coloured by an analysis if there is one.

    Args:
        document: the drawing.
        target: file to write; its suffix decides the format. It appears whole or not at all.
        choice: theme, scale, selection and all else.
        result: an analysis of this document.
        progress: told in words and as a share what is done.
        cancel: asked between pieces of the picture.

    Returns:
        Size of the file in bytes.

    Raises:
        BadInputError: a wrong suffix or choice, or a picture too large to use.
        BadFileError: the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    from topoedit.io import atomic

    kind = picture_kind(target)
    if not target.parent.is_dir():
        raise BadInputError("there is no such folder", str(target.parent), "Make it first")
    data = picture(document, kind, choice, result, progress=progress, cancel=cancel)
    atomic.write(target, data)
    return len(data)


def picture(
    document: Document, kind: Kind, choice: ExportChoice | None = None,
    result: Result | None = None, *, progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a picture; see `export_diagram`."""
    from topoedit.render.export import picture_steps

    scene, options = _prepared(document, kind, choice or ExportChoice(), result)
    return drained(picture_steps(scene, kind, options), progress, cancel)


def drained(
    steps: Generator[float, None, bytes], progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> bytes:  # fmt: skip
    """What a generator of steps returns at its end.

    Raises:
        CancelledError: `cancel` said so.
    """
    while True:
        try:
            share = next(steps)
        except StopIteration as done:
            return bytes(done.value)
        if progress is not None:
            progress("painting", share)
        if cancel is not None and cancel():
            steps.close()
            raise CancelledError("the export was stopped")


def picture_size(
    document: Document, kind: Kind, choice: ExportChoice | None = None,
    result: Result | None = None,
) -> Size:  # fmt: skip
    """How large a picture will be: pixels, pages and about how many bytes; nothing is painted."""
    from topoedit.render.export import estimate

    scene, options = _prepared(document, kind, choice or ExportChoice(), result)
    return estimate(scene, kind, options)


def _prepared(
    document: Document, kind: Kind, choice: ExportChoice, result: Result | None
) -> tuple[DiagramScene, ExportOptions]:
    from topoedit.render.export import ensure_gui
    from topoedit.render.scene import DiagramScene
    from topoedit.render.theme import Theme

    Theme.load(choice.theme)
    if choice.metric not in get_args(Metric):
        raise BadInputError(
            f'there is no figure "{choice.metric}"',
            "--metric",
            f"Use {', '.join(get_args(Metric))}",
        )
    if choice.labels not in get_args(LabelChoice):
        raise BadInputError(
            f'there are no labels "{choice.labels}"', "--labels", "Use none, hot or all"
        )
    if choice.embed and kind == "pdf":
        raise BadInputError("a PDF cannot hold the drawing", "--embed", "Use .png or .svg")
    ensure_gui()
    scene = DiagramScene(document)
    if result is not None:
        colour_scene(scene, result, choice.metric)
    return scene, options_of(document, choice, result)


def options_of(document: Document, choice: ExportChoice, result: Result | None) -> ExportOptions:
    """The same choice as the painter takes it."""
    from topoedit.render.sheet import MARGIN, ExportOptions

    titles = choice.titles
    return ExportOptions(
        theme=choice.theme,
        scale=choice.scale,
        selection=selected_ids(document, choice.selection) if choice.selection else None,
        background=choice.background,
        margin=MARGIN if choice.margin is None else choice.margin,
        title=titles.title or document.settings.name,
        lines=() if result is None else plan_lines(result.analysis),
        date=titles.date,
        revision=titles.revision,
        author=titles.author,
        note=titles.note,
        metric=_METRIC_NAMES[choice.metric],
        title_block=choice.title_block,
        legend=choice.legend,
        labels=choice.labels,
        layers=choice.layers,
        complete=choice.complete,
        poster=poster_of(choice.paper),
        drawing=embedded(document) if choice.embed else None,
    )


def poster_of(paper: PaperChoice | None) -> Poster | None:
    """The paper as the painter takes it."""
    if paper is None:
        return None
    from topoedit.render.posters import Poster

    columns, rows = paper.pages or (None, None)
    return Poster(paper.size, paper.landscape, columns, rows, paper.overlap, paper.marks)


def embedded(document: Document) -> bytes:
    """The drawing as it is put into a picture: its native file."""
    from topoedit.io import native

    return native.dumps(document)


def analyse_for_export(
    document: Document, workload: Workload, base: Path | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Result:  # fmt: skip
    """Analyse a drawing in order to colour a picture of it."""
    from topoedit.app.analyse import analyse_document

    return analyse_document(document, workload, base=base, progress=progress)


def colour_scene(scene: DiagramScene, result: Result, metric: str = "demand") -> None:
    """Give a scene the loads of an analysis, inner links included."""
    import numpy as np

    from topoedit.engine.linkloads import link_arrays
    from topoedit.render.scene import Facts

    fabric = result.fabric
    arrays = link_arrays(fabric, result.figures)
    at = 2 * arrays.names.index(metric)
    forward, backward = arrays.values[at], arrays.values[at + 1]
    drawn = fabric.drawn_links
    memory = result.analysis.memory
    capacity = memory.capacity_bytes
    share = memory.total_bytes / capacity if capacity else None
    scene.facts = Facts(memory.total_bytes, share)
    worst = np.fmax(forward[drawn:], backward[drawn:])
    inner = zip(fabric.link_ids[drawn:], worst.tolist(), strict=True)
    scene.set_inner_loads({name: load for name, load in inner if load == load})
    scene.set_loads(fabric.link_ids[:drawn], forward[:drawn], backward[:drawn])


def plan_lines(analysis: Analysis) -> tuple[str, ...]:
    """Model, plan and step time in words, for the title block."""
    echo = analysis.workload
    axes = " · ".join(
        f"{name.upper()} {echo[name]}"
        for name in ("tp", "cp", "pp", "dp", "ep")
        if echo.get(name) not in (None, 1)
    )
    interval = analysis.interval
    low, high = format_seconds(interval.low_s), format_seconds(interval.high_s)
    time = f"Step {format_seconds(analysis.step_time_s)} (80 % interval {low} to {high})"
    mfu = f"MFU {format_percent(analysis.mfu, 1)}, full attention counted"
    model = " · ".join(part for part in (str(echo.get("model", "")), axes) if part)
    return (model, f"{time} · {mfu}")


def selected_ids(document: Document, wanted: Sequence[str]) -> tuple[str, ...]:
    """Ids of the elements with these ids, names or glob patterns of names.

    Raises:
        BadInputError: one of them names nothing.
    """
    from fnmatch import fnmatchcase

    found: dict[str, None] = {}
    for text in wanted:
        one = document.element(text) or document.named(text)
        if one is not None:
            found[one.id] = None
            continue
        matches = [d.id for d in document.devices.values() if fnmatchcase(d.name, text)]
        matches += [g.id for g in document.groups.values() if fnmatchcase(g.name, text)]
        if not matches:
            raise BadInputError(
                f'nothing is called "{text}"', "--selection",
                "Give an id, a name or a pattern such as 'leaf-*'",
            )  # fmt: skip
        found.update(dict.fromkeys(matches))
    return tuple(found)
