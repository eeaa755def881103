"""Commands that go to a tab or a panel."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("window.next", "Next tab", "Go to the next tab.", "view.next_tab", "Window", "Ctrl+Tab", "", "tab"),
    Action("window.previous", "Previous tab", "Go to the tab before.", "view.previous_tab", "Window", "Ctrl+Shift+Tab", "", "tab"),
    Action("window.home", "Welcome", "Templates, samples and recent files.", "view.welcome", "Window"),
    Action("show.devices", "Devices", "Search the catalogue and place devices.", "view.show", "Window", "Alt+1", "gpu-server", "drawing", argument="devices", section=1),
    Action("show.tree", "Tree", "The drawing as a tree; shares the selection.", "view.show", "Window", "Alt+2", "layers", "drawing", argument="tree", section=1),
    Action("show.layers", "Layers", "Show, dim or hide networks, rails, planes, phases and tags.", "view.show", "Window", "Alt+3", "layers", "drawing", argument="layers", section=1),
    Action("show.properties", "Properties", "Fields of what is selected.", "view.show", "Window", "Alt+4", "settings", "drawing", argument="properties", section=2),
    Action("show.plan", "Plan", "Model and parallelism.", "view.show", "Window", "Alt+5", "plan", "drawing", argument="plan", section=2),
    Action("show.analysis", "Analysis", "Step time, memory, tiers and bottlenecks.", "view.show", "Window", "Alt+6", "chart", "drawing", argument="analysis", section=2),
    Action("show.problems", "Problems", "What is wrong or in doubt.", "view.show", "Window", "Alt+7", "warning", "drawing", argument="problems", section=3),
    Action("show.bottlenecks", "Bottlenecks", "Classes of links by what they cost.", "view.show", "Window", "Alt+8", "bolt", "drawing", argument="bottlenecks", section=3),
    Action("show.timeline", "Timeline", "The step on a time axis; a play head colours the links by phase.", "view.show", "Window", "", "timeline", "drawing", argument="timeline", section=3),
    Action("show.cables", "Cables", "Every link as a row.", "view.show", "Window", "Alt+9", "cable-list", "drawing", argument="cables", section=3),
    Action("show.trace", "Trace", "Every path between two ends, hop by hop.", "view.show", "Window", "", "fan-out", "drawing", argument="trace", section=3),
    Action("show.floor", "Floor plan…", "The racks on their floor, coloured by power, units, cooling or phase.", "floor.show", "Window", "", "room", "drawing", section=3),
    Action("show.plots", "Plots", "Step breakdown, links by load, bandwidth and memory as charts.", "view.show", "Window", "", "chart", "drawing", argument="plots", section=3),
    Action("show.matrix", "Matrix", "Who sends how much to whom, rank by rank.", "view.show", "Window", "", "grid", "drawing", argument="matrix", section=3),
    Action("show.history", "History", "Every step since the drawing was opened.", "view.show", "Window", "Alt+0", "history", "drawing", argument="history", section=3),
)  # fmt: skip
