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
    groups = demand.groups
    if groups.size == 0 or groups.shape[1] < 2 or demand.pair_bytes <= 0:
        return
    if not router.relays.all_attached:
        regular = router.relays.attached[groups].all(axis=1)
        _list(router, tally, AllToAll(groups[~regular], demand.pair_bytes), pxn=pxn)
        groups = groups[regular]
    if not len(groups):
        return
    members = _members(groups, router.fabric.gpu_domain.astype(np.int64), router.relays.unit)
    strict = router.relays.strict
    rails = _rails(router, members, len(groups), pxn=pxn or strict)
    if strict and _closed(router, members, rails, pxn=pxn):
        _list(router, tally, AllToAll(groups, demand.pair_bytes), pxn=pxn)
        return
    senders = _senders(router, members, rails)
    pairs = _terminal_pairs(router, members, rails, senders)
    if router.has_path(pairs.src, pairs.dst):
        _inside(router, tally, members, demand.pair_bytes)
        _outside(router, tally, members, rails, senders, demand.pair_bytes)
        router.add_pairs(tally, pairs.src, pairs.dst, pairs.bytes * demand.pair_bytes)
    else:
        _list(router, tally, AllToAll(groups, demand.pair_bytes), pxn=pxn)


def _closed(router: Router, members: _Members, rails: _Rails, *, pxn: bool) -> bool:
    """Whether strict rails leave some pair without a relay."""
    if rails.count == 1:
        return False
    wanted = rails.beyond[members.unit_domain]
    if not pxn:
        key = members.unit * rails.count + rails.rail
        other = wanted.sum(axis=1)[members.unit] - wanted.ravel()[key]
        return bool(other.any())
    key = members.unit_unit[:, None] * rails.count + np.arange(rails.count)
    return bool((wanted[router.relays.by_rail.sizes()[key] == 0] > 0).any())


def _list(router: Router, tally: Tally, demand: AllToAll, *, pxn: bool) -> None:
    for flows in listed_pairs(demand):
        router.route_flows(tally, flows, pxn=pxn)


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


def _inside(router: Router, tally: Tally, members: _Members, pair_bytes: float) -> None:
    """Pairs that stay in a scale-up domain."""
    others = members.domain_size[members.domain] - 1
    if not others.any():
        return
    star = router.scale_up.star[members.rank]
    weight = np.where(star, others * pair_bytes, 0.0)
    amount = sum_by(members.rank, weight, tally.gpus)
    tally.add("inside", amount, amount)
    tally.delivered += float(amount.sum())
    rest = np.flatnonzero(~star & (others > 0))
    for src, dst in _pairs_by_row(members.rank[rest], members.domain[rest]):
        router.inside_domains(tally, src, dst, np.full(len(src), pair_bytes))


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


@dataclass(frozen=True, eq=False)
class _Rails:
    """Members and receivers by rail; without PXN there is one rail for all.

    Attributes:
        rail: (M,) rail of each member.
        beyond: (group and domain, rail) members of the group on the rail in other domains.
        in_unit: (group and unit, rail) members of the unit on the rail.
    """

    rail: Longs
    beyond: Longs
    in_unit: Longs

    @property
    def count(self) -> int:
        """Number of rails."""
        return int(self.beyond.shape[1])


@dataclass(frozen=True, eq=False)
class _Senders:
    """Who puts bytes on the network: rank, (group, domain), rail of the receivers, weight."""

    rank: Longs
    domain: Longs
    rail: Longs
    weight: Floats


def _rails(router: Router, members: _Members, groups: int, *, pxn: bool) -> _Rails:
    relays = router.relays
    rail, count = np.zeros(len(members.rank), np.int64), 1
    if pxn:
        own = relays.rail[members.rank]
        if (own != own[0]).any():
            rail, count = own, relays.rails
    shape = (len(members.domain_size), count)
    at_rail = np.bincount(members.domain * count + rail, minlength=shape[0] * count).reshape(shape)
    of_group = np.zeros((groups, count), np.int64)
    np.add.at(of_group, members.domain_group, at_rail)
    in_unit = at_rail
    if members.unit is not members.domain:
        size = len(members.unit_size)
        key = members.unit * count + rail
        in_unit = np.bincount(key, minlength=size * count).reshape(size, count)
    return _Rails(rail, of_group[members.domain_group] - at_rail, in_unit)


def _senders(router: Router, members: _Members, rails: _Rails) -> _Senders:
    if rails.count == 1:
        ones = np.ones(len(members.rank))
        return _Senders(members.rank, members.domain, rails.rail, ones)
    relay = _only_relays(router, members, rails)
    if relay is None:
        return _relayed_senders(router, members, rails)
    # the one GPU of each rail sends for all of its unit, itself included
    wanted = (rails.beyond[members.unit_domain] > 0).ravel()
    row, rail = np.divmod(np.flatnonzero(wanted), rails.count)
    weight = members.unit_size[row].astype(np.float64)
    return _Senders(relay.ravel()[wanted], members.unit_domain[row], rail, weight)


def _only_relays(router: Router, members: _Members, rails: _Rails) -> Longs | None:
    """(group and unit, rail) the single relay, if there is just one everywhere."""
    sets = router.relays.by_rail
    key = members.unit_unit[:, None] * rails.count + np.arange(rails.count)
    if not (sets.all_single or (sets.sizes()[key] == 1).all()):
        return None
    return np.asarray(sets.rank[sets.start[key]])


def _relayed_senders(router: Router, members: _Members, rails: _Rails) -> _Senders:
    """With PXN: own bytes for the own rail, and those of the unit's other GPUs for it."""
    relays = router.relays
    others = members.unit_size[:, None] - rails.in_unit
    relayed = others * (rails.beyond[members.unit_domain] > 0)
    row, rail = np.nonzero(relayed)
    key = members.unit_unit[row] * rails.count + rail
    there = relays.by_rail.sizes()[key] > 0
    position, relay, share = relays.by_rail.expand(key[there])
    row_there, rail_there = row[there][position], rail[there][position]
    lacking = np.zeros(relayed.shape, bool)
    lacking[row[~there], rail[~there]] = True
    # members that send to a rail themselves since their unit has no GPU there
    alone, alone_rail = np.nonzero(lacking[members.unit])
    own = np.ones(len(members.rank) + len(alone))
    return _Senders(
        np.concatenate([members.rank, members.rank[alone], relay]),
        np.concatenate([members.domain, members.domain[alone], members.unit_domain[row_there]]),
        np.concatenate([rails.rail, alone_rail, rail_there]),
        np.concatenate([own, relayed[row_there, rail_there] * share]),
    )


def _relay_legs(
    router: Router, tally: Tally, members: _Members, rails: _Rails, pair_bytes: float
) -> None:
    """Load the scale-up legs from each GPU to those that relay for it."""
    sets, scale_up, count = router.relays.by_rail, router.scale_up, rails.count
    keys = members.unit_unit[:, None] * count + np.arange(count)
    wanted = rails.beyond[members.unit_domain]
    if not sets.all_single:
        wanted = np.where(sets.sizes()[keys] > 0, wanted, 0)
    star = scale_up.star[members.rank]
    sent = wanted.sum(axis=1)[members.unit] - wanted[members.unit, rails.rail]
    in_unit = rails.in_unit.astype(np.float64)
    if not scale_up.all_stars:
        sent = sent * star
        key = members.unit * count + rails.rail
        in_unit = sum_by(key, star, in_unit.size).reshape(in_unit.shape)
    taken = (in_unit.sum(axis=1)[:, None] - in_unit) * wanted
    position, relay, share = sets.expand(keys.ravel())
    received = sum_by(relay, taken.ravel()[position] * share, tally.gpus)
    sent_by = sum_by(members.rank, sent.astype(np.float64), tally.gpus)
    tally.add("inside", sent_by * pair_bytes, received * pair_bytes)
    if not scale_up.all_stars:
        _odd_legs(router, tally, members, rails, wanted.astype(np.float64) * pair_bytes)


def _odd_legs(
    router: Router, tally: Tally, members: _Members, rails: _Rails, amount: Floats
) -> None:
    """Scale-up legs in domains that are no stars, one by one."""
    relays, scale_up = router.relays, router.scale_up
    rest = np.flatnonzero(~scale_up.star[members.rank])
    member, rail = np.nonzero(amount[members.unit[rest]] > 0)
    member = rest[member]
    other = rails.rail[member] != rail
    member, rail = member[other], rail[other]
    key = members.unit_unit[members.unit[member]] * rails.count + rail
    position, relay, share = relays.by_rail.expand(key)
    value = amount[members.unit[member[position]], rail[position]] * share
    scale_up.route(tally, members.rank[member[position]], relay, value)


def _outside(
    router: Router, tally: Tally, members: _Members, rails: _Rails, senders: _Senders,
    pair_bytes: float,
) -> None:  # fmt: skip
    """Load the chains, and with PXN the legs to them, for pairs that cross the network."""
    partners = np.bincount(members.group)[members.group] - members.domain_size[members.domain]
    if not partners.any():
        return
    tally.delivered += float(partners.sum()) * pair_bytes
    received = sum_by(members.rank, partners, tally.gpus)
    weight = senders.weight * rails.beyond[senders.domain, senders.rail]
    sent = sum_by(senders.rank, weight.astype(np.float64), tally.gpus)
    tally.add("network", sent * pair_bytes, received * pair_bytes)
    if rails.count > 1:
        _relay_legs(router, tally, members, rails, pair_bytes)


def _terminal_pairs(router: Router, members: _Members, rails: _Rails, senders: _Senders) -> Flows:
    """Demand between unlike terminals, in units of the bytes of one pair."""
    terminal = router.attachment.terminal_of
    count, width = len(router.graph.terminal_class), rails.count
    here, there = terminal[senders.rank], terminal[members.rank]
    keys, values = [], []
    sender_group = members.domain_group[senders.domain]
    rows = ((sender_group, members.group, 1.0), (senders.domain, members.domain, -1.0))
    for out_row, in_row, sign in rows:
        out = _side(out_row * width + senders.rail, here, senders.weight, count)
        into = out
        if senders.rank is not members.rank:
            into = _side(in_row * width + rails.rail, there, np.ones(len(there)), count)
        key, value = _outer(out, into, count)
        keys.append(key)
        values.append(sign * value)
    key, value = merge(np.concatenate(keys), np.concatenate(values), count * count)
    src, dst = key // count, key % count
    kept = (value > _ZERO * value.max(initial=0)) & (src != dst)
    return Flows(src[kept], dst[kept], value[kept])


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
