"""What the drawing holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from topoedit.engine.compile.summary import boundaries
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.counts import count_gpus, kind_words
from topoedit.reports.report.words import number
from topoedit.units import UNKNOWN


def _build(case: Case) -> Iterator[Block]:
    settings = case.document.settings
    if settings.description:
        yield Text(settings.description)
    yield Table(columns("What", ">Value"), tuple(_facts(case)), narrow=True)
    yield Table(
        columns("Device type", "Kind", ">Count", "Source", shares=(1.4, 0.8, 0.5, 2.6)),
        tuple(_types(case)),
        title="Device types",
    )


def _facts(case: Case) -> Iterator[Row]:
    document, fabric = case.document, case.fabric
    doubts = case.doubts
    yield row("GPUs", number(count_gpus(document)), doubts=doubts.servers)
    kinds = Counter(device.kind for device in document.devices.values())
    for kind, count in sorted(kinds.items()):
        yield row(kind_words(kind, count), number(count))
    yield row("Links", number(len(document.links)))
    yield row("Cables", number(sum(link.count for link in document.links.values())))
    yield row("Inner links", number(len(fabric.link_ids) - fabric.drawn_links))
    groups = Counter(group.kind for group in document.groups.values())
    for name, count in sorted(groups.items()):
        yield row(f"{name.capitalize()}s", number(count))
    yield row("Compute network", fabric.network or UNKNOWN)
    for one in boundaries(document, fabric):
        ratio = f"{number(one.per_direction_ratio, 1)} : 1 per direction"
        yield row(one.name, ratio, doubts=doubts.servers)
    if document.settings.origin:
        yield row("Made by", document.settings.origin)


def _types(case: Case) -> Iterator[Row]:
    document = case.document
    counts = Counter((d.type, d.kind) for d in document.devices.values())
    first = {d.type: d for d in document.devices.values()}
    for (type_id, kind), count in sorted(counts.items()):
        entry = document.device_type(first[type_id])
        yield row(
            entry.name, kind_words(kind, 1), number(count), entry.source,
            doubts=(*case.doubts.own(type_id), *case.doubts.speed(type_id)),
        )  # fmt: skip


SECTION = Section("summary", "Design summary", 20, _build)
