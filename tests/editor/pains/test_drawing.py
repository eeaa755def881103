"""Links, labels, containers, layout: pains 25 to 31 as gestures in the window."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.editor.pains.conftest import Desk
from tests.render.pictures import pixels
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Link, Ports
from topoedit.model.layers import HIDDEN, SHOWN, Key

MANAGEMENT: Key = ("network", "out-of-band")


def picture(desk: Desk) -> np.ndarray:
    """What the canvas shows, sharp and without anything under the pointer."""
    desk.session.clear_selection()
    desk.session.hover("")
    desk.canvas.picture.finish()
    return pixels(desk.canvas.grab().toImage())


def test_parallel_cables_lie_apart_and_each_is_found_by_a_click(desk: Desk) -> None:
    extra = [
        Link(id=f"more-{n}", a=Ports("leaf-1", str(40 + n)), b=Ports("leaf-2", str(40 + n)),
             cables=f"c{900 + n}", gbps=400)
        for n in range(3)
    ]  # fmt: skip
    desk.session.apply(Edit("Join leaves", put=tuple(extra)))
    desk.look_at(180.0, -200.0, 4.0)
    desk.canvas.picture.finish()
    found = set()
    for step in range(-60, 61):
        desk.hands.click(180.0, -200.0 + 0.5 * step)
        found |= set(desk.session.selection)
    assert {"more-0", "more-1", "more-2"} <= found


def test_a_manual_route_wins_and_survives_moves_until_it_is_straightened(desk: Desk) -> None:
    way = ((60.0, -300.0), (260.0, -300.0))
    link = desk.document.links["link-12"]
    desk.session.apply(Edit("Bend", put=(replace(link, via=way),)))
    hands = desk.hands
    hands.drag(hands.of("leaf-2"), (440.0, -120.0))
    assert desk.document.links["link-12"].via == way
    desk.do("arrange.layout_tidy")
    desk.canvas.end_preview(keep=True)
    assert desk.document.links["link-12"].via == way
    desk.do("arrange.straighten", "link-12")
    assert desk.document.links["link-12"].via == ()
    desk.do("edit.undo")
    assert desk.document.links["link-12"].via == way


def test_a_group_expands_to_exactly_the_picture_it_was(desk: Desk) -> None:
    before, shown = desk.state(), picture(desk)
    others = {i: desk.canvas.scene.rect_of(i) for i in ("leaf-1", "leaf-2")}
    desk.do("arrange.collapse", "rack-1")
    assert {i: desk.canvas.scene.rect_of(i) for i in others} == others
    assert (picture(desk) != shown).any()
    assert desk.canvas.scene.rect_of("node-1") == desk.canvas.scene.rect_of("rack-1")
    desk.do("arrange.expand", "rack-1")
    assert desk.state() == before
    assert (picture(desk) == shown).all()


def test_a_layout_is_a_preview_first_and_then_one_step(desk: Desk) -> None:
    desk.session.apply(MoveDevices("Scatter", ("node-1", "leaf-2"), (900.0, -500.0), (77.0, 33.0)))
    start, steps = desk.state(), desk.session.undo_stack.count()
    desk.do("arrange.layout")
    assert desk.state() == start
    desk.canvas.end_preview(keep=False)
    assert desk.state() == start
    desk.do("arrange.layout")
    desk.canvas.end_preview(keep=True)
    kept = desk.state()
    assert kept != start
    assert desk.session.undo_stack.count() == steps + 1
    desk.do("edit.undo")
    assert desk.state() == start
    desk.do("arrange.layout")
    desk.canvas.end_preview(keep=True)
    assert desk.state() == kept  # the same every time


def test_a_hidden_network_leaves_the_picture_and_not_the_drawing(desk: Desk) -> None:
    link = desk.document.links["link-11"]
    desk.session.apply(Edit("Network", put=(replace(link, network="out-of-band"),)))
    start, shown = desk.state(), picture(desk)
    desk.session.set_layers(desk.session.layers.put(MANAGEMENT, HIDDEN))
    assert (picture(desk) != shown).any()
    assert desk.state() == start
    desk.session.set_layers(desk.session.layers.put(MANAGEMENT, SHOWN))
    assert (picture(desk) == shown).all()
