"""The Matrix page: cells, read-out, drill-down, the canvas and Trace beside it, and its files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from topoedit.app.figure_records import Band, Cells, RankMatrix
from topoedit.app.protocol import Matrix
from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.matrix import EMPTY, MatrixPanel, extent_words
from topoedit.editor.panels.matrix_data import LEVELS, Grid, band_words, place_words
from topoedit.editor.panels.matrix_paint import palette
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import Edit
from topoedit.render.theme import Theme
from topoedit.units import format_bytes

from .analysed import Analyser, pod_document
from .doubles import canvas_of


@pytest.fixture
def pod(window: MainWindow) -> DocumentSession:
    session = DocumentSession(pod_document())
    window.add_session(session)
    return session


@pytest.fixture
def engine(pod: DocumentSession, window: MainWindow) -> Analyser:
    made = Analyser(pod)
    window.sides.bottom.matrix.asked.connect(made.answer)
    return made


@pytest.fixture
def page(window: MainWindow, engine: Analyser) -> MatrixPanel:
    """The matrix of TP 8, PP 2 on 64 GPUs."""
    window.show_panel("matrix")
    engine.plan(tp=8, pp=2)
    return settled(window.sides.bottom.matrix)


def settled(panel: MatrixPanel) -> MatrixPanel:
    """Let a page show what it has been told."""
    for _ in range(2):
        panel._later.stop()
        panel.refresh()
    return panel


def place(page: MatrixPanel, row: int, column: int) -> QPoint:
    frame = page.map.frame_now()
    return frame.rect(row, column).center().toPoint()


def matrix(
    *cells: tuple[str, list[int], list[float]], rows: int = 3, columns: int = 3
) -> RankMatrix:
    """A matrix made by hand."""

    def bands(count: int) -> tuple[Band, ...]:
        return tuple(Band(n, 1, f"a/gpu{n}", f"a/gpu{n}", ("a",), (n, n)) for n in range(count))

    made = tuple(
        Cells(name, np.array(places, np.int32).tobytes(), np.array(sent, np.float32).tobytes())
        for name, places, sent in cells
    )
    return RankMatrix(
        gpus=rows, row_level="GPU", column_level="GPU", rows=bands(rows), columns=bands(columns),
        cells=made, sizes=(1, 1, 1, 1, 1),
    )  # fmt: skip


# -- the data --------------------------------------------------------------------------------


def test_a_cell_is_coloured_by_its_largest_class_and_shaded_by_its_bytes() -> None:
    grid = Grid(matrix(("TP", [1, 2], [1e6, 1e9]), ("DP", [1, 3], [9e6, 1e3])))
    assert grid.classes == ("TP", "DP")
    assert grid.total[0].tolist() == [0.0, 1e7, 1e9]
    assert grid.range == (1e3, 1e9)
    # 1 kB to 1 GB is six powers of ten; 10 MB is four of them up
    assert grid.codes[0, 1] == 1 + LEVELS + int(4 / 6 * LEVELS)
    assert grid.codes[0, 2] == LEVELS
    assert grid.codes[1, 0] == 1 + LEVELS
    assert grid.codes[2, 2] == 0


def test_one_class_alone_has_its_own_scale() -> None:
    found = matrix(("TP", [1, 2], [1e6, 1e9]), ("DP", [1, 3], [9e6, 1e3]))
    grid = Grid(found, "DP")
    assert grid.range == pytest.approx((1e3, 9e6))
    assert grid.by_class(0, 1) == [("DP", 9e6)]
    assert Grid(found, "EP").codes.max() == 0


def test_fewer_pixels_than_cells_keep_the_fullest() -> None:
    sent = [1.0] * 100
    sent[57] = 5.0
    grid = Grid(matrix(("TP", list(range(100)), sent), rows=10, columns=10))
    small = grid.pooled(5, 4)
    assert small.shape == (5, 4)
    assert small[2, 2] == LEVELS  # row 5 of ten in pairs, column 7 in threes
    assert small.max() == LEVELS
    assert grid.pooled(10, 10) is grid.codes


def test_empty_and_even_matrices_have_shades() -> None:
    assert Grid(matrix()).codes.max() == 0
    even = Grid(matrix(("TP", [1], [7.0])))
    assert even.codes[0, 1] == LEVELS


def test_words_of_a_band() -> None:
    sizes = (8, 1, 1, 4, 2)
    one = Band(3, 1, "n/gpu3", "n/gpu3", ("n",), (3, 3), ((3, 3), (0, 0), (0, 0), (0, 0), (1, 1)))
    server = Band(0, 8, "n", "n", ("n",), (0, 7), ((0, 7), (0, 0), (0, 0), (2, 2), (0, 0)))
    idle = Band(9, 1, "m/gpu1", "m/gpu1", ("m",))
    assert (band_words(one), place_words(one, sizes)) == ("n/gpu3 (rank 3)", "TP 3 · DP 0 · PP 1")
    assert (band_words(server), place_words(server, sizes)) == (
        "n (ranks 0–7)", "TP 0–7 · DP 2 · PP 0",
    )  # fmt: skip
    assert (band_words(idle), place_words(idle, sizes)) == ("m/gpu1 (idle)", "not used by the plan")


# -- the page --------------------------------------------------------------------------------


def test_without_a_plan_it_says_what_to_do(window: MainWindow, engine: Analyser) -> None:
    window.show_panel("matrix")
    panel = settled(window.sides.bottom.matrix)
    assert panel.empty.text() == EMPTY
    assert engine.asked == []
    assert panel.focus_target() is panel.classes


def test_rows_add_up_to_what_the_analysis_says(engine: Analyser, page: MatrixPanel) -> None:
    found = engine.result.analysis
    assert engine.asked == [Matrix(page.session.workload)]
    assert page.where.text() == "64 × 64 GPUs, bytes per step"
    grid = page.grid
    assert grid.classes == ("TP", "PP", "DP")
    gradients = sum(c.bytes_per_gpu for c in found.communication if c.class_ == "DP")
    number = grid.classes.index("DP")
    assert grid.bytes[number].sum(axis=1) == pytest.approx(gradients, rel=1e-5)
    assert page.map.accessibleName().startswith(
        "Traffic matrix, 64 × 64 GPUs, bytes per step. Most:"
    )


def test_cells_are_painted_in_the_colours_of_their_classes(
    window: MainWindow, page: MatrixPanel
) -> None:
    colors = palette(page.grid, window.theming.theme)
    picture = page.map.grab().toImage()
    for row, column in ((0, 1), (0, 8), (0, 32), (3, 3)):
        code = int(page.grid.codes[row, column])
        assert picture.pixel(place(page, row, column)) == int(colors[code])
    assert page.grid.codes[3, 3] == 0


def test_pointing_reads_out_both_ends_bytes_and_coordinates(
    page: MatrixPanel, qtbot: QtBot
) -> None:
    qtbot.mouseMove(page.map, place(page, 1, 9))
    assert page.map.under == (1, 9)
    sent = page.grid.by_class(1, 9)
    assert [name for name, _ in sent] == ["DP"]
    assert page.readout.texts == (
        "node-01/gpu1 (rank 1)", "TP 1 · DP 0 · PP 0",
        "→ node-02/gpu1 (rank 9)", "TP 1 · DP 1 · PP 0",
        f"DP {format_bytes(sent[0][1])}",
    )  # fmt: skip
    qtbot.mouseMove(page.map, place(page, 3, 3))
    assert page.readout.texts[-1] == "Nothing is sent"


def test_a_click_selects_both_devices_on_the_canvas(
    window: MainWindow, pod: DocumentSession, page: MatrixPanel, qtbot: QtBot
) -> None:
    qtbot.mouseClick(page.map, Qt.MouseButton.LeftButton, pos=place(page, 1, 9))
    assert pod.selection == ("node-01", "node-02")
    assert canvas_of(window).calls[-1] == ("centre_on", ("node-01", "node-02"))
    assert page.map.cell == (1, 9)


def test_what_is_selected_on_the_canvas_is_marked_along_the_sides(
    window: MainWindow, pod: DocumentSession, page: MatrixPanel
) -> None:
    accent = window.theming.theme.color("accent.base").rgb()
    frame = page.map.frame_now()
    beside = QPoint(int(frame.cells.left()) - 4, place(page, 44, 0).y())
    assert page.map.grab().toImage().pixel(beside) != accent
    pod.select(("node-06",))
    settled(page)
    assert page.map.grab().toImage().pixel(beside) == accent


def test_a_pair_can_be_traced(
    window: MainWindow, pod: DocumentSession, page: MatrixPanel, qtbot: QtBot
) -> None:
    page.map.pick((1, 9))
    settled(page)
    assert page.readout.trace_button.isEnabled()
    assert not page.readout.open_button.isEnabled()
    qtbot.mouseClick(page.readout.trace_button, Qt.MouseButton.LeftButton)
    assert (pod.trace.start, pod.trace.goal) == ("node-01/gpu1", "node-02/gpu1")
    assert window.sides.bottom.current == "trace"


def test_the_keys_do_all_of_it(
    window: MainWindow, pod: DocumentSession, page: MatrixPanel, qtbot: QtBot
) -> None:
    assert page.focus_target() is page.map
    page.map.setFocus()
    qtbot.keyClick(page.map, Qt.Key.Key_Right)
    assert page.map.cell == page.grid.largest()
    page.map.pick((0, 0))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(page.map, key)
    assert page.map.cell == (0, 2)
    page.map.pick((0, 8))
    qtbot.keyClick(page.map, Qt.Key.Key_Space)
    assert pod.selection == ("node-01", "node-02")
    qtbot.keyClick(page.map, Qt.Key.Key_Return)
    assert window.sides.bottom.current == "trace"
    assert (pod.trace.start, pod.trace.goal) == ("node-01/gpu0", "node-02/gpu0")


def test_a_class_chosen_here_filters_the_canvas_and_the_other_way_round(
    pod: DocumentSession, page: MatrixPanel
) -> None:
    page.classes.setCurrentIndex(page.classes.findData("DP"))
    page.classes.activated.emit(page.classes.currentIndex())
    assert pod.traffic_class == "DP"
    settled(page)
    assert page.grid.classes == ("DP",)
    pod.set_traffic_class(None)
    settled(page)
    assert page.grid.classes == ("TP", "PP", "DP")
    assert page.classes.currentData() is None


@pytest.fixture
def blocks(window: MainWindow, engine: Analyser, monkeypatch: pytest.MonkeyPatch) -> MatrixPanel:
    """The same with at most 16 rows, so that servers are shown first."""
    from topoedit.app import rank_matrix

    plain = rank_matrix.rank_matrix
    monkeypatch.setattr(
        rank_matrix, "rank_matrix", lambda *args, **rest: plain(*args, **rest, most=16)
    )
    window.show_panel("matrix")
    engine.plan(tp=8, pp=2)
    return settled(window.sides.bottom.matrix)


def test_blocks_open_and_close(
    engine: Analyser, pod: DocumentSession, blocks: MatrixPanel, qtbot: QtBot
) -> None:
    page = blocks
    assert page.where.text() == "8 × 8 servers, 64 GPUs, bytes per step"
    assert page.up.isHidden()
    whole = page.grid.total[0, 4]
    page.map.pick((0, 4))
    settled(page)
    assert page.readout.texts[:2] == ("node-01 (ranks 0–7)", "TP 0–7 · DP 0 · PP 0")
    qtbot.mouseDClick(page.map, Qt.MouseButton.LeftButton, pos=place(page, 0, 4))
    settled(page)
    assert engine.asked[-1] == Matrix(pod.workload, (0, 8), (32, 40))
    assert page.where.text() == "8 × 8 GPUs, bytes per step"
    assert [band.name for band in page.grid.matrix.columns[:2]] == ["node-05/gpu0", "node-05/gpu1"]
    assert page.grid.total.sum() == pytest.approx(whole, rel=1e-5)
    assert not page.up.isHidden()
    qtbot.keyClick(page.map, Qt.Key.Key_Backspace)
    settled(page)
    assert page.where.text().startswith("8 × 8 servers")


def test_a_window_that_is_gone_gives_way_to_the_whole(
    engine: Analyser, pod: DocumentSession, blocks: MatrixPanel
) -> None:
    blocks.open(7, 7)
    settled(blocks)
    assert blocks.where.text() == "8 × 8 GPUs, bytes per step"
    links = [x.id for x in pod.document.links.values() if "node-08" in (x.a.device, x.b.device)]
    pod.apply(Edit("Delete", drop=("node-08", *links)))
    engine.plan(tp=8, pp=1)
    settled(blocks)
    settled(blocks)
    assert blocks.where.text() == "7 × 7 servers, 56 GPUs, bytes per step"


def test_a_new_plan_asks_again_and_a_stale_one_fades(
    window: MainWindow, engine: Analyser, pod: DocumentSession, page: MatrixPanel
) -> None:
    engine.plan(tp=4, pp=2)
    settled(page)
    assert len(engine.asked) == 2
    settled(page)
    assert len(engine.asked) == 2
    pod.set_analysis_state(EngineState("stale"))
    settled(page)
    assert page.map.graphicsEffect() is not None
    engine.plan(tp=2, pp=2)
    settled(page)
    assert page.map.graphicsEffect() is None


def test_a_hidden_page_asks_nothing(window: MainWindow, engine: Analyser) -> None:
    window.show_panel("problems")
    engine.plan(tp=8, pp=2)
    panel = settled(window.sides.bottom.matrix)
    assert engine.asked == []
    assert panel.map is None


# -- files -----------------------------------------------------------------------------------


def test_the_matrix_is_written_as_csv_and_png(
    window: MainWindow, page: MatrixPanel, tmp_path: Path
) -> None:
    page.write("csv", tmp_path / "m.csv")
    page.write("png", tmp_path / "m.png")
    assert "Saved m.png" in window.documents.messages.text
    rows = list(csv.DictReader(io.StringIO((tmp_path / "m.csv").read_text("utf-8"))))
    assert len(rows) == int(np.count_nonzero(page.grid.total))
    assert sum(float(r["bytes"]) for r in rows) == pytest.approx(float(page.grid.total.sum()))
    first = rows[0]
    assert (first["from"], first["to"]) == ("node-01/gpu0", "node-01/gpu1")
    assert float(first["TP bytes"]) == pytest.approx(float(page.grid.bytes[0, 0, 1]))
    image = QImage(str(tmp_path / "m.png"))
    theme = window.theming.theme
    assert image.pixelColor(2, 2) == theme.color("surface.panel")
    strongest = int(palette(page.grid, theme)[LEVELS])
    assert any(
        image.pixel(x, y) == strongest
        for x in range(260, image.width(), 7)
        for y in range(150, image.height(), 7)
    )


@pytest.mark.parametrize("name", ["light", "dark"])
def test_shades_run_from_the_canvas_to_the_class(name: str) -> None:
    theme = Theme.load(name)
    colors = palette(Grid(matrix(("EP", [1], [1.0]))), theme)
    assert int(colors[0]) == theme.color("canvas.bg").rgb()
    assert int(colors[-1]) == theme.color("traffic.EP").rgb()


def test_how_much_is_shown_in_words() -> None:
    found = matrix()
    assert extent_words(found) == "3 × 3 GPUs, bytes per step"
