"""Comparing two drawings: by id, else by name; cables by ports, else by id."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.routing.drawings import CATALOG, rails, random_drawing
from topoedit.app.compare_files import Comparison, compare_files
from topoedit.app.open import Opened
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports


def compare(old: Document, new: Document) -> Comparison:
    return compare_files(Opened(old, "topoedit"), Opened(new, "topoedit"), ("old", "new"))


def with_(document: Document, *changed: AnyElement, without: tuple[str, ...] = ()) -> Document:
    """A copy with some elements replaced, added or left out."""
    elements = {e.id: e for e in document.elements() if e.id not in without}
    return Document(CATALOG, (elements | {e.id: e for e in changed}).values())


BASE = rails(2, spines=2, type_id="four").document()


def test_the_same_twice() -> None:
    found = compare(BASE, with_(BASE))
    assert found.same
    assert found.counts == {}


def test_added_and_removed_are_counted_by_kind() -> None:
    extra = Device(id="x", name="spare", type="spine", kind="spine")
    found = compare(BASE, with_(BASE, extra))
    assert found.counts == {"spine": {"added": 1}}
    assert (found.added[0].kind, found.added[0].name) == ("spine", "spare")
    back = compare(with_(BASE, extra), BASE)
    assert back.counts == {"spine": {"removed": 1}}


def test_a_changed_field_before_and_after() -> None:
    found = compare(BASE, with_(BASE, replace(BASE.devices["node-0"], failed=True)))
    (change,) = found.changed
    assert (change.name, change.matched_by) == ("node-0", "id")
    assert [(f.field, f.before, f.after) for f in change.fields] == [("failed", False, True)]
    assert found.moved == ()


def test_a_move_is_apart() -> None:
    found = compare(BASE, with_(BASE, replace(BASE.devices["node-0"], x=50.0, y=7.0)))
    assert found.changed == ()
    assert found.counts == {"server": {"moved": 1}}
    assert not found.same


def renamed_ids(document: Document) -> Document:
    """The same plant, read again with other ids everywhere but on cables."""
    new = {i: f"new-{i}" for i in (*document.devices, *document.groups)}
    elements: list[AnyElement] = [
        replace(g, id=new[g.id], parent=new.get(g.parent, "")) for g in document.groups.values()
    ]
    elements += [
        replace(d, id=new[d.id], group=new.get(d.group, "")) for d in document.devices.values()
    ]
    elements += [
        replace(
            link, id=f"again-{link.id}", a=Ports(new[link.b.device], link.b.ports),
            b=Ports(new[link.a.device], link.a.ports),
        )
        for link in document.links.values()
    ]  # fmt: skip
    return Document(CATALOG, elements)


def test_other_ids_and_directions_are_the_same_plant() -> None:
    rack = Group(id="r", name="rack-1", kind="rack")
    base = with_(BASE, rack, replace(BASE.devices["node-0"], group="r"))
    found = compare(base, renamed_ids(base))
    assert found.same, found.counts
    changed = with_(
        renamed_ids(base), replace(renamed_ids(base).devices["new-leaf-0"], type="sharp")
    )
    found = compare(base, changed)
    assert [(c.id, c.id_after, c.matched_by) for c in found.changed] == [
        ("leaf-0", "new-leaf-0", "name")
    ]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_any_drawing_equals_itself_with_other_ids(seed: int) -> None:
    document = random_drawing(Random(seed))
    assert compare(document, document).same
    assert compare(document, renamed_ids(document)).same


def host_link() -> Link:
    return next(link for link in BASE.links.values() if link.a.device == "node-0")


def test_a_cable_in_another_port_has_moved() -> None:
    link = host_link()
    moved = replace(link, b=Ports(link.b.device, "60"))
    found = compare(BASE, with_(BASE, moved))
    (cable,) = found.cables.moved
    before = {f"{e.device}:{e.ports}" for e in (link.a, link.b)}
    after = {f"{e.device}:{e.ports}" for e in (moved.a, moved.b)}
    assert cable.id == link.cables
    assert {cable.a, cable.b} == before
    assert {cable.a_after, cable.b_after} == after
    assert found.counts == {"cable": {"moved": 1}, "link": {"changed": 1}}


def test_the_same_ports_with_another_cable_id_are_renumbered() -> None:
    link = host_link()
    found = compare(BASE, with_(BASE, replace(link, cables="c900")))
    (cable,) = found.cables.renumbered
    assert (cable.id, cable.id_after) == (link.cables, "c900")
    assert found.counts == {"cable": {"renumbered": 1}}


def test_an_id_given_again_elsewhere_is_no_move() -> None:
    link = host_link()
    again = Link(id=link.id, a=Ports("spine-0", "50"), b=Ports("spine-1", "50"), cables=link.cables)
    found = compare(BASE, with_(BASE, again))
    assert len(found.cables.added) == len(found.cables.removed) == 1
    assert found.cables.moved == ()


def test_crossed_cables_are_two_moves() -> None:
    links = [link for link in BASE.links.values() if link.b.device == "leaf-0"][:2]
    one, other = links
    crossed = with_(BASE, replace(one, b=other.b), replace(other, b=one.b), without=())
    found = compare(BASE, crossed)
    assert len(found.cables.moved) == 2
    assert found.cables.added == found.cables.removed == ()


def test_a_removed_device_takes_its_links_and_cables() -> None:
    gone = BASE.links_of("spine-1")
    found = compare(BASE, with_(BASE, without=("spine-1", *gone)))
    assert found.counts == {
        "cable": {"removed": 8}, "link": {"removed": 4}, "spine": {"removed": 1},
    }  # fmt: skip
    assert all("spine-1:" in f"{c.a}{c.b}" for c in found.cables.removed)
