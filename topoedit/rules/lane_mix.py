"""Lane speeds of both ends and of the medium agree, or the faster part steps down."""

from __future__ import annotations

from dataclasses import replace

from topoedit.catalog.media import lane_gbps
from topoedit.catalog.types import Medium, Port
from topoedit.rules._choose import advice, better, mend_medium
from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules._tables import SERVER
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.breakout_cap import base_of
from topoedit.rules.context import Context

_NEVER_STEPS_DOWN = 200.0
_QSFP112, _QSFP112_LANE = "QSFP112", 100.0
_ADAPTERS = (
    "ConnectX-7 runs Ethernet from 1 to 200 Gb/s in NRZ lanes too; BlueField-3 takes QSFP112 "
    "modules alone: see which the server has"
)
"""NVIDIA, Linux Kernel Upstream Release Notes v5.18 (speeds of ConnectX-7); NVIDIA
MMA1Z00-NS400-T product specifications, overview (BlueField-3)."""


def _check(context: Context) -> Outcome:
    return judge(context, None, _verdict)


def _verdict(context: Context, row: int) -> Verdict:
    one, other = context.ports(row)
    fabric, medium = context.fabric_of(row), context.medium(row)
    servers = context.devices.kind == SERVER
    row_ends = (int(context.links.a[row]), int(context.links.b[row]))
    verdict: Verdict = None
    for a, b in zip(one, other, strict=True):
        if "scale-up" in (a.role, b.role):
            continue
        ends = zip((a, b), row_ends, strict=True)
        lanes = [_lane(context, port, fabric, device) for port, device in ends]
        known = [lane for lane in lanes if lane is not None]
        if len(known) < 2:
            verdict = Unknown("a port whose lane rate is not known")
            continue
        found = _lanes(a, b, known)
        if found is None and (found := _medium(medium, min(known))) is not None:
            chosen = _choose(context, row)
            found = replace(found, fix=advice(chosen, found.fix), mendable=chosen is not None)
        if found is not None:
            fast = row_ends[known.index(max(known))]
            if not servers[fast]:
                return found
            slower = min(known) < _QSFP112_LANE and max(known) < _NEVER_STEPS_DOWN
            if slower and _QSFP112 in (a.cage_type, b.cage_type):
                return replace(found, severity="info", fix=_ADAPTERS)
            return _milder(found, medium, min(known))
    return verdict


def _choose(context: Context, row: int) -> Medium | None:
    """The usual medium, if it runs the lanes of the ports."""
    fabric, chosen = context.fabric_of(row), better(context, row)
    ends = zip((int(context.links.a[row]), int(context.links.b[row])), context.ports(row),
               strict=True)  # fmt: skip
    lanes = [_lane(context, port, fabric, device) for device, ports in ends for port in ports]
    known = [lane for lane in lanes if lane is not None]
    return None if not known or _medium(chosen, min(known)) is not None else chosen


def _lane(context: Context, port: Port, fabric: str, device: int) -> float | None:
    """Lane rate of a port; one that a split XDR port became keeps its lanes and has fewer of them.

    2 x 400 Gb/s of 800 Gb/s are two lanes of 200G each, not four of 100G.
    """
    own = lane_gbps(port.gbps, fabric)
    kind = context.type_of(device)
    base = base_of(context.catalog, kind)
    if fabric != "InfiniBand" or base is kind or own is None:
        return own
    whole = [lane_gbps(group.gbps, fabric) for group in base.ports if group.role == "any"]
    return max([own, *(lane for lane in whole if lane == _NEVER_STEPS_DOWN)])


def _lanes(a: Port, b: Port, lanes: list[float]) -> Bad | None:
    slow, fast = min(lanes), max(lanes)
    if fast >= _NEVER_STEPS_DOWN > slow:
        return Bad(
            f"{fast:g}G lanes at one end and {slow:g}G lanes at the other: modules of "
            f"{fast:g}G lanes do not step down",
            f"Join ports of {fast:g}G lanes, or ports of {slow:g}G lanes",
        )
    for port in (a, b):
        if port.cage_type == _QSFP112 and slow < _QSFP112_LANE:
            return Bad(
                f"{_QSFP112} port {port.name} has {_QSFP112_LANE:g}G lanes, the other end "
                f"{slow:g}G lanes",
                f"Put a module of {slow:g}G lanes into it if its maker allows that",
                "warning",
            )
    return None


def _milder(found: Bad, medium: Medium | None, lane: float) -> Bad:
    """A NIC whose module has the slower lanes may step down itself; a switch's port does not."""
    if medium is None or medium.lane_gbps != lane:
        return found
    return replace(found, severity="warning", fix=f"Check that the NIC runs {lane:g}G lanes")


def _medium(medium: Medium | None, lane: float) -> Bad | None:
    if medium is None or medium.lane_gbps is None:
        return None
    if lane > medium.lane_gbps:
        return Bad(
            f"{medium.name} is made for lanes of up to {medium.lane_gbps:g}G, the ports run "
            f"{lane:g}G lanes",
            f"Take a medium for {lane:g}G lanes",
        )
    if medium.lane_gbps >= _NEVER_STEPS_DOWN > lane:
        return Bad(
            f"{medium.name} has {medium.lane_gbps:g}G lanes and does not step down to {lane:g}G",
            f"Take a medium for {lane:g}G lanes",
        )
    return None


RULE = Rule(
    id="lane-mix",
    title="Lane speeds of both ends and the medium go together",
    severity="error",
    source=(
        "NVIDIA 800Gb/s XDR Twin-port OSFP Part Numbers (200G-PAM4), 2025, "
        "https://docs.nvidia.com/networking/display/800g200gpam4list; NVIDIA QM97XX 1U NDR "
        "400Gb/s InfiniBand Switch Systems User Manual, Interfaces, 2025, "
        "https://docs.nvidia.com/networking/display/QM97X0PUB/Interfaces"
    ),
    check=_check,
    mend=mend_medium(_verdict, _choose),
)
