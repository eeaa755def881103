"""What is painted over the picture: selection, hover, focus, the gesture and the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.free_ports import paint_free_ports
from topoedit.editor.canvas.hover_card import card_for, paint_card
from topoedit.editor.canvas.link_chip import paint_link_chip
from topoedit.editor.canvas.rank_view import paint_ranks, rank_lines
from topoedit.editor.canvas.rulers import paint_rulers
from topoedit.editor.canvas.trace_view import paint_trace
from topoedit.model.operations import plural
from topoedit.render import overlay as states
from topoedit.render.ink import Ink

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

MOST_RINGS = 200
"""Beyond so many selected elements rings are plain, and painted all at once."""
MOST_LINES = 600
"""Of so many selected elements the links are lit."""


def overlay_of(stage: Stage) -> states.Overlay:
    """What is selected, hovered and marked now."""
    session, gesture = stage.session, stage.gesture
    selection = session.selection
    hovered = session.hovered if gesture is None else ""
    focused = selection[-1] if selection and stage.by_keyboard and stage.hasFocus() else None
    return states.Overlay(
        selected=() if stage.is_moving else tuple(reversed(selection[-MOST_LINES:])),
        many=() if stage.is_moving or len(selection) <= MOST_RINGS else selection,
        hovered=hovered if hovered and not session.is_selected(hovered) else None,
        focused=focused,
        marks={} if stage.is_moving else session.rules.marks,
    )


def paint_overlay(stage: Stage, ink: Ink) -> None:
    """Paint everything above the picture."""
    session, gesture = stage.session, stage.gesture
    paint_trace(ink, stage.scene, stage.view, session.trace)
    paint_ranks(ink, stage.scene, stage.view, session.ranks)
    states.paint_overlay(ink.painter, stage.scene, stage.theme, stage.view, overlay_of(stage))
    paint_free_ports(stage, ink)
    if stage.ghosts is not None:
        stage.ghosts(ink, stage.view, stage.scene.for_scale(stage.view.scale))
    if stage.in_focus:
        _paint_focus_words(stage, ink)
    if stage.by_keyboard and stage.reached_by_tab and stage.hasFocus() and not session.selection:
        view = stage.view
        ink.box(1, 1, view.width - 2, view.height - 2, None, "border.focus", 2, 2)
    if stage.rulers:
        paint_rulers(ink, stage.view, stage.pointer.x(), stage.pointer.y())
    if gesture is not None:
        gesture.paint(ink, stage.view)
    elif stage.card_shown and session.hovered:
        _paint_card(stage, ink)
    elif stage.ghosts is None and not stage.by_keyboard:
        paint_link_chip(stage, ink)


def _paint_card(stage: Stage, ink: Ink) -> None:
    """The card of what is under the pointer, or of the port there."""
    session = stage.session
    if stage.tool == "link":
        return
    card = card_for(
        session.document, session.hovered, stage.loads, rank_lines(stage, session.hovered),
        stage.hovered_port,
    )  # fmt: skip
    if card is not None:
        room = QRectF(0, 0, stage.view.width, stage.view.height)
        paint_card(ink, card, stage.pointer.x(), stage.pointer.y(), room)


def _paint_focus_words(stage: Stage, ink: Ink) -> None:
    """That all else is dimmed, and how it comes back."""
    what = f"Focus on {plural(len(stage.session.selection), 'item')}"
    text = what if stage.session.selection else "Focus: select something"
    paint_chip(ink, stage.view, 16, 16, f"{text} · Esc shows all", edge="accent.base")
