"""The traffic matrix: nothing lost, nothing made up, whatever the rows are."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topoedit import paths
from topoedit.app.analyse import analyse_fabric, subject_of
from topoedit.app.answers import answer
from topoedit.app.collective import Request, parse_sweep, sweep_on
from topoedit.app.figure_records import AXES, RankMatrix
from topoedit.app.figure_records import Sweep as FoundSweep
from topoedit.app.mirror import Mirror
from topoedit.app.open import open_document
from topoedit.app.protocol import (
    SWEEP_SIZES,
    AnyQuestion,
    Ask,
    Charts,
    Matrix,
    Sweep,
    decode_to_worker,
    encode,
)
from topoedit.app.rank_matrix import Window, rank_matrix
from topoedit.catalog.load import load_catalog
from topoedit.engine.analyse import Result, step_exchanges
from topoedit.engine.compile import compile_fabric
from topoedit.engine.rank_traffic import block_bytes, rank_traffic
from topoedit.engine.types import AllToAll, Demand, Fabric, Flows, InNetwork
from topoedit.errors import BadInputError, CancelledError, TopoeditError
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload

PLANS = (
    ("llama3-8b", {"tp": 8}),
    ("llama3-8b", {"tp": 8, "pp": 2, "recompute": "full"}),
    ("llama3-8b", {"tp": 2, "pp": 2, "vpp": 2, "cp": 2, "micro_batch": 2}),
    ("llama3-8b", {"tp": 1, "zero": 3, "stack": "fsdp-compile", "recompute": "selective"}),
    ("llama3-8b", {"tp": 4, "ring_order": "random"}),
    ("llama3-8b", {"tp": 4, "rank_order": "dp-tp-cp-pp"}),
    ("llama3-8b", {"tp": 8, "sequence_parallel": False, "algorithms": {"TP": "nvls"}}),
    ("mixtral-8x7b", {"tp": 2, "ep": 4}),
    ("mixtral-8x7b", {"pp": 2, "ep": 4, "cp": 2}),
    ("mixtral-8x7b", {"tp": 2, "ep": 2, "etp": 2, "zero": 3}),
)


@lru_cache(maxsize=2)
def drawing(name: str = "pod64-h100") -> tuple[Document, Fabric]:
    document = open_document(paths.samples() / f"{name}.topo.json", load_catalog()).document
    return document, compile_fabric(document)


def plan_of(model: str, fields: dict[str, object]) -> Workload:
    return Workload(model=model, plan=msgspec.convert(fields, Plan))


def dense(found: RankMatrix) -> dict[str, np.ndarray]:
    made = {}
    for one in found.cells:
        total = np.zeros(len(found.rows) * len(found.columns))
        total[np.frombuffer(one.places, np.int32)] = np.frombuffer(one.values, np.float32)
        made[one.class_] = total.reshape(len(found.rows), -1)
    return made


def pairs(demands: tuple[Demand, ...]) -> Counter[tuple[int, int]]:
    """Slow and obvious: every pair of GPUs on its own."""
    found: Counter[tuple[int, int]] = Counter()
    for one in demands:
        if isinstance(one, Flows):
            for a, b, sent in zip(one.src, one.dst, one.bytes, strict=True):
                found[int(a), int(b)] += sent
            continue
        each = one.pair_bytes if isinstance(one, AllToAll) else one.up / (one.groups.shape[1] - 1)
        for group in one.groups.tolist():
            for a in group:
                for b in group:
                    if a != b:
                        found[a, b] += each
    return found


@pytest.mark.parametrize(("model", "fields"), PLANS, ids=str)
def test_every_pair_is_counted_as_a_plain_loop_counts_it(
    model: str, fields: dict[str, object]
) -> None:
    document, fabric = drawing()
    workload = plan_of(model, fields)
    found = dense(rank_matrix(document, fabric, workload, Window()))
    subject = subject_of(fabric, workload, document.catalog)
    expected: dict[str, np.ndarray] = {}
    for sent in rank_traffic(
        subject.job, step_exchanges(subject.job, subject.resolved, subject.case)
    ):
        total = expected.setdefault(sent.class_, np.zeros((64, 64)))
        for (a, b), value in pairs(sent.demands).items():
            total[a, b] += value
    assert set(found) == {name for name, total in expected.items() if total.any()}
    for name, total in found.items():
        assert total == pytest.approx(expected[name], rel=1e-6)
        assert not total.diagonal().any()


@pytest.mark.parametrize(("model", "fields"), PLANS[:6], ids=str)
def test_rows_add_up_to_what_the_engine_says_a_gpu_sends(
    model: str, fields: dict[str, object]
) -> None:
    """`communication[].bytes_per_gpu` is that of the busiest stage; every stage: calls x sent."""
    document, fabric = drawing()
    workload = plan_of(model, fields)
    result = analyse_fabric(fabric, workload, document.catalog)
    matrix = rank_matrix(document, fabric, workload, Window())
    found = dense(matrix)
    stage = np.array([band.coordinates[AXES.index("pp")][0] for band in matrix.rows])
    by_stage: dict[str, np.ndarray] = {}
    for row in result.findings.timing.rows:
        total = by_stage.setdefault(row.routed.class_, np.zeros(int(stage.max()) + 1))
        total += np.broadcast_to(row.exchange.calls * row.exchange.sent, total.shape)
    for name, total in found.items():
        assert total.sum(axis=1) == pytest.approx(by_stage[name][stage], rel=1e-5), name
    if stage.max() == 0:
        for name, total in found.items():
            said = sum(c.bytes_per_gpu for c in result.analysis.communication if c.class_ == name)
            assert total.sum(axis=1) == pytest.approx(said, rel=1e-5)


def test_experts_count_the_copies_on_the_rails_besides() -> None:
    """Two stages: one copy to each other server on its rail, k copies inside (DeepSeek-V3 2024)."""
    document, fabric = drawing()
    workload = plan_of("deepseek-v3", {"tp": 1, "ep": 16})
    result = analyse_fabric(fabric, workload, document.catalog)
    sent = sum(
        row.exchange.calls.max() * (row.exchange.sent + row.exchange.network)
        for row in result.findings.timing.rows
        if row.exchange.part == "experts" and row.exchange.class_ == "EP"
    )
    total = dense(rank_matrix(document, fabric, workload, Window()))["EP"]
    assert total.sum(axis=1) == pytest.approx(sent, rel=1e-5)
    assert total[0, 8] > 0
    assert not total[0, 9:16].any()


def summed(total: np.ndarray, found: RankMatrix) -> np.ndarray:
    """A matrix of GPUs put together as the bands of another say."""
    rows = np.add.reduceat(total, [band.first for band in found.rows], axis=0)
    return np.add.reduceat(rows, [band.first for band in found.columns], axis=1)


@pytest.mark.parametrize(("model", "fields"), PLANS, ids=str)
def test_blocks_are_sums_of_their_gpus(model: str, fields: dict[str, object]) -> None:
    document, fabric = drawing()
    workload = plan_of(model, fields)
    single = dense(rank_matrix(document, fabric, workload, Window()))
    servers = rank_matrix(document, fabric, workload, Window(), most=8)
    assert servers.row_level == "server"
    assert [band.name for band in servers.rows[:2]] == ["node-01", "node-02"]
    for name, total in dense(servers).items():
        assert total == pytest.approx(summed(single[name], servers), rel=1e-5)


def test_too_many_servers_are_merged_or_shown_by_group() -> None:
    document, fabric = drawing()
    workload = plan_of("llama3-8b", {"tp": 8})
    found = rank_matrix(document, fabric, workload, Window(), most=3)
    assert len(found.rows) <= 3
    assert sum(band.count for band in found.rows) == found.gpus == 64
    single = dense(rank_matrix(document, fabric, workload, Window()))
    for name, total in dense(found).items():
        assert total == pytest.approx(summed(single[name], found), rel=1e-5)


def test_a_window_is_a_part_of_the_whole() -> None:
    document, fabric = drawing()
    workload = plan_of("llama3-8b", {"tp": 4})
    whole = dense(rank_matrix(document, fabric, workload, Window()))
    part = rank_matrix(document, fabric, workload, Window((8, 16), (0, 24)))
    assert (len(part.rows), len(part.columns)) == (8, 24)
    assert part.rows[0].name == "node-02/gpu0"
    for name, total in dense(part).items():
        assert total == pytest.approx(whole[name][8:16, :24])
    with pytest.raises(BadInputError, match="no GPUs 60 to 64"):
        rank_matrix(document, fabric, workload, Window((60, 65), None))


def test_bands_say_rank_and_place_on_every_axis() -> None:
    """tp-cp-dp-pp: rank 19 of TP 4, PP 2 on 64 GPUs is TP 3, DP 4, PP 0 (19 = 4 x 4 + 3)."""
    document, fabric = drawing()
    found = rank_matrix(document, fabric, plan_of("llama3-8b", {"tp": 4, "pp": 2}), Window())
    band = found.rows[19]
    assert (band.name, band.end, band.elements) == ("node-03/gpu3", "node-03/gpu3", ("node-03",))
    assert band.ranks == (19, 19)
    assert dict(zip(AXES, band.coordinates, strict=True)) == {
        "tp": (3, 3), "cp": (0, 0), "ep": (0, 0), "dp": (4, 4), "pp": (0, 0),
    }  # fmt: skip
    assert found.sizes == (4, 1, 1, 8, 2)


def test_idle_gpus_have_no_rank() -> None:
    document, fabric = drawing()
    found = rank_matrix(document, fabric, plan_of("llama3-8b", {"tp": 8, "dp": 2}), Window())
    assert found.rows[16].ranks == (-1, -1)
    assert found.rows[16].coordinates == ()
    assert not any(total[16:].any() for total in dense(found).values())


def test_reductions_in_the_switch_are_said_to_be_spread() -> None:
    document, fabric = drawing()
    found = rank_matrix(document, fabric, plan_of(*PLANS[6]), Window())
    assert found.notes == (
        "TP: what is reduced in the scale-up switch is spread evenly over the group",
    )


def test_the_worker_answers_with_the_same_matrix() -> None:
    document, fabric = drawing()
    workload = plan_of("llama3-8b", {"tp": 8, "pp": 2})
    mirror = Mirror(document.catalog, document.revision, tuple(document.elements()), "")
    body = answer(Matrix(workload, (0, 8), None), mirror, None, lambda: False)
    found = msgspec.msgpack.decode(body, type=RankMatrix)
    assert found == rank_matrix(document, fabric, workload, Window((0, 8), None))
    with pytest.raises(CancelledError):
        answer(Matrix(workload), mirror, None, lambda: True)
    with pytest.raises(TopoeditError):
        answer(Matrix(plan_of("llama3-8b", {"tp": 3})), mirror, None, lambda: False)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_large_groups_are_counted_as_small_ones(data: st.DataObject) -> None:
    """Groups beyond 48 members go by counting; the oracle goes pair by pair."""
    gpus = data.draw(st.integers(50, 130))
    order = np.array(data.draw(st.permutations(range(gpus))), dtype=np.int64)
    size = data.draw(st.integers(2, gpus))
    groups = order[: gpus // size * size].reshape(-1, size)
    rows = np.array(data.draw(st.lists(st.integers(-1, 4), min_size=gpus, max_size=gpus)))
    columns = np.array(data.draw(st.lists(st.integers(-1, 6), min_size=gpus, max_size=gpus)))
    demand: Demand = data.draw(
        st.sampled_from([AllToAll(groups, 3.5), InNetwork(groups, 8.0, 8.0)])
    )
    expected = np.zeros((5, 7))
    for (a, b), sent in pairs((demand,)).items():
        if rows[a] >= 0 and columns[b] >= 0:
            expected[rows[a], columns[b]] += sent
    assert block_bytes([demand], rows, columns, (5, 7)) == pytest.approx(expected)


def test_memory_and_loads_for_charts_are_those_of_the_analysis() -> None:
    from topoedit.app.chart_figures import chart_figures
    from topoedit.app.figure_records import MEMORY_KINDS

    document, fabric = drawing()
    result: Result = analyse_fabric(
        fabric, plan_of("llama3-8b", {"tp": 8, "pp": 2}), document.catalog
    )
    found = chart_figures(result)
    memory = result.analysis.memory
    worst = found.stages[memory.stage]
    for kind, value in zip(MEMORY_KINDS, worst.kinds, strict=True):
        assert value == pytest.approx(getattr(memory, f"{kind}_bytes"))
    assert sum(worst.kinds) == max(sum(stage.kinds) for stage in found.stages)
    assert found.capacity_bytes == memory.capacity_bytes
    for tier in found.tiers:
        edges = np.array([name == tier.tier for name in np.array(TIERS)[fabric.tier]])
        demand = result.figures.demand[edges]
        assert sum(tier.counts) + tier.unknown + tier.failed == edges.sum()
        assert tier.counts[10] == (demand > 1).sum()
        assert tier.counts[0] == (demand < 0.1).sum()
        assert tier.idle == (demand == 0).sum()


TIERS = (
    "scale-up", "host-leaf", "leaf-spine", "spine-core", "between-sites", "host-bus", "other",
)  # fmt: skip


def test_a_sweep_makes_way_for_an_analysis() -> None:
    document, _ = drawing()
    mirror = Mirror(document.catalog, document.revision, tuple(document.elements()), "")
    asked = iter([False, False, True])
    with pytest.raises(CancelledError):
        answer(Sweep(("all_reduce",)), mirror, None, lambda: next(asked))
    body = answer(Sweep(("all_reduce", "all_to_all")), mirror, None, lambda: False)
    found = msgspec.msgpack.decode(body, type=tuple[FoundSweep, ...])
    assert [(one.op, len(one.rows), one.ranks) for one in found] == [
        ("all_reduce", 32, 64), ("all_to_all", 32, 64),
    ]  # fmt: skip
    assert found[0] == sweep_on(mirror.fabric(), Request("all_reduce", 0), parse_sweep(SWEEP_SIZES))


@pytest.mark.parametrize(
    "question",
    [
        Charts(),
        Sweep(("all_reduce",), plan_of("llama3-8b", {"tp": 8})),
        Matrix(plan_of("llama3-8b", {"tp": 8}), (0, 8), None),
    ],
    ids=lambda q: type(q).__name__,
)
def test_questions_go_over_the_pipe_whole(question: AnyQuestion) -> None:
    asked = Ask(1, 2, 3, question)
    assert decode_to_worker(encode(asked)) == asked
