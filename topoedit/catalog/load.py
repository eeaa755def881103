"""Loading the catalogue: the product's files, then the user's, which replace entries by id.

A user's catalogues are the `*.yaml` files in the folder `catalog` of the settings folder, and those
in a folder `catalog` beside the drawing. They have the same sections as the product's own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from topoedit import paths
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.check import missing_references
from topoedit.catalog.sections import SECTIONS, Tables, tables
from topoedit.catalog.store import Section, parsed
from topoedit.catalog.types import (
    Accelerator,
    CpuInterconnect,
    DeviceType,
    Entry,
    Llm,
    Medium,
    Nic,
    Pcie,
    ScaleUpSwitch,
)
from topoedit.errors import BadCatalogError

EntryT = TypeVar("EntryT", bound=Entry)
Overlay = dict[str, dict[str, Entry]]
MAX_FILES = 200
_TOP_LEVEL = re.compile(r"^([a-z_]+):", re.MULTILINE)


def load_catalog(extra_dirs: Iterable[Path] = (), user: bool = True) -> Catalog:
    """The catalogue with the user's own entries; sections are read when first used.

    Args:
        extra_dirs: further folders of catalogues (or single files), the last one first in rank.
        user: also read the catalogues in the settings folder.

    Raises:
        BadCatalogError: a user's catalogue is wrong; names file, entry and field.
    """
    catalog, problems = load_catalog_lenient(extra_dirs, user)
    if problems:
        raise problems[0]
    return catalog


def load_catalog_lenient(
    extra_dirs: Iterable[Path] = (), user: bool = True
) -> tuple[Catalog, tuple[BadCatalogError, ...]]:
    """Like `load_catalog`, but a wrong file of the user is left out and its error returned."""
    own = _OwnFiles(paths.resources() / "catalog")
    overlay: Overlay = {name: {} for name in SECTIONS}
    overridden: dict[str, str] = {}
    problems: list[BadCatalogError] = []
    folders = [paths.config_dir() / "catalog"] if user else []
    for file in _user_files([*folders, *extra_dirs], problems):
        try:
            _add(file, own, overlay, overridden)
        except BadCatalogError as error:
            problems.append(error)
    return _catalog(own, overlay, overridden), tuple(problems)


def catalogs_beside(drawing: Path) -> tuple[Path, ...]:
    """The folder of catalogues that belongs to a drawing's file, if there is one."""
    folder = drawing.parent / "catalog"
    return (folder,) if folder.is_dir() else ()


class _OwnFiles:
    """The product's own files; one is parsed when a section in it is asked for."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("*.yaml"), key=lambda p: (p.stem == "generic", p.name))
        self._texts = {p: p.read_text(encoding="utf-8") for p in files}
        self._sections = {p: set(_TOP_LEVEL.findall(text)) for p, text in self._texts.items()}
        self._tables: dict[Path, Tables] = {}

    def entries(self, section: str, cls: type[EntryT]) -> dict[str, EntryT]:
        """The entries of `section` by id; raises BadCatalogError if an id is used twice."""
        found: dict[str, EntryT] = {}
        for path, text in self._texts.items():
            if section not in self._sections[path]:
                continue
            if path not in self._tables:
                self._tables[path] = parsed(path, text)
            for entry in self._tables[path].section(section):
                if entry.id in found or not isinstance(entry, cls):
                    raise BadCatalogError(f'the id "{entry.id}" is used twice', str(path))
                found[entry.id] = entry
        return found


def _user_files(places: Iterable[Path], problems: list[BadCatalogError]) -> Iterator[Path]:
    for place in places:
        if place.is_file():
            yield place
            continue
        try:
            files = [p for p in place.iterdir() if p.suffix in (".yaml", ".yml")]
        except OSError:
            continue
        if len(files) > MAX_FILES:
            problems.append(BadCatalogError(f"more than {MAX_FILES} catalogues", str(place)))
            continue
        yield from sorted(files)


def _add(file: Path, own: _OwnFiles, overlay: Overlay, overridden: dict[str, str]) -> None:
    from topoedit.catalog.yaml_text import parse, read_text

    found = tables(parse(read_text(file), str(file)), str(file))
    sections = {
        name: {**own.entries(name, cls), **overlay[name], **_by_id(found.section(name))}
        for name, cls in SECTIONS.items()
        if found.devices and name != "devices"
    }
    for device in found.devices:
        for field, what in missing_references(device, sections):
            raise BadCatalogError(what, f"{file}: devices {device.id}, field {field}")
    for name in SECTIONS:
        for entry in found.section(name):
            overlay[name][entry.id] = entry
            overridden[f"{name}/{entry.id}"] = str(file)


def _by_id(entries: Iterable[EntryT]) -> dict[str, EntryT]:
    return {entry.id: entry for entry in entries}


def _catalog(own: _OwnFiles, overlay: Overlay, overridden: dict[str, str]) -> Catalog:
    def section(name: str, cls: type[EntryT]) -> Section[EntryT]:
        mine = {key: e for key, e in overlay[name].items() if isinstance(e, cls)}
        return Section(lambda: {**own.entries(name, cls), **mine})

    return Catalog(
        devices=section("devices", DeviceType),
        accelerators=section("accelerators", Accelerator),
        media=section("media", Medium),
        models=section("models", Llm),
        nics=section("nics", Nic),
        scaleup_switches=section("scaleup_switches", ScaleUpSwitch),
        pcie=section("pcie", Pcie),
        cpu_interconnects=section("cpu_interconnects", CpuInterconnect),
        overridden=overridden,
    )
