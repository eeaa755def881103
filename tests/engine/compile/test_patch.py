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
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports


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
    kinds = ["fail", "remove", "add", "rename", "regroup", "name", "plan", "device"]
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
             {"medium": "dac", "length_m": 4.0}, {"medium": "rack-dac"}, {"network": "storage"}]
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
    if kind == "name":
        return (replace(document.settings, name=f"drawing {number}"),)
    if kind == "device":
        return (Device(id=f"new-{number}", name=f"new-{number}", type="four", kind="server"),)
    switches = [i for i in devices if document.devices[i].kind in ("leaf", "spine", "nvswitch")]
    a, b = (random.choice(switches) for _ in range(2))
    cable = document.new_cables(1)
    ends = (Ports(a, f"x{2 * number}"), Ports(b, f"x{2 * number + 1}"))
    return (Link(id=f"a-link-{number}", a=ends[0], b=ends[1], cables=cable, gbps=400.0),)


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
