"""Floor plan, rack elevations, roll-ups and rack lists: the use case that all share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from topoedit.app.place_racks import PlacedRacks, place_racks
from topoedit.errors import BadFileError, BadInputError
from topoedit.io.rack_list import read_rack_list
from topoedit.model.document import Document
from topoedit.reports.floor.lists import rack_table, sum_table
from topoedit.reports.floor.pictures import BYS, By, picture_bytes
from topoedit.reports.floor.rollup import FloorData, floor_data
from topoedit.reports.floor.sums import BASES, Basis
from topoedit.reports.tables import Cancel, Progress, write

PICTURES = (".svg", ".pdf", ".png")
LISTS = (".csv", ".xlsx")
DRAWING = ".json"


@dataclass(frozen=True)
class FloorChoice:
    """What is asked of a floor.

    Attributes:
        elevations: rack elevations in place of the plan.
        room: name of the only room to show, "" for all.
        by: figure that colours the racks.
        basis: maximum or typical power.
        pue: facility over IT power, if the person gives it.
    """

    elevations: bool = False
    room: str = ""
    by: By = "power"
    basis: Basis = "maximum"
    theme: str = "light"
    scale: float = 1.0
    pue: float | None = None


def by_named(word: str) -> By:
    """One of `BYS`.

    Raises:
        BadInputError: it is none.
    """
    for known in BYS:
        if word == known:
            return known
    raise BadInputError(f'there is no figure "{word}"', "--by", f"Use {', '.join(BYS)}")


def basis_named(word: str) -> Basis:
    """One of `BASES`.

    Raises:
        BadInputError: it is none.
    """
    for known in BASES:
        if word == known:
            return known
    raise BadInputError(f'there is no power "{word}"', "--power", f"Use {' or '.join(BASES)}")


def check_choice(choice: FloorChoice) -> None:
    """Raise BadInputError if a figure is not possible."""
    if choice.pue is not None and not 1 <= choice.pue <= 10:
        raise BadInputError(f"a PUE of {choice.pue:g} is not possible", "--pue", "Use 1 to 10")


def import_racks(
    document: Document, path: Path, *, skip_bad: bool = False,
    told: Callable[[str], None] | None = None,
) -> PlacedRacks:  # fmt: skip
    """Place the racks of a list in a drawing, or nothing if a row of it is bad.

    Args:
        document: the drawing; one edit changes it.
        path: the list, CSV or XLSX.
        skip_bad: place the rest where rows are bad.
        told: gets one line for each bad row, if there are several or they are skipped.

    Raises:
        BadFileError: the list cannot be read, or has bad rows.
        BadEditError: the result would break the drawing.
    """
    placed = read_racks(document, path)
    alone = placed.problems[0] if len(placed.problems) == 1 and not skip_bad else ""
    if told is not None and not alone:
        for line in placed.problems:
            told(f"{path}: {line}")
    if placed.problems and not skip_bad:
        what = f"{alone}; nothing was placed"
        if not alone:
            first = "" if told is not None else f"; the first: {placed.problems[0]}"
            what = f"{placed.bad_rows:,} bad rows, nothing was placed{first}"
        raise BadFileError(what, str(path), "Mend the list, or use --skip-bad")
    if not placed.edit.is_empty:
        document.apply(placed.edit)
    return placed


def read_racks(document: Document, path: Path) -> PlacedRacks:
    """What a list would place in a drawing, which stays as it is."""
    from dataclasses import replace

    found = read_rack_list(path)
    placed = place_racks(document, found)
    return replace(
        placed, problems=(*found.problems, *placed.problems),
        bad_rows=found.bad_rows + placed.bad_rows,
    )  # fmt: skip


def write_floor(
    document: Document, data: FloorData, path: Path, choice: FloorChoice,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> None:  # fmt: skip
    """Write a picture (SVG, PDF, PNG), the rack list (CSV, XLSX) or the drawing (.topo.json).

    An XLSX holds the roll-ups on a second sheet.

    Raises:
        BadInputError: the suffix or folder is wrong, or there is nothing to show.
        BadFileError: the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    suffix = check_target(path)
    if suffix in LISTS:
        write(path, [rack_table(document, data), sum_table(data)], progress, cancel)
        return
    from topoedit.io import atomic, native

    if suffix == DRAWING:
        native.save(document, path)
        return
    kind: Literal["svg", "png", "pdf"] = (
        "svg" if suffix == ".svg" else "png" if suffix == ".png" else "pdf"
    )
    atomic.write(
        path,
        picture_bytes(
            data, kind, elevations=choice.elevations, room=choice.room, by=choice.by,
            theme=choice.theme, scale=choice.scale, pue=choice.pue, progress=progress,
            cancel=cancel,
        ),
    )  # fmt: skip


def check_target(path: Path) -> str:
    """The suffix of a file to write.

    Raises:
        BadInputError: it is none that can be written, or the folder is not there.
    """
    suffix = path.suffix.lower()
    if suffix not in (*PICTURES, *LISTS, DRAWING):
        raise BadInputError(
            f'"{path.suffix or path.name}" is no format for a floor', str(path),
            "Use .svg, .pdf or .png, .csv or .xlsx for the rack list, .topo.json for the drawing",
        )  # fmt: skip
    if not path.parent.is_dir():
        raise BadInputError("there is no such folder", str(path.parent), "Make it first")
    return suffix


def summed(document: Document, basis: Basis = "maximum") -> FloorData:
    """The roll-ups of a drawing."""
    return floor_data(document, basis)
