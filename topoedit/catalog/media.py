"""Cables and optics: how far one reaches, what it carries, and which to take.

Pure functions over `Medium` entries, used by the engine and by the rules alike. Lengths in metres,
rates in Gb/s per direction, delays in seconds. A link beyond the reach of its medium carries
nothing: it is failed, never slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from topoedit.catalog.types import Medium

Verdict = Literal["ok", "warn", "beyond", "unknown"]

# Lane rate of a port by its rate: InfiniBand EDR, HDR, NDR, XDR (IBTA roadmap: four lanes a port).
_INFINIBAND_LANES = {100: 25, 200: 50, 400: 100, 800: 200}
# Ethernet: four lanes to 400G, eight 100G lanes at 800G (IEEE 802.3bm, 802.3cd, 802.3ck, 802.3df),
# eight 200G lanes at 1.6T (IEEE 802.3dj).
_ETHERNET_LANES = {25: 25, 50: 50, 100: 25, 200: 50, 400: 100, 800: 100, 1600: 200}


def lane_gbps(gbps: float | None, fabric: str = "") -> float | None:
    """Lane rate of a port of this rate in Gb/s; None if unknown.

    Without a fabric the answer is given only where InfiniBand and Ethernet agree.
    """
    if gbps is None:
        return None
    infiniband, ethernet = _INFINIBAND_LANES.get(int(gbps)), _ETHERNET_LANES.get(int(gbps))
    if fabric == "InfiniBand":
        return infiniband
    if fabric == "Ethernet":
        return ethernet
    return ethernet if infiniband in (None, ethernet) else None


def reach_m(medium: Medium, lane: float | None = None) -> float | None:
    """The greatest length at which `medium` works; None if that is unknown.

    Args:
        medium: the cable or optics.
        lane: lane rate of the ports in Gb/s; 0 m is the answer above the medium's own lane rate.
    """
    if lane is not None and medium.lane_gbps is not None and lane > medium.lane_gbps:
        return 0.0
    return medium.max_m


def reaches(
    medium: Medium | None,
    length_m: float | None,
    lane: float | None = None,
    *,
    same_rack: bool = True,
) -> Verdict:
    """Whether a link of this length works.

    Returns:
        `beyond` where it cannot work (too long, lanes too fast, or a medium that never leaves the
        rack between racks), `warn` between the medium's warning length and its reach or below its
        shortest length sold, `unknown` where medium, length or reach is not known, else `ok`.
    """
    if medium is None:
        return "unknown"
    if medium.in_rack_only and not same_rack:
        return "beyond"
    reach = reach_m(medium, lane)
    if reach == 0.0:
        return "beyond"
    if length_m is None or reach is None:
        return "unknown"
    if length_m > reach:
        return "beyond"
    if medium.warn_m is not None and length_m > medium.warn_m:
        return "warn"
    return "warn" if medium.min_m is not None and length_m < medium.min_m else "ok"


def usable_gbps(
    medium: Medium | None,
    length_m: float | None,
    ends: Iterable[float | None],
    lane: float | None = None,
    *,
    same_rack: bool = True,
) -> float | None:
    """What one cable carries in Gb/s per direction.

    Args:
        medium: the cable or optics, None if unknown.
        length_m: its length, None if unknown.
        ends: rates of the two ports, and the rate of the link itself if one is stated.
        lane: lane rate of the ports, None to leave it out of account.
        same_rack: whether both ends stand in one rack.

    Returns:
        0 where the link cannot work, else the slowest of the known rates, None if none is known.
    """
    if reaches(medium, length_m, lane, same_rack=same_rack) == "beyond":
        return 0.0
    rates = [rate for rate in ends if rate is not None]
    if medium is not None and medium.gbps is not None:
        rates.append(medium.gbps)
    return min(rates, default=None)


def propagation_s(medium: Medium, length_m: float) -> float | None:
    """Delay along the medium in seconds, one way; None if its speed is unknown."""
    per_m = medium.seconds_per_m
    return None if per_m is None else per_m * length_m


def default_medium(
    gbps: float | None, length_m: float | None, fabric: str, media: Mapping[str, Medium]
) -> str:
    """Id of the cheapest medium that reaches with nothing to warn of; "" if none does.

    Only media with a `preference` are proposed. Without a length or a rate there is no answer.
    """
    if length_m is None or gbps is None:
        return ""
    return next((m.id for m in usual_media(gbps, length_m, fabric, media)), "")


def usual_media(
    gbps: float, length_m: float, fabric: str, media: Mapping[str, Medium]
) -> list[Medium]:
    """Media with a `preference` that reach with nothing to warn of, the cheapest first."""
    return [m for m in _candidates(gbps, fabric, media) if _fits(m, length_m)]


def next_medium_that_reaches(
    medium: Medium, length_m: float, gbps: float | None, fabric: str, media: Mapping[str, Medium]
) -> str:
    """Id of the next medium, dearer than `medium`, that reaches this length; "" if none does."""
    here = -1 if medium.preference is None else medium.preference
    fitting = (
        other
        for other in _candidates(gbps or medium.gbps, fabric, media, medium.lane_gbps)
        if (other.preference or 0) >= here and other.id != medium.id and _fits(other, length_m)
    )
    return next((other.id for other in fitting), "")


def _fits(medium: Medium, length_m: float) -> bool:
    return reaches(medium, length_m) == "ok"


def _candidates(
    gbps: float | None, fabric: str, media: Mapping[str, Medium], lane: float | None = None
) -> list[Medium]:
    lane = lane_gbps(gbps, fabric) or lane
    fitting = [
        medium
        for medium in media.values()
        if medium.preference is not None
        and medium.fabric in ("", fabric)
        and _carries(medium, gbps, lane)
    ]
    return sorted(fitting, key=lambda m: (m.preference or 0, m.max_m or 0, m.gbps or 0))


def _carries(medium: Medium, gbps: float | None, lane: float | None) -> bool:
    if gbps is not None and medium.gbps is not None and medium.gbps < gbps:
        return False
    if medium.lane_gbps is None:
        return medium.gbps in (None, gbps)
    if lane is None:
        return False
    lowest = medium.lane_gbps if medium.lowest_lane_gbps is None else medium.lowest_lane_gbps
    return lowest <= lane <= medium.lane_gbps
