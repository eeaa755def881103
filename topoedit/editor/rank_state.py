"""Rank placement of one drawing: who runs where, and the rank whose groups are lit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from topoedit.engine.rank_map import RankMap
    from topoedit.engine.types import Ints
    from topoedit.render.rank_marks import RankMarks

ALL = ""


class RankState(QObject):
    """Ranks of one drawing; nothing of it is saved or undone.

    Signals:
        changed(): another placement, or none.
        picked(): another rank or group is lit, or its links are known.
        links_wanted(): somebody should ask which links the group uses.
    """

    changed = Signal()
    picked = Signal()
    links_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._map: RankMap | None = None
        self._rank: int | None = None
        self._group = ALL
        self._links: tuple[str, ...] = ()
        self._marks: RankMarks | None = None

    @property
    def map(self) -> RankMap | None:
        """Who runs where, None without a plan that fits."""
        return self._map

    @property
    def rank(self) -> int | None:
        """The rank whose groups are lit."""
        return self._rank

    @property
    def group(self) -> str:
        """The only group that is lit, ALL for every one."""
        return self._group

    @property
    def links(self) -> tuple[str, ...]:
        """Links that the chosen group's traffic uses."""
        return self._links

    @property
    def groups(self) -> dict[str, Ints]:
        """Groups of the rank with other members, by class."""
        if self._map is None or self._rank is None:
            return {}
        return self._map.groups(self._rank)

    @property
    def lit(self) -> dict[str, Ints]:
        """Those of its groups that are lit."""
        groups = self.groups
        return groups if self._group == ALL else {self._group: groups[self._group]}

    @property
    def marks(self) -> RankMarks:
        """What is lit, for painting; made once for each rank and group."""
        if self._marks is None:
            from topoedit.editor.canvas.rank_view import marks_of

            self._marks = marks_of(self)
        return self._marks

    def take(self, found: RankMap | None) -> None:
        """Show another placement; rank and group stay if they still exist."""
        self._map = found
        if found is None or (self._rank is not None and self._rank >= found.ranks):
            self._rank = None
        if self._group not in self.groups:
            self._group = ALL
        self._links = ()
        self.changed.emit()
        self._tell()

    def pick(self, rank: int | None) -> bool:
        """Light the groups of a rank, None for no rank; False if there is no such rank."""
        if rank is not None and (self._map is None or not 0 <= rank < self._map.ranks):
            return False
        self._rank = rank
        if self._group not in self.groups:
            self._group = ALL
        self._links = ()
        self._tell()
        return True

    def pick_gpu(self, device: str, index: int) -> bool:
        """Light the groups of the rank on a GPU; False if it has none."""
        ranks = [] if self._map is None else self._map.ranks_on(device).tolist()
        return 0 <= index < len(ranks) and ranks[index] >= 0 and self.pick(ranks[index])

    def choose(self, group: str) -> None:
        """Light one group alone, ALL for every one."""
        if group == ALL or group in self.groups:
            self._group, self._links = group, ()
            self._tell()

    def take_links(self, rank: int, group: str, links: tuple[str, ...]) -> None:
        """The links of a group are known."""
        if (rank, group) == (self._rank, self._group):
            self._links, self._marks = links, None
            self.picked.emit()

    def _tell(self) -> None:
        self._marks = None
        self.picked.emit()
        if self._rank is not None and self._group != ALL:
            self.links_wanted.emit()
