"""Parallel planes of a network share no switch, and are alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.engine.types import Longs
from topoedit.rules._tables import NETWORKS, NONE, distinct, distinct_pairs
from topoedit.rules._words import count, some
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    links, devices = context.links, context.devices
    marked = np.flatnonzero((links.plane != NONE) & ~links.planned)
    own = np.flatnonzero((devices.plane != NONE) & context.is_switch)
    if not len(marked) and not len(own):
        return Outcome()
    device = np.concatenate([links.a[marked], links.b[marked], own])
    plane = np.concatenate([links.plane[marked], links.plane[marked], devices.plane[own]])
    switch = context.is_switch[device]
    device, plane = device[switch], plane[switch]
    rows, at = distinct_pairs(device, plane)
    problems = [*_shared(context, rows, at), *_unlike(context, rows, at)]
    return outcome(problems, len(distinct(rows)) + len(marked))


def _shared(context: Context, rows: Longs, planes: Longs) -> Iterator[Problem]:
    switches, number = np.unique(rows, return_counts=True)
    for switch in switches[number > 1].tolist():
        mine = sorted(planes[rows == switch].tolist())
        odd = _fewest(context, switch)
        yield Problem(
            (*context.ids([switch]), *context.link_ids(odd)),
            f"{context.name(switch)} carries planes {some([str(p) for p in mine], 8)}: its loss "
            f"takes down {len(mine)} planes",
            "Give every plane switches of its own",
        )


def _fewest(context: Context, switch: int) -> list[int]:
    """Links of the planes that have the fewest cables on a switch."""
    links = context.links
    at = np.flatnonzero(((links.a == switch) | (links.b == switch)) & (links.plane != NONE))
    if not len(at):
        return []
    planes, number = np.unique(links.plane[at], return_counts=True)
    most = planes[np.argmax(number)]
    return [int(row) for row in at[links.plane[at] != most]]


def _unlike(context: Context, rows: Longs, planes: Longs) -> Iterator[Problem]:
    """Planes of a network that have another number of switches or cables than most."""
    links = context.links
    for network, name in enumerate(NETWORKS):
        here = context.devices.network[rows] == network
        found, switches = np.unique(planes[here], return_counts=True)
        if len(found) < 2:
            continue
        mine = (links.network == network) & (links.plane != NONE) & ~links.planned
        cables = np.bincount(
            links.plane[mine], weights=links.cables[mine], minlength=int(found.max()) + 1
        )[found]
        if len(set(switches.tolist())) == 1 and len(set(cables.tolist())) == 1:
            continue
        sizes = [
            f"plane {p}: {count(int(s), 'switch', 'switches')}, {count(int(c), 'cable')}"
            for p, s, c in zip(found.tolist(), switches.tolist(), cables.tolist(), strict=True)
        ]
        yield Problem(
            context.ids(np.unique(rows[here])),
            f"the planes of the {name} network are not alike: {some(sizes, 8)}",
            "Build every plane the same",
        )


RULE = Rule(
    id="planes-isolated",
    title="Planes share no switch and are alike",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX B300 (Spectrum-X), Network Fabrics, 2025, "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture/scalable-infrastructure-b300/latest/network-fabrics.html; "  # noqa: E501
        "Public notes on the MRC paper, 2026, https://arxiv.org/abs/2605.04333"
    ),
    check=_check,
)
