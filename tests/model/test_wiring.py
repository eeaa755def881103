from __future__ import annotations

from collections import Counter

import pytest

from topoedit.errors import BadEditError, BadInputError
from topoedit.model import clipboard
from topoedit.model.arrays import Array, repeat
from topoedit.model.connect import Cabling, connect, why_not
from topoedit.model.diff import diff
from topoedit.model.document import Document
from topoedit.model.naming import successors
from topoedit.model.operations import move, rename
from topoedit.model.wiring import Pattern, plan, wire


def pairs(document: Document) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for link in document.links.values():
        counted[link.a.device, link.b.device] += link.count
    return counted


def test_mesh_joins_every_pair_and_leaves_use_their_upper_half(document: Document) -> None:
    document.apply(wire(document, Pattern(a="leaf*", b="spine*", cables=2)))
    assert pairs(document) == {("leaf-1", "spine-1"): 2, ("leaf-2", "spine-1"): 2}
    first = document.links[document.links_of("leaf-1")[0]]
    assert (first.a.ports, first.b.ports, first.gbps) == ("5-6", "1-2", 400)


def test_rails_join_nic_i_to_leaf_i_round_again(document: Document) -> None:
    document.apply(wire(document, Pattern(a="node-1,node-2", b="leaf*", scheme="rail")))
    assert pairs(document) == {
        (node, leaf): 2 for node in ("node-1", "node-2") for leaf in ("leaf-1", "leaf-2")
    }
    rails = {link.rail for link in document.links.values() if link.b.device == "leaf-1"}
    assert rails == {0, 2}
    used = {port for node in ("node-1", "node-2") for port in document.ports_in_use(node)}
    assert used == {"nic0", "nic1", "nic2", "nic3"}


def test_a_port_plan_changes_nothing_and_names_what_is_missing(document: Document) -> None:
    rows = plan(document, Pattern(a="node*", b="leaf-1", scheme="mesh"))
    assert [(row.ports_a[0].name, row.ports_b[0].name) for row in rows] == [
        ("nic0", "1"), ("nic0", "2"), ("nic0", "3"), ("nic0", "4"),
    ]  # fmt: skip
    assert not document.links
    with pytest.raises(BadEditError, match="leaf-1 has 0 free ports of the 4"):
        plan(document, Pattern(a="node*", b="leaf-1", cables=4))


def test_given_port_ranges_are_used_in_order(document: Document) -> None:
    pattern = Pattern(a="node-1", b="leaf-1", cables=2, ports_a="nic2-3", ports_b="7-8")
    document.apply(wire(document, pattern))
    link = next(iter(document.links.values()))
    assert (link.a.ports, link.b.ports) == ("nic2-3", "7-8")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (Pattern(a="nobody*", b="leaf*"), 'called "nobody\\*"'),
        (Pattern(a="leaf*", b="leaf-1"), "both sides"),
        (Pattern(a="node*", b="leaf*", scheme="pairs"), "equal sides: 4 and 2"),
        (Pattern(a="node-1", b="leaf-1", ports_b="99"), 'no port "99"'),
        (Pattern(a="leaf-1", b="spine-1", scheme="rail"), "no free rail port"),
    ],
)
def test_patterns_that_cannot_be_wired_say_why(
    document: Document, pattern: Pattern, message: str
) -> None:
    with pytest.raises(BadEditError, match=message):
        wire(document, pattern)


def test_storage_and_compute_ports_do_not_meet(document: Document) -> None:
    document.apply(connect(document, "node-1", "leaf-1", cables=4))
    assert why_not(document, document.devices["node-1"], document.devices["leaf-1"]) == ""
    with pytest.raises(BadEditError, match="scale-up port takes no network cable"):
        connect(document, "node-1", "node-2", ports=("nvl0", "nic0"))


def test_a_link_runs_at_the_rate_a_person_gives(document: Document) -> None:
    document.apply(connect(document, "node-1", "leaf-1", cabling=Cabling(gbps=200, length_m=3)))
    link = document.links["link-c1"]
    assert (link.gbps, link.length_m, link.network, link.rail) == (200, 3, "compute", 0)


def test_names_number_on() -> None:
    names = successors("rack-09a")
    assert [next(names), next(names)] == ["rack-10a", "rack-11a"]
    assert next(successors("leaf")) == "leaf-2"


def test_paste_keeps_inner_links_and_takes_new_names(document: Document) -> None:
    document.apply(connect(document, "node-1", "leaf-1", cables=2))
    document.apply(connect(document, "node-2", "leaf-1"))
    clip = clipboard.from_text(clipboard.to_text(clipboard.copy(document, ["rack-1", "leaf-1"])))
    document.apply(clipboard.paste(document, clip, 0, 500))
    assert document.devices["node-5"].group == "rack-3"
    assert document.groups["rack-3"].parent == "pod-1"
    assert pairs(document)["node-5", "leaf-3"] == 2
    assert pairs(document)["node-6", "leaf-3"] == 1
    assert len({c for k in document.links.values() for c in k.cable_ids}) == 6


@pytest.mark.parametrize("text", ["", "hello", "[]", '{"format":"other"}', "{" * 50_000])
def test_foreign_clipboard_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInputError, match="nothing that topoedit can paste") as caught:
        clipboard.from_text(text)
    assert "\n" not in caught.value.line


def test_array_numbers_names_and_repeats_wiring(document: Document) -> None:
    document.apply(connect(document, "node-4", "leaf-1"))
    document.apply(repeat(document, ["node-4"], Array(columns=3, rows=2, pitch_x=10, pitch_y=20)))
    assert [f"node-{i}" in document for i in range(5, 11)] == [True] * 5 + [False]
    last = document.devices["node-9"]
    assert (last.x, last.y) == (420, 20)
    assert set(document.ports_in_use("leaf-1")) == {"1", "2", "3", "4", "5", "6"}
    document.apply(repeat(document, ["node-4"], Array(columns=4, rows=1)))
    assert len(document.ports_in_use("leaf-1")) == 8, "a full leaf leaves the rest unwired"


def test_diff_tells_moves_from_changes(document: Document) -> None:
    other = Document(document.catalog, document.elements())
    assert diff(document, other).is_empty
    other.apply(move(other, ["node-1"], 8, 0))
    other.apply(rename(other, "leaf-1", "tor-1"))
    other.apply(connect(other, "node-1", "leaf-1"))
    found = diff(document, other)
    assert found.added == ("link-c1",)
    assert {c.id: c.moved for c in found.changed} == {"node-1": True, "leaf-1": False}
