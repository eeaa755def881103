"""Commands that align, lay out and group."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
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
    Action("arrange.group_room", "Group as room", "Put the selection into a new room, with a floor of its own.", "arrange.group", "Arrange", "", "room", "selection", "room", section=3),
    Action("arrange.group_building", "Group as building", "Put the selection into a new building.", "arrange.group", "Arrange", "", "building", "selection", "building", section=3),
    Action("arrange.group_site", "Group as site", "Put the selection into a new site.", "arrange.group", "Arrange", "", "site", "selection", "site", section=3),
    Action("arrange.ungroup", "Ungroup", "Remove the selected groups and keep what they hold.", "arrange.ungroup", "Arrange", "Shift+G", "ungroup", "groups", section=3),
    Action("arrange.collapse", "Collapse", "Show the selected groups as one block each.", "arrange.collapse", "Arrange", "[", "collapse", "groups", section=4),
    Action("arrange.expand", "Expand", "Show what is inside the selected groups.", "arrange.expand", "Arrange", "]", "expand", "groups", section=4),
)  # fmt: skip
