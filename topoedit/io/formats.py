"""The registry of foreign formats: one module with one object for each.

A module in `io/importers` holds `FORMAT = Importer(…)`, one in `io/exporters` `FORMAT =
Exporter(…)`. Other packages add theirs with entry points of the group `topoedit.formats`.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TypeVar

from topoedit.errors import BadFileError, BadInputError
from topoedit.io import exporters, importers
from topoedit.io.parsed import Parsed
from topoedit.model.document import Document

ENTRY_POINTS = "topoedit.formats"
NATIVE_ID = "topoedit"
HEAD_CHARACTERS = 65536
SURE, LIKELY, POSSIBLE, NO = 1.0, 0.7, 0.3, 0.0


@dataclass(frozen=True)
class Importer:
    """Reads one foreign format.

    Attributes:
        id: the word after `--from`.
        title: its name for people.
        suffixes: usual ends of file names, with the dot; a hint only.
        sniff: from the first characters of a file, how surely it is this format (0 to 1).
        read: from the whole text and the file's name, what it holds; raises BadFileError.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[str], float]
    read: Callable[[str, str], Parsed]


@dataclass(frozen=True)
class Exported:
    """A document in a foreign format and what that format could not hold."""

    data: bytes
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exporter:
    """Writes one foreign format; `write` never changes the document."""

    id: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Document], Exported]


AnyFormat = Importer | Exporter
FormatT = TypeVar("FormatT", Importer, Exporter)


@lru_cache(maxsize=1)
def _registered() -> tuple[AnyFormat, ...]:
    own = (_format_of(module) for module in _modules())
    return (*own, *_from_entry_points())


def _modules() -> Iterator[ModuleType]:
    for package in (importers, exporters):
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
            if not module.name.startswith("_"):
                yield importlib.import_module(f"{package.__name__}.{module.name}")


def _format_of(module: ModuleType) -> AnyFormat:
    found = getattr(module, "FORMAT", None)
    if not isinstance(found, Importer | Exporter):
        raise TypeError(f"{module.__name__} has no FORMAT that is an Importer or Exporter")
    return found


def _from_entry_points() -> Iterator[AnyFormat]:
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        found = point.load()
        if isinstance(found, Importer | Exporter):
            yield found


def all_importers() -> Mapping[str, Importer]:
    """Importers by id."""
    return MappingProxyType({f.id: f for f in _registered() if isinstance(f, Importer)})


def all_exporters() -> Mapping[str, Exporter]:
    """Exporters by id."""
    return MappingProxyType({f.id: f for f in _registered() if isinstance(f, Exporter)})


def importer(format_id: str) -> Importer:
    """The importer with this id; raises BadInputError with the ids there are."""
    return _find(all_importers(), format_id, "read")


def exporter(format_id: str) -> Exporter:
    """The exporter with this id; raises BadInputError with the ids there are."""
    return _find(all_exporters(), format_id, "written")


@dataclass(frozen=True)
class FormatRow:
    """One format for a list: whether it can be read and written."""

    id: str
    title: str
    suffixes: tuple[str, ...]
    reads: bool
    writes: bool


def known_formats() -> tuple[FormatRow, ...]:
    """Every format, the native one first."""
    readers, writers = all_importers(), all_exporters()
    native = FormatRow(NATIVE_ID, "topoedit drawing", (".topo.json",), reads=True, writes=True)
    rows = []
    for format_id in sorted({*readers, *writers}):
        known: AnyFormat = readers.get(format_id) or writers[format_id]
        suffixes = tuple(
            dict.fromkeys(
                suffix
                for table in (readers, writers)
                if (found := table.get(format_id)) is not None
                for suffix in found.suffixes
            )
        )
        rows.append(
            FormatRow(format_id, known.title, suffixes, format_id in readers, format_id in writers)
        )
    return (native, *rows)


def _find(table: Mapping[str, FormatT], format_id: str, verb: str) -> FormatT:
    found = table.get(format_id)
    if found is not None:
        return found
    known = (NATIVE_ID, *sorted(table))
    near = difflib.get_close_matches(format_id, known, n=1)
    hint = f"Nearest: {near[0]}" if near else f"There are: {', '.join(known)}"
    raise BadInputError(f'there is no format "{format_id}" that can be {verb}', mend=hint)


def recognised(text: str) -> bool:
    """Whether some importer knows this text."""
    head = text[:HEAD_CHARACTERS]
    return any(candidate.sniff(head) > NO for candidate in all_importers().values())


def sniff(text: str, path: Path) -> Importer:
    """The importer that recognises a text by its content; the suffix only breaks a tie.

    Raises:
        BadFileError: none does.
    """
    head = text[:HEAD_CHARACTERS]
    name = path.name.lower()
    scored = [
        (candidate.sniff(head), name.endswith(candidate.suffixes), candidate.id)
        for candidate in all_importers().values()
    ]
    best = max(scored, default=(NO, False, ""))
    if best[0] <= NO:
        raise BadFileError(
            "is in no format that topoedit reads",
            str(path),
            "`topoedit formats` lists them; `--from` names one",
        )
    return all_importers()[best[2]]


def exporter_for(path: Path) -> Exporter:
    """The exporter whose suffix a file name has; the longer suffix wins (`.hca.csv`, `.csv`).

    Raises:
        BadInputError: none or several have it.
    """
    name = path.name.lower()
    lengths = {
        f.id: max((len(end) for end in f.suffixes if name.endswith(end)), default=0)
        for f in all_exporters().values()
    }
    longest = max(lengths.values(), default=0)
    fitting = [name for name, length in lengths.items() if length == longest > 0]
    if len(fitting) == 1:
        return exporter(fitting[0])
    known = ", ".join(sorted(fitting) or (NATIVE_ID, *sorted(all_exporters())))
    read_only = [f.id for f in all_importers().values() if name.endswith(f.suffixes)]
    why = "could be several formats" if fitting else "does not say the format"
    if read_only and not fitting:
        why = f"is that of {' or '.join(sorted(read_only))}, which can be read but not written"
    raise BadInputError(f"the suffix {why}", str(path), f"Name one with --to: {known}")
