"""Commands of the view: zoom, panels, look."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("view.fit", "Fit drawing", "Show the whole drawing.", "view.fit", "View", "Ctrl+0", "zoom-fit", "drawing"),
    Action("view.fit_selection", "Fit selection", "Zoom to what is selected.", "view.fit_selection", "View", "Z", "zoom-selection", "selection"),
    Action("view.actual", "Actual size", "Zoom to 100 %.", "view.actual", "View", "Ctrl+1", "", "drawing"),
    Action("view.zoom_in", "Zoom in", "Make everything larger.", "view.zoom_in", "View", "+", "zoom-in", "drawing"),
    Action("view.zoom_out", "Zoom out", "Make everything smaller.", "view.zoom_out", "View", "-", "zoom-out", "drawing"),
    Action("view.minimap", "Minimap", "Show or hide the small map of the drawing.", "view.minimap", "View", "M", "minimap", "drawing", checkable=True, section=1),
    Action("view.left", "Left panel", "Show or hide devices, tree and layers.", "view.toggle_left", "View", "Ctrl+B", "sidebar-left", "drawing", checkable=True, section=2),
    Action("view.bottom", "Bottom panel", "Show or hide the tables.", "view.toggle_bottom", "View", "Ctrl+J", "panel-bottom", "drawing", checkable=True, section=2),
    Action("view.inspector", "Inspector", "Show or hide properties, plan and analysis.", "view.toggle_inspector", "View", "Ctrl+I", "sidebar-right", "drawing", checkable=True, section=2),
    Action("view.panels", "All panels", "Hide every panel, or bring them back.", "view.toggle_panels", "View", "Ctrl+\\", "hide", "drawing", section=2),
    Action("view.full_screen", "Full screen", "Use the whole screen.", "view.full_screen", "View", "F11", "expand", checkable=True, section=3),
    Action("view.theme_system", "Follow the system", "Use the light or dark look of the system.", "view.theme", "View/Theme", "", "", argument="system", checkable=True),
    Action("view.theme_light", "Light", "Use the light look.", "view.theme", "View/Theme", "", "", argument="light", checkable=True),
    Action("view.theme_dark", "Dark", "Use the dark look.", "view.theme", "View/Theme", "", "", argument="dark", checkable=True),
    Action("view.reset", "Reset window layout", "Put every panel back to its place and size.", "view.reset_layout", "View", section=4),
)  # fmt: skip
