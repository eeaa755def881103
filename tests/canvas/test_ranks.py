"""Rank placement on the canvas: a click on a GPU lights the groups of its rank."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.editor.made_steps import give_step, pod
from topoedit.app.rank_placement import links_of_group
from topoedit.editor.canvas.hover_card import card_for
from topoedit.editor.canvas.rank_bar import CLOSE
from topoedit.editor.canvas.rank_view import rank_lines
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.rank_state import ALL
from topoedit.editor.session import DocumentSession
from topoedit.engine.compile import compile_fabric
from topoedit.model.edits import Edit
from topoedit.render.gpu_cells import gpu_at, gpu_cells
from topoedit.render.looks import look_at
from topoedit.render.theme import Theme
from topoedit.render.view import View

from .conftest import Hands

SIZE = (1300, 800)


@pytest.fixture
def pod_session(qapp: object) -> Iterator[DocumentSession]:
    made = DocumentSession(pod())
    give_step(made)
    yield made
    made.close()


@pytest.fixture
def hands(qtbot: QtBot, pod_session: DocumentSession) -> Iterator[Hands]:
    canvas = CanvasView(pod_session, Theme.load("dark"))
    canvas.reduced_motion = True
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    canvas.fit()
    canvas.picture.finish()
    yield Hands(qtbot, canvas)
    canvas.picture.stop()


def close_up(hands: Hands, device: str, scale: float = 1.5) -> None:
    x, y = hands.of(device)
    wide, high = SIZE
    hands.canvas.set_view(View.at(x - wide / 2 / scale, y - high / 2 / scale, scale, wide, high))
    hands.canvas.picture.finish()


def cell(hands: Hands, device: str, index: int) -> QPoint:
    canvas = hands.canvas
    look = look_at(canvas.scene, canvas.view, canvas.scene.devices.row[device])
    x, y, w, h = gpu_cells(look)[index]
    return QPoint(round(x + w / 2), round(y + h / 2))


def click(hands: Hands, place: QPoint) -> None:
    hands.qtbot.mouseClick(hands.canvas, Qt.MouseButton.LeftButton, pos=place)


def picture(hands: Hands) -> QImage:
    hands.canvas.picture.finish()
    return hands.canvas.grab().toImage()


def has_color(image: QImage, color: str, box: tuple[float, float, float, float]) -> bool:
    ratio = image.devicePixelRatio()
    left, top, right, bottom = (int(v * ratio) for v in box)
    return any(
        image.pixelColor(x, y).name() == color
        for x in range(max(left, 0), min(right, image.width()))
        for y in range(max(top, 0), min(bottom, image.height()))
    )


def around(hands: Hands, device: str, by: float = 12) -> tuple[float, float, float, float]:
    left, top, right, bottom = hands.canvas.scene.rect_of(device)
    x0, y0 = hands.canvas.view.to_pixels(left, top)
    x1, y1 = hands.canvas.view.to_pixels(right, bottom)
    return x0 - by, y0 - by, x1 + by, y1 + by


def steps(session: DocumentSession) -> tuple[int, int]:
    return session.document.revision, session.undo_stack.count()


# -- picking -------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.5, 4.0])
def test_a_click_on_a_gpu_picks_its_rank(hands: Hands, scale: float) -> None:
    session = hands.canvas.session
    before = steps(session)
    close_up(hands, "node-03", scale)
    click(hands, cell(hands, "node-03", 1))
    assert session.ranks.rank == 17
    assert set(session.ranks.lit) == {"TP", "CP", "PP", "DP"}
    assert session.selection == ("node-03",)
    assert hands.canvas.furniture.rank.isVisible()
    assert hands.canvas.furniture.rank.keys == (ALL, "TP", "CP", "PP", "DP")
    assert steps(session) == before


def test_a_drag_from_a_gpu_moves_the_server_and_picks_none(hands: Hands) -> None:
    session = hands.canvas.session
    close_up(hands, "node-03")
    at, home = cell(hands, "node-03", 1), session.document.devices["node-03"].y
    scale = hands.canvas.view.scale
    x, y = hands.canvas.view.to_canvas(at.x(), at.y())
    hands.drag((x, y), (x, y + 96 / scale))
    assert session.ranks.rank is None
    assert session.document.devices["node-03"].y != home


def test_far_away_no_gpu_is_hit(hands: Hands) -> None:
    hands.canvas.fit()
    x, y = hands.of("node-03")
    hands.click(x, y)
    assert hands.canvas.session.ranks.rank is None
    assert gpu_at(hands.canvas.scene, hands.canvas.view, "node-03", 0, 0) is None
    assert gpu_at(hands.canvas.scene, hands.canvas.view, "leaf-1", 0, 0) is None


def test_esc_lets_go_one_level_a_press(hands: Hands) -> None:
    session = hands.canvas.session
    session.select(("node-01",))
    session.ranks.pick(17)
    session.timeline.go_to(1.0)
    hands.key(Qt.Key.Key_Escape)
    assert session.selection == ()
    assert session.ranks.rank == 17
    hands.key(Qt.Key.Key_Escape)
    assert session.ranks.rank is None
    assert session.timeline.moment == 1.0
    hands.key(Qt.Key.Key_Escape)
    assert session.timeline.moment is None


# -- what lights up ------------------------------------------------------------------------------


def test_members_have_rings_in_the_colours_of_their_classes(hands: Hands) -> None:
    theme, session = hands.canvas.theme, hands.canvas.session
    color = {name: theme.color(f"traffic.{name}").name() for name in ("TP", "PP", "DP")}
    assert not has_color(picture(hands), color["PP"], around(hands, "node-05"))
    session.ranks.pick(17)  # node-03; PP on 01, 03, 05, 07; DP on 03 and 04; TP on 03
    image = picture(hands)
    for device, names in (
        ("node-01", {"PP"}), ("node-03", {"TP", "PP", "DP"}), ("node-04", {"DP"}),
        ("node-05", {"PP"}), ("node-08", set()),
    ):  # fmt: skip
        _, top, right, bottom = around(hands, device, 0)
        beside = (right, (top + bottom) / 2 - 3, right + 12, (top + bottom) / 2 + 3)
        found = {n for n, c in color.items() if has_color(image, c, beside)}
        assert found == names, device


def test_one_group_alone_is_lit_with_its_links(hands: Hands) -> None:
    session, theme = hands.canvas.session, hands.canvas.theme
    wanted: list[str] = []
    session.ranks.links_wanted.connect(lambda: wanted.append(session.ranks.group))
    session.ranks.pick(17)
    bar = hands.canvas.furniture.rank
    hands.qtbot.mouseClick(bar.button("PP"), Qt.MouseButton.LeftButton)
    assert session.ranks.group == "PP"
    assert wanted == ["PP"]
    fabric = compile_fabric(session.document)
    links = links_of_group(fabric, session.workload, session.document.catalog, "PP", 17)
    session.ranks.take_links(17, "PP", links)
    image = picture(hands)
    pp, dp = (theme.color(f"traffic.{name}").name() for name in ("PP", "DP"))
    assert not has_color(image, dp, around(hands, "node-04"))
    scene, view = hands.canvas.scene, hands.canvas.view
    for link, lit in (("link-c18", True), ("link-c17", False)):
        stroke = int(scene.strokes.of_link[scene.links.row[link]])
        x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
        x, y = view.to_pixels(x1 + (x2 - x1) * 0.25, y1 + (y2 - y1) * 0.25)
        assert has_color(image, pp, (x - 2, y - 2, x + 3, y + 3)) is lit, link
    session.ranks.take_links(18, "PP", ("link-c17",))  # an answer that comes too late
    assert session.ranks.links == links
    hands.qtbot.mouseClick(bar.button(CLOSE), Qt.MouseButton.LeftButton)
    assert session.ranks.rank is None
    assert not bar.isVisible()


def test_the_rest_recedes(hands: Hands) -> None:
    box = around(hands, "node-08", -6)
    before = picture(hands)
    hands.canvas.session.ranks.pick(17)
    after = picture(hands)
    x, y = int((box[0] + box[2]) / 2), int(box[3] - 2)
    assert before.pixelColor(x, y) != after.pixelColor(x, y)
    member = around(hands, "node-05", -6)
    x, y = int((member[0] + member[2]) / 2), int(member[3] - 2)
    assert before.pixelColor(x, y) == after.pixelColor(x, y)


def test_members_in_a_closed_rack_light_the_rack(hands: Hands) -> None:
    from topoedit.model.operations import set_collapsed

    session = hands.canvas.session
    session.apply(set_collapsed(session.document, ("rack-2",), True))
    session.ranks.pick(17)
    hands.canvas.fit()
    color = hands.canvas.theme.color("traffic.PP").name()
    assert has_color(picture(hands), color, around(hands, "rack-2"))


def test_a_member_that_is_deleted_is_no_longer_lit(hands: Hands) -> None:
    session = hands.canvas.session
    session.ranks.pick(17)
    session.apply(Edit("Delete", drop=("node-03", *session.document.links_of("node-03"))))
    image = picture(hands)
    color = hands.canvas.theme.color("traffic.PP").name()
    assert has_color(image, color, around(hands, "node-05"))
    assert hands.canvas.furniture.rank.title() == (
        "Rank 17",
        "node-03 GPU 1 · TP 1, CP 0, DP 0, PP 1",
    )
    session.undo()
    picture(hands)


def test_the_card_tells_the_rank_under_the_pointer(hands: Hands) -> None:
    close_up(hands, "node-03")
    hands.canvas._last = cell(hands, "node-03", 1).toPointF()
    assert rank_lines(hands.canvas, "node-03") == ("GPU 1: rank 17", "TP 1, CP 0, DP 0, PP 1")
    hands.canvas._last = QPoint(2, 2).toPointF()
    assert rank_lines(hands.canvas, "node-03") == (
        "Ranks 16–23", "TP 0–1, CP 0–1, DP 0–1, PP 1",
    )  # fmt: skip
    assert rank_lines(hands.canvas, "leaf-1") == ()


def test_without_a_placement_nothing_is_lit(hands: Hands) -> None:
    session = hands.canvas.session
    session.ranks.pick(17)
    session.ranks.take(None)
    assert session.ranks.rank is None
    assert not session.ranks.pick(3)
    assert not session.ranks.pick_gpu("node-03", 1)
    assert not hands.canvas.furniture.rank.isVisible()


def test_the_phase_chip_says_the_phase_and_a_click_shows_all(hands: Hands) -> None:
    session, chip = hands.canvas.session, hands.canvas.furniture.phase
    assert not chip.isVisible()
    session.timeline.choose(0)
    assert chip.isVisible()
    assert session.timeline.words in chip.accessibleName()
    hands.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert session.timeline.classes is None
    assert not chip.isVisible()


def test_a_phase_recolours_the_links_and_changes_nothing_else(hands: Hands) -> None:
    session, canvas = hands.canvas.session, hands.canvas
    before, whole = steps(session), canvas.loads.fractions()
    step = session.timeline.timeline
    session.timeline.choose(next(n for n, p in enumerate(step.phases) if p.class_ == "PP"))
    forward, _ = canvas.loads.fractions()
    assert (forward != whole[0]).any()
    row = canvas.loads.rows["link-c18"]
    share = session.loads.forward["PP"][row] / (50e9 * step.pace.seconds["PP"])
    assert forward[row] == pytest.approx(share, rel=1e-4)
    card = card_for(session.document, "link-c18", canvas.loads)
    assert card.directions[0].load == forward[row]
    session.timeline.go_to(None)
    assert (canvas.loads.fractions()[0] == whole[0]).all()
    assert steps(session) == before
