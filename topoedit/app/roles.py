"""Which switch is a leaf, a spine or a core, worked out from what it is connected to."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from topoedit.catalog.types import Kind

HOST_SHARE = 1 / 16  # fewer host cables than this: a manager plugged into a spine
_LEVELS: tuple[Kind, ...] = ("leaf", "spine", "core")


def infer_roles(
    kinds: Mapping[str, Kind], cables: Iterable[tuple[str, str, int]]
) -> dict[str, Kind]:
    """The roles of the nodes of kind `switch`.

    A switch with hosts is a leaf, unless hosts are a small part of its cables and a leaf is beside
    it; the next level are spines, everything above is core. A switch that no leaf reaches stays a
    `switch`.

    Args:
        kinds: kind of every node by key.
        cables: ends and number of cables of each connection.
    """
    hosts: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    beside: dict[str, set[str]] = defaultdict(set)
    unknown = {key for key, kind in kinds.items() if kind == "switch"}
    for a, b, count in cables:
        for here, there in ((a, b), (b, a)):
            if here == there or here not in unknown:
                continue
            total[here] += count
            if kinds[there] in ("server", "storage"):
                hosts[here] += count
            elif there in unknown:
                beside[here].add(there)
    leaves = {key for key in unknown if hosts[key] and hosts[key] >= HOST_SHARE * total[key]}
    leaves |= {key for key in unknown if hosts[key] and not beside[key] & leaves}
    return _levels(leaves, beside)


def _levels(leaves: set[str], beside: Mapping[str, set[str]]) -> dict[str, Kind]:
    roles: dict[str, Kind] = dict.fromkeys(leaves, "leaf")
    queue = deque((key, 0) for key in sorted(leaves))
    while queue:
        key, level = queue.popleft()
        above = min(level + 1, len(_LEVELS) - 1)
        for other in sorted(beside.get(key, ())):
            if other not in roles:
                roles[other] = _LEVELS[above]
                queue.append((other, above))
    return roles
