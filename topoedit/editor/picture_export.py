"""Pictures of a session: the same painter, loads and layers as on the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from topoedit.app.export import plan_lines
from topoedit.editor.session import DocumentSession

if TYPE_CHECKING:
    from topoedit.app.export import Background
    from topoedit.render.posters import Poster
    from topoedit.render.scene import DiagramScene
    from topoedit.render.sheet import ExportOptions

Kind = Literal["svg", "png", "pdf"]
_NAMES = {
    "demand": "Demand", "utilisation": "Utilisation", "phase_share": "Phase share",
    "bytes": "Bytes per step",
}  # fmt: skip
_COPY_SCALE = 2.0


@dataclass(frozen=True)
class PictureChoice:
    """What a person asks of a picture; loads, labels and layers are those of the screen.

    Attributes:
        theme, scale, background, margin, legend, title_block, complete: see `ExportOptions`.
        only_selected: leave out what is not selected.
        coloured: show loads.
        labels: other labels than on the screen; "" for the same.
        title, date, revision, author, note: what the title block says.
        poster: paper.
        embed: put the drawing into the picture.
    """

    theme: str = "light"
    scale: float = 1.0
    background: Background = "theme"
    margin: float = 32.0
    only_selected: bool = False
    coloured: bool = True
    labels: str = ""
    legend: bool = True
    title_block: bool = True
    title: str = ""
    date: str = ""
    revision: str = ""
    author: str = ""
    note: str = ""
    complete: bool = False
    poster: Poster | None = None
    embed: bool = False


def picture_scene(session: DocumentSession, coloured: bool = True) -> DiagramScene:
    """A scene of its own with the loads that the screen shows."""
    from topoedit.editor.canvas.loads import LoadView, Moment
    from topoedit.render.scene import DiagramScene, Facts

    scene = DiagramScene(session.document)
    result = session.analysis if coloured else None
    if result is None or session.loads is None:
        return scene
    state = session.timeline
    classes, made = state.classes, state.timeline
    moment = Moment(classes, made.pace, made.step_time) if classes is not None and made else None
    loads = LoadView(session.loads, session.metric, session.traffic_class, moment)
    memory = result.memory
    share = memory.total_bytes / memory.capacity_bytes if memory.capacity_bytes else None
    scene.facts = Facts(memory.total_bytes, share)
    scene.set_inner_loads(loads.inner_load)
    scene.set_loads(loads.drawn_ids, *loads.fractions())
    return scene


def picture_options(session: DocumentSession, choice: PictureChoice) -> ExportOptions:
    """The choice as the painter takes it."""
    from topoedit.app.export import embedded
    from topoedit.render.diagram import Labels
    from topoedit.render.sheet import ExportOptions

    result = session.analysis if choice.coloured else None
    return ExportOptions(
        theme=choice.theme,
        scale=choice.scale,
        selection=session.selection if choice.only_selected else None,
        background=choice.background,
        margin=choice.margin,
        title=choice.title or session.document.settings.name or session.title,
        lines=() if result is None else plan_lines(result),
        date=choice.date,
        revision=choice.revision,
        author=choice.author,
        note=choice.note,
        metric=_NAMES[session.metric if session.timeline.classes is None else "phase_share"],
        traffic=session.traffic_class or "All classes",
        title_block=choice.title_block,
        legend=choice.legend,
        labels=cast("Labels", choice.labels or session.labels),
        layers=session.layers,
        complete=choice.complete,
        poster=choice.poster,
        drawing=embedded(session.document) if choice.embed else None,
    )


def copy_picture(session: DocumentSession, theme: str) -> tuple[int, int]:
    """Put the selection, or the whole drawing, on the clipboard at twice its size.

    Returns:
        Width and height in pixels.

    Raises:
        BadInputError: it would be too large to use.
    """
    from PySide6.QtGui import QGuiApplication

    from topoedit.render.export import picture_image

    choice = PictureChoice(
        theme=theme, scale=_COPY_SCALE, only_selected=bool(session.selection), title_block=False
    )
    image = picture_image(picture_scene(session), picture_options(session, choice))
    QGuiApplication.clipboard().setImage(image)
    return image.width(), image.height()
