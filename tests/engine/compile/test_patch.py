"""A patched fabric is the compiled one, bit for bit."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.routing.drawings import Draft, rails, random_drawing
from topoedit.engine.compile import compile_fabric, patch_fabric
from topoedit.engine.types import Fabric
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports, Settings
from topoedit.model.floor import Floor


def same(one: Fabric, other: Fabric) -> None:
    for item in fields(Fabric):
        a, b = getattr(one, item.name), getattr(other, item.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, item.name
            np.testing.assert_array_equal(a, b, err_msg=item.name)
        else:
            assert a == b, item.name


def follow(document: Document, edit: Edit, fabric: Fabric) -> Fabric:
    """Apply an edit and patch; compare with a compilation."""
    seen: list[Change] = []
    stop = document.listen(seen.append)
    document.apply(edit)
    stop()
    patched = patch_fabric(fabric, document, seen[0])
    same(patched, compile_fabric(document))
    return patched


def random_edit(random: Random, document: Document, number: int) -> Edit:
    kinds = ["fail", "remove", "add", "rename", "regroup", "name", "plan", "device", "place"]
    kind = random.choice(kinds)
    links = sorted(document.links)
    if kind in ("fail", "remove", "plan") and links:
        link = document.links[random.choice(links)]
        if kind == "remove":
            return Edit("Remove", drop=(link.id,))
        if kind == "plan":
            return Edit("Plan", put=(replace(link, planned=not link.planned),))
        change = random.choice(
            [{"failed": random.randint(0, link.count)}, {"gbps": 100.0}, {"length_m": 4.0},
             {"medium": "dac", "length_m": 4.0}, {"medium": "dac", "length_m": None},
             {"medium": "rack-dac"}, {"network": "storage"}]
        )  # fmt: skip
        return Edit("Change", put=(replace(link, **change),))
    return Edit("Edit", put=_put(random, document, number, kind))


def _put(random: Random, document: Document, number: int, kind: str) -> tuple[AnyElement, ...]:
    devices = sorted(document.devices)
    device = document.devices[random.choice(devices)]
    if kind == "rename":
        return (replace(device, name=f"renamed-{number}"),)
    if kind == "regroup":
        groups = sorted(document.groups)
        return (replace(device, group=random.choice(groups)), *_renamed(random, document, number))
    if kind == "place":
        return (_placed(random, document), replace(device, unit=random.choice([None, 1, 40])))
    if kind == "name":
        return (replace(document.settings, name=f"drawing {number}"),)
    if kind == "device":
        return (Device(id=f"new-{number}", name=f"new-{number}", type="four", kind="server"),)
    switches = [i for i in devices if document.devices[i].kind in ("leaf", "spine", "nvswitch")]
    a, b = (random.choice(switches) for _ in range(2))
    cable = document.new_cables(1)
    ends = (Ports(a, f"x{2 * number}"), Ports(b, f"x{2 * number + 1}"))
    return (Link(id=f"a-link-{number}", a=ends[0], b=ends[1], cables=cable, gbps=400.0),)


def _placed(random: Random, document: Document) -> AnyElement:
    """A rack that stands elsewhere, or another floor."""
    if random.random() < 0.3:
        floor = random.choice([None, Floor(rack_pitch_m=2.0), Floor(tray_m=9.0)])
        return replace(document.settings, floor=floor)
    group = document.groups[random.choice(sorted(document.groups))]
    return replace(group, row=random.choice("AB"), column=random.choice([None, 1, 2, 30]))


def _renamed(random: Random, document: Document, number: int) -> tuple[AnyElement, ...]:
    group = document.groups[random.choice(sorted(document.groups))]
    return (replace(group, name=f"group {number}"),) if random.random() < 0.3 else ()


def grouped(document: Document) -> None:
    groups = (
        Group(id="west", name="west", kind="site"),
        Group(id="east", name="east", kind="site"),
        Group(id="rack-1", name="rack 1", kind="rack", parent="west"),
        Group(id="rack-2", name="rack 2", kind="rack", parent="east"),
    )
    document.apply(Edit("Group", put=groups))


@given(random=st.randoms(use_true_random=False))
def test_patching_equals_compiling(random: Random) -> None:
    document = random_drawing(random)
    grouped(document)
    fabric = compile_fabric(document)
    for number in range(6):
        fabric = follow(document, random_edit(random, document, number), fabric)


def test_a_cable_fails_and_works_with_the_places_of_its_racks() -> None:
    """The medium `dac` reaches 3 m here: the two racks stand side by side at first."""
    draft = Draft()
    floor = Floor(tray_m=1.9, slack_share=0.0, slack_m=0.0)
    draft.elements.append(Settings(floor=floor))
    draft.elements += [Group(id=n, name=n, kind="rack", row="A", column=1) for n in ("r1", "r2")]
    draft.device("leaf-0", "leaf", group="r1")
    draft.device("spine-0", "spine", group="r2")
    draft.join("leaf-0", "spine-0", medium="dac")
    document = draft.document()
    put = tuple(replace(device, unit=40) for device in document.devices.values())
    document.apply(Edit("Place", put=put))
    fabric = compile_fabric(document)
    assert fabric.capacity.tolist() == [50e9, 50e9]
    assert fabric.notes == ()
    rack = document.groups["r2"]
    fabric = follow(document, Edit("Away", put=(replace(rack, column=9),)), fabric)
    assert fabric.capacity.tolist() == [0.0, 0.0]
    assert fabric.working.tolist() == [0, 0]
    assert "1 link of no drawn length whose way" in fabric.notes[0]
    (link,) = document.links.values()
    stated = follow(document, Edit("Say", put=(replace(link, length_m=2.0),)), fabric)
    assert stated.capacity.tolist() == [50e9, 50e9]
    fabric = follow(document, Edit("Forget", put=(link,)), stated)
    assert fabric.capacity.tolist() == [0.0, 0.0]
    wide = replace(document.settings, floor=replace(floor, rack_pitch_m=0.1))
    fabric = follow(document, Edit("Narrow", put=(wide,)), fabric)
    assert fabric.capacity.tolist() == [50e9, 50e9]


def test_a_changed_link_and_a_move_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    document = rails(3).document()
    grouped(document)
    fabric = compile_fabric(document)
    seen: list[Change] = []
    document.listen(seen.append)
    monkeypatch.setattr("topoedit.engine.compile.patch.compile_fabric", None)
    link = next(iter(document.links.values()))
    document.apply(Edit("Fail", put=(replace(link, failed=1),)))
    fabric = patch_fabric(fabric, document, seen[-1])
    assert (fabric.capacity[fabric.link == fabric.link_ids.index(link.id)] == 0).all()
    node = document.devices["node-2"]
    document.apply(Edit("Move", put=(replace(node, group="rack-2", name="a"),)))
    fabric = patch_fabric(fabric, document, seen[-1])
    assert "a/nvlink/gpu7" in fabric.link_ids
    assert fabric.gpu_site[-8:].tolist() == [1] * 8


def test_a_fabric_of_another_revision_is_compiled_anew() -> None:
    draft = Draft()
    draft.device("leaf-0", "leaf")
    draft.device("spine-0", "spine")
    document = draft.document()
    fabric = compile_fabric(document)
    seen: list[Change] = []
    document.listen(seen.append)
    for number in range(2):
        draft.elements.clear()
        draft.join("leaf-0", "spine-0")
        document.apply(Edit(f"Add {number}", put=tuple(draft.elements)))
    same(patch_fabric(fabric, document, seen[-1]), compile_fabric(document))
