"""Words on links: what a person wrote, loads, unknown rates, port names that never meet."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtGui import QPainter

from tests.render.drawings import document, pod64
from tests.render.pictures import blank, painted
from tests.render.scenes import loaded, small_pod
from topoedit.model.elements import Link
from topoedit.model.layers import DIMMED, HIDDEN, SHOWN, Layers
from topoedit.render.diagram import PaintOptions
from topoedit.render.end_labels import apart
from topoedit.render.export import ExportOptions
from topoedit.render.ink import TextLog
from topoedit.render.legend import legend_of, rates_of
from topoedit.render.link_words import link_label, stroke_label
from topoedit.render.looks import PortLook
from topoedit.render.overlay import Overlay, paint_overlay
from topoedit.render.scene import DiagramScene
from topoedit.render.sheet import plan_sheet
from topoedit.render.theme import Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")


def written(label: str) -> DiagramScene:
    elements = small_pod()
    at = next(i for i, e in enumerate(elements) if isinstance(e, Link))
    elements[at] = replace(elements[at], label=label)
    return DiagramScene(document(elements))


@pytest.mark.parametrize(("labels", "shown"), [("none", False), ("hot", True), ("all", True)])
def test_what_a_person_wrote_on_a_link_is_shown(labels: str, shown: bool) -> None:
    scene = written("to phase 2")
    log = TextLog()
    view = View.fit(scene.bounds(), 800, 800)
    painted(scene, view, options=PaintOptions(labels=labels, log=log))  # type: ignore[arg-type]
    assert any(text.startswith("to phase 2") for text, _ in log.boxes) is shown
    assert log.overlaps() == []


def test_a_long_label_is_cut_and_a_bundle_has_none() -> None:
    scene = written("x" * 200)
    words = [link_label(scene, s) for s in range(len(scene.strokes))]
    assert max(map(len, words)) == 40
    assert words.count("") == len(words) - 1


def test_a_link_of_unknown_rate_says_so() -> None:
    scene = loaded(small_pod())
    forward = np.full(len(scene.links), np.nan)
    scene.set_loads(scene.links.ids, forward, forward)
    assert "unknown" not in stroke_label(scene, 0)
    scene.links.gbps[int(scene.strokes.link[0])] = np.nan
    assert stroke_label(scene, 0).startswith("rate unknown")
    assert rates_of(scene).unknown == 1


def test_the_legend_knows_the_rates_of_the_links() -> None:
    scene = DiagramScene(document(pod64()))
    rates = {float(r) for r in scene.links.gbps[scene.links.net == 0]}
    assert legend_of(rates_of(scene)).rates == (min(rates), max(rates))
    assert legend_of(rates_of(scene), "Bytes per step").rates is None, "no share of the rate"


def test_port_names_keep_apart_and_hot_ones_stay() -> None:
    def port(x: float, code: int) -> PortLook:
        return PortLook(x=x, y=0.0, side=0, code=code, column=-1, stroke=0)

    ports = [port(0, 3), port(5, 9), port(10, 4), port(20, 3)]
    chosen = apart(ports, 0)
    assert [p.x for p in chosen] == [5, 20]


def test_the_hovered_link_names_its_ports_at_any_zoom() -> None:
    scene = loaded(small_pod())
    view = View.fit(scene.bounds(), 800, 800)
    log = TextLog()
    image = blank(view)
    painter = QPainter(image)
    link = scene.document.links[scene.links.ids[0]]
    overlay = Overlay(hovered=link.id, log=log)
    paint_overlay(painter, scene, Theme.load("dark"), view, overlay)
    painter.end()
    texts = [text for text, _ in log.boxes]
    assert link.a.names[0] in texts
    assert any(text.startswith(link.b.names[0]) for text in texts)
    assert log.overlaps() == []


def test_dimmed_layers_stay_visible_and_hidden_ones_do_not() -> None:
    scene = DiagramScene(document(pod64()))
    rail = ("rail", "3")
    scene.set_layers(Layers().put(rail, HIDDEN))
    leaf = scene.devices.row["leaf-3"]
    assert not scene.shown_devices()[leaf], "a leaf goes with its rail"
    assert scene.shown_devices().sum() == len(scene.devices) - 1
    assert all(int(scene.strokes.of_link[r]) < 0 for r in np.flatnonzero(scene.links.rail == 3))
    scene.set_layers(Layers().put(rail, DIMMED))
    assert scene.shown_devices().all()
    dim = scene.links.ids
    assert {scene.document.links[dim[int(scene.strokes.link[s])]].id
            for s in np.flatnonzero(scene.dim_strokes)} >= {
        scene.links.ids[r] for r in np.flatnonzero(scene.links.rail == 3)
    }  # fmt: skip
    scene.set_layers(Layers())
    assert not scene.dim_strokes.any()


def test_a_selection_leaves_everything_else_out() -> None:
    scene = DiagramScene(document(pod64()))
    sheet = plan_sheet(scene, ExportOptions(selection=("node-01", "leaf-0")))
    shown = sheet.scene.shown_devices()
    assert [scene.devices.ids[r] for r in np.flatnonzero(shown)] == ["node-01", "leaf-0"]
    assert len(sheet.scene.strokes) == 1
    assert len(scene.strokes) == 96, "the scene itself is as it was"


def test_parallel_links_become_one_line_where_they_would_touch() -> None:
    from topoedit.model.elements import Ports

    elements = [e for e in small_pod() if not isinstance(e, Link)]
    elements += [
        Link(id=f"p{n}", a=Ports("leaf-0", str(n + 40)), b=Ports("spine-0", str(n + 40)),
             cables=f"p{n}", failed=int(n == 3))
        for n in range(4)
    ]  # fmt: skip
    scene = DiagramScene(document(elements))
    assert scene.for_scale(0.25) is scene, "18 units are 4.5 pixels"
    far = scene.for_scale(0.2)
    assert sorted(far.strokes.links.tolist()) == [1, 3], "a failed link stays to be seen"
    assert stroke_label(far, int(np.argmax(far.strokes.links))) == "×3"
    assert len(scene.strokes) == 4


def test_a_manual_route_keeps_its_own_line_beside_parallel_links() -> None:
    from topoedit.model.elements import Ports

    elements = [e for e in small_pod() if not isinstance(e, Link)]
    way = ((10.0, -40.0), (60.0, -40.0))
    elements += [
        Link(id=f"p{n}", a=Ports("leaf-0", str(n + 40)), b=Ports("spine-0", str(n + 40)),
             cables=f"p{n}", via=way if n == 2 else ())
        for n in range(4)
    ]  # fmt: skip
    far = DiagramScene(document(elements)).for_scale(0.2)
    assert sorted(far.strokes.links.tolist()) == [1, 3]
    assert far.bends(int(far.strokes.of_link[far.links.row["p2"]])) == way


def test_focus_dims_all_but_an_element_its_links_and_neighbours() -> None:
    scene = DiagramScene(document(pod64()))
    scene.set_focus(("node-01",))
    lit = [scene.devices.ids[r] for r in np.flatnonzero(scene.states.device == SHOWN)]
    assert lit == ["node-01", *(f"leaf-{n}" for n in range(8))]
    assert (~scene.dim_strokes).sum() == 8, "the links of the server"
    link = scene.links.ids[0]
    scene.set_focus((link,))
    assert (scene.states.device == SHOWN).sum() == 2
    assert (~scene.dim_strokes).sum() == 1
    scene.set_focus(("nothing-of-this-name",))
    assert not scene.states.device.any(), "nothing to look at dims nothing"
    scene.set_focus(())
    assert not scene.dim_strokes.any()
