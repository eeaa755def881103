"""Marks, selections and names over the picture: they stand apart and stay readable."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from tests.render.drawings import (
    pod64,
    superpod,
)
from tests.render.pictures import blank, painted
from tests.render.scenes import loaded
from topoedit.model.elements import Group, Link, Settings
from topoedit.render import containers
from topoedit.render import overlay as overlay_module
from topoedit.render.ink import Ink, TextLog
from topoedit.render.link_words import stroke_label
from topoedit.render.overlay import Overlay, paint_overlay
from topoedit.render.theme import Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")


def test_plates_of_many_selected_lines_stand_apart_and_titles_stay_readable() -> None:
    scene = loaded(pod64(4))
    theme = Theme.load("dark")
    view = View.fit(scene.bounds(), 1000, 600)
    log = TextLog()
    image = blank(view)
    painter = QPainter(image)
    paint_overlay(painter, scene, theme, view, Overlay(selected=tuple(scene.links.ids), log=log))
    painter.end()
    assert log.overlaps() == []
    assert any(text == "Rack row A" for text, _ in log.boxes)


def test_every_selected_line_is_marked_not_only_the_first_ones() -> None:
    scene = loaded(pod64(4))
    theme = Theme.load("dark")
    view = View.fit(scene.bounds(), 1000, 600)
    halo = theme.color("selection.stroke", 0.42)
    seen = []

    class Counting(Ink):
        def path(self, path, color, width=1.0, *rest, **more) -> None:
            seen.append(color == halo)
            super().path(path, color, width, *rest, **more)

    image = blank(view)
    painter = QPainter(image)
    strokes = overlay_module._strokes_of(scene, tuple(scene.links.ids))
    assert len(strokes) > overlay_module._MOST_TWO_WAY
    chosen = Overlay(selected=tuple(scene.links.ids))
    overlay_module._paint_links(Counting(painter, theme), scene, view, chosen, False)
    painter.end()
    assert sum(seen) == len(strokes)


def test_a_failed_line_says_failed_and_no_percentage() -> None:
    made = pod64(4)
    first = next(e for e in made if isinstance(e, Link))
    elements = [replace(e, failed=e.count) if e is first else e for e in made]
    scene = loaded(elements)
    stroke = int(scene.strokes.of_link[scene.links.row[first.id]])
    assert "failed" in stroke_label(scene, stroke)
    assert "%" not in stroke_label(scene, stroke)


@pytest.mark.parametrize("height", [20, 30, 47, 60, 90])
def test_a_closed_group_says_its_name_however_low_it_is(height: int) -> None:
    made = [
        replace(e, collapsed=True) if isinstance(e, Group) and e.id == "rack-row-a" else e
        for e in pod64(4)
    ]
    scene = loaded(made)
    index = next(i for i, g in enumerate(scene.grouping.groups) if g.group.id == "rack-row-a")
    view = View.at(0, 0, 1.0, 400, 200)
    look = replace_look(containers.group_look(scene, view, index), 20, 20, 240, height)
    log = TextLog()
    image = blank(view)
    painter = QPainter(image)
    containers.draw_tile(Ink(painter, Theme.load("light"), log), scene, look)
    painter.end()
    assert "Rack row A" in [text for text, _ in log.boxes]
    assert log.overlaps() == []
    room = QRectF(look.x, look.y, look.w, look.h)
    assert all(room.contains(box.adjusted(0, 2, 0, -2)) for _, box in log.boxes)


def replace_look(
    look: containers.GroupLook, x: float, y: float, w: float, h: float
) -> containers.GroupLook:
    return dataclasses.replace(look, x=x, y=y, w=w, h=h)


def test_marks_never_lie_on_each_other_and_the_worst_stays() -> None:
    scene = loaded(superpod(4, 16))
    view = View.fit(scene.bounds(), 1000, 600)
    marks = dict.fromkeys(scene.devices.ids, ("warning", 3))
    worst = scene.devices.ids[7]
    marks[worst] = ("error", 2)
    shown = list(overlay_module.all_marks(scene, view, Overlay(marks=marks)))
    corners = [(place.x, place.y) for place in shown]
    assert 1 < len(shown) < len(marks)
    for index, (x, y) in enumerate(corners):
        assert all(abs(x - a) >= 16 or abs(y - b) >= 16 for a, b in corners[:index])
    assert [place.mark for place in shown].count("error") == 1
    wide = {i: overlay_module.pixel_box(scene, view, i) for i in marks}
    assert all(p.count == 1 for p in shown if (box := wide[p.element]) and box.w < 56)


def test_remarks_wait_until_one_looks_closely() -> None:
    scene = loaded(pod64(4))
    far = View.fit(scene.bounds(), 700, 400)
    marks = {"leaf-1": ("info", 1), "spine-0": ("warning", 1)}
    seen = [m.mark for m in overlay_module.all_marks(scene, far, Overlay(marks=marks))]
    assert seen == ["warning"]
    chosen = Overlay(marks=marks, selected=("leaf-1",))
    assert len(list(overlay_module.all_marks(scene, far, chosen))) == 2
    x0, y0, _, _ = scene.rect_of("leaf-1") or (0, 0, 0, 0)
    close = View.at(x0 - 50, y0 - 50, 1.6, 700, 400)
    marks = {"leaf-1": ("info", 1)}
    assert len(list(overlay_module.all_marks(scene, close, Overlay(marks=marks)))) == 1


@pytest.mark.parametrize("scale", [0.3, 0.4, 0.5, 0.7])
def test_no_name_is_cut_down_to_a_few_letters(scale: float) -> None:
    """A cut name shows most of itself, or an icon stands in its place."""
    long = [
        replace(e, name=f"site-one-{e.name}") if hasattr(e, "name") and not hasattr(e, "a") else e
        for e in pod64(4)
        if not isinstance(e, Settings)
    ]
    scene = loaded(long)
    x0, y0, x1, y1 = scene.bounds()
    view = View.at(x0 - 40, y0 - 40, scale, (x1 - x0 + 80) * scale, (y1 - y0 + 80) * scale)
    _, log = painted(scene, view)
    switches = [d.name for d in scene.document.devices.values() if d.kind != "server"]
    for full in (*switches, *(g.name for g in scene.document.groups.values())):
        if full in log.elided:
            ends = [text.split("…") for text, _ in log.boxes if "…" in text]
            cut = [a + b for a, b in ends if full.startswith(a) and full.endswith(b)]
            assert max(map(len, cut)) >= 0.6 * len(full)
