"""Polarity and loss of patched links, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.reports.conftest import catalog, device, drawn, link
from topoedit.model.document import Document
from topoedit.model.elements import Link, Ports, Trunk
from topoedit.model.optics import loss_of
from topoedit.model.segments import polarity_fault, strands_of

__all__ = ["catalog", "drawn"]

TRUNK = Trunk(
    id="t", a=Ports("p1", "1-4"), b=Ports("p2", "1-4"), fibres=48, fibre="smf", polish="APC",
    polarity="B",
)  # fmt: skip
DR4 = link(
    "k", "node/nic0", "leaf/1", "c1", "400g-dr4", gbps=400.0, length_m=100.0,
    through=(Ports("p1", "1"), Ports("p2", "1")),
)  # fmt: skip


@pytest.fixture
def way(drawn: Callable[..., Document]) -> Callable[..., Document]:
    """`way(link, *trunks)`: a link through panels p1 to p4 with these trunks behind them."""
    panels = [device(f"p{n}", "panel", "generic-panel") for n in (1, 2, 3, 4)]
    ends = [device("node", "server", "dgx-h100"), device("leaf", "leaf", "qm9700")]
    return lambda one, *trunks: drawn(*ends, *panels, *trunks, one)


def cords(document: Document) -> list[str]:
    return [p.cord for p in strands_of(document, document.links["k"], 0)[0]]


def test_two_panels_and_a_trunk(way: Callable[..., Document]) -> None:
    pieces = strands_of(way(DR4, TRUNK), DR4, 0)[0]
    assert [(p.number, p.kind, p.a, p.b) for p in pieces] == [
        (1, "jumper", ("node", "nic0"), ("p1", "1")),
        (2, "trunk", ("p1", "1"), ("p2", "1")),
        (3, "jumper", ("p2", "1"), ("leaf", "1")),
    ]


@pytest.mark.parametrize(
    ("method", "medium", "expected"),
    [
        ("A", "400g-dr4", ["A", "", "B"]),
        ("B", "400g-dr4", ["B", "", "B"]),
        ("C", "400g-dr4", ["", "", ""]),
        ("", "400g-dr4", ["", "", ""]),
        ("A", "400g-fr4", ["A-to-B", "", "A-to-A"]),
        ("B", "400g-fr4", ["A-to-B", "", "A-to-B"]),
        ("C", "400g-fr4", ["A-to-B", "", "A-to-B"]),
    ],
)
def test_cords_of_the_methods(
    way: Callable[..., Document], method: str, medium: str, expected: list[str]
) -> None:
    fibres = 48 if medium == "400g-dr4" else 8
    trunk = replace(TRUNK, polarity=method, fibres=fibres)
    assert cords(way(replace(DR4, medium=medium), trunk)) == expected


def test_methods_that_do_not_work(way: Callable[..., Document]) -> None:
    four = replace(DR4, through=tuple(Ports(f"p{n}", "1") for n in (1, 2, 3, 4)))
    second = replace(TRUNK, id="u", a=Ports("p3", "1-4"), b=Ports("p4", "1-4"))
    same = way(four, TRUNK, second)
    pieces = strands_of(same, four, 0)[0]
    assert [p.kind for p in pieces] == ["jumper", "trunk", "cord", "trunk", "jumper"]
    assert [p.cord for p in pieces] == ["B", "", "B", "", "B"]
    mixed = way(four, TRUNK, replace(second, polarity="A"))
    fault = polarity_fault(mixed, four, strands_of(mixed, four, 0)[0])
    assert fault == "mixes the polarity methods A and B"
    parallel = way(DR4, replace(TRUNK, polarity="C"))
    assert "method C" in str(polarity_fault(parallel, DR4, strands_of(parallel, DR4, 0)[0]))
    duplex = replace(four, medium="400g-fr4")
    twice = way(duplex, replace(TRUNK, polarity="C", fibres=8), replace(second, polarity="C",
                                                                        fibres=8))  # fmt: skip
    assert cords(twice) == ["A-to-B", "", "A-to-B", "", "A-to-B"]


def test_loss_of_dr4_over_mpo_panels(way: Callable[..., Document]) -> None:
    """100 m at 0.4 dB/km = 0.04 dB, two MPO pairs at 0.35 dB = 0.70 dB: 0.74 of 3.0 dB."""
    loss = loss_of(way(DR4, TRUNK), DR4, 0)
    assert (loss.db, loss.budget_db, loss.pairs, loss.margin_db) == (0.74, 3.0, 2, 2.26)
    assert loss.words == "0.04 dB fibre + 0.7 dB in 2 connector pairs"


def test_loss_of_fr4_over_cassettes_with_splices(way: Callable[..., Document]) -> None:
    """1 km at 0.4 dB, two panels of an LC and an MPO pair each (2 x 0.60 dB), 2 x 0.15 dB."""
    fr4 = replace(DR4, medium="400g-fr4", length_m=1000.0)
    loss = loss_of(way(fr4, replace(TRUNK, fibres=8, splices=2)), fr4, 0)
    assert (loss.db, loss.budget_db, loss.pairs) == (1.9, 4.0, 4)
    assert loss.words.endswith("0.3 dB in 2 splices")


def test_loss_of_one_coupling_panel(way: Callable[..., Document]) -> None:
    """Multimode, 30 m at 3 dB/km = 0.09 dB and one MPO pair."""
    sr4 = replace(DR4, medium="400g-sr4", length_m=30.0, through=(Ports("p1", "9"),))
    loss = loss_of(way(sr4), sr4, 0)
    assert (loss.db, loss.budget_db, loss.pairs) == (0.44, 1.8, 1)


@pytest.mark.parametrize(
    ("one", "unknown"),
    [
        (replace(DR4, length_m=None), ("the length",)),
        (replace(DR4, medium=""), ("the kind of fibre",)),
        (replace(DR4, medium="dr-100", through=(Ports("p1", "9"),)), ("a connector",)),
    ],
)
def test_unknown_is_unknown(
    way: Callable[..., Document], one: Link, unknown: tuple[str, ...]
) -> None:
    loss = loss_of(way(one, TRUNK), one, 0)
    assert (loss.db, loss.margin_db, loss.unknown, loss.words) == (None, None, unknown, "")
    assert loss_of(way(replace(DR4, length_m=None), TRUNK), replace(DR4, length_m=None), 0,
                   100.0).db == 0.74  # fmt: skip
