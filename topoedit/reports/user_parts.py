"""A person's own parts: what they buy, in which lengths, at which price.

Files are YAML with the sections of `resources/parts.yaml` (modules, fibres, copper, and prices), or
CSV with one row for each part number. They come from the folder `parts` of the settings folder,
from one beside the drawing, or are named. A part of a person's own is taken before the product's,
and one with the id of another replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from topoedit import paths
from topoedit.errors import BadCatalogError
from topoedit.reports.parts import Part, PartPrice, Parts, load_parts
from topoedit.reports.parts_csv import FAMILIES, sections_of_csv

MAX_FILES = 100
FOLDER = "parts"
PartT = TypeVar("PartT", bound=Part)
_SUFFIXES = (".yaml", ".yml", ".csv")


def all_parts(
    files: Iterable[Path] = (), drawing: Path | None = None, *, user: bool = True
) -> Parts:
    """The product's parts with a person's own before them.

    Args:
        files: files that are named; the last one first in rank.
        drawing: a drawing's file; parts in the folder `parts` beside it count.
        user: also read those of the settings folder.

    Raises:
        BadCatalogError: a file is no list of parts; names file, entry and field.
    """
    found = load_parts()
    folders = [paths.config_dir() / FOLDER] if user else []
    if drawing is not None:
        folders.append(drawing.parent / FOLDER)
    for file in (*(f for folder in folders for f in _in(folder)), *files):
        found = _before(read_parts(file), found)
    return found


def _in(folder: Path) -> list[Path]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)
    except OSError:
        return []
    if len(found) > MAX_FILES:
        raise BadCatalogError(f"more than {MAX_FILES} files of parts", str(folder))
    return found


def _before(own: Parts, known: Parts) -> Parts:
    return Parts(
        modules=(*own.modules, *_without(known.modules, {part.id for part in own.modules})),
        fibres=(*own.fibres, *_without(known.fibres, {part.id for part in own.fibres})),
        copper=(*own.copper, *_without(known.copper, {part.id for part in own.copper})),
        scale_up=known.scale_up,
        prices=(*own.prices, *known.prices),
    )


def _without(parts: tuple[PartT, ...], ids: set[str]) -> Iterator[PartT]:
    return (part for part in parts if part.id not in ids)


def read_parts(path: Path) -> Parts:
    """The parts of one file of a person's own, by its suffix YAML or CSV.

    Raises:
        BadCatalogError: it cannot be read, or is no list of parts.
    """
    from topoedit.catalog.yaml_text import parse, read_text

    where = str(path)
    if path.suffix.lower() not in _SUFFIXES:
        raise BadCatalogError(
            f'"{path.suffix or path.name}" is no suffix of a file of parts', where,
            "Use .yaml or .csv",
        )  # fmt: skip
    text = read_text(path)
    raw = sections_of_csv(text, where) if path.suffix.lower() == ".csv" else parse(text, where)
    return _checked(raw, where)


def _checked(raw: object, where: str) -> Parts:
    if not isinstance(raw, dict) or "scale_up" in raw:
        raise BadCatalogError(
            "is no list of parts", where, "Its sections are modules, fibres, copper and prices"
        )
    for section in FAMILIES.values():
        entries = raw.get(section)
        if isinstance(entries, list):
            for entry in entries:
                if isinstance(entry, dict):
                    entry.setdefault("source", f"own file {Path(where).name}")
    try:
        found = msgspec.convert(raw, Parts, strict=False)
    except msgspec.ValidationError as error:
        raise BadCatalogError(_readable(str(error), raw), where) from None
    _refuse_doubles(found, where)
    return replace(
        found,
        modules=tuple(replace(part, own=True) for part in found.modules),
        fibres=tuple(replace(part, own=True) for part in found.fibres),
        copper=tuple(replace(part, own=True) for part in found.copper),
    )


def _refuse_doubles(found: Parts, where: str) -> None:
    for parts in (found.modules, found.fibres, found.copper):
        seen: set[str] = set()
        for part in parts:
            if part.id in seen:
                raise BadCatalogError(f'the id "{part.id}" is used twice', where)
            seen.add(part.id)
    priced: set[str] = set()
    for price in found.prices:
        key = price.part_number.lower()
        if key in priced:
            raise BadCatalogError(f'prices "{price.part_number[:60]}" twice', where)
        priced.add(key)


def _readable(message: str, raw: dict[object, object]) -> str:
    """Msgspec's message with the id of the entry it speaks of: `modules my-part, field watts`."""
    match = re.search(r" - at (?:`\w+` in )?`\$\.(\w+)\[(\d+)\](?:\.(\w+))?", message)
    if match is None:
        return re.sub(r" - at (?:`\w+` in )?`\$\.?([^`]*)`", r" (\1)", message)
    entries = raw.get(match[1])
    entry = entries[int(match[2])] if isinstance(entries, list) else None
    name = entry.get("id") or entry.get("part_number") if isinstance(entry, dict) else None
    place = f"{match[1]} {str(name)[:60] if name else 'entry ' + str(int(match[2]) + 1)}"
    field = f", field {match[3]}" if match[3] else ""
    return f"{message[: match.start()]} ({place}{field})"


def prices_of(parts: Parts) -> dict[str, PartPrice]:
    """Prices by part number in lower case; the file of the highest rank counts."""
    found: dict[str, PartPrice] = {}
    for price in parts.prices:
        found.setdefault(price.part_number.lower(), price)
    return found
