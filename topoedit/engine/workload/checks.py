"""Which plans can exist: each refusal names the numbers and the nearest values that would work."""

from __future__ import annotations

from collections.abc import Iterable

from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine.routing.modes import MOST_FLOWS, MOST_SEEDS
from topoedit.errors import BadPlanError
from topoedit.model.plan import Plan, Precision, choices

_LARGEST = 10**7
_COUNTS = (
    "tp",
    "cp",
    "pp",
    "vpp",
    "dp",
    "ep",
    "etp",
    "ep_nodes",
    "hsdp",
    "micro_batch",
    "global_batch",
    "seq_len",
)
_AXES = ("tp", "cp", "dp", "pp")


def check_plan(plan: Plan, llm: Llm, gpus: int, chip: Accelerator | None) -> None:
    """Everything that can be judged before defaults are filled in."""
    _check_counts(plan)
    if gpus < 1:
        raise BadPlanError(
            "the drawing has no GPUs to train on",
            mend="Place a server, or give hosts a server type",
        )
    _check_order(plan)
    _check_draws(plan)
    if llm.heads % plan.tp:
        _refuse(
            "tp", plan.tp, f"does not divide the {llm.heads} heads of {llm.id}", divisors(llm.heads)
        )
    _check_pipeline(plan, llm)
    _check_experts(plan, llm)
    _check_precision(plan, chip)
    _check_room(plan, gpus)
    _check_batch(plan)


def check_tiling(plan: Plan, llm: Llm, gpus: int) -> None:
    """What needs the filled-in values: the sequence, the batch, experts and shards on the ranks."""
    seq, dp = plan.seq_len or 1, plan.dp or 1
    if seq % plan.cp:
        _refuse("cp", plan.cp, f"does not divide the sequence of {seq} tokens", divisors(seq))
    if plan.sequence_parallel and (seq // plan.cp) % plan.tp:
        _refuse(
            "tp", plan.tp,
            f"does not divide the {seq // plan.cp} tokens of a context-parallel rank",
            [d for d in divisors(seq // plan.cp) if llm.heads % d == 0],
        )  # fmt: skip
    heads = llm.heads // plan.tp
    if plan.cp_kind == "ulysses" and heads % plan.cp:
        _refuse(
            "cp", plan.cp, f"with Ulysses does not divide the {heads} heads of a TP rank",
            divisors(heads),
        )  # fmt: skip
    batch, piece = plan.global_batch or 1, plan.micro_batch * dp
    if batch % piece:
        below, above = batch // piece * piece, -(-batch // piece) * piece
        near = [n for n in (below, above) if n > 0]
        raise BadPlanError(
            f"global batch {batch} is no multiple of micro-batch {plan.micro_batch} x dp {dp} "
            f"= {piece}",
            "--global-batch",
            f"Nearest: {_words(near)}",
        )
    ranks, experts = plan.tp * plan.cp * dp, plan.ep * (plan.etp or 1)
    if ranks % experts:
        _refuse(
            "ep", plan.ep,
            f"x etp {plan.etp or 1} does not divide the {ranks} ranks of a stage (tp x cp x dp)",
            [d for d in divisors(ranks // (plan.etp or 1)) if (llm.experts or 0) % d == 0],
        )  # fmt: skip
    _check_shards(plan, dp)


def _check_shards(plan: Plan, dp: int) -> None:
    replicas = dp * plan.cp
    if plan.hsdp is None:
        return
    if plan.zero < 2:
        raise BadPlanError(
            f"hsdp needs sharded state, not zero {plan.zero}", "--hsdp", "Use --zero 3"
        )
    if replicas % plan.hsdp:
        _refuse("hsdp", plan.hsdp, f"does not divide dp x cp = {replicas}", divisors(replicas))


def _check_counts(plan: Plan) -> None:
    for name in _COUNTS:
        value = getattr(plan, name)
        if value is not None and not 1 <= value <= _LARGEST:
            raise BadPlanError(
                f"{name.replace('_', '-')} must lie between 1 and {_LARGEST}, not {value}",
                f"--{name.replace('_', '-')}",
                f"The nearest value is {1 if value < 1 else _LARGEST}",
            )
    if plan.zero not in (0, 1, 2, 3):
        nearest = min(max(plan.zero, 0), 3)
        raise BadPlanError(
            f"zero must be 0, 1, 2 or 3, not {plan.zero}", "--zero", f"The nearest is {nearest}"
        )
    if plan.zero_plus_plus and plan.zero != 3:
        raise BadPlanError(
            f"ZeRO++ needs sharded weights, not zero {plan.zero}",
            "--zero-plus-plus",
            "Use --zero 3",
        )
    if plan.zero_plus_plus and plan.hsdp is not None:
        raise BadPlanError(
            f"ZeRO++ keeps a second copy in each server itself, so it does not go with hsdp "
            f"{plan.hsdp}",
            "--zero-plus-plus",
            "Leave out one of them",
        )
    if not 1.0 <= plan.expert_imbalance <= 100.0:
        raise BadPlanError(
            f"expert imbalance must lie between 1.0 (balanced) and 100, not "
            f"{plan.expert_imbalance:g}",
            "--expert-imbalance",
            f"The nearest value is {100 if plan.expert_imbalance > 100 else 1.0}",
        )


def _check_draws(plan: Plan) -> None:
    """Numbers of hashed routing, which a plan carries whatever its routing mode."""
    for name, most in (("flows_per_connection", MOST_FLOWS), ("seeds", MOST_SEEDS)):
        value, option = getattr(plan, name), name.replace("_", "-")
        if not 1 <= value <= most:
            raise BadPlanError(
                f"{option} must lie between 1 and {most}, not {value}",
                f"--{option}",
                f"The nearest value is {1 if value < 1 else most}",
            )


def _check_order(plan: Plan) -> None:
    if sorted(plan.rank_order.split("-")) != sorted(_AXES):
        raise BadPlanError(
            f'"{plan.rank_order}" does not name tp, cp, dp and pp once each',
            "--rank-order",
            "The default is tp-cp-dp-pp",
        )


def _check_pipeline(plan: Plan, llm: Llm) -> None:
    layers, chunks = llm.layers, plan.pp * plan.vpp
    usable = [p for p in range(1, layers + 1) if layers - (p - 1) * -(-layers // p) > 0]
    balanced = layers % chunks and (layers + 2) % chunks == 0
    if plan.pp not in usable and not balanced:
        _refuse("pp", plan.pp, f"leaves a stage without any of the {layers} layers", usable)
    if plan.vpp == 1:
        return
    if plan.pp == 1:
        raise BadPlanError(
            f"vpp {plan.vpp} needs a pipeline", "--vpp", "Use --pp 2 or more, or vpp 1"
        )
    if plan.schedule != "1f1b":
        raise BadPlanError(
            f"vpp {plan.vpp} goes with the schedule 1f1b, not {plan.schedule}", "--vpp", "Use vpp 1"
        )
    if layers % chunks and not balanced:
        fits = [v for v in range(1, layers + 1) if v == 1 or _tiles(layers, plan.pp * v)]
        why = f"x pp {plan.pp} = {chunks} chunks do not divide {layers} layers"
        _refuse("vpp", plan.vpp, why, fits)


def _tiles(layers: int, chunks: int) -> bool:
    return chunks <= layers and (layers % chunks == 0 or (layers + 2) % chunks == 0)


def _check_experts(plan: Plan, llm: Llm) -> None:
    etp = plan.etp or 1
    if not llm.experts:
        if plan.ep > 1 or etp > 1:
            raise BadPlanError(
                f"ep {plan.ep} and etp {etp} need a model with experts; {llm.id} is dense",
                "--ep" if plan.ep > 1 else "--etp", "Use ep 1 and etp 1",
            )  # fmt: skip
        return
    asked = plan.algorithms.get("EP", "auto")
    if asked not in ("auto", "direct", "two-stage"):
        raise BadPlanError(
            f'"{asked}" does not carry tokens to experts',
            "--algorithm EP",
            "Use direct or two-stage",
        )
    if plan.ep_nodes is not None and plan.ep_nodes > (llm.experts_active or plan.ep_nodes):
        _refuse(
            "ep_nodes", plan.ep_nodes, f"is more than the {llm.experts_active} experts of a token",
            range(1, (llm.experts_active or 1) + 1),
        )  # fmt: skip
    if llm.experts % plan.ep:
        _refuse("ep", plan.ep, f"does not divide the {llm.experts} experts", divisors(llm.experts))
    width = llm.moe_ffn or llm.ffn
    if width % etp:
        _refuse("etp", etp, f"does not divide the expert width of {width}", divisors(width))


def _check_precision(plan: Plan, chip: Accelerator | None) -> None:
    known = choices(Precision)
    if plan.precision not in known:
        raise BadPlanError(
            f'unknown precision "{plan.precision}"', "--precision", f"Known: {_words(known)}"
        )
    if chip is None or chip.peak_flops(plan.precision) is not None:
        return
    if plan.precision == "fp16" and chip.peak_flops("bf16") is not None:
        return
    has = [p for p in known if chip.peak_flops(p) is not None]
    raise BadPlanError(
        f"{chip.name} has no {plan.precision} mode in the catalogue",
        "--precision",
        f"It has: {_words(has)}" if has else "",
    )


def _check_room(plan: Plan, gpus: int) -> None:
    sizes = {axis: getattr(plan, axis) or 1 for axis in _AXES}
    product = 1
    for size in sizes.values():
        product *= size
    if product <= gpus:
        return
    shown = [a for a in _AXES if a != "dp" or plan.dp is not None]
    text = " x ".join(f"{a} {sizes[a]}" for a in shown)
    raise BadPlanError(
        f"{text} needs {product} GPUs, the drawing has {gpus}", mend=_smaller(sizes, gpus)
    )


def _smaller(sizes: dict[str, int], gpus: int) -> str:
    """The one-axis change that keeps most GPUs."""
    offers = []
    for axis in ("dp", "pp", "cp", "tp"):
        rest = 1
        for other, size in sizes.items():
            rest *= size if other != axis else 1
        fits = gpus // rest if axis == "dp" else _largest(sizes[axis], gpus // rest)
        if 0 < fits < sizes[axis]:
            offers.append(f"{axis} {fits} ({fits * rest} GPUs)")
    if not offers:
        return f"Nearest: tp {min(sizes['tp'], gpus)} alone"
    return f"Nearest: {' or '.join(offers[:2])}"


def _largest(number: int, limit: int) -> int:
    """The largest divisor of `number` up to `limit`; 0 if there is none."""
    return max((d for d in divisors(number) if d <= limit), default=0)


def _check_batch(plan: Plan) -> None:
    if plan.global_batch is not None and plan.global_batch % plan.micro_batch:
        _refuse(
            "micro_batch", plan.micro_batch,
            f"does not divide the global batch of {plan.global_batch}", divisors(plan.global_batch),
        )  # fmt: skip


def divisors(number: int) -> list[int]:
    """All divisors in ascending order."""
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


def _refuse(name: str, value: int, why: str, usable: Iterable[int]) -> None:
    option = name.replace("_", "-")
    options = list(usable)
    below = [n for n in options if n < value][-1:]
    above = [n for n in options if n > value][:1]
    raise BadPlanError(
        f"{option} {value} {why}", f"--{option}", f"Nearest that work: {_words(below + above)}"
    )


def _words(values: Iterable[object]) -> str:
    return ", ".join(str(v) for v in values)
