"""Every command of the editor as data: menus, tool bar, palette and shortcut sheet come from it."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

When = Literal[
    "always", "tab", "drawing", "selection", "element", "devices", "several", "three", "groups",
    "failable", "undo", "redo", "clipboard", "workload", "problems",
]  # fmt: skip

MENUS = ("File", "Edit", "View", "Insert", "Arrange", "Plan", "Analyse", "Window", "Help")


@dataclass(frozen=True)
class Action:
    """One command.

    Attributes:
        id: stable name, also the key under which a shortcut can be remapped.
        text: the words in menus, with "…" only if a dialog follows.
        tip: one sentence for the tooltip.
        handler: `controller.method` that does it.
        menu: the menu that shows it; a submenu is written `View/Theme`.
        shortcut: portable key sequence; "" for commands reached by menu and Ctrl K only.
        icon: name of its icon ("" for none).
        when: what must be so for it to be possible.
        argument: what the handler gets, if anything.
        checkable: whether it shows a state that the window keeps up to date.
        section: a menu draws a line between two sections.
    """

    id: str
    text: str
    tip: str
    handler: str
    menu: str
    shortcut: str = ""
    icon: str = ""
    when: When = "always"
    argument: str | None = None
    checkable: bool = False
    section: int = 0

    @property
    def plain(self) -> str:
        """The text without the dots."""
        return self.text.rstrip("…")


_FILE = (
    Action("file.new", "New drawing", "Start an empty drawing in a new tab.", "file.new", "File", "Ctrl+N", "new"),
    Action("file.template", "New from template…", "Make a cluster from a template and its numbers.", "file.from_template", "File", "Ctrl+Shift+N", "template"),
    Action("file.open", "Open…", "Open a drawing, or import a file of another tool.", "file.open", "File", "Ctrl+O", "open"),
    Action("file.save", "Save", "Write the drawing to its file.", "file.save", "File", "Ctrl+S", "save", "drawing", section=1),
    Action("file.save_as", "Save as…", "Write the drawing to another file.", "file.save_as", "File", "Ctrl+Shift+S", "", "drawing", section=1),
    Action("file.restore", "Restore from backup…", "Go back to what the file held before a save.", "file.restore", "File", "", "history", "drawing", section=1),
    Action("file.export", "Export…", "Save the diagram as SVG, PNG or PDF.", "file.export", "File", "Ctrl+E", "export", "drawing", section=2),
    Action("file.close", "Close tab", "Close this tab; unsaved work is asked about.", "file.close", "File", "Ctrl+W", "close", "tab", section=3),
    Action("file.quit", "Quit", "Close every tab and leave.", "file.quit", "File", "Ctrl+Q", section=3),
)  # fmt: skip

_EDIT = (
    Action("edit.undo", "Undo", "Take the last step back.", "edit.undo", "Edit", "Ctrl+Z", "undo", "undo"),
    Action("edit.redo", "Redo", "Make the step again that was taken back.", "edit.redo", "Edit", "Ctrl+Shift+Z", "redo", "redo"),
    Action("edit.cut", "Cut", "Copy the selection and remove it.", "edit.cut", "Edit", "Ctrl+X", "cut", "selection", section=1),
    Action("edit.copy", "Copy", "Copy the selection with the links inside it.", "edit.copy", "Edit", "Ctrl+C", "copy", "selection", section=1),
    Action("edit.paste", "Paste", "Insert what was copied, with new names.", "edit.paste", "Edit", "Ctrl+V", "paste", "clipboard", section=1),
    Action("edit.duplicate", "Duplicate", "Copy the selection beside itself.", "edit.duplicate", "Edit", "Ctrl+D", "duplicate", "selection", section=1),
    Action("edit.delete", "Delete", "Remove the selection; links of removed devices go with them.", "edit.delete", "Edit", "Del", "delete", "selection", section=1),
    Action("edit.rename", "Rename", "Type a new name in the properties.", "edit.rename", "Edit", "F2", "", "element", section=2),
    Action("edit.lock", "Lock or unlock", "Keep the selected devices from being moved.", "edit.lock", "Edit", "Ctrl+L", "lock", "selection", section=2),
    Action("edit.select_all", "Select all", "Select every device and link that is shown.", "edit.select_all", "Edit", "Ctrl+A", "", "drawing", section=3),
    Action("edit.select_same", "Select same kind", "Select everything of the kinds selected now.", "edit.select_same", "Edit", "Ctrl+Shift+A", "", "selection", section=3),
    Action("edit.select_connected", "Select connected", "Add the links and neighbours of the selection.", "edit.select_connected", "Edit", "Ctrl+Alt+A", "", "selection", section=3),
    Action("edit.select_nothing", "Select nothing", "Let go of the selection.", "edit.select_nothing", "Edit", "", "", "selection", section=3),
    Action("edit.find", "Find…", "Find a device or link by name and zoom to it.", "view.find", "Edit", "Ctrl+F", "search", "drawing", section=4),
    Action("edit.commands", "All commands…", "Search devices, links and commands.", "view.palette", "Edit", "Ctrl+K", "command", section=4),
)  # fmt: skip

_VIEW = (
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

_INSERT = (
    Action("tool.select", "Select", "Select and move; drag on empty ground for a marquee.", "tool.use", "Insert", "V", "select", "drawing", "select", True),
    Action("tool.pan", "Pan", "Drag the drawing about.", "tool.use", "Insert", "H", "pan", "drawing", "pan", True),
    Action("tool.link", "Link", "Join ports or devices by dragging between them.", "tool.use", "Insert", "L", "link", "drawing", "link", True),
    Action("insert.wire", "Wire by pattern…", "Cable many devices to many by a rule, in one step.", "insert.wire", "Insert", "W", "wire-pattern", "drawing", section=1),
    Action("insert.array", "Array…", "Repeat the selection in columns and rows.", "insert.array", "Insert", "Ctrl+Shift+D", "array", "selection", section=1),
    Action("insert.note", "Note", "Put a text on the drawing.", "insert.note", "Insert", "N", "note", "drawing", section=1),
)  # fmt: skip

_ARRANGE = (
    Action("arrange.align_left", "Align left", "Bring left edges into line.", "arrange.align", "Arrange", "Ctrl+Shift+Left", "align-left", "several", "left"),
    Action("arrange.align_right", "Align right", "Bring right edges into line.", "arrange.align", "Arrange", "Ctrl+Shift+Right", "align-right", "several", "right"),
    Action("arrange.align_top", "Align top", "Bring top edges into line.", "arrange.align", "Arrange", "Ctrl+Shift+Up", "align-top", "several", "top"),
    Action("arrange.align_bottom", "Align bottom", "Bring bottom edges into line.", "arrange.align", "Arrange", "Ctrl+Shift+Down", "align-bottom", "several", "bottom"),
    Action("arrange.align_centre", "Align centres", "Bring centres above one another.", "arrange.align", "Arrange", "", "align-center", "several", "centre"),
    Action("arrange.align_middle", "Align middles", "Bring middles beside one another.", "arrange.align", "Arrange", "", "align-middle", "several", "middle"),
    Action("arrange.distribute_x", "Distribute across", "Make the gaps from left to right equal.", "arrange.distribute", "Arrange", "Ctrl+Alt+Right", "distribute-h", "three", "x", section=1),
    Action("arrange.distribute_y", "Distribute down", "Make the gaps from top to bottom equal.", "arrange.distribute", "Arrange", "Ctrl+Alt+Down", "distribute-v", "three", "y", section=1),
    Action("arrange.layout", "By tiers", "Cores above spines above leaves above servers, as a preview; locked devices stay.", "arrange.layout", "Arrange/Layout", "Ctrl+Shift+L", "auto-layout", "drawing", "clos"),
    Action("arrange.layout_rack", "Rack elevations", "Racks in rows, units from top to bottom.", "arrange.layout", "Arrange/Layout", "", "rack", "drawing", "rack"),
    Action("arrange.layout_grid", "Grid", "Devices in rows and columns by name.", "arrange.layout", "Arrange/Layout", "", "grid", "drawing", "grid"),
    Action("arrange.layout_radial", "Rings", "The highest tier in the middle, servers outside.", "arrange.layout", "Arrange/Layout", "", "", "drawing", "radial"),
    Action("arrange.layout_force", "Springs", "Linked devices near one another.", "arrange.layout", "Arrange/Layout", "", "", "drawing", "force"),
    Action("arrange.layout_tidy", "Tidy up", "Overlaps removed, all else as it is.", "arrange.layout", "Arrange/Layout", "", "guides", "drawing", "tidy"),
    Action("arrange.route", "Route around devices", "Lead the selected links around devices, with square corners.", "arrange.route", "Arrange", "", "link", "selection", section=2),
    Action("arrange.straighten", "Straighten", "Take the corners of the selected links away.", "arrange.straighten", "Arrange", "", "", "selection", section=2),
    Action("arrange.group", "Group as rack", "Put the selection into a new rack.", "arrange.group", "Arrange", "G", "group", "selection", "rack", section=3),
    Action("arrange.group_pod", "Group as pod", "Put the selection into a new pod.", "arrange.group", "Arrange", "", "pod", "selection", "pod", section=3),
    Action("arrange.group_building", "Group as building", "Put the selection into a new building.", "arrange.group", "Arrange", "", "building", "selection", "building", section=3),
    Action("arrange.group_site", "Group as site", "Put the selection into a new site.", "arrange.group", "Arrange", "", "site", "selection", "site", section=3),
    Action("arrange.ungroup", "Ungroup", "Remove the selected groups and keep what they hold.", "arrange.ungroup", "Arrange", "Shift+G", "ungroup", "groups", section=3),
    Action("arrange.collapse", "Collapse", "Show the selected groups as one block each.", "arrange.collapse", "Arrange", "[", "collapse", "groups", section=4),
    Action("arrange.expand", "Expand", "Show what is inside the selected groups.", "arrange.expand", "Arrange", "]", "expand", "groups", section=4),
)  # fmt: skip

_PLAN = (
    Action("plan.model", "Choose model…", "Choose the model to train.", "plan.choose_model", "Plan", "", "model", "drawing"),
    Action("plan.edit", "Edit plan", "Set TP, PP, CP, DP, EP, VPP and batches.", "view.show", "Plan", "", "plan", "drawing", "plan"),
    Action("plan.none", "Remove plan", "Analyse no model with this drawing.", "plan.remove", "Plan", "", "", "workload", section=1),
)  # fmt: skip

_ANALYSE = (
    Action("analyse.run", "Run again", "Analyse the drawing once more.", "analyse.run", "Analyse", "F5", "run", "workload"),
    Action("analyse.restart", "Restart engine", "Stop the engine and start it afresh.", "analyse.restart", "Analyse", "", "refresh", "drawing"),
    Action("analyse.why", "Why", "Formula, inputs and source of the figure that has the keys, or of the step time.", "why.focused", "Analyse", "Alt+Return", "why", "workload"),
    Action("analyse.metric", "Next figure", "Colour links by the next figure: demand, utilisation, phase share, bytes.", "analyse.next_metric", "Analyse", "T", "chart", "drawing", section=1),
    Action("analyse.class", "Next traffic class", "Colour links by the next traffic class alone.", "analyse.next_class", "Analyse", "C", "filter", "drawing", section=1),
    Action("analyse.fail", "Fail or restore this", "Take the selection out of service, or put it back.", "analyse.fail", "Analyse", "Shift+F", "fail", "failable", section=2),
    Action("trace.between", "Trace", "Light up every path between the two selected devices.", "trace.between", "Analyse", "P", "fan-out", "drawing", section=2),
    Action("trace.from", "Trace from here", "Begin a trace at the selected device, or the port under the pointer.", "trace.from_here", "Analyse", "", "", "devices", section=2),
    Action("trace.to", "Trace to here", "End a trace at the selected device, or the port under the pointer.", "trace.to_here", "Analyse", "", "", "devices", section=2),
    Action("trace.clear", "Clear the trace", "Light up no path any more.", "trace.clear", "Analyse", "", "", "drawing", section=2),
    Action("analyse.next_problem", "Next problem", "Go to the next problem.", "analyse.next_problem", "Analyse", "F8", "warning", "problems", section=3),
    Action("analyse.previous_problem", "Previous problem", "Go to the problem before.", "analyse.previous_problem", "Analyse", "Shift+F8", "", "problems", section=3),
)  # fmt: skip

_WINDOW = (
    Action("window.next", "Next tab", "Go to the next tab.", "view.next_tab", "Window", "Ctrl+Tab", "", "tab"),
    Action("window.previous", "Previous tab", "Go to the tab before.", "view.previous_tab", "Window", "Ctrl+Shift+Tab", "", "tab"),
    Action("window.home", "Welcome", "Templates, samples and recent files.", "view.welcome", "Window"),
    Action("show.devices", "Devices", "Search the catalogue and place devices.", "view.show", "Window", "Alt+1", "gpu-server", "drawing", argument="devices", section=1),
    Action("show.tree", "Tree", "The drawing as a tree; shares the selection.", "view.show", "Window", "Alt+2", "layers", "drawing", argument="tree", section=1),
    Action("show.layers", "Layers", "Show or hide networks, planes and tags.", "view.show", "Window", "Alt+3", "layers", "drawing", argument="layers", section=1),
    Action("show.properties", "Properties", "Fields of what is selected.", "view.show", "Window", "Alt+4", "settings", "drawing", argument="properties", section=2),
    Action("show.plan", "Plan", "Model and parallelism.", "view.show", "Window", "Alt+5", "plan", "drawing", argument="plan", section=2),
    Action("show.analysis", "Analysis", "Step time, memory, tiers and bottlenecks.", "view.show", "Window", "Alt+6", "chart", "drawing", argument="analysis", section=2),
    Action("show.problems", "Problems", "What is wrong or in doubt.", "view.show", "Window", "Alt+7", "warning", "drawing", argument="problems", section=3),
    Action("show.bottlenecks", "Bottlenecks", "Classes of links by what they cost.", "view.show", "Window", "Alt+8", "bolt", "drawing", argument="bottlenecks", section=3),
    Action("show.cables", "Cables", "Every link as a row.", "view.show", "Window", "Alt+9", "cable-list", "drawing", argument="cables", section=3),
    Action("show.trace", "Trace", "Every path between two ends, hop by hop.", "view.show", "Window", "", "fan-out", "drawing", argument="trace", section=3),
    Action("show.history", "History", "Every step since the drawing was opened.", "view.show", "Window", "Alt+0", "history", "drawing", argument="history", section=3),
)  # fmt: skip

_HELP = (
    Action("help.shortcuts", "Keyboard shortcuts", "Every command with its keys.", "help.shortcuts", "Help", "?", "help"),
    Action("help.about", "About topoedit", "Version, licence and catalogue.", "help.about", "Help", "", "info"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    *_FILE, *_EDIT, *_VIEW, *_INSERT, *_ARRANGE, *_PLAN, *_ANALYSE, *_WINDOW, *_HELP,
)  # fmt: skip

TOOL_BAR: tuple[str, ...] = (
    "edit.undo", "edit.redo", "|",
    "tool.select", "tool.pan", "tool.link", "insert.wire", "insert.array", "insert.note", "|",
    "menu:align", "menu:distribute", "menu:layout", "arrange.group",
)  # fmt: skip

TOOL_MENUS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "menu:align": (
        "Align", "align-left",
        ("arrange.align_left", "arrange.align_centre", "arrange.align_right",
         "arrange.align_top", "arrange.align_middle", "arrange.align_bottom"),
    ),
    "menu:distribute": (
        "Distribute", "distribute-h", ("arrange.distribute_x", "arrange.distribute_y"),
    ),
    "menu:layout": (
        "Layout", "auto-layout",
        ("arrange.layout", "arrange.layout_rack", "arrange.layout_grid", "arrange.layout_radial",
         "arrange.layout_force", "arrange.layout_tidy"),
    ),
}  # fmt: skip

CONTEXT: tuple[str, ...] = (
    "view.fit_selection", "edit.rename", "|", "edit.copy", "edit.paste", "edit.delete", "|",
    "insert.wire", "arrange.group", "analyse.fail", "|", "trace.from", "trace.to",
)  # fmt: skip
"""The likeliest commands of the context menu; the others of Edit and Arrange stand under More."""


def action(action_id: str) -> Action:
    """The action with this id; raises KeyError if there is none."""
    for found in ACTIONS:
        if found.id == action_id:
            return found
    raise KeyError(action_id)


def action_ids() -> tuple[str, ...]:
    """Ids of all actions, in menu order."""
    return tuple(a.id for a in ACTIONS)
