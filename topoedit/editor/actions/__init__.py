"""Every command of the editor as data: menus, tool bar, palette and shortcut sheet come from it.

One module a menu; a menu keeps the order of its module, with a line between two sections.
"""

from __future__ import annotations

from topoedit.editor.actions import (
    analyse_menu,
    arrange_menu,
    edit_menu,
    file_menu,
    help_menu,
    insert_menu,
    plan_menu,
    view_menu,
    window_menu,
)
from topoedit.editor.actions.base import MENUS, Action, When

__all__ = [
    "ACTIONS",
    "CONTEXT",
    "MENUS",
    "TOOL_BAR",
    "TOOL_MENUS",
    "Action",
    "When",
    "action",
    "action_ids",
]

_MENUS = (
    file_menu, edit_menu, view_menu, insert_menu, arrange_menu, plan_menu, analyse_menu,
    window_menu, help_menu,
)  # fmt: skip

ACTIONS: tuple[Action, ...] = tuple(action for menu in _MENUS for action in menu.ACTIONS)

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
