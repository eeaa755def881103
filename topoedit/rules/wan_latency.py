"""Lines between sites: delay, bytes in flight, and where long-haul InfiniBand ends."""

from __future__ import annotations

import numpy as np

from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules._words import rate
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context
from topoedit.units import bytes_per_s, format_bytes, format_seconds

_SECONDS_PER_KM = 4.9e-6
_INFINIBAND_KM = 40.0
_FAR_KM = 10.0


def _check(context: Context) -> Outcome:
    links = context.links
    site = context.devices.site
    apart = links.distant | (site[links.a] != site[links.b])
    rows = np.flatnonzero(apart & context.compute)
    columns = (links.metres, links.gbps, context.link_fabric[0])
    return judge(context, rows, _verdict, columns)


def _verdict(context: Context, row: int) -> Verdict:
    km = float(context.links.metres[row]) / 1000
    if np.isnan(km):
        return Unknown("no distance")
    if context.fabric_of(row) == "InfiniBand" and km > _INFINIBAND_KM:
        return Bad(
            f"{km:g} km of InfiniBand, long-haul InfiniBand ends at {_INFINIBAND_KM:g} km",
            "Route between the sites over Ethernet",
        )
    gbps = context.links.gbps[row]
    if km < _FAR_KM or np.isnan(gbps):
        return None
    trip = 2 * km * _SECONDS_PER_KM
    flight = bytes_per_s(float(gbps)) * trip
    return Bad(
        f"{km:g} km take {format_seconds(trip)} there and back: {format_bytes(flight)} in flight "
        f"on each cable of {rate(float(gbps))}",
        "Give senders and switches buffers and windows of that size",
        "info",
    )


RULE = Rule(
    id="wan-latency",
    title="Lines between sites: delay and bytes in flight",
    severity="warning",
    source=(
        "Group index 1.468 of ITU-T G.652 fibre (4.9 us a km one way); S. Bekman, Machine Learning "
        "Engineering Open Book - Network hardware, 2026 (MetroX to 40 km), "
        "https://github.com/stas00/ml-engineering/blob/master/network/README.md"
    ),
    check=_check,
)
