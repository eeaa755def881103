"""What a canvas asks of the window: zoom and cursor shown, panels opened, menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from topoedit.editor.window import MainWindow


def connect_canvas(canvas: QWidget, window: MainWindow) -> None:
    """Connect every signal that a canvas has."""
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
