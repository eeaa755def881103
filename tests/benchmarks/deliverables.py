"""How long the deliverables of a drawing take, against writing as many plain CSV rows.

    python -m tests.benchmarks.deliverables [1k,16k,98k] [--xlsx] [--only NAME]

The baseline of each is its own rows, written by the csv module into memory in the same run; a bill
of materials and the files of links sum up or list all cables and are held against the rows of the
cable schedule. Labels and port maps are made from a schedule that is there; `all lists` makes it,
writes it and both. Bars: CSV and text within 5 times, XLSX within 120 times. CPU time of one thread
from the open document to the bytes of the file; best of some rounds (XLSX: one). Sheets of labels
have no bar; their pages a second are shown. Progress and cancel are tried on each deliverable that
has them: how often it says where it is, and after how much of its time it stops when told to at
the first chance.
"""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from topoedit.app import bom as bom_app
from topoedit.app import cables as cables_app
from topoedit.app.cables import Cabling
from topoedit.app.generate import generate
from topoedit.catalog.load import load_catalog
from topoedit.errors import CancelledError
from topoedit.io import formats
from topoedit.io.exporters import ufm_p2p, ufm_ptp
from topoedit.io.exporters._fabric import wires
from topoedit.model.document import Document
from topoedit.reports.cables import COLUMNS, LABEL_COLUMNS, MORE_COLUMNS, PORT_COLUMNS
from topoedit.reports.tables import Cancel, Progress, Table, csv_bytes, xlsx_bytes

CSV_BAR, XLSX_BAR = 5.0, 120.0
SITES: dict[str, dict[str, object]] = {
    "1k": {"gpus": 1024},
    "16k": {"gpus": 16384},
    "98k": {"gpus": 98304, "leaf": "q3400-ra"},
}
Make = Callable[[Progress | None, Cancel | None], Sequence[Table]]


@dataclass(frozen=True)
class Deliverable:
    """One thing that is handed over.

    Attributes:
        make: its tables; the first alone is the CSV file.
        text: its bytes where it is neither CSV nor XLSX.
        base: the rows that the baseline writes; its own if None.
        every: all its tables are CSV files, not the first alone.
    """

    name: str
    make: Make | None = None
    text: Callable[[], bytes] | None = None
    base: Sequence[Table] | None = None
    xlsx_only: bool = False
    every: bool = False


def best(work: Callable[[], object], rounds: int) -> float:
    """Least CPU seconds of some rounds."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def plain(tables: Sequence[Table]) -> bytes:
    """The same cells, written by the csv module alone."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    for table in tables:
        writer.writerow(table.columns)
        writer.writerows(table.rows)
    return text.getvalue().encode()


def schedule_of(
    document: Document, progress: Progress | None = None, cancel: Cancel | None = None
) -> list[Table]:
    """The cable schedule as a table."""
    found = cables_app.cables(document, progress=progress, cancel=cancel)
    return [Table("Cables", (*COLUMNS, *MORE_COLUMNS), found.rows, len(found.rows))]


def bill_of(
    document: Document, progress: Progress | None = None, cancel: Cancel | None = None
) -> list[Table]:
    """The bill of materials with all its sheets."""
    found = bom_app.bom(document, spares_percent=3, progress=progress, cancel=cancel)
    return list(bom_app.tables(found))


def lists_of(document: Document) -> list[Table]:
    """All lists of one schedule, as one command writes them: schedule, labels, port maps."""
    found = cables_app.cables(document)
    return [
        Table("Cables", (*COLUMNS, *MORE_COLUMNS), found.rows, len(found.rows)),
        *labels_of(found),
        *ports_of(found),
    ]


def labels_of(found: Cabling) -> list[Table]:
    """The labels of all cables of a schedule."""
    rows = found.labels()
    return [Table("Labels", LABEL_COLUMNS, rows, len(rows))]


def ports_of(found: Cabling) -> list[Table]:
    """The port maps of all switches of a schedule."""
    rows = found.ports()
    return [Table("Port maps", PORT_COLUMNS, rows, len(rows))]


def kept(tables: Sequence[Table]) -> list[Table]:
    """Tables with their rows made, so that they can be written again."""
    made = [(table, list(table.rows)) for table in tables]
    return [Table(table.name, table.columns, rows, len(rows)) for table, rows in made]


def deliverables(document: Document) -> Iterator[Deliverable]:
    """All that is handed over, with what each is held against."""
    cabling = cables_app.cables(document)
    schedule = [Table("Cables", (*COLUMNS, *MORE_COLUMNS), cabling.rows, len(cabling.rows))]

    def of(work: Callable[..., list[Table]]) -> Make:
        return lambda progress, cancel: work(document, progress, cancel)

    yield Deliverable("cables", of(schedule_of))
    yield Deliverable("bom", of(bill_of), base=schedule)
    yield Deliverable("labels", lambda *_: labels_of(cabling))
    yield Deliverable("port maps", lambda *_: ports_of(cabling))
    yield Deliverable("plan", lambda *_: list(cables_app.plan_tables(cabling)))
    yield Deliverable("links", lambda *_: kept(cables_app.link_tables(cabling)))
    yield Deliverable("hca", lambda *_: kept([cables_app.hca_table(cabling)]))
    yield Deliverable("all lists", lambda *_: lists_of(document), every=True)
    for name in ("csv", "ufm-topo", "ufm-dot"):
        exporter = formats.exporter(name)
        yield Deliverable(
            name, text=lambda write=exporter.write: write(document).data, base=schedule
        )
    yield Deliverable(
        "ufm-p2p", lambda *_: ufm_p2p.tables(document, wires(document)), xlsx_only=True
    )
    yield Deliverable(
        "ufm-ptp", lambda *_: ufm_ptp.tables(document, wires(document)), xlsx_only=True
    )


def measure(one: Deliverable, *, xlsx: bool) -> None:
    """Print one line: rows, baseline, and the ratios to it."""
    make = one.make
    own = make(None, None) if make is not None else ()
    against = one.base or own
    base = best(lambda: plain(against), 3)
    words = f"{one.name:<10}{sum(t.count for t in own or against):>10,} rows  plain {base:7.3f} s"
    if one.text is not None:
        words += f"  text {best(one.text, 2) / base:6.1f}x"
    if make is not None and not one.xlsx_only:
        number = None if one.every else 1
        taken = best(lambda: [csv_bytes(t) for t in make(None, None)[:number]], 2)
        words += f"  CSV {taken / base:6.1f}x" + _stopped(make)
    if make is not None and xlsx:
        taken = best(lambda: xlsx_bytes(make(None, None)), 1)
        words += f"  XLSX {taken / base:6.1f}x"
    print(words, flush=True)


def _stopped(make: Make) -> str:
    """How often it told how far it is, and when it stopped."""
    said = 0

    def count(_words: str, _done: float) -> None:
        nonlocal said
        said += 1

    whole = best(lambda: csv_bytes(make(count, None)[0], count), 1)
    begun = time.process_time()
    try:
        csv_bytes(make(None, lambda: True)[0], None, lambda: True)
    except CancelledError:
        part = (time.process_time() - begun) / whole
        return f"  {said:,} times progress, cancelled after {part:.0%}"
    return "  NOT CANCELLED"


def sheets(document: Document) -> None:
    """Print how fast labels are printed as PDF."""
    from topoedit.render.label_sheet import MOST_LABELS, label_pdf
    from topoedit.render.label_stock import stock

    rows = [(str(a), str(b), str(c)) for a, b, c in cables_app.cables(document).labels()]
    rows = rows[: min(MOST_LABELS, 48_000)]
    begun = time.process_time()
    printed = label_pdf(rows, stock("A4-3x8"))
    taken = time.process_time() - begun
    print(
        f"labels PDF{printed.labels:>10,} rows  {printed.pages:,} pages, "
        f"{printed.pages / taken:,.0f} a second, {len(printed.data) / 1e6:,.1f} MB",
        flush=True,
    )


def main(words: list[str]) -> None:
    """Print a line for each deliverable of each size."""
    only = words[words.index("--only") + 1] if "--only" in words else ""
    sizes = next((w for w in words if not w.startswith("-") and w != only), "1k,16k,98k").split(",")
    catalog = load_catalog(user=False)
    print(f"bars: CSV and text {CSV_BAR:g}x, XLSX {XLSX_BAR:g}x")
    for size in sizes:
        document = generate("fat-tree", SITES[size], catalog)
        print(f"{size}: {len(document.devices):,} devices, {len(document.links):,} links")
        for one in deliverables(document):
            if not only or one.name == only:
                measure(one, xlsx="--xlsx" in words)
        if not only or only == "sheets":
            sheets(document)


if __name__ == "__main__":
    main(sys.argv[1:])
