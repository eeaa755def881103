"""The Plots page: the right figures, drawn, read out, dimmed when old, and taken away as files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from topoedit.app.figure_records import ChartFigures, StageBytes, TierBins
from topoedit.app.protocol import Charts, Sweep
from topoedit.editor.engine_client import Reply
from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.plots import EMPTY, PlotsPanel
from topoedit.editor.plots.chart import (
    Chart,
    csv_text,
    linear,
    mark_at,
    marks_of,
    nice_ticks,
    tick_text,
)
from topoedit.editor.plots.made import links_chart, memory_chart, size_words, step_chart
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import Edit
from topoedit.render.bars import step_parts
from topoedit.render.theme import Theme
from topoedit.units import format_seconds

from .analysed import Analyser, pod_document
from .made_results import analysis


@pytest.fixture
def pod(window: MainWindow) -> DocumentSession:
    session = DocumentSession(pod_document())
    window.add_session(session)
    return session


@pytest.fixture
def engine(pod: DocumentSession, window: MainWindow) -> Analyser:
    made = Analyser(pod)
    window.sides.bottom.plots.asked.connect(made.answer)
    return made


@pytest.fixture
def page(window: MainWindow, engine: Analyser) -> PlotsPanel:
    window.show_panel("plots")
    panel = window.sides.bottom.plots
    panel.library.wait()
    return panel


def shown(page: PlotsPanel, key: str) -> Chart:
    page.choice.choose(key)
    for _ in range(2):  # ask, then show what came
        page._later.stop()
        page.refresh()
    assert page.chart is not None
    return page.chart


# -- the data --------------------------------------------------------------------------------


def test_parts_of_a_step_add_up_and_lie_side_by_side() -> None:
    chart = step_chart(analysis())
    bars = chart.panels[0].bars
    assert [(b.x0, round(b.x1, 9)) for b in bars] == [(0.0, 1.5), (1.5, 1.8), (1.8, 2.0)]
    assert [b.words for b in bars] == [
        "Now: Compute 1.50 s, 75.0\u2009% of the step",
        "Now: TP 300 ms, 15.0\u2009% of the step",
        "Now: Bubble 200 ms, 10.0\u2009% of the step",
    ]
    assert chart.panels[0].x.title == "Exposed time of a step (s)"
    assert (chart.panels[0].whiskers[0].low, chart.panels[0].whiskers[0].high) == (1.8, 2.3)
    assert [key.figure for key in chart.keys] == [
        "1.50 s  75\u2009%", "300 ms  15\u2009%", "200 ms  10\u2009%"
    ]  # fmt: skip
    assert chart.spoken == "Step time 2.00 s: Compute 1.50 s, TP 300 ms, Bubble 200 ms"


def test_the_step_before_stands_below_on_the_same_scale() -> None:
    chart = step_chart(analysis(), analysis(step_time_s=4.0))
    assert [words.text for words in chart.panels[0].texts] == ["2.00 s", "4.00 s"]
    assert chart.panels[0].y.ticks == ((0.0, "Now"), (-1.0, "Before"))
    assert ("Before", "Step time", 4.0) in chart.table


def test_short_steps_are_in_milliseconds() -> None:
    from topoedit.model.analysis import Breakdown, Interval

    chart = step_chart(
        analysis(
            step_time_s=0.02,
            breakdown_s=Breakdown(compute=0.02),
            interval=Interval(0.01, 0.03, "rows", 9, ""),
        )
    )
    assert chart.panels[0].x.title == "Exposed time of a step (ms)"
    assert chart.panels[0].bars[0].x1 == pytest.approx(20.0)


def test_links_are_counted_by_tier_and_over_a_hundred_is_apart() -> None:
    bins = TierBins("host-leaf", (3, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2), idle=1, unknown=4, failed=1)
    chart = links_chart([bins])
    panel = chart.panels[0]
    assert panel.title == "host-leaf · 15"
    assert [(b.x0 // 1, b.y1, b.color) for b in panel.bars] == [
        (0, 3, 0), (9, 5, 15), (10, 2, 16),
    ]  # fmt: skip
    assert panel.bars[2].words == "host-leaf: 2 at above 100 % demand"
    assert panel.bars[0].words == "host-leaf: 3 at 0 to 10 % demand, 1 of them idle"
    assert chart.keys[0].figure == "2 over 100 %"
    assert "4 of unknown rate, 1 failed" in chart.spoken
    assert chart.table == (("host-leaf", 3, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 1, 4, 1),)


def test_memory_beyond_the_capacity_is_marked() -> None:
    figures = ChartFigures(
        (),
        (StageBytes(0, (40e9, 30e9, 10e9, 10e9, 3e9, 2e9)), StageBytes(1, (10e9,) * 6)),
        80e9,
    )
    chart = memory_chart(figures)
    over = [b for b in chart.panels[0].bars if b.color == "memory.overflow"]
    assert [(b.y0, b.y1, b.words) for b in over] == [(80.0, 95.0, "Stage 0: 15.0 GB too much")]
    assert chart.panels[0].limits[0].words == "Capacity 80.0 GB"
    assert next((k.name, k.figure) for k in chart.keys) == ("Buffers", "5.0 GB")
    assert mark_at(chart.marks, 0, 0.0, 90.0) == chart.marks.index(
        next(m for m in chart.marks if m.words.endswith("too much"))
    )


def test_an_unknown_capacity_is_no_line() -> None:
    chart = memory_chart(ChartFigures((), (StageBytes(0, (1e9,) * 6),), None))
    assert chart.panels[0].limits == ()
    assert "capacity not known" in chart.spoken
    assert csv_text(chart).splitlines()[1].endswith(",6000000000.0,")


@pytest.mark.parametrize(
    ("high", "ticks"),
    [
        (2.3, (0, 0.5, 1, 1.5, 2)),
        (86, (0, 20, 40, 60, 80)),
        (0, (0,)),
        (131072, (0, 50000, 100000)),
    ],
)
def test_ticks_are_round(high: float, ticks: tuple[float, ...]) -> None:
    assert nice_ticks(high) == pytest.approx(ticks)


def test_tick_texts_have_the_decimals_of_their_step() -> None:
    assert tick_text(1.5, 0.5) == "1.5"
    assert tick_text(100000, 50000) == "100\u2009000"
    assert linear("", 0.0).high > 0
    assert size_words(2**26) == "64 MiB"


def test_the_stripe_of_a_line_reads_out_every_line(engine: Analyser, page: PlotsPanel) -> None:
    chart = shown(page, "bandwidth")
    marks = marks_of(chart.panels)
    assert len(marks) == 32  # 8 B to 16 GiB, each twice the one before
    last = marks[-1].words.split(" · ")
    assert [words.split(":")[0] for words in last] == [
        "All-reduce 16 GiB", "All-gather 16 GiB", "All-to-all 16 GiB",
    ]  # fmt: skip


# -- the page --------------------------------------------------------------------------------


def test_without_a_plan_each_chart_says_what_to_do(
    window: MainWindow, pod: DocumentSession, page: PlotsPanel
) -> None:
    for key in ("step", "links", "memory"):
        page.choice.choose(key)
        page.refresh()
        assert page.empty.text() == EMPTY[key]
        assert page.chart is None
        assert not page.save.isEnabled()
    assert page.empty.isVisible()


def test_the_bandwidth_needs_no_plan(page: PlotsPanel, engine: Analyser) -> None:
    chart = shown(page, "bandwidth")
    assert isinstance(engine.asked[-1], Sweep)
    assert [key.name for key in chart.keys] == ["All-reduce", "All-gather", "All-to-all"]
    rows = list(csv.DictReader(io.StringIO(csv_text(chart))))
    assert len(rows) == 96
    top = max(float(r["busbw GB/s"]) for r in rows if r["operation"] == "All-reduce")
    assert chart.keys[0].figure == f"{top:.1f} GB/s"
    line = chart.panels[0].lines[0]
    assert all(low <= y <= high for low, y, high in zip(line.low, line.ys, line.high, strict=True))
    assert page.view.is_drawn


def test_the_step_is_drawn_in_the_colours_of_the_theme(
    window: MainWindow, engine: Analyser, page: PlotsPanel
) -> None:
    found = engine.plan(tp=8, pp=2)
    chart = shown(page, "step")
    parts = step_parts(found.breakdown_s)
    assert page.legend.texts()[0].startswith(f"Compute {format_seconds(parts[0].value)}")
    assert page.view.accessibleName().startswith("Step time by part. Step time ")
    assert found.breakdown_s.total() == pytest.approx(
        sum(b.x1 - b.x0 for b in chart.panels[0].bars)
    )
    picture = page.view.grab().toImage()
    for number, mark in enumerate(chart.marks[:2]):
        place = page.view.mapFromGlobal(
            page.view._surface.viewport().mapToGlobal(page.view.place_of(number).toPoint())
        )
        token = "breakdown.compute" if number == 0 else "traffic.TP"
        assert picture.pixelColor(place) == QColor(window.theming.theme.color(token)), mark.words


def test_a_pointer_and_the_arrow_keys_read_out_the_same(
    engine: Analyser, page: PlotsPanel, qtbot: QtBot
) -> None:
    engine.plan(tp=8, pp=2)
    chart = shown(page, "step")
    place = page.view.place_of(1).toPoint()
    qtbot.mouseMove(page.view._surface.viewport(), place)
    assert page.view.mark_under(QPointF(place)) == 1
    page.view.point(-1)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Right)
    qtbot.keyClick(page.view, Qt.Key.Key_Right)
    assert page.view.mark == 1
    assert page.readout.text() == chart.marks[1].words
    qtbot.keyClick(page.view, Qt.Key.Key_End)
    assert page.readout.text() == chart.marks[-1].words
    qtbot.keyClick(page.view, Qt.Key.Key_Left)
    assert page.view.mark == len(chart.marks) - 2
    qtbot.keyClick(page.view, Qt.Key.Key_Escape)
    assert page.readout.text().startswith(chart.title)
    assert page.view.mark_under(QPointF(2, 2)) == -1


def test_links_and_memory_are_asked_for_once_a_result(engine: Analyser, page: PlotsPanel) -> None:
    found = engine.plan(tp=8, pp=2)
    memory = shown(page, "memory")
    links = shown(page, "links")
    assert [type(q) for q in engine.asked] == [Charts]
    worst = max(sum(b.y1 - b.y0 for b in memory.panels[0].bars if b.x0 // 1 == s) for s in (-1, 0))
    assert worst == pytest.approx(found.memory.total_bytes / 1e9)
    assert [p.title.split(" · ")[0] for p in links.panels] == [
        "scale-up", "host-leaf", "leaf-spine", "host-bus",
    ]  # fmt: skip
    engine.plan(tp=4, pp=2)
    shown(page, "links")
    assert [type(q) for q in engine.asked] == [Charts, Charts]


def test_the_result_before_the_last_change_is_kept_beside(
    engine: Analyser, page: PlotsPanel
) -> None:
    before = engine.plan(tp=16, pp=2, global_batch=64)
    after = engine.plan(tp=8, pp=2, global_batch=64)
    chart = shown(page, "step")
    assert [words.text for words in chart.panels[0].texts] == [
        format_seconds(after.step_time_s), format_seconds(before.step_time_s),
    ]  # fmt: skip


def test_old_figures_fade(
    window: MainWindow, pod: DocumentSession, engine: Analyser, page: PlotsPanel
) -> None:
    engine.plan(tp=8, pp=2)
    shown(page, "step")
    assert page.view.opacity == 1.0
    pod.set_analysis_state(EngineState("stale"))
    page.refresh()
    assert page.view.opacity == window.theming.theme.opacity("state.stale_opacity")
    assert page.legend.graphicsEffect() is not None
    window.theming.choose("light")
    assert page.view.opacity == window.theming.theme.opacity("state.stale_opacity")


def test_figures_whose_successors_are_late_fade(
    window: MainWindow, pod: DocumentSession, engine: Analyser, page: PlotsPanel, qtbot: QtBot
) -> None:
    shown(page, "bandwidth")
    page.asked.disconnect(engine.answer)
    leaf = next(d for d in pod.document.devices.values() if d.kind == "leaf")
    patience = page._patience["bandwidth"]
    with qtbot.waitSignal(patience.late):
        pod.apply(Edit("Fail 1 element", put=(replace(leaf, failed=True),)))
        page.refresh()
    page.refresh()
    assert page.view.opacity == window.theming.theme.opacity("state.stale_opacity")
    page._take_sweeps(pod, Reply(pod.key, 9, 1, line="The analysis process has stopped"))
    page.refresh()
    assert page.empty.text() == "The analysis process has stopped"
    assert not patience.is_late


def test_a_plan_that_cannot_exist_says_why(
    pod: DocumentSession, engine: Analyser, page: PlotsPanel
) -> None:
    from topoedit.model.plan import Plan, Workload

    pod.set_workload(Workload(model="llama-3.1-70b", plan=Plan(tp=3)), "Set plan")
    pod.set_analysis_state(EngineState("refused", why="tp 3 does not divide the 64 heads"))
    page.refresh()
    assert page.empty.text() == "tp 3 does not divide the 64 heads"


def test_why_can_be_asked_of_every_figure_of_the_step(
    engine: Analyser, page: PlotsPanel, qtbot: QtBot
) -> None:
    engine.plan(tp=8, pp=2)
    chart = shown(page, "step")
    assert {key.explain for key in chart.keys} >= {"breakdown_s.compute", "breakdown_s.tp"}
    with qtbot.waitSignal(page.why_asked) as asked:
        page.legend._rows.itemAt(1).widget().why_asked.emit(chart.keys[1].explain)
    assert asked.args == ["breakdown_s.tp"]


# -- files -----------------------------------------------------------------------------------


def test_the_data_can_be_copied(engine: Analyser, page: PlotsPanel, window: MainWindow) -> None:
    found = engine.plan(tp=8, pp=2)
    shown(page, "step")
    page.copy.click()
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0] == ["result", "part", "seconds"]
    assert ["Now", "Step time", str(found.step_time_s)] in rows
    assert "Copied the data" in window.documents.messages.text


@pytest.mark.parametrize("key", ["step", "links", "bandwidth", "memory"])
def test_every_chart_is_written_as_svg_png_and_csv(
    engine: Analyser, page: PlotsPanel, window: MainWindow, tmp_path: Path, key: str
) -> None:
    engine.plan(tp=8, pp=2)
    chart = shown(page, key)
    for kind in ("svg", "png", "csv"):
        page.write(kind, tmp_path / f"chart.{kind}")
        assert f"Saved chart.{kind}" in window.documents.messages.text
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    texts = [(t.text or "").strip() for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert chart.title in texts
    assert all(legend.name in texts for legend in chart.keys)
    assert all(p.x.title in texts for p in chart.panels)
    image = QImage(str(tmp_path / "chart.png"))
    assert (image.width(), image.height()) == (1920, 840)
    back = window.theming.theme.color("surface.panel")
    assert image.pixelColor(2, 2) == back
    written = list(csv.reader(io.StringIO((tmp_path / "chart.csv").read_text("utf-8"))))
    assert tuple(written[0]) == chart.heads
    assert len(written) == len(chart.table) + 1


@pytest.mark.parametrize("name", ["light", "dark"])
def test_bars_of_a_file_have_the_colours_and_lengths_of_their_parts(
    page: PlotsPanel, name: str
) -> None:
    from topoedit.editor.plots.export import png_bytes

    theme = Theme.load(name)
    image = QImage.fromData(png_bytes(step_chart(analysis()), theme, 1.0))
    counts = {}
    for token in ("breakdown.compute", "traffic.TP"):
        color = theme.color(token).rgb()
        counts[token] = max(
            sum(image.pixel(x, y) == color for x in range(image.width()))
            for y in range(120, image.height(), 4)
        )
    assert counts["breakdown.compute"] / counts["traffic.TP"] == pytest.approx(5.0, rel=0.05)


def test_a_file_that_cannot_be_written_is_said(
    engine: Analyser, page: PlotsPanel, window: MainWindow, tmp_path: Path
) -> None:
    engine.plan(tp=8, pp=2)
    shown(page, "step")
    page.write("csv", tmp_path / "missing" / "chart.csv")
    assert "missing" in window.documents.messages.text


def test_the_library_is_read_beside_the_window(window: MainWindow, qtbot: QtBot) -> None:
    from topoedit.editor.plots.loader import PlotLibrary

    library = PlotLibrary(window)
    library.wait()
    assert library.is_ready
    library.want()
    assert library._thread is None
