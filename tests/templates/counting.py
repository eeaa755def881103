"""Counts of a drawing, taken from its links and devices alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from topoedit.app.generate import Generated
from topoedit.model.document import Document

Make = Callable[..., Generated]
TIERS = {
    frozenset(("server", "leaf")): "host-leaf",
    frozenset(("management", "leaf")): "host-leaf",
    frozenset(("leaf", "spine")): "leaf-spine",
    frozenset(("spine", "core")): "spine-core",
}


def kinds(document: Document, network: str = "compute") -> Counter[str]:
    """Devices of a network by kind."""
    return Counter(d.kind for d in document.devices.values() if d.network == network)


def cables(document: Document, network: str = "compute") -> Counter[str]:
    """Cables of a network by tier."""
    found: Counter[str] = Counter()
    for link in document.links.values():
        if link.network == network:
            ends = frozenset(document.devices[e.device].kind for e in (link.a, link.b))
            found[TIERS[ends]] += link.count
    return found


def upward(document: Document) -> dict[str, Counter[str]]:
    """Switch -> cables to each switch of the next tier."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    rank = {"leaf": 1, "spine": 2, "core": 3}
    for link in document.links.values():
        a, b = (document.devices[end.device] for end in (link.a, link.b))
        if link.network != "compute" or a.kind not in rank or b.kind not in rank:
            continue
        low, high = (a, b) if rank[a.kind] < rank[b.kind] else (b, a)
        found[low.id][high.id] += link.count
    return found


def ports_used(document: Document, kind: str) -> Counter[int]:
    """How many devices of a kind use how many ports."""
    return Counter(
        len(document.ports_in_use(d.id)) for d in document.devices.values() if d.kind == kind
    )
