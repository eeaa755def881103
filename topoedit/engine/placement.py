"""Which GPU does what: ranks in axis order, and the groups of each axis.

Ranks are numbered like `Fabric.gpus` (site, building, pod, rack, device, index); axes are laid out
innermost first, Megatron's tp-cp-dp-pp by default. Expert groups are carved from the ranks of one
pipeline stage, expert tensor parallelism innermost (Megatron-Core's folding).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Longs
from topoedit.engine.workload.resolve import ResolvedPlan
from topoedit.errors import BadPlanError


@dataclass(frozen=True, slots=True)
class Placement:
    """Ranks of a plan on the GPUs of a fabric.

    Attributes:
        grid: (pp, dp, cp, tp) GPU number of each coordinate.
        tp, cp, dp, pp: (K, n) groups of each axis; `dp` is the data-parallel axis alone.
        shard: (K, n) ranks that share one copy of dense state; replica: the same shard elsewhere;
            secondary: neighbours of a shard group that share a second copy of the weights (ZeRO++).
        ep, etp, expert_dp: (K, n) groups of the experts.
        order: (ranks,) GPU number of each rank, as a placement file or the plan's order says.
        stage: (K,)-arrays by group kind of the pipeline stage of each group, in the same order.
    """

    grid: Longs
    tp: Longs
    cp: Longs
    dp: Longs
    pp: Longs
    shard: Longs
    replica: Longs
    secondary: Longs
    ep: Longs
    etp: Longs
    expert_dp: Longs
    order: Longs

    @property
    def ranks(self) -> Longs:
        """All GPUs in use."""
        return self.grid.reshape(-1)

    def stage_of(self, groups: Longs) -> Longs:
        """Pipeline stage of each group; every kind but `pp` lists stage 0's groups first."""
        stages = self.grid.shape[0]
        return np.repeat(np.arange(stages), len(groups) // stages)


def place(resolved: ResolvedPlan, gpus: int, order: Longs | None = None) -> Placement:
    """Lay a plan on GPUs.

    Args:
        resolved: the plan.
        gpus: GPUs of the fabric.
        order: GPU number of each rank, from a placement file; the fabric's own order if None.

    Raises:
        BadPlanError: `order` names fewer GPUs than the plan needs, one twice, or one too large.
    """
    plan = resolved.plan
    chosen = np.arange(resolved.gpus) if order is None else _checked(order, resolved.gpus, gpus)
    sizes = {"tp": plan.tp, "cp": plan.cp, "dp": resolved.dp, "pp": plan.pp}
    inner_first = plan.rank_order.split("-")
    outer_first = inner_first[::-1]
    cube = chosen.reshape([sizes[axis] for axis in outer_first])
    grid = np.ascontiguousarray(
        cube.transpose([outer_first.index(a) for a in ("pp", "dp", "cp", "tp")])
    )
    stages = _stage_ranks(cube, outer_first)
    etp, ep = resolved.etp, plan.ep
    experts = stages.reshape(plan.pp, resolved.expert_dp, ep, etp)
    data = grid.transpose(0, 3, 1, 2).reshape(plan.pp, plan.tp, -1)  # dp outer, cp inner
    shards = data.reshape(plan.pp, plan.tp, -1, resolved.shard)
    return Placement(
        grid=grid,
        tp=grid.reshape(-1, plan.tp),
        cp=grid.transpose(0, 1, 3, 2).reshape(-1, plan.cp),
        dp=grid.transpose(0, 2, 3, 1).reshape(-1, resolved.dp),
        pp=grid.transpose(1, 2, 3, 0).reshape(-1, plan.pp),
        shard=shards.reshape(-1, resolved.shard),
        replica=shards.transpose(0, 1, 3, 2).reshape(-1, shards.shape[2]),
        secondary=shards.reshape(-1, resolved.secondary or 1),
        ep=experts.transpose(0, 1, 3, 2).reshape(-1, ep),
        etp=experts.reshape(-1, etp),
        expert_dp=experts.transpose(0, 2, 3, 1).reshape(-1, resolved.expert_dp),
        order=chosen,
    )


def _stage_ranks(cube: Longs, outer_first: list[str]) -> Longs:
    """(pp, tp x cp x dp) ranks of each stage in the plan's own order of the other axes."""
    moved = np.moveaxis(cube, outer_first.index("pp"), 0)
    return np.ascontiguousarray(moved).reshape(moved.shape[0], -1)


def _checked(order: Longs, needed: int, gpus: int) -> Longs:
    if len(order) < needed:
        raise BadPlanError(
            f"the placement names {len(order)} GPUs, the plan needs {needed}", "--placement"
        )
    chosen = np.asarray(order[:needed], dtype=np.int64)
    if chosen.min() < 0 or chosen.max() >= gpus:
        raise BadPlanError(
            f"the placement names a GPU beyond the {gpus} of the drawing", "--placement"
        )
    if len(np.unique(chosen)) < needed:
        raise BadPlanError("the placement names a GPU twice", "--placement")
    return chosen
