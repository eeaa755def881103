"""Max-min fair sharing of links by progressive filling, for phases and jobs that run at once.

All flows grow at the same pace until a link is full; the flows on it stop there, the others go on
(Bertsekas and Gallager, Data Networks, section 6.5.2). For one synchronous collective the fullest
link's bytes over capacity are the phase time already; this is for several that share links, where
it matters which of them finishes when.

Flows are rows of a sparse matrix given as three columns: flow, link, and the share of the flow's
rate that the link carries (less than 1 where it splits). A flow that stands for n equal ones gets
weight n, or it would be treated as a single one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.routing.colours import hash_columns
from topoedit.engine.types import Bools, EdgeLoad, Floats, Longs

_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Sharing:
    """Who uses which link.

    Attributes:
        flow, link: (N,) entry i says that `flow[i]` uses `link[i]`.
        share: (N,) bytes on the link for each byte of the flow.
        capacity: (L,) bytes/s.
        weight: (F,) number of equal flows each row stands for.
    """

    flow: Longs
    link: Longs
    share: Floats
    capacity: Floats
    weight: Floats

    def used(self, rate: Floats) -> Floats:
        """(L,) bytes/s on each link at these (F,) rates."""
        value = self.share * rate[self.flow]
        return np.asarray(np.bincount(self.link, weights=value, minlength=len(self.capacity)))


def max_min_rates(sharing: Sharing, active: Bools | None = None) -> Floats:
    """(F,) fair rates in bytes/s, the sum over the flows a row stands for.

    Args:
        sharing: flows and links.
        active: (F,) flows that still run; the others get 0. All by default.

    Returns:
        Rates; infinite for a flow that uses no link, 0 for one on a link without capacity.
    """
    flows = len(sharing.weight)
    growing = np.ones(flows, bool) if active is None else active.copy()
    rate = np.zeros(flows)
    room = sharing.capacity.astype(float).copy()
    while growing.any():
        pace = np.where(growing, sharing.weight, 0.0)
        use = sharing.used(pace)
        loaded = use > 0
        if not loaded.any():
            rate[growing] = np.inf
            break
        level = np.full(len(room), np.inf)
        level[loaded] = np.maximum(room[loaded], 0.0) / use[loaded]
        step = float(level.min())
        rate += step * pace
        room -= step * use
        full = level <= step * (1 + _TOLERANCE)
        stopped = np.zeros(flows, bool)
        stopped[sharing.flow[full[sharing.link] & (sharing.share > 0)]] = True
        growing &= ~stopped
    return rate


def finish_times(sharing: Sharing, amount: Floats) -> Floats:
    """(F,) seconds after which each flow is through, rates being shared anew at each end.

    Args:
        sharing: flows and links.
        amount: (F,) bytes of each row.

    Returns:
        Times; infinite for a flow on a link without capacity, 0 for one without bytes.
    """
    left = amount.astype(float).copy()
    done = np.zeros(len(left))
    running = left > 0
    now = 0.0
    while running.any():
        rate = max_min_rates(sharing, running)
        with np.errstate(divide="ignore", invalid="ignore"):
            remaining = np.where(running, left / rate, np.inf)
        remaining[running & np.isinf(rate)] = 0.0
        step = float(remaining.min())
        if not np.isfinite(step):
            done[running] = np.inf
            break
        now += step
        ended = running & (remaining <= step * (1 + _TOLERANCE))
        left -= np.where(running & np.isfinite(rate), rate * step, 0.0)
        done[ended] = now
        running &= ~ended
    return done


def concurrent_times(loads: Sequence[EdgeLoad], capacity: Floats) -> Floats:
    """(P,) seconds in which each of some phases that start together is through.

    A phase's flows advance together, as those of a collective do; phases share a link by bytes/s
    on their busiest links. Edges that all phases load alike are taken together, and edges of
    unknown rate left out, as in the phase time.

    Args:
        loads: what each phase puts on the fabric.
        capacity: (E,) bytes/s of each edge.
    """
    table = np.array([load.bytes for load in loads]).reshape(len(loads), -1)
    used = np.flatnonzero((table > 0).any(axis=0) & ~np.isnan(capacity))
    alike = hash_columns(capacity[used], *table[:, used])
    edge = used[np.unique(alike, return_index=True)[1]]
    table, room = table[:, edge], capacity[edge]
    most = table.max(axis=1, initial=0.0)
    phase, link = np.nonzero(table)
    share = table[phase, link] / most[phase]
    return finish_times(Sharing(phase, link, share, room, np.ones(len(loads))), most)
