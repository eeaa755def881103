"""Samples of the rules about reach."""

from __future__ import annotations

from tests.rules.drawing import Case, Draft, Make, pair
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document


def _cable(medium: str, metres: float, a: str = "qm9700", b: str = "qm9700") -> Make:
    return pair(a, b, medium=medium, length_m=metres, gbps=400.0)


def _trays(same_rack: bool, medium: str = "nvlink-cartridge") -> Make:
    def build(catalog: Catalog) -> Document:
        other = "rack-1" if same_rack else "rack-2"
        draft = Draft(catalog).group("rack-1").group("rack-2")
        draft.device("tray-1", "gb200-tray", group="rack-1")
        draft.device("switch-1", "nvswitch-tray-nvl5", group=other)
        return draft.link(
            "tray-1:nvlink0-7", "switch-1:1-8", medium=medium, length_m=1.5, id="link-nv"
        ).document()

    return build


def _km(km: float) -> Make:
    ports = ("wan1", "wan1")
    return pair("wan-edge", "wan-edge", ports, medium="zr-400", km=km, gbps=400.0)


CASES = (
    Case("dac-reach", _cable("dac-100", 2), _cable("dac-100", 5),
         ("reaches 3 m", "the cable is 5 m", "0 B/s instead of 400 Gb/s")),
    Case("acc-aec-reach", _cable("lacc-100", 5), _cable("lacc-100", 6),
         ("reaches 5 m", "the cable is 6 m")),
    Case("aoc-reach", _cable("aoc", 30), _cable("aoc", 130), ("reaches 100 m", "130 m")),
    Case("mmf-reach", _cable("sr-100", 50), _cable("sr-100", 51), ("reaches 50 m", "51 m")),
    Case("smf-reach", _cable("400g-dr4", 500), _cable("400g-dr4", 501), ("500 m", "501 m")),
    Case("coherent-reach", _km(100), _km(200), ("reaches 120 km", "the cable is 200 km")),
    Case("twisted-pair-reach",
         pair("sn2201", "dgx-h100", ("1", "bmc"), medium="cat6", length_m=90.0),
         pair("sn2201", "dgx-h100", ("1", "bmc"), medium="cat6", length_m=110.0),
         ("reaches 100 m", "110 m", "instead of 1 Gb/s")),
    Case("ualink-reach", _cable("ualink-cable", 4.0, *("generic-switch",) * 2),
         _cable("ualink-cable", 4.5, *("generic-switch",) * 2),
         ("reaches 4 m", "4.5 m")),
    Case("cable-reach",
         pair("cpu-server", "cpu-server", ("lpt", "lpt"), medium="laplink", length_m=3.0),
         pair("cpu-server", "cpu-server", ("lpt", "lpt"), medium="laplink", length_m=11.0),
         ("reaches 3 m", "the cable is 11 m", "failed, 0 B/s instead of 60.0 kB/s")),
    Case("nvlink-reach", _trays(same_rack=True), _trays(same_rack=False),
         ("never leaves its rack", "0 B/s"), ("link-nv",)),
)  # fmt: skip
BETWEEN_RACKS = _trays(same_rack=False)
BETWEEN_RACKS_NO_MEDIUM = _trays(same_rack=False, medium="")
