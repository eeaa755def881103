"""The fast router against the slow one on drawings without regularity."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.routing.drawings import rails, random_drawing
from tests.engine.routing.oracle import Oracle, Result
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing import Router
from topoedit.engine.types import AllToAll, EdgeLoad, Fabric, Flows

RANDOMS = st.randoms(use_true_random=False)


def flows_of(pairs: list[tuple[int, int, float]]) -> Flows:
    columns = list(zip(*pairs, strict=True)) if pairs else [(), (), ()]
    return Flows(
        np.array(columns[0], np.int64), np.array(columns[1], np.int64), np.array(columns[2], float)
    )


def agree(fabric: Fabric, fast: EdgeLoad, slow: Result, total: float) -> None:
    """Every edge to 1e-9 relative, nothing dropped, and what enters each GPU is its demand."""
    np.testing.assert_allclose(
        fast.bytes, slow.load, rtol=1e-9, atol=1e-12 * (slow.load.max(initial=0) + 1)
    )
    assert fast.lost == pytest.approx(sum(slow.lost.values()), rel=1e-9, abs=1e-9)
    assert fast.lost_pairs == len(slow.lost)
    assert fast.delivered + fast.lost == pytest.approx(total, rel=1e-9)
    assert fast.example is None or fast.example in slow.lost
    assert (fast.bytes[fabric.capacity == 0] == 0).all()


def random_flows(random: Random, gpus: int) -> list[tuple[int, int, float]]:
    pairs = {(random.randrange(gpus), random.randrange(gpus)) for _ in range(random.randint(1, 30))}
    return [(a, b, random.choice([1.0, 3.0, 1e9])) for a, b in sorted(pairs)]


@given(random=RANDOMS, pxn=st.booleans())
def test_flows_agree_with_the_oracle(random: Random, pxn: bool) -> None:
    fabric = compile_fabric(random_drawing(random))
    pairs = random_flows(random, len(fabric.gpus))
    slow = Oracle(fabric).route(pairs, pxn=pxn)
    fast = Router(fabric).route(flows_of(pairs), pxn=pxn)
    agree(fabric, fast, slow, sum(amount for _, _, amount in pairs))


@given(random=RANDOMS, pxn=st.booleans())
def test_all_to_all_agrees_with_the_oracle(random: Random, pxn: bool) -> None:
    fabric = compile_fabric(random_drawing(random))
    ranks = list(range(len(fabric.gpus)))
    if random.random() < 0.5:
        random.shuffle(ranks)
    size = random.randint(2, len(ranks)) if len(ranks) > 1 else 1
    groups = np.array(ranks[: len(ranks) // size * size], np.int64).reshape(-1, size)
    pairs = [(a, b, 5.0) for group in groups.tolist() for a in group for b in group if a != b]
    slow = Oracle(fabric).route(pairs, pxn=pxn)
    fast = Router(fabric).route(AllToAll(groups, 5.0), pxn=pxn)
    agree(fabric, fast, slow, 5.0 * len(pairs))


@pytest.mark.parametrize("pxn", [True, False])
@pytest.mark.parametrize("type_id", ["eight", "half", "dual", "mesh", "tray"])
def test_regular_fabrics_agree_with_the_oracle(type_id: str, pxn: bool) -> None:
    fabric = compile_fabric(rails(4, type_id=type_id).document())
    count = len(fabric.gpus)
    pairs = [(a, b, 7.0) for a in range(count) for b in range(count) if a != b]
    slow = Oracle(fabric).route(pairs, pxn=pxn)
    router = Router(fabric)
    groups = np.arange(count, dtype=np.int64)[None]
    for demand in (flows_of(pairs), AllToAll(groups, 7.0)):
        agree(fabric, router.route(demand, pxn=pxn), slow, 7.0 * len(pairs))


@given(random=RANDOMS)
def test_classes_change_nothing(random: Random) -> None:
    fabric = compile_fabric(random_drawing(random))
    flows = flows_of(random_flows(random, len(fabric.gpus)))
    merged, plain = Router(fabric), Router(fabric, collapse=False)
    np.testing.assert_allclose(
        merged.route(flows).bytes, plain.route(flows).bytes, rtol=1e-9, atol=1e-3
    )
