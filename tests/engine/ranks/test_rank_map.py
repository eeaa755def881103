"""Coordinates and groups of ranks: Megatron's order by hand, and the placement as an oracle."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topoedit import paths
from topoedit.app.analyse import analyse_fabric, subject_of
from topoedit.app.open import open_document
from topoedit.app.packing import pack_ranks, unpack_ranks
from topoedit.app.rank_placement import links_of_group, ranks_on
from topoedit.catalog.load import load_catalog
from topoedit.engine.compile import compile_fabric
from topoedit.engine.group_links import group_bytes
from topoedit.engine.rank_map import RankMap
from topoedit.errors import BadInputError
from topoedit.model.plan import Plan, Workload

LLAMA, MIXTRAL = "llama-3.1-70b", "mixtral-8x7b"


@lru_cache(maxsize=1)
def _pod() -> Any:
    opened = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog(user=False))
    return compile_fabric(opened.document), opened.document.catalog


def mapped(model: str = LLAMA, **plan: Any) -> RankMap:
    fabric, catalog = _pod()
    return ranks_on(fabric, Workload(model=model, plan=Plan(**plan)), catalog)


def test_coordinates_by_hand() -> None:
    """tp 2, cp 2, pp 4 on 64 GPUs: dp 4; 17 = tp 1 + 2 (cp 0) + 4 (dp 0) + 16 (pp 1)."""
    found = mapped(tp=2, cp=2, pp=4)
    assert found.ranks == found.gpus == 64
    assert found.grid.shape == (4, 4, 2, 2)
    assert found.coordinates[17].tolist() == [1, 0, 0, 1]
    assert found.places(17) == {"TP": 1, "CP": 0, "DP": 0, "PP": 1}
    assert found.device_of(17) == ("node-03", 1)
    groups = {kind: ranks.tolist() for kind, ranks in found.groups(17).items()}
    assert groups == {
        "TP": [16, 17],
        "CP": [17, 19],
        "PP": [1, 17, 33, 49],
        "DP": [17, 19, 21, 23, 25, 27, 29, 31],  # cp inside dp: all that hold its weights
    }


def test_experts_and_idle_gpus() -> None:
    found = mapped(MIXTRAL, tp=1, pp=4, ep=8, dp=8)
    assert found.ranks == 32
    assert found.groups(9)["EP"].tolist() == list(range(8, 16))
    assert found.places(9)["EP"] == 1
    assert found.ranks_on("node-02").tolist() == list(range(8, 16))
    assert found.ranks_on("node-05").tolist() == [-1] * 8
    assert found.ranks_on("leaf-1").tolist() == []


def test_another_order_of_axes_moves_the_groups() -> None:
    found = mapped(tp=2, pp=4, rank_order="pp-tp-cp-dp")
    assert found.groups(5)["PP"].tolist() == [4, 5, 6, 7]
    assert found.groups(5)["TP"].tolist() == [1, 5]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4]),
    st.sampled_from(["tp-cp-dp-pp", "tp-pp-cp-dp", "dp-tp-cp-pp"]), st.integers(0, 63),
)  # fmt: skip
def test_groups_are_those_of_the_placement(
    tp: int, cp: int, pp: int, order: str, rank: int
) -> None:
    fabric, catalog = _pod()
    plan = Plan(tp=tp, cp=cp, pp=pp, rank_order=order)
    placement = subject_of(fabric, Workload(model=LLAMA, plan=plan), catalog).job.placement
    found = mapped(tp=tp, cp=cp, pp=pp, rank_order=order)
    for kind, groups in (("TP", placement.tp), ("CP", placement.cp), ("PP", placement.pp)):
        own = groups[(groups == found.gpu_of_rank[rank]).any(axis=1)][0]
        assert sorted(found.gpu_of_rank[found.group(kind, rank)]) == sorted(own)
    assert set(found.group("DP", rank)) >= set(found.group("CP", rank))
    assert found.rank_of_gpu[found.gpu_of_rank].tolist() == list(range(found.ranks))


def test_a_map_survives_the_pipe() -> None:
    made = mapped(MIXTRAL, tp=1, pp=4, ep=8)
    again = unpack_ranks(pack_ranks(made))
    assert again.devices == made.devices
    for name in ("counts", "gpu_of_rank", "grid", "experts"):
        assert np.array_equal(getattr(again, name), getattr(made, name)), name


@pytest.mark.parametrize(
    ("model", "plan"),
    [(LLAMA, {"tp": 2, "cp": 2, "pp": 4}), (MIXTRAL, {"tp": 1, "pp": 4, "ep": 8}),
     (LLAMA, {"tp": 4, "pp": 2, "zero": 3, "hsdp": 4})],
    ids=str,
)  # fmt: skip
def test_all_groups_together_carry_the_traffic_of_the_analysis(
    model: str, plan: dict[str, Any]
) -> None:
    """Each group routed alone, added up over one member of each: the class's bytes again."""
    fabric, catalog = _pod()
    workload = Workload(model=model, plan=Plan(**plan))
    figures = analyse_fabric(fabric, workload, catalog).figures
    subject = subject_of(fabric, workload, catalog)
    placement = subject.job.placement
    groups = {"tp": placement.tp, "cp": placement.cp, "pp": placement.pp, "ep": placement.ep}
    for axis, some in groups.items():
        if axis.upper() not in figures.classes:
            assert not sum(group_bytes(subject, axis, int(g[0])).sum() for g in some)
            continue
        total = sum(group_bytes(subject, axis, int(group[0])) for group in some)
        assert total == pytest.approx(figures.bytes[figures.classes.index(axis.upper())])


def test_links_of_a_group() -> None:
    fabric, catalog = _pod()
    workload = Workload(model=LLAMA, plan=Plan(tp=2, cp=2, pp=4))
    tp = links_of_group(fabric, workload, catalog, "TP", 17)
    assert tp == ("node-03/nvlink/gpu0", "node-03/nvlink/gpu1")
    pp = links_of_group(fabric, workload, catalog, "PP", 17)
    assert [link for link in pp if "/" not in link] == [
        "link-c18", "link-c2", "link-c34", "link-c50",
    ]  # fmt: skip
    with pytest.raises(BadInputError, match="there is no rank 64"):
        links_of_group(fabric, workload, catalog, "TP", 64)
