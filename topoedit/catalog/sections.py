"""The sections of a catalogue file, and entries made of them that say what is wrong and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from topoedit.catalog.check import faults
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
MAX_ENTRIES = 20_000


class Tables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The entries of one catalogue file, section by section; a field for each section."""

    devices: tuple[DeviceType, ...] = ()
    accelerators: tuple[Accelerator, ...] = ()
    media: tuple[Medium, ...] = ()
    models: tuple[Llm, ...] = ()
    nics: tuple[Nic, ...] = ()
    scaleup_switches: tuple[ScaleUpSwitch, ...] = ()
    pcie: tuple[Pcie, ...] = ()
    cpu_interconnects: tuple[CpuInterconnect, ...] = ()

    def section(self, name: str) -> tuple[Entry, ...]:
        """The entries of the section `name`."""
        entries: tuple[Entry, ...] = getattr(self, name)
        return entries


SECTIONS: Mapping[str, type[Entry]] = {
    "devices": DeviceType,
    "accelerators": Accelerator,
    "media": Medium,
    "models": Llm,
    "nics": Nic,
    "scaleup_switches": ScaleUpSwitch,
    "pcie": Pcie,
    "cpu_interconnects": CpuInterconnect,
}


def tables(tree: object, where: str) -> Tables:
    """The entries in the parsed text of one file.

    Args:
        tree: what the YAML text holds: section -> list of entries.
        where: the file, for messages.

    Raises:
        BadCatalogError: an unknown section, a wrong entry or an id used twice; the message names
            file, entry and field.
    """
    if tree is None:
        return Tables()
    if not isinstance(tree, dict):
        raise BadCatalogError("a catalogue file is a mapping of sections", where, _known())
    found = {str(name): _section(name, rows, where) for name, rows in tree.items()}
    return msgspec.convert(found, Tables)


def _section(name: object, rows: object, where: str) -> tuple[Entry, ...]:
    cls = SECTIONS.get(name) if isinstance(name, str) else None
    if cls is None:
        raise BadCatalogError(f'there is no section "{_short(name)}"', where, _known())
    if not isinstance(rows, list) or len(rows) > MAX_ENTRIES:
        raise BadCatalogError(
            f"section {name} must be a list of at most {MAX_ENTRIES} entries", where
        )
    entries = tuple(entry(row, cls, f"{where}: {name}[{i}]") for i, row in enumerate(rows))
    seen: set[str] = set()
    for one in entries:
        if one.id in seen:
            raise BadCatalogError(f'the id "{one.id}" is used twice', f"{where}: {name}")
        seen.add(one.id)
    return entries


def entry(row: object, cls: type[EntryT], where: str) -> EntryT:
    """One entry of class `cls`.

    Args:
        row: the mapping of its fields.
        cls: the class of its section.
        where: file, section and index, for messages; the id is added once it is known.

    Raises:
        BadCatalogError: a field is missing, unknown, of the wrong kind or out of range.
    """
    if not isinstance(row, dict):
        raise BadCatalogError("an entry is a mapping of fields", where)
    if isinstance(row.get("id"), str):
        where = f"{where} {_short(row['id'])}"
    try:
        made = msgspec.convert(row, cls)
    except (msgspec.ValidationError, OverflowError) as error:
        what, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").lstrip(".")
        place = f"{where}, field {field}" if field else where
        raise BadCatalogError(_lower_first(what), place) from None
    for field, what in faults(made):
        raise BadCatalogError(what, f"{where}, field {field}")
    return made


def _known() -> str:
    return f"Known sections: {', '.join(SECTIONS)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
