from __future__ import annotations

import pytest

from topoedit.errors import BadEditError, TopoeditError
from topoedit.model import operations as op
from topoedit.model.connect import connect
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit, MoveDevices
from topoedit.model.elements import Device, Group, Link, Ports


def snapshot(document: Document) -> dict[str, object]:
    return {element.id: element for element in document.elements()}


def link(a: str, b: str, cables: str = "c1", **fields: object) -> Link:
    a_device, a_ports = a.split(":")
    b_device, b_ports = b.split(":")
    return Link(
        id=f"l-{cables}", a=Ports(a_device, a_ports), b=Ports(b_device, b_ports), cables=cables,
        **fields,
    )  # fmt: skip


BAD_EDITS = {
    "a port that the type lacks": Edit("x", put=(link("node-1:nic9", "leaf-1:1"),)),
    "a device that is not there": Edit("x", put=(link("node-9:nic0", "leaf-1:1"),)),
    "more cables than ports": Edit("x", put=(link("node-1:nic0", "leaf-1:1", "c1-2"),)),
    "a port used twice": Edit(
        "x", put=(link("node-1:nic0", "leaf-1:1"), link("node-1:nic0", "leaf-1:2", "c2"))
    ),
    "a cable used twice": Edit(
        "x",
        put=(
            link("node-1:nic0", "leaf-1:1"),
            Link(id="other", a=Ports("node-2", "nic0"), b=Ports("leaf-1", "2"), cables="c1"),
        ),
    ),
    "a name that is taken": Edit(
        "x", put=(Device(id="new", name="leaf-1", type="switch8", kind="leaf"),)
    ),
    "an empty name": Edit("x", put=(Device(id="new", name=" ", type="switch8", kind="leaf"),)),
    "an unknown type": Edit("x", put=(Device(id="new", name="n", type="nothing", kind="leaf"),)),
    "a group in itself": Edit(
        "x", put=(Group(id="pod-1", name="pod-1", kind="pod", parent="pod-1"),)
    ),
    "a rack that holds a pod": Edit(
        "x", put=(Group(id="p", name="p", kind="pod", parent="rack-1"),)
    ),
    "removing nothing": Edit("x", drop=("nobody",)),
    "removing the settings": Edit("x", drop=("document",)),
    "a group that is not empty": Edit("x", drop=("pod-1",)),
    "a negative rate": Edit("x", put=(link("node-1:nic0", "leaf-1:1", gbps=-1.0),)),
    "a place that is no number": Edit(
        "x",
        put=(Device(id="n", name="n", type="switch8", kind="leaf", x=float("nan")),),
    ),
    "an element named twice": Edit(
        "x", drop=("leaf-1",), put=(Device(id="leaf-1", name="z", type="switch8", kind="leaf"),)
    ),
    "moving nobody": MoveDevices("x", ("nobody",), (0.0,), (0.0,)),
}


@pytest.mark.parametrize("edit", BAD_EDITS.values(), ids=BAD_EDITS.keys())
def test_a_failed_edit_leaves_nothing_behind(document: Document, edit: Edit) -> None:
    before, revision = snapshot(document), document.revision
    with pytest.raises(TopoeditError) as caught:
        document.apply(edit)
    assert "\n" not in caught.value.line
    assert snapshot(document) == before
    assert document.revision == revision
    document.apply(connect(document, "node-1", "leaf-1"))
    assert document.ports_in_use("node-1") == {"nic0": "link-c1"}


def test_a_device_with_links_goes_only_together_with_them(document: Document) -> None:
    document.apply(connect(document, "node-1", "leaf-1"))
    with pytest.raises(BadEditError, match="still has links"):
        document.apply(Edit("x", drop=("leaf-1",)))
    edit = op.delete(document, ["leaf-1"])
    assert edit.label == "Delete 1 device and 1 cable"
    inverse = document.apply(edit)
    assert document.ports_in_use("node-1") == {}
    document.apply(inverse)
    assert document.ports_in_use("node-1") == {"nic0": "link-c1"}


def test_one_change_for_each_edit(document: Document) -> None:
    seen: list[Change] = []
    stop = document.listen(seen.append)
    document.apply(op.rename(document, "leaf-1", "tor-1"))
    stop()
    document.apply(op.rename(document, "leaf-1", "tor-2"))
    assert [(c.changed, c.added, c.removed, c.topology) for c in seen] == [
        (("leaf-1",), (), (), True)
    ]


def test_moving_is_no_change_of_topology(document: Document) -> None:
    before = document.topology_revision
    inverse = document.apply(op.move(document, ["rack-1"], 8, 16))
    assert document.devices["node-1"].x == 108
    assert document.topology_revision == before
    document.apply(inverse)
    assert (document.devices["node-2"].x, document.devices["node-2"].y) == (200, 0)


def test_locked_devices_stay_where_they_are(document: Document) -> None:
    document.apply(op.set_fields(document, ["node-1"], {"locked": True}))
    document.apply(op.move(document, ["rack-1"], 8, 0))
    assert document.devices["node-1"].x == 100
    assert document.devices["node-2"].x == 208


def test_group_and_ungroup_keep_members(document: Document) -> None:
    document.apply(op.group(document, ["leaf-1", "leaf-2"], "rack", "rack-9"))
    assert document.members("rack-9") == ("leaf-1", "leaf-2")
    document.apply(op.ungroup(document, "rack-9"))
    assert document.devices["leaf-1"].group == ""


def test_deleting_a_rack_takes_its_devices(document: Document) -> None:
    document.apply(op.delete(document, ["pod-1"]))
    assert not document.groups
    assert set(document.devices) == {"leaf-1", "leaf-2", "spine-1"}
    assert document.element("node-1") is None


def test_cable_ids_are_never_used_again(document: Document) -> None:
    document.apply(connect(document, "node-1", "leaf-1", cables=1))
    document.apply(connect(document, "node-2", "leaf-1", cables=1))
    document.apply(op.delete(document, ["link-c2"]))
    document.apply(connect(document, "node-2", "leaf-1", cables=1))
    assert document.links["link-c3"].cables == "c3"
    assert document.link_of_cable("c1") == document.links["link-c1"]
