"""Fits the constants on measured rows, and tells how well rows left out are predicted.

Needs scipy (extra `fit`). A constant that no remaining row speaks to keeps its prior: the value
of a neighbour (a network without rows behaves as its neighbour, a generation as NCCL says).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from topoedit.engine.calibration import Constant, Constants
from topoedit.engine.collectives.choose import candidates
from topoedit.engine.collectives.constants import ConstantSet, network_key
from topoedit.engine.collectives.cost import Call
from topoedit.engine.collectives.published import Row
from topoedit.engine.types import Floats

GLOBALS = ("ramp_gain", "ramp_depth", "ring_fill")
GENERATION = ("ring_efficiency", "a2a_efficiency", "nvls_rate", "nvls_latency", "hop_scale")
_LOSS_SCALE = 0.05
_PRIOR_WEIGHT = 0.02
_LARGE = 2.0**20


@dataclass(frozen=True)
class Knob:
    """One constant that is fitted: `owner` is "", a generation or a network."""

    owner: str
    field: str


def knobs(rows: Sequence[Row]) -> list[Knob]:
    """Constants that these rows can determine."""
    made = [Knob("", name) for name in GLOBALS]
    for generation in ("ampere", "hopper", "blackwell"):
        here = [row for row in rows if row.shape is not None and row.shape.generation == generation]
        fields = set(GENERATION) if len(here) >= 5 else set()
        if not any(row.op == "all_to_all" for row in here):
            fields.discard("a2a_efficiency")
        if not any(row.size < _LARGE for row in here):
            fields.discard("hop_scale")
        if generation == "ampere":
            fields -= {"nvls_rate", "nvls_latency"}
        made += [Knob(generation, name) for name in GENERATION if name in fields]
    for network in ("efa1", "efa2"):
        if _speak_of(rows, network):
            made.append(Knob(network, "nic_efficiency"))
        if _speak_of(rows, network, _LARGE):
            made += [Knob(network, "added_small"), Knob(network, "added_large")]
    return made


def _get(constants: ConstantSet, knob: Knob) -> float:
    if not knob.owner:
        return float(getattr(constants, knob.field))
    owners = constants.generations if knob.owner in constants.generations else constants.networks
    value = getattr(owners[knob.owner], knob.field)
    return float(value[0]) if isinstance(value, tuple) else float(value)


def with_values(constants: ConstantSet, values: Mapping[Knob, float]) -> ConstantSet:
    """The set with some constants replaced."""
    top = {k.field: Constant(v) for k, v in values.items() if not k.owner}
    generations, networks = dict(constants.generations), dict(constants.networks)
    for knob, value in values.items():
        if knob.owner in generations:
            old = generations[knob.owner]
            new: object = Constant(value)
            if knob.field == "hop_scale":
                new = Constants((value, *old.hop_scale[1:]))
            generations[knob.owner] = msgspec.structs.replace(old, **{knob.field: new})
        elif knob.owner in networks:
            networks[knob.owner] = msgspec.structs.replace(
                networks[knob.owner], **{knob.field: Constant(value)}
            )
    return msgspec.structs.replace(constants, generations=generations, networks=networks, **top)


def log_errors(rows: Sequence[Row], constants: ConstantSet) -> Floats:
    """(R,) natural logarithm of predicted over measured time."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row.op, row.shape, row.algorithm, row.host), []).append(place)
    out = np.zeros(len(rows))
    for places in groups.values():
        one = rows[places[0]]
        assert one.shape is not None  # noqa: S101 - scored rows have one
        sizes = np.array([rows[p].size for p in places])
        call = Call(one.op, sizes, one.shape, constants, host=one.host)
        times = np.min(np.stack([c.time.total for c in candidates(call, one.algorithm)]), axis=0)
        out[places] = np.log(times / np.array([rows[p].time for p in places]))
    return out


def fit(rows: Sequence[Row], prior: ConstantSet) -> ConstantSet:
    """Constants that fit the rows best, by least squares with a Cauchy loss on log errors.

    A weak pull to the prior keeps what the rows hardly determine.
    """
    from scipy.optimize import least_squares

    chosen = knobs(rows)
    start = np.array([_get(prior, knob) for knob in chosen])

    def residuals(logs: Floats) -> Floats:
        values = dict(zip(chosen, start * np.exp(logs), strict=True))
        errors = log_errors(rows, with_values(prior, values))
        return np.concatenate([errors, _PRIOR_WEIGHT * logs])

    found = least_squares(
        residuals, np.zeros(len(chosen)), loss="cauchy", f_scale=_LOSS_SCALE, diff_step=1e-3,
        max_nfev=25,
    )  # fmt: skip
    return with_values(prior, dict(zip(chosen, (start * np.exp(found.x)).tolist(), strict=True)))


def prior_of(rows: Sequence[Row], fitted: ConstantSet, published: ConstantSet) -> ConstantSet:
    """What is known without the rows: NCCL's figures, and a network's neighbour.

    NCCL's in-switch rate is turned into its port rate at 8 ranks: S (1 + 1/8) instead of 7/8 S.
    A network keeps nothing that only rows of its own could have told: without calls below 1 MiB
    its latency, without any call its efficiency is the neighbour's.
    """
    generations, networks = dict(fitted.generations), dict(fitted.networks)
    for name in ("ampere", "hopper", "blackwell"):
        known, kept = published.generations[name], generations[name]
        changes: dict[str, object] = {
            "ring_efficiency": known.ring_efficiency,
            "a2a_efficiency": known.a2a_efficiency,
            "hop_scale": known.hop_scale,
        }
        if known.nvls_rate is not None:
            changes["nvls_rate"] = Constant(known.nvls_rate * (1 + 1 / 8) / (7 / 8))
            changes["nvls_latency"] = known.nvls_latency
        generations[name] = msgspec.structs.replace(kept, **changes)
    for name, other in (("efa1", "efa2"), ("efa2", "efa1")):
        near = fitted.networks[other]
        if not _speak_of(rows, name):
            networks[name] = near
        elif not _speak_of(rows, name, _LARGE):
            networks[name] = msgspec.structs.replace(
                networks[name], added_small=near.added_small, added_large=near.added_large
            )
    return msgspec.structs.replace(fitted, generations=generations, networks=networks)


def _speak_of(rows: Iterable[Row], network: str, below: float = np.inf) -> bool:
    """Some row ran over this network with fewer bytes than that."""
    return any(
        row.shape is not None
        and row.shape.servers > 1
        and network_key(row.shape) == network
        and row.size < below
        for row in rows
    )


def leave_one_out(
    rows: Sequence[Row], fitted: ConstantSet, published: ConstantSet
) -> dict[str, float]:
    """Row id -> log error of its prediction with its whole set-up left out of the fit."""
    out: dict[str, float] = {}
    for setup in dict.fromkeys(row.setup for row in rows):
        rest = [row for row in rows if row.setup != setup]
        gone = [row for row in rows if row.setup == setup]
        constants = fit(rest, prior_of(rest, fitted, published))
        errors = log_errors(gone, constants)
        out.update(zip((row.id for row in gone), errors.tolist(), strict=True))
    return out
