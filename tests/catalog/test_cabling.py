"""Losses of fibre and connectors, and how optics plug in."""

from __future__ import annotations

import pytest

from topoedit.catalog.cabling import Face, face_of, load_cabling
from topoedit.catalog.load import load_catalog


def test_figures_are_those_of_the_requirements() -> None:
    """NVIDIA structured cabling requirements, MPO/LC table (2025): IL max and attenuation."""
    cabling = load_cabling()
    assert [(f.id, f.db_per_km) for f in cabling.fibres] == [("smf", 0.4), ("mmf", 3.0)]
    assert {c.id: (c.fibres, c.pair_db) for c in cabling.connectors} == {
        "MPO-12": (12, 0.35), "MPO-16": (16, 0.35), "MPO-24": (24, 0.35), "LC": (2, 0.25),
    }  # fmt: skip
    assert cabling.fibre("om9") is None
    assert cabling.connector("SC") is None
    assert all(entry.source for entry in (*cabling.fibres, *cabling.connectors))


@pytest.mark.parametrize(
    ("medium", "face"),
    [
        ("400g-dr4", Face(1, "MPO-12", "APC", 8)),
        ("400g-sr8", Face(1, "MPO-16", "", 16)),
        ("400g-fr4", Face(1, "LC", "", 2)),
        ("800g-dr8", Face(2, "MPO-12", "APC", 8)),
        ("800g-2fr4", Face(2, "LC", "", 2)),
        ("dac-100", None),
        ("dr-100", None),
    ],
)
def test_how_optics_plug_in(medium: str, face: Face | None) -> None:
    assert face_of(load_catalog(user=False).medium(medium)) == face


def test_budgets_carry_their_source() -> None:
    media = load_catalog(user=False).media
    dr4, lr4 = media["400g-dr4"], media["400g-lr4"]
    assert (dr4.budget_db, lr4.budget_db, media["400g-xdr4"].budget_db) == (3.0, 6.3, None)
    assert "802.3bs" in dr4.source_of("budget_db")
    assert dr4.is_unverified("budget_db")
    assert not lr4.is_unverified("budget_db")
    assert face_of(None) is None
