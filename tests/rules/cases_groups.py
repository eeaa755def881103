"""Samples of the rules about groups of devices: vendors, names, racks, failures."""

from __future__ import annotations

from tests.rules.drawing import Case, Draft, Make, changed, made, with_devices
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit

RAILS = made("rail-optimized", nodes=4)
RACKS = made("fat-tree", gpus=64, tiers=2)


def _spines(second: str) -> Make:
    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("s1", "sn5600", "spine").device("s2", second, "spine")
        return draft.device("s3", "sn5600", "spine").document()

    return build


def _named(second: str, **fields: object) -> Make:
    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("leaf-1", "qm9700", **fields)
        return draft.device(second, "qm9700", **fields).document()

    return build


def _rack(kw: float, units: tuple[int, int] = (1, 9)) -> Make:
    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).group("rack-1", units=42, power_kw=kw)
        for number, unit in enumerate(units, 1):
            draft.device(f"n{number}", "dgx-h100", group="rack-1", unit=unit)
        return draft.document()

    return build


CASES = (
    Case("mixed-vendors", _spines("sn5600"), _spines("arista-7060x6-64pe"),
         ("3 spine switches", "2 vendors", "NVIDIA 2", "Arista 1"), ("s2",)),
    Case("isolated-device", RAILS,
         changed(RAILS, lambda d: Edit("Cut", drop=d.links_of("node-03"))),
         ("node-03 has no cable",), ("node-03",)),
    Case("duplicate-name", _named("leaf-2"), _named("LEAF_1"),
         ("2 devices have the name leaf-1", "LEAF_1"), ("leaf-1", "LEAF_1")),
    Case("duplicate-address",
         with_devices(_named("leaf-2", address="10.0.0.1"), lambda d: d.name == "leaf-2",
                      address="10.0.0.2"),
         _named("leaf-2", address="10.0.0.1"), ("2 devices have the address 10.0.0.1",)),
    Case("split-network", RAILS,
         changed(
             made("rail-optimized", nodes=64),
             lambda d: Edit("Cut", drop=tuple(
                 i for s in d.devices.values() if s.kind == "spine" for i in d.links_of(s.id)
             )),
         ),
         ("2 parts that no cable joins", "256 with")),
    Case("tor-blast", made("multi-plane", nodes=8), RAILS,
         ("8 leaves", "4 NICs of 4 servers")),
    Case("single-point-of-failure", RAILS, made("fat-tree", nodes=8, tiers=2),
         ("cuts", "GPUs off the others")),
    Case("rack-power", _rack(24.0), _rack(16.0),
         ("2 devices draw 20.4 kW", "the rack gives 16 kW"), ("rack-1",)),
    Case("rack-units", _rack(50.0), _rack(50.0, (1, 8)),
         ("n1 and n2 are both in unit 8",), ("n1", "n2", "rack-1")),
)  # fmt: skip
