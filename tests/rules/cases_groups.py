"""Samples of the rules about groups of devices: vendors, names, racks, failures."""

from __future__ import annotations

from tests.rules.drawing import Case, Draft, Make, changed, made, with_devices
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.floor import Blocked, Floor, Obstacle

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


def _limited(**limits: float) -> Make:
    """Two DGX H100 (20.4 kW, 260.9 kg) in a rack of a room, limits by `rack_` and `room_`."""

    def build(catalog: Catalog) -> Document:
        parts = {
            level: {k.removeprefix(level): v for k, v in limits.items() if k.startswith(level)}
            for level in ("rack_", "room_")
        }
        draft = Draft(catalog).group("hall", kind="room", **parts["room_"])
        draft.group("rack-1", parent="hall", units=42, **parts["rack_"])
        for number, unit in enumerate((1, 9), 1):
            draft.device(f"n{number}", "dgx-h100", group="rack-1", unit=unit)
        return draft.document()

    return build


def _places(second: int, what: Obstacle | None = None) -> Make:
    """Racks in columns 1 and `second` of row A; `what` blocks column 3."""
    blocked = () if what is None else (Blocked(row="A", column=3, what=what),)

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).settings(floor=Floor(blocked=blocked, columns=4))
        draft.group("r1", row="A", column=1)
        return draft.group("r2", row="A", column=second).document()

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
    Case("rack-feeds", _limited(rack_feed_a_kw=21, rack_feed_b_kw=21),
         _limited(rack_feed_a_kw=21, rack_feed_b_kw=12),
         ("rack-1 draws 20.4 kW", "with feed A lost, feed B gives 12 kW"), ("rack-1",)),
    Case("rack-load", _limited(rack_load_kg=300.0), _limited(rack_load_kg=250.0),
         ("rack-1 holds 261 kg of devices", "it bears 250 kg"), ("rack-1",)),
    Case("cooling", _limited(room_cooling_kw=20.5), _limited(room_cooling_kw=20.0),
         ("hall gives off 20.4 kW", "20 kW are taken away"), ("hall",)),
    Case("room-power", _limited(room_power_kw=30.0), _limited(room_power_kw=20.0),
         ("hall: 2 devices draw 20.4 kW", "the room gives 20 kW"), ("hall",)),
    Case("floor-place", _places(2), _places(1),
         ("r1 and r2 both stand at row A, column 1",), ("r1", "r2")),
    Case("floor-place", _places(4, "door"), _places(3, "pillar"),
         ("r2 stands at row A, column 3", "blocked (pillar)"), ("r2",)),
    Case("floor-place", _places(4), _places(5),
         ("r2 stands at row A, column 5", "the row ends at column 4"), ("r2",)),
)  # fmt: skip
