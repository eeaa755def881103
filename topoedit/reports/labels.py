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
    loose = re.search(r"[{}\x00-\x1f]", _FIELD.sub("", template))
    if unknown or loose or not names or len(template) > _MOST:
        wrong = f'"{{{unknown[0]}}}" is no field' if unknown else "is no template of a label"
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
