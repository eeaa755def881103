"""Paths in people's words: ends, ports, lengths, latency with its source, how a GPU is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.engine.routing.drawings import CATALOG, Draft, rails
from topoedit.app.generate import generate
from topoedit.app.path import Answer, find_paths
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.engine.latency import Part, known, latency_figures, least_sure, total
from topoedit.errors import BadInputError, TopoeditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.plan import Plan, Workload


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture(scope="module")
def pod(catalog: Catalog) -> Document:
    """63 DGX H100 under 16 leaves and 8 spines, InfiniBand."""
    return generate("superpod", {"units": 2}, catalog)


def ask(document: Document, a: str, b: str, **plan: object) -> Answer:
    return find_paths(document, a, b, Workload(model="", plan=Plan(**plan))).answer


def test_every_figure_has_a_source_and_lies_in_its_range() -> None:
    figures = latency_figures()
    assert figures["nvlink"].seconds == pytest.approx(3.33e-6)  # arXiv 2505.09343 table 5
    assert figures["fibre"].seconds * 1000 == pytest.approx(4.9e-6)
    for figure in figures.values():
        assert figure.source
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.value <= figure.high


def test_parts_of_unknown_length_make_the_sum_unknown() -> None:
    parts = [Part("a", 1.0, "x", "high"), Part("b", None, "none found")]
    assert total(parts) is None
    assert known(parts) == 1.0
    assert least_sure(parts) == ""
    assert least_sure([parts[0], Part("c", 2.0, "y", "low")]) == "low"
    assert total(parts[:1]) == 1.0


def test_same_rail_of_one_unit(pod: Document) -> None:
    """PCIe 0.5, NIC 0.7, cable, switch 0.25, cable, NIC 0.7, PCIe 0.5 us of the figures' file."""
    answer = ask(pod, "node-01/gpu3", "node-02/gpu3")
    (path,) = answer.paths
    assert answer.unreachable is UNSET
    assert path.leaves_by == path.arrives_by == "gpudirect"
    assert [hop.to for hop in path.hops] == [
        "node-01/nic3", "su1-leaf-4", "node-02/nic3", "node-02/gpu3",
    ]  # fmt: skip
    wire = path.hops[1]
    assert (wire.port_a, wire.port_b) == ("nic3", "1")
    assert wire.names_a is not None
    assert wire.names_a.os.startswith("mlx5")
    assert wire.cable in pod.links[wire.link].cable_ids
    assert wire.gbps == 400.0
    cables = sum((hop.metres or 0.0) for hop in path.hops) * 5e-9
    assert path.latency_s == pytest.approx(2 * 0.5e-6 + 2 * 0.7e-6 + 0.25e-6 + cables)
    assert path.measured is not None
    assert path.measured.seconds == pytest.approx(2.8e-6)
    assert path.latency_confidence == "low"


def test_another_rail_of_another_unit(pod: Document) -> None:
    with_pxn = ask(pod, "node-01/gpu3", "node-40/gpu5").paths[0]
    assert with_pxn.leaves_by == "pxn"
    assert with_pxn.arrives_by == "gpudirect"
    assert with_pxn.hops[1].to == "node-01/gpu5"
    assert [hop.width for hop in with_pxn.hops][4:6] == [32, 4]
    assert with_pxn.hops[4].links == 8
    off = ask(pod, "node-01/gpu3", "node-40/gpu5", pxn=False).paths[0]
    assert off.leaves_by == "gpudirect"
    assert off.hops[1].to == "su1-leaf-4"
    assert off.measured is not None
    assert off.measured.seconds == pytest.approx(3.7e-6)


def test_rails_that_never_meet(pod: Document) -> None:
    """Rail-only: another rail by PXN alone, another unit behind the joining spines not at all."""
    near = ask(pod, "node-01/gpu3", "node-02/gpu5", routing="rail-only")
    assert near.paths[0].leaves_by == "pxn"
    assert near.unreachable is UNSET
    assert ask(pod, "node-01/gpu3", "node-02/gpu5", routing="rail-only", pxn=False).paths == ()
    far = ask(pod, "node-01/gpu3", "node-40/gpu3", routing="rail-only")
    assert far.unreachable is not UNSET
    assert ask(pod, "node-01/gpu3", "node-40/gpu3", routing="static").paths[0].share == 1.0


def test_inside_a_server_the_sum_is_the_published_one(pod: Document) -> None:
    path = ask(pod, "rank:0", "rank:1").paths[0]
    assert path.leaves_by == path.arrives_by == "nvlink"
    assert path.latency_s == pytest.approx(3.33e-6)
    assert "PCIe" not in path.latency_covers


def test_a_host_copy_has_no_figure(pod: Document) -> None:
    path = ask(pod, "node-01/gpu3", "node-02/gpu3", gpudirect=False).paths[0]
    assert path.leaves_by == path.arrives_by == "host-copy"
    assert path.latency_s is None
    assert path.latency_known_s > 2e-6
    assert path.measured is None


def test_ethernet_counts_its_own_nics_and_routes_by_cables(catalog: Catalog) -> None:
    """RoCE on one leaf: the parts come near the 3.6 us of arXiv 2505.09343 table 5."""
    document = generate("fat-tree", {"nodes": 16, "leaf": "sn5600"}, catalog)
    answer = ask(document, "node-01/gpu0", "node-02/gpu0")
    (path,) = answer.paths
    assert answer.routing == "ecmp"
    assert path.measured is not None
    assert path.measured.seconds == pytest.approx(3.6e-6)
    assert path.latency_s == pytest.approx(3.6e-6, rel=0.05)
    assert any("RoCE NIC" in part.what for part in path.hops[1].latency_parts)


def test_a_router_of_unknown_delay_leaves_the_sum_open(catalog: Catalog) -> None:
    document = generate("multi-site", {}, catalog)
    path = ask(document, "rank:0", "rank:500").paths[0]
    far = next(hop for hop in path.hops if hop.tier == "between-sites")
    assert far.metres == 100_000
    assert far.latency_s is None
    assert path.latency_s is None
    assert path.latency_known_s > 100 * 4.8e-6


def test_an_unknown_length_is_an_unknown_latency() -> None:
    path = ask(rails(2).document(), "node-0/gpu0", "node-1/gpu0").paths[0]
    assert path.hops[1].metres is None
    assert path.hops[1].latency_s is None
    assert "length of the cable" in path.hops[1].latency_source
    assert path.latency_s is None


def test_distance_between_sites_counts_fibre() -> None:
    draft = Draft()
    for name, kind in (("leaf-0", "leaf"), ("leaf-1", "leaf"), ("far", "leaf")):
        draft.device(name, kind)
    draft.join("leaf-0", "leaf-1", length_m=2.0, medium="dac")
    draft.join("leaf-1", "far", km=100.0)
    path = ask(draft.document(), "leaf-0", "far").paths[0]
    assert path.hops[0].latency_s == pytest.approx(2 * 4.3e-9 + 200e-9)
    assert path.hops[1].latency_s == pytest.approx(100 * 4.9e-6 + 200e-9)
    assert path.hops[1].metres == 100_000


def test_direct_scale_up_links_have_no_figure() -> None:
    draft = Draft()
    draft.device("node", "mesh")
    path = ask(draft.document(), "node/gpu0", "node/gpu2").paths[0]
    assert len(path.hops) == 3
    assert path.latency_s is None


def test_trays_under_drawn_switches() -> None:
    draft = Draft()
    draft.device("nvs", "nvs")
    for name in ("tray-0", "tray-1"):
        draft.device(name, "tray")
        for port in ("up0", "up3"):
            draft.plug(name, port, "nvs", length_m=1.0)
    path = ask(draft.document(), "tray-0/gpu0", "tray-1/gpu1").paths[0]
    assert [hop.to for hop in path.hops][1:3] == ["nvs", "tray-1/scale-up"]
    assert path.hops[0].latency_s == 0.0
    assert path.latency_s == pytest.approx(3.33e-6 + 2 * 4.9e-9)


def test_a_failed_cable_is_not_the_example_and_not_in_the_width() -> None:
    draft = Draft()
    for name in ("leaf-0", "leaf-1"):
        draft.device(name, "leaf")
    link = draft.join("leaf-0", "leaf-1", 3, failed=1)
    document = draft.document()
    hop = ask(document, "leaf-0", "leaf-1").paths[0].hops[0]
    assert hop.width == 2
    assert hop.cable == document.links[link].cable_ids[0]
    assert hop.capacity_GBps == pytest.approx(100.0)
    assert hop.gbps == pytest.approx(400.0)


def test_a_port_leads_the_path_over_its_own_cable(pod: Document) -> None:
    """Ports 33 to 36 of a leaf go to spine-1, 37 to 40 to spine-2."""
    answer = ask(pod, "su1-leaf-1:40", "su2-leaf-3")
    first = answer.paths[0].hops[0]
    assert (first.to, first.port_a, first.width) == ("spine-2", "40", 32)
    answer = ask(pod, "su1-leaf-1:40", "su2-leaf-3:38")
    assert answer.paths[0].hops[1].port_b == "38"
    away = ask(pod, "su1-leaf-1:2", "su2-leaf-3")
    assert any("no shortest path leaves by su1-leaf-1:2" in note for note in away.notes)
    assert away.paths
    spine = ask(pod, "su1-leaf-1:33", "spine-1:2")
    assert [hop.to for hop in spine.paths[0].hops] == ["spine-1"]


def test_ranks_follow_a_placement_file(pod: Document, tmp_path: Path) -> None:
    (tmp_path / "ranks").write_text("rank 0=node-07 slot=3\nrank 1=node-02 slot=0\n")
    plan = Workload(model="", plan=Plan(placement="ranks"))
    answer = find_paths(pod, "rank:0", "rank:1", plan, tmp_path).answer
    assert (answer.from_, answer.to) == ("node-07/gpu3", "node-02/gpu0")
    with pytest.raises(BadInputError, match="there is no rank 2"):
        find_paths(pod, "rank:0", "rank:2", plan, tmp_path)


def test_nics_have_three_names(pod: Document) -> None:
    by_printed = ask(pod, "node-01:nic3", "node-02:nic3")
    wire = by_printed.paths[0].hops[0]
    assert wire.names_a is not None
    for word in (wire.names_a.os, f"{wire.names_a.cage}/{wire.names_a.lane}"):
        assert ask(pod, f"node-01:{word}", "node-02/nic3").paths[0].hops == by_printed.paths[0].hops
    assert by_printed.paths[0].leaves_by == ""


def test_no_path_is_said_and_counted() -> None:
    draft = rails(2)
    draft.device("alone", "lone")
    answer = ask(draft.document(), "node-0/gpu0", "alone/gpu0")
    assert answer.paths == ()
    assert answer.unreachable is not UNSET
    assert (answer.unreachable.pairs, answer.unreachable.example) == (
        1, "node-0/gpu0 to alone/gpu0",
    )  # fmt: skip


def test_a_server_means_its_first_gpu_and_says_so(pod: Document) -> None:
    answer = ask(pod, "node-01", "node-6[3]")
    assert (answer.from_, answer.to) == ("node-01/gpu0", "node-63/gpu0")
    assert any("8 GPUs, its first was taken" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("a", "message"),
    [
        ("node-0*", r"means 9 devices \(node-01, node-02, node-03"),
        ("nod-7", "nothing is called"),
        ("rank:504", "there is no rank 504. Ranks go from 0 to 503"),
        ("node-01/gpu9", "has no gpu9. It has gpu0 to gpu7"),
        ("node-01/nic9", "has no nic9"),
        ("node-01:nic77", "has no port nic77. Nearest: nic7"),
        ("node-01:stor0", "is not in the compute network"),
        ("node-02/gpu3", "are one end"),
        ("su1-leaf-1/gpu0", "has no gpu0"),
        ("", "nothing is called"),
    ],
)
def test_bad_ends_are_one_line(pod: Document, a: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message) as caught:
        ask(pod, a, "node-02/gpu3")
    assert "\n" not in caught.value.line


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=20) | st.from_regex(r"(node|leaf|rank)[-:/*\[0-9]{0,6}(gpu|nic)?\d?"))
def test_any_text_gives_a_path_or_one_line(text: str) -> None:
    said = ""
    try:
        ask(_SMALL, text, "node-1/gpu1")
    except TopoeditError as error:
        said = error.line
    assert "\n" not in said


_SMALL = rails(2).document()


def test_loads_by_class_come_with_a_model(catalog: Catalog) -> None:
    document = generate("superpod", {"units": 1}, catalog)
    workload = Workload(model="llama-3.1-8b", plan=Plan(tp=8))
    hops = find_paths(document, "node-01/gpu0", "node-02/gpu0", workload).answer.paths[0].hops
    wire = hops[1]
    assert wire.load is not UNSET
    assert set(wire.load.by_class) == {"DP"}
    assert sum(wire.load.by_class.values()) == pytest.approx(wire.load.bytes)
    assert wire.load.utilisation is not None
    assert 0 < wire.load.utilisation <= 1


def test_a_server_out_of_service_is_refused() -> None:
    document = rails(2).document()
    document.apply(Edit("Fail", put=(replace(document.devices["node-0"], failed=True),)))
    for words in ("node-0/gpu1", "node-0"):
        with pytest.raises(BadInputError, match="out of service"):
            ask(document, words, "node-1/gpu0")
    assert document.catalog is CATALOG
