"""Layers on the picture: judged once for all alike, and never more work than a toggle needs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Link, Ports
from topoedit.model.layers import Key, Layers
from topoedit.model.operations import delete
from topoedit.render import strokes, visibility
from topoedit.render.scene import DiagramScene

LAYERS: tuple[Key, ...] = (
    ("rail", "1"), ("network", "storage"), ("plane", "1"), ("phase", "2"), ("tag", "new"),
)  # fmt: skip


def drawing() -> Document:
    """Two servers on eight rails, some links tagged, of another network, plane or phase."""
    servers = [
        Device(id=f"n{i}", name=f"n{i}", type="dgx-h100", kind="server", x=300.0 * i)
        for i in (0, 1)
    ]
    leaves = [
        Device(id=f"l{i}", name=f"l{i}", type="qm9700", kind="leaf", x=100.0 * i, y=-300.0,
               tags=("new",) if i == 3 else (), network="storage" if i == 4 else "compute")
        for i in range(8)
    ]  # fmt: skip
    links = [
        Link(
            id=f"k{n}-{r}", a=Ports(f"n{n}", f"nic{r}"), b=Ports(f"l{r}", str(n + 1)),
            cables=f"c{8 * n + r + 1}", network="storage" if r == 4 else "compute",
            plane=r % 2 if r < 4 else None, phase="2" if r == 5 else "",
            tags=("new", "old") if r == 6 else (),
        )
        for n in (0, 1)
        for r in range(8)
    ]  # fmt: skip
    return Document(load_catalog(user=False), (*servers, *leaves, *links))


@pytest.fixture
def scene() -> Iterator[DiagramScene]:
    document = drawing()
    made = DiagramScene(document)
    stop = document.listen(made.apply)
    yield made
    stop()


def states(scene: DiagramScene) -> tuple[list[int], list[int], list[bool], list[int]]:
    return (
        scene.states.device.tolist(), scene.states.link.tolist(),
        scene.dim_strokes.tolist(), scene.strokes.of_link.tolist(),
    )  # fmt: skip


def test_links_alone_say_what_their_layers_say(scene: DiagramScene) -> None:
    layers = Layers().put(("network", "storage"), 2).put(("phase", "2"), 1).only(("rail", "1"))
    scene.set_layers(layers)
    for row, link_id in enumerate(scene.links.ids):
        link = scene.document.links[link_id]
        assert scene.states.link[row] == layers.state_of(link, int(scene.links.rail[row])), link_id


CHOICES = st.lists(st.tuples(st.sampled_from(LAYERS), st.integers(0, 2)), max_size=6)


@given(CHOICES, st.sampled_from([None, *LAYERS]), st.lists(st.integers(0, 3), max_size=5))
def test_toggles_and_edits_end_where_a_new_scene_begins(
    choices: list[tuple[Key, int]], solo: Key | None, edits: list[int]
) -> None:
    document = drawing()
    scene = DiagramScene(document)
    document.listen(scene.apply)
    layers = Layers()
    makers = (
        lambda: Edit("tag", put=(replace(document.links["k0-0"], tags=("new",)),)),
        lambda: Edit("net", put=(replace(document.devices["l1"], network="storage"),)),
        lambda: delete(document, [next(i for i in document.devices if i.startswith("l"))]),
        lambda: Edit("add", put=(Device(id=document.new_id("x"), name=document.new_name("x"),
                                        type="qm9700", kind="leaf", tags=("new",)),)),
    )  # fmt: skip
    for step, (key, state) in enumerate(choices):
        layers = layers.put(key, state)
        scene.set_layers(layers)
        if step < len(edits) and (edits[step] != 0 or "k0-0" in document.links):
            undo = document.apply(makers[edits[step]]())
            if edits[step] == 2 and step % 2:
                document.apply(undo)
    scene.set_layers(layers.only(solo))
    fresh = DiagramScene(document)
    fresh.set_layers(layers.only(solo))
    by_id = dict(zip(fresh.links.ids, fresh.states.link.tolist(), strict=True))
    assert dict(zip(scene.links.ids, scene.states.link.tolist(), strict=True)) == by_id
    devices = dict(zip(fresh.devices.ids, fresh.states.device.tolist(), strict=True))
    assert dict(zip(scene.devices.ids, scene.states.device.tolist(), strict=True)) == devices
    assert len(scene.strokes) == len(fresh.strokes)
    assert scene.dim_strokes.sum() == fresh.dim_strokes.sum()
    assert scene.links.row == {i: n for n, i in enumerate(scene.links.ids)}
    assert scene.devices.row == {i: n for n, i in enumerate(scene.devices.ids)}


def test_dimming_draws_no_line_anew(scene: DiagramScene, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    real = strokes.build_strokes

    def counted(*args: object) -> strokes.Strokes:
        built.append(1)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(strokes, "build_strokes", counted)
    scene.set_layers(Layers().only(("rail", "1")))
    assert not built
    assert scene.dim_strokes.sum() == 14
    scene.set_layers(Layers().put(("rail", "1"), 2))
    assert len(built) == 1
    assert len(scene.strokes) == 14
    assert not scene.dim_strokes.any()


def test_each_combination_of_layers_is_judged_once(
    scene: DiagramScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.set_layers(Layers().only(("rail", "1")))
    asked: list[object] = []
    real = Layers.state_of

    def counted(layers: Layers, element: AnyElement, rail: int | None = None) -> int:
        asked.append(element)
        return real(layers, element, rail)

    monkeypatch.setattr(Layers, "state_of", counted)
    scene.set_layers(Layers().only(("rail", "2")))
    assert len(asked) == 8 + 4  # eight rails; servers, leaves, the tagged and the storage leaf
    assert visibility.hide_alike(scene.states, scene.states)
    assert np.count_nonzero(scene.states.link == 0) == 2
