"""The pull plan: cables in stages by build phase and pathway, with what is done and what is wrong.

Within a phase trunks come first, for jumpers end at their panels; then the pathways in walking
order. Cables that are no longer drawn come last, to be taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from topoedit.model.ports import natural_key
from topoedit.reports.cables import AT, COLUMNS, MORE_COLUMNS, Row
from topoedit.reports.tables import Cell

STAGE_COLUMNS = (
    "stage", "phase", "what", "pathway", "cables", "done", "wrong", "left", "progress_percent",
    "ordered_m", "without_length", "media",
)  # fmt: skip
_FIRST = (
    "id", "change", "label_a", "label_b", "medium", "ordered_m", "part_number", "done", "wrong",
    "note",
)  # fmt: skip
_REST = tuple(name for name in (*COLUMNS, *MORE_COLUMNS) if name not in _FIRST)
PLAN_COLUMNS = ("stage", "pathway", *_FIRST, *_REST)
_pick = itemgetter(*(AT[name] for name in (*_FIRST, *_REST)))
PULL, TRUNKS, REMOVE = "pull", "trunks", "remove"
ALL = "all"


class Stage(NamedTuple):
    """One stage of the work.

    Attributes:
        number: from 1.
        phase: build phase, "" if the cables have none.
        what: `trunks`, `pull` or `remove`.
        pathway: racks at both ends.
        rows: rows of the schedule.
    """

    number: int
    phase: str
    what: str
    pathway: str
    rows: list[Row]


def stages(rows: Sequence[Row]) -> list[Stage]:
    """The rows of a schedule in stages; the order within a stage is the schedule's."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    phase, bundle = AT["phase"], AT["bundle"]
    change, piece = AT["change"], AT["piece"]
    for row in rows:
        what = TRUNKS if row[piece] == "trunk" else PULL
        if row[change] == "removed":
            what = REMOVE
        key = (str(row[phase] or ""), what, str(row[bundle] or ""))
        found.setdefault(key, []).append(row)
    order = {key: number for number, key in enumerate(found)}

    def rank(key: tuple[str, str, str]) -> tuple[object, ...]:
        first = key[1] == REMOVE
        return first, key[0] == "", natural_key(key[0]), key[1] != TRUNKS, order[key]

    keys = sorted(found, key=rank)
    return [Stage(number, *key, found[key]) for number, key in enumerate(keys, 1)]


def stage_rows(found: Sequence[Stage]) -> list[tuple[Cell, ...]]:
    """One row a stage and one for all: cables, marks, progress, metres to order by medium.

    A cable with a mark of both kinds counts as wrong. Cables to take out count for no progress of
    the whole.
    """
    rows = [_totals(stage.rows, str(stage.number), stage) for stage in found]
    kept = [row for stage in found if stage.what != REMOVE for row in stage.rows]
    rows.append(_totals(kept, ALL, None))
    return [(_number(row[0]), *row[1:]) for row in rows]


def _number(cell: Cell) -> Cell:
    return int(cell) if isinstance(cell, str) and cell.isdecimal() else cell


def _totals(rows: Sequence[Row], number: str, stage: Stage | None) -> tuple[Cell, ...]:
    done_at, wrong_at, metres_at = AT["done"], AT["wrong"], AT["ordered_m"]
    wrong = sum(1 for row in rows if row[wrong_at])
    done = sum(1 for row in rows if row[done_at] and not row[wrong_at])
    metres = Counter[str]()
    unknown = 0
    for row in rows:
        length = row[metres_at]
        if isinstance(length, int | float):
            metres[str(row[AT["medium"]] or "unknown medium")] += length  # type: ignore[assignment]
        else:
            unknown += 1
    words = ", ".join(f"{name} {total:g} m" for name, total in sorted(metres.items()))
    percent = round(100 * done / len(rows), 1) if rows else None
    head = (stage.phase, stage.what, stage.pathway) if stage is not None else ("", "", "")
    total = sum(metres.values()) if metres else None
    return (
        number, *head, len(rows), done, wrong, len(rows) - done - wrong, percent, total, unknown,
        words,
    )  # fmt: skip


def plan_rows(found: Sequence[Stage]) -> list[tuple[Cell, ...]]:
    """One row a cable, in the order of the work."""
    return [(stage.number, stage.pathway, *_pick(row)) for stage in found for row in stage.rows]
