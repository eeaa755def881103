"""Texts of cable labels by a template: `{id} {place} {device}:{port} > {far_device}:{far_port}`."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter

from topoedit.errors import BadInputError

DEFAULT = "{id} {place} {device}:{port} > {far_place} {far_device}:{far_port}"
NEAR = ("site", "rack", "unit", "device", "port", "cage", "lane", "os_name", "place")
FIELDS = ("id", *NEAR, *(f"far_{name}" for name in NEAR), "medium", "length", "network")
_FIELD = re.compile(r"\{([^{}]*)\}")
_MOST = 400

Label = Callable[[tuple[object, ...]], str]


def label_maker(template: str) -> Label:
    """A function from the values of `FIELDS` to the text of a label.

    Fields without `far_` are of the end that wears the label; `place` is rack and unit. Doubled
    spaces, left by what is unknown, become one.

    Raises:
        BadInputError: the template names a field that there is not, or none at all.
    """
    names = _FIELD.findall(template)
    unknown = [name for name in names if name not in FIELDS]
    if wrong := _fault(template, names, unknown):
        raise BadInputError(
            wrong, "--label", f"Fields in braces: {', '.join(FIELDS)}; for example {DEFAULT}"
        )
    text = "%s".join(part.replace("%", "%%") for part in _FIELD.split(template)[::2])
    where = [FIELDS.index(name) for name in names]
    pick = itemgetter(*where)
    many = len(where) > 1

    def make(values: tuple[object, ...]) -> str:
        label = text % (pick(values) if many else (pick(values),))
        return " ".join(label.split()) if "  " in label or label[-1:] == " " else label

    return make


def _fault(template: str, names: list[str], unknown: list[str]) -> str:
    """What is wrong with a template; "" if nothing is."""
    if len(template) > _MOST:
        return f"a template of {len(template):,} characters is {len(template) - _MOST:,} too long"
    rest = _FIELD.sub(lambda found: " " * len(found.group()), template)
    loose = re.search(r"[{}\x00-\x1f]", rest)
    if loose is not None and loose.group() in "{}":
        state = "never closed" if loose.group() == "{" else "never opened"
        shown = template[loose.start() : loose.start() + 20]
        return f'the brace at character {loose.start() + 1} is {state}: "{shown}"'
    if loose is not None:
        return f"holds the control character U+{ord(loose.group()):04X}"
    if unknown:
        return f'"{{{unknown[0]}}}" is no field'
    return "" if names else "names no field in braces"
