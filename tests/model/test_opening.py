"""Opening a whole drawing at once: the same look-ups as one element after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.model.small import small_catalog
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.errors import BadEditError, TopoeditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Note, Ports, Trunk
from topoedit.model.opening import MOST_NAMES

PANEL = DeviceType(id="panel", name="Panel", source="test", kind="panel", open_ports=True)
RACK = Group(id="r", name="rack", kind="rack", parent="p")
POD = Group(id="p", name="pod", kind="pod")
SERVER = Device(id="s", name="node", type="server4", kind="server", group="r")
LEAF = Device(id="l", name="leaf", type="switch8", kind="leaf")
OPEN = Device(id="o", name="open", type="open", kind="spine", x=4.0)
PANELS = tuple(Device(id=i, name=i, type="panel", kind="panel") for i in ("p1", "p2"))
TRUNK = Trunk(id="t", a=Ports("p1", "1-4"), b=Ports("p2", "1-4"), fibres=48)
DOWN = Link(id="k1", a=Ports("s", "nic0-1"), b=Ports("l", "1-2"), cables="c3-4", gbps=400.0)
UP = Link(id="k2", a=Ports("l", "8"), b=Ports("o", "'e1-1'"), cables="blue", length_m=3.5)
MIXED = Link(id="k3", a=Ports("l", "5,7"), b=Ports("o", "a,b"), cables="c12,c7", failed=1)
PATCHED = Link(
    id="k4", a=Ports("s", "nic2"), b=Ports("l", "3"), cables="c1",
    through=(Ports("p1", "1"), Ports("p2", "1")),
)  # fmt: skip
ALL: tuple[AnyElement, ...] = (
    UP, SERVER, LEAF, *PANELS, DOWN, TRUNK, OPEN, RACK, MIXED, POD, PATCHED,
    CustomType(id="panel", type=PANEL), Note(id="n", text="here"),
)  # fmt: skip


@dataclass(frozen=True)
class LookUps:
    """Everything that a document answers about its elements, ports and cables."""

    tables: tuple[object, ...]
    per_device: dict[str, tuple[object, ...]]
    per_group: dict[str, tuple[object, ...]]
    cables: dict[str, str | None]

    @classmethod
    def of(cls, document: Document) -> LookUps:
        names = [f"c{n}" for n in range(14)] + ["blue"]
        links = {name: document.link_of_cable(name) for name in names}
        return cls(
            tables=(
                {e.id: e for e in document.elements()}, dict(document.devices),
                dict(document.links), dict(document.groups), dict(document.trunks),
                dict(document.types), dict(document.notes), document.new_cables(1),
                document.patched_links, document.settings,
                [document.named(n) for n in ("node", "rack", "open", "p1", "none")],
                (document.revision, document.topology_revision),
            ),
            per_device={
                i: (
                    set(document.links_of(i)), dict(document.ports_in_use(i)),
                    document.links_through(i), dict(document.rear_ports(i)),
                    document.beyond(i, "2"),
                )
                for i in document.devices
            },
            per_group={i: (document.members(i), document.subgroups(i)) for i in ("r", "p", "")},
            cables={name: link.id if link else None for name, link in links.items()},
        )  # fmt: skip


def one_by_one(elements: Sequence[AnyElement]) -> Document:
    """The same drawing without the quick way: one edit puts everything."""
    document = Document(small_catalog())
    document.apply(Edit("Open", put=tuple(elements)))
    document.revision = document.topology_revision = 0
    return document


def quick(elements: Sequence[AnyElement], most: int = MOST_NAMES) -> Document | None:
    return Document.quick(small_catalog(), elements, most)


def test_a_drawing_opened_at_once_answers_as_one_put_together() -> None:
    document = quick(ALL)
    assert document is not None
    assert LookUps.of(document) == LookUps.of(one_by_one(ALL))
    assert document.new_cables(1) == "c13"


@given(st.permutations(ALL), st.integers(0, len(ALL)))
def test_whatever_is_there_and_in_whatever_order(elements: list[AnyElement], kept: int) -> None:
    some = elements[:kept]
    careful, opened = outcome(one_by_one, some), outcome(whole, some)
    assert opened == careful
    assert (quick(some) is None) is isinstance(careful, str)


def whole(elements: Sequence[AnyElement]) -> Document:
    return Document(small_catalog(), elements)


def outcome(make: Callable[[Sequence[AnyElement]], Document], some: list[AnyElement]) -> object:
    """What a drawing answers, or the line that refuses it."""
    try:
        return LookUps.of(make(some))
    except TopoeditError as error:
        return error.line


@pytest.mark.parametrize(
    "wrong",
    [
        replace(DOWN, id="x", cables="c20-21"),  # ports taken twice
        replace(DOWN, id="x", a=Ports("s", "nic3"), b=Ports("l", "4"), cables="c4"),
        replace(DOWN, id="x", a=Ports("s", "nic3"), b=Ports("l", "4"), cables="c30-31"),
        replace(DOWN, id="x", a=Ports("s", "nic3"), b=Ports("l", "4,6"), cables="c30"),
        replace(DOWN, id="x", a=Ports("s", "nic9"), b=Ports("l", "4"), cables="c30"),
        replace(DOWN, id="x", a=Ports("nobody", "1"), b=Ports("l", "4"), cables="c30"),
        replace(DOWN, id="x", a=Ports("l", "4"), b=Ports("l", "4"), cables="c30"),
        replace(DOWN, id="x", a=Ports("s", ""), b=Ports("l", ""), cables=""),
        replace(UP, id="x", a=Ports("l", "4"), b=Ports("o", "z"), cables="c30", failed=2),
        replace(UP, id="x", a=Ports("l", "4"), b=Ports("o", "z"), cables="c30", gbps=-1.0),
        replace(UP, id="x", a=Ports("l", "4"), b=Ports("o", "z"), cables="c30", km=float("nan")),
        replace(UP, id="x", a=Ports("l", "4"), b=Ports("o", "z"), cables="c30", length_m=1e9),
        replace(PATCHED, id="x", a=Ports("s", "nic3"), b=Ports("l", "4"), cables="c30"),
        replace(PATCHED, id="x", a=Ports("s", "nic3"), b=Ports("l", "4"), cables="c30",
                through=(Ports("l", "6"),)),
        replace(SERVER, id="x"),
        replace(SERVER, id="x", name=" "),
        replace(SERVER, id="x", name="two\nlines"),
        replace(SERVER, id="x", name="n" * 201),
        replace(SERVER, id="x", name="other", type="none"),
        replace(SERVER, id="x", name="other", group="none"),
        replace(SERVER, id="x", name="other", x=float("inf")),
        replace(SERVER, id="", name="other"),
        replace(RACK, id="x"),
        replace(RACK, id="x", name="other", parent="r"),
        replace(TRUNK, id="x"),
        replace(TRUNK, id="x", a=Ports("l", "4"), b=Ports("p2", "9"), fibres=12),
        CustomType(id="x", type=PANEL),
        Note(id="n", text="twice"),
    ],
)  # fmt: skip
def test_the_quick_way_takes_nothing_that_the_careful_one_refuses(wrong: AnyElement) -> None:
    elements = (*ALL, wrong)
    with pytest.raises(BadEditError) as careful:
        one_by_one(elements)
    assert quick(elements) is None
    with pytest.raises(BadEditError) as opened:
        Document(small_catalog(), elements)
    assert opened.value.line == careful.value.line


def test_more_cables_than_allowed_are_left_to_the_careful_way() -> None:
    assert quick(ALL, most=12) is not None  # 6 in links, 4 behind the panels, 2 through them
    assert quick(ALL, most=11) is None


def test_ranges_of_millions_are_never_spelled_out() -> None:
    wide = replace(UP, a=Ports("o", "1-1000000"), b=Ports("l", "8"), cables="c1")
    assert quick((LEAF, OPEN, wide)) is None


def test_a_type_that_nobody_knows_is_none() -> None:
    assert Document.quick(Catalog(devices={}), (SERVER, RACK, POD), MOST_NAMES) is None
