"""Trays of one room: the shortest way along rows and across them, around what stands in the way.

Trays run over every row and cross the rows at the columns that the floor names, or at every column
and rack where it names none. Pillars, walls and cooling units stop them in the cells that they
take.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from topoedit.layout.standing import Area, Spot
from topoedit.model.floor import STOPS_TRAYS, Blocked

_TINY = 1e-9


class Run(NamedTuple):
    """Metres along rows and across them."""

    along_m: float
    across_m: float


class _Stop(NamedTuple):
    """Rows `first` to `last` closed between two places, both of them open."""

    first: int
    last: int
    left: float
    right: float


_Node = tuple[int, int]


class Trays:
    """The trays of an area; every way is worked out once for each place that it starts from."""

    def __init__(self, area: Area, spots: list[Spot]) -> None:
        self._area = area
        self._ys = [line.y_m for line in area.lines]
        self._stops = [stop for b in area.floor.blocked if (stop := self._stop(b)) is not None]
        self._crossings = sorted(area.x_of(column) for column in area.floor.cross)
        self._xs = self._places(spots) if self._stops or self._crossings else []
        self._far: dict[tuple[int, float], dict[_Node, Run]] = {}
        self._next: dict[_Node, list[tuple[float, bool, _Node]]] = {}

    def _stop(self, cell: Blocked) -> _Stop | None:
        if cell.what not in STOPS_TRAYS:
            return None
        first, last = block_rows(self._area, cell)
        low, high = block_columns(cell)
        half = self._area.floor.rack_pitch_m / 2
        return _Stop(first, last, self._area.x_of(low) - half, self._area.x_of(high) + half)

    def _places(self, spots: list[Spot]) -> list[float]:
        """Where a way may turn: at racks, crossings and the columns beside what stops trays."""
        low, high = columns_of(self._area, spots)
        beside = {
            column
            for cell in self._area.floor.blocked
            for column in (block_columns(cell)[0] - 1, block_columns(cell)[1] + 1)
            if low <= column <= high
        }
        found = {*self._crossings, *(spot.x_m for spot in spots), *map(self._area.x_of, beside)}
        return sorted(found)

    def between(self, a: Spot, b: Spot) -> Run | None:
        """The shortest way between two places in this room; None if trays do not join them.

        It is the same both ways. Takes time for the number of obstacles while a way with at most
        one crossing is as short as any; else that of Dijkstra's search over the trays.
        """
        if (b.line, b.x_m) < (a.line, a.x_m):
            a, b = b, a
        stubs = abs(a.y_m - self._ys[a.line]) + abs(b.y_m - self._ys[b.line])
        run = self._direct(a, b) or self._searched(a, b)
        return None if run is None else Run(run.along_m, run.across_m + stubs)

    def _direct(self, a: Spot, b: Spot) -> Run | None:
        """A way that no other can beat: straight, or with one crossing at the best place."""
        across = abs(self._ys[a.line] - self._ys[b.line])
        if a.line == b.line:
            if self._row_free(a.line, a.x_m, b.x_m):
                return Run(abs(a.x_m - b.x_m), 0.0)
            return None
        places: list[float] | tuple[float, float] = (a.x_m, b.x_m)
        if self._crossings:
            costs = [(abs(a.x_m - x) + abs(b.x_m - x), x) for x in self._crossings]
            least = min(costs)[0]
            places = [x for cost, x in costs if cost <= least + _TINY]
        for x in places:
            if (
                self._row_free(a.line, a.x_m, x)
                and self._row_free(b.line, x, b.x_m)
                and self._column_free(x, a.line, b.line)
            ):
                return Run(abs(a.x_m - x) + abs(b.x_m - x), across)
        return None

    def _row_free(self, line: int, x: float, other: float) -> bool:
        low, high = min(x, other), max(x, other)
        return not any(
            stop.first <= line <= stop.last
            and low < stop.right - _TINY
            and high > stop.left + _TINY
            for stop in self._stops
        )

    def _column_free(self, x: float, line: int, other: int) -> bool:
        low, high = min(line, other), max(line, other)
        return not any(
            stop.left + _TINY < x < stop.right - _TINY and low <= stop.last and high >= stop.first
            for stop in self._stops
        )

    # -- search --------------------------------------------------------------------------------

    def _searched(self, a: Spot, b: Spot) -> Run | None:
        if not self._xs:
            return None
        start = (a.line, a.x_m)
        known = self._far.get(start)
        if known is None:
            known = self._far[start] = self._search(a)
        return known.get((b.line, self._xs.index(b.x_m)))

    def _search(self, start: Spot) -> dict[_Node, Run]:
        """Shortest ways from a place to all others (Dijkstra 1959)."""
        first = (start.line, self._xs.index(start.x_m))
        done: dict[_Node, Run] = {}
        if not self._row_free(start.line, start.x_m, start.x_m):
            return done
        queue: list[tuple[float, float, _Node]] = [(0.0, 0.0, first)]
        while queue:
            length, along, node = heapq.heappop(queue)
            if node in done:
                continue
            done[node] = Run(along, length - along)
            for step, is_along, other in self._steps(node):
                if other not in done:
                    more = step if is_along else 0.0
                    heapq.heappush(queue, (length + step, along + more, other))
        return done

    def _steps(self, node: _Node) -> list[tuple[float, bool, _Node]]:
        """Metres, whether along a row, and the place, of every step from a place."""
        found = self._next.get(node)
        if found is None:
            found = self._next[node] = [*self._along(node), *self._across(node)]
        return found

    def _along(self, node: _Node) -> Iterator[tuple[float, bool, _Node]]:
        line, at = node
        for other in (at - 1, at + 1):
            if 0 <= other < len(self._xs) and self._row_free(line, self._xs[at], self._xs[other]):
                yield abs(self._xs[at] - self._xs[other]), True, (line, other)

    def _across(self, node: _Node) -> Iterator[tuple[float, bool, _Node]]:
        line, at = node
        x = self._xs[at]
        if self._crossings and x not in self._crossings:
            return
        for beside in (line - 1, line + 1):
            if 0 <= beside < len(self._ys) and self._column_free(x, line, beside):
                yield abs(self._ys[line] - self._ys[beside]), False, (beside, at)


def block_rows(area: Area, cell: Blocked) -> tuple[int, int]:
    """Numbers of the first and last line that a block of cells takes."""
    one = area.line_of(cell.row)
    other = area.line_of(cell.to_row) if cell.to_row else one
    if one is None or other is None:
        return -1, -1
    return min(one, other), max(one, other)


def block_columns(cell: Blocked) -> tuple[int, int]:
    """First and last column that a block of cells takes."""
    other = cell.column if cell.to_column is None else cell.to_column
    return min(cell.column, other), max(cell.column, other)


def columns_of(area: Area, spots: list[Spot]) -> tuple[int, int]:
    """First and last column of a room: those it states, else those in use."""
    if area.floor.columns is not None:
        return 1, area.floor.columns
    pitch = area.floor.rack_pitch_m
    used = [round(spot.x_m / pitch + 0.5) for spot in spots]
    used += [column for cell in area.floor.blocked for column in block_columns(cell)]
    used += area.floor.cross
    return min((1, *used)), max((1, *used))
