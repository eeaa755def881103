"""Commands that explain."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("help.shortcuts", "Keyboard shortcuts", "Every command with its keys.", "help.shortcuts", "Help", "?", "help"),
    Action("help.remap", "Change shortcuts…", "Give commands other keys.", "help.remap", "Help", "", ""),
    Action("help.glossary", "Glossary", "What every abbreviation means, in one sentence each.", "preferences.glossary", "Help", "", "info"),
    Action("help.hints", "Show hints again", "Show the hints of the first run on the drawing.", "preferences.show_hints", "Help", "", ""),
    Action("help.about", "About topoedit", "Version, licence and catalogue.", "help.about", "Help", "", "info"),
)  # fmt: skip
