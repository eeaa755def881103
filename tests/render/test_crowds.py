"""Crowded pictures without the lines that nobody sees: the same picture, at a part of the cost."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from tests.render.drawings import Cables, device, document
from tests.render.pictures import pixels
from topoedit.model.elements import AnyElement
from topoedit.render import crowds, links
from topoedit.render.crowds import Tally, crowd_jobs
from topoedit.render.diagram import PaintOptions, paint_jobs
from topoedit.render.links import Job, mixed_halves
from topoedit.render.loadscale import DOWN, FIRST_BIN, NO_DATA
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")

THEME = Theme.load("dark")
LEAVES, SPINES = 90, 60


def mesh(failed: frozenset[int] = frozenset()) -> list[AnyElement]:
    """Every leaf below joined to every spine above, by links of one cable each."""
    cables = Cables()
    made: list[AnyElement] = [device(f"l{i}", "leaf", "leaf", i * 120, 4000) for i in range(LEAVES)]
    made += [device(f"s{i}", "spine", "spine", i * 180, 0) for i in range(SPINES)]
    pairs = [(leaf, spine) for leaf in range(LEAVES) for spine in range(SPINES)]
    made += [
        cables.link(f"l{a}", str(b + 1), f"s{b}", str(a + 1), failed=int(number in failed))
        for number, (a, b) in enumerate(pairs)
    ]
    return made


@pytest.fixture(scope="module")
def scene() -> DiagramScene:
    made = DiagramScene(document(mesh()))
    random = np.random.default_rng(3)
    made.set_loads(made.links.ids, *(1.05 * random.beta(1.2, 3, (2, len(made.links)))))
    return made


def window(scene: DiagramScene) -> View:
    return View.fit(scene.bounds(), 700, 420)


def run(jobs: Iterable[Job], view: View, ratio: float = 1.0) -> QImage:
    image = QImage(
        round(view.width * ratio), round(view.height * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    painter = QPainter(image)
    for job in jobs:
        job(painter)
    painter.end()
    return image


def both(scene: DiagramScene, view: View) -> tuple[np.ndarray, np.ndarray, Tally]:
    """The picture of all lines, the one without hidden lines, and what that took."""
    rows = links.visible_strokes(scene, view)
    palette = links.line_palette(THEME, links.line_mode(scene, view, rows))
    tally = Tally()
    full = run(links.line_jobs(scene, view, rows, palette), view)
    thin = run(crowd_jobs(scene.strokes, view, rows, palette, 1.0, tally), view)
    return pixels(full), pixels(thin), tally


def of_color(picture: np.ndarray, *codes: int) -> np.ndarray:
    colors = links.line_palette(THEME, links.LineMode(True, False, False, cover=99.0)).colors
    wanted = [colors[code].getRgb()[:3] for code in codes]
    return np.any([(picture == rgb).all(axis=2) for rgb in wanted], axis=0)


def test_the_picture_is_the_one_with_all_lines(scene: DiagramScene) -> None:
    full, thin, tally = both(scene, window(scene))
    assert (full.max(axis=2) > 0).mean() > 0.3, "the lines cover much of the picture"
    assert tally.lines > 9_000
    assert tally.painted < 0.7 * tally.lines, "a third of them are never painted"
    view = window(scene)
    rows = links.visible_strokes(scene, view)
    assert tally.pixels < 0.6 * links.pixels_of(scene.strokes, view, rows), "nor are long covers"
    apart = np.abs(full.astype(int) - thin).max(axis=2)
    assert (apart > 16).mean() < 0.03
    assert ((full.max(axis=2) > 0) != (thin.max(axis=2) > 0)).mean() < 0.005


def test_hot_lines_stay_and_lie_on_top(scene: DiagramScene) -> None:
    full, thin, _ = both(scene, window(scene))
    hot = range(FIRST_BIN + 14, DOWN)
    before, after = of_color(full, *hot), of_color(thin, *hot)
    assert before.sum() > 1000
    assert (before & ~after).sum() < 0.02 * before.sum()
    assert (after & ~before).sum() < 0.02 * before.sum()


def test_a_line_in_the_open_is_never_left_out(scene: DiagramScene) -> None:
    far = [device("x", "leaf", "leaf", -6000, 0), device("y", "leaf", "leaf", -6000, 4000)]
    alone = Cables()
    alone.next = 100_000
    lonely = alone.link("x", "1", "y", "1")
    made = DiagramScene(document([*mesh(), *far, lonely]))
    loads = np.full(len(made.links), 0.95)
    loads[made.links.row[lonely.id]] = 0.01  # the coldest of all
    made.set_loads(made.links.ids, loads, loads)
    view = window(made)
    full, thin, _ = both(made, view)
    x = round(view.to_pixels(-6000, 0)[0])
    assert full[:, x - 2 : x + 3].any()
    assert (full[:, : x + 20] == thin[:, : x + 20]).all()


def test_links_of_one_load_are_painted_until_they_cover(scene: DiagramScene) -> None:
    made = DiagramScene(document(mesh()))
    made.set_loads(made.links.ids, np.full(len(made.links), 0.3), np.full(len(made.links), 0.3))
    full, thin, tally = both(made, window(made))
    assert tally.lines == LEAVES * SPINES, "both directions alike: one line, not two halves"
    assert tally.painted < 0.8 * tally.lines
    assert ((full.max(axis=2) > 0) != (thin.max(axis=2) > 0)).mean() < 0.02


def test_failed_and_unknown_links_are_seen_in_a_crowd() -> None:
    few = frozenset(range(0, LEAVES * SPINES, 600))
    made = DiagramScene(document(mesh(few)))
    loads = np.full(len(made.links), 0.3)
    loads[5::7] = np.nan
    made.set_loads(made.links.ids, loads, loads)
    full, thin, _ = both(made, window(made))
    for code, share in ((DOWN, 0.95), (NO_DATA, 0.4)):
        seen = of_color(full, code).sum()
        assert seen > 50
        assert of_color(thin, code).sum() > share * seen


def test_work_comes_in_small_steps(scene: DiagramScene, monkeypatch: pytest.MonkeyPatch) -> None:
    view = window(scene)
    rows = links.visible_strokes(scene, view)
    palette = links.line_palette(THEME, links.line_mode(scene, view, rows))
    portions: list[int] = []
    draw = links.draw_lines
    monkeypatch.setattr(
        links, "draw_lines", lambda p, part: (portions.append(len(part)), draw(p, part))
    )
    tally = Tally()
    steps = list(crowd_jobs(scene.strokes, view, rows, palette, 1.0, tally))
    assert tally.asked <= 6_000
    assert tally.layers >= 2
    assert len(steps) > len(portions) + tally.lines // 6_000
    assert max(portions) * 60 <= 2 * links.JOB_PIXELS


def test_jobs_asked_for_at_once_paint_the_same(scene: DiagramScene) -> None:
    view = window(scene)
    rows = links.visible_strokes(scene, view)
    palette = links.line_palette(THEME, links.line_mode(scene, view, rows))
    listed = run(list(crowd_jobs(scene.strokes, view, rows, palette)), view)
    streamed = run(crowd_jobs(scene.strokes, view, rows, palette), view)
    assert (pixels(listed) == pixels(streamed)).all()


def test_dense_screens_are_painted_in_their_own_pixels(scene: DiagramScene) -> None:
    view = window(scene)
    rows = links.visible_strokes(scene, view)
    palette = links.line_palette(THEME, links.line_mode(scene, view, rows))
    full = pixels(run(links.line_jobs(scene, view, rows, palette), view, 2.0))
    thin = pixels(run(crowd_jobs(scene.strokes, view, rows, palette, 2.0), view, 2.0))
    assert full.shape == thin.shape == (840, 1400, 3)
    assert (np.abs(full.astype(int) - thin).max(axis=2) > 16).mean() < 0.06


def test_nothing_to_paint_gives_an_empty_picture(scene: DiagramScene) -> None:
    view = window(scene)
    rows = links.visible_strokes(scene, view)[:0]
    palette = links.line_palette(THEME, links.LineMode(True, False, False))
    assert not pixels(run(crowd_jobs(scene.strokes, view, rows, palette), view)).any()


def test_only_a_screen_leaves_lines_out(
    scene: DiagramScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    real = crowds.crowd_jobs

    def note(*args: object, **more: object) -> object:
        asked.append(1)
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(crowds, "crowd_jobs", note)
    monkeypatch.setattr(crowds, "CROWD_PIXELS", 1e6)
    view = window(scene)
    for screen, times in ((None, 0), (1.0, 1)):
        asked.clear()
        run(paint_jobs(scene, THEME, view, PaintOptions(screen=screen)), view)
        assert len(asked) == times


def test_lines_of_one_colour_are_whole() -> None:
    made = DiagramScene(document(mesh()))
    ahead = np.full(len(made.links), 0.2)
    back = ahead.copy()
    back[:10] = 0.9
    made.set_loads(made.links.ids, ahead, back)
    rows = np.arange(20, dtype=np.int32)
    owner, side, code = mixed_halves(made.strokes, rows)
    assert len(owner) == 30
    assert sorted(side.tolist()) == [0] * 10 + [1] * 10 + [2] * 10
    assert set(owner[side == 0].tolist()) == set(range(10, 20))
    assert set(code[side == 2].tolist()) == {FIRST_BIN + 14}
