"""Why a figure of an analysis is what it is: formula, inputs, source and value.

Keys are those of the JSON, with the number or name of a row in brackets: `step_time_s`,
`breakdown_s.tp`, `memory.activations_bytes`, `communication[0].time_s` (or
`communication.TP.layers`), `interval.low_s`, `bottlenecks[0].cost_s`, `links[ID].demand`,
`tiers[leaf-spine].max_demand`, `workload.tp`, `routing.efficiency`, `unreachable.bytes`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping

from topoedit.engine import explain_loads as loads
from topoedit.engine.analyse import Result
from topoedit.engine.explanation import Explanation, Inputs
from topoedit.engine.report import Findings
from topoedit.engine.step.constants import step_section
from topoedit.engine.windows import Timed, at
from topoedit.errors import BadInputError
from topoedit.model.analysis import Analysis

_NARAYANAN = "Narayanan et al. 2021; constants: "
_KEY = re.compile(r"(\w+)(?:\[(.+?)\])?(?:\.(.+))?", re.DOTALL)


def in_words(answer: Explanation) -> list[tuple[str, str]]:
    """An explanation as pairs of name and text, as every front shows it."""
    value = "–" if answer.value is None else f"{answer.value:.6g} {answer.unit}".strip()
    inputs = [
        (f"  {name}", given if isinstance(given, str) else f"{given:.6g}")
        for name, given in answer.inputs.items()
    ]
    return [(answer.key, value), ("formula", answer.formula), *inputs, ("source", answer.source)]


def keys(result: Result) -> tuple[str, ...]:
    """Every key that can be explained; those of links for the first of each tier."""
    record = result.analysis
    rows = range(len(record.communication))
    return (
        *_SINGLE,
        *(f"interval.{name}" for name in _INTERVAL),
        *(f"breakdown_s.{name}" for name in record.breakdown_s.__struct_fields__),
        *(f"memory.{name}" for name in _MEMORY),
        *(f"communication.{number}" for number in rows),
        *(f"communication[{number}].{name}" for number in rows for name in _EXCHANGED),
        *dict.fromkeys(f"communication.{c.class_}.{c.part}" for c in record.communication),
        *(f"bottlenecks.{number}" for number in range(len(record.bottlenecks))),
        *(
            f"bottlenecks[{number}].{name}"
            for number in range(len(record.bottlenecks))
            for name in loads.BOTTLENECK_FIELDS
        ),
        *(f"tiers[{row.tier}].{name}" for row in record.tiers for name in loads.TIER_FIELDS),
        *(
            f"links[{link}].{name}"
            for link in dict.fromkeys(row.example for row in record.bottlenecks)
            for name in loads.LINK_FIELDS
        ),
        *(f"topology.{name}" for name in record.topology.__struct_fields__),
        *(f"workload.{name}" for name in record.workload),
        *(f"routing.{name}" for name in _routed(record)),
        "unreachable.pairs",
        "unreachable.bytes",
    )


def explain(result: Result, key: str) -> Explanation:
    """Formula, inputs and source of one key.

    Raises:
        BadInputError: there is nothing to explain under that key; the line lists the nearest.
    """
    if key in _SINGLE:
        return _SINGLE[key](result, key)
    matched = _KEY.fullmatch(key.strip())
    if matched is not None and matched[1] == "links" and matched[2]:
        return loads.explain_link(result, key, matched[2], matched[3] or "")
    known = keys(result)
    if matched is None or not _is_known(known, key, matched):
        near = difflib.get_close_matches(key, known, n=4, cutoff=0.3) or list(known[:4])
        raise BadInputError(
            f'there is no figure "{key}"', "--explain", f"Nearest: {', '.join(near)}"
        )
    head, row, rest = matched[1], matched[2] or "", matched[3] or ""
    if not row:
        row, rest = rest, ""
    return _GROUPS[head](result, key, row, rest)


def _routed(record: Analysis) -> tuple[str, ...]:
    """The numbers of how paths are picked."""
    routing = record.routing
    names = () if routing is None else routing.__struct_fields__
    return tuple(n for n in names if isinstance(getattr(routing, n), int | float))


def _is_known(known: tuple[str, ...], key: str, matched: re.Match[str]) -> bool:
    """Whether a key is listed, or names a row or group of listed keys."""
    head, row, rest = matched.groups()
    if key in known or rest:
        return key in known
    begin = f"{head}[{row}]." if row else f"{head}."
    rows = head in ("bottlenecks", "communication", "tiers") and bool(row)
    return (rows or head in ("unreachable", "routing")) and any(k.startswith(begin) for k in known)


def _fit() -> str:
    return step_section().fit


def _step_time(result: Result, key: str) -> Explanation:
    found, parts = result.findings, result.analysis.breakdown_s
    step = found.step
    inputs: Inputs = {name: getattr(parts, name) for name in parts.__struct_fields__}
    inputs |= {
        "micro_batches": found.resolved.micro_batches,
        "layers_on_slowest_stage": at(step.slowest_layers),
        "layer_compute": at(step.layer.compute),
    }
    return Explanation(
        key, parts.total(), "s",
        "micro-batches × slowest stage + bubble + exposed PP + exposed DP + optimiser + fixed; "
        "× (1 + jitter × ln(GPUs / 8))",
        inputs, _NARAYANAN + _fit(),
    )  # fmt: skip


def _breakdown(result: Result, key: str, name: str, _field: str) -> Explanation:
    formula, inputs = _PARTS[name](result.findings)
    value = getattr(result.analysis.breakdown_s, name)
    return Explanation(key, value, "s", formula, inputs, _NARAYANAN + _fit())


def _compute(found: Findings) -> tuple[str, Inputs]:
    case, kernels = found.case, found.step.kernels
    formula = (
        "micro-batches × (layers × (GEMMs + attention + elementwise) + head and loss there), "
        "layers on the slowest stage; GEMM = 2mnk / (sustained FLOP/s × fill)"
    )
    return (
        formula,
        {
            "gemms_forward": at(kernels.linear.forward),
            "gemms_backward": at(kernels.linear.backward),
            "attention_forward": at(kernels.attention[0]),
            "attention_backward": at(kernels.attention[1]),
            "elementwise_forward": at(kernels.elementwise[0]),
            "elementwise_backward": at(kernels.elementwise[1]),
            "head_and_loss": at(found.step.head.compute),
            "sustained_flops": at(case.rate),
            "peak_flops": found.chip.peak_flops(found.resolved.plan.precision) or "unknown",
            "reached_hbm": at(case.hbm),
            "micro_batches": found.resolved.micro_batches,
            "layers": at(found.step.slowest_layers),
        },
    )


def _recompute(found: Findings) -> tuple[str, Inputs]:
    return (
        "micro-batches × layers × what the policy repeats of a forward pass",
        {
            "policy": found.resolved.plan.recompute,
            "share_of_layers": at(found.step.share),
            "repeated_in_a_layer": at(found.step.layer.recompute),
        },
    )


def _exposed(axis: str) -> Callable[[Findings], tuple[str, Inputs]]:
    rules = {
        "tp": "time of TP collectives × (1 − share hidden under their own GEMMs)",
        "cp": "max(0, exchange − attention of the blocks at hand) + one hop a block",
        "ep": "dispatch and combine; nothing hides them but DualPipe",
        "pp": "2 (p−1) transfers of warm-up and cool-down, and what is longer than a chunk",
        "dp": "max(time × crowding − last micro-batch, 10 % of time); sharded: a fitted share in "
        "each layer; crowding: links shared max-min fairly with what runs at the same time",
        "wan": "the exposed part of traffic whose groups cross sites",
    }

    def made(found: Findings) -> tuple[str, Inputs]:
        rows = [row for row in found.timing.rows if _axis(row) == axis]
        inputs: Inputs = {f"{r.exchange.part} {r.exchange.op}": r.seconds for r in rows}
        for row in rows:
            inputs[f"window {row.routed.kind}"] = found.timing.windows[row.routed.kind]
        if axis == "dp":
            inputs["crowding"] = at(found.rates.crowding)
        return rules[axis], inputs

    return made


def _axis(row: Timed) -> str:
    from topoedit.engine.windows import AXIS_OF

    return "wan" if row.routed.class_ == "WAN" else AXIS_OF[row.routed.kind]


def _bubble(found: Findings) -> tuple[str, Inputs]:
    plan = found.resolved.plan
    rules = {
        "zb": "(p−1)(F + B − 2W)",
        "dualpipe": "(p/2 − 1)(F + 2B − 3W)",
    }
    return (
        rules.get(plan.schedule, "(p−1)/v × (F + B) of a stage"),
        {
            "p": plan.pp,
            "v": plan.vpp,
            "schedule": plan.schedule,
            "micro_batches": found.resolved.micro_batches,
            "stage": at(found.step.bubble) * plan.vpp / max(plan.pp - 1, 1),
        },
    )


def _optimizer(found: Findings) -> tuple[str, Inputs]:
    return (
        "40 B × parameters updated by one GPU / reached HBM bandwidth",
        {"reached_hbm": at(found.case.hbm), "optimizer_bytes": found.case.physics.optimizer_bytes},
    )


def _other(found: Findings) -> tuple[str, Inputs]:
    return (
        "seconds a step that scale with nothing, and jitter over many GPUs",
        {"fixed": at(found.step.fixed), "growth": at(found.step.growth)},
    )


_PARTS: Mapping[str, Callable[[Findings], tuple[str, Inputs]]] = {
    "compute": _compute,
    "recompute": _recompute,
    **{axis: _exposed(axis) for axis in ("tp", "cp", "ep", "pp", "dp", "wan")},
    "bubble": _bubble,
    "optimizer": _optimizer,
    "other": _other,
}


def _utilisation(result: Result, key: str) -> Explanation:
    found, record = result.findings, result.analysis
    formulas = {
        "mfu": "model FLOPs with full attention / (step × GPUs × dense peak of the precision)",
        "mfu_causal": "model FLOPs with half the attention / (step × GPUs × dense peak)",
        "hfu": "MFU × (1 + recomputed / computed time)",
        "tflops_per_gpu": "model FLOPs with full attention / (step × GPUs) / 10^12",
        "tokens_per_s": "global batch × sequence / step",
        "tokens_per_s_per_gpu": "global batch × sequence / (step × GPUs)",
    }
    inputs: Inputs = {
        "step_time": record.step_time_s,
        "gpus": found.resolved.gpus,
        "global_batch": found.resolved.global_batch,
        "seq_len": found.resolved.seq_len,
        "model_flops": record.tflops_per_gpu * 1e12 * record.step_time_s * found.resolved.gpus,
        "peak_flops": found.chip.peak_flops(found.resolved.plan.precision) or "unknown",
    }
    unit = {"tflops_per_gpu": "TFLOP/s", "tokens_per_s": "1/s", "tokens_per_s_per_gpu": "1/s"}
    source = f"model FLOPs as in Megatron-Core and NeMo tables; peak: {found.chip.source}"
    return Explanation(key, getattr(record, key), unit.get(key, ""), formulas[key], inputs, source)


def _interval(result: Result, key: str) -> Explanation:
    given = result.analysis.interval
    return Explanation(
        key, result.analysis.step_time_s, "s",
        "step time × [10th, 90th percentile] of measured / predicted over rows of its kind, those "
        "that were never fitted included",
        {
            "low": given.low_s, "high": given.high_s, "rows": given.rows, "nearest": given.nearest,
            **{f"outside {i}": text for i, text in enumerate(given.extrapolated, 1)},
        },
        given.basis,
    )  # fmt: skip


_SINGLE: Mapping[str, Callable[[Result, str], Explanation]] = {
    "step_time_s": _step_time,
    "interval": _interval,
    **dict.fromkeys(
        ("mfu", "mfu_causal", "hfu", "tflops_per_gpu", "tokens_per_s", "tokens_per_s_per_gpu"),
        _utilisation,
    ),
}

_MEMORY = {
    "stage": ("the stage with the largest total", "Narayanan et al. 2021 (stages)"),
    "total_bytes": ("sum of the kinds on the worst stage", "Rajbhandari et al. 2019, ZeRO"),
    "capacity_bytes": ("marketed GB × 2^30", "catalogue"),
    "headroom_bytes": ("capacity − total", "catalogue"),
    "parameters_bytes": (
        "2 B a parameter; ZeRO-3 2 B / ranks, 4 B / ranks with fp32 gradients",
        "Megatron-LM README",
    ),
    "gradients_bytes": (
        "bytes of a gradient × parameters; sharded with ZeRO-2, 3",
        "Megatron-LM README",
    ),
    "optimizer_bytes": (
        "12 B × parameters / ranks that share them; ZeRO-2, 3: what is left of 16 B / ranks",
        "Megatron-LM README",
    ),
    "activations_bytes": (
        "tokens × layers × micro-batches in flight × bytes a token of a layer",
        "Korthikanti et al. 2022; Narayanan et al. 2021 (in flight)",
    ),
    "buffers_bytes": (
        "gathered layers, logits, one layer being recomputed, fragmentation of 4 %",
        "torchtitan peaks",
    ),
    "context_bytes": ("CUDA and NCCL context", "estimated, not measured"),
}


def _memory(result: Result, key: str, name: str, _field: str) -> Explanation:
    record, found = result.analysis.memory, result.findings
    formula, source = _MEMORY[name]
    inputs: Inputs = {
        "stage": record.stage,
        "zero": found.resolved.plan.zero,
        "micro_batch": found.resolved.plan.micro_batch,
        "recompute": found.resolved.plan.recompute,
        "gradient_bytes": found.resolved.grad_bytes,
    }
    if name == "total_bytes":
        kinds = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")
        inputs |= {kind: getattr(record, f"{kind}_bytes") for kind in kinds}
    value = getattr(record, name)
    unit = "" if name == "stage" else "B"
    return Explanation(key, value, unit, formula, inputs, source)


def _communication(result: Result, key: str, name: str, field: str) -> Explanation:
    rows = list(zip(result.findings.timing.rows, result.analysis.communication, strict=True))
    if name.isdigit():
        rows = [rows[int(name)]]
    else:
        rows = [row for row in rows if f"{row[1].class_}.{row[1].part}" == name]
    timed, record = rows[0]
    exchange, one = timed.exchange, timed.routed
    inputs: Inputs = {
        "n": exchange.size,
        "S": exchange.buffer,
        "calls": record.count,
        "sent_in_a_call": exchange.sent,
        "algorithm": record.algorithm,
        "servers": one.shape.servers,
        "time": sum(r.time_s for _, r in rows),
        "exposed": sum(r.exposed_s for _, r in rows),
        "window": result.findings.timing.windows[one.kind],
        "fullest_link_of_all_its_traffic": one.limit.seconds,
    }
    formula, unit = _EXCHANGED[field or "bytes_per_gpu"]
    value = float(sum(getattr(r, field or "bytes_per_gpu") for _, r in rows))
    if not formula:
        formula = f"calls × {exchange.formula}"
    return Explanation(key, value, unit, formula, inputs, exchange.source)


_EXCHANGED = {
    "bytes_per_gpu": ("", "B"),
    "time_s": ("calls × (sent in a call / rate of its fullest link + latency)", "s"),
    "exposed_s": ("its share of what the class cannot hide; see breakdown_s", "s"),
    "count": ("calls a step on the stage that makes most", ""),
    "groups": ("groups that make this call", ""),
    "group_size": ("ranks of one group", ""),
}
"""Figures of an exchange; the formula of its bytes is its own."""


def _interval_end(result: Result, key: str, name: str, _field: str) -> Explanation:
    whole = _interval(result, key)
    value = getattr(result.analysis.interval, name)
    unit = "s" if name.endswith("_s") else ""
    return Explanation(key, float(value), unit, whole.formula, whole.inputs, whole.source)


_INTERVAL = ("low_s", "high_s", "rows")

_GROUPS: Mapping[str, Callable[[Result, str, str, str], Explanation]] = {
    "breakdown_s": _breakdown,
    "interval": _interval_end,
    "memory": _memory,
    "communication": _communication,
    "bottlenecks": loads.explain_bottleneck,
    "tiers": loads.explain_tier,
    "topology": loads.explain_topology,
    "workload": loads.explain_workload,
    "routing": loads.explain_routing,
    "unreachable": loads.explain_unreachable,
}
