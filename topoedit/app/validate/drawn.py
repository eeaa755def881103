"""A row's cluster as a drawing: the step model with the rates that the drawn fabric gives.

`validate` uses the closed form of a symmetric cluster; this is the long way round, through a
template, the compiler and the router, and shows that both agree.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np
from msgspec.structs import replace as change

from topoedit.app.generate import generate
from topoedit.app.validate.records import Agreement
from topoedit.app.validate.steps import StepTable
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.catalog.types import Llm
from topoedit.engine.analyse import AnalyseOptions, analyse
from topoedit.engine.compile import compile_fabric
from topoedit.engine.published.predict import prepare
from topoedit.engine.published.step_rows import StepRow
from topoedit.engine.step.assemble import evaluate
from topoedit.engine.step.constants import ConstantPicker
from topoedit.engine.step.rates import ExpertRate, Rate, Rates
from topoedit.engine.types import Fabric, Floats, Longs, Tier
from topoedit.errors import BadInputError, TopoeditError
from topoedit.model.plan import Plan, Workload
from topoedit.units import GIGA, gbps

_SYSTEMS = {
    "a100-sxm-40": "dgx-a100", "a100-sxm-80": "dgx-a100", "h100-sxm": "dgx-h100",
    "h100-96gb-500w": "dgx-h100", "h800-sxm": "dgx-h100", "h200-sxm": "dgx-h200",
    "b200-sxm": "dgx-b200", "b300-sxm": "dgx-b300",
}  # fmt: skip
_RACKS = {"gb200": "gb200-nvl72", "gb300": "gb300-nvl72"}
_SERVER, _RACK, _SEGMENT = 8, 72, 64
"""GPUs of a server and of a rack, and those of each rack that a job over several racks takes."""
_DRAWN_NICS = {"a100": 200.0, "b300": 800.0, "gb300": 800.0}
_USUAL_NIC = 400.0


def drawn_seconds(row: StepRow, catalog: Catalog | None = None) -> float | str:
    """The step time with the rates of a drawn cluster, or why it cannot be drawn."""
    known = catalog or load_catalog()
    try:
        rates = _rates(row, known)
    except TopoeditError as error:
        return error.what
    case = prepare([row]).case(ConstantPicker())
    return float(evaluate(case, rates).total[0])


def _rates(row: StepRow, catalog: Catalog) -> Rates:
    """Rates of every group of the row's plan on the drawn fabric."""
    drawing = fabric_like(row)
    workload = Workload(model=row.model, plan=_plan(row))
    options = AnalyseOptions(order=_order(row, len(drawing.gpus)))
    result = analyse(drawing, _llm(row, catalog), workload, catalog, options=options)
    return _as_drawn(result.findings.rates)


def _order(row: StepRow, gpus: int) -> Longs | None:
    """Ranks of a job over several racks: as many of each as powers of two divide."""
    if row.accelerator not in _RACKS or row.gpus <= _RACK:
        return None
    places = np.arange(gpus).reshape(-1, _RACK)[:, :_SEGMENT]
    return places.reshape(-1)[: int(row.gpus)]


def _as_drawn(rates: Rates) -> Rates:
    """The first of the variants that an analysis times: the drawing as it is.

    Traffic crowding out other traffic depends on the batch, which the plan here leaves out.
    """
    parts: dict[str, Rate | ExpertRate | Floats] = {"crowding": np.ones(1)}
    for field in fields(rates):
        part = getattr(rates, field.name)
        if isinstance(part, Rate | ExpertRate):
            parts[field.name] = _first(part)
    return replace(rates, **parts)  # type: ignore[arg-type]  # each part keeps its own kind


def _first(rate: Rate | ExpertRate) -> Rate | ExpertRate:
    return replace(rate, **{field.name: getattr(rate, field.name)[:1] for field in fields(rate)})


def fabric_like(row: StepRow) -> Fabric:
    """Servers (or racks) of the row's kind, as many as its GPUs need, on a non-blocking network.

    Raises:
        BadInputError: no template draws such servers.
    """
    racks = row.accelerator in _RACKS
    several = _SEGMENT if row.gpus > _RACK else _RACK
    units = math.ceil(row.gpus / (several if racks else _SERVER))
    drawing = _drawn(row.accelerator, units)
    share = gbps(float(row.numbers["nic"])) / gbps(_nic(row.accelerator))
    inside = (drawing.tier == Tier.SCALE_UP) | (drawing.tier == Tier.HOST_BUS)
    capacity = drawing.capacity.copy()
    capacity[~inside] *= share
    inner = drawing.tier == Tier.SCALE_UP
    capacity[inner] *= float(row.numbers["scaleup"]) / _scaleup(row)
    names = (row.accelerator,) * len(drawing.accelerators)
    return replace(drawing, capacity=capacity, accelerators=names)


def _nic(accelerator: str) -> float:
    """Bytes/s of the network port of one GPU in the drawn servers."""
    family = accelerator.split("-")[0]
    return _DRAWN_NICS.get(family, _USUAL_NIC) * GIGA / 8


def _scaleup(row: StepRow) -> float:
    """Bytes/s per direction of one GPU's scale-up links in the drawn servers."""
    return {"ampere": 300e9, "hopper": 450e9}.get(row.generation, 900e9)


@lru_cache(maxsize=4)
def _drawn(accelerator: str, units: int) -> Fabric:
    if accelerator in _RACKS:
        params: dict[str, object] = {"system": _RACKS[accelerator], "nodes": units}
        return compile_fabric(generate("nvl72-pod", params, load_catalog()))
    if accelerator not in _SYSTEMS:
        raise BadInputError(f"no template draws servers with {accelerator}")
    params = {"system": _SYSTEMS[accelerator], "nodes": units}
    return compile_fabric(generate("rail-optimized", params, load_catalog()))


def _plan(row: StepRow) -> Plan:
    """The row's groups; what only the times depend on (batch, recompute, precision) is left out."""

    def axis(name: str) -> int:
        return int(row.numbers[name])

    return Plan(
        tp=axis("tp"),
        pp=axis("pp"),
        cp=axis("cp"),
        dp=axis("dp"),
        ep=axis("ep"),
        etp=axis("etp"),
        zero=axis("zero"),
        global_batch=axis("dp") * axis("pp"),
        seq_len=axis("seq"),
        sequence_parallel=bool(row.numbers["sp"]) and axis("tp") > 1,
        routing="adaptive",
    )


def _llm(row: StepRow, catalog: Catalog) -> Llm:
    """The row's shape as an entry of the catalogue; only what groups and traffic depend on."""

    def figure(name: str) -> int:
        return int(row.numbers[name])

    return change(
        next(iter(catalog.models.values())),
        id=row.model or row.id,
        layers=figure("layers"),
        hidden=figure("hidden"),
        heads=figure("heads"),
        kv_heads=figure("kv_heads"),
        head_dim=figure("head_dim"),
        ffn=figure("ffn"),
        vocab=figure("vocab"),
        attention="GQA",
        experts=figure("experts") or None,
        experts_active=figure("top_k") or None,
        moe_ffn=figure("moe_ffn") or None,
        shared_experts=0,
        dense_layers=figure("dense_layers"),
        context=None,
    )


def with_drawn_rates(table: StepTable) -> tuple[StepTable, Agreement]:
    """The table with every time from a drawn cluster, and how far that is from the closed form.

    A row that cannot be drawn keeps the closed form and says why.
    """
    if table.predicted is None:
        return table, Agreement(0, None, None)
    catalog = load_catalog()
    seconds, rows, off = table.predicted.seconds.copy(), list(table.rows), []
    for i, row in enumerate(table.rows):
        drawn = drawn_seconds(row, catalog)
        if isinstance(drawn, str):
            rows[i] = replace(row, notes=(*row.notes, f"not drawn: {drawn}"))
            continue
        if not row.left_out:
            off.append(abs(drawn / float(seconds[i]) - 1))
        seconds[i] = drawn
    predicted = replace(table.predicted, seconds=seconds)
    agreement = Agreement(
        len(off), float(np.median(off)) if off else None, max(off) if off else None
    )
    return StepTable(tuple(rows), table.skipped, predicted), agreement
