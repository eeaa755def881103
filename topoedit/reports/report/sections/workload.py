"""Model and plan, with the defaults that were taken."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import model_words, number
from topoedit.units import UNKNOWN

_LABELS = {
    "tp": "Tensor parallel (TP)", "cp": "Context parallel (CP)", "pp": "Pipeline stages (PP)",
    "vpp": "Virtual stages a GPU (VPP)", "dp": "Data parallel (DP)", "ep": "Expert parallel (EP)",
    "etp": "Tensor parallel inside an expert", "zero": "ZeRO level",
    "micro_batch": "Micro-batch, sequences", "global_batch": "Global batch, sequences",
    "seq_len": "Sequence, tokens", "pxn": "PXN", "gpudirect": "GPUDirect",
    "cp_kind": "Context parallel by", "hsdp": "Ranks of one sharded copy",
    "ep_kind": "Tokens go to experts", "ep_nodes": "Nodes that a token may be sent to",
    "zero_plus_plus": "ZeRO++", "grad_dtype": "Gradients in", "gpus": "GPUs",
    "expert_dp": "Copies of each expert", "second_copy_ranks": "Ranks of the second copy",
    "seeds": "Draws of hashed routing", "rank_order": "Axes, innermost first",
}  # fmt: skip


def _build(case: Case) -> Iterator[Block]:
    analysis = case.analysis
    if analysis is None:
        yield Text(
            "No model and plan were given, so loads, step time and memory are left out.", quiet=True
        )
        return
    if case.plan_from:
        yield Text(case.plan_from, quiet=True)
    used, gpus = analysis.topology.gpus_used, analysis.topology.gpus
    idle = UNKNOWN if gpus is None else number(gpus - used)
    echo = analysis.workload
    axes = [f"{number(_int(echo.get(name)))}" for name in ("tp", "cp", "pp", "dp")]
    yield Text(f"TP × CP × PP × DP = {' × '.join(axes)}: {number(used)} GPUs in use, {idle} idle.")
    yield Table(columns("Setting", ">Value"), tuple(_settings(case)), narrow=True)


def _settings(case: Case) -> Iterator[Row]:
    if case.analysis is None:
        return
    echo = case.analysis.workload
    for key, value in echo.items():
        if value is None or value == "":
            continue
        label = _LABELS.get(key, key.replace("_", " ").capitalize())
        doubts = case.doubts.memory if key == "model" else ()
        words = model_words(str(value), case.document.catalog) if key == "model" else _words(value)
        yield row(label, words, doubts=doubts)
    sequences, length = _int(echo.get("global_batch")), _int(echo.get("seq_len"))
    if sequences is not None and length is not None:
        yield row("Global batch, tokens", number(sequences * length))


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return number(value) if isinstance(value, int) else str(value)


def _int(value: object) -> int | None:
    return value if isinstance(value, int) else None


SECTION = Section("workload", "Workload and plan", 40, _build)
