"""Trunks between closed groups: at right angles, around boxes, and nothing for manual routes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawings import document, superpod
from topoedit.model.edits import Edit
from topoedit.model.elements import Group
from topoedit.model.operations import move
from topoedit.render import trunks
from topoedit.render.curves import route_of
from topoedit.render.scene import DiagramScene

pytestmark = pytest.mark.usefixtures("qapp")


def closed() -> DiagramScene:
    return DiagramScene(document(superpod())).closed()


def test_trunks_turn_at_right_angles_and_miss_every_box() -> None:
    scene = closed()
    assert scene.bent
    count = len(scene.devices)
    shown = [
        *np.flatnonzero(scene.shown_devices()).tolist(),
        *(count + i for i, g in enumerate(scene.grouping.groups) if g.collapsed and not g.hidden),
    ]
    for stroke in scene.bent:
        route = route_of(scene, stroke)
        assert route is not None
        for (x1, y1), (x2, y2) in pairwise(route):
            assert min(abs(x1 - x2), abs(y1 - y2)) < 0.02
        ends = {int(scene.strokes.a[stroke]), int(scene.strokes.b[stroke])}
        for node in set(shown) - ends:
            left, top, right, bottom = scene.rects[:, node].tolist()
            for (x1, y1), (x2, y2) in pairwise(route):
                apart = max(x1, x2) <= left or min(x1, x2) >= right
                apart |= max(y1, y2) <= top or min(y1, y2) >= bottom
                assert apart, f"{scene.id_of(node)} lies under a trunk"


def test_very_many_trunks_stay_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trunks, "MOST_TRUNKS", 2)
    assert not closed().bent


def test_routes_are_kept_until_something_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    found = trunks.route_all
    monkeypatch.setattr(trunks, "route_all", lambda *a: calls.append(1) or found(*a))
    doc = document(superpod())
    scene = DiagramScene(doc)
    doc.listen(scene.apply)
    pod = next(g for g in doc.groups.values() if g.kind == "pod")
    doc.apply(Edit("Collapse", put=(replace(pod, collapsed=True),)))
    assert len(calls) == 1
    other = next(g for g in doc.groups.values() if g.kind == "pod" and g.id != pod.id)
    doc.apply(Edit("Rename", put=(replace(other, name="renamed"),)))
    assert isinstance(doc.groups[other.id], Group)
    assert len(calls) == 1, "a new name moves no trunk"
    doc.apply(move(doc, (pod.id,), 400.0, 160.0))
    assert len(calls) == 2
