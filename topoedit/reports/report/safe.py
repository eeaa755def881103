"""Texts of a drawing are hostile: what every writer does to them before they enter a file."""

from __future__ import annotations

import html
import re

# What neither XML nor a terminal takes, and marks that turn the direction of what follows.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_SPACE = re.compile(r"\s*[\r\n\t]+\s*")
_MARKUP = re.compile(r"([\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# What Markdown takes for mark-up only where a line begins: `# x`, `- x`, `1. x`.
_START = re.compile(r"^(?:[-+=#:]|\d{1,9}(?=[.)](?:\s|$)))")


def plain(text: str) -> str:
    """A text without control characters."""
    return _CONTROL.sub("\ufffd", text)


def escaped(text: str) -> str:
    """A text for HTML, as content or inside quotes."""
    return html.escape(plain(text), quote=True)


def markdown(text: str, *, starts: bool = True) -> str:
    r"""A text on one line of Markdown, in a table cell too, that stays what it is.

    >>> markdown("a|b <script> leaf_1")
    'a\\|b &lt;script&gt; leaf_1'

    Args:
        text: the text.
        starts: it begins a line, where `# x` and `1. x` mean something.
    """
    line = _MARKUP.sub(r"\\\1", _SPACE.sub(" ", plain(text)).strip())
    line = "".join(_ENTITIES.get(sign, sign) for sign in line)
    found = _START.match(line) if starts else None
    if found is None:
        return line
    if found.group().isdigit():
        return f"{found.group()}\\{line[found.end() :]}"
    return f"\\{line}"
