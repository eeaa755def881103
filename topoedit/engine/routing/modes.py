"""The routing modes by name: how each picks paths, and the share of a link it reaches.

| mode | paths |
|---|---|
| `ecmp` | all shortest paths, split evenly over cables whatever their rate |
| `adaptive` | all shortest paths, split by capacity: adaptive routing, packet spraying |
| `mrc` | as adaptive, over hundreds of paths |
| `hash` | each connection takes one cable a hop by a hash; a distribution over seeds |
| `static` | as ecmp on the rail that the bytes leave by; another rail over scale-up alone |
| `rail-only` | as static, and nothing passes a switch that joins rails |
| `lft` | forwarding tables: one cable a hop for each destination |

The share reached is applied once, on links between switches, where the choice of paths matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import msgspec

from topoedit.engine.calibration import Constant, load_section
from topoedit.engine.routing.hashed import HashedRouter
from topoedit.engine.routing.router import Rails, Router, Weights
from topoedit.engine.routing.tables import TableRouter
from topoedit.engine.types import Demand, EdgeLoad, Fabric
from topoedit.errors import BadInputError

DEFAULT_SEEDS = 100
MOST_SEEDS = 10_000
MOST_FLOWS = 1024


class Routes(Protocol):
    """What a router of any mode does."""

    def route(self, demand: Demand | Iterable[Demand], *, pxn: bool = True) -> EdgeLoad:
        """Bytes on each directed edge."""
        ...


@dataclass(frozen=True, slots=True)
class Mode:
    """A routing mode.

    Attributes:
        name: as on the command line; title: how it picks paths, in words.
        weights, rails: see `Router`.
    """

    name: str
    title: str
    weights: Weights = "cables"
    rails: Rails = "any"


MODES = {
    mode.name: mode
    for mode in (
        Mode("ecmp", "an even split over the cables of all shortest paths"),
        Mode("adaptive", "a split by capacity over all shortest paths", "capacity"),
        Mode("mrc", "packets sprayed by capacity over all shortest paths", "capacity"),
        Mode("hash", "one cable a hop for each connection, picked by a hash"),
        Mode("static", "bytes stay on the rail they leave by", rails="static"),
        Mode("rail-only", "bytes stay on their rail and no switch joins rails", rails="only"),
        Mode("lft", "one cable a hop for each destination, picked by destination modulo uplinks"),
    )
}


def default_mode(network: str) -> str:
    """The mode where none is asked for: ecmp on Ethernet, else adaptive."""
    return "ecmp" if network == "Ethernet" else "adaptive"


class RoutingSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The section `routing` of the calibration file."""

    sources: dict[str, str]
    several_flows: Constant
    efficiency: dict[str, Constant]


@lru_cache(maxsize=1)
def routing_section() -> RoutingSection:
    """The section, checked; raises BadFileError naming the field that is wrong."""
    return load_section("routing", RoutingSection)


@dataclass(frozen=True, slots=True)
class Residual:
    """Share of the rate that a mode reaches on links between switches, and where from."""

    value: float
    source: str


def residual(mode: str, flows_per_connection: int = 1, given: float | None = None) -> Residual:
    """The share of a mode; plain ecmp reaches more with several flows a connection.

    Args:
        mode: a key of MODES.
        flows_per_connection: flows (queue pairs) that each connection is spread over.
        given: the share that a person asks for instead, over 0 and at most 1.

    Raises:
        BadInputError: `given` is no share.
    """
    if given is not None:
        if not 0 < given <= 1:
            raise BadInputError(
                f"{given:g} is no share of a link", "--routing-efficiency", "Give 0.01 to 1"
            )
        return Residual(given, "given")
    section = routing_section()
    several = mode == "ecmp" and flows_per_connection >= section.several_flows
    found = section.efficiency["ecmp-several" if several else mode]
    return Residual(float(found), section.sources[found.origin])


def make_router(
    fabric: Fabric, mode: str, flows_per_connection: int = 1, seeds: int = DEFAULT_SEEDS
) -> Routes:
    """A router of a fabric in one of the modes.

    Args:
        fabric: the fabric.
        mode: a key of MODES.
        flows_per_connection: for `hash`, flows (queue pairs) of each connection.
        seeds: for `hash`, draws of the distribution.

    Raises:
        BadInputError: an unknown mode, or a number out of bounds.
    """
    found = MODES.get(mode)
    if found is None:
        raise BadInputError(
            f'there is no routing "{mode}"', "--routing", f"Known: {', '.join(MODES)}"
        )
    _check(flows_per_connection, MOST_FLOWS, "flows per connection", "--flows-per-connection")
    _check(seeds, MOST_SEEDS, "seeds", "--seeds")
    if mode == "hash":
        return HashedRouter(fabric, flows_per_connection, seeds)
    if mode == "lft":
        return TableRouter(fabric)
    return Router(fabric, weights=found.weights, rails=found.rails)


def _check(value: int, most: int, what: str, where: str) -> None:
    if not 1 <= value <= most:
        raise BadInputError(f"{value} {what}", where, f"Give 1 to {most}")
