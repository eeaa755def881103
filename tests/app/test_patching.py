"""Routing links through patch panels: ports, trunks, lengths, refusals; random runs with undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cli.conftest import topoedit
from tests.reports.conftest import catalog, device, drawn, link
from topoedit.app.patch_words import find_links, find_panels
from topoedit.app.patching import NewTrunks, patch, unpatch
from topoedit.catalog.cabling import face_of
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadEditError, BadInputError
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.elements import Group, Ports, Trunk
from topoedit.model.panels import trunks_of
from topoedit.model.segments import medium_of

__all__ = ["catalog", "drawn", "topoedit"]

TRUNK = Trunk(
    id="t1", a=Ports("p1", "1-12"), b=Ports("p2", "1-12"), fibres=144, fibre="smf", polish="APC",
    polarity="B",
)  # fmt: skip


def row_of_two(*more: object, medium: str = "400g-dr4") -> list[object]:
    """Two racks side by side, a panel at the top of each; four servers' links to one leaf."""
    elements: list[object] = [
        Group(id="R1", name="R1", kind="rack", row="A", column=1),
        Group(id="R2", name="R2", kind="rack", row="A", column=2),
        device("p1", "panel", "generic-panel", "R1", unit=42),
        device("p2", "panel", "generic-panel", "R2", unit=42),
        device("leaf", "leaf", "qm9700", "R2", unit=40),
    ]
    for number in range(4):
        name = f"n{number}"
        elements.append(device(name, "server", "dgx-h100", "R1", unit=1 + 8 * number))
        first = 4 * number + 1
        elements.append(
            link(f"k{number}", f"{name}/nic0-3", f"leaf/{first}-{first + 3}",
                 f"c{first}-{first + 3}", medium, gbps=400.0, length_m=9.0)
        )  # fmt: skip
    return [*elements, *more]


def test_free_ports_of_the_trunk_in_order(drawn: Callable[..., Document]) -> None:
    """k0 from unit 1 to 42: 41 x 0.04445 + 0.5 = 2.32 m, so 2.5 m. The trunk, from 1.97 m up to the
    tray at 2.6 m twice and 0.6 m along it, 1.87 m, with 10 % and 1 m of slack 3.05, so 4 m. From
    unit 42 to the leaf's 0.59 m, so 1 m."""
    document = drawn(*row_of_two(TRUNK))
    done = patch(document, ["k0", "k1"], ["p1", "p2"])
    document.apply(done.edit)
    assert (done.links, done.cables, done.trunks, done.notes) == (2, 8, (), ())
    assert document.links["k0"].through == (Ports("p1", "1-4"), Ports("p2", "1-4"))
    assert document.links["k1"].through == (Ports("p1", "5-8"), Ports("p2", "5-8"))
    assert done.edit.label == "Route 2 links through 2 panels"
    assert document.links["k0"].length_m == 2.5 + 4.0 + 1.0


def test_a_link_drawn_the_other_way_round(drawn: Callable[..., Document]) -> None:
    turned = link("k9", "leaf/33", "n0/nic4", "c90", "400g-dr4", gbps=400.0)
    document = drawn(*row_of_two(TRUNK, turned))
    document.apply(patch(document, ["k9"], ["p1", "p2"]).edit)
    assert document.links["k9"].through == (Ports("p2", "1"), Ports("p1", "1"))


def test_trunks_are_added_where_they_are_full(drawn: Callable[..., Document]) -> None:
    document = drawn(*row_of_two(TRUNK))
    done = patch(
        document, ["k0", "k1", "k2", "k3"], ["p1", "p2"], new_trunks=NewTrunks(ports=6)
    )  # fmt: skip
    document.apply(done.edit)
    assert done.trunks == ("trunk-1",)
    new = document.trunks["trunk-1"]
    assert (new.a, new.b, new.fibres) == (Ports("p1", "13-18"), Ports("p2", "13-18"), 72)
    assert (new.fibre, new.polish, new.polarity) == ("smf", "APC", "B")
    assert document.links["k3"].through == (Ports("p1", "13-16"), Ports("p2", "13-16"))


def test_without_trunks_cords_join_the_panels(drawn: Callable[..., Document]) -> None:
    document = drawn(*row_of_two())
    document.apply(patch(document, ["k0"], ["p1", "p2"]).edit)
    assert document.links["k0"].through == (Ports("p1", "1-4"), Ports("p2", "1-4"))
    assert trunks_of(document, document.links["k0"], 0) == ()
    document.apply(patch(document, ["k1"], ["p1"]).edit)
    assert document.links["k1"].through == (Ports("p1", "5-8"),)


def test_twisted_pair_takes_no_fibres(drawn: Callable[..., Document]) -> None:
    oob = link("k9", "n0/bmc", "leaf/33", "c90", "cat6", gbps=1.0)
    document = drawn(*row_of_two(TRUNK, oob))
    document.apply(patch(document, ["k9"], ["p1", "p2"]).edit)
    assert document.links["k9"].through == (Ports("p1", "13"), Ports("p2", "13"))


def test_two_connectors_take_two_ports(drawn: Callable[..., Document]) -> None:
    eight = link("k9", "n0/nic4", "leaf/33", "c90", "800g-dr8", gbps=800.0)
    document = drawn(*row_of_two(TRUNK, eight))
    document.apply(patch(document, ["k9"], ["p1", "p2"]).edit)
    assert document.links["k9"].through == (Ports("p1", "1-2"), Ports("p2", "1-2"))


def test_routing_again_and_past_the_panels(drawn: Callable[..., Document]) -> None:
    document = drawn(*row_of_two(TRUNK))
    document.apply(patch(document, ["k0", "k1", "k2"], ["p1", "p2"]).edit)
    again = patch(document, ["k0"], ["p1", "p2"])
    document.apply(again.edit)
    assert document.links["k0"].through == (Ports("p1", "1-4"), Ports("p2", "1-4"))
    straight = unpatch(document, ["k0", "k3"])
    assert straight.label == "Route 1 link past the panels"
    document.apply(straight)
    assert document.links["k0"].through == ()


@pytest.mark.parametrize(
    ("medium", "trunk", "options", "words"),
    [
        ("dac-100", TRUNK, {}, "plugs attached"),
        ("400g-dr4", replace(TRUNK, fibres=72), {}, "none of 1 trunk there suits 400g-dr4"),
        ("400g-dr4", replace(TRUNK, polish="UPC"), {}, "none of 1 trunk"),
        ("400g-sr4", TRUNK, {}, "none of 1 trunk"),
        ("400g-dr4", replace(TRUNK, a=Ports("p1", "1-2"), b=Ports("p2", "1-2"), fibres=24), {},
         "all 2 ports of the trunks between them are taken"),
        ("400g-dr4", TRUNK, {"new_trunks": NewTrunks(connector="SC")},
         "no connector"),
    ],
)  # fmt: skip
def test_refusals_leave_the_drawing(
    drawn: Callable[..., Document], medium: str, trunk: Trunk, options: dict[str, object],
    words: str,
) -> None:  # fmt: skip
    length = {} if medium != "dac-100" else {"length_m": 2.0}
    document = drawn(*(replace(e, **length) if getattr(e, "cables", "") else e
                       for e in row_of_two(trunk, medium=medium)))  # fmt: skip
    before = native.dumps(document)
    if "new_trunks" in options:
        with pytest.raises(BadEditError, match=words):
            patch(document, ["k0", "k1", "k2", "k3"], ["p1", "p2"], **options)
    else:
        with pytest.raises(BadEditError, match=words):
            patch(document, ["k0"], ["p1", "p2"])
    assert native.dumps(document) == before


def test_three_panels_need_leave(drawn: Callable[..., Document]) -> None:
    third = device("p3", "panel", "generic-panel", "R1", unit=41)
    document = drawn(*row_of_two(TRUNK, third))
    with pytest.raises(BadEditError, match="3 panels are more than the 2"):
        patch(document, ["k0"], ["p3", "p1", "p2"])
    document.apply(patch(document, ["k0"], ["p3", "p1", "p2"], max_panels=3).edit)
    assert document.settings.max_panels == 3
    assert [hop.device for hop in document.links["k0"].through] == ["p3", "p1", "p2"]
    document.apply(patch(document, ["k1"], ["p3", "p1", "p2"]).edit)


def test_an_unknown_way_keeps_the_length(drawn: Callable[..., Document]) -> None:
    floating = [replace(e, group="") if getattr(e, "id", "") == "p1" else e
                for e in row_of_two(TRUNK)]  # fmt: skip
    document = drawn(*floating)
    done = patch(document, ["k0"], ["p1", "p2"])
    document.apply(done.edit)
    assert document.links["k0"].length_m == 9.0
    assert "does not follow" in done.notes[0]


def test_words_for_links_and_panels(drawn: Callable[..., Document]) -> None:
    document = drawn(*row_of_two(TRUNK))
    assert find_links(document, ["k1"]) == ["k1"]
    assert find_links(document, ["c3-6"]) == ["k0", "k1"]
    assert find_links(document, ["n[12]"]) == ["k1", "k2"]
    assert find_links(document, ["leaf:n0", "k0"]) == ["k0"]
    with pytest.raises(BadInputError, match="is no link"):
        find_links(document, ["spine-*"])
    assert find_panels(document, "p2, p1") == ["p2", "p1"]
    with pytest.raises(BadInputError, match="Panels: p1, p2"):
        find_panels(document, "leaf")


MEDIA = ("400g-dr4", "400g-fr4", "400g-sr4", "800g-dr8", "")
PANELS = ("p1", "p2", "p3")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("patch", "trunks", "unpatch")),
        st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True),
        st.lists(st.sampled_from(PANELS), min_size=1, max_size=3),
        st.sampled_from(("MPO-12", "MPO-16", "LC")),
        st.integers(1, 5),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(MEDIA), min_size=8, max_size=8), STEPS)
@example(
    ["400g-dr4"] * 2 + ["800g-dr8"] + ["400g-dr4"] * 5, [("trunks", [2], ["p1", "p3"], "MPO-12", 1)]
)
def test_ports_are_never_shared_and_fibres_never_overfilled(
    media: list[str], steps: list[tuple[str, list[int], list[str], str, int]]
) -> None:
    elements: list[object] = [device(p, "panel", "generic-panel") for p in PANELS]
    elements += [device("leaf", "leaf", "qm9700"), TRUNK]
    for number, medium in enumerate(media):
        elements.append(device(f"n{number}", "server", "dgx-h100"))
        elements.append(
            link(f"k{number}", f"n{number}/nic0-1", f"leaf/{2 * number + 1}-{2 * number + 2}",
                 f"c{2 * number + 1}-{2 * number + 2}", medium)
        )  # fmt: skip
    document = Document(load_catalog(user=False), elements)
    undo = []
    first = native.dumps(document)
    for what, links, panels, connector, ports in steps:
        ids = [f"k{number}" for number in links]
        try:
            if what == "unpatch":
                edit = unpatch(document, ids)
            else:
                new = NewTrunks(connector=connector, ports=ports) if what == "trunks" else None
                edit = patch(document, ids, panels, new_trunks=new, max_panels=3).edit
        except BadEditError:
            continue
        undo.append(document.apply(edit))  # an edit that was made can be applied
        check_panels(document)
    for edit in reversed(undo):
        document.apply(edit)
    assert native.dumps(document) == first


def check_panels(document: Document) -> None:
    taken = Counter(
        (hop.device, port)
        for one in document.links.values()
        for hop in one.through
        for port in hop.names
    )
    assert not [port for port, number in taken.items() if number > 1]
    lit = Counter[str]()
    for one in document.links.values():
        face = face_of(medium_of(document, one))
        if face is None:
            continue
        for index in range(one.count):
            for trunk in trunks_of(document, one, index):
                assert face.fibres <= trunk.fibres_per_port
        # A cable of several plugs may have them in several trunks: count plug by plug.
        for trunk in document.trunks.values():
            near = {(trunk.a.device, port) for port in trunk.a.names}
            plugs = [(hop.device, port) for hop in one.through for port in hop.names]
            lit[trunk.id] += face.fibres * len(near.intersection(plugs))
    assert all(number <= document.trunks[i].fibres for i, number in lit.items())


def test_the_command(topoedit: Callable[..., object], drawn: Callable[..., Document],
                     tmp_path: Path) -> None:  # fmt: skip
    file, out = tmp_path / "row.topo.json", tmp_path / "patched.topo.json"
    native.save(drawn(*row_of_two()), file)
    ran = topoedit("patch", file, "n*:leaf", "--panels", "p1,p2", "--trunk", "MPO-12",
                   "--trunk-ports", "8", "-o", out, "--json")  # fmt: skip
    assert ran.code == 0
    assert (ran.json["links"], ran.json["cables"], ran.json["trunks"]) == (
        4, 16, ["trunk-1", "trunk-2"],
    )  # fmt: skip
    found = native.load(out, load_catalog(user=False))
    assert found.links["k2"].through == (Ports("p1", "9-12"), Ports("p2", "9-12"))
    assert topoedit("check", out, "--json").json["checked"]["polarity"] == 4
    back = tmp_path / "direct.topo.json"
    shown = topoedit("patch", out, "k0", "k1", "--direct", "-o", back)
    assert shown.out.startswith("Route 2 links past the panels: wrote ")
    for words in (["--panels", "leaf"], ["--panels", "p1", "--direct"], [],
                  ["--panels", "p1,p2", "--trunk", "MPO-12", "--polarity", "Z"]):  # fmt: skip
        wrong = topoedit("patch", file, "k0", *words, "-o", out)
        assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
