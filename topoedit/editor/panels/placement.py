"""Rank placement in the Plan page: the chart, the rank to type, and its groups to choose."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRegularExpression
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from topoedit.editor.number_box import UndoPasser
from topoedit.editor.panels.placement_chart import PlacementChart
from topoedit.editor.rank_state import ALL
from topoedit.editor.rank_words import place_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Section, Segments, clear, columns, label
from topoedit.engine.rank_map import RankMap
from topoedit.units import format_number


class PlacementSection(Section):
    """Which GPU holds which coordinate, and the groups of one rank."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Rank placement")
        self._session: DocumentSession | None = None
        self.chart = PlacementChart(theming)
        self.caption = label(role="caption", wrap=True)
        self.rank = QLineEdit()
        self.rank.setPlaceholderText("none")
        self.rank.setAccessibleName("Rank whose groups are lit")
        self.rank.setFixedWidth(84)
        digits = QRegularExpression(r"\d{0,7}")
        self.rank.setValidator(QRegularExpressionValidator(digits, self.rank))
        UndoPasser(self.rank)
        self.rank.editingFinished.connect(self._typed)
        self.places = label(role="secondary")
        self.places.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._groups = columns()
        self.segments: Segments | None = None
        line = columns(gap=8)
        word = label("Rank", "secondary")
        word.setBuddy(self.rank)
        line.addWidget(word)
        line.addWidget(self.rank)
        line.addWidget(self.places, 1)
        self.body.addWidget(self.chart)
        self.body.addWidget(self.caption)
        self.body.addLayout(line)
        self.body.addLayout(self._groups)

    def show_ranks(self, session: DocumentSession | None) -> None:
        """Show another placement."""
        self._session = session
        found = None if session is None else session.ranks.map
        self.setVisible(found is not None)
        if session is None or found is None:
            return
        self.chart.show_ranks(session)
        axis = "PP stage" if found.grid.shape[0] > 1 else "DP replica"
        self.note.setText(f"shade by {axis}")
        self.show_pick()

    def show_pick(self) -> None:
        """Show which rank and group are lit."""
        session = self._session
        found = None if session is None else session.ranks.map
        if session is None or found is None:
            return
        state = session.ranks
        self.chart.update()
        text = "" if state.rank is None else str(state.rank)
        if not self.rank.hasFocus() or not self.rank.isModified():
            self.rank.setText(text)
        one = np.array([state.rank], np.int32) if state.rank is not None else None
        self.places.setText("" if one is None else place_words(found, one))
        self.caption.setText(self._words(found))
        self._show_groups()

    def _words(self, found: RankMap) -> str:
        cells = self.chart.cells
        level = "GPU" if cells is None or cells.level == "gpu" else cells.level
        idle = found.gpus - found.ranks
        servers = format_number(len(found.devices))
        parts = [f"{format_number(found.ranks)} ranks on {servers} servers, one cell per {level}"]
        if idle:
            parts.append(f"{format_number(idle)} idle")
        state = None if self._session is None else self._session.ranks
        if state is not None and state.rank is not None and state.group != ALL:
            many = format_number(len(state.groups[state.group]))
            parts.append(f"outlined: {state.group} group of rank {state.rank}, {many} ranks")
        return " · ".join(parts)

    def _show_groups(self) -> None:
        session = self._session
        state = None if session is None else session.ranks
        names = () if state is None or state.rank is None else tuple(state.groups)
        shown = () if self.segments is None else tuple(self.segments.keys())[1:]
        if names != shown or (self.segments is None) != (not names):
            clear(self._groups)
            self.segments = None
            if names and state is not None:
                self.segments = Segments([(ALL, "All"), *((name, name) for name in names)])
                self.segments.chosen.connect(state.choose)
                self._groups.addWidget(self.segments)
        if self.segments is not None and state is not None:
            self.segments.choose(state.group)

    def _typed(self) -> None:
        """Light the groups of the rank that was typed; nothing lights none."""
        session = self._session
        if session is None or not self.rank.isModified():
            return
        self.rank.setModified(False)
        text = self.rank.text().strip()
        if not session.ranks.pick(int(text) if text else None):
            found = session.ranks.map
            most = 0 if found is None else found.ranks - 1
            session.refused.emit(f"There is no rank {text}. Ranks are 0 to {most}")
        self.show_pick()
