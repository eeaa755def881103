"""Power of devices as a budget counts it."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.engine.types import Bools, Floats
from topoedit.rules.context import Context


def has_optics(context: Context) -> Bools:
    """Devices with a cable that is not passive copper (its ends draw next to nothing)."""
    links = context.links
    active = np.array([m is not None and (m.power_w_end or 1.0) > 0.5 for m in links.media], bool)
    found = np.zeros(len(context.devices), bool)
    if len(links):
        here = active[links.medium]
        found[links.a[here]] = found[links.b[here]] = True
    return found


def budget_kw(context: Context) -> Floats:
    """KW of each device: the maximum, for a switch without optics the typical; NaN if unknown."""
    devices = context.devices
    most = devices.by_type(_maximum)
    typical = devices.by_type(_typical)
    passive = context.is_switch & ~has_optics(context) & ~np.isnan(typical)
    return np.asarray(np.where(passive, typical, most))


def _maximum(kind: DeviceType) -> float:
    return np.nan if kind.power_kw_max is None else kind.power_kw_max


def _typical(kind: DeviceType) -> float:
    return np.nan if kind.power_kw_typical is None else kind.power_kw_typical


def typical_kw(context: Context) -> Floats:
    """KW that each device typically draws; NaN if unknown."""
    return context.devices.by_type(_typical)
