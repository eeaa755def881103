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
    Action("view.focus", "Focus", "Dim all but the selection, its links and neighbours; Esc or once more shows all.", "view.focus", "View", "F", "", "drawing", section=1),
    Action("view.grid", "Grid", "Show or hide the dots of the grid; things snap to it as chosen in the preferences.", "preferences.grid", "View", "Ctrl+'", "grid", "drawing", checkable=True, section=1),
    Action("view.rulers", "Rulers", "Show or hide rulers along the edges of the drawing.", "view.rulers", "View", "Ctrl+R", "", "drawing", checkable=True, section=1),
    Action("view.minimap", "Minimap", "Show or hide the small map of the drawing.", "view.minimap", "View", "M", "minimap", "drawing", checkable=True, section=1),
    Action("view.left", "Left panel", "Show or hide devices, tree and layers.", "view.toggle_left", "View", "Ctrl+B", "sidebar-left", "drawing", checkable=True, section=2),
    Action("view.bottom", "Bottom panel", "Show or hide the tables.", "view.toggle_bottom", "View", "Ctrl+J", "panel-bottom", "drawing", checkable=True, section=2),
    Action("view.inspector", "Inspector", "Show or hide properties, plan and analysis.", "view.toggle_inspector", "View", "Ctrl+I", "sidebar-right", "drawing", checkable=True, section=2),
    Action("view.panels", "All panels", "Hide every panel, or bring them back.", "view.toggle_panels", "View", "Ctrl+\\", "hide", "drawing", section=2),
    Action("view.full_screen", "Full screen", "Use the whole screen.", "view.full_screen", "View", "F11", "expand", checkable=True, section=3),
    Action("view.labels_none", "None", "Write no loads on the links.", "picture.labels", "View/Labels", "", "", "drawing", argument="none", checkable=True),
    Action("view.labels_hot", "Hot links", "Write the load on links from 90 % on, and what a person has written on any link.", "picture.labels", "View/Labels", "", "", "drawing", argument="hot", checkable=True),
    Action("view.labels_all", "As many as fit", "Write the load on as many links as have room.", "picture.labels", "View/Labels", "", "", "drawing", argument="all", checkable=True),
    Action("view.rail_0", "Rail 0", "Let rail 0 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "1", "", "drawing", argument="0", checkable=True),
    Action("view.rail_1", "Rail 1", "Let rail 1 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "2", "", "drawing", argument="1", checkable=True),
    Action("view.rail_2", "Rail 2", "Let rail 2 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "3", "", "drawing", argument="2", checkable=True),
    Action("view.rail_3", "Rail 3", "Let rail 3 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "4", "", "drawing", argument="3", checkable=True),
    Action("view.rail_4", "Rail 4", "Let rail 4 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "5", "", "drawing", argument="4", checkable=True),
    Action("view.rail_5", "Rail 5", "Let rail 5 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "6", "", "drawing", argument="5", checkable=True),
    Action("view.rail_6", "Rail 6", "Let rail 6 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "7", "", "drawing", argument="6", checkable=True),
    Action("view.rail_7", "Rail 7", "Let rail 7 stand out and dim the others; once more shows all.", "picture.rail", "View/Rails", "8", "", "drawing", argument="7", checkable=True),
    Action("view.rail_all", "All layers", "Show every rail, network, plane, phase and tag again.", "picture.all_layers", "View/Rails", "0", "", "drawing"),
    Action("view.theme_system", "Follow the system", "Use the light or dark look of the system.", "view.theme", "View/Theme", "", "", argument="system", checkable=True),
    Action("view.theme_light", "Light", "Use the light look.", "view.theme", "View/Theme", "", "", argument="light", checkable=True),
    Action("view.theme_dark", "Dark", "Use the dark look.", "view.theme", "View/Theme", "", "", argument="dark", checkable=True),
    Action("view.reset", "Reset window layout", "Put every panel back to its place and size.", "view.reset_layout", "View", section=4),
)  # fmt: skip
