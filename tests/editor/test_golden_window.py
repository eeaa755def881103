"""The whole window as somebody looked at it: light and dark, at one and two pixels a point.

Kept are means of small blocks, which fonts that are hinted in another way hardly change. After an
intended change of the look write them anew with `TOPOEDIT_WRITE_GOLDENS=1` and look at them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.editor.golden_window import SCENES, SIZE, THEMES
from tests.render.pictures import pixels

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
WRITE = os.environ.get("TOPOEDIT_WRITE_GOLDENS") == "1"
BLOCK = 4
"""Points along an edge of a block."""
LARGEST = 150_000
MEAN, DIFFERENT, SHARE = 2.5, 28, 0.015
"""Mean difference of luminance (of 255), what makes a block another one, and how many may be."""


@pytest.fixture(scope="session", params=[1, 2], ids=["1x", "2x"])
def taken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all pictures at one scale."""
    folder = tmp_path_factory.mktemp(f"window-{request.param}x")
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(request.param),
        "TOPOEDIT_HOME": str(tmp_path_factory.mktemp("home")),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.editor.golden_window", str(folder)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "Traceback" not in done.stderr, done.stderr[-2_000:]
    return folder


def blocks(image: QImage) -> np.ndarray:
    """Means of blocks of BLOCK points, shape (rows, columns, 3)."""
    found = pixels(image)
    edge = BLOCK * found.shape[1] // SIZE[0]
    rows, columns = found.shape[0] // edge, found.shape[1] // edge
    return found.reshape(rows, edge, columns, edge, 3).mean(axis=(1, 3))


def luminance(values: np.ndarray) -> np.ndarray:
    return values @ np.array([0.2126, 0.7152, 0.0722])


def written(values: np.ndarray) -> QImage:
    rows, columns, _ = values.shape
    data = np.ascontiguousarray(values.round().astype(np.uint8))
    return QImage(
        data.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888
    ).copy()  # fmt: skip


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("scene", list(SCENES))
def test_the_window_looks_as_it_did(taken: Path, scene: str, theme: str) -> None:
    image = QImage(str(taken / f"{scene}-{theme}.png"))
    scale = image.width() // SIZE[0]
    assert (image.width(), image.height()) == (scale * SIZE[0], scale * SIZE[1])
    now = blocks(image)
    path = GOLDEN / f"{scene}-{theme}-{scale}x.png"
    if WRITE:
        GOLDEN.mkdir(exist_ok=True)
        assert written(now).save(str(path))
    assert path.stat().st_size < LARGEST
    then = pixels(QImage(str(path))).astype(float)
    assert then.shape == now.shape
    difference = np.abs(luminance(now) - luminance(then))
    share = (difference > DIFFERENT).mean()
    assert difference.mean() < MEAN, f"mean difference {difference.mean():.2f}"
    assert share < SHARE, f"{share:.1%} of the blocks differ"


@pytest.mark.parametrize("scene", list(SCENES))
def test_light_and_dark_are_two_pictures_of_one_window(scene: str) -> None:
    for scale in (1, 2):
        light, dark = (
            luminance(pixels(QImage(str(GOLDEN / f"{scene}-{theme}-{scale}x.png"))).astype(float))
            for theme in THEMES
        )
        assert light.mean() > 180
        assert dark.mean() < 80
