"""Split ports do not exceed what the box allows: logical ports and total rate of its type."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.rules._words import count, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_DATA = ("any", "fabric", "compute")
_SWITCHES = ("leaf", "spine", "core", "switch", "router")


def _check(context: Context) -> Outcome:
    problems: list[Problem] = []
    checked, unknown = 0, []
    for code, kind in enumerate(context.devices.types):
        rows = np.flatnonzero(context.devices.type == code)
        if kind.kind not in _SWITCHES or not kind.ports or kind.open_ports:
            continue
        base = base_of(context.catalog, kind)
        if base.logical_ports is None:
            unknown.append(kind.name)
            continue
        checked += len(rows)
        text = _over(kind, base)
        if text:
            fix = f"Split the ports of {base.name} at most {_splits(base)}"
            name = f"{count(len(rows), 'device')} such as {context.name(int(rows[0]))}"
            problems.append(Problem(context.ids(rows), f"{name}: {text}", fix))
    why = f"the port limit of {', '.join(unknown)} is not known" if unknown else ""
    return outcome(problems, checked, [why])


def base_of(catalog: Catalog, kind: DeviceType) -> DeviceType:
    """The catalogue's entry that a type was split from, else the type itself."""
    if kind.id in catalog.devices:
        return catalog.devices[kind.id]
    bases = [name for name in catalog.devices if kind.id.startswith(f"{name}-")]
    return catalog.devices[max(bases, key=len)] if bases else kind


def _over(kind: DeviceType, base: DeviceType) -> str:
    ports = [port for port in kind.port_list if port.role in _DATA]
    limit = base.logical_ports or 0
    if len(ports) > limit:
        return f"{len(ports)} split ports, {base.name} offers {limit} logical ports"
    total = sum(port.gbps or 0.0 for port in ports)
    if base.tbps_dir is not None and total > base.tbps_dir * 1000 * 1.001:
        return f"ports add up to {rate(total)}, {base.name} forwards {rate(base.tbps_dir * 1000)}"
    return ""


def _splits(base: DeviceType) -> str:
    listed = [f"{split} ({ports} ports)" for split, ports in base.breakouts.items()]
    return ", ".join(listed) or f"into {base.logical_ports} ports"


RULE = Rule(
    id="breakout-cap",
    title="Split ports stay within the box's limits",
    severity="error",
    source=(
        "NVIDIA SN5000 (Spectrum-4) Hardware User Manual, Data Interfaces, 2026, "
        "https://docs.nvidia.com/networking/display/sn5000/data+interfaces"
    ),
    check=_check,
)
