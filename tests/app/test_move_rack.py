"""Moving a rack over the floor: which cell is meant, and what is in the way."""

from __future__ import annotations

import pytest

from topoedit.app.move_rack import Cell, cell_at, move_rack
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadEditError
from topoedit.layout.standing import standing
from topoedit.model.document import Document
from topoedit.model.elements import Group, Settings
from topoedit.model.floor import Blocked, Floor


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def floor(catalog: Catalog, made: Floor, *racks: tuple[str, str, int]) -> Document:
    groups = [Group(id=n, name=n, kind="rack", row=r, column=c) for n, r, c in racks]
    return Document(catalog, (Settings(floor=made), *groups))


def test_the_cell_under_a_place(catalog: Catalog) -> None:
    """Cells of 0.6 m by rows 3 m apart; rows A and B are in use, C would be the next."""
    document = floor(catalog, Floor(columns=8), ("a", "A", 1), ("b", "B", 2))
    area = standing(document).areas[""]
    assert cell_at(area, 0.9, 0.4) == Cell("A", 2, pytest.approx(0.9), 0.0)
    assert cell_at(area, 99.0, 2.9)[:2] == ("B", 8)
    assert cell_at(area, -3.0, 5.5)[:2] == ("C", 1)
    listed = floor(catalog, Floor(rows=("North", "South")), ("a", "North", 1))
    assert cell_at(standing(listed).areas[""], 0.3, 50.0)[:2] == ("South", 1)


def test_a_rack_moves_in_one_step_and_back(catalog: Catalog) -> None:
    document = floor(catalog, Floor(), ("a", "A", 1), ("b", "B", 2))
    edit = move_rack(document, "a", Cell("B", 5, 2.7, 3.0))
    assert edit.label == "Move a to B05"
    back = document.apply(edit)
    assert (document.groups["a"].row, document.groups["a"].column) == ("B", 5)
    document.apply(back)
    assert (document.groups["a"].row, document.groups["a"].column) == ("A", 1)
    assert move_rack(document, "a", Cell("A", 1, 0.3, 0.0)).is_empty


def test_taken_and_blocked_cells_are_refused(catalog: Catalog) -> None:
    pillar = Blocked(row="A", column=3, to_column=4, what="pillar")
    document = floor(catalog, Floor(blocked=(pillar,)), ("a", "A", 1), ("b", "B", 2))
    with pytest.raises(BadEditError, match="b stands at B02"):
        move_rack(document, "a", Cell("B", 2, 0.9, 3.0))
    with pytest.raises(BadEditError, match=r"A04 is blocked \(pillar\)"):
        move_rack(document, "b", Cell("A", 4, 2.1, 0.0))
    with pytest.raises(BadEditError, match="there is no such rack"):
        move_rack(document, "nobody", Cell("A", 9, 5.1, 0.0))
