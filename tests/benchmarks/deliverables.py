"""How long bills of materials and cable schedules take, against writing as many plain CSV rows.

    python -m tests.benchmarks.deliverables [1k,16k,98k] [--xlsx]

Bars: each CSV within 5 times, each XLSX within 120 times the time of writing the same cells with
the csv module into memory, which is the baseline. CPU time of one thread from the open document to
the bytes of the file; best of some rounds (XLSX: one).
"""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Callable

from topoedit.app import bom as bom_app
from topoedit.app import cables as cables_app
from topoedit.app.generate import generate
from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.reports.cables import COLUMNS, MORE_COLUMNS
from topoedit.reports.tables import Table, csv_bytes, xlsx_bytes

CSV_BAR, XLSX_BAR = 5.0, 120.0
SITES: dict[str, dict[str, object]] = {
    "1k": {"gpus": 1024},
    "16k": {"gpus": 16384},
    "98k": {"gpus": 98304, "leaf": "q3400-ra"},
}


def best(work: Callable[[], object], rounds: int) -> float:
    """Least CPU seconds of some rounds."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def plain(table: Table) -> bytes:
    """The same cells, written by the csv module alone."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue().encode()


def schedule_of(document: Document) -> Table:
    """The cable schedule as a table."""
    found = cables_app.cables(document)
    return Table("Cables", (*COLUMNS, *MORE_COLUMNS), found.rows, len(found.rows))


def bill_of(document: Document) -> Table:
    """The bill of materials as a table."""
    return bom_app.tables(bom_app.bom(document, spares_percent=3))[0]


def measure(
    name: str, document: Document, make: Callable[[Document], Table], *, xlsx: bool
) -> None:
    """Print one line: rows, baseline, and the ratios of CSV and XLSX to it.

    The baseline of a bill of materials is that of the schedule of the same drawing: its few lines
    sum up as many cables.
    """
    rows = schedule_of(document)
    base = best(lambda: plain(rows), 3)
    as_csv = best(lambda: csv_bytes(make(document)), 2)
    words = f"{name:<7}{rows.count:>9,} cables  plain {base:6.3f} s  CSV {as_csv / base:5.1f}x"
    if xlsx:
        as_xlsx = best(lambda: xlsx_bytes([make(document)]), 1)
        words += f"  XLSX {as_xlsx / base:6.1f}x"
    print(f"{words}  (bars {CSV_BAR:g}x, {XLSX_BAR:g}x)", flush=True)


def main(words: list[str]) -> None:
    """Print two lines for each size."""
    sizes = next((w for w in words if not w.startswith("-")), "1k,16k,98k").split(",")
    catalog = load_catalog(user=False)
    for size in sizes:
        document = generate("fat-tree", SITES[size], catalog)
        print(f"{size}: {len(document.devices):,} devices, {len(document.links):,} links")
        measure("cables", document, schedule_of, xlsx="--xlsx" in words)
        measure("bom", document, bill_of, xlsx="--xlsx" in words)


if __name__ == "__main__":
    main(sys.argv[1:])
