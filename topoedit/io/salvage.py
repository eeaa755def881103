"""What is whole of a native file that cannot be opened: the rest is left out and named.

The file itself is only read. Elements are taken in halves: a part that is refused is halved until
the single elements at fault are found, so that a few of them cost little even in a large file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import native
from topoedit.io.reading import decode_text, line_of, parse_json
from topoedit.io.upgrades import FORMAT_VERSION
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Settings, Trunk

MOST_LEFT_OUT = 10_000
"""Broken elements after which it is no drawing of ours with a fault but something else."""

_STEPS: tuple[type[AnyElement], ...] = (Settings, CustomType, Group, Device, Trunk, Link)
_GROUPS = ("site", "building", "room", "pod", "rack")
_Raw = dict[str, object]
_Item = TypeVar("_Item")


class Salvaged(msgspec.Struct, frozen=True):
    """What was whole.

    Attributes:
        document: the drawing without what is broken.
        left_out: one line on each element left out, and on the end of the file if it is cut off.
    """

    document: Document
    left_out: tuple[str, ...]


def salvage(data: bytes, catalog: Catalog, where: str) -> Salvaged:
    """Everything in a broken native file that can be read and that fits together.

    Raises:
        BadFileError: nothing in it can be read, or more than `MOST_LEFT_OUT` elements are broken.
    """
    if data.count(b'"id"') > native.MAX_ELEMENTS:
        raise BadFileError(f"holds more than {native.MAX_ELEMENTS:,} elements, the limit", where)
    text = decode_text(data, where)
    version, raws, lines = _raws(text, where)
    elements: list[AnyElement] = []

    def read(part: Sequence[_Raw]) -> None:
        body = {"format": native.FORMAT, "format_version": version, "elements": part}
        elements.extend(native.parse_elements(json.dumps(body).encode(), where))

    def refused_raw(raw: _Raw, error: TopoeditError) -> None:
        own = raw.get("id")
        line = line_of(text, own) if isinstance(own, str) else None
        lines.append(_line(own if isinstance(own, str) else "an element", line, error.what))

    _take(raws, read, refused_raw, lines)
    document = Document(catalog)
    _fill(document, elements, text, lines)
    if len(document) <= 1:
        raise BadFileError("nothing in it can be read", where, "Restore a backup")
    native.loads(native.dumps(document), catalog, where)  # within all limits, and saves
    return Salvaged(document, tuple(lines))


def _raws(text: str, where: str) -> tuple[int, list[_Raw], list[str]]:
    """Version, elements as plain values, and what has been said of the file as a whole."""
    try:
        content = parse_json(text, where)
    except BadFileError as error:
        return _by_line(text, error)
    if not isinstance(content, dict) or not isinstance(content.get("elements"), list):
        raise BadFileError("has no list of elements", where)
    version = content.get("format_version")
    raws = [raw for raw in content["elements"] if isinstance(raw, dict)]
    return version if isinstance(version, int) else FORMAT_VERSION, raws, []


def _by_line(text: str, error: BadFileError) -> tuple[int, list[_Raw], list[str]]:
    """Our files have one element a line, so that most of a cut or damaged one can be read."""
    raws: list[_Raw] = []
    for line in text.split("\n"):
        bare = line.strip().removesuffix(",")
        if not bare.startswith('{"is"'):
            continue
        try:
            raw = json.loads(bare)
        except (ValueError, RecursionError):
            continue
        if isinstance(raw, dict):
            raws.append(raw)
    return FORMAT_VERSION, raws, [f"The file {error.what}."]


def _fill(document: Document, elements: list[AnyElement], text: str, lines: list[str]) -> None:
    """Put elements in, those that others need first."""

    def put(part: Sequence[AnyElement]) -> None:
        document.apply(Edit("Salvage", put=tuple(part)))

    def refused(element: AnyElement, error: TopoeditError) -> None:
        lines.append(_line(element.id, line_of(text, element.id), error.what))

    once: dict[str, AnyElement] = {}
    lines += (
        f"Left out a second {element.id}: an id stands for one element"
        for element in elements
        if once.setdefault(element.id, element) is not element
    )
    for kind in _STEPS:
        batch = [e for e in once.values() if type(e) is kind]
        if kind is Group:
            for level in _GROUPS:
                _take([g for g in batch if getattr(g, "kind", "") == level], put, refused, lines)
        else:
            _take(batch, put, refused, lines)
    _take([e for e in once.values() if type(e) not in _STEPS], put, refused, lines)


def _take(
    items: Sequence[_Item],
    take: Callable[[Sequence[_Item]], None],
    refused: Callable[[_Item, TopoeditError], None],
    lines: list[str],
) -> None:
    """Take all that can be taken; what cannot even alone is refused."""
    waiting = [items] if items else []
    while waiting:
        part = waiting.pop()
        try:
            take(part)
        except TopoeditError as error:
            if len(part) == 1:
                refused(part[0], error)
                if len(lines) > MOST_LEFT_OUT:
                    raise BadFileError(f"more than {MOST_LEFT_OUT:,} elements are broken") from None
                continue
            middle = len(part) // 2
            waiting += [part[middle:], part[:middle]]


def _line(element: str, line: int | None, what: str) -> str:
    place = f"{element} (line {line})" if line else element
    return f"Left out {place}: {what}"
