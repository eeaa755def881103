"""Cut devices and clusters against slow, obvious ways to find them."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topoedit.rules._clusters import clusters, most_common
from topoedit.rules._graph import Cut, cuts
from topoedit.rules._tables import alike, distinct, distinct_pairs

SIZE = 9
graphs = st.sets(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).filter(lambda e: e[0] < e[1]),
    min_size=1,
    max_size=22,
)
weights = st.lists(st.integers(0, 9), min_size=SIZE, max_size=SIZE)


def parts(graph: nx.Graph, weight: list[int]) -> list[int]:
    return [sum(weight[n] for n in part) for part in nx.connected_components(graph)]


def oracle(edges: set[tuple[int, int]], weight: list[int]) -> tuple[set[Cut], set[frozenset[int]]]:
    """Cuts by removing each device, and each edge, in turn."""
    graph = nx.Graph(edges)
    devices, pairs = set(), set()
    for node in graph.nodes:
        own = graph.subgraph(nx.node_connected_component(graph, node)).copy()
        own.remove_node(node)
        left = parts(own, weight)
        if len(left) > 1 and sum(left) > max(left):
            devices.add(Cut(node, -1, sum(left) - max(left)))
    for a, b in nx.bridges(graph):
        own = graph.subgraph(nx.node_connected_component(graph, a)).copy()
        own.remove_edge(a, b)
        if min(parts(own, weight)):
            pairs.add(frozenset((a, b)))
    return devices, pairs


@given(graphs, weights)
def test_cuts_are_those_found_by_removing_each_in_turn(
    edges: set[tuple[int, int]], weight: list[int]
) -> None:
    a, b = (np.array(side, np.int64) for side in zip(*sorted(edges), strict=True))
    devices, pairs = cuts(SIZE, a, b, np.array(weight))
    wanted_devices, wanted_pairs = oracle(edges, weight)
    assert set(devices) == wanted_devices
    assert {frozenset((cut.device, cut.other)) for cut in pairs} == wanted_pairs


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=30))
def test_the_most_common_value_of_each_key(pairs: list[tuple[int, int]]) -> None:
    key = np.array([p[0] for p in pairs], np.int64)
    value = np.array([p[1] for p in pairs], np.int64)
    keys, values, times = most_common(key, value)
    assert keys.tolist() == sorted({p[0] for p in pairs})
    for k, v, n in zip(keys.tolist(), values.tolist(), times.tolist(), strict=True):
        mine = [p[1] for p in pairs if p[0] == k]
        assert n == mine.count(v) == max(mine.count(x) for x in mine)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), max_size=40))
def test_distinct_pairs_and_kinds(pairs: list[tuple[int, int]]) -> None:
    one = np.array([p[0] for p in pairs], np.int32)
    other = np.array([p[1] for p in pairs], np.int32)
    assert [*zip(*(x.tolist() for x in distinct_pairs(one, other)), strict=True)] == sorted(
        set(pairs)
    )
    assert distinct(one).tolist() == sorted(set(one.tolist()))
    first, kind = alike(one, other.astype(float))
    assert len(first) == len(set(pairs))
    for row, which in enumerate(kind.tolist()):
        assert pairs[int(first[which])] == pairs[row]


def test_one_wrong_cable_joins_no_clusters() -> None:
    lower = np.repeat(np.arange(8), 2)  # servers 0..3 on leaves 8 and 9, 4..7 on 10 and 11
    upper = np.array([8, 9] * 4 + [10, 11] * 4)
    upper[1] = 11
    pod, of_lower = clusters(lower, upper, 12)
    assert pod[8] == pod[9] != pod[10] == pod[11]
    assert of_lower[1] == pod[8]
    assert of_lower[4] == pod[10]
    assert pod[0] == -1
