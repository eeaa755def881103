"""The router's rules on small fabrics where every number can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.routing.drawings import Draft, rails, random_drawing
from tests.engine.routing.oracle import Oracle
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing import Router, edge_classes, split_classes
from topoedit.engine.routing.graph import ConservationError, GraphRouter
from topoedit.engine.types import AllToAll, EdgeLoad, Fabric, Flows, InNetwork, Tier, VertexKind


def flow(src: int, dst: int, amount: float = 8.0) -> Flows:
    return Flows(np.array([src]), np.array([dst]), np.array([amount]))


def on(fabric: Fabric, load: EdgeLoad, link_id: str) -> list[float]:
    """Bytes on both directions of a link, as drawn first."""
    row = fabric.link_ids.index(link_id)
    return load.bytes[fabric.link == row].tolist()


def by_tier(fabric: Fabric, load: EdgeLoad) -> dict[Tier, float]:
    return {Tier(t): float(load.bytes[fabric.tier == t].sum()) for t in np.unique(fabric.tier)}


def test_a_flow_in_a_server_stays_on_scale_up() -> None:
    fabric = compile_fabric(rails(2).document())
    load = Router(fabric).route(flow(1, 3))
    assert on(fabric, load, "node-0/nvlink/gpu1") == [8, 0]
    assert on(fabric, load, "node-0/nvlink/gpu3") == [0, 8]
    assert load.bytes.sum() == 16


def test_a_flow_on_its_rail_meets_one_leaf() -> None:
    fabric = compile_fabric(rails(2).document())
    load = Router(fabric).route(flow(2, 10))
    assert by_tier(fabric, load) == {
        Tier.SCALE_UP: 0, Tier.HOST_LEAF: 16, Tier.LEAF_SPINE: 0, Tier.HOST_BUS: 16,
    }  # fmt: skip


def test_pxn_moves_to_the_rail_inside_the_sender_and_without_it_the_spine_is_crossed() -> None:
    fabric = compile_fabric(rails(2).document())
    router = Router(fabric)
    with_pxn = router.route(flow(0, 11), pxn=True)
    assert on(fabric, with_pxn, "node-0/nvlink/gpu0") == [8, 0]
    assert on(fabric, with_pxn, "node-0/nvlink/gpu3") == [0, 8]
    assert on(fabric, with_pxn, "node-0/pcie/nic3") == [8, 0]
    assert by_tier(fabric, with_pxn)[Tier.LEAF_SPINE] == 0
    without = router.route(flow(0, 11), pxn=False)
    assert by_tier(fabric, without)[Tier.SCALE_UP] == 0
    assert by_tier(fabric, without)[Tier.LEAF_SPINE] == pytest.approx(16)
    spread = without.bytes[(fabric.tier == Tier.LEAF_SPINE) & (without.bytes > 0)]
    assert spread.tolist() == pytest.approx([4] * 4)  # up and down over two spines


def test_rails_without_a_spine_need_pxn() -> None:
    fabric = compile_fabric(rails(2, spines=0).document())
    router = Router(fabric)
    assert router.route(flow(0, 11), pxn=True).lost == 0
    load = router.route(flow(0, 11), pxn=False)
    assert (load.lost, load.lost_pairs, load.example, load.delivered) == (8, 1, (0, 11), 0)
    assert load.bytes.sum() == 0


def test_gpus_without_a_nic_are_reached_over_scale_up() -> None:
    draft = Draft()
    for name in ("node-0", "node-1"):
        draft.device(name, "half")  # four GPUs, NICs on GPU 0 and 2
    draft.device("leaf-0", "leaf")
    for name in ("node-0", "node-1"):
        for nic in range(2):
            draft.plug(name, f"nic{nic}", "leaf-0")
    fabric = compile_fabric(draft.document())
    load = Router(fabric).route(flow(1, 7), pxn=False)
    assert load.delivered == 8
    assert on(fabric, load, "node-0/nvlink/gpu1") == [8, 0]
    assert on(fabric, load, "node-0/pcie/nic0")[0] == on(fabric, load, "node-0/pcie/nic1")[0] == 4
    assert on(fabric, load, "node-1/nvlink/gpu3") == [0, 8]


def test_traffic_splits_by_capacity_and_leaves_failed_cables_alone() -> None:
    draft = rails(2, spines=0, type_id="lone")
    draft.device("leaf-1", "leaf")
    draft.device("node-2", "lone")
    draft.plug("node-2", "nic0", "leaf-1")
    wide = draft.join("leaf-0", "leaf-1", 3)
    thin = draft.join("leaf-0", "leaf-1", 1, gbps=100.0)
    part = draft.join("leaf-0", "leaf-1", 4, failed=2)
    dead = draft.join("leaf-0", "leaf-1", 2, failed=2)
    fabric = compile_fabric(draft.document())
    load = Router(fabric).route(flow(0, 2, 21.0))
    # 150, 12.5 and 100 GB/s of 262.5
    assert [on(fabric, load, i)[0] for i in (wide, thin, part, dead)] == pytest.approx(
        [12, 1, 8, 0]
    )
    equal = Router(fabric, weights="cables").route(flow(0, 2, 6.0))
    assert [on(fabric, equal, i)[0] for i in (wide, thin, part, dead)] == pytest.approx(
        [3, 1, 2, 0]
    )


def test_a_dual_homed_gpu_uses_both_leaves_and_the_near_one_alone() -> None:
    draft = Draft()
    for name in ("node-0", "node-1"):
        draft.device(name, "dual")  # two GPUs with two NICs each
    for leaf in ("a", "b"):
        draft.device(leaf, "leaf")
    for name in ("node-0", "node-1"):
        for nic in range(4):
            draft.plug(name, f"nic{nic}", "ab"[nic % 2])
    draft.device("single", "lone")
    draft.plug("single", "nic0", "a")
    fabric = compile_fabric(draft.document())
    router = Router(fabric)
    both = router.route(flow(0, 2))
    assert [on(fabric, both, f"node-0/pcie/nic{n}")[0] for n in range(4)] == [4, 4, 0, 0]
    near = router.route(flow(0, 4))
    assert [on(fabric, near, f"node-0/pcie/nic{n}")[0] for n in range(4)] == [8, 0, 0, 0]


def test_reduction_in_the_switch_loads_each_gpu_link() -> None:
    fabric = compile_fabric(rails(2).document())
    groups = np.arange(16).reshape(2, 8)
    load = Router(fabric).route(InNetwork(groups, up=9.0, down=7.0))
    for rank in range(8):
        assert on(fabric, load, f"node-1/nvlink/gpu{rank}") == [9, 7]
    assert load.delivered == 16 * 7
    assert load.bytes.sum() == 16 * 16


def test_reduction_over_drawn_switches_passes_the_tray() -> None:
    draft = Draft()
    for name in ("tray-0", "tray-1"):
        draft.device(name, "tray")
    for switch in ("nvs-0", "nvs-1"):
        draft.device(switch, "nvs")
    ids = [
        draft.plug(tray, f"up{port}", f"nvs-{port % 2}")
        for tray in ("tray-0", "tray-1")
        for port in range(4)
    ]
    fabric = compile_fabric(draft.document())
    load = Router(fabric).route(InNetwork(np.arange(4)[None], up=8.0, down=6.0))
    assert [on(fabric, load, i) for i in ids] == [[4, 3]] * 8


def test_several_demands_add_up() -> None:
    fabric = compile_fabric(rails(2).document())
    router = Router(fabric)
    demands = [flow(0, 11), flow(1, 3), AllToAll(np.arange(16)[None], 2.0)]
    total = router.route(demands)
    parts = [router.route(demand) for demand in demands]
    np.testing.assert_allclose(total.bytes, sum(part.bytes for part in parts), rtol=1e-12)
    assert total.delivered == sum(part.delivered for part in parts)


def test_phase_time_is_that_of_the_fullest_known_link() -> None:
    fabric = compile_fabric(rails(2).document())
    router = Router(fabric)
    assert router.phase_time(router.route(flow(2, 10, 50e9))) == pytest.approx(1.0)
    assert router.phase_time(router.route(flow(2, 3, 45e9))) == pytest.approx(0.1)


def test_pairs_without_a_path_are_told_and_not_dropped() -> None:
    draft = rails(2, spines=0, type_id="lone")
    draft.device("island", "lone")
    fabric = compile_fabric(draft.document())
    load = Router(fabric).route(AllToAll(np.arange(3)[None], 5.0))
    assert (load.delivered, load.lost, load.lost_pairs) == (10, 20, 4)
    assert load.example == (0, 1)  # "island" comes first by name


@given(random=st.randoms(use_true_random=False), pxn=st.booleans())
def test_what_enters_a_gpu_is_what_was_sent_to_it(random: object, pxn: bool) -> None:
    """Conservation at every vertex: GPUs keep what is theirs, everything else keeps nothing."""
    fabric = compile_fabric(random_drawing(random))
    count = len(fabric.gpus)
    pairs = [(a, b, float(1 + a + b)) for a in range(count) for b in range(count) if a != b]
    slow = Oracle(fabric).route(pairs, pxn=pxn)
    src, dst, amount = (np.array(column) for column in zip(*pairs, strict=True))
    load = Router(fabric).route(Flows(src, dst, amount), pxn=pxn)
    size = len(fabric.vertex_kind)
    balance = np.bincount(fabric.dst, weights=load.bytes, minlength=size)
    balance -= np.bincount(fabric.src, weights=load.bytes, minlength=size)
    expected = np.zeros(count)
    for (a, b), lost in slow.lost.items():
        expected[b] -= lost
        expected[a] += lost
    np.add.at(expected, dst, amount)
    np.subtract.at(expected, src, amount)
    np.testing.assert_allclose(balance[fabric.gpus], expected, atol=1e-6)
    others = np.setdiff1d(np.arange(size), fabric.gpus)
    np.testing.assert_allclose(balance[others], 0, atol=1e-6)


def test_edge_classes_of_a_regular_fabric_are_its_tiers() -> None:
    fabric = compile_fabric(rails(4).document())
    classes = edge_classes(fabric)
    kinds = fabric.vertex_kind
    keys = {
        (c, kinds[a], kinds[b])
        for c, a, b in zip(classes.tolist(), fabric.src, fabric.dst, strict=True)
    }
    # up and down of scale-up, bus, host-leaf and leaf-spine links
    assert len(keys) == len(set(classes.tolist())) == 8
    load = Router(fabric).route(flow(0, 1))
    split = split_classes(classes, load.bytes)
    assert len(set(split.tolist())) == 10


def test_one_failed_cable_splits_its_classes() -> None:
    draft = rails(4)
    draft.join("leaf-0", "spine-0", 2, failed=1)
    classes = edge_classes(compile_fabric(draft.document()))
    assert len(set(classes.tolist())) > 8


def test_a_quotient_that_loses_bytes_is_noticed_and_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fabric = compile_fabric(rails(2).document())
    expected = Router(fabric).route(flow(0, 11), pxn=False)
    route = GraphRouter.route

    def broken(self: GraphRouter, *demand: np.ndarray) -> object:
        if self.collapsed:
            raise ConservationError("bytes that arrive differ from the demand")
        return route(self, *demand)

    monkeypatch.setattr(GraphRouter, "route", broken)
    router = Router(fabric)
    np.testing.assert_allclose(router.route(flow(0, 11), pxn=False).bytes, expected.bytes)
    assert not router.collapse


def test_a_mesh_pair_uses_its_own_link_alone() -> None:
    draft = Draft()
    draft.device("node", "mesh")
    fabric = compile_fabric(draft.document())
    load = Router(fabric).route(flow(0, 2))
    assert on(fabric, load, "node/nvlink/gpu0-gpu2") == [8, 0]
    assert on(fabric, load, "node/nvlink/gpu0-gpu1") == [0, 0]
    assert (fabric.vertex_kind[fabric.gpus] == VertexKind.GPU).all()
