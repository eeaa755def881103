"""NCCL 2.30.7's own figures: latencies, and the worked examples that follow from them.

Latencies: formulas and constants of NVIDIA/nccl 2.30.7 src/graph/tuning.cc (Intel host, NVLink
servers of 8), worked out by hand and rounded to 0.1 us.
"""

from __future__ import annotations

import pytest

from tests.engine.collectives.shapes import NCCL, shape
from topoedit.engine.collectives import collective_time

TABLE = [
    (8, 1, (15.0, 40.6, 56.0), (15.2, 31.5, 64.4), 25.0, None, None),
    (16, 2, (40.0, 75.2, 131.6), (25.2, 48.5, 92.4), 43.0, 66.8, 44.0),
    (64, 8, (156.4, 282.8, 585.2), (45.2, 82.5, 148.4), 43.0, 150.4, 44.0),
    (512, 64, (1242.8, 2220.4, 4818.8), (75.2, 133.5, 232.4), 43.0, 275.8, 44.0),
    (16384, 2048, (39732.4, 70866.8, 154809.2), (125.2, 218.5, 372.4), 43.0, 484.8, 44.0),
]


def latency(ranks: int, servers: int, algorithm: str, protocol: str = "auto") -> float:
    group = shape(ranks, servers, multicast=True, reduction=True)
    time = collective_time(
        "all_reduce", 8, group, algorithm=algorithm, protocol=protocol, constants=NCCL
    )
    return time.latency_s * 1e6


@pytest.mark.parametrize(
    ("ranks", "servers", "ring", "tree", "nvls", "nvls_tree", "collnet"), TABLE
)
def test_latency_table(ranks, servers, ring, tree, nvls, nvls_tree, collnet):
    for place, protocol in enumerate(("ll", "ll128", "simple")):
        assert latency(ranks, servers, "ring", protocol) == pytest.approx(ring[place], abs=0.051)
        assert latency(ranks, servers, "tree", protocol) == pytest.approx(tree[place], abs=0.051)
    assert latency(ranks, servers, "nvls") == pytest.approx(nvls, abs=0.051)
    if servers > 1:
        assert latency(ranks, servers, "nvls-tree") == pytest.approx(nvls_tree, abs=0.051)
        assert latency(ranks, servers, "collnet") == pytest.approx(collnet, abs=0.051)


def test_ring_of_one_gigabyte_on_eight_h100():
    time = collective_time("all_reduce", 1e9, shape(8), algorithm="ring", constants=NCCL)
    assert time.bytes_per_gpu == 1.75e9
    assert time.bandwidth_s == pytest.approx(4.72e-3, abs=5e-6)
    assert time.bytes_per_gpu / time.bandwidth_s == pytest.approx(370.8e9)  # 18 x 20.6 GB/s
    assert time.latency_s == pytest.approx(56.0e-6)
    assert time.time_s == pytest.approx(time.latency_s + time.bandwidth_s)
    assert "1.75 GB at 371 GB/s" in time.formula


@pytest.mark.parametrize(
    ("size", "ratio", "digits"),
    [
        (256e6, 4.6, 0.05),
        (512e6, 2.88, 0.005),
        (1e9, 1.96, 0.005),
        (2e9, 1.45, 0.005),
        (8e9, 1.05, 0.005),
    ],
)
def test_ring_against_tree_at_512_gpus(size, ratio, digits):
    # 8 rails at 45 GB/s: 45 is one of the speeds NCCL's search tries on Hopper
    group = shape(512, 64, network=8 * 45e9)
    ring, tree = (
        collective_time("all_reduce", size, group, algorithm=a, protocol="simple", constants=NCCL)
        for a in ("ring", "tree")
    )
    assert ring.time_s / tree.time_s == pytest.approx(ratio, abs=digits)
    if size == 1e9:
        assert ring.time_s == pytest.approx(12.29e-3, abs=5e-6)
        assert tree.time_s == pytest.approx(6.27e-3, abs=5e-6)


def test_search_speed_is_printed_and_below_line_rate():
    time = collective_time("all_reduce", 1e9, shape(64, 8), algorithm="ring", protocol="simple",
                           constants=NCCL)  # fmt: skip
    # 400 Gb/s ports: the search stops at 48 GB/s; the scale-up's 370.8 GB/s then sets the ring
    assert "at 384 GB/s on the network ports" in time.formula
    fitted = collective_time("all_reduce", 1e9, shape(64, 8), algorithm="ring", protocol="simple")
    assert "at 376 GB/s on the network ports" in fitted.formula


def test_pat_needs_one_rank_a_server():
    group = shape(16, 16, network=50e9, ports=1)
    time = collective_time("all_gather", 1024, group, algorithm="pat", constants=NCCL)
    # base 8 + log2(16) x 14 / 3.5 + 2.8 x 16 us
    assert time.latency_s * 1e6 == pytest.approx(8 + 16 + 44.8, abs=0.051)


def test_two_stage_ring_hops_count_network_twice_as_often_in_all_reduce():
    one, two = (
        collective_time(op, 8, shape(64, 8), algorithm="ring", protocol="ll", constants=NCCL)
        for op in ("all_gather", "all_reduce")
    )
    assert two.latency_s - 6.6e-6 == pytest.approx(2 * (one.latency_s - 6.6e-6))
