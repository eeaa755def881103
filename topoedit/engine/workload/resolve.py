"""A plan made whole for a model and a cluster: defaults filled in, impossible plans refused."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine.step.constants import Stack, releases_of, stack_named
from topoedit.engine.workload.arrays import ContextKind, Recomputation, ScheduleKind
from topoedit.engine.workload.checks import check_plan, check_tiling, divisors
from topoedit.errors import BadPlanError
from topoedit.model.analysis import Assumption
from topoedit.model.plan import Plan

DEFAULT_SEQUENCE = 8192
BATCHES_PER_STAGE = 4
_PRODUCT = "default of this program"


@dataclass(frozen=True, slots=True)
class ResolvedPlan:
    """A plan without open choices.

    Attributes:
        plan: the plan with every None replaced by its value (except `placement` and `release`).
        stack: what the software stack does.
        gpus: GPUs it uses; idle: GPUs it leaves.
        micro_batches: micro-batches of a step on one pipeline.
        expert_dp: replicas of each expert.
        secondary: with ZeRO++, ranks of a server that share a second copy of the weights, else 0.
        assumptions: what was filled in, and why.
        warnings: what a reader should know.
    """

    plan: Plan
    dp: int
    global_batch: int
    seq_len: int
    etp: int
    sequence_parallel: bool
    grad_bytes: int
    shard: int
    stack: Stack
    gpus: int
    idle: int
    micro_batches: int
    expert_dp: int
    secondary: int
    assumptions: tuple[Assumption, ...]
    warnings: tuple[str, ...]


def resolve_plan(
    plan: Plan,
    llm: Llm,
    gpus: int,
    *,
    chip: Accelerator | None = None,
    network: str = "",
    domain: int = 8,
) -> ResolvedPlan:
    """Fill in the defaults of a plan and check that it can exist.

    Args:
        plan: what a person chose.
        llm: the model.
        gpus: GPUs of the drawing.
        chip: their accelerator, for the precisions it has.
        network: "InfiniBand", "Ethernet" or "", for the default of `routing`.
        domain: GPUs of a scale-up domain, for the second copy that ZeRO++ keeps there.

    Raises:
        BadPlanError: the plan cannot exist here; the line names the numbers and the nearest
            values that would work.
    """
    check_plan(plan, llm, gpus, chip)
    notes: list[Assumption] = []
    warnings: list[str] = []
    stack = stack_named(plan.stack, plan.release)
    seq_len = _sequence(plan, llm, notes, warnings)
    dp, global_batch = _batch(plan, gpus, notes, warnings)
    whole = _filled(plan, stack, network, dp=dp, global_batch=global_batch, seq_len=seq_len)
    check_tiling(whole, llm, gpus)
    used = plan.tp * plan.cp * plan.pp * dp
    warnings += _remarks(plan, llm, used, gpus)
    if plan.release and plan.release not in releases_of(plan.stack):
        known = ", ".join(releases_of(plan.stack)) or "none"
        warnings.append(
            f'stack {plan.stack} has no constants of release "{plan.release}" (known: {known}); '
            "those of the stack stand in"
        )
    notes += _choices(plan, whole, stack, network)
    return ResolvedPlan(
        plan=whole,
        dp=dp,
        global_batch=global_batch,
        seq_len=seq_len,
        etp=whole.etp or 1,
        sequence_parallel=bool(whole.sequence_parallel),
        grad_bytes=2 if whole.grad_dtype == "bf16" else 4,
        shard=plan.hsdp or dp * plan.cp,
        stack=stack,
        gpus=used,
        idle=gpus - used,
        micro_batches=global_batch // (plan.micro_batch * dp),
        expert_dp=max(1, plan.tp * plan.cp * dp // (plan.ep * (whole.etp or 1))),
        secondary=_secondary(plan, plan.hsdp or dp * plan.cp, domain),
        assumptions=tuple(notes),
        warnings=tuple(warnings),
    )


def _filled(plan: Plan, stack: Stack, network: str, **sizes: int) -> Plan:
    """The plan with every None replaced."""
    sp = plan.sequence_parallel
    return replace(
        plan,
        etp=plan.etp or 1,
        sequence_parallel=plan.tp > 1 if sp is None else sp,
        grad_dtype=plan.grad_dtype or ("bf16" if stack.grad_dtype == "bf16" else "fp32"),
        routing=plan.routing or ("ecmp" if network == "Ethernet" else "adaptive"),
        **sizes,
    )


def _secondary(plan: Plan, shard: int, domain: int) -> int:
    """Ranks of a shard group in one scale-up domain, if ZeRO++ keeps a second copy there."""
    if not plan.zero_plus_plus:
        return 0
    return max(d for d in divisors(shard) if d <= max(domain // plan.tp, 1))


def expert_kind(plan: Plan) -> str:
    """How tokens go to their experts: `direct` or `two-stage`."""
    asked = plan.algorithms.get("EP", "auto")
    return plan.ep_kind if asked == "auto" else asked


def _remarks(plan: Plan, llm: Llm, used: int, gpus: int) -> list[str]:
    out = []
    keys = max(llm.kv_heads // plan.tp, 1)
    if plan.cp_kind == "ulysses" and plan.cp > keys:
        out.append(
            f"Ulysses over {plan.cp} ranks repeats keys and values: a tensor-parallel rank has "
            f"{keys} KV heads"
        )
    if plan.stack.startswith("fsdp") and plan.zero < 2:
        out.append(f"stack {plan.stack} usually goes with zero 3, not {plan.zero}")
    if not llm.experts:
        idle = {"ep-nodes": plan.ep_nodes, "expert-imbalance": plan.expert_imbalance}
        out += [
            f"{name} {value:g} has no effect: {llm.id} has no experts"
            for name, value in idle.items()
            if value not in (None, 1.0)
        ]
    if used < gpus:
        out.append(f"{gpus - used} of {gpus} GPUs are idle")
    return out


def _choices(plan: Plan, whole: Plan, stack: Stack, network: str) -> list[Assumption]:
    """What was chosen for routing and gradients where the person left it open."""
    out = []
    if plan.routing is None:
        where = network or "a network of unknown kind"
        out.append(Assumption(f"routing {whole.routing} on {where}", _PRODUCT))
    if plan.zero_plus_plus:
        out.append(
            Assumption(
                "ZeRO++ gathers weights as int8, backward only inside the server, and reduces "
                "gradients as int4; the time of quantising is not counted",
                "Wang et al. 2023, ZeRO++ (arXiv 2306.10209)",
            )
        )
    if plan.grad_dtype is None:
        source = f"stack {plan.stack}: {stack.title}"
        out.append(Assumption(f"gradients travel as {whole.grad_dtype}", source))
    return out


def _sequence(plan: Plan, llm: Llm, notes: list[Assumption], warnings: list[str]) -> int:
    if plan.seq_len is not None:
        if llm.context is not None and plan.seq_len > llm.context:
            warnings.append(
                f"a sequence of {plan.seq_len} tokens is longer than the model's context of "
                f"{llm.context}"
            )
        return plan.seq_len
    length = min(DEFAULT_SEQUENCE, llm.context or DEFAULT_SEQUENCE)
    notes.append(
        Assumption(
            f"sequence of {length} tokens", f"{_PRODUCT}: the smaller of 8192 and the context"
        )
    )
    return length


def _batch(
    plan: Plan, gpus: int, notes: list[Assumption], warnings: list[str]
) -> tuple[int, int]:  # fmt: skip
    """Data-parallel size and global batch; without --dp a small batch leaves ranks idle."""
    room = gpus // (plan.tp * plan.cp * plan.pp)
    dp = plan.dp or room
    if plan.global_batch is None:
        batch = BATCHES_PER_STAGE * plan.pp * dp * plan.micro_batch
        notes.append(
            Assumption(
                f"global batch of {batch} sequences",
                f"{_PRODUCT}: 4 x pp {plan.pp} x dp {dp} x micro-batch {plan.micro_batch}",
            )
        )
        return dp, batch
    pieces = plan.global_batch // plan.micro_batch
    if plan.dp is None and pieces < dp:
        warnings.append(
            f"a global batch of {plan.global_batch} sequences feeds {pieces} of {dp} "
            "data-parallel ranks"
        )
        return pieces, plan.global_batch
    return dp, plan.global_batch


_RECOMPUTE = {
    "none": Recomputation.NONE,
    "selective": Recomputation.SELECTIVE,
    "full": Recomputation.FULL,
}
_SCHEDULES = {
    "afab": ScheduleKind.AFAB,
    "1f1b": ScheduleKind.ONE_F_ONE_B,
    "zb": ScheduleKind.ZERO_BUBBLE,
    "dualpipe": ScheduleKind.DUALPIPE,
}
_CP_KINDS = {
    "ring": ContextKind.RING,
    "ulysses": ContextKind.ULYSSES,
    "allgather": ContextKind.ALLGATHER,
}
BITS = {"bf16": 16, "fp16": 16, "fp8": 8, "mxfp8": 8, "nvfp4": 4}


def plan_row(resolved: ResolvedPlan) -> dict[str, float | bool]:
    """The fields of `Plans` for a resolved plan."""
    plan, stack = resolved.plan, resolved.stack
    recompute = _RECOMPUTE.get(plan.recompute)
    if recompute is None:
        raise BadPlanError(f'unknown recompute "{plan.recompute}"', "--recompute")
    if recompute is Recomputation.SELECTIVE and stack.per_op:
        recompute = Recomputation.PER_OP
    return {
        "seq": resolved.seq_len,
        "global_batch": resolved.global_batch,
        "micro_batch": plan.micro_batch,
        "tp": plan.tp,
        "pp": plan.pp,
        "vpp": plan.vpp,
        "cp": plan.cp,
        "dp": resolved.dp,
        "ep": plan.ep,
        "etp": resolved.etp,
        "zero": plan.zero,
        "shard": resolved.shard,
        "recompute": recompute,
        "bits": BITS[plan.precision],
        "block_scaled": plan.precision == "mxfp8",
        "sp": resolved.sequence_parallel,
        "flash": stack.attention != "unfused",
        "fused": stack.fused,
        "fused_experts": stack.fused_experts,
        "dropout": stack.dropout,
        "early_stop": stack.early_stop,
        "tp_overlap": stack.tp_overlap,
        "tp_copy": stack.tp_copy,
        "dp_overlap": stack.dp_overlap,
        "pp_overlap": stack.pp_overlap,
        "grad_bytes": resolved.grad_bytes,
        "fp8_gather": False,
        "one_nic": stack.one_nic,
        "schedule": _SCHEDULES[plan.schedule],
        "cp_kind": _CP_KINDS[plan.cp_kind],
        "imbalance": plan.expert_imbalance,
        "ep_direct": expert_kind(plan) == "direct",
        "ep_nodes": plan.ep_nodes or 0,
        "secondary": resolved.secondary,
    }
