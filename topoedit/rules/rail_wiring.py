"""NIC i of every server of a unit goes to the same leaf; no NIC is left out that its like has.

A unit is a set of leaves that most of its servers share. The leaf of a port is the one most servers
of the unit, of the same type, plug that port into, so a wrong cable stands out. Fewer leaves than
NICs are fine as long as all servers do alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from topoedit.engine.types import Bools, Longs
from topoedit.model.connect import free_ports
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Link, Ports
from topoedit.model.ports import expand
from topoedit.rules._clusters import most_common
from topoedit.rules._tables import distinct, distinct_pairs
from topoedit.rules._words import count, some
from topoedit.rules.base import Finding, Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context, HostCables

_PATTERN = 0.75
"""Least share of cables that follow the pattern; with fewer there is no rail wiring to break."""
_SHOWN = 200


@dataclass(frozen=True, eq=False)
class _Expected:
    """The usual leaf of each (team, port slot) in use, sorted by key = team x slots + slot."""

    key: Longs
    leaf: Longs
    times: Longs
    slots: int

    def leaf_of(self, key: Longs) -> Longs:
        """The usual leaf of keys that occur."""
        return self.leaf[np.searchsorted(self.key, key)]


def _check(context: Context) -> Outcome:
    hosts = context.hosts
    if not len(hosts.cable):
        return Outcome()
    works = context.cables.works[hosts.cable]
    slots = int(hosts.slot.max()) + 1
    key = _team(context, hosts) * slots + hosts.slot
    keys, leaf, times = most_common(key, hosts.leaf)
    expected = _Expected(keys, leaf, times, slots)
    wrong = hosts.leaf != expected.leaf_of(key)
    share = 1 - float(wrong.mean())
    total = len(hosts.cable)
    if share < _PATTERN:
        why = (
            f"only {share:.0%} of {total} host cables go where most of their unit's do: "
            "no rail wiring to check"
        )
        return outcome(unchecked=[why])
    problems = [
        *_misplaced(context, hosts, expected, np.flatnonzero(wrong), key),
        *_out_of_service(context, hosts, np.flatnonzero(~works)),
        *_missing(context, hosts, expected, key),
    ]
    return outcome(problems, total)


def _team(context: Context, hosts: HostCables) -> Longs:
    """For each cable the servers of one type in one unit, which should be wired alike."""
    types = len(context.devices.types)
    return hosts.own_unit.astype(np.int64) * types + context.devices.type[hosts.server]


def _misplaced(
    context: Context, hosts: HostCables, expected: _Expected, wrong: Longs, key: Longs
) -> Iterator[Problem]:
    for at in wrong[:_SHOWN].tolist():
        row, leaf = int(hosts.leaf[at]), int(expected.leaf_of(key[at : at + 1])[0])
        port = context.links.runs.ports[int(hosts.port[at])]
        like = int(expected.times[np.searchsorted(expected.key, key[at])])
        link = int(context.cables.link[hosts.cable[at]])
        server = context.name(int(hosts.server[at]))
        yield Problem(
            (context.link(link).id, *context.ids([row, leaf])),
            f"{server}:{port.name} goes to {context.name(row)}, {port.name} of "
            f"{count(like, 'other server')} of the unit to {context.name(leaf)}",
            f"Move the cable to a free port of {context.name(leaf)}",
            mendable=context.link(link).count == 1,
        )
    if len(wrong) > _SHOWN:
        rows = np.unique(context.cables.link[hosts.cable[wrong[_SHOWN:]]])
        text = f"{len(wrong) - _SHOWN} more host cables go to another leaf than most of their unit"
        yield Problem(context.link_ids(rows), text)


def _out_of_service(context: Context, hosts: HostCables, broken: Longs) -> Iterator[Problem]:
    """Host cables that are marked as failed, by link."""
    links, numbers = np.unique(context.cables.link[hosts.cable[broken]], return_counts=True)
    for link, number in zip(links.tolist(), numbers.tolist(), strict=True):
        total = context.link(link).count
        yield Problem(
            (context.link(link).id,),
            f"{context.link_name(link)}: {number} of {count(total, 'cable')} out of service",
            "Replace the cable and clear its mark",
        )


def _missing(
    context: Context, hosts: HostCables, expected: _Expected, key: Longs
) -> Iterator[Problem]:
    """Ports without a cable that most servers of the unit have one in."""
    servers, first = np.unique(hosts.server, return_index=True)
    unit = _team(context, hosts)[first]
    size = np.bincount(unit[unit >= 0], minlength=int(unit.max(initial=0)) + 1)
    expected_unit, slot = expected.key // expected.slots, expected.key % expected.slots
    in_unit = _cabled(hosts, expected, key)
    usual = (expected_unit >= 0) & (in_unit * 2 > size[np.maximum(expected_unit, 0)])
    need = np.bincount(expected_unit[usual], minlength=len(size))
    have = distinct(hosts.server.astype(np.int64) * expected.slots + hosts.slot)
    owned = have // expected.slots
    own_unit = unit[np.searchsorted(servers, owned)]
    wanted = _occurs(own_unit * np.int64(expected.slots) + have % expected.slots,
                     expected.key[usual])  # fmt: skip
    got = np.bincount(np.searchsorted(servers, owned[wanted]), minlength=len(servers))
    short = np.flatnonzero((unit >= 0) & (got < need[np.maximum(unit, 0)]))
    for at in short[:_SHOWN].tolist():
        mine = set((have[owned == servers[at]] % expected.slots).tolist())
        chosen = usual & (expected_unit == unit[at])
        pairs = zip(slot[chosen].tolist(), expected.leaf[chosen].tolist(), strict=True)
        lost = [(s, leaf) for s, leaf in pairs if s not in mine]
        yield _lacks(context, hosts, int(servers[at]), lost, int(size[unit[at]]) - 1)


def _cabled(hosts: HostCables, expected: _Expected, key: Longs) -> Longs:
    """How many servers have a cable in each (unit, slot)."""
    pairs = distinct_pairs(key, hosts.server)[0]
    return np.asarray(np.bincount(np.searchsorted(expected.key, pairs),
                                  minlength=len(expected.key)))  # fmt: skip


def _occurs(values: Longs, among: Longs) -> Bools:
    """Which values occur in a sorted array."""
    if not len(among):
        return np.zeros(len(values), bool)
    at = np.minimum(np.searchsorted(among, values), len(among) - 1)
    return np.asarray(among[at] == values)


def _lacks(
    context: Context, hosts: HostCables, server: int, lost: list[tuple[int, int]], others: int
) -> Problem:
    kind = context.type_of(server)
    names = [context.slot_name(server, slot) for slot, _ in lost]
    leaves = [context.name(leaf) for _, leaf in lost]
    return Problem(
        context.ids([server, *(leaf for _, leaf in lost)]),
        f"{context.name(server)}: {some(names, 8)} {'has' if len(lost) == 1 else 'have'} no cable; "
        f"on {count(others, 'other server')} of the unit most have one, to {some(leaves, 8)}",
        f"Connect {some(names, 8)} to {some(leaves, 8)}",
        mendable=len(lost) == 1 and not kind.open_ports,
    )


def _mend(document: Document, finding: Finding) -> Edit | None:
    """Move a cable to the leaf of its rail, or connect the port that lacks one."""
    first = document.element(finding.elements[0])
    leaf = document.devices.get(finding.elements[-1])
    if leaf is None:
        return None
    if isinstance(first, Link) and len(finding.elements) == 3:
        return _moved(document, first, finding.elements[1], leaf)
    return _connected(document, first, leaf) if isinstance(first, Device) else None


def _moved(document: Document, link: Link, wrong: str, leaf: Device) -> Edit | None:
    free = free_ports(document, leaf)
    if not free or link.count != 1 or wrong not in (link.a.device, link.b.device):
        return None
    end = Ports(leaf.id, free[0].name)
    moved = replace(link, a=end) if link.a.device == wrong else replace(link, b=end)
    return Edit(f"Move {link.id} to {leaf.name}", put=(moved,))


def _connected(document: Document, server: Device, leaf: Device) -> Edit | None:
    from topoedit.model.connect import Cabling, connect

    pattern = next((document.links[i] for i in document.links_of(server.id)), None)
    used = document.ports_in_use(server.id)
    kind = document.device_type(server)
    free = free_ports(document, leaf)
    names = [p.name for p in kind.port_list if p.role == "compute" and p.name not in used]
    if not free or pattern is None:
        return None
    wanted = [n for n in names if _goes_to(document, server, n, leaf)]
    if len(wanted) != 1:
        return None
    cabling = Cabling(gbps=pattern.gbps, medium=pattern.medium, length_m=pattern.length_m)
    return connect(document, server.id, leaf.id, ports=(wanted[0], free[0].name), cabling=cabling)


def _goes_to(document: Document, server: Device, port: str, leaf: Device) -> bool:
    """Whether that port of some server of the same type goes to that leaf."""
    for link_id in document.links_of(leaf.id):
        link = document.links[link_id]
        other = document.devices[link.other(leaf.id)]
        if other.type == server.type and port in expand(link.end_at(other.id).ports):
            return True
    return False


RULE = Rule(
    id="rail-wiring",
    title="NIC i of every server of a unit goes to the same leaf",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023, "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/; "  # noqa: E501
        "NVIDIA InfiniBand Cluster Bring-up Procedure, Setting the Topology, 2024, "
        "https://docs.nvidia.com/networking/display/ibclusterbringupprocedure/setting+the+infiniband+cluster+topology"
    ),
    check=_check,
    mend=_mend,
)
