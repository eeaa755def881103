"""Parts that are bought for links: modules, fibre assemblies, copper assemblies, with lengths.

The entries live in `resources/parts.yaml`, each with its source. What no entry describes is still
counted, with a blank part number.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import msgspec

from topoedit import paths
from topoedit.catalog.types import Figure, Id, Name, Names, Source, Text
from topoedit.errors import BadCatalogError

Shell = Literal["", "finned", "flat"]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every part family carries; `unverified` lists fields quoted from memory."""

    id: Id
    name: Name
    source: Source
    vendor: Text = ""
    unverified: Names = ()


class ModulePart(Part, frozen=True, kw_only=True):
    """A pluggable module.

    Attributes:
        media: catalogue ids of the media it makes.
        ports: how many ports may share the cages it fits.
        gbps: what all its ports carry together, per direction.
        shell: `flat` top for servers, `finned` for air-cooled switches.
        connectors: optical connectors on its face.
        watts: the most it draws; None if unknown.
        max_m: reach in metres.
    """

    part_number: Text
    media: Names
    cage_type: Text
    ports: tuple[int, ...]
    gbps: Figure
    shell: Shell = ""
    connectors: int = 1
    connector: Text = ""
    fibre: Text = ""
    watts: Figure | None = None
    max_m: Figure | None = None


class LengthPart(Part, frozen=True, kw_only=True):
    """A part that is sold by lengths: metres -> part number."""

    lengths: dict[float, Text]

    def fitting(self, need_m: float) -> tuple[float, str] | None:
        """The shortest length on sale that is not below `need_m`, and its part number."""
        found = min((length for length in self.lengths if length >= need_m - 1e-9), default=None)
        return None if found is None else (found, self.lengths[found])


class FibrePart(LengthPart, frozen=True, kw_only=True):
    """A fibre assembly; `ways` is the number of ends that its other end splits into."""

    fibre: Text
    connector: Text
    ways: int = 1


class CopperPart(LengthPart, frozen=True, kw_only=True):
    """A copper assembly: cage types, ports in each cage and shells of its two sides."""

    media: Names
    cage_types: tuple[Text, Text]
    ports: tuple[int, int]
    shells: tuple[Shell, Shell] = ("", "")


class ScaleUpCopper(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copper pairs of one link of a scale-up switch."""

    switch: Id
    pairs_per_link: int
    source: Source


class Parts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything in `resources/parts.yaml`."""

    modules: tuple[ModulePart, ...] = ()
    fibres: tuple[FibrePart, ...] = ()
    copper: tuple[CopperPart, ...] = ()
    scale_up: tuple[ScaleUpCopper, ...] = ()


@lru_cache(maxsize=1)
def load_parts() -> Parts:
    """The parts that the product knows.

    Raises:
        BadCatalogError: the file is no list of parts.
    """
    from topoedit.catalog.yaml_text import parse, read_text

    path = paths.resources() / "parts.yaml"
    raw = parse(read_text(path), str(path))
    try:
        return msgspec.convert(raw, Parts, strict=False)
    except msgspec.ValidationError as error:
        raise BadCatalogError(str(error), str(path)) from None


def rounded_up(metres: float, step: float) -> float:
    """`metres` up to a whole number of steps, for parts whose lengths are not known.

    >>> rounded_up(2.1, 0.5), rounded_up(7.0, 1.0)
    (2.5, 7.0)
    """
    return math.ceil(metres / step - 1e-9) * step
