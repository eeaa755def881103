"""Screens, themes and what leaves the program: pains 36 to 40 and some of the next ten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QDialog

from tests.editor.pains.conftest import Desk
from topoedit.editor.canvas.picture import Picture
from topoedit.editor.session import DocumentSession
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Exclusion
from topoedit.render.loadcodes import BINS
from topoedit.render.theme import Theme
from topoedit.render.view import View

DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
     [-0.011820, 0.042940, 0.968881]]
)  # fmt: skip
"""Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB."""


def jobs(painter: QPainter, view: View) -> Iterator[object]:
    painter.fillRect(0, 0, 10, 10, QColor("red"))
    yield None


def test_another_screen_has_the_picture_painted_in_its_own_pixels(qapp: object) -> None:
    picture = Picture(jobs)
    view = View.at(0, 0, 1.0, 300, 200)
    picture.show(view, 1.0)
    picture.finish()
    assert picture.is_sharp
    picture.show(view, 2.0)
    assert not picture.is_sharp
    picture.finish()
    assert picture.is_sharp
    assert picture._front is not None
    assert picture._front.image.devicePixelRatio() == 2.0
    picture.stop()


def test_a_picture_that_goes_half_painted_ends_its_painter(qapp: object) -> None:
    picture = Picture(jobs)
    picture.show(View.at(0, 0, 1.0, 300, 200), 1.0)
    brush = picture._brush
    while brush._painter is None:
        picture._advance(0.0)  # one batch
    assert brush._painter is not None
    shiboken6.delete(picture)
    assert brush._painter is None


def linear(color: QColor) -> np.ndarray:
    """Linear RGB of an sRGB colour, IEC 61966-2-1."""
    value = np.array([color.redF(), color.greenF(), color.blueF()])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def luminance(value: np.ndarray) -> float:
    return float(value @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_load_colours_keep_their_order_for_people_who_see_no_green(name: str) -> None:
    theme = Theme.load(name)
    ramp = [luminance(np.clip(DEUTERANOPIA @ linear(c), 0, 1)) for c in theme.load_bins()]
    assert len(ramp) == BINS
    steps = np.diff(ramp)
    assert (steps > 0).all() or (steps < 0).all(), ramp
    low, high = min(ramp[0], ramp[-1]), max(ramp[0], ramp[-1])
    assert (high + 0.05) / (low + 0.05) > 3  # the ends can be told apart by lightness alone


def test_what_is_saved_holds_no_time_and_no_view(desk: Desk, tmp_path: Path) -> None:
    one, two = tmp_path / "one.topo.json", tmp_path / "two.topo.json"
    desk.window.files.write(desk.session, one)
    desk.look_at(4_000.0, 900.0, 0.4)
    desk.do("view.theme_light")
    desk.session.select(["leaf-1"])
    desk.do("edit.delete", "leaf-1")
    desk.do("edit.undo")
    desk.window.files.write(desk.session, two)
    assert one.read_bytes() == two.read_bytes()


def test_accepted_findings_stay_accepted_through_every_reopening(
    document: Document, catalog, tmp_path: Path
) -> None:
    accepted = Exclusion(id="x-1", rule="ports.free", elements=("leaf-1",), comment="on purpose")
    document.apply(Edit("Accept", put=(accepted,)))
    target = tmp_path / "a.topo.json"
    for _ in range(3):
        native.save(document, target)
        document = native.load(target, catalog)
        assert document.exclusions["x-1"] == accepted


def test_what_is_copied_goes_into_the_drawing_in_front_alone(
    desk: Desk, catalog, document: Document
) -> None:
    first, before = desk.session, desk.state()
    desk.do("edit.copy", "node-1", "leaf-1")
    desk.window.add_session(DocumentSession(Document(catalog), title="Other"))
    desk.do("edit.paste")
    desk.do("edit.paste")
    assert len(desk.document.devices) == 4
    assert {e.id: e for e in first.document.elements()} == before


@pytest.mark.parametrize("action", ["edit.replace", "file.export", "insert.array", "insert.wire"])
def test_dialogs_belong_to_the_window_and_open_on_its_screen(desk: Desk, action: str) -> None:
    desk.do(action, "node-1")
    dialogs = [d for d in desk.window.findChildren(QDialog) if d.isVisible()]
    assert dialogs
    for dialog in dialogs:
        assert dialog.window() is dialog
        assert dialog.parentWidget() is desk.window
        assert dialog.screen() is desk.window.screen()
        dialog.reject()
