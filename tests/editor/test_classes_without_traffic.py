"""Traffic classes that the plan does not use: no load, and no choice in legend and key C."""

from __future__ import annotations

import pytest

from tests.editor.made_results import give_result, loads
from tests.editor.pains.conftest import Desk, bare_window, desk
from topoedit.editor.canvas.loads import LoadView
from topoedit.editor.load_view import carried
from topoedit.editor.session import METRICS
from topoedit.model.plan import TRAFFIC_CLASSES

__all__ = ["bare_window", "desk"]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", [c for c in TRAFFIC_CLASSES if c not in ("DP", "PP")])
def test_a_class_without_traffic_loads_nothing(metric: str, name: str) -> None:
    forward, backward = LoadView(loads(), metric, name).fractions()
    assert forward.tolist() == backward.tolist() == [0.0] * 4


def test_the_key_walks_over_the_classes_that_carry_something(desk: Desk) -> None:
    give_result(desk.session)
    seen = []
    for _ in range(4):
        desk.do("analyse.class")
        desk.canvas.grab()
        seen.append(desk.session.traffic_class)
    used = list(carried(loads()))
    assert sorted(used) == ["DP", "PP"]
    assert seen == [*used, None, used[0]]


def test_the_legend_offers_only_classes_with_traffic(desk: Desk) -> None:
    give_result(desk.session)
    button = desk.canvas._furniture.legend._class
    button.menu().aboutToShow.emit()
    offered = [a.data() for a in button.menu().actions() if a.isEnabled()]
    assert offered == ["", *carried(loads())]
