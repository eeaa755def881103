"""The catalogue as one object: look-ups by id or alias, and which entries a user overrode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

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
from topoedit.errors import BadInputError

EntryT = TypeVar("EntryT", bound=Entry)


@dataclass(frozen=True)
class Catalog:
    """Everything that can be placed or run, by id.

    Attributes:
        overridden: `section/id` -> file of the user's catalogue that replaced or added it.
    """

    devices: Mapping[str, DeviceType] = field(default_factory=dict)
    accelerators: Mapping[str, Accelerator] = field(default_factory=dict)
    media: Mapping[str, Medium] = field(default_factory=dict)
    models: Mapping[str, Llm] = field(default_factory=dict)
    nics: Mapping[str, Nic] = field(default_factory=dict)
    scaleup_switches: Mapping[str, ScaleUpSwitch] = field(default_factory=dict)
    pcie: Mapping[str, Pcie] = field(default_factory=dict)
    cpu_interconnects: Mapping[str, CpuInterconnect] = field(default_factory=dict)
    overridden: Mapping[str, str] = field(default_factory=dict)

    def device(self, name: str) -> DeviceType:
        """The device type with this id or alias; raises BadInputError with near names."""
        return find(self.devices, name, "device type")

    def accelerator(self, name: str) -> Accelerator:
        """The accelerator with this id or alias."""
        return find(self.accelerators, name, "accelerator")

    def medium(self, name: str) -> Medium:
        """The medium with this id or alias."""
        return find(self.media, name, "medium")

    def model(self, name: str) -> Llm:
        """The model shape with this id or alias."""
        return find(self.models, name, "model")


def find(section: Mapping[str, EntryT], name: str, what: str) -> EntryT:
    """An entry by id, alias or display name, whatever its case.

    Raises:
        BadInputError: there is none; the message lists the nearest ids.
    """
    entry = section.get(name)
    if entry is not None:
        return entry
    wanted = name.lower()
    for candidate in section.values():
        if wanted in _names(candidate):
            return candidate
    import difflib

    near = difflib.get_close_matches(wanted, list(section), n=3, cutoff=0.4)
    listed = {"device type": "devices", "medium": "media"}.get(what, f"{what}s")
    hint = f"Nearest: {', '.join(near)}" if near else f"`topoedit catalog {listed}` lists them"
    raise BadInputError(f'there is no {what} "{name}" in the catalogue', mend=hint)


def _names(entry: Entry) -> Iterable[str]:
    return (entry.id.lower(), entry.name.lower(), *(alias.lower() for alias in entry.aliases))
