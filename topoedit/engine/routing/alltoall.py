"""All-to-all in equal groups without a list of its pairs.

With S and R the bytes that a group's senders and receivers put on each terminal (in units of the
bytes of one pair), the demand between terminals is the outer product of S and R, less the same
product for each scale-up domain, whose pairs stay inside. Groups with equal S and R are worked
out once. With PXN there is one such product for each rail of the receivers: the sender of all
bytes for rail r is the GPU of rail r in the sending server.

Where some GPU has no NIC of its own, or some pair of terminals no path, the pairs are listed
after all, in chunks, so that each lost pair is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from topoedit.engine.routing.colours import hash_columns
from topoedit.engine.routing.sums import chunks, group, merge, positions, starts, sum_by
from topoedit.engine.types import AllToAll, Floats, Flows, Longs

if TYPE_CHECKING:
    from topoedit.engine.routing.router import Router
    from topoedit.engine.routing.tally import Tally

_CHUNK = 4_000_000
_ZERO = 1e-9


@dataclass(frozen=True, eq=False)
class _Members:
    """Members of all groups, flat, with what their rows are called.

    Attributes:
        rank: (M,) ranks.
        group: (M,) group of each.
        domain, unit: (M,) number of (group, scale-up domain) and of (group, unit).
        domain_group, domain_size: group and members of each (group, domain).
        unit_domain, unit_unit, unit_size: (group, domain) number, unit and members of each
            (group, unit).
    """

    rank: Longs
    group: Longs
    domain: Longs
    unit: Longs
    domain_group: Longs
    domain_size: Longs
    unit_domain: Longs
    unit_unit: Longs
    unit_size: Longs


@dataclass(frozen=True, eq=False)
class _Side:
    """Weights of terminals in rows, one entry for each (row, terminal), sorted."""

    row: Longs
    terminal: Longs
    weight: Floats


def route_all_to_all(router: Router, tally: Tally, demand: AllToAll, *, pxn: bool) -> None:
    """Add an all-to-all to `tally`."""
    if demand.groups.size == 0 or demand.groups.shape[1] < 2 or demand.pair_bytes <= 0:
        return
    relays = router.relays
    ranks = demand.groups.ravel()
    if not (router.connected and relays.attached[ranks].all()):
        for flows in listed_pairs(demand):
            router.route_flows(tally, flows, pxn=pxn)
        return
    members = _members(demand.groups, router.fabric.gpu_domain.astype(np.int64), relays.unit)
    inside = _inside(router, tally, members, demand.pair_bytes)
    total = demand.groups.size * (demand.groups.shape[1] - 1)
    tally.delivered += (total - inside) * demand.pair_bytes
    if total > inside:
        _outside(router, tally, members, demand, pxn=pxn)


def listed_pairs(demand: AllToAll) -> Iterator[Flows]:
    """The pairs of an all-to-all as flows, in chunks."""
    groups = demand.groups
    size = groups.shape[1]
    step = max(1, _CHUNK // size)
    senders = groups.ravel()
    for low in range(0, len(senders), step):
        at = np.arange(low, min(low + step, len(senders)))
        src = np.repeat(senders[at], size)
        dst = groups[at // size].ravel()
        apart = src != dst
        amount = np.full(int(apart.sum()), demand.pair_bytes)
        yield Flows(src[apart], dst[apart], amount)


def _members(groups: Longs, gpu_domain: Longs, gpu_unit: Longs) -> _Members:
    rank = groups.ravel()
    team = np.repeat(np.arange(len(groups)), groups.shape[1])
    domains, units = int(gpu_domain.max()) + 1, int(gpu_unit.max()) + 1
    domain_key, domain, domain_size = group(team * domains + gpu_domain[rank])
    if units == domains:  # each domain is one server: the two partitions are the same
        first = np.zeros(len(domain_key), np.int64)
        first[domain] = gpu_unit[rank]
        return _Members(
            rank, team, domain, domain, domain_key // domains, domain_size,
            np.arange(len(domain_key)), first, domain_size,
        )  # fmt: skip
    unit_key, first, unit, unit_size = np.unique(
        team * units + gpu_unit[rank], return_index=True, return_inverse=True, return_counts=True
    )
    return _Members(
        rank, team, domain, unit, domain_key // domains, domain_size,
        domain[first], unit_key % units, unit_size,
    )  # fmt: skip


def _inside(router: Router, tally: Tally, members: _Members, pair_bytes: float) -> int:
    """Pairs that stay in a scale-up domain; returns how many there are."""
    others = members.domain_size[members.domain] - 1
    count = int(others.sum())
    if not count:
        return 0
    star = router.scale_up.star[members.rank]
    gpus = len(router.scale_up.star)
    weight = np.where(star, others * pair_bytes, 0.0)
    amount = sum_by(members.rank, weight, gpus)
    tally.add("inside", amount, amount)
    tally.delivered += float(amount.sum())
    rest = np.flatnonzero(~star & (others > 0))
    for src, dst in _pairs_by_row(members.rank[rest], members.domain[rest]):
        router.inside_domains(tally, src, dst, np.full(len(src), pair_bytes))
    return count


def _pairs_by_row(rank: Longs, row: Longs) -> Iterator[tuple[Longs, Longs]]:
    """Ordered pairs of different ranks of the same row, in chunks."""
    order = np.argsort(row, kind="stable")
    rank, row = rank[order], row[order]
    start = np.searchsorted(row, row, "left")
    size = np.searchsorted(row, row, "right") - start
    for part in chunks(size, _CHUNK):
        here, other = positions(start[part], size[part])
        here += part.start
        apart = here != other
        yield rank[here[apart]], rank[other[apart]]


# -- over the network ------------------------------------------------------------------------------


def _outside(
    router: Router, tally: Tally, members: _Members, demand: AllToAll, *, pxn: bool
) -> None:
    """Pairs that cross the network."""
    relays = router.relays
    rail = relays.rail[members.rank] if pxn else np.zeros(len(members.rank), np.int64)
    rails = relays.rails if pxn else 1
    if pxn and not (rail != rail[0]).any():
        rail, rails = np.zeros_like(rail), 1
    at_rail = np.bincount(
        members.domain * rails + rail, minlength=len(members.domain_size) * rails
    ).reshape(-1, rails)
    group_rail = np.zeros((len(demand.groups), rails), at_rail.dtype)
    np.add.at(group_rail, members.domain_group, at_rail)
    beyond = group_rail[members.domain_group] - at_rail
    if rails == 1:
        sender = _own_senders(members, rail)
    else:
        sender = _relayed_senders(router, tally, members, demand, rail, beyond)
    _load(router, tally, members, sender, rail, beyond, demand.pair_bytes)


@dataclass(frozen=True, eq=False)
class _Senders:
    """Who puts bytes on the network: rank, (group, domain), rail of the receivers, weight."""

    rank: Longs
    domain: Longs
    rail: Longs
    weight: Floats


def _own_senders(members: _Members, rail: Longs) -> _Senders:
    return _Senders(members.rank, members.domain, rail, np.ones(len(rail)))


def _relayed_senders(
    router: Router, tally: Tally, members: _Members, demand: AllToAll, rail: Longs, beyond: Longs
) -> _Senders:
    """With PXN: own bytes for the own rail, and those of the server's other GPUs for it."""
    relays = router.relays
    rails = beyond.shape[1]
    wanted = beyond[members.unit_domain] > 0
    in_unit = np.bincount(
        members.unit * rails + rail, minlength=len(members.unit_size) * rails
    ).reshape(-1, rails)
    relayed = (members.unit_size[:, None] - in_unit) * wanted
    row, to_rail = np.nonzero(relayed)
    key = members.unit_unit[row] * rails + to_rail
    there = relays.by_rail.sizes()[key] > 0
    position, relay, share = relays.by_rail.expand(key[there])
    row_there, rail_there = row[there][position], to_rail[there][position]
    weight = relayed[row_there, rail_there] * share
    _relay_legs(router, tally, members, demand, rail, beyond)
    lacking = np.zeros_like(wanted)
    lacking[row[~there], to_rail[~there]] = True
    alone, alone_rail = _without_relay(members, rail, lacking)
    own = np.ones(len(members.rank) + len(alone))
    return _Senders(
        np.concatenate([members.rank, members.rank[alone], relay]),
        np.concatenate([members.domain, members.domain[alone], members.unit_domain[row_there]]),
        np.concatenate([rail, alone_rail, rail_there]),
        np.concatenate([own, weight]),
    )


def _without_relay(members: _Members, rail: Longs, lacking: np.ndarray) -> tuple[Longs, Longs]:
    """Members that send to a rail themselves since their server has no GPU there."""
    if not lacking.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    member, to_rail = np.nonzero(lacking[members.unit])
    other = rail[member] != to_rail
    return member[other], to_rail[other]


def _relay_legs(
    router: Router, tally: Tally, members: _Members, demand: AllToAll, rail: Longs, beyond: Longs
) -> None:
    """Load the scale-up legs from each GPU to those that relay for it."""
    relays, scale_up = router.relays, router.scale_up
    rails, gpus = beyond.shape[1], len(scale_up.star)
    sizes = relays.by_rail.sizes().reshape(-1, rails)[members.unit_unit]
    relayed = np.where(sizes > 0, beyond[members.unit_domain], 0) * demand.pair_bytes
    star = scale_up.star[members.rank]
    own = relayed[members.unit, rail]
    sent = np.where(star, relayed.sum(axis=1)[members.unit] - own, 0.0)
    in_unit = sum_by(members.unit * rails + rail, star, len(relayed) * rails).reshape(-1, rails)
    star_size = in_unit.sum(axis=1)
    row, to_rail = np.nonzero(((star_size[:, None] - in_unit) > 0) & (relayed > 0))
    position, relay, share = relays.by_rail.expand(members.unit_unit[row] * rails + to_rail)
    row, to_rail = row[position], to_rail[position]
    taken = (star_size[row] - in_unit[row, to_rail]) * relayed[row, to_rail] * share
    received = sum_by(relay, taken, gpus)
    tally.add("inside", sum_by(members.rank, sent, gpus), received)
    rest = np.flatnonzero(~star)
    member, to_rail = np.nonzero(relayed[members.unit[rest]] > 0)
    other = rail[rest[member]] != to_rail
    member, to_rail = rest[member[other]], to_rail[other]
    if not len(member):
        return
    key = members.unit_unit[members.unit[member]] * rails + to_rail
    position, relay, share = relays.by_rail.expand(key)
    amount = relayed[members.unit[member[position]], to_rail[position]] * share
    scale_up.route(tally, members.rank[member[position]], relay, amount)


def _load(
    router: Router, tally: Tally, members: _Members, sender: _Senders, rail: Longs,
    beyond: Longs, pair_bytes: float,
) -> None:  # fmt: skip
    """Load chains and graph with what the senders put on the network."""
    gpus, rails = len(router.scale_up.star), beyond.shape[1]
    size = np.bincount(members.group)
    outside = size[members.group] - members.domain_size[members.domain]
    received = pair_bytes * sum_by(members.rank, outside, gpus)
    partners = sender.weight * beyond[sender.domain, sender.rail]
    sent = pair_bytes * sum_by(sender.rank, partners.astype(np.float64), gpus)
    tally.add("network", sent, received)
    terminal = router.attachment.terminal_of
    count = len(router.graph.terminal_class)
    sender_group = members.domain_group[sender.domain]
    rows = [(sender_group, members.group, 1.0), (sender.domain, members.domain, -1.0)]
    found = []
    for out_row, in_row, sign in rows:
        out = _side(out_row * rails + sender.rail, terminal[sender.rank], sender.weight, count)
        into = out
        if sender.rank is not members.rank:
            ones = np.ones(len(rail))
            into = _side(in_row * rails + rail, terminal[members.rank], ones, count)
        key, value = _outer(out, into, count)
        found.append((key, sign * value))
    keys, values = zip(*found, strict=True)
    key, value = merge(np.concatenate(keys), np.concatenate(values), count * count)
    src, dst = key // count, key % count
    kept = (value > _ZERO * value.max(initial=0)) & (src != dst)
    router.add_pairs(tally, src[kept], dst[kept], value[kept] * pair_bytes)


def _side(row: Longs, terminal: Longs, weight: Floats, count: int) -> _Side:
    space = (int(row.max(initial=-1)) + 1) * count
    key, total = merge(row * count + terminal, weight, space)
    return _Side(key // count, key % count, total)


def _outer(out: _Side, into: _Side, count: int) -> tuple[Longs, Floats]:
    """Sum over rows of the outer products of both sides: keys `out * count + in`, values.

    Rows with equal sides are worked out once.
    """
    rows = int(max(out.row.max(initial=-1), into.row.max(initial=-1))) + 1
    first_out = starts(out.row, rows)
    first_in = first_out if into is out else starts(into.row, rows)
    used = np.flatnonzero((np.diff(first_out) > 0) & (np.diff(first_in) > 0))
    if not len(used):
        return np.zeros(0, np.int64), np.zeros(0)
    same = _row_hash(out, first_out)[used]
    if into is not out:
        same = hash_columns(same, _row_hash(into, first_in)[used]).view(np.int64)
    _, pick, times = np.unique(same, return_index=True, return_counts=True)
    row = used[pick]
    entry, sender = positions(first_out[row], np.diff(first_out)[row])
    degree = np.diff(first_in)[row][entry]
    keys, values = [], []
    for part in chunks(degree, _CHUNK):
        here, receiver = positions(first_in[row][entry[part]], degree[part])
        here += part.start
        weight = out.weight[sender[here]] * into.weight[receiver] * times[entry[here]]
        at = out.terminal[sender[here]] * count + into.terminal[receiver]
        key, value = merge(at, weight, count * count)
        keys.append(key)
        values.append(value)
    return np.concatenate(keys), np.concatenate(values)


def _row_hash(side: _Side, first: Longs) -> Longs:
    """A hash of each row's entries; 0 for an empty row."""
    one = hash_columns(side.terminal, side.weight)
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(one, dtype=np.uint64)])
    return np.asarray((total[first[1:]] - total[first[:-1]]).view(np.int64))
