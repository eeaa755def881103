"""Samples of the rules about ports, cages, lanes and networks."""

from __future__ import annotations

from msgspec.structs import replace

from tests.rules.drawing import Case, Draft, Make, pair
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, PortGroup
from topoedit.model.document import Document

NIC = ("1", "nic0")


def _twin(first: str, second: str) -> Make:
    """A QM9700 cage with two cables."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("a-1", "qm9700").device("b-1", "qm9700")
        draft.link("a-1:1", "b-1:1", medium=first, length_m=3.0, gbps=400.0)
        return draft.link("a-1:2", "b-1:2", medium=second, length_m=3.0, gbps=400.0).document()

    return build


def _split(ports: int, gbps: float) -> Make:
    """An SN5600 with its ports split."""

    def build(catalog: Catalog) -> Document:
        base = catalog.devices["sn5600"]
        kind = replace(
            base, id=f"sn5600-{ports}", name="SN5600 split", logical_ports=ports,
            ports=(PortGroup(count=ports, gbps=gbps),), breakouts={},
        )  # fmt: skip
        return Draft(catalog).device("leaf-1", kind, "leaf").document()

    return build


def _full(cables: int) -> Make:
    """A switch of at most 4 logical ports with some in use."""

    def build(catalog: Catalog) -> Document:
        kind = DeviceType(
            id="box", name="Box", source="test", kind="switch", logical_ports=4,
            ports=(PortGroup(count=8, gbps=100),),
        )  # fmt: skip
        draft = Draft(catalog).device("box-1", kind).device("other", "generic-switch")
        return draft.link(f"box-1:1-{cables}", f"other:1-{cables}").document()

    return build


def _lanes(second: str) -> Make:
    """A cage that is listed whole and split."""

    def build(catalog: Catalog) -> Document:
        kind = DeviceType(
            id="both", name="Both", source="test", kind="switch",
            ports=(
                PortGroup(prefix="p", count=2, gbps=400, cages=("1", "2"), lanes=("1", "1")),
                PortGroup(prefix="s", count=2, gbps=200, cages=("1", "1"), lanes=("1", "2")),
            ),
        )  # fmt: skip
        draft = Draft(catalog).device("box-1", kind).device("other", "generic-switch")
        return draft.link("box-1:p1", "other:1").link(f"box-1:{second}", "other:2").document()

    return build


def _storage(network: str) -> Make:
    return pair(
        "qm9700", "dgx-h100", ("1", "stor0"), network=network, medium="400g-dr4", gbps=400.0
    )


def _good_storage(catalog: Catalog) -> Document:
    draft = Draft(catalog).device("a-1", "qm9700", network="storage").device("b-1", "dgx-h100")
    return draft.link("a-1:1", "b-1:stor0", network="storage", gbps=400.0).document()


CASES = (
    Case("port-speed", pair("qm9700", "dgx-h100", NIC, gbps=400.0, medium="400g-dr4"),
         pair("qm9700", "dgx-h100", NIC, gbps=800.0, medium="400g-dr4"),
         ("drawn at 800 Gb/s", "takes 400 Gb/s")),
    Case("speed-mix", pair("qm9700", "dgx-h100", NIC, gbps=400.0),
         pair("qm9700", "dgx-a100", NIC, gbps=200.0),
         ("400 Gb/s at one end", "200 Gb/s at the other")),
    Case("wrong-cage", pair("sn2201", "dgx-h100", ("1", "bmc"), medium="cat6"),
         pair("qm9700", "dgx-h100", NIC, medium="cat6"), ("does not fit port 1", "OSFP")),
    Case("cpo-no-module", pair("q3450-ld", "q3450-ld", medium="800g-dr4-xdr"),
         pair("q3450-ld", "q3450-ld", medium="dac-200"), ("a-1", "144 ports are fibre")),
    Case("medium-fabric", pair("sn5600", "sn5600", medium="aec-100"),
         pair("qm9700", "qm9700", medium="aec-100"), ("sold for Ethernet", "InfiniBand")),
    Case("lane-mix", pair("qm9700", "dgx-h100", NIC, medium="400g-dr4"),
         pair("q3400-ra", "dgx-h100", NIC, medium="400g-dr4"),
         ("200G lanes at one end", "100G lanes at the other")),
    Case("network-leak", _good_storage, _storage("compute"),
         ("compute network", "storage port stor0 of b-1")),
    Case("radix-by-sku", _full(4), _full(5), ("5 ports in use", "4 is the most")),
    Case("breakout-cap", _split(256, 200), _split(512, 100),
         ("512 split ports", "256 logical ports"), ("leaf-1",)),
    Case("ports-overused", _lanes("s2"), _lanes("s1"),
         ("ports p1 and s1 are both lane 1 of cage 1",), ("box-1",)),
    Case("cage-power", _twin("400g-dr4", "400g-dr4"), _twin("zrplus-400", "zrplus-400"),
         ("draws 20 W", "gives 17 W", "4 ports")),
    Case("twin-fibre-same", _twin("400g-dr4", "400g-fr4"), _twin("400g-dr4", "sr-100"),
         ("multimode fibre and single-mode fibre",)),
    Case("unknown-medium", pair("qm9700", "qm9700", medium="400g-dr4", gbps=400.0),
         pair("qm9700", "qm9700", medium="laplnk", gbps=400.0),
         ('the medium "laplnk" is not in the catalogue',), ("link-c1",)),
)  # fmt: skip
