"""What a command of the editor is, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

When = Literal[
    "always", "tab", "drawing", "selection", "element", "devices", "several", "three", "groups",
    "failable", "undo", "redo", "clipboard", "workload", "saved_plans", "problems",
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
