"""Pictures of a session: the same painter and loads as on the screen."""

from __future__ import annotations

from typing import Literal

from topoedit.app.export import plan_lines
from topoedit.editor.session import DocumentSession

_NAMES = {
    "demand": "Demand", "utilisation": "Utilisation", "phase_share": "Phase share",
    "bytes": "Bytes per step",
}  # fmt: skip


def picture(
    session: DocumentSession,
    kind: Literal["svg", "png", "pdf"],
    *,
    theme: str = "light",
    scale: float = 1.0,
    only_selected: bool = False,
    coloured: bool = True,
) -> bytes:
    """The bytes of a picture of a session's drawing.

    Raises:
        BadInputError: the picture would be too large to use.
    """
    from topoedit.render.export import ExportOptions, picture_bytes
    from topoedit.render.scene import DiagramScene

    scene = DiagramScene(session.document)
    result = session.analysis if coloured else None
    if result is not None and session.loads is not None:
        from topoedit.editor.canvas.loads import LoadView

        loads = LoadView(session.loads, session.metric, session.traffic_class)
        scene.set_loads(loads.drawn_ids, *loads.fractions())
    options = ExportOptions(
        theme=theme,
        scale=scale,
        selection=session.selection if only_selected else None,
        title=session.document.settings.name or session.title,
        lines=() if result is None else plan_lines(result),
        metric=_NAMES[session.metric],
    )
    return picture_bytes(scene, kind, options)
