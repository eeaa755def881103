"""The chart of rank placement: hover tells coordinates, a click picks a rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from topoedit.editor.rank_words import place_words, rank_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.engine.rank_map import RankMap
from topoedit.model.document import Document
from topoedit.render.ink import Ink
from topoedit.render.placement_chart import ChartCells, arrange, paint_cells, shades

GROUP_LEVELS = ("rack", "pod", "building", "site")
_Key = Qt.Key
_STEPS = {_Key.Key_Left: -1, _Key.Key_Right: 1, _Key.Key_Up: -8, _Key.Key_Down: 8}


class PlacementChart(QWidget):
    """A cell a GPU or, in large drawings, a server or group; a click picks a rank."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._session: DocumentSession | None = None
        self._cells: ChartCells | None = None
        self._alphas: NDArray[np.float64] = np.zeros(0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Rank placement")
        theming.changed.connect(self.update)

    @property
    def cells(self) -> ChartCells | None:
        """The cells shown."""
        return self._cells

    def show_ranks(self, session: DocumentSession | None) -> None:
        """Show the ranks of a drawing."""
        self._session = session
        self._arrange()

    def _map(self) -> RankMap | None:
        return None if self._session is None else self._session.ranks.map

    def _arrange(self) -> None:
        found = self._map()
        self._cells = None
        if found is not None and found.gpus and self._session is not None:
            levels = _levels(self._session.document, found)
            self._cells = arrange(found, max(self.width() - 2, 60), levels)
            self._alphas = shades(found, self._cells)
            self.setFixedHeight(round(self._cells.height) + 2)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for more or fewer columns."""
        if event.size().width() != event.oldSize().width():
            self._arrange()
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(280, 60 if self._cells is None else round(self._cells.height) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cells, groups, the rank picked."""
        found, cells = self._map(), self._cells
        if found is None or cells is None or self._session is None:
            return
        state = self._session.ranks
        lit = {name: cells.of_gpus(found.gpu_of_rank[ranks]) for name, ranks in state.lit.items()}
        picked = None
        if state.rank is not None:
            picked = int(cells.of_gpus(found.gpu_of_rank[[state.rank]])[0])
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(1, 1)
            ink = Ink(painter, self._theming.theme)
            paint_cells(ink, cells, self._alphas, lit, picked)
            painter.translate(-1, -1)
            if self.hasFocus():
                ink.box(0, 0, self.width(), self.height(), None, "border.focus", 3, 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the rank there, the first of a server or group."""
        found, session, cell = self._map(), self._session, self._cell(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or found is None or session is None:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        ranks = self._ranks_in(cell) if cell is not None else np.zeros(0, np.int32)
        if len(ranks):
            session.ranks.pick(int(ranks[0]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go to other ranks, Esc lets go."""
        session = self._session
        rank = None if session is None else session.ranks.rank
        step = _STEPS.get(_Key(event.key()))
        if session is not None and step is not None:
            session.ranks.pick(0 if rank is None else rank + step)
        elif session is not None and event.key() == _Key.Key_Escape and rank is not None:
            session.ranks.pick(None)
        else:
            super().keyPressEvent(event)

    def _cell(self, place: QPoint) -> int | None:
        return None if self._cells is None else self._cells.at(place.x() - 1, place.y() - 1)

    def _ranks_in(self, cell: int) -> NDArray[np.int32]:
        found, cells = self._map(), self._cells
        if found is None or cells is None:
            return np.zeros(0, np.int32)
        ranks = found.rank_of_gpu[cells.first[cell] : cells.first[cell + 1]]
        return np.sort(ranks[ranks >= 0])

    def event(self, event: QEvent) -> bool:
        """The tooltip tells who runs there."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self.words_at(event.pos())), self)
            return True
        return super().event(event)

    def words_at(self, place: QPoint) -> str:
        """What is at a point, "" for nothing."""
        found, cells, cell = self._map(), self._cells, self._cell(place)
        if found is None or cells is None or cell is None or self._session is None:
            return ""
        devices = self._session.document.devices
        first, last = int(cells.first[cell]), int(cells.first[cell + 1]) - 1
        low, high = (
            int(np.searchsorted(found.first, gpu, side="right")) - 1 for gpu in (first, last)
        )
        names = [
            devices[found.devices[row]].name if found.devices[row] in devices else
            found.devices[row] for row in (low, high)
        ]  # fmt: skip
        ranks = self._ranks_in(cell)
        where = names[0] if low == high else f"{names[0]} – {names[1]}"
        if cells.level == "gpu":
            where += f" GPU {first - int(found.first[low])}"
        if not len(ranks):
            return f"{where}: idle"
        return f"{where}: {rank_words(ranks)}\n{place_words(found, ranks)}"


def _levels(document: Document, found: RankMap) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Racks, pods, buildings and sites that hold devices with GPUs."""
    for kind in GROUP_LEVELS:
        known: dict[str, int] = {}
        labels = []
        for row, device_id in enumerate(found.devices):
            group = _group_of(document, device_id, kind) or f"\0{row}"
            labels.append(known.setdefault(group, len(known)))
        if len(known) < len(found.devices):
            yield kind, np.array(labels, np.intp)


def _group_of(document: Document, device_id: str, kind: str) -> str:
    device = document.devices.get(device_id)
    here = "" if device is None else device.group
    for _ in range(len(GROUP_LEVELS) + 2):
        group = document.groups.get(here)
        if group is None:
            return ""
        if group.kind == kind:
            return here
        here = group.parent
    return ""
