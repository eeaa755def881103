"""What canvas and panels ask of the window: zoom and cursor shown, panels opened, menus, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from topoedit.editor.commands.view_commands import show_looks
from topoedit.editor.figure_wiring import connect_figures
from topoedit.editor.translating import translate_fields

if TYPE_CHECKING:
    from topoedit.editor.side_panels import SidePanels
    from topoedit.editor.window import MainWindow


def connect_canvas(canvas: QWidget, window: MainWindow) -> None:
    """Connect every signal that a canvas has."""
    show_looks(window)
    for name, slot in (
        ("zoom_changed", window.tool_bar.show_zoom),
        ("cursor_moved", window.status.show_cursor),
        ("tool_changed", window.tool_used),
        ("activated", lambda _id: window.show_panel("properties")),
        ("menu_asked", window.open_context_menu),
        ("template_asked", window.files.from_template),
        ("open_asked", window.files.open),
        ("search_asked", lambda: window.show_panel("devices")),
    ):
        signal = getattr(canvas, name, None)
        if signal is not None:
            signal.connect(slot)
    take_habits = getattr(canvas, "take_habits", None)
    if take_habits is not None:
        take_habits(window.settings.habits)
    window.hints.add(canvas)


def connect_sides(sides: SidePanels, window: MainWindow) -> None:
    """Put the panels into the window and connect what they ask for."""
    window.frame.fill(sides.left, sides.bottom, sides.inspector)
    for panel in (sides.left, sides.bottom, sides.inspector):
        translate_fields(panel)
    sides.set_session(None)
    window.frame.placed.connect(lambda: window.documents.cover_right(window.frame.covers_right))
    sides.connect_visits(window.visit)
    sides.left.palette_panel.chosen.connect(window.place)
    sides.left.palette_panel.drag_started.connect(window.drag)
    for used in (sides.left.palette_panel.chosen, sides.left.palette_panel.drag_started):
        used.connect(lambda *_: window.hints.used("palette"))
    sides.bottom.close_asked.connect(lambda: window.frame.toggle("bottom"))
    sides.bottom.problems.severities_counted.connect(window.problems_counted)
    sides.inspector.why_asked.connect(window.explain)
    sides.inspector.properties.name_entered.connect(window.focus_home.give)
    connect_figures(sides, window)
