"""The cable schedule of a drawing, compared with an older one, as files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.reports.cables import (
    AT,
    COLUMNS,
    LABEL_COLUMNS,
    MORE_COLUMNS,
    PORT_COLUMNS,
    Row,
    labels,
    port_maps,
    schedule,
)
from topoedit.reports.hca import HCA_COLUMNS, hca_rows
from topoedit.reports.labels import DEFAULT
from topoedit.reports.link_sheet import LINK_COLUMNS, TRUNK_COLUMNS, link_rows, trunk_rows
from topoedit.reports.modules import Cancel, Progress, Purchase
from topoedit.reports.parts import Parts
from topoedit.reports.pull_plan import (
    PLAN_COLUMNS,
    STAGE_COLUMNS,
    plan_rows,
    stage_rows,
    stages,
)
from topoedit.reports.since import (
    ADDED,
    CHANGED,
    MOVED,
    RELABELLED,
    REMOVED,
    Compared,
    compared,
    looks_like_schedule,
    marks_of,
    read_schedule,
)
from topoedit.reports.tables import Table, collector_paused, kind_of, write
from topoedit.reports.user_parts import all_parts

_MOST_TOLD = 8
_CHANGES = (ADDED, REMOVED, MOVED, RELABELLED, CHANGED)


@dataclass(frozen=True)
class Cabling:
    """A cable schedule with its changes.

    Attributes:
        cables: physical cables there are now; `links` drawn links.
        changes: change -> number of cables, None without an older schedule.
        done, wrong: cables there are that carry such a mark.
        done_before: cables that were done and then moved: to be pulled anew, not counted as done.
        strangers: ids of marked cables that are not in the drawing.
        rows: cells in the order of `COLUMNS` and `MORE_COLUMNS`.
        document, bought, label: what port maps and labels are made from.
    """

    name: str
    cables: int
    links: int
    changes: dict[str, int] | None
    done: int
    wrong: int
    notes: tuple[str, ...]
    rows: list[Row]
    document: Document
    bought: Purchase
    label: str
    done_before: int = 0
    strangers: tuple[str, ...] = ()

    def ports(self) -> list[Row]:
        """The port maps: one row a port of every switch."""
        return port_maps(self.document, self.bought)

    def labels(self) -> list[Row]:
        """One row a label to print."""
        return list(labels(self.bought, self.label))


def cables(
    document: Document,
    *,
    since: Path | None = None,
    marks: Path | None = None,
    label: str = DEFAULT,
    parts: Parts | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Cabling:
    """List the cables of a drawing.

    Args:
        document: the drawing.
        since: an older drawing, or a schedule written from it; a schedule brings its marks along.
        marks: a schedule that installers returned, if `since` is not it.
        label: template of the label texts.
        parts: the parts on sale, from `reports.user_parts.all_parts`; by default the product's
            and those of the settings folder.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        BadInputError: the template is wrong, or a file cannot be read.
        CancelledError: `cancel` said so.
    """
    parts = parts if parts is not None else all_parts()
    with collector_paused():
        found = schedule(document, label=label, parts=parts, progress=progress, cancel=cancel)
    old = _older(since, label, parts, cancel) if since is not None else None
    noted = marks_of(old or ())
    if marks is not None:
        noted |= marks_of(read_schedule(marks))
    seen = Compared(found.rows)
    if old is not None or noted:
        seen = compared(found.rows, old, noted)
    return Cabling(
        name=document.settings.name,
        cables=len(found.rows),
        links=len(document.links),
        changes={name: seen.changes[name] for name in _CHANGES} if old is not None else None,
        done=seen.done,
        wrong=seen.wrong,
        notes=(*found.notes, *_strangers(seen.strangers)),
        rows=seen.rows,
        document=document,
        bought=found.bought,
        label=label,
        done_before=seen.done_before,
        strangers=seen.strangers,
    )


def _strangers(ids: tuple[str, ...]) -> Iterator[str]:
    """Says which marks are of no cable of the drawing."""
    if ids:
        what = "mark for a cable that is" if len(ids) == 1 else "marks for cables that are"
        more = f" and {len(ids) - _MOST_TOLD:,} more" if len(ids) > _MOST_TOLD else ""
        names = ", ".join(name[:40] for name in ids[:_MOST_TOLD])
        yield f"{len(ids):,} {what} not in the drawing: {names}{more}"


def _older(path: Path, label: str, parts: Parts, cancel: Cancel | None) -> list[Row]:
    if looks_like_schedule(path):
        rows = read_schedule(path)
        if rows and not any(row[AT["device_a"]] for row in rows):
            raise BadInputError(
                "lists no ends of cables, only marks", str(path), "Give it with --marks"
            )
        return rows
    from topoedit.app.open import open_document

    return schedule(open_document(path).document, label=label, parts=parts, cancel=cancel).rows


def write_cables(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write the schedule as CSV, or as XLSX with port maps and labels on further sheets.

    Raises:
        BadInputError: the suffix or the folder is wrong, or the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    columns = (*COLUMNS, *MORE_COLUMNS)
    tables = [Table("Cables", columns, found.rows, len(found.rows))]
    if kind_of(path) == "xlsx":
        tables += [_ports(found), _labels(found)]
        if found.document.patched_links or found.document.trunks:
            tables += [_links(found), _trunks(found)]
    write(path, tables, progress, cancel)


def write_links(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write one row a link from end to end with its pieces, and in XLSX the trunks."""
    write(path, link_tables(found), progress, cancel)


def write_hca(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write one row a network port of every server: names, GPU, rail and port of the leaf."""
    write(path, [hca_table(found)], progress, cancel)


def write_plan(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write the pull plan: in XLSX the stages with their progress, and every cable by stage."""
    cables, totals = plan_tables(found)
    write(path, [cables] if kind_of(path) == "csv" else [totals, cables], progress, cancel)


def link_tables(found: Cabling) -> list[Table]:
    """Links with their pieces, and trunks."""
    return [_links(found), _trunks(found)]


def hca_table(found: Cabling) -> Table:
    """The names of all network ports of servers."""
    places = found.bought.places.values()
    count = sum(1 for place in places if place.device.kind == "server")
    rows = hca_rows(found.document, found.bought.places, found.bought.ports)
    return Table("HCA map", HCA_COLUMNS, rows, count)


def plan_tables(found: Cabling) -> tuple[Table, Table]:
    """Every cable by stage, and the stages."""
    staged = stages(found.rows)
    sums = stage_rows(staged)
    return (
        Table("Pull plan", PLAN_COLUMNS, plan_rows(staged), len(found.rows)),
        Table("Stages", STAGE_COLUMNS, sums, len(sums)),
    )


def write_labels(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write one row a label, for label printers."""
    write(path, [_labels(found)], progress, cancel)


def write_port_maps(
    found: Cabling, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write one row a port of every switch."""
    write(path, [_ports(found)], progress, cancel)


def _labels(found: Cabling) -> Table:
    rows = found.labels()
    return Table("Labels", LABEL_COLUMNS, rows, len(rows))


def _links(found: Cabling) -> Table:
    count = sum(link.count for link in found.document.links.values())
    return Table("Links", LINK_COLUMNS, link_rows(found.document, found.bought), count)


def _trunks(found: Cabling) -> Table:
    rows = trunk_rows(found.document, found.bought)
    return Table("Trunks", TRUNK_COLUMNS, rows, len(rows))


def _ports(found: Cabling) -> Table:
    rows = found.ports()
    return Table("Port maps", PORT_COLUMNS, rows, len(rows))
