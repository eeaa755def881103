"""Port names and cable ids stored as ranges: `33-34`, `nic0-7`, `a,b,c1-3`.

A name that would read as a range or holds a comma is quoted: `'e1-1'`, with '' for a quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from topoedit.errors import BadInputError

_TOKEN = re.compile(r"'((?:[^']|'')*)'|([^,']+)")
_RANGE = re.compile(r"(.*?)([0-9]+)-([0-9]+)", re.DOTALL)
_NUMBERED = re.compile(r"(.*?)([0-9]+)", re.DOTALL)
MAX_EXPANSION = 1_000_000


def expand(text: str) -> tuple[str, ...]:
    """The names in a range text, in order; "" is no name.

    Raises:
        BadInputError: a range runs backwards or names more than a million things.

    >>> expand("nic0-2,mgmt")
    ('nic0', 'nic1', 'nic2', 'mgmt')
    """
    if "-" not in text and "," not in text and "'" not in text:  # most are one name
        return (text,) if text else ()
    return _expand(text)


@lru_cache(maxsize=65536)
def _expand(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for quoted, plain in _TOKEN.findall(text):
        match = _RANGE.fullmatch(plain)
        if match is not None:
            names.extend(_expand_range(*match.groups()))
        else:
            names.append(plain or quoted.replace("''", "'"))
    return tuple(names)


def _expand_range(prefix: str, low: str, high: str) -> list[str]:
    _width(prefix, low, high)
    numbers = range(int(low), int(high) + 1)
    if not low.startswith("0"):
        return [f"{prefix}{number}" for number in numbers]
    width = len(low)
    return [f"{prefix}{number:0{width}d}" for number in numbers]


def _width(prefix: str, low: str, high: str) -> int:
    """How many names a range holds."""
    if max(len(low), len(high)) >= 19 or (size := int(high) - int(low) + 1) > MAX_EXPANSION:
        raise BadInputError(
            f"{prefix}{low}-{high} is not a run of at most {MAX_EXPANSION:,} names, the limit"
        )
    if size < 1:
        raise BadInputError(
            f"{prefix}{low}-{high} is not a run of names",
            mend="Write the smaller number first, for example 1-8",
        )
    return size


def _quote(name: str) -> str:
    plain = name and "," not in name and "'" not in name and not _RANGE.fullmatch(name)
    return name if plain else "'" + name.replace("'", "''") + "'"


def _runs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """First and last name of each run of consecutive names."""
    first = last = expected = None
    for name in names:
        if name != expected or first is None:
            if first is not None and last is not None:
                yield first, last
            first = name
        last = name
        match = _NUMBERED.fullmatch(name)
        expected = _successor(*match.groups()) if match and _quote(name) == name else None
    if first is not None and last is not None:
        yield first, last


def _successor(prefix: str, digits: str) -> str:
    width = len(digits) if digits.startswith("0") else 0
    return f"{prefix}{int(digits) + 1:0{width}d}"


def collapse(names: Iterable[str]) -> str:
    """The shortest range text that expands to `names` in their order.

    >>> collapse(["nic0", "nic1", "nic2", "mgmt"])
    'nic0-2,mgmt'
    """
    parts = []
    for first, last in _runs(names):
        if first == last:
            parts.append(_quote(first))
            continue
        match = _NUMBERED.fullmatch(last)
        parts.append(f"{first}-{match.group(2) if match else last}")
    return ",".join(parts)


def count(text: str) -> int:
    """How many names a range text stands for, without spelling them out.

    Raises:
        BadInputError: a range runs backwards or names more than a million things.
    """
    if "-" not in text and "," not in text and "'" not in text:
        return 1 if text else 0
    return _count(text)


@lru_cache(maxsize=65536)
def _count(text: str) -> int:
    return sum(_count_token(plain) for _, plain in _TOKEN.findall(text))


def _count_token(plain: str) -> int:
    match = _RANGE.fullmatch(plain)
    return 1 if match is None else _width(*match.groups())


def natural_key(name: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key that puts `node-2` before `node-10`."""
    return tuple(
        (0, int(piece)) if piece.isdecimal() else (1, piece)
        for piece in re.split(r"(\d+)", name)
        if piece
    )
