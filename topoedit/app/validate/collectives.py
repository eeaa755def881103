"""Published collectives against the collective model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from topoedit.app.validate.records import Bounds, CollectiveErrors, RowResult
from topoedit.app.validate.statistics import by_group, grouped, size_errors
from topoedit.engine.collectives.constants import constant_set, section
from topoedit.engine.collectives.fit import log_errors
from topoedit.engine.collectives.interval import interval_of
from topoedit.engine.collectives.published import Row, published_rows, row_of
from topoedit.engine.published.table import read_table
from topoedit.engine.types import Floats

NEEDED = ("id", "collective", "gpus", "gpu")
RATES = ("time_us", "algbw_GBps", "busbw_GBps")
SMALL, LARGE = 2.0**20, 2.0**26
_BADLY_TUNED = "NCCL527"
_RUN = ("algorithm", "host_us")
"""Columns on how the benchmark ran, which a table of results alone may lack."""


@dataclass(frozen=True)
class CollectiveTable:
    """Rows with their errors, (n,), and rows that cannot be compared."""

    rows: tuple[Row, ...]
    skipped: tuple[Row, ...]
    errors: Floats

    def counted(self) -> list[int]:
        """Places of the rows that count."""
        return [i for i, row in enumerate(self.rows) if not left_out(row)]


def left_out(row: Row) -> str:
    """Why a row does not count though it can be compared, or ""."""
    if row.setup == _BADLY_TUNED:
        return "left out: reported because it was badly tuned"
    return ""


def read_collectives(path: Path) -> CollectiveTable:
    """Read a table of collectives and compare its rows with the fitted constants.

    Raises:
        BadFileError: it is no such table.
    """
    table = read_table(path, NEEDED, RATES)
    read = [row_of(_known(row.cells)) for row in table]
    rows = tuple(row for row in read if not row.skipped)
    errors = np.expm1(log_errors(rows, constant_set(section().default))) if rows else np.zeros(0)
    return CollectiveTable(rows, tuple(row for row in read if row.skipped), errors)


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Mapping[str, str]]:
    return {row.text("id"): row.cells for row in read_table(published_rows(), NEEDED, RATES)}


def _known(cells: Mapping[str, str]) -> Mapping[str, str]:
    """A row that the product ships too says there how its benchmark ran, and on what."""
    known = _shipped().get(cells.get("id", ""))
    if known is None or known.get("source") != cells.get("source"):
        return cells
    told = {column: text for column, text in known.items() if text and not cells.get(column)}
    return {**cells, **told}


def collective_results(table: CollectiveTable) -> list[RowResult]:
    """Every row: seconds predicted and published."""
    out = [
        _result(row, error) for row, error in zip(table.rows, table.errors.tolist(), strict=True)
    ]
    return out + [
        RowResult(
            id=row.id,
            source=row.source,
            kind="collective",
            skipped=" ".join(row.skipped.split()),
        )
        for row in table.skipped
    ]


def _result(row: Row, error: float) -> RowResult:
    predicted = row.time * (1 + error)
    return RowResult(
        id=row.id,
        source=row.source,
        kind="collective",
        predicted=predicted,
        published=row.time,
        error=error,
        skipped=left_out(row) or None,
        interval=_bounds(row, predicted),
    )


def _bounds(row: Row, seconds: float) -> Bounds | None:
    if row.shape is None:
        return None
    found = interval_of(seconds, row.op, row.size, row.shape)
    return Bounds(found.low_s, found.high_s, found.basis, found.rows)


def collective_errors(rows: Sequence[Row], errors: Floats, skipped: int) -> CollectiveErrors:
    """The figures of rows that count, by size and by set-up."""
    sizes = np.array([row.size for row in rows])
    classes = {"small": (0.0, SMALL), "middle": (SMALL, LARGE), "large": (LARGE, math.inf)}
    return CollectiveErrors(
        n=len(rows),
        skipped=skipped,
        by_size={
            name: size_errors(errors[(sizes >= low) & (sizes < high)])
            for name, (low, high) in classes.items()
        },
        by_setup=by_group(errors, grouped(rows, lambda row: row.setup)),
    )
