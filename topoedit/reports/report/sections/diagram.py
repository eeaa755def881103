"""The diagram, coloured by load if there is a plan; it stands on the first page."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Diagram
from topoedit.reports.report.case import Case


def _build(case: Case) -> Iterator[Block]:
    if not case.document.devices:
        return
    analysed = case.result is not None
    note = "Colour: demand, half next to a device: traffic leaving it" if analysed else ""
    yield Diagram("Diagram", note, analysed)


SECTION = Section("diagram", "Diagram", 10, _build, front=True)
