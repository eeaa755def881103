"""Legend, minimap, bars, plates and notes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from tests.render.drawings import document, pod64, some_loads
from tests.render.pictures import pixels, same_picture
from topoedit.model.analysis import Breakdown, Memory
from topoedit.render import bars, legend, minimap
from topoedit.render.ink import Ink, TextLog
from topoedit.render.labels import Plate, UsedCells, choose_plates, plate_rect
from topoedit.render.notes import wrapped
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import THEMES, Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")


class Sheet:
    """A picture to draw on."""

    def __init__(self, width: int, height: int, theme: str = "dark") -> None:
        self.theme = Theme.load(theme)
        self.image = QImage(width, height, QImage.Format.Format_RGB32)
        self.image.fill(self.theme.color("surface.panel"))
        self.painter = QPainter(self.image)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self.log = TextLog()
        self.ink = Ink(self.painter, self.theme, self.log)

    def done(self) -> QImage:
        self.painter.end()
        return self.image


@pytest.mark.parametrize("theme", THEMES)
def test_legend(theme: str) -> None:
    sheet = Sheet(280, 108, theme)
    shown = legend.Legend(traffic="TP", rates=(400, 400), unknown=12)
    legend.draw_legend(sheet.ink, 8, 8, shown)
    assert sheet.log.overlaps() == []
    frame = QRectF(8, 8, legend.WIDTH, legend.HEIGHT)
    assert all(frame.contains(box) for _, box in sheet.log.boxes)
    parts = legend.legend_parts(8, 8)
    assert all(frame.contains(part) for part in parts.values())
    same_picture(sheet.done(), f"legend-{theme}")


def test_legend_shortens_a_long_metric() -> None:
    sheet = Sheet(280, 108)
    legend.draw_legend(
        sheet.ink, 8, 8, legend.Legend("A figure with a very long name", "All classes")
    )
    assert sheet.log.overlaps() == []
    sheet.done()


def test_minimap_shows_all_devices_and_the_view() -> None:
    scene = DiagramScene(document(pod64()))
    scene.set_loads(scene.links.ids, *some_loads(len(scene.links)))
    theme = Theme.load("dark")
    picture = minimap.paint_minimap(scene, theme, 2.0)
    assert (picture.width(), picture.height()) == (320, 184)
    view = minimap.minimap_view(scene)
    for row in range(len(scene.devices)):
        left, top, right, bottom = scene.rects[:, row].tolist()
        x, y = view.to_pixels((left + right) / 2, (top + bottom) / 2)
        assert 0 <= x <= minimap.WIDTH
        assert picture.pixelColor(round(2 * x), round(2 * y)) == theme.color("canvas.device_part")
    sheet = Sheet(176, 108)
    shown = View.at(0, 0, 1.0, 300, 300)
    minimap.draw_minimap(sheet.ink, 8, 8, picture, scene, shown)
    x, y = view.to_pixels(shown.x, shown.y)
    frame = pixels(sheet.done())
    bright = np.array(theme.color("canvas.minimap_view").getRgb()[:3])
    column = frame[:, round(8 + x)]
    assert (np.abs(column.astype(int) - bright).sum(axis=1) < 120).any()


BREAKDOWN = Breakdown(
    compute=19.1, tp=3.6, dp=0.95, cp=0.5, pp=0.3, bubble=0.35, optimizer=0.3, other=0.5
)
MEMORY = Memory(
    stage=0, total_bytes=65.4e9, capacity_bytes=80e9, headroom_bytes=14.6e9, risk="fits",
    parameters_bytes=12.7e9, gradients_bytes=12.7e9, optimizer_bytes=4.8e9,
    activations_bytes=31.4e9, buffers_bytes=3e9, context_bytes=0.8e9,
)  # fmt: skip


def test_parts_of_a_step_keep_their_order_and_their_sum() -> None:
    parts = bars.step_parts(BREAKDOWN)
    assert [p.name for p in parts] == [
        "Compute",
        "TP",
        "CP",
        "PP",
        "DP",
        "Bubble",
        "Optimizer",
        "Other",
    ]
    assert sum(p.value for p in parts) == pytest.approx(BREAKDOWN.total())
    assert bars.step_parts(Breakdown()) == ()


def test_parts_of_memory_sum_to_its_total() -> None:
    assert sum(p.value for p in bars.memory_parts(MEMORY)) == pytest.approx(MEMORY.total_bytes)


def test_classes_come_in_their_fixed_order() -> None:
    parts = bars.class_parts({"dp": 8.0, "ep": 92.0, "tp": 0.0})
    assert [(p.name, p.color) for p in parts] == [("EP", "traffic.EP"), ("DP", "traffic.DP")]


def test_a_stack_fills_its_width_in_proportion() -> None:
    sheet = Sheet(120, 30)
    parts = (bars.Part("a", 3, "traffic.TP"), bars.Part("b", 1, "traffic.DP"))
    bars.draw_stack(sheet.ink, 10, 10, 100, 10, parts)
    image = sheet.done()
    theme = sheet.theme
    assert image.pixelColor(15, 15) == theme.color("traffic.TP")
    assert image.pixelColor(80, 15) == theme.color("traffic.TP")
    assert image.pixelColor(90, 15) == theme.color("traffic.DP")
    assert image.pixelColor(106, 15) == theme.color("traffic.DP")


def test_memory_that_does_not_fit_is_red_beyond_the_capacity() -> None:
    import msgspec

    over = msgspec.structs.replace(MEMORY, capacity_bytes=40e9)
    sheet = Sheet(220, 30)
    bars.draw_memory(sheet.ink, 10, 10, 200, 10, over)
    image = sheet.done()
    edge = 10 + 200 * 40 / 65.4
    assert image.pixelColor(round(edge + 20), 15) == sheet.theme.color("memory.overflow")
    assert image.pixelColor(round(edge - 20), 15) != sheet.theme.color("memory.overflow")


@pytest.mark.parametrize("theme", THEMES)
def test_bars_look_as_they_did(theme: str) -> None:
    sheet = Sheet(300, 110, theme)
    bars.draw_stack(sheet.ink, 10, 10, 280, 14, bars.step_parts(BREAKDOWN))
    bars.draw_memory(sheet.ink, 10, 34, 280, 14, MEMORY)
    bars.draw_load_bar(sheet.ink, 10, 60, 280, 6, 0.87)
    bars.draw_load_bar(sheet.ink, 10, 76, 280, 6, 1.12)
    bars.draw_swatch(sheet.ink, 10, 92, bars.HATCH)
    bars.draw_swatch(sheet.ink, 26, 92, "traffic.EP")
    same_picture(sheet.done(), f"bars-{theme}")


def test_plates_never_overlap_and_the_hottest_win() -> None:
    sheet = Sheet(200, 200)
    crowd = [Plate(100 + i, 100, f"{i} %", priority=i) for i in range(50)]
    chosen = choose_plates(sheet.ink, crowd)
    assert chosen[0].priority == 49
    rects = [plate_rect(sheet.ink, p) for p in chosen]
    assert all(not a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    spread = [Plate(60 * (i % 30), 40 * (i // 30), f"{i}", priority=i) for i in range(90)]
    assert len(choose_plates(sheet.ink, spread)) == 40
    blocked = [QRectF(0, 0, 4000, 4000)]
    cells = UsedCells()
    assert cells.take(QRectF(0, 0, 10, 10))
    assert not cells.take(QRectF(5, 5, 10, 10))
    assert choose_plates(sheet.ink, spread, blocked) == []
    sheet.done()


def test_notes_wrap_at_words() -> None:
    sheet = Sheet(200, 100)
    lines = wrapped(sheet.ink, "Row B gets 400 more servers in March", 90, 400)
    assert " ".join(lines) == "Row B gets 400 more servers in March"
    assert len(lines) > 1
    assert all(sheet.ink.width_of(line, 11) <= 90 for line in lines)
    assert wrapped(sheet.ink, "", 90, 400) == [""]
    sheet.done()
