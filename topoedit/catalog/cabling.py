"""What light loses in fibre, connectors and splices, and how optics plug into fibre.

The figures are in `resources/cabling.yaml`, each with its source. Losses in dB, lengths in metres.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import msgspec

from topoedit import paths
from topoedit.catalog.types import Count, Entry, Figure, Medium
from topoedit.errors import BadCatalogError

MOST_PANELS = 2
"""Most patch panels in a link: what the reach of optics assumes (NVIDIA Interconnect Structured
Cabling Requirements for NDR/XDR and 400/800G ETH, 2025,
https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth)."""

_CONNECTOR = re.compile(r"(?:(\d)x )?(duplex LC|MPO-?(\d+))(?:/(APC|UPC))?")


class Fibre(Entry, frozen=True, kw_only=True):
    """A kind of fibre: what a kilometre and a splice lose at most."""

    db_per_km: Figure
    splice_db: Figure


class Connector(Entry, frozen=True, kw_only=True):
    """A fibre connector: how many fibres it holds, what a mated pair of them loses at most."""

    fibres: Count
    pair_db: Figure


class Cabling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in `resources/cabling.yaml`."""

    fibres: tuple[Fibre, ...]
    connectors: tuple[Connector, ...]

    def fibre(self, kind: str) -> Fibre | None:
        """A kind of fibre by its id (`smf`, `mmf`); None if it is not known."""
        return next((fibre for fibre in self.fibres if fibre.id == kind), None)

    def connector(self, name: str) -> Connector | None:
        """A connector by its id (`MPO-12`, `LC`); None if it is not known."""
        return next((connector for connector in self.connectors if connector.id == name), None)


@lru_cache(maxsize=1)
def load_cabling() -> Cabling:
    """The figures that the product ships.

    Raises:
        BadCatalogError: the file does not hold them.
    """
    from topoedit.catalog.yaml_text import parse, read_text

    path = paths.resources() / "cabling.yaml"
    raw = parse(read_text(path), str(path))
    try:
        return msgspec.convert(raw, Cabling, strict=False)
    except msgspec.ValidationError as error:
        raise BadCatalogError(str(error), str(path)) from None


class Face(NamedTuple):
    """How one cable of an optics class plugs in at each of its ends.

    Attributes:
        plugs: connectors side by side.
        connector: `MPO-12`, `MPO-16`, `LC`…
        polish: `APC` or `UPC`, "" where the class does not say.
        fibres: fibres in use in each connector.
    """

    plugs: int
    connector: str
    polish: str
    fibres: int


def face_of(medium: Medium | None) -> Face | None:
    """How a medium plugs in, from its connector; None if that is not known.

    Four lanes each way use eight fibres of an MPO-12 (NVIDIA Cable Management Guidelines and FAQ,
    2023, table of connectors); a duplex LC has two, and any other MPO uses all it has.
    """
    return None if medium is None or not medium.connector else _face(medium.connector)


@lru_cache(maxsize=256)
def _face(connector: str) -> Face | None:
    match = _CONNECTOR.match(connector)
    if match is None:
        return None
    plugs = int(match[1] or 1)
    if match[2] == "duplex LC":
        return Face(plugs, "LC", match[4] or "", 2)
    size = int(match[3])
    return Face(plugs, f"MPO-{size}", match[4] or "", 8 if size == 12 else size)
