"""Commands that change or select what is drawn."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("edit.undo", "Undo", "Take the last step back.", "edit.undo", "Edit", "Ctrl+Z", "undo", "undo"),
    Action("edit.redo", "Redo", "Make the step again that was taken back.", "edit.redo", "Edit", "Ctrl+Shift+Z", "redo", "redo"),
    Action("edit.cut", "Cut", "Copy the selection and remove it.", "edit.cut", "Edit", "Ctrl+X", "cut", "selection", section=1),
    Action("edit.copy", "Copy", "Copy the selection with the links inside it.", "edit.copy", "Edit", "Ctrl+C", "copy", "selection", section=1),
    Action("edit.copy_picture", "Copy as picture", "Copy the selection, or the whole drawing, as a picture for slides and mails.", "picture.copy", "Edit", "Ctrl+Alt+C", "", "drawing", section=1),
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
    Action("edit.replace", "Replace…", "Find a text in names, labels, tags and notes, and put another in its place.", "edit.replace", "Edit", "Ctrl+H", "", "drawing", section=4),
    Action("edit.commands", "All commands…", "Search devices, links and commands.", "view.palette", "Edit", "Ctrl+K", "command", section=4),
    Action("edit.preferences", "Preferences…", "Look, contrast, motion, snapping, grid, labels and keys.", "preferences.open", "Edit", "Ctrl+,", "settings", section=5),
)  # fmt: skip
