"""Edges by tier: what sums and extremes over them rest on."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.engine.step.cases import pod, run
from topoedit.engine.edge_index import edge_index
from topoedit.engine.load import bounds, tier_values
from topoedit.engine.types import Tier


def test_every_edge_is_in_one_tier_once() -> None:
    fabric = pod()
    index = edge_index(fabric)
    numbers = np.concatenate([edges.numbers for edges in index.tiers.values()])
    assert sorted(numbers.tolist()) == list(range(len(fabric.src)))
    for tier, edges in index.tiers.items():
        assert (fabric.tier[edges.numbers] == tier).all()
        assert (index.place[edges.numbers] == np.arange(len(edges.numbers))).all()
        kind = fabric.vertex_kind
        rises = kind[fabric.src[edges.numbers]] <= kind[fabric.dst[edges.numbers]]
        assert rises.tolist() == [place < edges.up for place in range(len(rises))]


def test_failed_and_unknown_edges_limit_nothing() -> None:
    whole = pod()
    capacity = whole.capacity.copy()
    network = np.flatnonzero(whole.tier == Tier.HOST_LEAF)
    capacity[network[0]], capacity[network[1]] = 0.0, np.nan
    index = edge_index(dataclasses.replace(whole, capacity=capacity))
    edges = index.tiers[Tier.HOST_LEAF]
    assert index.plain[network[:2]].tolist() == [0.0, 0.0]
    assert edges.unknown
    assert edges.usable == len(network) - 1
    assert index.unknown.tolist() == [network[1]]
    assert edges.capacity == pytest.approx((len(network) - 2) * 50e9)
    load = np.zeros(len(capacity))
    load[network[:3]] = [9e12, 9e12, 50e9]
    (found,) = bounds(index, load, tier_values(index, load), dict.fromkeys(index.tiers, 1.0))
    assert found.seconds == pytest.approx(1.0)
    assert found.edges.tolist() == [network[2]]


def test_tier_figures_are_those_of_its_edges() -> None:
    result = run(pod(), tp=8, dp=4, pp=2)
    fabric, figures = result.fabric, result.figures
    names = {row.tier: row for row in result.analysis.tiers}
    leaf = fabric.tier == Tier.HOST_LEAF
    row = names["host-leaf"]
    assert row.links == int(leaf.sum())
    assert row.bytes == pytest.approx(figures.total[leaf].sum())
    assert row.max_utilisation == pytest.approx(figures.utilisation[leaf].max())
    assert row.mean_utilisation == pytest.approx(figures.utilisation[leaf].mean())
    assert row.max_demand == pytest.approx(figures.demand[leaf].max())
