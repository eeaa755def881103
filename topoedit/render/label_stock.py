"""Sheets of labels: how many on a page, how large and where. No Qt here."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from topoedit.errors import BadInputError

Form = Literal["plain", "flag", "wrap"]
PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
_MOST = 1000
_CUSTOM = (
    "PAPER,3x8,WIDTHxHEIGHT,LEFTxTOP,PITCHxPITCH in mm, such as A4,3x8,63.5x33.9,7.2x12.9,66x33.9"
)


@dataclass(frozen=True)
class Stock:
    """A sheet of labels; lengths in millimetres.

    Attributes:
        name: the word after `--sheet`.
        paper: key of PAPERS.
        columns, rows: labels across and down.
        width, height: of one label.
        left, top: from the edges of the paper to the first label.
        pitch_x, pitch_y: from one label to the next.
        form: `plain`; `flag`, folded round the cable and printed on both halves; `wrap`, printed at
            the top only, its clear tail wound round the cable over the print.
        printed: height of what is printed on; `height` unless the form is `wrap`.
        cut: draw where to cut: the layout is for paper, not for a sheet with labels on it.
        source: where the measures are from.
    """

    name: str
    paper: str
    columns: int
    rows: int
    width: float
    height: float
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    form: Form = "plain"
    printed: float | None = None
    cut: bool = False
    source: str = ""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper."""
        return PAPERS[self.paper]

    @property
    def per_page(self) -> int:
        """Labels on one sheet."""
        return self.columns * self.rows

    def corner(self, place: int) -> tuple[float, float]:
        """Left and top of the label at a place, counted along the rows from 0."""
        row, column = divmod(place, self.columns)
        return self.left + column * self.pitch_x, self.top + row * self.pitch_y


_COMMON = "measures that label software gives for this stock"
_OWN = "own layout, to print on paper and cut, or on a sheet without die cuts"
STOCKS = (
    Stock("A4-3x8", "A4", 3, 8, 63.5, 33.9, 7.2, 12.9, 66.0, 33.9,
          source=f"Avery L7159: {_COMMON}"),
    Stock("A4-3x7", "A4", 3, 7, 63.5, 38.1, 7.2, 15.1, 66.0, 38.1,
          source=f"Avery L7160: {_COMMON}"),
    Stock("Letter-3x10", "Letter", 3, 10, 66.675, 25.4, 4.76, 12.7, 69.85, 25.4,
          source=f"Avery 5160: {_COMMON}"),
    Stock("A4-flag", "A4", 2, 11, 94.0, 24.0, 10.0, 11.0, 96.0, 25.0, "flag", cut=True,
          source=_OWN),
    Stock("Letter-flag", "Letter", 2, 10, 94.0, 24.4, 12.9, 12.7, 96.1, 25.4, "flag", cut=True,
          source=_OWN),
    Stock("A4-wrap", "A4", 7, 7, 25.4, 38.1, 11.3, 10.7, 27.0, 39.6, "wrap", 12.7, cut=True,
          source=_OWN),
    Stock("Letter-wrap", "Letter", 7, 6, 25.4, 38.1, 14.2, 21.6, 27.0, 39.6, "wrap", 12.7, cut=True,
          source=_OWN),
)  # fmt: skip


def stock(text: str) -> Stock:
    """A sheet by its name, or by its measures.

    Raises:
        BadInputError: there is no such sheet, or the labels do not fit on the paper.
    """
    named = next((one for one in STOCKS if one.name.lower() == text.strip().lower()), None)
    if named is not None:
        return named
    if "," not in text:
        names = [one.name for one in STOCKS]
        near = difflib.get_close_matches(text, names, n=1)
        hint = f"Nearest: {near[0]}" if near else f"There are: {', '.join(names)}; or {_CUSTOM}"
        raise BadInputError(f'there is no sheet "{text[:40]}"', "--sheet", hint)
    return _fitting(_measured(text))


def _measured(text: str) -> Stock:
    number = r"(\d{1,4}(?:\.\d{1,3})?)"
    pattern = (
        rf"(\w+),(\d{{1,3}})x(\d{{1,3}}),{number}x{number},{number}x{number},{number}x{number}"
    )
    match = re.fullmatch(pattern, re.sub(r"\s", "", text), re.ASCII)
    paper = next((p for p in PAPERS if match and p.lower() == match[1].lower()), None)
    if match is None or paper is None:
        raise BadInputError(f'"{text[:80]}" is no sheet of labels', "--sheet", f"Write {_CUSTOM}")
    columns, rows = int(match[2]), int(match[3])
    width, height, left, top, pitch_x, pitch_y = map(float, match.groups()[3:])
    return Stock(text, paper, columns, rows, width, height, left, top, pitch_x, pitch_y)


def _fitting(made: Stock) -> Stock:
    if not 0 < made.per_page <= _MOST or min(made.width, made.height) < 5:
        raise BadInputError(
            f"1 to {_MOST} labels of at least 5 mm each way go on a sheet", "--sheet"
        )
    across = made.left + (made.columns - 1) * made.pitch_x + made.width
    down = made.top + (made.rows - 1) * made.pitch_y + made.height
    width, height = made.size
    apart = (made.columns == 1 or made.pitch_x >= made.width) and (
        made.rows == 1 or made.pitch_y >= made.height
    )
    if across > width + 0.05 or down > height + 0.05 or not apart:
        raise BadInputError(
            f"labels over {across:g} x {down:g} mm do not fit on {made.paper}, "
            f"{width:g} x {height:g} mm, side by side",
            "--sheet",
        )
    return made
