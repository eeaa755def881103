"""Tools, and commands that put new things on the drawing."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("tool.select", "Select", "Select and move; drag on empty ground for a marquee.", "tool.use", "Insert", "V", "select", "drawing", "select", True),
    Action("tool.pan", "Pan", "Drag the drawing about.", "tool.use", "Insert", "H", "pan", "drawing", "pan", True),
    Action("tool.link", "Link", "Join ports or devices by dragging between them.", "tool.use", "Insert", "L", "link", "drawing", "link", True),
    Action("insert.wire", "Wire by pattern…", "Cable many devices to many by a rule, in one step.", "insert.wire", "Insert", "W", "wire-pattern", "drawing", section=1),
    Action("insert.patch", "Route through patch panels…", "Run the selected links through patch panels and trunks, in one step.", "patch.patch", "Insert", "", "", "selection", section=1),
    Action("insert.straighten", "Route past the panels", "Let the selected links run straight again.", "patch.straighten", "Insert", "", "", "selection", section=1),
    Action("insert.array", "Array…", "Repeat the selection in columns and rows.", "insert.array", "Insert", "Ctrl+Shift+D", "array", "selection", section=1),
    Action("insert.note", "Note", "Put a text on the drawing.", "insert.note", "Insert", "N", "note", "drawing", section=1),
)  # fmt: skip
