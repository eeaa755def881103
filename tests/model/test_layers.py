"""Layers: which state a device or link has, and which keys there are."""

from __future__ import annotations

import pytest

from topoedit.errors import BadInputError
from topoedit.model.elements import Device, Link, Note, Ports
from topoedit.model.layers import DIMMED, HIDDEN, SHOWN, Layers, parse_key

LINK = Link(
    id="l", a=Ports("a", "1"), b=Ports("b", "1"), cables="c1", network="storage", plane=1, rail=3,
    phase="2", tags=("new", "east"),
)  # fmt: skip


@pytest.mark.parametrize("text", ["storage", "rail=3", "plane=1", "phase=2"])
def test_a_link_takes_the_strongest_state_of_its_layers(text: str) -> None:
    assert Layers(hidden=frozenset({parse_key(text)})).state_of(LINK) == HIDDEN
    assert Layers(dimmed=frozenset({parse_key(text)})).state_of(LINK) == DIMMED
    assert Layers().state_of(LINK) == SHOWN


def test_an_element_goes_only_with_all_its_tags() -> None:
    one = Layers(hidden=frozenset({("tag", "new")}))
    assert one.shows(LINK)
    assert not one.put(("tag", "east"), HIDDEN).shows(LINK)


def test_solo_dims_the_others_of_its_kind_and_leaves_the_rest() -> None:
    layers = Layers().only(("rail", "2"))
    assert layers.state_of(LINK) == DIMMED
    assert layers.state(("rail", "2")) == SHOWN
    assert layers.state(("plane", "1")) == SHOWN
    assert layers.only(("rail", "2")).all_shown
    assert layers.put(("rail", "2"), HIDDEN).solo is None


def test_servers_carry_every_network_and_notes_none() -> None:
    layers = Layers(hidden=frozenset({("network", "compute"), ("phase", "1")}))
    server = Device(id="s", name="s", type="dgx-h100", kind="server")
    leaf = Device(id="f", name="f", type="qm9700", kind="leaf")
    assert layers.shows(server)
    assert not layers.shows(leaf)
    assert not layers.shows(Device(id="t", name="t", type="x", kind="server", phase="1"))
    assert layers.shows(Note(id="n", text="x"))


@pytest.mark.parametrize("text", ["", "rail", "rail=x", "network=fast", "colour=red", "plane=-1"])
def test_unknown_layers_are_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="names no layer"):
        parse_key(text)
