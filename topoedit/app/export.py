"""Exporting a drawing as a picture: the use case that editor, command line and Python share.

Qt is imported when the first picture is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from topoedit.errors import BadInputError
from topoedit.model.analysis import Analysis
from topoedit.model.document import Document
from topoedit.model.plan import Workload
from topoedit.units import format_percent, format_seconds

if TYPE_CHECKING:
    from topoedit.engine.analyse import Result
    from topoedit.render.scene import DiagramScene

Metric = Literal["demand", "utilisation", "phase_share"]
PICTURES = ("svg", "png", "pdf")
_METRIC_NAMES: dict[str, str] = {
    "demand": "Demand", "utilisation": "Utilisation", "phase_share": "Phase share",
}  # fmt: skip


@dataclass(frozen=True)
class ExportChoice:
    """What is asked of a picture.

    Attributes:
        theme: `light` or `dark`.
        scale: enlargement.
        selection: ids, names or globs of what to show; empty for everything.
        metric: figure that colours the links of an analysed drawing.
    """

    theme: str = "light"
    scale: float = 1.0
    selection: tuple[str, ...] = ()
    metric: Metric = "demand"


def picture_kind(target: Path) -> Literal["svg", "png", "pdf"]:
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
    result: Result | None = None,
) -> int:  # fmt: skip
    """Write a picture of a drawing, coloured by an analysis if there is one.

    Args:
        document: the drawing.
        target: file to write; its suffix decides the format. It appears whole or not at all.
        choice: theme, scale, selection.
        result: an analysis of this document.

    Returns:
        Size of the file in bytes.

    Raises:
        BadInputError: a wrong suffix, theme, scale or selection, or a picture too large to use.
        BadFileError: the file cannot be written.
    """
    from topoedit.io import atomic

    data = picture(document, picture_kind(target), choice, result)
    if not target.parent.is_dir():
        raise BadInputError("there is no such folder", str(target.parent), "Make it first")
    atomic.write(target, data)
    return len(data)


def picture(
    document: Document, kind: Literal["svg", "png", "pdf"], choice: ExportChoice | None = None,
    result: Result | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a picture; see `export_diagram`."""
    from topoedit.render.export import ExportOptions, ensure_gui, picture_bytes
    from topoedit.render.scene import DiagramScene
    from topoedit.render.theme import Theme

    chosen = choice or ExportChoice()
    Theme.load(chosen.theme)
    if chosen.metric not in get_args(Metric):
        raise BadInputError(
            f'there is no figure "{chosen.metric}"',
            "--metric",
            f"Use {', '.join(get_args(Metric))}",
        )
    selection = selected_ids(document, chosen.selection) if chosen.selection else None
    ensure_gui()
    scene = DiagramScene(document)
    if result is not None:
        colour_scene(scene, result, chosen.metric)
    options = ExportOptions(
        theme=chosen.theme,
        scale=chosen.scale,
        selection=selection,
        title=document.settings.name,
        lines=() if result is None else plan_lines(result.analysis),
        metric=_METRIC_NAMES[chosen.metric],
    )
    return picture_bytes(scene, kind, options)


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
