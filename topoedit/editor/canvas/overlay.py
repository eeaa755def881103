"""What is painted over the picture: selection, hover, focus, the gesture and the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from topoedit.editor.canvas.hover_card import card_for, paint_card
from topoedit.editor.canvas.rank_view import paint_ranks, rank_lines
from topoedit.editor.canvas.trace_view import paint_trace
from topoedit.render import overlay as states
from topoedit.render.ink import Ink

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

MOST_RINGS = 200
"""Beyond so many selected elements rings are plain, and painted all at once."""
MOST_LINES = 600
"""Of so many selected elements the links are lit."""


def paint_overlay(stage: Stage, ink: Ink) -> None:
    """Paint everything above the picture."""
    session, gesture = stage.session, stage.gesture
    selection = session.selection
    hovered = session.hovered if gesture is None else ""
    focused = selection[-1] if selection and stage.by_keyboard and stage.hasFocus() else None
    shown = states.Overlay(
        selected=() if stage.is_moving else tuple(reversed(selection[-MOST_LINES:])),
        many=() if stage.is_moving or len(selection) <= MOST_RINGS else selection,
        hovered=hovered if hovered and not session.is_selected(hovered) else None,
        focused=focused,
        marks={} if stage.is_moving else session.rules.marks,
    )
    paint_trace(ink, stage.scene, stage.view, session.trace)
    paint_ranks(ink, stage.scene, stage.view, session.ranks)
    states.paint_overlay(ink.painter, stage.scene, stage.theme, stage.view, shown)
    if gesture is not None:
        gesture.paint(ink, stage.view)
    elif stage.card_shown and session.hovered:
        card = card_for(
            session.document, session.hovered, stage.loads, rank_lines(stage, session.hovered)
        )
        if card is not None:
            room = QRectF(0, 0, stage.view.width, stage.view.height)
            paint_card(ink, card, stage.pointer.x(), stage.pointer.y(), room)
