"""Every mode against the slow router on tori, dragonflies, fat trees, random and railed fabrics."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.routing.drawings import Draft, rails, random_drawing
from tests.engine.routing.fabrics import FABRICS
from tests.engine.routing.oracle import Oracle
from tests.engine.routing.test_oracle import RANDOMS, agree, flows_of, random_flows
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing.hashed import HashedRouter
from topoedit.engine.routing.hashing import connection_keys, pick, salts
from topoedit.engine.routing.modes import MODES, make_router, residual, routing_section
from topoedit.engine.routing.router import Router
from topoedit.engine.routing.tables import TableRouter
from topoedit.engine.types import AllToAll, Fabric, Tier
from topoedit.errors import BadInputError

SPLITS = ("ecmp", "adaptive", "static", "rail-only")
DRAWINGS = {**FABRICS, "random": random_drawing}


def oracle(fabric: Fabric, mode: str) -> Oracle:
    found = MODES[mode]
    return Oracle(fabric, found.weights, found.rails)


@pytest.mark.parametrize("name", DRAWINGS)
@given(random=RANDOMS, mode=st.sampled_from(SPLITS), pxn=st.booleans())
def test_flows_agree(name: str, random: Random, mode: str, pxn: bool) -> None:
    fabric = compile_fabric(DRAWINGS[name](random))
    pairs = random_flows(random, len(fabric.gpus))
    slow = oracle(fabric, mode).route(pairs, pxn=pxn)
    fast = make_router(fabric, mode).route(flows_of(pairs), pxn=pxn)
    agree(fabric, fast, slow, sum(amount for _, _, amount in pairs))


@pytest.mark.parametrize("name", DRAWINGS)
@given(random=RANDOMS, mode=st.sampled_from(SPLITS), pxn=st.booleans())
def test_all_to_all_agrees(name: str, random: Random, mode: str, pxn: bool) -> None:
    fabric = compile_fabric(DRAWINGS[name](random))
    ranks = list(range(len(fabric.gpus)))
    random.shuffle(ranks)
    size = random.randint(2, len(ranks)) if len(ranks) > 1 else 1
    groups = np.array(ranks[: len(ranks) // size * size], np.int64).reshape(-1, size)
    pairs = [(a, b, 5.0) for group in groups.tolist() for a in group for b in group if a != b]
    slow = oracle(fabric, mode).route(pairs, pxn=pxn)
    fast = make_router(fabric, mode).route(AllToAll(groups, 5.0), pxn=pxn)
    agree(fabric, fast, slow, 5.0 * len(pairs))


# -- hashed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWINGS)
@given(random=RANDOMS, pxn=st.booleans(), flows=st.integers(1, 3), seed=st.integers(0, 10**6))
def test_a_draw_agrees_given_the_same_next_hops(
    name: str, random: Random, pxn: bool, flows: int, seed: int
) -> None:
    fabric = compile_fabric(DRAWINGS[name](random))
    pairs = random_flows(random, len(fabric.gpus))
    salt = salts(fabric)

    def hop(connection: tuple[int, int, int, int], vertex: int, _: int, count: int) -> int:
        src, dst, nic, flow = (np.array([value]) for value in connection)
        key = connection_keys(salt, src, dst, nic, flow)
        return int(pick(key, np.array([seed]), salt[[vertex]], np.array([count]))[0])

    slow = oracle(fabric, "ecmp")
    network: dict[int, float] = {}
    for (edge, _), value in slow.walk(pairs, hop, pxn=pxn, count=flows).items():
        network[edge] = network.get(edge, 0.0) + value
    want = slow.route(pairs, pxn=pxn).load
    inner = np.isin(fabric.tier, (Tier.SCALE_UP,)) | slow_scale_up(fabric)
    want[~inner] = 0.0
    for edge, value in network.items():
        want[edge] += value
    router = HashedRouter(fabric, flows)
    got = router.draw(flows_of(pairs), seed, pxn=pxn)
    np.testing.assert_allclose(got.bytes, want, rtol=1e-9, atol=1e-12 * (want.max(initial=0) + 1))


def slow_scale_up(fabric: Fabric) -> np.ndarray:
    """Edges to or from scale-up vertices."""
    kind = fabric.vertex_kind
    return (kind[fabric.src] == 2) | (kind[fabric.dst] == 2)


def leaf_pair(flows: int, uplinks: int, more: str = "") -> Fabric:
    """Servers of one GPU on two leaves, one cable from each leaf to every spine."""
    draft = Draft()
    for leaf in ("leaf-a", "leaf-b"):
        draft.device(leaf, "leaf")
        for number in range(flows):
            name = draft.device(f"{leaf}-{number:03}", "lone")
            draft.plug(name, "nic0", leaf)
    for number in range(uplinks):
        draft.device(f"spine-{number}", "spine")
        for leaf in ("leaf-a", "leaf-b"):
            draft.join(leaf, f"spine-{number}")
    if more:
        draft.plug(draft.device(more, "lone"), "nic0", "leaf-b")
    return compile_fabric(draft.document())


def test_collisions_are_those_of_the_formula() -> None:
    """8 flows on 8 uplinks (engine-formulas 5.1): 65.6 % used, E[max] from 0.385, mean 0.411."""
    fabric = leaf_pair(8, 8)
    demand = flows_of([(rank, rank + 8, 1.0) for rank in range(8)])
    up = np.flatnonzero((fabric.vertex_kind[fabric.src] == 3) & (fabric.tier == Tier.LEAF_SPINE))
    router = HashedRouter(fabric, seeds=1000)
    loads = np.array([router.draw(demand, seed).bytes[up] for seed in range(1000)])
    loads = loads[:, loads.sum(axis=0) > 0]
    assert loads.shape == (1000, 8)
    assert (loads.sum(axis=1) == 8).all()  # conservation
    used, most = (loads > 0).mean(axis=1), loads.max(axis=1)
    assert used.mean() == pytest.approx(0.656, abs=4 * used.std() / np.sqrt(1000))
    assert 1 / most.mean() == pytest.approx(0.385, abs=4 * most.std() / np.sqrt(1000) * 0.385**2)
    ratio = 1 / most
    assert ratio.mean() == pytest.approx(0.411, abs=4 * ratio.std() / np.sqrt(1000))
    spread = router.route(demand).spread
    assert spread is not None
    rate = 400e9 / 8
    np.testing.assert_allclose(spread.tiers[:, Tier.LEAF_SPINE], most / rate)


def test_more_flows_a_connection_spread_better() -> None:
    fabric = leaf_pair(8, 8)
    demand = flows_of([(rank, rank + 8, 1.0) for rank in range(8)])
    means = []
    for flows in (1, 4, 16):
        spread = HashedRouter(fabric, flows, seeds=300).route(demand).spread
        assert spread is not None
        means.append(1 / (spread.tiers[:, Tier.LEAF_SPINE].mean() * 400e9 / 8))
    # f/q = 8/8, 32/8 and 128/8: 0.385, 0.568, 0.730
    assert means == pytest.approx([0.385, 0.568, 0.730], abs=0.02)


def test_seeds_are_shared_before_and_after_a_change() -> None:
    """A server more shifts every row and rank; flows of the others take the paths they took."""
    before, after = leaf_pair(8, 8), leaf_pair(8, 8, more="aaa-first")
    assert before.device_ids != after.device_ids
    loads = []
    for fabric, shift in ((before, 0), (after, 1)):
        demand = flows_of([(rank + shift, rank + 8 + shift, 1.0) for rank in range(8)])
        got = [HashedRouter(fabric).draw(demand, seed).bytes for seed in range(5)]
        crossing = np.flatnonzero(fabric.tier == Tier.LEAF_SPINE)
        ways = np.arange(len(fabric.src)) < len(fabric.src) // 2
        rows = zip(fabric.link[crossing].tolist(), ways[crossing].tolist(), strict=True)
        names = [(fabric.link_ids[row], way) for row, way in rows]
        loads.append([dict(zip(names, load[crossing].tolist(), strict=True)) for load in got])
    assert loads[0] == loads[1]
    assert loads[0][0] != loads[0][1]


@given(random=RANDOMS, flows=st.integers(1, 4))
def test_the_mean_of_many_draws_is_the_even_split(random: Random, flows: int) -> None:
    fabric = compile_fabric(FABRICS["fat-tree"](random))
    pairs = random_flows(random, len(fabric.gpus))
    router = HashedRouter(fabric, flows, seeds=5)
    found = router.route(flows_of(pairs))
    even = Router(fabric, weights="cables").route(flows_of(pairs))
    np.testing.assert_array_equal(found.bytes, even.bytes)
    assert found.spread is not None
    # no draw's fullest cable of a tier carries less than the even split's
    split = even.bytes / np.maximum(fabric.working, 1)
    rate = fabric.capacity / np.maximum(fabric.working, 1)
    for tier in (Tier.LEAF_SPINE, Tier.SPINE_CORE):
        own = (fabric.tier == tier) & (rate > 0)
        total = float(split[own].sum())
        assert (found.spread.tiers[:, tier] >= 0).all()
        assert (found.spread.tiers[:, tier].max() > 0) == (total > 0)


# -- forwarding tables -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWINGS)
@given(random=RANDOMS, pxn=st.booleans())
def test_tables_agree_given_the_same_next_hops(name: str, random: Random, pxn: bool) -> None:
    fabric = compile_fabric(DRAWINGS[name](random))
    pairs = random_flows(random, len(fabric.gpus))
    router = TableRouter(fabric)
    chains = router.even.chains
    rank_of = {int(vertex): rank for rank, vertex in enumerate(fabric.gpus.tolist())}

    def hop(connection: tuple[int, int, int, int], vertex: int, left: int, count: int) -> int:
        rank = rank_of[connection[1]]
        first, last = int(chains.start[rank]), int(chains.start[rank + 1])
        number = int(router.ordinals[first + connection[2] % (last - first)])
        return number // int(router.divisor(np.array([vertex]), np.array([left]))[0]) % count

    slow = oracle(fabric, "ecmp")
    want = slow.route(pairs, pxn=pxn).load
    want[~slow_scale_up(fabric)] = 0.0
    for (edge, _), value in slow.walk(pairs, hop, pxn=pxn).items():
        want[edge] += value
    got = router.route(flows_of(pairs), pxn=pxn)
    np.testing.assert_allclose(got.bytes, want, rtol=1e-9, atol=1e-12 * (want.max(initial=0) + 1))


def test_tables_keep_a_shift_free_of_collisions() -> None:
    """Destination modulo uplinks on a full fat tree: a shift loads every uplink alike."""
    fabric = leaf_pair(8, 8)
    demand = flows_of([(rank, 8 + (rank + 3) % 8, 1.0) for rank in range(8)])
    load = TableRouter(fabric).route(demand)
    crossing = load.bytes[fabric.tier == Tier.LEAF_SPINE]
    assert sorted(crossing.tolist()) == [0.0] * 16 + [1.0] * 16
    assert load.spread is not None
    assert load.spread.tiers.shape[0] == 1


def test_tables_use_every_cable_of_a_bundle() -> None:
    """Two leaves, two spines, four cables between each: eight flows take eight cables both ways."""
    draft = Draft()
    for leaf in ("leaf-a", "leaf-b"):
        draft.device(leaf, "leaf")
        for number in range(8):
            draft.plug(draft.device(f"{leaf}-{number}", "lone"), "nic0", leaf)
    for number in range(2):
        draft.device(f"spine-{number}", "spine")
        for leaf in ("leaf-a", "leaf-b"):
            draft.join(leaf, f"spine-{number}", 4)
    fabric = compile_fabric(draft.document())
    load = TableRouter(fabric).route(flows_of([(rank, rank + 8, 1.0) for rank in range(8)]))
    assert load.spread is not None
    assert load.spread.tiers[0, Tier.LEAF_SPINE] == pytest.approx(1.0 / (400e9 / 8))
    assert set(load.bytes[fabric.tier == Tier.LEAF_SPINE].tolist()) == {0.0, 4.0}


# -- rails -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["static", "rail-only"])
def test_another_rail_is_reached_by_pxn_alone(mode: str) -> None:
    fabric = compile_fabric(rails(2, spines=2, type_id="four").document())
    demand = flows_of([(0, 4, 2.0), (0, 5, 3.0)])
    on = make_router(fabric, mode).route(demand, pxn=True)
    assert (on.delivered, on.lost) == (5.0, 0.0)
    assert on.bytes[fabric.tier == Tier.LEAF_SPINE].sum() == 0
    assert on.bytes[fabric.tier == Tier.SCALE_UP].sum() == 6.0  # GPU 0 to GPU 1: two links
    off = make_router(fabric, mode).route(demand, pxn=False)
    assert (off.delivered, off.lost, off.lost_pairs, off.example) == (2.0, 3.0, 1, (0, 5))


def test_rail_only_takes_no_switch_that_joins_rails() -> None:
    draft = Draft()
    for unit in range(2):
        name = draft.device(f"node-{unit}", "four")
        for rail in range(4):
            leaf = draft.device(f"leaf-{unit}-{rail}", "leaf")
            draft.plug(name, f"nic{rail}", leaf)
    for name, served in (("spine-0", (0,)), ("spine-1", (0, 1, 2, 3))):
        draft.device(name, "spine")
        for unit in range(2):
            for rail in served:
                draft.join(f"leaf-{unit}-{rail}", name)
    fabric = compile_fabric(draft.document())
    demand = flows_of([(0, 4, 2.0), (1, 5, 3.0)])
    static = make_router(fabric, "static").route(demand)
    assert static.lost == 0
    alone = make_router(fabric, "rail-only").route(demand)
    assert (alone.delivered, alone.lost, alone.example) == (2.0, 3.0, (1, 5))


# -- constants and words ---------------------------------------------------------------------------


def test_residuals_have_sources_and_can_be_given() -> None:
    # engine-formulas 5.2 and 5.3
    values = {mode: residual(mode).value for mode in MODES}
    assert values == {
        "ecmp": 0.6, "adaptive": 0.95, "mrc": 0.97, "hash": 0.95, "static": 0.95,
        "rail-only": 0.95, "lft": 0.95,
    }  # fmt: skip
    assert residual("ecmp", 4).value == 0.8
    assert residual("hash", 4).value == 0.95
    assert residual("ecmp", given=0.7).value == 0.7
    assert all(residual(mode).source for mode in MODES)
    section = routing_section()
    assert {found.origin for found in section.efficiency.values()} <= set(section.sources)
    with pytest.raises(BadInputError, match="no share"):
        residual("ecmp", given=1.5)


@pytest.mark.parametrize(
    ("mode", "flows", "seeds", "words"),
    [("fast", 1, 100, "no routing"), ("hash", 0, 100, "flows"), ("hash", 1, 10**6, "seeds")],
)
def test_bad_words_are_refused(mode: str, flows: int, seeds: int, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        make_router(leaf_pair(1, 1), mode, flows, seeds)
