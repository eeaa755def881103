"""Small scenes with loads, for the tests of painting."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QColor

from tests.render.drawings import (
    document,
    pod64,
    some_loads,
)
from topoedit.model.elements import AnyElement
from topoedit.render.scene import DiagramScene, Facts


def small_pod(spines: int = 2) -> list[AnyElement]:
    """Two servers, two leaves and a few spines of the pod."""
    keep = {"node-01", "node-02", "leaf-0", "leaf-1", *(f"spine-{k}" for k in range(spines))}
    made: list[AnyElement] = []
    for e in pod64(4):
        ends = {e.a.device, e.b.device} if hasattr(e, "a") else {e.id}
        if ends <= keep or e.id == "rack-row-a":
            made.append(e)
    places = {"leaf-0": 54, "leaf-1": 178, "spine-0": 40, "spine-1": 220}
    return [replace(e, x=float(places[e.id])) if e.id in places else e for e in made]


def loaded(elements: list[AnyElement], seed: int = 5) -> DiagramScene:
    scene = DiagramScene(document(elements))
    scene.set_loads(scene.links.ids, *some_loads(len(scene.links), seed))
    scene.facts = Facts(57.9e9, 0.67)
    return scene


def color_at(image: object, x: float, y: float) -> QColor:
    return image.pixelColor(round(x), round(y))  # type: ignore[attr-defined, no-any-return]
