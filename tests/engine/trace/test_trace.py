"""Traced paths against the router, and hand-counted ones on small fabrics."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.routing.drawings import Draft, rails, random_drawing
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing import Router
from topoedit.engine.routing.modes import MODES
from topoedit.engine.trace import MAX_PATHS, End, Trace, Tracer
from topoedit.engine.types import Fabric, Flows
from topoedit.model.document import Document


def gpu(fabric: Fabric, rank: int) -> End:
    return End(int(fabric.gpus[rank]), rank)


def traced(document: Document, a: int, b: int, *, pxn: bool = True) -> tuple[Trace, Fabric]:
    fabric = compile_fabric(document)
    return Tracer(Router(fabric)).trace(gpu(fabric, a), gpu(fabric, b), pxn=pxn), fabric


def names(fabric: Fabric, trace: Trace, path: int = 0) -> list[str]:
    vertices = [int(fabric.dst[hop.edge]) for hop in trace.paths[path].hops]
    return [fabric.device_names[int(fabric.vertex_device[v])] for v in vertices]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    pxn=st.booleans(),
    mode=st.sampled_from(("adaptive", "ecmp", "static", "rail-only")),
)
def test_shares_are_what_the_router_puts_on_each_edge(seed: int, pxn: bool, mode: str) -> None:
    random = Random(seed)
    fabric = compile_fabric(random_drawing(random))
    router = Router(fabric, weights=MODES[mode].weights, rails=MODES[mode].rails)
    tracer = Tracer(router)
    for _ in range(4):
        a, b = random.sample(range(len(fabric.gpus)), 2)
        flows = Flows(np.array([a]), np.array([b]), np.ones(1))
        load = router.route(flows, pxn=pxn)
        found = tracer.trace(gpu(fabric, a), gpu(fabric, b), pxn=pxn)
        shares = np.zeros(len(fabric.src))
        shares[found.edges] = found.shares
        np.testing.assert_allclose(shares, load.bytes, rtol=1e-9, atol=1e-12)
        assert found.delivered == pytest.approx(load.delivered, abs=1e-12)
        total = sum(path.share for path in found.paths) + found.omitted
        assert total == pytest.approx(found.delivered, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_path_is_a_walk_from_end_to_end(seed: int) -> None:
    random = Random(seed)
    fabric = compile_fabric(random_drawing(random))
    a, b = random.sample(range(len(fabric.gpus)), 2)
    found = Tracer(Router(fabric)).trace(gpu(fabric, a), gpu(fabric, b))
    assert len(found.paths) <= MAX_PATHS
    for path in found.paths:
        here = int(fabric.gpus[a])
        for hop in path.hops:
            assert int(fabric.src[hop.edge]) == here
            assert hop.edge in hop.members
            assert hop.edge in hop.choices
            assert fabric.capacity[hop.edge] != 0
            here = int(fabric.dst[hop.edge])
        assert here == int(fabric.gpus[b])


def test_same_rail_stays_on_its_leaf() -> None:
    trace, fabric = traced(rails(3).document(), 3, 8 + 3)
    assert names(fabric, trace) == ["node-0", "leaf-3", "node-1", "node-1"]
    assert [hop.leg for hop in trace.paths[0].hops] == ["network"] * 4
    assert trace.paths[0].share == 1.0
    assert trace.paths[0].via == 3


def test_another_rail_goes_by_the_relay_with_pxn_and_over_the_spines_without() -> None:
    """PXN: NVLink to the GPU on the destination's rail (NCCL 2.12), then its leaf alone."""
    document = rails(2, spines=2).document()
    trace, fabric = traced(document, 0, 8 + 5)
    assert names(fabric, trace) == ["node-0", "node-0", "node-0", "leaf-5", "node-1", "node-1"]
    assert (trace.paths[0].via, trace.paths[0].out) == (5, 13)
    trace, fabric = traced(document, 0, 8 + 5, pxn=False)
    (path,) = trace.paths
    assert names(fabric, trace)[1:4] == ["leaf-0", "spine-0", "leaf-5"]
    assert path.share == 1.0
    up = path.hops[2]
    assert len(up.members) == len(up.choices) == 2  # two spines in one class


def test_unlike_spines_are_two_classes() -> None:
    """One spine has two cables to each leaf, the other one: 2/3 and 1/3 of the bytes."""
    draft = Draft()
    for node in ("node-0", "node-1"):
        draft.device(node, "lone")
    for leaf in ("leaf-0", "leaf-1"):
        draft.device(leaf, "leaf")
    for spine, cables in (("spine-0", 2), ("spine-1", 1)):
        draft.device(spine, "spine")
        for leaf in ("leaf-0", "leaf-1"):
            draft.join(leaf, spine, cables)
    for number in range(2):
        draft.plug(f"node-{number}", "nic0", f"leaf-{number}")
    trace, fabric = traced(draft.document(), 0, 1)
    assert [path.share for path in trace.paths] == pytest.approx([2 / 3, 1 / 3])
    assert names(fabric, trace, 0)[2] == "spine-0"
    assert names(fabric, trace, 1)[2] == "spine-1"


def test_dual_homed_gpu_uses_both_nics() -> None:
    draft = Draft()
    for node in ("node-0", "node-1"):
        draft.device(node, "dual")
    for leaf in ("leaf-0", "leaf-1"):
        draft.device(leaf, "leaf")
        for node in ("node-0", "node-1"):
            draft.plug(node, f"nic{leaf[-1]}", leaf)
    trace, _ = traced(draft.document(), 0, 2)
    assert len(trace.paths) == 1  # the two leaves are alike
    assert len(trace.paths[0].hops[1].members) == 2
    assert trace.delivered == 1.0


def test_nic_and_switch_ends() -> None:
    fabric = compile_fabric(rails(2).document())
    tracer = Tracer(Router(fabric))
    rows = {name: row for row, name in enumerate(fabric.device_names)}
    at = {name: np.flatnonzero(fabric.vertex_device == row) for name, row in rows.items()}
    nic = End(int(at["node-0"][8 + 1 + 2]), owner=2)  # 8 GPUs and a crossbar come first
    other = tracer.trace(gpu(fabric, 0), nic)
    assert [hop.leg for hop in other.paths[0].hops] == ["scale-up", "scale-up", "bus"]
    own = tracer.trace(gpu(fabric, 2), nic)
    assert [hop.leg for hop in own.paths[0].hops] == ["bus"]
    far = tracer.trace(nic, gpu(fabric, 8 + 2))
    assert names(fabric, far) == ["leaf-2", "node-1", "node-1"]
    leaf = End(int(at["leaf-0"][0]))
    up = tracer.trace(leaf, End(int(at["leaf-4"][0])))
    assert len(up.paths[0].hops) == 2
    assert len(up.paths[0].hops[0].members) == 2
    down = tracer.trace(leaf, gpu(fabric, 0))
    assert names(fabric, down) == ["node-0", "node-0"]


def test_no_path_is_no_share() -> None:
    draft = Draft()
    for node in ("node-0", "node-1"):
        draft.device(node, "lone")
    trace, _ = traced(draft.document(), 0, 1)
    assert trace.paths == ()
    assert trace.delivered == 0.0
