"""The options of a plan, given to every command that analyses.

`@with_plan` adds them to a command and hands it a `workload`; the options are those of
`model.plan.Plan` with hyphens, and the same words serve as keys of a `--plan` file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated

import typer

from topoedit.errors import BadInputError
from topoedit.model.plan import (
    CpKind,
    EpKind,
    GradDtype,
    Precision,
    Recompute,
    RingOrder,
    Routing,
    Schedule,
    choices,
)

Result = int | None
Command = Callable[..., Result]
_PANEL = "Plan"


def _words(literal: object) -> str:
    return "/".join(choices(literal))


_NUMBERS = {
    "tp": "Tensor parallelism (1).",
    "cp": "Context parallelism (1).",
    "pp": "Pipeline stages (1).",
    "vpp": "Virtual stages a GPU; more than 1 interleaves (1).",
    "dp": "Data parallelism (the GPUs that remain).",
    "ep": "Expert parallelism, carved from the ranks of a stage (1).",
    "etp": "Tensor parallelism inside an expert (1).",
    "ep_nodes": "Nodes that a token may be sent to (what the model says).",
    "zero": "0 plain, 1 sharded optimiser, 2 and gradients, 3 everything (1).",
    "hsdp": "Ranks that share one copy of the state; replicas beyond.",
    "micro_batch": "Sequences of a micro-batch (1).",
    "global_batch": "Sequences of a step (4 x pp x dp x micro-batch).",
    "seq_len": "Tokens of a sequence (the smaller of 8192 and the model's context).",
    "flows_per_connection": "Flows (queue pairs) that hashed routing draws a connection (1).",
    "seeds": "Draws of hashed routing (100).",
}
_TEXTS = {
    "schedule": f"{_words(Schedule)} (1f1b).",
    "cp_kind": f"{_words(CpKind)} (ring).",
    "ep_kind": f"{_words(EpKind)}: a copy of a token to each expert or node (two-stage).",
    "recompute": f"{_words(Recompute)} (none).",
    "precision": f"{_words(Precision)} (bf16).",
    "grad_dtype": f"{_words(GradDtype)} (fp32; bf16 with nemo).",
    "stack": "megatron/nemo/fsdp-eager/fsdp-compile/xla, with @release where known (nemo).",
    "ring_order": f"{_words(RingOrder)} (node).",
    "routing": f"{_words(Routing)} (adaptive on InfiniBand, ecmp on Ethernet).",
    "constants": "fitted or nccl-2.30.7 (fitted).",
    "rank_order": "Axes, innermost first (tp-cp-dp-pp).",
    "placement": "File with the hosts of the ranks: hostlist, hostfile or rankfile.",
}
_SWITCHES = {
    "pxn": "on/off: reach other rails over NVLink (on).",
    "gpudirect": "on/off: NICs read GPU memory directly (on).",
}


def _option(kind: object, declared: str, text: str, metavar: str | None = None) -> object:
    return Annotated[
        kind, typer.Option(declared, help=text, metavar=metavar, rich_help_panel=_PANEL)
    ]


def _parameters() -> list[inspect.Parameter]:
    rows: dict[str, object] = {
        "model": _option(str | None, "--model", "Catalogue name, or a config.json.", "NAME"),
        "plan": _option(Path | None, "--plan", "YAML file with these options as keys.", "FILE"),
    }
    for name, text in _NUMBERS.items():
        rows[name] = _option(int | None, _dashed(name), text, "N")
    both = "--sequence-parallel/--no-sequence-parallel"
    rows["sequence_parallel"] = _option(bool | None, both, "On when tp > 1.")
    rows["zero_plus_plus"] = _option(
        bool | None, "--zero-plus-plus", "Quantised gathers and gradients of ZeRO++, with --zero 3."
    )
    rows["expert_imbalance"] = _option(
        float | None, "--expert-imbalance", "Busiest expert over the mean (1.0).", "X"
    )
    rows["routing_efficiency"] = _option(
        float | None, "--routing-efficiency",
        "Share of their rate that links between switches reach (the routing mode's).", "X",
    )  # fmt: skip
    for name, text in {**_TEXTS, **_SWITCHES}.items():
        rows[name] = _option(str | None, _dashed(name), text, "WORD")
    rows["algorithm"] = _option(
        list[str] | None, "--algorithm", "Algorithm of a traffic class; may be given again.",
        "CLASS=NAME",
    )  # fmt: skip
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in rows.items()
    ]


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def with_plan(command: Command, *, required: bool = True, model_required: bool = True) -> Command:
    """Give a command the options of a plan and, as `workload`, what they say.

    Args:
        command: takes `workload` besides its own parameters.
        required: without it `workload` is None when neither --model nor --plan was given.
        model_required: without it a plan may come without a model, whose name is then "".
    """
    parameters = _parameters()
    own = inspect.signature(command, eval_str=True).parameters

    @wraps(command)
    def run(**values: object) -> Result:
        given = {p.name: values.pop(p.name) for p in parameters}
        given = {name: value for name, value in given.items() if value is not None}
        file = given.pop("plan", None)
        if not required and not given and file is None:
            return command(**values, workload=None)
        return command(**values, workload=_workload(given, file, model_required))

    merged = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for n, p in own.items() if n != "workload"
    ]
    run.__signature__ = inspect.Signature([*merged, *parameters])  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run


def _workload(given: dict[str, object], file: object, model_required: bool) -> object:
    from topoedit.app.plans import read_workload

    for name in _SWITCHES:
        if name in given:
            given[name] = _on_off(name, str(given[name]))
    chosen = given.pop("algorithm", None)
    if isinstance(chosen, list) and chosen:
        given["algorithms"] = chosen
    plan_file = file if isinstance(file, Path) else None
    return read_workload(given, plan_file, model_required=model_required)


def _on_off(name: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise BadInputError(f'"{text}" is neither on nor off', _dashed(name))
    return text == "on"
