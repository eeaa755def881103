"""Tiers and boundaries as `info` shows them."""

from __future__ import annotations

import pytest

from tests.engine.routing.drawings import Draft, rails
from topoedit.engine.compile import compile_fabric
from topoedit.engine.compile.summary import Boundary, TierSummary, boundaries, tier_summary


def test_tiers_of_a_small_rail_fabric() -> None:
    document = rails(4, spines=2).document()
    fabric = compile_fabric(document)
    assert tier_summary(document, fabric) == (
        TierSummary("scale-up", 0, 0, 0, 32 * 450.0, None),
        TierSummary("host-leaf", 8, 32, 32, 32 * 50.0, None),
        TierSummary("leaf-spine", 2, 16, 32, 32 * 50.0, 1.0),
    )


def test_an_unknown_rate_leaves_the_capacity_open() -> None:
    draft = Draft()
    a, b = draft.device("a", "lone"), draft.device("b", "lone")
    draft.link(a, "nic0", b, "nic0", gbps=None, km=3.0)
    document = draft.document()
    (tier,) = tier_summary(document, compile_fabric(document))
    assert (tier.tier, tier.capacity_GBps, tier.oversubscription) == ("between-sites", None, None)


def test_between_sites_the_steepest_site_counts() -> None:
    draft = Draft()
    for site, servers in (("west", 1), ("east", 2)):
        draft.group(site, "site")
        draft.device(f"leaf-{site}", "leaf", group=site)
        for number in range(servers):
            name = draft.device(f"{site}-{number}", "four", group=site)
            for rail in range(4):
                draft.plug(name, f"nic{rail}", f"leaf-{site}")
    draft.join("leaf-west", "leaf-east", 1, km=50.0)
    document = draft.document()
    tiers = {t.tier: t for t in tier_summary(document, compile_fabric(document))}
    assert tiers["between-sites"].oversubscription == 8.0  # 8 NICs of the east on one cable


def test_boundary_of_a_server_with_eight_400g_nics() -> None:
    """NVLink 900 GB/s in both directions against a 50 GB/s NIC: 18:1, 9:1 per direction."""
    draft = Draft()
    draft.device("dgx", "eight")
    document = draft.document()
    assert boundaries(document, compile_fabric(document)) == (
        Boundary("eight: scale-up to network", 18.0, 9.0),
    )


def test_a_slower_cable_makes_the_boundary_steeper() -> None:
    draft = Draft()
    draft.device("dgx", "eight")
    draft.device("leaf", "leaf")
    for rail in range(8):
        draft.plug("dgx", f"nic{rail}", "leaf", gbps=200.0)
    document = draft.document()
    (boundary,) = boundaries(document, compile_fabric(document))
    assert boundary.per_direction_ratio == pytest.approx(18.0)
