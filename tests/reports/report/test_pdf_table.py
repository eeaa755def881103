"""Tables on paper: rules from edge to edge, figures that end at the right edge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.reports.report.blocks import Table, columns, row
from topoedit.reports.report.pdf_table import TableSetter


class Sheet:
    """Paper on which every letter is half as wide as high, and lines are kept."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float]] = []
        self.ends: list[float] = []

    def width_of(self, text: str, px: int = 11, weight: int = 400) -> float:
        return len(text) * px / 2

    def wrapped(self, text: str, px: int, weight: int, width: float, most: int = 0) -> list[str]:
        room = max(1, int(width / px * 2))
        return [text[at : at + room] for at in range(0, len(text), room)] or [""]

    def text(self, x: float, y: float, text: str, *words: object) -> float:
        self.ends.append(x if words[-1] == "right" else x + len(text) * 5.5)
        return len(text) * 5.5

    def line(self, x: float, y: float, right: float, *words: object) -> None:
        self.lines.append((x, right))


class Page:
    """What a table asks of the flow it stands in."""

    def __init__(self) -> None:
        self.paper = Sheet()
        self.y = 0.0


cells = st.text(st.sampled_from("ab c"), max_size=160)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=4), st.floats(240, 700))
@pytest.mark.parametrize(
    "titles", [("What", ">Value", "Where"), ("A", "B", "C"), (">A", ">B", ">C")]
)
def test_rules_run_from_edge_to_edge(
    titles: tuple[str, ...], lines: list[tuple[str, str, str]], width: float
) -> None:
    page = Page()
    table = Table(columns(*titles), tuple(row(*line) for line in lines))
    setter = TableSetter(page.paper, table, width)  # type: ignore[arg-type]
    setter.draw_head(page, 70.0)  # type: ignore[arg-type]
    for index in range(len(lines)):
        setter.draw_row(page, 70.0, index)  # type: ignore[arg-type]
    assert len(page.paper.lines) == 1 + len(lines)
    for left, right in page.paper.lines:
        assert left == 70.0
        assert right == pytest.approx(70.0 + width)


def test_a_long_figure_beside_short_words_ends_at_the_edge() -> None:
    """The figures of the first table of a report ended short of its rules."""
    page = Page()
    lines = (("GPUs", "64"), ("Made by", "topoedit generate rail-optimized --nodes 8 --spines 4 x"))
    table = Table(columns("What", ">Value"), tuple(row(*line) for line in lines))
    setter = TableSetter(page.paper, table, 300.0)  # type: ignore[arg-type]
    setter.draw_head(page, 0.0)  # type: ignore[arg-type]
    for index in range(len(lines)):
        setter.draw_row(page, 0.0, index)  # type: ignore[arg-type]
    assert max(page.paper.ends) == pytest.approx(300.0)
