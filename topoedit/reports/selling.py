"""Which part is bought for a cable or a cage, and in which length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from topoedit.catalog.types import DeviceType, Medium
from topoedit.model.elements import Trunk
from topoedit.reports.parts import CopperPart, LengthPart, ModulePart, Parts, Shell, rounded_up
from topoedit.reports.ports import Port

COPPER_STEP_M = 0.5
FIBRE_STEP_M = 1.0
_OPTICS = ("smf", "mmf", "smf/mmf", "smf-dwdm")
LINES = ("wan", "dark-fibre", "metrox")
_COPPER = (
    ("dac", "DAC"), ("aec", "AEC"), ("lacc", "ACC"), ("cat", "twisted pair"),
    ("nvlink", "NVLink copper"),
)  # fmt: skip


class Sold(NamedTuple):
    """One kind of cable that is bought, shared by all cables of it.

    Attributes:
        category: `fibre`, `DAC`, `AEC`, `ACC`, `AOC`, `twisted pair`, `line between sites`…
        item: what it is, in words, without its length.
        part_number: "" if unknown; `medium`: catalogue id, "" if unknown.
        ordered_m: the length to order, None if no length is known.
        exact: whether `ordered_m` is a length on sale; else it is rounded up.
    """

    category: str
    item: str
    part_number: str
    vendor: str
    medium: str
    ordered_m: float | None
    exact: bool
    source: str
    unverified: bool


def category_of(medium: Medium | None) -> str:
    """The category of a cable of this medium in a bill of materials."""
    if medium is None:
        return "cable of unknown medium"
    if medium.id in LINES:
        return "line between sites"
    if medium.medium in _OPTICS:
        return "fibre"
    if medium.medium == "fibre":
        return "AOC"
    return next((word for head, word in _COPPER if medium.id.startswith(head)), "copper cable")


def takes_modules(medium: Medium | None) -> bool:
    """Whether links of this medium need a pluggable module at each end."""
    return medium is not None and medium.medium in _OPTICS and medium.id not in (
        "wan", "dark-fibre",
    )  # fmt: skip


def runs_through_panels(medium: Medium | None) -> bool:
    """Whether cables of this medium have connectors that plug into a patch panel."""
    if medium is None or medium.id in LINES:
        return medium is not None
    return takes_modules(medium) or medium.id.startswith("cat")


def shell_of(kind: DeviceType) -> Shell:
    """Riding heat sinks (flat tops) in servers, finned tops in air-cooled switches."""
    return "flat" if kind.kind in ("server", "storage", "management") else "finned"


class Shop:
    """Look-ups in the parts, each answered once."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._modules: dict[tuple[object, ...], ModulePart | None] = {}
        self._cables: dict[tuple[object, ...], Sold] = {}

    def module(
        self, medium: Medium, port: Port, kind: DeviceType, need_m: float | None
    ) -> ModulePart | None:
        """The module for the cage of `port`, the one of least reach that suffices; or None."""
        key = (medium.id, port.cage_type, port.shared, port.gbps, kind.id, need_m)
        if key not in self._modules:
            self._modules[key] = self._find_module(medium, port, kind, need_m)
        return self._modules[key]

    def _find_module(
        self, medium: Medium, port: Port, kind: DeviceType, need_m: float | None
    ) -> ModulePart | None:
        shell = shell_of(kind)
        fitting = [
            part
            for part in self._parts.modules
            if medium.id in part.media
            and (part.own or part.vendor == kind.vendor)
            and part.cage_type in (("", port.cage_type) if part.own else (port.cage_type,))
            and (port.shared in part.ports or not part.ports)
            and (part.gbps is None or (port.gbps or 0.0) * port.shared <= part.gbps)
            and part.shell in ("", shell)
            and (need_m is None or part.max_m is None or part.max_m >= need_m)
        ]
        return min(fitting, key=lambda part: (not part.own, part.max_m or 0.0), default=None)

    def fibre(
        self, medium: Medium, module: ModulePart | None, ways: int, need_m: float | None
    ) -> Sold:
        """The fibre assembly between modules, `ways` ends at its split side."""
        key = ("fibre", medium.id, module.id if module else "", ways, need_m)
        found = self._cables.get(key)
        if found is not None:
            return found
        kind = (module.fibre if module else "") or medium.medium
        connector = (module.connector if module else "") or medium.connector
        part = _in_length(
            (p for p in self._parts.fibres if p.joins(medium.id, kind, connector, ways)), need_m
        )
        word = {"smf": "Single-mode", "mmf": "Multimode"}.get(kind, "")
        split = f" 1:{ways} splitter" if ways > 1 else ""
        words = f"{word} {connector}{split} fibre".split()
        sold = _sold("fibre", " ".join(words), medium, part, need_m, FIBRE_STEP_M)
        self._cables[key] = sold
        return sold

    def jumper(
        self,
        medium: Medium,
        module: ModulePart | None,
        ways: int,
        need_m: float | None,
        cord: str,
    ) -> Sold:
        """The fibre between a module, or a panel, and a panel; `cord` is its type, "" if unknown.

        The parts on sale are crossed (type B, A-to-B): another type is ordered without a number.
        """
        straight = self.fibre(medium, module, ways, need_m)
        if cord in ("B", "A-to-B"):
            return straight
        key = ("jumper", cord, straight.item, need_m)
        found = self._cables.get(key)
        if found is None:
            connector = module.connector if module else medium.connector
            kind = f" of type {cord}" if cord else ""
            word = {"smf": "Single-mode", "mmf": "Multimode"}.get(medium.medium, "")
            split = f" 1:{ways} splitter" if ways > 1 else ""
            words = " ".join(f"{word} {connector}{split} fibre{kind}".split())
            found = _sold("fibre", words, medium, None, need_m, FIBRE_STEP_M)
            self._cables[key] = found
        return found

    def trunk(self, trunk: Trunk, need_m: float | None) -> Sold:
        """The trunk between two panels, for which no part is known."""
        word = {"smf": "Single-mode", "mmf": "Multimode"}.get(trunk.fibre, "")
        polish = f"/{trunk.polish}" if trunk.polish else ""
        words = f"{word} {trunk.connector}{polish} trunk of {trunk.fibres} fibres".strip()
        if trunk.polarity:
            words += f", polarity {trunk.polarity}"
        length = None if need_m is None else rounded_up(need_m, FIBRE_STEP_M)
        return Sold("trunk", words, "", "", trunk.fibre, length, False, "", False)

    def assembly(
        self,
        medium: Medium | None,
        sides: tuple[tuple[Port, DeviceType], tuple[Port, DeviceType]],
        ways: int,
        need_m: float | None,
        *,
        sold: bool = True,
    ) -> Sold:
        """A copper or active optical assembly; the first side is the common end of a splitter.

        `sold` is false where the ports are joined as no assembly joins them.
        """
        key = (
            medium.id if medium else "", ways, need_m, sold,
            *((port.cage_type, port.shared, kind.vendor, shell_of(kind)) for port, kind in sides),
        )  # fmt: skip
        found = self._cables.get(key)
        if found is None:
            found = self._cables[key] = self._find_assembly(medium, sides, ways, need_m, sold)
        return found

    def _find_assembly(
        self,
        medium: Medium | None,
        sides: tuple[tuple[Port, DeviceType], tuple[Port, DeviceType]],
        ways: int,
        need_m: float | None,
        sold: bool,
    ) -> Sold:
        category = category_of(medium)
        if medium is None:
            return _sold(category, "Cable of unknown medium", None, None, need_m, FIBRE_STEP_M)
        part = None
        if sold:
            joining = (p for p in self._parts.copper if _joins(p, medium, sides, ways))
            part = _in_length(joining, need_m)
        split = f", 1:{ways} splitter" if ways > 1 else ""
        loose = "" if sold else ", ports joined crosswise"
        step = FIBRE_STEP_M if medium.medium == "fibre" else COPPER_STEP_M
        return _sold(category, f"{medium.name}{split}{loose}", medium, part, need_m, step)


def _joins(
    part: CopperPart,
    medium: Medium,
    sides: tuple[tuple[Port, DeviceType], tuple[Port, DeviceType]],
    ways: int,
) -> bool:
    if medium.id not in part.media or part.ways != ways:
        return False
    if not part.own and any(kind.vendor != part.vendor for _, kind in sides):
        return False
    orders = (sides,) if ways > 1 else (sides, sides[::-1])
    return any(_fits(part, order) for order in orders)


def _fits(part: CopperPart, sides: tuple[tuple[Port, DeviceType], ...]) -> bool:
    return all(
        cage in ("", port.cage_type) and ports in (0, port.shared) and shell in ("", shell_of(kind))
        for (port, kind), cage, ports, shell in zip(
            sides, part.cage_types, part.ports, part.shells, strict=True
        )
    )


def _in_length(parts: Iterable[LengthPart], need_m: float | None) -> LengthPart | None:
    """The first part that is sold long enough; if none is, the first that fits at all."""
    found = list(parts)
    if need_m is None:
        return next(iter(found), None)
    return next((part for part in found if part.fitting(need_m)), next(iter(found), None))


def _sold(
    category: str,
    words: str,
    medium: Medium | None,
    part: LengthPart | None,
    need_m: float | None,
    step: float,
) -> Sold:
    """The part in the length that exists, else the need rounded up and no part number."""
    medium_id = medium.id if medium else ""
    source = part.source if part else (medium.source if medium else "")
    name, vendor = (part.name, part.vendor) if part else (words, medium.vendor if medium else "")
    unverified = part is not None and bool(part.unverified)
    if need_m is None:
        return Sold(category, name, "", vendor, medium_id, None, False, source, unverified)
    fitting = part.fitting(need_m) if part else None
    if fitting is None:
        length = rounded_up(need_m, step)
        return Sold(category, words, "", "", medium_id, length, False, source, False)
    length, number = fitting
    return Sold(category, name, number, vendor, medium_id, length, True, source, unverified)
