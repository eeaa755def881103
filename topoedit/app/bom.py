"""The bill of materials of a drawing as a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.operations import plural
from topoedit.reports.bom import (
    COLUMNS,
    MORE_COLUMNS,
    PRICE_COLUMNS,
    bill_of_materials,
    priced_by,
)
from topoedit.reports.bom_groups import grouped
from topoedit.reports.bom_lines import Bom
from topoedit.reports.modules import Cancel, Progress
from topoedit.reports.parts import Parts
from topoedit.reports.prices import Price, read_prices
from topoedit.reports.tables import Row, Table, collector_paused, write
from topoedit.reports.user_parts import all_parts, prices_of

MOST_SPARES = 1000.0
_MOST_TOLD = 8
_GROUP_FIELDS = ("value", "category", "item", "part_number", "quantity", "unit", "spares", "watts")


def bom(
    document: Document,
    *,
    spares_percent: float | None = None,
    prices: Path | None = None,
    parts: Parts | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Bom:
    """Count what a drawing buys.

    Args:
        document: the drawing.
        spares_percent: spare modules and cables in percent, 0 to 1,000.
        prices: the user's own price file (CSV: item, price, currency, source).
        parts: the parts on sale, from `reports.user_parts.all_parts`; by default the product's
            and those of the settings folder.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        BadInputError: the percentage, the price file or a file of parts is wrong.
        CancelledError: `cancel` said so.
    """
    if spares_percent is not None and not (
        math.isfinite(spares_percent) and 0 <= spares_percent <= MOST_SPARES
    ):
        raise BadInputError(
            f"{spares_percent:g} % of spares is out of range", "--spares", "Give 0 to 1,000"
        )
    parts = parts if parts is not None else all_parts()
    own = read_prices(prices) if prices is not None else None
    known = _prices(own, parts)
    with collector_paused():
        found = bill_of_materials(
            document, spares_percent=spares_percent, prices=known, parts=parts, progress=progress,
            cancel=cancel,
        )  # fmt: skip
    return msgspec.structs.replace(found, notes=(*found.notes, *_unmatched(own or {}, found)))


def _unmatched(own: Mapping[str, Price], found: Bom) -> Iterator[str]:
    """Says which prices of a person's own file are of nothing in the list."""
    items = {name.lower() for line in found.lines for name in priced_by(line)}
    lost = [key for key in own if key not in items]
    if lost:
        more = f" and {len(lost) - _MOST_TOLD:,} more" if len(lost) > _MOST_TOLD else ""
        verb = "matches" if len(lost) == 1 else "match"
        yield (
            f"{len(lost):,} of {plural(len(own), 'price')} {verb} no item: "
            f"{', '.join(key[:60] for key in lost[:_MOST_TOLD])}{more}"
        )


def _prices(own: Mapping[str, Price] | None, parts: Parts) -> dict[str, Price] | None:
    """The prices of the price file before those of part files; None if there are neither."""
    if own is None and not parts.prices:
        return None
    found = {
        key: Price(one.price, one.currency, one.source or "own file of parts")
        for key, one in prices_of(parts).items()
    }
    return {**found, **(own or {})}


def tables(found: Bom) -> tuple[Table, ...]:
    """The lines with the statement of networks below, then sheets of totals, groups and sources.

    A sheet for each dimension in which the lines differ: by role, network, rack, building, phase.
    """
    columns = (*COLUMNS, *MORE_COLUMNS, *(PRICE_COLUMNS if found.priced is not None else ()))
    rows: list[Row] = [tuple(getattr(line, name) for name in columns) for line in found.lines]
    rows += [_statement(network, state, columns) for network, state in found.networks.items()]
    return (
        Table("Bill of materials", columns, rows, len(rows)),
        _summary(found),
        *_groups(found),
        Table("Sources", ("item", "source"), list(found.sources.items()), len(found.sources)),
    )


def write_bom(
    found: Bom, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write a bill of materials as CSV or XLSX, by the suffix.

    Raises:
        BadInputError: the suffix or the folder is wrong, or the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    write(path, tables(found), progress, cancel)


def _groups(found: Bom) -> Iterator[Table]:
    for by in ("role", "network", "rack", "building", "phase"):
        if len({getattr(line, by) for line in found.lines}) > 1:
            lines = grouped(found.lines, by)
            rows = [tuple(getattr(line, name) for name in _GROUP_FIELDS) for line in lines]
            yield Table(f"By {by}", (by, *_GROUP_FIELDS[1:]), rows, len(rows))


def _statement(network: str, state: str, columns: tuple[str, ...]) -> Row:
    """A row without quantity that says whether a network is in the list."""
    given = {"category": "network", "item": state, "network": network}
    return tuple(given.get(name) for name in columns)


def _summary(found: Bom) -> Table:
    rows = list(_summary_rows(found))
    return Table("Summary", ("what", "of", "quantity", "unit", "spares", "remark"), rows, len(rows))


def _summary_rows(found: Bom) -> Iterator[Row]:
    for total in found.totals:
        watts = ""
        if total.watts is not None:
            watts = f"at least {total.watts:,.0f} W, known for {total.watts_known:,}"
        yield "total", total.category, total.quantity, total.unit, total.spares, watts
    for roll in found.rollups:
        inside = f"inside {roll.racks} x {roll.item}, not bought apart"
        yield "inside racks", "GPUs", roll.gpus, "each", None, inside
        yield "inside racks", "compute trays", roll.compute_trays, "each", None, inside
        yield "inside racks", "switch trays", roll.switch_trays, "each", None, inside
        yield "inside racks", "NVLink copper pairs", roll.copper_pairs, "pair", None, inside
        both = f"{inside}; both directions of all GPUs added"
        yield "inside racks", "NVLink bandwidth", roll.TBps, "TB/s", None, both
    for share in found.vendors:
        vendor = share.vendor or "unknown vendor"
        percent = f"{share.share:.1%}"
        yield "vendor", f"{share.category}: {vendor}", share.quantity, "each", None, percent
    for cost in found.costs:
        with_spares = f"{cost.with_spares:,.2f} {cost.currency} with spares"
        yield "cost", cost.category, cost.price, cost.currency, None, with_spares
    if found.priced is not None:
        yield "lines with a price", "", found.priced, "line", None, f"{found.unpriced} without"
    for network, state in found.networks.items():
        yield "network", network, None, "", None, state
    for note in found.notes:
        yield "note", "", None, "", None, note
