"""Groups drawn as blocks because of the zoom open by zooming; the end of a trace is clicked."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from topoedit.render import scene as scenes
from topoedit.render.view import View

from .conftest import SIZE, Hands


def test_a_block_of_the_zoom_opens_by_zooming_in(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenes, "AFAR_LINKS", 0)
    canvas = hands.canvas
    canvas.set_view(View.at(0, 0, 0.02, *SIZE))
    assert canvas.draws_as_block("rack-1")
    assert not canvas.session.document.groups["rack-1"].collapsed
    canvas.open_up("rack-1")
    assert not canvas.draws_as_block("rack-1")


def test_the_other_end_of_a_trace_is_clicked(hands: Hands) -> None:
    picked: list[str] = []
    hands.canvas.pick_end(picked.append)
    assert hands.canvas.cursor().shape() == Qt.CursorShape.CrossCursor
    hands.click(20.0, 20.0)
    assert picked == []
    hands.click(*hands.of("leaf-2"))
    assert [name.partition(":")[0] for name in picked] == ["leaf-2"]
    assert hands.canvas.gesture is None
    assert hands.canvas.session.selection == ()


def test_escape_leaves_the_other_end_unpicked(hands: Hands) -> None:
    picked: list[str] = []
    hands.canvas.pick_end(picked.append)
    hands.key(Qt.Key.Key_Escape)
    assert picked == [""]
    assert hands.canvas.gesture is None
