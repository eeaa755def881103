"""The automatic choice, what is available, and the laws every time obeys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.collectives.shapes import NCCL, shape
from topoedit.engine.collectives import collective_time, collective_times
from topoedit.engine.collectives.algorithm import algorithms
from topoedit.engine.collectives.choose import candidates, make_call
from topoedit.engine.collectives.cost import OPS
from topoedit.errors import BadInputError

groups = st.builds(
    lambda local, servers, chip, multicast, reduction, kind: shape(
        local * servers, servers, generation=chip[0], accelerator=chip[1], scaleup=chip[2],
        multicast=multicast, reduction=reduction, kind=kind,
        network=local * 50e9, ports=local,
    ),
    st.sampled_from([1, 2, 4, 5, 8]),
    st.sampled_from([1, 2, 3, 4, 8, 100]),
    st.sampled_from([
        ("hopper", "h100-sxm", 450e9), ("blackwell", "b200-sxm", 900e9),
        ("ampere", "a100-sxm-80", 300e9), ("cdna3", "mi300x", 448e9), ("other", "tpu", 1e11),
        ("hopper", "h100-pcie", 0.0),
    ]),
    st.booleans(), st.booleans(),
    st.sampled_from(["InfiniBand", "Ethernet", "EFA", "EFA v3", "TCP", ""]),
)  # fmt: skip


@given(groups, st.sampled_from(OPS), st.sampled_from(["fitted", NCCL]), st.floats(1, 1e12))
def test_auto_is_the_least_of_what_the_library_would_use(group, op, constants, size):
    if group.ranks < 2:
        return
    auto = collective_time(op, size, group, constants=constants)
    call = make_call(op, size, group, constants)
    for one in algorithms().values():
        if op not in one.ops or one.missing(call):
            continue
        forced = collective_time(op, size, group, algorithm=one.name, constants=constants)
        if one.by_default(call):
            assert auto.time_s <= forced.time_s * (1 + 1e-12)
        assert forced.time_s == pytest.approx(forced.latency_s + forced.bandwidth_s)
        assert 0 < forced.time_s < np.inf
    if auto.runner_up_s is not None:
        assert auto.runner_up_s >= auto.time_s


@given(groups, st.sampled_from(OPS), st.sampled_from(["fitted", NCCL]))
def test_more_bytes_never_take_less_bandwidth_time(group, op, constants):
    if group.ranks < 2:
        return
    sizes = np.geomspace(1, 1e11, 60)
    call = make_call(op, sizes, group, constants)
    for one in candidates(call):
        assert (np.diff(one.time.bandwidth) >= 0).all(), one.algorithm
        assert (np.diff(one.time.total) >= -1e-12).all(), one.algorithm


@given(groups, st.sampled_from(OPS))
def test_batch_equals_one_by_one(group, op):
    sizes = [1.0, 4096.0, 1e6, 1e9]
    batch = collective_times(op, sizes, group)
    assert batch.tolist() == [collective_time(op, s, group).time_s for s in sizes]


def test_no_rate_beats_the_wire():
    for servers, op in ((1, "all_reduce"), (8, "all_gather"), (8, "all_to_all")):
        group = shape(8 * servers, servers, multicast=True)
        time = collective_time(op, 1e12, group)
        assert time.port_bytes / time.time_s < 450e9
        assert time.network_bytes * 8 / time.time_s < 400e9


def test_nvls_needs_enough_ranks_and_a_switch_that_reduces():
    assert collective_time("all_reduce", 1e9, shape(4, multicast=True)).algorithm == "ring"
    assert collective_time("all_reduce", 1e9, shape(5, multicast=True)).algorithm == "nvls"
    assert collective_time("all_reduce", 1e9, shape(8)).algorithm == "ring"


def test_two_servers_of_h100_exceed_the_network_ports():
    # busbw above the NIC sum is right there: two-server trees carry S, not 2 S
    time = collective_time("all_reduce", 2.0**34, shape(16, 2, multicast=True))
    assert time.algorithm == "nvls-tree"
    assert 2.0**34 / time.time_s * 2 * 15 / 16 > 400e9


def test_sharp_is_named_but_not_assumed():
    group = shape(64, 8, multicast=True, reduction=True)
    auto = collective_time("all_reduce", 1e9, group)
    assert auto.algorithm != "collnet"
    assert any("collnet" in note for note in auto.notes)
    assert collective_time("all_reduce", 1e9, group, algorithm="collnet").time_s < auto.time_s


def test_small_calls_use_ll_and_large_ones_simple():
    times = [collective_time("all_gather", s, shape(8)).protocol for s in (1e3, 2.0**34)]
    assert times == ["ll", "simple"]


def test_group_of_one_takes_no_time():
    time = collective_time("all_reduce", 1e9, shape(1))
    assert (time.time_s, time.algorithm) == (0, "none")


def test_delay_between_sites_counts_once_each_way_round():
    near, far = (
        collective_time("all_reduce", 1e6, shape(16, 2, sites=2, site_latency=delay),
                        algorithm="ring", protocol="simple")
        for delay in (0.0, 5e-3)
    )  # fmt: skip
    assert far.latency_s - near.latency_s == pytest.approx(10e-3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"op": "gather"}, "there is no operation"),
        ({"algorithm": "rings"}, "there is no algorithm"),
        ({"algorithm": "direct"}, "direct cannot carry out all_reduce"),
        ({"algorithm": "nvls"}, "nvls is not available here"),
        ({"protocol": "ll256"}, "there is no protocol"),
        ({"constants": "mine"}, "there is no set of constants"),
        ({"ring_order": "sorted"}, "there is no ring order"),
        ({"bytes": float("nan")}, "a size must be"),
        ({"algorithm": "hierarchical", "protocol": "ll"}, "ll is not available for hierarchical"),
    ],
)
def test_refusals_are_one_line_that_says_what_there_is(words, said):
    given_words = {"op": "all_reduce", "bytes": 1e6, **words}
    op, size = given_words.pop("op"), given_words.pop("bytes")
    with pytest.raises(BadInputError) as caught:
        collective_time(op, size, shape(64, 8), **given_words)
    assert said in caught.value.line
    assert "\n" not in caught.value.line
    if "algorithm" in words:
        assert "Available: " in caught.value.line
