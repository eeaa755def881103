"""A plain list of cables, one a row, that any spreadsheet opens."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from topoedit.io.exporters._losses import losses
from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.ports import natural_key

COLUMNS = (
    "cable", "link", "device_a", "port_a", "device_b", "port_b", "gbps", "medium", "length_m",
    "network", "plane", "rail",
)  # fmt: skip


def write(document: Document) -> Exported:
    """The cables of a drawing as UTF-8 CSV; `gbps` is the rate per direction, empty if unknown."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for link in sorted(document.links.values(), key=lambda link: natural_key(link.id)):
        writer.writerows(_rows(document, link))
    return Exported(text.getvalue().encode("utf-8", "replace"), losses(document, keeps=("links",)))


def _rows(document: Document, link: Link) -> Iterator[tuple[object, ...]]:
    a, b = (document.devices[end.device].name for end in (link.a, link.b))
    ends = zip(link.cable_ids, link.a.names, link.b.names, strict=True)
    for cable, a_port, b_port in ends:
        names = map(cell, (cable, link.id, a, a_port, b, b_port))
        rest = (link.length_m, link.network, link.plane, link.rail)
        yield (*names, link.gbps, cell(link.medium), *rest)


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that might be gets an apostrophe."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


FORMAT = Exporter("csv", "List of cables (CSV)", (".csv",), write)
