"""What can be derived from a drawing before it is shown, in the thread that reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoedit.editor.totals import Totals

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession
    from topoedit.model.document import Document
    from topoedit.render.scene import DiagramScene


@dataclass(frozen=True)
class Made:
    """Counts and picture of a document as it was read; nobody may have changed it since."""

    totals: Totals
    scene: DiagramScene


def derive(document: Document) -> Made:
    """Count a document and arrange its picture; touches no widget, so that any thread may."""
    from topoedit.editor.canvas import view  # noqa: F401  (loaded here, not when it is shown)
    from topoedit.render.scene import DiagramScene

    return Made(Totals(document), DiagramScene(document))


def take_scene(session: DocumentSession) -> DiagramScene:
    """The picture of a session's drawing: the one made beforehand for whom asks first."""
    from topoedit.render.scene import DiagramScene

    made, session.made = session.made, None
    return DiagramScene(session.document) if made is None else made.scene
