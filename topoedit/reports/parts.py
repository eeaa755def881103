"""Parts that are bought for links: modules, fibre assemblies, copper assemblies, with lengths.

The entries live in `resources/parts.yaml`, each with its source; a person's own come before them
(`reports.user_parts`). What no entry describes is still counted, with a blank part number.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from topoedit import paths
from topoedit.catalog.types import Figure, Id, Name, Names, PortCount, Source, Text
from topoedit.errors import BadCatalogError

Shell = Literal["", "finned", "flat"]
Metres = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Lengths = Annotated[dict[Metres, Text], msgspec.Meta(min_length=1, max_length=500)]
AnyCount = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
MOST_PARTS = 5_000


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every part family carries.

    Attributes:
        unverified: fields quoted from memory.
        own: from a person's own file: taken first, and whatever the vendor of the box is.
    """

    id: Id
    name: Name
    source: Source
    vendor: Text = ""
    unverified: Names = ()
    own: bool = False


class ModulePart(Part, frozen=True, kw_only=True):
    """A pluggable module.

    Attributes:
        media: catalogue ids of the media it makes.
        cage_type: the cages it fits ("" for any).
        ports: how many ports may share the cages it fits (empty for any number).
        gbps: what all its ports carry together, per direction (None for whatever they need).
        shell: `flat` top for servers, `finned` for air-cooled switches, "" for both.
        connectors: optical connectors on its face.
        watts: the most it draws; None if unknown.
        max_m: reach in metres.
    """

    part_number: Text
    media: Names
    cage_type: Text = ""
    ports: Annotated[tuple[PortCount, ...], msgspec.Meta(max_length=64)] = ()
    gbps: Figure | None = None
    shell: Shell = ""
    connectors: PortCount = 1
    connector: Text = ""
    fibre: Text = ""
    watts: Figure | None = None
    max_m: Figure | None = None


class LengthPart(Part, frozen=True, kw_only=True):
    """A part that is sold by lengths: metres -> part number ("" if it has none)."""

    lengths: Lengths

    def fitting(self, need_m: float) -> tuple[float, str] | None:
        """The shortest length on sale that is not below `need_m`, and its part number."""
        found = min((length for length in self.lengths if length >= need_m - 1e-9), default=None)
        return None if found is None else (found, self.lengths[found])


class FibrePart(LengthPart, frozen=True, kw_only=True):
    """A fibre assembly for modules or media of its fibre and connector.

    Attributes:
        fibre: `smf` or `mmf` ("" for any); `connector` "" for any.
        media: catalogue ids of the only media it is for; empty for any.
        ways: the number of ends that its other end splits into.
    """

    fibre: Text = ""
    connector: Text = ""
    media: Names = ()
    ways: PortCount = 1

    def joins(self, medium: str, fibre: str, connector: str, ways: int) -> bool:
        """Whether it is one between modules of this medium, fibre and connector."""
        return (
            self.ways == ways
            and self.fibre in ("", fibre)
            and self.connector in ("", connector)
            and (not self.media or medium in self.media)
        )


class CopperPart(LengthPart, frozen=True, kw_only=True):
    """A copper or active assembly: its two sides, the common end of a splitter first.

    Attributes:
        cage_types: the cages that its sides fit ("" for any).
        ports: how many ports share the cage of each side (0 for any number).
        shells: of its plugs, as those of modules.
    """

    media: Names
    cage_types: tuple[Text, Text] = ("", "")
    ports: tuple[AnyCount, AnyCount] = (0, 0)
    shells: tuple[Shell, Shell] = ("", "")

    @property
    def ways(self) -> int:
        """How many ends its second side has."""
        one, other = self.ports
        return one // other if other and one != other else 1


class ScaleUpCopper(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copper pairs of one link of a scale-up switch."""

    switch: Id
    pairs_per_link: int
    source: Source


class PartPrice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person's own file says that a part number costs."""

    part_number: Name
    price: Figure
    currency: Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
    source: Text = ""


class Parts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parts by family; `prices` are only in files of a person's own."""

    modules: Annotated[tuple[ModulePart, ...], msgspec.Meta(max_length=MOST_PARTS)] = ()
    fibres: Annotated[tuple[FibrePart, ...], msgspec.Meta(max_length=MOST_PARTS)] = ()
    copper: Annotated[tuple[CopperPart, ...], msgspec.Meta(max_length=MOST_PARTS)] = ()
    scale_up: Annotated[tuple[ScaleUpCopper, ...], msgspec.Meta(max_length=MOST_PARTS)] = ()
    prices: Annotated[tuple[PartPrice, ...], msgspec.Meta(max_length=100_000)] = ()


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
