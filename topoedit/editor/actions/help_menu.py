"""Commands that explain."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("help.shortcuts", "Keyboard shortcuts", "Every command with its keys.", "help.shortcuts", "Help", "?", "help"),
    Action("help.remap", "Change shortcuts…", "Give commands other keys.", "help.remap", "Help", "", ""),
    Action("help.about", "About topoedit", "Version, licence and catalogue.", "help.about", "Help", "", "info"),
)  # fmt: skip
