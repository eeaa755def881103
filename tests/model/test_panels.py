"""Links through patch panels: ports, trunks, what deleting and copying a panel does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.reports.conftest import catalog, device, drawn, link
from topoedit.engine.compile.compiler import compile_fabric
from topoedit.engine.compile.patch import patch_fabric
from topoedit.errors import BadEditError, BadFileError
from topoedit.io import native
from topoedit.model import clipboard
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import Device, Link, Ports, Trunk
from topoedit.model.operations import delete
from topoedit.model.panels import cut_cables, hops_of, through_of, trunks_of

__all__ = ["catalog", "drawn"]

TRUNK = Trunk(
    id="t1", a=Ports("p1", "1-4"), b=Ports("p2", "11-14"), fibres=48, fibre="smf", polarity="B"
)
PATCHED = link(
    "k", "node/nic0-1", "leaf/1-2", "c1-2", "400g-dr4", gbps=400.0, length_m=30.0,
    through=(Ports("p1", "1-2"), Ports("p2", "11-12")),
)  # fmt: skip


@pytest.fixture
def panels(drawn: Callable[..., Document]) -> Document:
    """A server and a leaf, joined by two cables through two panels with a trunk of four ports."""
    return drawn(
        device("node", "server", "dgx-h100"), device("leaf", "leaf", "qm9700"),
        device("p1", "panel", "generic-panel"), device("p2", "panel", "generic-panel"),
        TRUNK, PATCHED,
    )  # fmt: skip


def working(document: Document) -> float:
    """Bytes/s of both directions of all drawn links."""
    fabric = compile_fabric(document)
    return float(fabric.capacity[fabric.link == fabric.link_ids.index("k")].sum())


def test_the_way_of_one_cable(panels: Document) -> None:
    assert hops_of(panels.links["k"], 1) == (("p1", ("2",)), ("p2", ("12",)))
    assert trunks_of(panels, panels.links["k"], 1) == (TRUNK,)
    assert panels.links_through("p2") == ("k",)
    assert panels.rear_ports("p2") == dict.fromkeys(("11", "12", "13", "14"), "t1")
    assert panels.ports_in_use("p1") == {"1": "k", "2": "k"}


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (replace(PATCHED, id="m", a=Ports("node", "nic2-3"), b=Ports("leaf", "5-6"),
                 cables="c5-6"), "two cables in port p1:1"),
        (replace(PATCHED, through=(Ports("p1", "1-3"), Ports("p2", "11-13"))), "2 cables but 3, 3"),
        (replace(PATCHED, through=(Ports("p1", "1-2"), Ports("p2", "11-14"))), "2 cables but 2, 4"),
        (replace(PATCHED, through=(Ports("leaf", "9-10"),)), "no patch panel"),
        (replace(PATCHED, through=(Ports("gone", "9-10"),)), "does not exist"),
        (replace(TRUNK, id="t2", b=Ports("p2", "21-24")), "two trunks behind port p1:1"),
        (replace(TRUNK, id="t2", a=Ports("p1", "21-22"), b=Ports("p2", "21-24")), "2 ports at one"),
        (replace(TRUNK, fibres=47), "47 fibres cannot be shared evenly by 4 ports"),
        (replace(TRUNK, b=Ports("p1", "21-24")), "joins two panels"),
        (replace(TRUNK, splices=-1), "-1 splices"),
        (replace(TRUNK, length_m=float("nan")), "length"),
        (device("p1", "switch", "generic-panel"), "is no patch panel"),
    ],
)  # fmt: skip
def test_what_cannot_be(panels: Document, element: Link | Trunk | Device, words: str) -> None:
    before = native.dumps(panels)
    with pytest.raises(BadEditError, match=words):
        panels.apply(Edit("x", put=(element,)))
    assert native.dumps(panels) == before
    assert panels.rear_ports("p1") == dict.fromkeys(("1", "2", "3", "4"), "t1")


def test_a_panel_in_use_cannot_go_alone(panels: Document) -> None:
    with pytest.raises(BadEditError, match="still has k in it"):
        panels.apply(Edit("x", drop=("p1",)))


def test_deleting_a_panel_keeps_the_links(panels: Document) -> None:
    before = native.dumps(panels)
    edit = delete(panels, ["p1"])
    assert edit.label == "Delete 1 device and 1 trunk"
    inverse = panels.apply(edit)
    assert panels.links["k"].through == (Ports("p2", "11-12"),)
    assert not panels.trunks
    panels.apply(inverse)
    assert native.dumps(panels) == before


def test_copies_run_through_copied_panels(panels: Document) -> None:
    whole = clipboard.copy(panels, ["node", "leaf", "p1", "p2"])
    edit = clipboard.paste(panels, whole, 0, 0)
    panels.apply(edit)
    copy = next(e for e in edit.put if isinstance(e, Link))
    assert copy.through == (Ports("p3", "1-2"), Ports("p4", "11-12"))
    assert trunks_of(panels, copy, 0)[0].fibres == 48
    ends = clipboard.copy(panels, ["node", "leaf"])
    assert [e.through for e in clipboard.paste(panels, ends, 0, 0).put if isinstance(e, Link)] == [
        ()
    ]
    again = clipboard.from_text(clipboard.to_text(whole))
    assert again == whole


def test_the_file_keeps_panels(panels: Document, catalog: object) -> None:
    data = native.dumps(panels)
    read = native.loads(data, panels.catalog, "x").document
    assert native.dumps(read) == data
    assert (read.links["k"], read.trunks["t1"]) == (PATCHED, TRUNK)
    plain = Document(panels.catalog, [device("p", "panel", "generic-panel")])
    assert b"through" not in native.dumps(plain)


def test_a_cut_trunk_or_failed_panel_fails_the_link(panels: Document) -> None:
    whole = working(panels)
    assert whole == 2 * 2 * 50e9
    panels.apply(Edit("cut", put=(replace(TRUNK, failed=True),)))
    assert cut_cables(panels) == {"k": frozenset({0, 1})}
    assert working(panels) == 0.0
    assert any("trunks out of service" in note for note in compile_fabric(panels).notes)
    panels.apply(Edit("mend", put=(TRUNK, device("p2", "panel", "generic-panel", failed=True))))
    assert working(panels) == 0.0


def test_a_cut_trunk_fails_only_the_cables_in_it(panels: Document) -> None:
    first = replace(TRUNK, a=Ports("p1", "1"), b=Ports("p2", "11"), fibres=12, failed=True)
    second = replace(TRUNK, id="t2", a=Ports("p1", "2"), b=Ports("p2", "12"), fibres=12)
    panels.apply(Edit("split", put=(first, second)))
    assert cut_cables(panels) == {"k": frozenset({0})}
    assert working(panels) == 2 * 50e9


def test_a_patched_fabric_follows(panels: Document) -> None:
    fabric = compile_fabric(panels)
    seen: list[Change] = []
    panels.listen(seen.append)
    panels.apply(Edit("cut", put=(replace(TRUNK, failed=True),)))
    assert seen[-1].topology
    patched = patch_fabric(fabric, panels, seen[-1])
    assert float(patched.capacity.sum()) == float(compile_fabric(panels).capacity.sum())


def test_the_whole_way_is_what_counts(panels: Document) -> None:
    """Reach and delay are of the length from end to end: 500 m of DR4 are the most."""
    panels.apply(Edit("longer", put=(replace(PATCHED, length_m=501.0),)))
    assert working(panels) == 0.0


def test_the_way_of_some_cables_alone(panels: Document) -> None:
    link = panels.links["k"]
    assert through_of(link, [1]) == (Ports("p1", "2"), Ports("p2", "12"))
    assert through_of(replace(link, through=()), [0]) == ()
    two = replace(link, through=(Ports("p1", "1-4"),))
    assert through_of(two, [1]) == (Ports("p1", "3-4"),)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"through":[["p1","1-2"]', '"through":[["p1","1-9999999"]', "9999999 is not a run"),
        ('"through":[["p1","1-2"]', '"through":[["p1","2-1"]', "2-1 is not a run"),
        ('"through":[["p1","1-2"]', '"through":[["px","1-2"]', '"px", which does not exist'),
        ('"a":["p1","1-4"]', '"a":["p1","1-9999999"]', "9999999 is not a run"),
        ('"a":["p1","1-4"]', '"a":["p1",""]', "0 ports at one panel"),
        ('"fibres":48', '"fibres":-48', "-48 fibres"),
        ('"polarity":"B"', '"polarity":"D"', "Invalid enum value"),
        ('"fibres":48', '"fibres":1e999', ""),
    ],
)
def test_a_wrong_file_is_one_clear_line(panels: Document, old: str, new: str, words: str) -> None:
    text = native.dumps(panels).decode()
    assert old in text
    with pytest.raises(BadFileError) as caught:
        native.loads(text.replace(old, new).encode(), panels.catalog, "x.topo.json")
    assert words in caught.value.line
    assert caught.value.line.startswith("x.topo.json")
