"""Dotted lines by the thousand."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QPainter

from tests.render.drawings import document
from tests.render.pictures import blank, pixels
from tests.render.test_crowds import mesh
from topoedit.render import links
from topoedit.render.dots import PITCH, dots_along, draw_dots, shares_inside
from topoedit.render.loadscale import NO_DATA
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")


def lines(*rows: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(rows, dtype=np.float64)


def test_one_pixel_in_five_is_drawn() -> None:
    image = blank(View(0, 0, 1, 100, 40))
    painter = QPainter(image)
    draw_dots(painter, lines((10, 20.5, 60, 20.5), (5, 5, 5, 25)), QColor("white"))
    painter.end()
    lit = pixels(image).any(axis=2)
    assert np.flatnonzero(lit[20]).tolist() == [5, *range(10, 61, 5)]
    assert np.flatnonzero(lit[:, 5]).tolist() == [5, 10, 15, 20, 25]
    assert lit.sum() == 11 + 5


def test_lines_are_cut_to_the_window_and_dots_keep_their_places() -> None:
    long = lines((-1e6 - 3, 10, 1e6, 10), (0, -50, 90, -20))
    boxes = dots_along(long, 100, 40)
    assert 19 <= len(boxes) <= 21, "not one dot outside"
    assert (boxes[:, 0] == boxes[:, 2]).all()
    on_first = boxes[boxes[:, 1] == 10]
    assert set(((on_first[:, 0] + 1e6 + 3) % PITCH).tolist()) <= {0.0, PITCH - 1}, "but rounding"


def test_shares_inside_a_window() -> None:
    first, last = shares_inside(
        lines((-50, 10, 150, 10), (10, 10, 20, 20), (-20, -20, -10, -5), (30, 5, 30, 5)), 100, 40
    )
    assert (first[0], last[0]) == (0.25, 0.75)
    assert (first[1], last[1]) == (0.0, 1.0)
    assert first[2] > last[2]
    assert first[3] <= last[3], "a point inside"


def test_unknown_links_are_dots_even_where_very_many_cross() -> None:
    scene = DiagramScene(document(mesh()))
    unknown = np.full(len(scene.links), np.nan)
    scene.set_loads(scene.links.ids, unknown, unknown)
    view = View.fit(scene.bounds(), 700, 420)
    rows = links.visible_strokes(scene, view)[:3]
    mode = links.LineMode(thin=True, smooth=False, curved=False, cover=50.0)
    palette = links.line_palette(Theme.load("dark"), mode)
    image = blank(view)
    painter = QPainter(image)
    for job in links.line_jobs(scene, view, rows, palette):
        job(painter)
    painter.end()
    lit = pixels(image).any(axis=2)
    seg = (scene.strokes.seg[rows] - (view.x, view.y, view.x, view.y)) * view.scale
    length = np.hypot(seg[:, 2] - seg[:, 0], seg[:, 3] - seg[:, 1]).sum()
    assert 0.15 * length < lit.sum() < 0.25 * length
    assert (pixels(image)[lit] == palette.colors[NO_DATA].getRgb()[:3]).all()
