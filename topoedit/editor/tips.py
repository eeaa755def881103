"""Tooltips from drawings and files: their text is shown as it is, never as mark-up, and is short.

Qt shows a tooltip that looks like HTML as HTML, with links and pictures; a name in a drawing of
somebody else may well look like it.
"""

from __future__ import annotations

import html

MOST = 600
"""Characters of a tooltip; more would cover the screen."""


def tip(text: str) -> str:
    """A tooltip that shows exactly this text, cut to `MOST` characters."""
    short = text if len(text) <= MOST else f"{text[: MOST - 1]}…"
    if "<" not in short:  # Qt takes a text for mark-up only where it finds a tag
        return short
    return f"<span>{html.escape(short, quote=False)}</span>".replace("\n", "<br>")
