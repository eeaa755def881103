"""The paths of a trace light up on the canvas; Esc puts them out."""

from __future__ import annotations

from PySide6.QtCore import Qt

from topoedit.app.path import find_paths
from topoedit.model.edits import Edit
from topoedit.model.elements import Link, Ports

from .conftest import Hands


def traced(hands: Hands) -> None:
    """Two cables from a server to two leaves, one of them traced."""
    session = hands.canvas.session
    links = tuple(
        Link(
            id=f"link-{i}", a=Ports("node-1", f"nic{i}"), b=Ports(f"leaf-{i}", "1"),
            cables=f"c{i}", gbps=400, medium="400g-dr4", length_m=5.0,
        )
        for i in (1, 2)
    )  # fmt: skip
    session.apply(Edit("Link", put=links))
    answer = find_paths(session.document, "node-1:nic1", "leaf-1").answer
    session.trace.ask(start="node-1:nic1", goal="leaf-1")
    session.trace.take(answer, (("link-1",),))


def color_along(hands: Hands, link: str) -> set[str]:
    """Colours at the middle of a link."""
    canvas = hands.canvas
    canvas.picture.finish()
    image = canvas.grab().toImage()
    stroke = int(canvas.scene.strokes.of_link[canvas.scene.links.row[link]])
    x1, y1, x2, y2 = canvas.scene.strokes.seg[stroke].tolist()
    x, y = canvas.view.to_pixels((x1 + x2) / 2, (y1 + y2) / 2)
    ratio = image.devicePixelRatio()
    return {
        image.pixelColor(int((x + dx) * ratio), int((y + dy) * ratio)).name()
        for dx in range(-4, 5)
        for dy in range(-2, 3)
    }


def test_only_the_traced_link_is_lit(hands: Hands) -> None:
    accent = hands.canvas.theme.color("accent.base").name()
    traced(hands)
    assert accent in color_along(hands, "link-1")
    assert accent not in color_along(hands, "link-2")


def test_esc_puts_the_trace_out(hands: Hands) -> None:
    traced(hands)
    session = hands.canvas.session
    session.select(("leaf-2",))
    hands.key(Qt.Key.Key_Escape)
    assert session.selection == ()
    assert session.trace.is_active
    hands.key(Qt.Key.Key_Escape)
    assert not session.trace.is_active
    assert hands.canvas.theme.color("accent.base").name() not in color_along(hands, "link-1")


def test_a_right_press_remembers_the_port(hands: Hands) -> None:
    traced(hands)
    x, y = hands.of("leaf-1")
    hands.qtbot.mousePress(hands.canvas, Qt.MouseButton.RightButton, pos=hands.pixel(x, y))
    assert hands.canvas.pointed()[0] == "leaf-1"
    hands.click(10, 10)
    assert hands.canvas.pointed() == ("", "")
