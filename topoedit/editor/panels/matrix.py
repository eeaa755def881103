"""The Matrix page: who sends how much to whom in a step, linked to the canvas and to Trace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from topoedit.app.protocol import Matrix
from topoedit.editor.engine_client import Reply
from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.fields import Combo
from topoedit.editor.panels.patience import Patience
from topoedit.editor.panels.picture_menu import SaveButton
from topoedit.editor.panels.properties import scrolled
from topoedit.editor.panels.property_extras import CLASS_WORDS, dim
from topoedit.editor.panels.result_sections import stale
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import columns, label, rows
from topoedit.model.plan import TRAFFIC_CLASSES
from topoedit.units import format_bytes, format_number

if TYPE_CHECKING:
    from topoedit.app.figure_records import RankMatrix
    from topoedit.editor.panels.matrix_data import Grid
    from topoedit.editor.panels.matrix_map import MatrixMap
    from topoedit.editor.panels.matrix_readout import MatrixReadout

EMPTY = "Choose a model in the plan to see who sends how much to whom."
Span = tuple[int, int]
Window = tuple[Span | None, Span | None]
WHOLE: Window = (None, None)
Then = Callable[[Reply], None]


class MatrixPanel(TablePage):
    """Heat map of bytes per step with a read-out beside it.

    The map is made when the page is first shown, since it needs numpy.

    Signals:
        asked(Question, Then): something for the engine.
        panel_asked(str): a page to bring to the front.
        told(str, str): a line for the message bar and its severity.
    """

    asked = Signal(object, object)
    panel_asked = Signal(str)
    told = Signal(str, str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.classes = Combo()
        self.up = QPushButton("All GPUs")
        self.where = label(role="caption")
        self.save = SaveButton(theming, "Save this matrix", ("png", "csv"))
        self.empty = label(role="caption", wrap=True)
        self.map: MatrixMap | None = None
        self.readout: MatrixReadout | None = None
        self._whole = QWidget()
        self._matrix: RankMatrix | None = None
        self._line = ""
        self._windows: list[Window] = [WHOLE]
        self._from: tuple[int, Window] | None = None
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._patience = Patience(self)
        self._patience.late.connect(self._soon)

    def _lay_out(self) -> None:
        head = columns(None, (12, 6, 8, 2), 8)
        self.classes.setAccessibleName("Traffic class")
        self.classes.setToolTip("Also colours the links by this class alone")
        self.classes.addItem("All classes", None)
        for name in TRAFFIC_CLASSES:
            self.classes.addItem(f"{name}  {CLASS_WORDS[name]}", name)
        self.classes.setMinimumWidth(170)
        self.classes.activated.connect(self._choose_class)
        self.up.clicked.connect(self.go_back)
        self.up.setToolTip("Back to the wider matrix (Backspace)")
        head.addWidget(self.classes)
        head.addWidget(self.up)
        self.where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head.addWidget(self.where, 1)
        self._tools = columns(gap=6)
        head.addLayout(self._tools)
        head.addWidget(self.save)
        self.save.chosen.connect(self.write)
        self._body = columns(self._whole)
        self.empty.setContentsMargins(12, 8, 12, 0)
        layout = rows(self)
        layout.addLayout(head)
        layout.addWidget(self.empty)
        layout.addWidget(self._whole, 1)
        layout.addStretch(0)

    def _make_map(self) -> tuple[MatrixMap, MatrixReadout]:
        from topoedit.editor.panels.matrix_map import MatrixMap
        from topoedit.editor.panels.matrix_readout import MatrixReadout

        if self.map is None or self.readout is None:
            self.map, self.readout = MatrixMap(self._theming), MatrixReadout(self._theming)
            self._body.addWidget(self.map, 1)
            side = scrolled(self.readout)
            side.setFrameShape(QFrame.Shape.NoFrame)
            side.setFixedWidth(self.readout.width() + 8)
            self._body.addWidget(side)
            self._fill_tools(self.readout)
            self.map.pointed.connect(self._read_out)
            self.map.picked.connect(lambda *_: self._read_out())
            self.map.chosen.connect(self._visit)
            self.map.opened.connect(self.open)
            self.map.left.connect(self.go_back)
        return self.map, self.readout

    def _fill_tools(self, readout: MatrixReadout) -> None:
        self._tools.addWidget(readout.scale)
        self._tools.addSpacing(8)
        for button, act in (
            (readout.trace_button, self.trace),
            (readout.open_button, self.open),
            (readout.show_button, self._visit),
        ):
            button.clicked.connect(partial(self._with_picked, act))
            self._tools.addWidget(button)

    def focus_target(self) -> QWidget:
        """The cells, or the choice of a class while there are none."""
        return self.map if self.map is not None and self.map.isVisible() else self.classes

    def listen(self, session: DocumentSession) -> None:
        """Follow result, class and selection."""
        for signal in (
            session.analysis_changed, session.analysis_state_changed,
            session.analysis_input_changed, session.metric_changed, session.selection_changed,
        ):  # fmt: skip
            self.bind(signal, self._soon)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self._matrix, self._from, self._line, self._windows = None, None, "", [WHOLE]
        self._patience.done()
        super().set_session(session)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask when the page is seen."""
        super().showEvent(event)
        self._soon()

    def _soon(self, *_args: object) -> None:
        self._later.start()

    # -- showing -------------------------------------------------------------------------------

    @property
    def grid(self) -> Grid | None:
        """The cells shown."""
        return None if self.map is None else self.map.grid

    def refresh(self) -> None:
        """Show the matrix as far as it is known, and ask for what is not."""
        if not self.isVisible():
            return
        session = self.session
        chosen = None if session is None else session.traffic_class
        self.classes.setCurrentIndex(max(0, self.classes.findData(chosen)))
        if session is None or session.analysis is None:
            self._matrix, self._from = None, None
        else:
            self._ask(session)
        self._show(chosen)
        old = self._patience.is_late or (session is not None and stale(session))
        for part in (self.map, self.readout):
            if part is not None:
                dim(part, old, self._theming.theme.opacity("state.stale_opacity"))

    def _show(self, chosen: str | None) -> None:
        session, matrix = self.session, self._matrix
        self._whole.setVisible(matrix is not None)
        self.save.setEnabled(matrix is not None)
        self.up.setVisible(len(self._windows) > 1)
        self.empty.setVisible(matrix is None)
        waiting = session is not None and session.workload is not None
        refused = "" if session is None else session.analysis_state.why
        self.empty.setText(self._line or refused or ("Working it out…" if waiting else EMPTY))
        self.where.setText("" if matrix is None else extent_words(matrix))
        if matrix is None or session is None:
            if self.map is not None:
                self.map.show_grid(None)
            return
        from topoedit.editor.panels.matrix_data import Grid

        shown, readout = self._make_map()
        if shown.grid is None or shown.grid.matrix is not matrix or shown.grid.chosen != chosen:
            shown.show_grid(Grid(matrix, chosen))
            readout.show_grid(shown.grid)
            self._speak()
        shown.show_selection(frozenset(session.selection))
        self._read_out()

    def _ask(self, session: DocumentSession) -> None:
        """Ask for the window in front, unless that has been done for this drawing and plan."""
        wanted = (session.input_revision, self._windows[-1])
        if session.workload is None or self._from == wanted or not session.analysis_is_current:
            return
        self._from = wanted
        self._patience.ask()
        row_span, column_span = self._windows[-1]
        question = Matrix(session.workload, row_span, column_span)
        self.asked.emit(question, lambda reply: self._take(session, reply))

    def _take(self, session: DocumentSession, reply: Reply) -> None:
        if session is not self.session:
            return
        self._patience.done()
        if reply.line and len(self._windows) > 1:  # fewer GPUs than there were
            self._windows, self._from = [WHOLE], None
            self.refresh()
            return
        from topoedit.app.figure_records import RankMatrix

        self._line = reply.line
        self._matrix = None if reply.line else msgspec.msgpack.decode(reply.body, type=RankMatrix)
        self.refresh()

    def _speak(self) -> None:
        """What a screen reader says of the whole."""
        if self.map is None or self.map.grid is None:
            return
        from topoedit.editor.panels.matrix_data import band_words

        grid = self.map.grid
        words = f"Traffic matrix, {extent_words(grid.matrix)}"
        if grid.total.any():
            row, column = grid.largest()
            ends = (grid.matrix.rows[row], grid.matrix.columns[column])
            words += f". Most: {' to '.join(map(band_words, ends))}, {format_bytes(grid.range[1])}"
        self.map.setAccessibleName(words)
        self.map.setAccessibleDescription("Arrow keys walk, Space selects, Enter opens")

    def _read_out(self, cell: object = None) -> None:
        if self.map is not None and self.readout is not None:
            self.readout.show_cell(self.map.under or self.map.cell)

    # -- acting --------------------------------------------------------------------------------

    def _choose_class(self, _row: int) -> None:
        if self.session is not None:
            self.session.set_traffic_class(self.classes.currentData())

    def _ends(self, row: int, column: int) -> tuple[str, ...]:
        if self._matrix is None:
            return ()
        found = (*self._matrix.rows[row].elements, *self._matrix.columns[column].elements)
        return tuple(dict.fromkeys(found))

    def _visit(self, row: int, column: int) -> None:
        self.visited.emit(self._ends(row, column))

    def open(self, row: int, column: int) -> None:
        """Show the GPUs of a cell; between single GPUs, trace their paths."""
        if self._matrix is None:
            return
        a, b = self._matrix.rows[row], self._matrix.columns[column]
        if a.count == 1 and b.count == 1:
            self.trace(row, column)
            return
        self._windows.append(((a.first, a.first + a.count), (b.first, b.first + b.count)))
        self._soon()

    def go_back(self) -> None:
        """Show the wider matrix again."""
        if len(self._windows) > 1:
            self._windows.pop()
            self._soon()

    def trace(self, row: int, column: int) -> None:
        """Trace the paths from the row to the column of a cell."""
        if self._matrix is None or self.session is None:
            return
        a, b = self._matrix.rows[row], self._matrix.columns[column]
        if a.end and b.end and a.end != b.end:
            self.session.trace.ask(start=a.end, goal=b.end)
            self.panel_asked.emit("trace")

    def _with_picked(self, act: Callable[[int, int], None], *_args: object) -> None:
        if self.map is not None and self.map.cell is not None:
            act(*self.map.cell)

    # -- taking away ---------------------------------------------------------------------------

    def data_of(self, kind: str) -> bytes:
        """The matrix as a file of a kind: `png` as shown, `csv` with every pair."""
        if self._matrix is None or self.session is None:
            return b""
        from topoedit.editor.panels import matrix_export
        from topoedit.editor.panels.matrix_data import Grid, csv_text

        if kind == "csv":
            return csv_text(self._matrix).encode()
        grid = Grid(self._matrix, self.session.traffic_class)
        return matrix_export.png_bytes(grid, self._theming.theme, extent_words(self._matrix))

    def write(self, kind: str, target: Path | None = None) -> None:
        """Write the matrix to a file; without one, ask for it first."""
        if self.session is not None and self._matrix is not None:
            self.save.write(self.session, "matrix", kind, self.data_of, self.told.emit, target)


def extent_words(matrix: RankMatrix) -> str:
    """How much is shown: `64 × 64 GPUs`, `512 × 512 servers, 16 384 GPUs`."""
    counts = (len(matrix.rows), len(matrix.columns))
    sides = " × ".join(format_number(n) for n in counts)
    level = matrix.row_level if matrix.row_level == matrix.column_level else "bands"
    plural = level if counts == (1, 1) or level.endswith("s") else f"{level}s"
    gpus = sum(band.count for band in matrix.rows)
    rest = "" if level == "GPU" else f", {format_number(gpus)} GPUs"
    return f"{sides} {plural}{rest}, bytes per step"
