"""Colours that come faster than a picture is painted; dots written instead of painted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from topoedit.editor.canvas.picture import Picture
from topoedit.render.dots import draw_dots, stamp_dots
from topoedit.render.view import View

STEPS = 10
VIEW = View.at(0, 0, 1.0, 40, 30)


class Paintings:
    """Jobs of a picture that takes ten steps, each counted."""

    def __init__(self) -> None:
        self.begun = self.finished = 0

    def __call__(self, painter: QPainter, view: View) -> Iterator[object]:
        self.begun += 1
        for _ in range(STEPS):
            yield None
        self.finished += 1


@pytest.fixture
def made(qapp: object) -> Iterator[tuple[Picture, Paintings]]:
    paintings = Paintings()
    picture = Picture(paintings)
    picture.set_background(QColor("black"))
    picture.show(VIEW, 1.0)
    picture.finish()
    yield picture, paintings
    picture.stop()


def steps(picture: Picture, count: int) -> None:
    for _ in range(count):
        picture._advance(0.0)


def test_colours_that_never_cease_do_not_keep_the_picture_from_being_finished(
    made: tuple[Picture, Paintings],
) -> None:
    picture, paintings = made
    before = paintings.finished
    for _ in range(40):
        picture.recolour()
        steps(picture, STEPS // 2)
    assert paintings.finished - before >= 10


def test_the_newest_colours_are_shown_in_the_end(made: tuple[Picture, Paintings]) -> None:
    picture, paintings = made
    for _ in range(3):
        picture.recolour()
        steps(picture, 3)
    newest = paintings.begun
    picture.finish()
    assert paintings.begun == newest + 1
    assert picture.is_sharp


def test_one_newer_result_replaces_the_picture_under_way(made: tuple[Picture, Paintings]) -> None:
    picture, paintings = made
    before = paintings.begun
    picture.recolour()
    steps(picture, 3)
    picture.recolour()
    steps(picture, 3)
    assert paintings.begun == before + 2
    picture.finish()
    assert paintings.begun == before + 2


def test_an_edit_never_waits_for_the_picture_under_way(made: tuple[Picture, Paintings]) -> None:
    picture, paintings = made
    for _ in range(3):
        picture.recolour()
        steps(picture, 3)
    before = paintings.begun
    picture.invalidate()
    steps(picture, 3)
    assert paintings.begun == before + 1
    picture.finish()
    assert paintings.begun == before + 1


@pytest.mark.parametrize("ratio", [1, 2])
def test_written_dots_lie_where_painted_ones_do(ratio: int) -> None:
    random = np.random.default_rng(3)
    lines = random.uniform(-20, 80, (60, 4))
    image = QImage(60 * ratio, 40 * ratio, QImage.Format.Format_RGB32)
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        draw_dots(painter, lines, QColor(0, 0, 7))
    painted = np.frombuffer(image.constBits(), np.uint32).reshape(40 * ratio, -1) & 0xFF
    written = np.zeros((40 * ratio, 60 * ratio), np.uint8)
    stamp_dots(written, lines, 7, ratio)
    assert written.any()
    assert np.array_equal(written, painted)
