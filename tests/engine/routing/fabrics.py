"""Small fabrics of the usual kinds, some of their cables failed or slow."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from random import Random

import networkx as nx

from tests.engine.routing.drawings import CATALOG, Draft, rails
from topoedit.model.document import Document


def _hosts(draft: Draft, leaf: str, count: int, type_id: str) -> None:
    """Servers with all NICs on one switch."""
    for number in range(count):
        name = draft.device(f"{leaf}-node-{number}", type_id)
        for port in CATALOG.devices[type_id].port_list:
            if port.role == "compute":
                draft.plug(name, port.name, leaf)


def _trunk(draft: Draft, random: Random, a: str, b: str, most: int = 2) -> None:
    """A bundle, maybe partly failed or slow."""
    count = random.randint(1, most)
    failed = random.choice([0, 0, 0, 0, 1, count])
    draft.join(a, b, count, failed=failed, gbps=random.choice([400.0, 400.0, 100.0]))


def torus(random: Random) -> Document:
    """Switches on a torus of two axes, a server each."""
    draft = Draft()
    wide, high = random.randint(2, 4), random.randint(2, 4)
    for x, y in product(range(wide), range(high)):
        draft.device(f"sw-{x}-{y}", "leaf")
        _hosts(draft, f"sw-{x}-{y}", 1, random.choice(["lone", "half"]))
    for x, y in product(range(wide), range(high)):
        _trunk(draft, random, f"sw-{x}-{y}", f"sw-{(x + 1) % wide}-{y}")
        _trunk(draft, random, f"sw-{x}-{y}", f"sw-{x}-{(y + 1) % high}")
    return draft.document()


def dragonfly(random: Random) -> Document:
    """Groups of fully joined switches, one cable between any two groups."""
    draft = Draft()
    groups, routers = random.randint(2, 4), random.randint(2, 3)
    for group in range(groups):
        names = [draft.device(f"g{group}-{n}", "leaf") for n in range(routers)]
        for name in names:
            _hosts(draft, name, 1, "lone")
        for a, b in combinations(names, 2):
            _trunk(draft, random, a, b)
    for number, (a, b) in enumerate(combinations(range(groups), 2)):
        _trunk(draft, random, f"g{a}-{number % routers}", f"g{b}-{(number + 1) % routers}", 1)
    return draft.document()


def fat_tree(random: Random) -> Document:
    """Two pods of leaves and spines under cores."""
    draft = Draft()
    leaves, spines = random.randint(1, 3), random.randint(1, 3)
    cores = [draft.device(f"core-{n}", "core") for n in range(random.randint(1, 4))]
    for pod in range(2):
        tops = [draft.device(f"spine-{pod}-{n}", "spine") for n in range(spines)]
        for number in range(leaves):
            leaf = draft.device(f"leaf-{pod}-{number}", "leaf")
            _hosts(draft, leaf, random.randint(1, 2), random.choice(["lone", "dual"]))
            for top in tops:
                _trunk(draft, random, leaf, top)
        for top in tops:
            for core in cores:
                _trunk(draft, random, top, core)
    return draft.document()


def jellyfish(random: Random) -> Document:
    """A random regular graph of switches."""
    draft = Draft()
    count = random.choice([6, 8, 10])
    graph = nx.random_regular_graph(3, count, seed=random.randrange(1000))
    for number in range(count):
        draft.device(f"sw-{number}", "leaf")
        _hosts(draft, f"sw-{number}", 1, "lone")
    for a, b in graph.edges:
        _trunk(draft, random, f"sw-{a}", f"sw-{b}", 1)
    return draft.document()


def railed(random: Random) -> Document:
    """Servers with a NIC on each rail's leaf, with or without spines, in one unit or two."""
    if random.random() < 0.3:
        return rails(random.randint(2, 4), spines=0, type_id="four").document()
    draft = Draft()
    units = random.randint(1, 2)
    for unit in range(units):
        names = [draft.device(f"node-{unit}-{n}", "four") for n in range(random.randint(1, 3))]
        for rail in range(4):
            leaf = draft.device(f"leaf-{unit}-{rail}", "leaf")
            for name in names:
                draft.plug(name, f"nic{rail}", leaf, failed=random.random() < 0.1)
    own = random.random() < 0.5  # a spine for each rail, or spines that join them
    for number in range(4 if own else random.randint(0, 2)):
        draft.device(f"spine-{number}", "spine")
        for unit, rail in product(range(units), range(4)):
            if not own or rail == number:
                _trunk(draft, random, f"leaf-{unit}-{rail}", f"spine-{number}")
    return draft.document()


FABRICS: dict[str, Callable[[Random], Document]] = {
    "torus": torus,
    "dragonfly": dragonfly,
    "fat-tree": fat_tree,
    "jellyfish": jellyfish,
    "rails": railed,
}
