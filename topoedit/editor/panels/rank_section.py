"""The ranks of a server in the Properties page: a line a GPU with its coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QGridLayout, QPushButton

from topoedit.editor.rank_words import rank_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Section, clear, label
from topoedit.engine.rank_map import RankMap
from topoedit.model.elements import Device
from topoedit.units import format_number

MOST_LINES = 16
"""GPUs listed one by one; a rack of more is summed up."""


class RankSection(Section):
    """Which rank runs on each GPU; a click lights its groups."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Ranks")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self.body.addLayout(self._grid)
        self.lines: tuple[tuple[str, ...], ...] = ()

    def show_device(self, session: DocumentSession | None, device: Device | None) -> None:
        """Show a device; None, or one without ranks, hides the section."""
        found = None if session is None else session.ranks.map
        ranks = [] if found is None or device is None else found.ranks_on(device.id).tolist()
        used = [rank for rank in ranks if rank >= 0]
        self.setVisible(bool(used))
        clear(self._grid)
        self.lines = ()
        if session is None or found is None or not used:
            return
        whole = len(used) == len(ranks)
        self.note.setText(rank_words(np.array(used, np.int32)) if whole else
                          f"{len(used)} of {len(ranks)} GPUs")  # fmt: skip
        many = len(ranks) > MOST_LINES
        self.lines = _spans(found, used) if many else _lines(found, ranks)
        for row, texts in enumerate(self.lines):
            for column, text in enumerate(texts):
                if column == 1 and not many and ranks[row] >= 0:
                    self._grid.addWidget(self._link(text, session, ranks[row]), row, column)
                else:
                    role = "secondary" if column == 0 else ""
                    self._grid.addWidget(label(text, role), row, column)
        self._grid.setColumnStretch(2, 1)

    @staticmethod
    def _link(text: str, session: DocumentSession, rank: int) -> QPushButton:
        made = QPushButton(text)
        made.setObjectName("link")
        made.setToolTip(f"Light the groups of rank {rank}")
        made.clicked.connect(_picker(session, rank))
        return made


def _picker(session: DocumentSession, rank: int) -> Callable[[], None]:
    def pick(*_: object) -> None:
        session.ranks.pick(rank)

    return pick


def _lines(found: RankMap, ranks: list[int]) -> tuple[tuple[str, ...], ...]:
    """GPU, rank and coordinates of each."""
    return tuple(
        (f"GPU {index}", f"Rank {format_number(rank)}", _places(found, rank))
        if rank >= 0
        else (f"GPU {index}", "idle", "")
        for index, rank in enumerate(ranks)
    )


def _places(found: RankMap, rank: int) -> str:
    return " · ".join(f"{axis} {place}" for axis, place in found.places(rank).items())


def _spans(found: RankMap, ranks: list[int]) -> tuple[tuple[str, ...], ...]:
    """Lowest and highest rank, and place on each axis."""
    places = [found.places(rank) for rank in ranks]
    rows = [("Ranks", f"{format_number(min(ranks))}–{format_number(max(ranks))}")]
    for axis in places[0]:
        low, high = min(p[axis] for p in places), max(p[axis] for p in places)
        rows.append((axis, str(low) if low == high else f"{low}–{high}"))
    return tuple(rows)
