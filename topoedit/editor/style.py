"""The style sheet of the shell's own widgets, filled in from the theme's tokens."""

from __future__ import annotations

import re
from functools import lru_cache

from topoedit.paths import resources
from topoedit.render.theme import Theme

_BOX = re.compile(r"QCheckBox(::indicator[^{]*\{[^}]*\})")
_TOKEN = re.compile(r"@([a-z_]+\.[a-z_.]+)")


@lru_cache(maxsize=1)
def _sheet() -> str:
    return (resources() / "themes" / "shell.qss").read_text(encoding="utf-8")


def extra_style(theme: Theme) -> str:
    """The shell's style sheet in the colours of a theme."""
    own = _TOKEN.sub(lambda match: theme.hex(match.group(1)), _sheet())
    return own + _tree_boxes(theme.qss())


def _tree_boxes(sheet: str) -> str:
    """The rules of check boxes once more, for the boxes of trees."""
    rules = _BOX.findall(sheet)
    return "\n".join(f"QTreeView{rule}" for rule in rules if ":focus" not in rule)
