"""Groups on real drawings, the routed bytes, and the command."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from topoedit.app.collective import Request, collective_on, parse_bytes, parse_ranks, sweep_on
from topoedit.app.generate import generate
from topoedit.catalog.load import load_catalog
from topoedit.cli.main import main
from topoedit.engine.compile import compile_fabric
from topoedit.engine.shape import group_shape
from topoedit.engine.types import Tier, VertexKind
from topoedit.errors import BadInputError
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.ports import expand


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


@pytest.fixture(scope="module")
def pod(catalog):
    return generate("rail-optimized", {"system": "dgx-h100", "nodes": "8", "spines": "2"}, catalog)


@pytest.fixture(scope="module")
def fabric(pod):
    return compile_fabric(pod)


@pytest.fixture
def pod_file(pod, tmp_path):
    file = tmp_path / "pod.topo.json"
    native.save(pod, file)
    return file


def test_shape_of_one_server_and_of_the_pod(fabric):
    one, all_of_it = group_shape(fabric, np.arange(8)), group_shape(fabric, np.arange(64))
    assert (one.ranks, one.servers, one.multicast) == (8, 1, True)
    assert one.scaleup_rate == 450e9
    assert (all_of_it.servers, all_of_it.per_server, all_of_it.nics_per_server) == (8, 8, 8)
    assert all_of_it.network_rate == 8 * 50e9
    assert (all_of_it.generation, all_of_it.network) == ("hopper", "InfiniBand")


def test_shape_of_like_groups_is_their_slowest(fabric):
    by_rail = np.arange(64).reshape(8, 8).T
    found = group_shape(fabric, by_rail)
    assert (found.ranks, found.servers, found.network_rate) == (8, 8, 50e9)
    pairs = group_shape(fabric, [[0, 1], [2, 10]])
    assert (pairs.servers, pairs.network_rate) == (2, 50e9)


def test_a_failed_port_slows_its_group(fabric):
    from dataclasses import replace

    capacity = fabric.capacity.copy()
    nic = int(np.flatnonzero(fabric.vertex_kind == VertexKind.NIC)[0])
    capacity[(fabric.src == nic) & (fabric.tier != Tier.HOST_BUS)] = 0
    slower = replace(fabric, capacity=capacity)
    assert group_shape(slower, np.arange(64)).network_rate == 7 * 50e9


def test_ring_of_one_gigabyte_in_one_server(fabric):
    answer = collective_on(
        fabric, Request("all_reduce", 1e9, "8", algorithm="ring", constants="nccl-2.30.7")
    )
    assert answer.bytes_per_gpu == 1.75e9
    assert answer.bandwidth_s == pytest.approx(4.72e-3, abs=5e-6)
    assert answer.busbw_GBps == pytest.approx(answer.algbw_GBps * 1.75)
    (tier,) = answer.tiers
    assert (tier.tier, tier.bytes_per_gpu) == ("scale-up", 1.75e9)
    assert tier.time_s == pytest.approx(1.75e9 / 450e9)
    assert answer.bottleneck.link.endswith("/nvlink/gpu0")
    assert answer.bottleneck.tier == "scale-up"


def test_nvls_loads_the_port_with_more_than_is_useful(fabric):
    answer = collective_on(fabric, Request("all_reduce", 1e9, "8"))
    assert answer.algorithm == "nvls"
    assert (answer.bytes_per_gpu, answer.port_bytes_per_gpu) == (1e9, 1.125e9)
    assert answer.tiers[0].bytes_per_gpu == 1.125e9
    assert answer.interval.low_s < answer.time_s < answer.interval.high_s


@pytest.mark.parametrize(
    ("algorithm", "order", "per_gpu"),
    [("hierarchical", "node", 0.21875), ("ring", "random", 1.75), ("ring", "node", 1.96875 / 8)],
)
def test_bytes_between_servers_are_routed_bytes(fabric, algorithm, order, per_gpu):
    answer = collective_on(
        fabric, Request("all_reduce", 1e9, algorithm=algorithm, ring_order=order)
    )
    tiers = {tier.tier: tier for tier in answer.tiers}
    assert answer.network_bytes_per_gpu == pytest.approx(per_gpu * 1e9)
    assert tiers["host-leaf"].bytes_per_gpu == pytest.approx(per_gpu * 1e9)
    assert answer.unreachable.pairs == 0
    assert bool(answer.ring) == (algorithm == "ring")
    if order == "random":
        assert "expectation" in answer.ring


def test_an_oversubscribed_fabric_is_slower_and_names_its_link(catalog):
    from dataclasses import replace

    full = compile_fabric(
        generate("rail-optimized", {"system": "dgx-h100", "nodes": "64"}, catalog)
    )
    upper = full.tier == Tier.LEAF_SPINE
    thin = replace(full, capacity=np.where(upper, full.capacity / 4, full.capacity))
    wanted = Request("all_to_all", 1e9, algorithm="direct")
    slow, fast = collective_on(thin, wanted), collective_on(full, wanted)
    # half of what a leaf's 32 servers send leaves it, over a quarter of the rate: twice as long
    # and adaptive routing leaves 95 % of a link between switches
    assert slow.bandwidth_s == pytest.approx(0.5e9 / (12.5e9 * 0.95))
    assert slow.time_s > 1.5 * fast.time_s
    assert slow.bottleneck.tier == "leaf-spine"
    assert slow.bandwidth_s >= max(tier.time_s for tier in slow.tiers)
    assert slow.bottleneck.from_ != slow.bottleneck.to


def test_cut_off_server_is_unreachable(fabric):
    from dataclasses import replace

    capacity = fabric.capacity.copy()
    capacity[fabric.tier == Tier.HOST_LEAF] = 0
    answer = collective_on(replace(fabric, capacity=capacity), Request("all_reduce", 1e9, "16"))
    assert answer.unreachable.pairs > 0
    assert answer.unreachable.bytes > 0
    assert "/gpu" in answer.unreachable.example
    rates = (answer.algbw_GBps, answer.busbw_GBps)
    assert (answer.time_s, answer.interval, *rates, answer.bottleneck) == (None,) * 5
    table = sweep_on(replace(fabric, capacity=capacity), Request("all_reduce", 0, "16"), [8, 1e9])
    assert [(row.time_s, row.low_s, row.busbw_GBps) for row in table.rows] == [(None,) * 3] * 2


def test_the_command_gives_no_time_to_a_call_that_never_ends(pod, tmp_path, capsys):
    failed = [
        msgspec.structs.replace(link, failed=len(expand(link.cables)))
        for link in pod.links.values()
    ]
    rest = [one for one in pod.elements() if not isinstance(one, Link)]
    cut = Document(pod.catalog, [*rest, *failed])
    file = tmp_path / "cut.topo.json"
    native.save(cut, file)
    words = ["collective", str(file), "--op", "all_reduce"]
    assert main([*words, "--bytes", "1GB", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["time_s"] is answer["busbw_GBps"] is answer["interval"] is None
    assert main([*words, "--bytes", "1GB"]) == 1
    shown = capsys.readouterr()
    assert "never ends" in shown.out
    assert "have no path" in shown.err
    assert main([*words, "--sweep", "8:32"]) == 1
    shown = capsys.readouterr()
    assert "GB/s" in shown.out
    assert "have no path" in shown.err


@pytest.mark.parametrize(
    ("op", "algorithm", "order"),
    [("all_reduce", "ring", "random"), ("all_reduce", "ring", "strided"),
     ("all_to_all", "direct", "node"), ("all_to_all", "two-stage", "node"),
     ("all_reduce", "nvls-tree", "node"), ("broadcast", "ring", "node")],
)  # fmt: skip
def test_bytes_of_ports_are_those_of_the_tiers(fabric, op, algorithm, order):
    """Relays to other rails are on the port, and nothing else is."""
    answer = collective_on(fabric, Request(op, 1e9, algorithm=algorithm, ring_order=order))
    sent = {tier.tier: tier.bytes_per_gpu for tier in answer.tiers}
    # the last of a chain sends nothing; strided, only the last rank of a round changes rails
    uneven = op == "broadcast" or order == "strided"
    busiest = answer.bytes_per_gpu if uneven else sent["scale-up"]
    assert answer.port_bytes_per_gpu == pytest.approx(busiest)
    assert answer.network_bytes_per_gpu == pytest.approx(sent["host-leaf"])


def test_ranks():
    assert parse_ranks("all", 4).tolist() == [0, 1, 2, 3]
    assert parse_ranks("2", 4).tolist() == [0, 1]
    assert parse_ranks("0-1,3", 4).tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("text", "said"),
    [("0", "not 0"), ("5", "there are 4"), ("3-5", "0 to 3"), ("2-1", "not there"),
     ("1,1", "twice"), ("x", "names no ranks"), ("", "names no ranks"), ("1,", "names no ranks")],
)  # fmt: skip
def test_ranks_that_are_not_there(text, said):
    with pytest.raises(BadInputError, match=said):
        parse_ranks(text, 4)


def test_no_gpus():
    with pytest.raises(BadInputError, match="no GPUs"):
        parse_ranks("all", 0)


def test_sizes():
    assert [parse_bytes(t) for t in ("1000", "1e9", "1GB", "1GiB", "2 mib")] == [
        1000, 1e9, 1e9, 2.0**30, 2.0**21,
    ]  # fmt: skip
    for text in ("", "-1", "1 parsec", "0", "1e30", "nan"):
        with pytest.raises(BadInputError):
            parse_bytes(text)


def test_command_prints_json(pod_file, capsys):
    words = ["collective", str(pod_file), "--op", "all_reduce", "--bytes", "1000000000",
             "--ranks", "8", "--algorithm", "ring", "--constants", "nccl-2.30.7"]  # fmt: skip
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {
        "op", "algorithm", "runner_up", "ranks", "bytes", "time_s", "latency_s", "bandwidth_s",
        "algbw_GBps", "busbw_GBps", "bytes_per_gpu", "port_bytes_per_gpu", "bottleneck", "tiers",
        "interval",
    } <= set(answer)  # fmt: skip
    assert {"link", "from", "to"} <= set(answer["bottleneck"])
    assert {"tier", "bytes_per_gpu", "time_s"} == set(answer["tiers"][0])
    assert answer["bytes_per_gpu"] == 1.75e9
    assert answer["bandwidth_s"] == pytest.approx(4.72e-3, abs=5e-6)
    assert main(words) == 0
    table = capsys.readouterr().out
    assert "1.75 GB" in table
    assert "4.72 ms" in table


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--op", "all_reduce", "--bytes", "1GB", "--algorithm", "magic"], "Available: auto"),
        (["--op", "all_reduce", "--bytes", "1GB", "--ranks", "65"], "there are 64 GPUs"),
        (["--op", "sum", "--bytes", "1GB"], "there is no operation"),
        (["--op", "all_reduce", "--bytes", "much"], "is no size"),
        (["--op", "all_reduce", "--bytes", "1GB", "--ring-order", "x"], "no ring order"),
        (["--op", "all_reduce", "--bytes", "1GB", "--routing", "x"], "no routing"),
        (["--op", "all_reduce", "--bytes", "1GB", "--pxn", "x"], "neither on nor off"),
    ],
)
def test_bad_words_end_with_one_line(pod_file, capsys, words, said):
    assert main(["collective", str(pod_file), *words]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert said in out.err
    assert len(out.err.strip().splitlines()) == 1
