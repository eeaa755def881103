"""What was assumed and where the figures come from."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Items, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case

_ALWAYS = (
    "Rates and capacities are per direction unless both directions are named; GB = 10⁹ bytes.",
    "Unknown values are shown as – and never counted as 0.",
)


def _build(case: Case) -> Iterator[Block]:
    yield Items(_ALWAYS)
    analysis = case.analysis
    if analysis is not None:
        lines = tuple(row(one.text, one.source) for one in analysis.assumptions)
        yield Table(columns("Assumption", "Source", shares=(1.4, 1.0)), lines, title="Assumptions")
    notes = (*case.fabric.notes, *(() if analysis is None else analysis.warnings))
    if notes:
        yield Items(tuple(dict.fromkeys(notes)), "Warnings")
    sources = tuple(_sources(case))
    if sources:
        yield Table(columns("Figures of", "Source", shares=(1.0, 2.4)), sources, title="Sources")
    else:
        yield Text("No entry of the catalogue is in use.", quiet=True)


def _sources(case: Case) -> Iterator[Row]:
    document = case.document
    first = {device.type: device for device in document.devices.values()}
    for type_id in sorted(first):
        entry = document.device_type(first[type_id])
        yield row(entry.name, entry.source, doubts=case.doubts.own(type_id))
    for name in sorted({link.medium for link in document.links.values() if link.medium}):
        medium = document.catalog.media.get(name)
        if medium is not None:
            yield row(medium.name, medium.source, doubts=case.doubts.reach(name))


SECTION = Section("sources", "Assumptions and sources", 150, _build)
