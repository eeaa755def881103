"""The style sheet of the shell's own widgets, filled in from the theme's tokens."""

from __future__ import annotations

import re
from functools import lru_cache

from topoedit.paths import resources
from topoedit.render.theme import Theme

_TOKEN = re.compile(r"@([a-z_]+\.[a-z_.]+)")


@lru_cache(maxsize=1)
def _sheet() -> str:
    return (resources() / "themes" / "shell.qss").read_text(encoding="utf-8")


def extra_style(theme: Theme) -> str:
    """The shell's style sheet in the colours of a theme."""
    return _TOKEN.sub(lambda match: theme.hex(match.group(1)), _sheet())
