"""Painted pictures: every kind at every level, colours where they belong, texts apart."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.render.drawings import (
    Cables,
    device,
    document,
    every_kind,
    pod64,
    some_loads,
    superpod,
)
from tests.render.pictures import blank, painted, pixels, same_picture
from tests.render.scenes import color_at, loaded, small_pod
from topoedit.model.elements import AnyElement, Group
from topoedit.render import links
from topoedit.render.diagram import PaintOptions, both_ways, paint_jobs
from topoedit.render.end_labels import port_words
from topoedit.render.icons import draw_icon
from topoedit.render.ink import Ink, TextLog
from topoedit.render.kinds import painter_of, painters
from topoedit.render.loadscale import load_code
from topoedit.render.looks import look_at, short_name
from topoedit.render.overlay import Overlay, paint_overlay
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import THEMES, Theme
from topoedit.render.view import Level, View, level_at

pytestmark = pytest.mark.usefixtures("qapp")
SCALES = {Level.FAR: 0.15, Level.MID: 0.7, Level.NEAR: 1.2, Level.INSIDE: 4.0}


@pytest.mark.parametrize("level", SCALES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_kind_is_painted_at_every_level(level: Level, theme: str) -> None:
    ground = Theme.load(theme).color("canvas.bg")
    for element in every_kind()[:-1]:
        scene, name = DiagramScene(document([element])), element.id
        left, top, right, bottom = scene.rects[:, 0].tolist()
        scale = SCALES[level]
        view = View.at(
            left - 20 / scale, top - 20 / scale, scale,
            (right - left) * scale + 40, (bottom - top) * scale + 40,
        )  # fmt: skip
        assert view.level == level
        image, log = painted(scene, view, theme)
        middle = color_at(image, view.width / 2, view.height / 2)
        assert middle != ground, f"{name} is not there"
        assert color_at(image, 3, 3) == ground
        assert log.overlaps() == [], name
        body = QRectF(19, 19, view.width - 38, view.height - 38)
        for text, box in log.boxes:
            assert body.contains(box), f"{name}: {text!r} spills"
        if level >= Level.NEAR:
            assert any(name == text or text.endswith("…") for text, _ in log.boxes), name


def test_every_kind_has_a_painter_and_unknown_ones_the_generic() -> None:
    scene = DiagramScene(document(every_kind()))
    view = View.fit(scene.bounds(), 1000, 600)
    styles = {look_at(scene, view, row).style for row in range(len(scene.devices))}
    assert styles <= set(painters())
    assert painter_of("something-new") is painters()["switch"]


@pytest.mark.parametrize("scale", [0.3, 0.62, 1.0, 1.8, 3.0, 4.2])
def test_texts_never_meet(scale: float) -> None:
    scene = loaded(pod64())
    image, log = painted(scene, View.at(-40, -10, scale, 1060 * scale, 640 * scale))
    assert log.overlaps() == []
    assert not image.isNull()
    assert all(max(box.height(), box.width()) > 8 for _, box in log.boxes), (
        "nothing is written under 10 pixels"
    )


def test_the_half_next_to_a_device_shows_what_leaves_it() -> None:
    cables = Cables()
    pair = [device("a", "leaf", "leaf", 0, 0), device("b", "leaf", "leaf", 0, 300)]
    scene = DiagramScene(document([*pair, cables.link("a", "1-4", "b", "1-4", 4)]))
    scene.set_loads(scene.links.ids, [0.95], [0.30])
    theme = Theme.load("dark")
    view = View(-100, -50, 0.8, 160, 320, Level.MID)
    image, _ = painted(scene, view, options=PaintOptions(labels="none"))
    x = view.to_pixels(0, 0)[0]
    upper, lower = (view.to_pixels(0, y)[1] for y in (80, 220))
    assert near_color(image, x, upper, theme.load_color(load_code(0.95)))
    assert near_color(image, x, lower, theme.load_color(load_code(0.30)))


def near_color(image: object, x: float, y: float, wanted: QColor) -> bool:
    around = [color_at(image, x + dx, y) for dx in (-1, 0, 1)]
    return any(
        sum(abs(a - b) for a, b in zip(c.getRgb()[:3], wanted.getRgb()[:3], strict=True)) < 60  # type: ignore[index]
        for c in around
    )


def test_hot_lines_lie_over_cold_ones() -> None:
    cables = Cables()
    made = [
        device("a", "leaf", "leaf", 0, 0), device("b", "leaf", "leaf", 400, 400),
        device("c", "leaf", "leaf", 400, 0), device("d", "leaf", "leaf", 0, 400),
    ]  # fmt: skip
    hot = cables.link("a", "1-4", "b", "1-4", 4)
    cold = cables.link("c", "1-4", "d", "1-4", 4)
    scene = DiagramScene(document([*made, hot, cold]))
    theme = Theme.load("dark")
    view = View(-60, -40, 0.8, 440, 400, Level.MID)
    for link_id, other in ((hot.id, cold.id), (cold.id, hot.id)):
        scene.set_loads([link_id, other], [0.9, 0.1], [0.9, 0.1])
        image, _ = painted(scene, view, options=PaintOptions(labels="none"))
        x, y = view.to_pixels(200, 200)
        assert near_color(image, x, y, theme.load_color(load_code(0.9)))


def line_looks(load: float, **more: object) -> list[tuple[str, float, list[float]]]:
    """Colour, width and dashes with which one line is drawn."""
    cables = Cables()
    pair = [device("a", "leaf", "leaf", 0, 0), device("b", "leaf", "leaf", 0, 300)]
    scene = DiagramScene(document([*pair, cables.link("a", "1", "b", "1", **more)]))
    scene.set_loads(scene.links.ids, [load], [load])
    theme = Theme.load("dark")
    view = View(-100, -50, 0.5, 160, 320, Level.MID)
    rows = links.visible_strokes(scene, view)
    mode = links.line_mode(scene, view, rows)
    recorder = Recorder()
    for job in links.line_jobs(scene, view, rows, links.line_palette(theme, mode)):
        job(recorder)  # type: ignore[arg-type]
    return recorder.pens


class Recorder:
    """A painter that only notes its pens."""

    def __init__(self) -> None:
        self.pens: list[tuple[str, float, list[float]]] = []

    def setRenderHint(self, *_: object) -> None: ...

    def setPen(self, pen: object) -> None:
        width = pen.widthF()  # type: ignore[attr-defined]
        dashes = [d * width for d in pen.dashPattern()]  # type: ignore[attr-defined]
        self.pens.append((pen.color().name(), width, [round(d, 2) for d in dashes]))  # type: ignore[attr-defined]

    def drawLines(self, *_: object) -> None: ...


def test_lines_say_their_state_without_colour_too() -> None:
    theme = Theme.load("dark")
    name = {
        k: theme.color(f"load.{k}").name()
        for k in ("overload", "overload_core", "nodata", "down", "idle")
    }
    plain = theme.color("canvas.link_plain").name()
    over, core = line_looks(1.12)
    assert over == (name["overload"], 2.5, [])  # one pixel wider
    assert core[0] == name["overload_core"]
    assert core[2] == [6, 5]
    assert line_looks(np.nan) == [(name["nodata"], 1.5, [1, 4])]
    assert line_looks(0.0) == [(name["idle"], pytest.approx(1.0, abs=0.02), [])]
    assert line_looks(0.5, failed=1) == [(name["down"], 1.5, [2, 3])]
    assert line_looks(np.nan, network="storage") == [(plain, pytest.approx(1, abs=0.02), [4, 3])]
    assert line_looks(np.nan, network="out-of-band")[0][2] == [1, 3]
    assert line_looks(0.0, planned=True)[0][2] == [6, 4]
    assert line_looks(0.5, km=2480)[0][1] == 3.0


def test_crowded_pictures_are_thin_and_fade_the_cold() -> None:
    scene = loaded(superpod(4, 16))
    view = View.fit(scene.bounds(), 1000, 600)
    rows = links.visible_strokes(scene, view)
    mode = links.line_mode(scene, view, rows)
    assert len(rows) > links.SMOOTH_LINKS
    assert mode.thin
    pod = loaded(pod64())
    near = View.fit(pod.bounds(), 1000, 600)
    near_mode = links.line_mode(pod, near, links.visible_strokes(pod, near))
    assert not near_mode.thin
    assert near_mode.smooth
    assert near_mode.curved
    assert near_mode.slim == 1.0


def test_jobs_are_small_and_give_the_picture_of_one_go() -> None:
    scene = loaded(superpod(2, 8))
    view = View.fit(scene.bounds(), 700, 420)
    theme = Theme.load("light")
    whole, _ = painted(scene, view, "light", PaintOptions())
    image = blank(view)
    jobs = list(paint_jobs(scene, theme, view))
    assert len(jobs) > 10
    for job in jobs:
        painter = QPainter(image)  # each on a painter of its own, as a screen does between frames
        job(painter)
        painter.end()
    assert np.array_equal(pixels(image), pixels(whole))


def test_what_is_outside_the_view_is_not_drawn() -> None:
    scene = loaded(pod64())
    image, log = painted(scene, View.at(5000, 5000, 1.0, 200, 200))
    assert len(np.unique(pixels(image).reshape(-1, 3), axis=0)) == 1
    assert log.boxes == []


def test_labels_stand_apart_and_only_on_hot_lines() -> None:
    scene = loaded(pod64())
    view = View.fit(scene.bounds(), 1000, 620)
    _, log = painted(scene, view)
    plates = [text for text, _ in log.boxes if re.fullmatch(r"\d+\u2009%( · ×\d+)?", text)]
    group = max(scene.node_loads[scene.node_of("rack-row-a")], 0)
    plates.remove(f"{group * 100:.0f}\u2009%")  # the title of the group
    assert plates
    assert all(int(text.split("\u2009")[0]) >= 90 for text in plates)
    _, silent = painted(scene, view, options=PaintOptions(labels="none", log=(log2 := TextLog())))
    assert len(log2.boxes) < len(log.boxes)
    assert silent.boxes == []


def test_titles_outside_stand_only_where_it_is_free() -> None:
    made: list[AnyElement] = []
    for row, name in enumerate(("upper", "lower")):
        made.append(Group(id=name, name=name, kind="pod"))
        made.extend(
            device(f"{name}-{i}", "dgx", "server", i * 130.0, row * 190.0, group=name)
            for i in range(8)
        )
    scene = DiagramScene(document(made))
    view = View.fit(scene.bounds(), 300, 200, margin=40)
    assert 32 * view.scale < 13, "too small for titles inside"
    _, log = painted(scene, view)
    titles = {text for text, _ in log.boxes}
    assert "upper" in titles
    assert "lower" not in titles, "it would stand on the other pod"


def test_both_directions_are_told_with_arrows() -> None:
    cables = Cables()
    made = [device("a", "leaf", "leaf", 0, 300), device("b", "leaf", "leaf", 0, 0)]
    scene = DiagramScene(document([*made, cables.link("a", "1", "b", "1")]))
    scene.set_loads(scene.links.ids, [0.4], [0.46])
    assert both_ways(scene, 0) == "↑ 40\u2009%  ↓ 46\u2009%"


def test_ends_name_their_ports_from_200_percent_on() -> None:
    scene = loaded(pod64())
    _, near = painted(scene, View.at(-20, 100, 1.9, 900, 600))
    _, close = painted(scene, View.at(-20, 100, 2.0, 900, 600))
    names = {text for text, _ in close.boxes}
    assert {"33–34", "39–40", "1", "8"} <= names
    assert "33–34" not in {text for text, _ in near.boxes}
    assert close.overlaps() == []
    row = scene.devices.row["leaf-0"]
    stroke = int(scene.strokes.of_link[scene.links.row["leaf-0:33-34-spine-0:1-2"]])
    assert port_words(scene, row, stroke) == "33–34"
    assert port_words(scene, scene.devices.row["spine-0"], stroke) == "1–2"


def test_levels_change_late() -> None:
    assert level_at(0.2) == Level.FAR
    assert level_at(24 / 108) == Level.MID
    assert level_at(25 / 108, Level.FAR) == Level.FAR  # 10 % more than 24 is needed to leave it
    assert level_at(27 / 108, Level.FAR) == Level.MID
    assert level_at(90 / 108, Level.NEAR) == Level.NEAR
    assert level_at(86 / 108, Level.NEAR) == Level.MID
    assert level_at(4.0, Level.FAR) == Level.INSIDE


def test_names_of_accelerators_are_short() -> None:
    assert short_name("NVIDIA H100 SXM5 80GB") == "H100"
    assert short_name("AMD Instinct MI300X") == "MI300X"
    assert short_name("NVIDIA Rubin (Vera Rubin, VR200, per GPU package)") == "Rubin"
    assert short_name("Google TPU v5p") == "TPU v5p"
    assert short_name("Intel Gaudi 3") == "Gaudi 3"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["near", "mid", "inside", "collapsed"])
def test_pictures_look_as_they_did(theme: str, name: str) -> None:
    made = small_pod()
    if name == "collapsed":
        made = [replace(e, collapsed=True) if isinstance(e, Group) else e for e in made]
    scene = loaded(made)
    forward, backward = some_loads(len(scene.links))
    forward[-1], backward[0] = 1.12, np.nan
    scene.set_loads(scene.links.ids, forward, backward)
    scene.set_inner_loads({f"node-01/nvlink/gpu{g}": 0.41 for g in range(8)})
    view = View.fit(scene.bounds(), 360, 620, margin=24)
    if name == "mid":
        view = View.fit(scene.bounds(), 240, 400, margin=16)
    elif name == "inside":
        view = View.at(-8, 420, 3.4, 420, 460)
    image, log = painted(scene, view, theme)
    assert log.overlaps() == []
    same_picture(image, f"{name}-{theme}")


@pytest.mark.parametrize("theme", THEMES)
def test_states_look_as_they_did(theme: str) -> None:
    made = [
        replace(e, failed=True)
        if e.id == "spine-1"
        else replace(e, locked=True)
        if e.id == "node-02"
        else e
        for e in small_pod()
    ]
    scene = loaded(made)
    view = View.fit(scene.bounds(), 360, 620, margin=24)
    image, _ = painted(scene, view, theme)
    painter = QPainter(image)
    overlay = Overlay(
        selected=("node-01", "leaf-0:33-34-spine-0:1-2"),
        hovered="spine-0",
        focused="node-02",
        legal=frozenset({"leaf-0"}),
        illegal=frozenset({"leaf-1"}),
        marks={"spine-0": ("error", 1), "leaf-1": ("warning", 3)},
    )
    paint_overlay(painter, scene, Theme.load(theme), view, overlay)
    painter.end()
    same_picture(image, f"states-{theme}")


def test_a_stale_result_and_focus_sink_back() -> None:
    scene = loaded(pod64())
    view = View.fit(scene.bounds(), 700, 420)
    bright = pixels(painted(scene, view, options=PaintOptions(labels="none"))[0]).astype(int)
    stale = PaintOptions(labels="none", strength=Theme.load("dark").opacity("state.stale_opacity"))
    dimmed = pixels(painted(scene, view, options=stale)[0]).astype(int)
    assert dimmed.sum() < bright.sum()
    focus = PaintOptions(labels="none", focus=frozenset({"node-01", "leaf-0"}))
    focused = pixels(painted(scene, view, options=focus)[0]).astype(int)
    assert focused.sum() < dimmed.sum()


def test_text_that_does_not_fit_is_shortened_or_left_out() -> None:
    view = View.at(0, 0, 1, 200, 60)
    image = blank(view)
    painter = QPainter(image)
    ink = Ink(painter, Theme.load("dark"), TextLog())
    end = ink.text(10, 10, "a-very-long-device-name", 11, 600, width=60, elide="middle")
    assert end <= 70.5
    assert ink.text(10, 30, "something", 11, width=3) == 10
    assert ink.fitting(("rail 5 · 112 %", "112 %", ""), 40, 10) == "112 %"
    painter.end()
    assert ink.log is not None
    assert ink.log.elided == ["a-very-long-device-name", "something"]
    assert len(ink.log.boxes) == 1


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_icons_are_drawn_where_a_widget_inside_another_is(qtbot: QtBot, ratio: float) -> None:
    """The same pixels wherever the widget lies: its painter is moved, not only scaled."""

    class Small(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            painter = QPainter(self)
            draw_icon(painter, "chevron-down", QRectF(4, 4, 16, 16), QColor("red"))
            painter.end()

    holder = QWidget()
    holder.resize(200, 120)
    first, second = Small(holder), Small(holder)
    for at, small in zip((0, 80), (first, second), strict=True):
        small.setGeometry(at, at // 2, 24, 24)
    qtbot.addWidget(holder)
    image = QImage(round(200 * ratio), round(120 * ratio), QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    holder.render(image, QPoint(), holder.rect(), QWidget.RenderFlag.DrawChildren)
    side = round(24 * ratio)
    here = image.copy(0, 0, side, side)
    there = image.copy(round(80 * ratio), round(40 * ratio), side, side)
    assert pixels(here).any()
    assert (pixels(here) == pixels(there)).all()
