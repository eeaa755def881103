"""Every device of the catalogue has a painter that fits it, at every level of detail."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from tests.render.pictures import painted, same_picture
from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.render.kinds import lattice, painter_of, painters
from topoedit.render.looks import look_at
from topoedit.render.scene import DiagramScene, Facts
from topoedit.render.theme import THEMES
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")
CATALOG = load_catalog()
SHEET = ("tpu-v4-pod", "trn2-instance", "trn2-ultraserver", "gb200-tray", "gb200-nvl72")


def scene_of(*ids: str) -> DiagramScene:
    types = [CATALOG.devices[i] for i in ids]
    devices = [
        Device(id=t.id, name=t.id, type=t.id, kind=t.kind, x=160.0 * n, y=0.0)
        for n, t in enumerate(types)
    ]
    scene = DiagramScene(Document(CATALOG, devices))
    scene.facts = Facts(57.9e9, 0.67)
    # made up, but the same everywhere: the sum of the letters
    scene.set_inner_loads(lambda name: sum(map(ord, name)) % 97 / 100)
    return scene


@pytest.mark.parametrize("scale", [0.15, 0.6, 1.0, 3.2], ids=["far", "mid", "near", "inside"])
@pytest.mark.parametrize("theme", THEMES)
def test_no_text_leaves_or_meets_another_on_any_device(theme: str, scale: float) -> None:
    scene = scene_of(*CATALOG.devices)
    left, top, right, bottom = scene.bounds()
    wide, high = (right - left + 20) * scale, (bottom - top + 20) * scale
    view = View.at(left - 10, top - 10, scale, wide, high)
    _, log = painted(scene, view, theme)
    assert log.overlaps() == []
    if scale < 0.5:
        return
    boxes = []
    for row in range(len(scene.devices)):
        x0, y0 = view.to_pixels(*scene.rects[:2, row].tolist())
        x1, y1 = view.to_pixels(*scene.rects[2:, row].tolist())
        boxes.append((x0, y0, x1, y1))
    for text, box in log.boxes:
        x, y = box.center().x(), box.center().y()
        home = next(b for b in boxes if b[0] <= x <= b[2] and b[1] <= y <= b[3])
        assert home[0] - 1 <= box.left(), text
        assert box.right() <= home[2] + 1, text


def test_a_torus_is_drawn_as_a_lattice_of_its_own_shape() -> None:
    scene = scene_of("trn2-instance", "trn2-ultraserver", "tpu-v4-pod", "dgx-h100")
    view = View.at(0, 0, 1.0, 800, 400)
    styles = [look_at(scene, view, row).style for row in range(4)]
    assert styles == ["lattice", "lattice", "lattice", "server"]
    shapes = [lattice.shown_shape(look_at(scene, view, row)) for row in range(3)]
    assert shapes == [(4, 4, 1), (4, 4, 4), (4, 4, 4)], "a pod of 4,096 shows one of its 64 cubes"
    assert painter_of("lattice") is painters()["lattice"]


def test_links_of_a_lattice_have_their_load() -> None:
    asked: set[str] = set()

    def load(name: str) -> float | None:
        asked.add(name)
        return 0.5 if "/neuronlink/" in name else None

    scene = scene_of("trn2-instance")
    scene.set_inner_loads(load)
    painted(scene, View.at(-60, -60, 2.0, 240, 240))
    known = {n.rpartition("/")[2] for n in asked if "/neuronlink/" in n}
    assert {"gpu0-gpu4", "gpu0-gpu1", "gpu11-gpu15", "gpu14-gpu15"} <= known
    assert "gpu3-gpu4" not in known, "the end of a row is no neighbour of the next row"


@pytest.mark.parametrize("theme", THEMES)
def test_lattices_and_trays_look_as_they_did(theme: str) -> None:
    scene = scene_of(*SHEET)
    left, top, right, bottom = scene.bounds()
    view = View.at(left - 16, top - 16, 1.0, right - left + 32, bottom - top + 32)
    image: QImage = painted(scene, view, theme)[0]
    same_picture(image, f"kinds-{theme}")
