"""Reach and capacity of cables and optics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.media import (
    default_medium,
    lane_gbps,
    next_medium_that_reaches,
    propagation_s,
    reach_m,
    reaches,
    usable_gbps,
)
from topoedit.catalog.types import Medium

IB, ETH = "InfiniBand", "Ethernet"


@pytest.mark.parametrize(
    ("gbps", "fabric", "lane"),
    [(400, IB, 100), (800, IB, 200), (800, ETH, 100), (200, ETH, 50), (100, IB, 25),
     (400, "", 100), (800, "", None), (1600, ETH, 200), (1, ETH, None), (None, IB, None)],
)  # fmt: skip
def test_lane_rate_of_a_port(gbps: float | None, fabric: str, lane: float | None) -> None:
    assert lane_gbps(gbps, fabric) == lane


@pytest.mark.parametrize(
    ("name", "length", "verdict"),
    [
        # LinkX: passive copper at 100G lanes to 3 m, with care above 2 m.
        ("dac-100", 2, "ok"), ("dac-100", 2.5, "warn"), ("dac-100", 3, "warn"),
        ("dac-100", 3.01, "beyond"),
        ("lacc-100", 5, "ok"), ("lacc-100", 5.5, "beyond"),
        ("aec-100", 1, "warn"), ("aec-100", 7, "ok"), ("aec-100", 8, "beyond"),
        ("aoc", 2, "warn"), ("aoc", 100, "ok"), ("aoc", 101, "beyond"),
        ("sr-100", 50, "ok"), ("sr-100", 51, "beyond"),
        ("dr-100", 500, "ok"), ("fr", 2000, "ok"), ("lr", 10_001, "beyond"),
        ("zr-400", 120_000, "ok"), ("metrox", 40_001, "beyond"),
        ("dark-fibre", 1e6, "unknown"), ("wan", 1e6, "unknown"),
    ],
)  # fmt: skip
def test_reach(catalog: Catalog, name: str, length: float, verdict: str) -> None:
    assert reaches(catalog.medium(name), length) == verdict


def test_reach_without_facts_is_unknown(catalog: Catalog) -> None:
    assert reaches(None, 3) == "unknown"
    assert reaches(catalog.medium("dac-100"), None) == "unknown"
    assert reach_m(catalog.medium("wan")) is None


def test_lanes_too_fast_for_the_cable_do_not_work(catalog: Catalog) -> None:
    # NVIDIA offers no active optical cable at 200G lanes.
    assert reaches(catalog.medium("aoc"), 10, lane=200) == "beyond"
    assert reach_m(catalog.medium("dac-100"), lane=200) == 0
    assert usable_gbps(catalog.medium("aoc"), None, [800, 800], lane=200) == 0


def test_scale_up_copper_stays_in_the_rack(catalog: Catalog) -> None:
    cartridge = catalog.medium("nvlink-cartridge")
    assert reaches(cartridge, 1) == "ok"
    assert reaches(cartridge, 1, same_rack=False) == "beyond"
    assert usable_gbps(cartridge, 1, [400, 400], same_rack=False) == 0


def test_a_link_runs_at_its_slowest_part_or_not_at_all(catalog: Catalog) -> None:
    dr4 = catalog.medium("400g-dr4")
    assert usable_gbps(dr4, 100, [800, 400]) == 400
    assert usable_gbps(dr4, 100, [800, 800]) == 400
    assert usable_gbps(dr4, 100, [800, 200, None]) == 200
    assert usable_gbps(dr4, 501, [800, 400]) == 0
    assert usable_gbps(None, None, [None, 400]) == 400
    assert usable_gbps(None, None, [None, None]) is None


def test_propagation_delay(catalog: Catalog) -> None:
    # Fibre 5 us a km, copper 4.5 ns a metre.
    assert propagation_s(catalog.medium("fr"), 1000) == pytest.approx(5e-6)
    assert propagation_s(catalog.medium("dac-100"), 2) == pytest.approx(9e-9)
    assert propagation_s(Medium(id="m", name="M", source="own"), 2) is None


def test_every_medium_has_a_speed(catalog: Catalog) -> None:
    assert all(m.prop_ns_per_m in (4.5, 5) for m in catalog.media.values())


@pytest.mark.parametrize(
    ("gbps", "length", "fabric", "medium"),
    [
        (400, 1.5, IB, "dac-100"), (400, 2.5, IB, "lacc-100"), (400, 6, IB, "sr-100"),
        (400, 6, ETH, "aec-100"), (400, 40, IB, "sr-100"), (400, 80, IB, "aoc"),
        (400, 300, IB, "dr-100"), (400, 1500, IB, "fr"), (400, 9000, IB, "lr"),
        (400, 100_000, ETH, "zr-400"), (400, 400_000, ETH, "zrplus-400"),
        (800, 100_000, ETH, "zr-800"), (800, 1, IB, "lacc-200"), (800, 80, IB, "800g-dr4-xdr"),
        (800, 1, ETH, "dac-100"), (200, 20, IB, "aoc"), (100, 80, ETH, "sr-25"),
        (1600, 80, ETH, "1600g-2dr4"), (1, 30, ETH, "cat6"),
        (800, 1500, IB, ""), (400, 1e7, ETH, ""), (1600, 2, IB, ""),
    ],
)  # fmt: skip
def test_the_cheapest_medium_that_reaches(
    catalog: Catalog, gbps: float, length: float, fabric: str, medium: str
) -> None:
    assert default_medium(gbps, length, fabric, catalog.media) == medium


def test_no_medium_without_length_or_rate(catalog: Catalog) -> None:
    assert default_medium(None, 3, IB, catalog.media) == ""
    assert default_medium(400, None, IB, catalog.media) == ""


def test_the_next_medium_that_reaches(catalog: Catalog) -> None:
    media = catalog.media
    assert next_medium_that_reaches(media["dac-100"], 10, 400, IB, media) == "sr-100"
    assert next_medium_that_reaches(media["dac-100"], 6, 400, ETH, media) == "aec-100"
    assert next_medium_that_reaches(media["sr-100"], 60, 400, IB, media) == "aoc"
    assert next_medium_that_reaches(media["dr-100"], 600, 400, IB, media) == "fr"
    assert next_medium_that_reaches(media["dac-100"], 10, None, "", media) == "sr-100"
    assert next_medium_that_reaches(media["zrplus-400"], 1e6, 400, ETH, media) == ""


@given(
    st.sampled_from([1, 100, 200, 400, 800, 1600]),
    st.floats(0, 1e6),
    st.sampled_from([IB, ETH, ""]),
)
def test_what_is_proposed_reaches_and_carries(gbps: float, length: float, fabric: str) -> None:
    from topoedit.catalog.load import load_catalog

    media = load_catalog(user=False).media
    chosen = default_medium(gbps, length, fabric, media)
    if not chosen:
        return
    lane = lane_gbps(gbps, fabric)
    assert reaches(media[chosen], length, lane) == "ok"
    assert usable_gbps(media[chosen], length, [gbps, gbps], lane) == gbps
