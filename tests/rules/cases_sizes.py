"""Samples of the rules about sizes of networks, and of cables that nobody sells."""

from __future__ import annotations

from tests.rules.drawing import Case, Draft, Make, made
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, PortGroup
from topoedit.model.document import Document

BOX = DeviceType(
    id="box", name="Box", source="test", kind="leaf", ports=(PortGroup(count=4, gbps=100),)
)


def _tiers(leaves: int, below: int) -> Make:
    """Leaves of four ports with some of them down, one up to a spine of four ports."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("spine-1", BOX, "spine")
        for leaf in range(1, leaves + 1):
            draft.device(f"leaf-{leaf}", BOX).link(f"leaf-{leaf}:4", f"spine-1:{leaf}")
            draft.device(f"n{leaf}", "generic-server")
            for port in range(1, below + 1):
                draft.link(f"n{leaf}:eth{port}", f"leaf-{leaf}:{port}", gbps=100.0)
        return draft.document()

    return build


def _stripe(servers: int) -> Make:
    """Two rail leaves of four ports, one going up."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("spine-1", BOX, "spine")
        for leaf in (1, 2):
            draft.device(f"leaf-{leaf}", BOX).link(f"leaf-{leaf}:4", f"spine-1:{leaf}")
            for server in range(1, servers + 1):
                if leaf == 1:
                    draft.device(f"n{server}", "generic-server")
                draft.link(f"n{server}:eth{leaf}", f"leaf-{leaf}:{server}", gbps=100.0)
        return draft.document()

    return build


def _spread(*leaves: int) -> Make:
    """Two servers whose eight NICs go to the given leaves."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog)
        for leaf in sorted(set(leaves)):
            draft.device(f"leaf-{leaf}", "qm9700", "leaf")
        for number in (1, 2):
            draft.device(f"n{number}", "dgx-h100")
            for nic, leaf in enumerate(leaves):
                draft.link(f"n{number}:nic{nic}", f"leaf-{leaf}:{8 * number + nic}", gbps=400.0)
        return draft.document()

    return build


def _reducing(spine: str) -> Make:
    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("leaf-1", "qm9700", "leaf").device("spine-1", spine, "spine")
        return draft.link("leaf-1:1", "spine-1:1", gbps=400.0).document()

    return build


def twins(*pairs: tuple[str, str], medium: str = "dac-100") -> Make:
    """Cables between QM9700s, whose cages hold two ports each."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog)
        for name in ("a", "b", "c"):
            draft.device(name, "qm9700")
        for one, other in pairs:
            draft.link(one, other, medium=medium, length_m=2.0, gbps=400.0)
        return draft.document()

    return build


STRAIGHT = twins(("a:1-2", "b:1-2"), ("a:3", "c:1"))
CROSSED = twins(("a:1", "b:1"), ("a:2", "c:1"), ("a:3", "b:2"), ("a:4", "c:2"))
CASES = (
    Case("ports-ltier", _tiers(4, 2), _tiers(4, 3),
         ("12 endpoints of 100 Gb/s on 2 tiers of switches with 4 such ports", "8 is the most"),
         ("spine-1",)),
    Case("stripe-size", _stripe(2), _stripe(3),
         ("2 leaves such as leaf-1: 3 servers bring 300 Gb/s to 400 Gb/s", "takes 2 servers"),
         ("leaf-1", "leaf-2")),
    Case("rail-exceptions", _spread(1, 1, 2, 2, 3, 3, 4, 4), _spread(1, 1, 1, 2, 2, 2, 3, 3),
         ("8 NIC cables over 3 leaves are 3, 3, 2",), ("n1", "n2")),
    Case("sharp-partial", made("superpod", units=1), _reducing("sn5600"),
         ("1 of 2 compute switches (spine-1", "no in-network reduction")),
    Case("twin-cable", STRAIGHT, CROSSED,
         ("fills its cage", "of a go to 2 cages and those of the cage of b to 2 cages")),
)  # fmt: skip
