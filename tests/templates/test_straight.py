"""Copper where its plugs fill their cages, optics elsewhere."""

from __future__ import annotations

import pytest

from topoedit.catalog.catalog import Catalog
from topoedit.templates.straight import cages, is_straight


@pytest.mark.parametrize(
    ("a", "b", "straight"),
    [
        ("1 2", "1 2", True),
        ("1 2", "3 4", True),
        ("1 2 3 4", "5 6 1 2", True),
        ("1 2", "2 1", False),  # a plug does not swap its lanes
        ("1", "1", False),  # half of a cage: its other port would hang on the same plug
        ("1 2", "1 3", False),
        ("1 2 3 4", "1 3 2 4", False),
        ("1 2 3 4", "1 2 3 5", False),
    ],
)
def test_two_quantum_2(catalog: Catalog, a: str, b: str, straight: bool) -> None:
    """Ports 1 and 2 share cage 1, 3 and 4 cage 2."""
    kind = cages(catalog.device("qm9700"))
    assert is_straight(a.split(), b.split(), kind, kind) is straight
    assert is_straight(b.split(), a.split(), kind, kind) is straight


@pytest.mark.parametrize(
    ("a", "b", "straight"),
    [("1 2", "nic0 nic1", True), ("1", "nic0", False), ("1 2", "nic0 nic0", True)],
)
def test_a_splitter_to_single_ports(catalog: Catalog, a: str, b: str, straight: bool) -> None:
    leaf, tray = cages(catalog.device("qm9700")), cages(catalog.device("gb200-tray"))
    assert tray.sizes == {}
    assert is_straight(a.split(), b.split(), leaf, tray) is straight
    assert is_straight(b.split(), a.split(), tray, leaf) is straight


def test_single_ports_are_always_straight(catalog: Catalog) -> None:
    kind = cages(catalog.device("sn5600"))
    assert is_straight(["1", "9"], ["4", "2"], kind, kind)


def test_rails_of_a_dgx_h100_are_not(catalog: Catalog) -> None:
    """Its cages hold nic0 and 3, 1 and 2, 4 and 7, 5 and 6 (DGX H100 User Guide, Table 6)."""
    server, leaf = cages(catalog.device("dgx-h100")), cages(catalog.device("qm9700"))
    in_order = [f"nic{n}" for n in range(8)]
    assert not is_straight(in_order, [str(n) for n in range(1, 9)], server, leaf)
    by_cage = ["nic3", "nic0", "nic2", "nic1", "nic7", "nic4", "nic6", "nic5"]
    places = [server.of[name] for name in by_cage]
    ports = [str(2 * (n // 2) + place[1] + 1) for n, place in enumerate(places)]
    assert is_straight(by_cage, ports, server, leaf)
