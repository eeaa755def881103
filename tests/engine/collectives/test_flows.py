"""Bytes that each algorithm sends: exact on every port, between every pair of servers.

Expected figures: S = buffer, n ranks, N servers, g = n / N (see the table in each test).
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.collectives.shapes import bare_fabric, shape
from topoedit.engine.collectives import collective_time, demands
from topoedit.engine.collectives.algorithm import algorithms
from topoedit.engine.collectives.choose import make_call
from topoedit.engine.shape import group_shape
from topoedit.engine.types import AllToAll, Flows, InNetwork
from topoedit.errors import BadInputError


class Sent:
    """Demand added up: by GPU on its scale-up port, and between servers."""

    def __init__(self, found, servers):
        count = len(servers)
        self.matrix = np.zeros((count, count))
        self.up, self.down = np.zeros(count), np.zeros(count)
        for one in found:
            if isinstance(one, Flows):
                np.add.at(self.matrix, (one.src, one.dst), one.bytes)
            elif isinstance(one, AllToAll):
                for group in one.groups:
                    self.matrix[np.ix_(group, group)] += one.pair_bytes
            else:
                assert isinstance(one, InNetwork)
                self.up[one.groups.ravel()] += one.up
                self.down[one.groups.ravel()] += one.down
        np.fill_diagonal(self.matrix, 0)
        same = np.equal.outer(servers, servers)
        self.port = np.where(same, self.matrix, 0).sum(axis=1) + self.up
        self.port_in = np.where(same, self.matrix, 0).sum(axis=0) + self.down
        between = np.where(same, 0, self.matrix)
        self.rail_out, self.rail_in = between.sum(axis=1), between.sum(axis=0)
        kinds = np.unique(servers)
        self.out = np.array([self.rail_out[servers == k].sum() for k in kinds])
        self.into = np.array([self.rail_in[servers == k].sum() for k in kinds])


def sent(op, algorithm, local=8, servers=8, size=64.0, order="node"):
    where = np.repeat(np.arange(servers), local)
    fabric = bare_fabric(where)
    return Sent(demands(op, algorithm, np.arange(len(where)), size, fabric, order), where)


S = 64.0


@pytest.mark.parametrize(
    ("op", "passes"), [("all_reduce", 2), ("all_gather", 1), ("reduce_scatter", 1)]
)
@pytest.mark.parametrize(("local", "servers"), [(8, 8), (1, 8), (8, 1), (4, 2)])
def test_ring(op, passes, local, servers):
    n = local * servers
    volume = passes * (n - 1) / n * S
    found = sent(op, "ring", local, servers)
    inside = volume if servers == 1 else volume * (local - 1) / local
    assert found.port == pytest.approx(np.full(n, inside))
    assert found.port_in == pytest.approx(np.full(n, inside))
    assert found.rail_out == pytest.approx(np.full(n, 0 if servers == 1 else volume / local))
    assert found.out == pytest.approx(np.full(servers, 0 if servers == 1 else volume))
    assert found.into == pytest.approx(found.out)


def test_ring_goes_to_the_next_server_on_the_same_rail_only():
    found = sent("all_reduce", "ring")
    for server in range(8):
        block = found.matrix[server * 8 : server * 8 + 8]
        following = (server + 1) % 8
        between = block[:, following * 8 : following * 8 + 8]
        assert between == pytest.approx(np.diag(np.full(8, 2 * 63 / 64 * S / 8)))


def test_random_ring_is_the_expectation_over_all_rings():
    found = sent("all_reduce", "ring", order="random")
    assert found.rail_out == pytest.approx(np.full(64, 1.75 * S))
    assert found.matrix.sum(axis=1) == pytest.approx(np.full(64, 2 * 63 / 64 * S))


def test_strided_ring_leaves_the_server_at_every_hop():
    found = sent("all_reduce", "ring", order="strided")
    assert found.port.sum() == 0
    assert found.rail_out == pytest.approx(np.full(64, 2 * 63 / 64 * S))


def test_broadcast_brings_every_rank_the_buffer_once():
    found = sent("broadcast", "ring", 4, 3)
    assert found.matrix.sum(axis=0) == pytest.approx([0, *[S] * 11])
    assert found.out == pytest.approx([S, S, 0])


@pytest.mark.parametrize(("servers", "most"), [(2, 1.0), (3, 1.5), (4, 2.0), (8, 2.0), (33, 2.0)])
def test_double_tree(servers, most):
    found = sent("all_reduce", "tree", 8, servers)
    assert found.port == pytest.approx(np.full(8 * servers, 2 * 7 / 8 * S))
    assert found.out.max() == pytest.approx(most * S)
    assert found.out.mean() == pytest.approx(2 * (servers - 1) / servers * S)
    assert found.out == pytest.approx(found.into)


def test_nvls_and_nvls_tree_load_ports_with_s_and_its_multicast():
    found = sent("all_reduce", "nvls", 8, 1)
    assert found.up == pytest.approx(np.full(8, S * 9 / 8))
    assert found.down == pytest.approx(found.up)
    tree = sent("all_reduce", "nvls-tree")
    assert tree.port == pytest.approx(np.full(64, S * 9 / 8))
    assert tree.out.max() == pytest.approx(2 * S)


def test_collnet_sends_s_once_from_each_server():
    found = sent("all_reduce", "collnet")
    assert found.out == pytest.approx(np.full(8, S))
    assert found.rail_out == pytest.approx(np.full(64, S / 8))


@pytest.mark.parametrize("algorithm", ["hierarchical", "hierarchical-pipelined"])
def test_hierarchical(algorithm):
    found = sent("all_reduce", algorithm)
    assert found.port == pytest.approx(np.full(64, 2 * 7 / 8 * S))
    assert found.rail_out == pytest.approx(np.full(64, 0.21875 * S))
    assert found.out == pytest.approx(np.full(8, 1.75 * S))


def test_all_to_all_direct_and_two_stage():
    # 32 ranks on 4 servers: 6 S leave each
    direct = sent("all_to_all", "direct", 8, 4)
    assert direct.port == pytest.approx(np.full(32, 7 / 32 * S))
    assert direct.out == pytest.approx(np.full(4, 6 * S))
    staged = sent("all_to_all", "two-stage", 8, 4)
    assert staged.port == pytest.approx(np.full(32, (7 / 32 + 24 / 32 * 7 / 8) * S))
    assert staged.out == pytest.approx(np.full(4, 6 * S))
    for a in range(32):  # between servers on the own rail alone
        for b in range(32):
            if a // 8 != b // 8 and a % 8 != b % 8:
                assert staged.matrix[a, b] == 0


def test_point_to_point():
    two = sent("send_recv", "p2p", 1, 2)
    assert two.matrix.tolist() == [[0, S], [0, 0]]
    ring = sent("send_recv", "p2p", 2, 2)
    assert ring.matrix.sum(axis=1).tolist() == [S] * 4


def test_recursive_doubling_and_bruck():
    found = sent("all_reduce", "recursive-doubling", 4, 2)
    assert found.port == pytest.approx(np.full(8, 2 * S))
    assert found.rail_out == pytest.approx(np.full(8, S))
    gather = sent("all_gather", "bruck", 2, 3)
    assert gather.matrix.sum(axis=1) == pytest.approx(np.full(6, 5 / 6 * S))
    exchange = sent("all_to_all", "bruck", 1, 6)
    assert exchange.matrix.sum(axis=1) == pytest.approx(np.full(6, (3 + 2 + 2) / 6 * S))
    pat = sent("all_gather", "pat", 1, 8)
    assert pat.matrix.sum(axis=1) == pytest.approx(np.full(8, 7 / 8 * S))


@pytest.mark.parametrize(("local", "servers"), [(8, 8), (1, 8), (8, 1), (4, 2), (2, 4)])
@pytest.mark.parametrize("order", ["node", "random", "strided"])
def test_flows_say_what_the_model_says(local, servers, order):
    group = shape(local * servers, servers, multicast=True, reduction=True)
    for one in algorithms().values():
        for op in one.ops:
            call = make_call(op, S, group, "fitted", order)
            if one.missing(call) or op in {"broadcast", "send_recv"}:
                continue
            time = collective_time(op, S, group, algorithm=one.name, ring_order=order)
            found = sent(op, one.name, local, servers, order=order)
            port = found.port.mean() if local > 1 else found.rail_out.mean()
            assert port == pytest.approx(time.port_bytes), (one.name, op)
            assert found.rail_out.mean() == pytest.approx(time.network_bytes), (one.name, op)


@pytest.mark.parametrize(("local", "servers"), [(8, 8), (4, 2), (2, 4)])
def test_a_strided_broadcast_leaves_its_server_at_every_hop(local, servers):
    """All but the last rank hand S on, each to another server, as in the strided ring."""
    n = local * servers
    found = sent("broadcast", "ring", local, servers, order="strided")
    assert found.port.sum() == 0
    assert found.rail_out.sum() == pytest.approx((n - 1) * S)
    inside = sent("broadcast", "ring", local, servers, order="node")
    assert inside.port.sum() > 0


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.sampled_from([
        ("all_reduce", "ring"), ("all_gather", "ring"), ("all_reduce", "tree"),
        ("all_reduce", "hierarchical"), ("all_to_all", "two-stage"), ("all_reduce", "collnet"),
    ]),
    st.integers(1, 3),
)  # fmt: skip
def test_uneven_groups_conserve_bytes(members, kind, copies):
    """Groups with different numbers of ranks in their servers: each server's part leaves whole."""
    op, algorithm = kind
    one = np.repeat(np.arange(len(members)), members)
    where = np.concatenate([one + len(members) * c for c in range(copies)])
    n = len(one)
    groups = np.arange(n * copies).reshape(copies, n)
    found = Sent(demands(op, algorithm, groups, S, bare_fabric(where)), where)
    assert found.matrix.sum() + found.up.sum() == pytest.approx(
        found.matrix.sum(axis=0).sum() + found.down.sum()
    )
    if n < 2:
        assert found.matrix.sum() == 0
        return
    assert found.out.reshape(copies, -1) == pytest.approx(
        np.tile(found.out[: len(members)], (copies, 1))
    )
    if algorithm == "ring":
        volume = (2 if op == "all_reduce" else 1) * (n - 1) / n * S
        assert found.out == pytest.approx(
            np.full(found.out.size, volume if len(members) > 1 else 0)
        )
        assert found.into == pytest.approx(found.out)
        received = found.matrix.sum(axis=0)
        assert received == pytest.approx(np.full(received.size, volume))


def test_a_full_mesh_spreads_what_goes_round_over_all_its_links():
    """xGMI: a directed pair of GPUs carries the GPU's figure over g - 1 (measured on MI300X)."""
    from topoedit.app.generate import generate
    from topoedit.catalog.load import load_catalog
    from topoedit.engine.compile import compile_fabric

    pod = generate("fat-tree", {"system": "mi300x-ubb8", "nodes": "2"}, load_catalog())
    fabric = compile_fabric(pod)
    where = np.asarray(fabric.gpu_server)
    one = Sent(demands("all_reduce", "ring", np.arange(8), S, fabric), where)
    pairs = one.matrix[:8, :8][~np.eye(8, dtype=bool)]
    assert pairs == pytest.approx(np.full(56, 1.75 * S / 7))
    two = Sent(demands("all_reduce", "ring", np.arange(16), S, fabric), where)
    assert two.port == pytest.approx(np.full(16, 2 * 15 / 16 * S * 7 / 8))
    assert group_shape(fabric, np.arange(8)).scaleup_rate == pytest.approx(7 * 64e9, rel=0.02)
    assert group_shape(fabric, [0, 1]).scaleup_rate == pytest.approx(64e9, rel=0.02)


def test_nothing_to_send():
    fabric = bare_fabric([0, 0])
    assert demands("all_reduce", "ring", [0], S, fabric) == []
    assert demands("all_reduce", "ring", [0, 1], 0, fabric) == []


def test_unknown_algorithm_is_refused_with_those_that_can():
    with pytest.raises(BadInputError, match="Able: bruck, direct, two-stage"):
        demands("all_to_all", "ring", [0, 1], S, bare_fabric([0, 0]))
