"""What a reader should know about a compilation: one line each, for `warnings`."""

from __future__ import annotations

from collections.abc import Sequence

from topoedit.engine.compile.layout import find_places
from topoedit.engine.compile.links import beyond_reach
from topoedit.engine.compile.ways import far_links
from topoedit.model.document import Document
from topoedit.model.panels import cut_cables
from topoedit.model.ports import natural_key

_EXAMPLES = 3


def compile_notes(document: Document, dead: Sequence[str], unknown_rates: int) -> tuple[str, ...]:
    """Notes on links that carry nothing, unknown rates, failed devices and unknown servers.

    Args:
        document: the drawing.
        dead: ids of links in the compute path of which an edge carries nothing.
        unknown_rates: number of links of unknown rate.
    """
    notes = _dead_notes(document, dead)
    if unknown_rates:
        notes.append(
            f"{_links(unknown_rates)} of unknown rate: loaded as the median cable of their tier, "
            "shown without utilisation"
        )
    failed = [device.name for device in document.devices.values() if device.failed]
    if failed:
        notes.append(f"out of service, carrying nothing: {_some(sorted(failed, key=natural_key))}")
    cut = [trunk.label or trunk.id for trunk in document.trunks.values() if trunk.failed]
    if cut:
        names = _some(sorted(cut, key=natural_key))
        notes.append(f"trunks out of service, whose links carry nothing: {names}")
    return tuple(notes)


def _dead_notes(document: Document, dead: Sequence[str]) -> list[str]:
    too_long, too_far, unlike = [], [], []
    cut = cut_cables(document)
    far = far_links(document, (document.links[link_id] for link_id in dead))
    for link_id in dead:
        link = document.links[link_id]
        a, b = document.devices[link.a.device], document.devices[link.b.device]
        racks = find_places(document, (a, b)).rack
        same_rack = racks[0] == racks[1] != ""
        if beyond_reach(document.catalog.media.get(link.medium), link.length_m, same_rack):
            too_long.append(link_id)
        elif link_id in far:
            too_far.append(link_id)
        elif not (link.failed or link_id in cut or a.failed or b.failed or link.gbps == 0):
            unlike.append(link_id)
    notes = []
    if too_long:
        notes.append(
            f"{_links(len(too_long))} longer than the medium reaches, counted as failed: "
            f"{_some(too_long)}"
        )
    if too_far:
        notes.append(
            f"{_links(len(too_far))} of no drawn length whose way between the racks is longer than "
            f"the medium reaches, counted as failed: {_some(too_far)}"
        )
    if unlike:
        notes.append(
            f"{_links(len(unlike))} between a scale-up port and a network port, counted as "
            f"failed: {_some(unlike)}"
        )
    return notes


def _links(count: int) -> str:
    return "1 link" if count == 1 else f"{count} links"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _EXAMPLES
    shown = ", ".join(names[:_EXAMPLES])
    return f"{shown} and {more} more" if more > 0 else shown
