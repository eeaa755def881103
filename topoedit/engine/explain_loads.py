"""Why links, tiers and bottlenecks show what they show, and where counts and choices come from."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from topoedit.engine.edge_index import edge_index
from topoedit.engine.explanation import Explanation, Inputs
from topoedit.engine.figures import Figures
from topoedit.engine.types import TIER_NAMES, Fabric, Floats, Longs
from topoedit.errors import BadInputError

if TYPE_CHECKING:
    from topoedit.engine.analyse import Result

_MOST_NAMES = 2000
"""Names that are looked through for near ones."""

_DEMAND = (
    "sum over traffic of bytes / (capacity × window); the window is the compute that this traffic "
    "may run under, or the step with communication free where nothing hides it"
)
_FORMULAS = {
    "demand": _DEMAND,
    "utilisation": "bytes / (capacity × step time)",
    "phase_share": "largest over traffic classes of bytes / (capacity × its communication time); "
    "where classes run together at least bytes of all / (capacity × step time)",
    "bytes": "bytes a step of every traffic class, routed",
    "capacity_GBps": "rate of all working cables in one direction, in GB/s",
}
LINK_FIELDS = tuple(_FORMULAS)
TIER_FIELDS = (
    "links", "bytes", "max_utilisation", "mean_utilisation", "max_demand", "oversubscription",
)  # fmt: skip
_TIER_FORMULAS = {
    "links": "directed links of the tier that can carry something",
    "bytes": "bytes a step over all its directed links",
    "max_utilisation": "bytes / (capacity × step time) of its fullest link",
    "mean_utilisation": "mean of bytes / (capacity × step time) over its links of known rate",
    "max_demand": f"{_DEMAND}; of the link where it is highest",
    "oversubscription": "capacity of the tier below / capacity of this tier",
}


def explain_link(result: Result, key: str, name: str, field: str) -> Explanation:
    """One link, drawn or inner, in the direction where the figure is higher."""
    fabric, figures = result.fabric, result.figures
    if name not in fabric.link_ids:
        some = fabric.link_ids[:_MOST_NAMES]
        near = difflib.get_close_matches(name, some, n=3, cutoff=0.3) or list(some[:1])
        shown = ", ".join(f"links[{other}].demand" for other in near)
        raise BadInputError(f'there is no link "{name}"', "--explain", f"For example {shown}")
    field = field or "demand"
    if field not in _FORMULAS:
        raise BadInputError(
            f'a link has no figure "{field}"', "--explain", f"Known: {', '.join(_FORMULAS)}"
        )
    edges = np.flatnonzero(fabric.link == fabric.link_ids.index(name))
    values = _values(fabric, figures, field)[edges]
    edge = int(edges[int(np.argmax(np.nan_to_num(values, nan=-1.0)))])
    value = float(_values(fabric, figures, field)[edge])
    routing = result.analysis.routing
    how = "" if routing is None else f"; paths: {routing.mode}, {routing.title}"
    return Explanation(
        key, None if np.isnan(value) else value, "B" if field == "bytes" else "",
        _FORMULAS[field], _link_inputs(result, field, edge, edges),
        f"the drawing's cables and ports{how}",
    )  # fmt: skip


def _values(fabric: Fabric, figures: Figures, field: str) -> Floats:
    if field == "capacity_GBps":
        return fabric.capacity / 1e9
    return figures.total if field == "bytes" else np.asarray(getattr(figures, field))


def _link_inputs(result: Result, field: str, edge: int, edges: Longs) -> Inputs:
    fabric, found = result.fabric, result.findings
    names = fabric.device_names
    inputs: Inputs = {
        "from": names[int(fabric.vertex_device[fabric.src[edge]])],
        "to": names[int(fabric.vertex_device[fabric.dst[edge]])],
        "tier": TIER_NAMES[int(fabric.tier[edge])],
        "capacity": _known(float(fabric.capacity[edge])),
        "cables": int(fabric.cables[edge]),
    }
    back = [int(e) for e in edges if e != edge]
    if back:
        other = float(_values(fabric, result.figures, field)[back].max())
        inputs["the_other_way"] = _known(other)
    for one in found.routed:
        sent = float(one.load.bytes[edge])
        if sent:
            inputs[f"bytes {one.class_} {one.kind}"] = sent
            if field == "demand":
                inputs[f"window {one.class_} {one.kind}"] = found.timing.windows[one.kind]
    if field in ("utilisation", "phase_share"):
        inputs["step_time"] = found.step_time
    if field == "phase_share":
        inputs |= {f"time {name}": seconds for name, seconds in found.timing.phases.items()}
    return inputs


def _known(value: float) -> float | str:
    return "unknown" if np.isnan(value) else value


def explain_tier(result: Result, key: str, name: str, field: str) -> Explanation:
    """A figure of a tier."""
    rows = {row.tier: row for row in result.analysis.tiers}
    field = field or "max_demand"
    if name not in rows or field not in TIER_FIELDS:
        raise BadInputError(
            f'there is no figure "{key}"', "--explain",
            f"Tiers: {', '.join(rows)}; figures: {', '.join(TIER_FIELDS)}",
        )  # fmt: skip
    row = rows[name]
    edges = edge_index(result.fabric).tiers[TIER_NAMES.index(name)]
    inputs: Inputs = {
        "links": row.links, "bytes": row.bytes, "capacity_of_all": edges.capacity,
        "step_time": result.findings.step_time,
    }  # fmt: skip
    for one in result.findings.routed:
        entered = one.upward.get(TIER_NAMES.index(name), 0.0)
        if entered:
            inputs[f"bytes entering {one.class_} {one.kind}"] = entered
    value = getattr(row, field)
    return Explanation(
        key, None if value is None else float(value), "B" if field == "bytes" else "",
        _TIER_FORMULAS[field], inputs, "the drawing's cables and ports",
    )  # fmt: skip


BOTTLENECK_FIELDS: Mapping[str, tuple[str, str]] = {
    "cost_s": ("step time − step time with these links twice as fast, all else as it is", "s"),
    "cost_one_s": ("the same for one link; 0 where others of its class stay as they are", "s"),
    "demand": (_DEMAND, ""),
    "utilisation": (_FORMULAS["utilisation"], ""),
    "phase_share": (_FORMULAS["phase_share"], ""),
    "bytes": (_FORMULAS["bytes"], "B"),
    "links": ("directed links that carry alike and hold the same traffic up", ""),
}


def explain_bottleneck(result: Result, key: str, name: str, field: str) -> Explanation:
    """A figure of a class of links that sets the pace."""
    row = result.analysis.bottlenecks[int(name)]
    field = field or "cost_s"
    formula, unit = BOTTLENECK_FIELDS[field]
    inputs: Inputs = {
        "links": row.links, "example": row.example, "bytes": row.bytes, "demand": row.demand,
        "utilisation": row.utilisation, "phase_share": row.phase_share,
        "step_time": result.findings.step_time, "cost_s": row.cost_s,
        "cost_one_s": row.cost_one_s,
    }  # fmt: skip
    inputs |= {f"bytes {name}": sent for name, sent in row.by_class.items()}
    return Explanation(key, float(getattr(row, field)), unit, formula, inputs, row.why)


def explain_topology(result: Result, key: str, name: str, field: str) -> Explanation:
    """A count of the drawing."""
    value = getattr(result.analysis.topology, name)
    counted = {
        "gpus": "GPUs of all servers whose type is known",
        "gpus_used": "tp × cp × dp × pp of the plan",
        "servers": "servers with GPUs, and hosts whose inside is unknown",
        "switches": "leaf, spine, core and other switches",
        "links": "drawn links", "cables": "cables of all drawn links",
    }  # fmt: skip
    number = float(value) if isinstance(value, int) else None
    inputs: Inputs = {"unknown_hosts": result.fabric.unknown_hosts}
    return Explanation(key, number, "", counted.get(name, name), inputs, "the drawing")


def explain_workload(result: Result, key: str, name: str, field: str) -> Explanation:
    """A choice of the plan: given, or a default and its reason."""
    value = result.analysis.workload[name]
    words = name.replace("_", " ")
    asked = getattr(result.findings.workload.plan, name, None)
    source = "given, or the default of a plan" if asked == value else "worked out from the plan"
    told = [note for note in result.findings.resolved.assumptions if words in note.text]
    if told:
        source = "; ".join(f"{note.text} ({note.source})" for note in told)
    number = (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    )
    inputs: Inputs = {name: "–" if value is None else str(value)}
    return Explanation(key, number, "", f"{words} of the plan", inputs, source)


def explain_routing(result: Result, key: str, name: str, field: str) -> Explanation:
    """How paths are picked and what that reaches."""
    routing = result.analysis.routing
    if routing is None:
        raise BadInputError(f'there is no figure "{key}"', "--explain")
    value = getattr(routing, name or "efficiency")
    inputs: Inputs = {"mode": routing.mode, "title": routing.title}
    if routing.seeds is not None:
        inputs |= {"seeds": routing.seeds, "flows": routing.flows_per_connection or 1}
    formulas = {
        "efficiency": "share of their rate that links between switches reach, applied once",
        "median_s": "step time of the median draw of paths",
        "p95_s": "step time that 95 % of the draws stay within",
        "worst_s": "step time of the slowest draw",
    }
    name = name or "efficiency"
    number = float(value) if isinstance(value, int | float) else None
    unit = "s" if name.endswith("_s") else ""
    return Explanation(
        key, number, unit, formulas.get(name, name), inputs, routing.efficiency_source
    )


def explain_unreachable(result: Result, key: str, name: str, field: str) -> Explanation:
    """Demand that has no path."""
    row = result.analysis.unreachable
    inputs: Inputs = {"pairs": row.pairs, "bytes": row.bytes, "example": row.example or "none"}
    value = float(row.pairs if name == "pairs" else row.bytes)
    return Explanation(
        key, value, "" if name == "pairs" else "B",
        "demand between GPUs that no working path joins, over all traffic of a step", inputs,
        "the drawing's working links",
    )  # fmt: skip
