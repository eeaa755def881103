"""Samples of the rules about how servers, leaves, spines and planes are wired."""

from __future__ import annotations

from msgspec.structs import replace

from tests.rules.drawing import Case, Draft, Make, changed, link_at, made
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Ports

RAILS = made("rail-optimized", nodes=8)
UNITS = made("superpod", units=2)
PLANES = made("multi-plane", nodes=8)
TARGET = made("fat-tree", nodes=16, oversubscription=2)
FULL = made("superpod", units=1)


def _to_wrong_leaf(document: Document) -> Edit:
    link = link_at(document, "node-03", "nic2")
    return Edit("Move", put=(replace(link, b=Ports("leaf-7", "40")),))


def _one_spine_cable_less(document: Document) -> Edit:
    link = next(x for x in document.links.values() if x.b.device == "spine-2")
    a, b = link.a.names[:-1], link.b.names[:-1]
    if not a:
        return Edit("Remove", drop=(link.id,))
    ends = {"a": replace(link.a, ports=a[0]), "b": replace(link.b, ports=b[0])}
    return Edit("Cut", put=(replace(link, cables=link.cable_ids[0], **ends),))


def _shared_switch(document: Document) -> Edit:
    link = link_at(document, "node-01", "nic1")
    return Edit("Move", put=(replace(link, b=Ports("leaf-1", "60")),))


def _wanted(make: Make, **targets: float) -> Make:
    named = {name.replace("_", "-"): value for name, value in targets.items()}
    return changed(make, lambda d: Edit("Set", put=(replace(d.settings, targets=named),)))


def _dual(second: str, *, peer: bool = False) -> Make:
    """Two servers with NICs of two ports, on a pair of leaves."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("leaf-1", "generic-switch", "leaf")
        draft.device("leaf-2", "generic-switch", "leaf")
        for number, other in ((1, "leaf-2"), (2, second)):
            draft.device(f"n{number}", "generic-server")
            draft.link(f"n{number}:eth0/1", f"leaf-1:{number}")
            draft.link(f"n{number}:eth0/2", f"{other}:{number + 10}")
        if peer:
            draft.link("leaf-1:30-31", "leaf-2:30-31", id="peer")
        return draft.document()

    return build


def _without_manager(document: Document) -> Edit:
    """The leaves filled, the fabric manager gone."""
    gone = [d for d in document.devices.values() if d.kind == "management"]
    links = [i for d in gone for i in document.links_of(d.id)]
    return Edit("Remove", drop=(*links, *(d.id for d in gone)))


CASES = (
    Case("rail-wiring", RAILS, changed(RAILS, _to_wrong_leaf),
         ("nic2 goes to leaf-7", "nic2 of 7 other servers", "leaf-3")),
    Case("even-spread", UNITS, changed(UNITS, _one_spine_cable_less),
         ("to spine-2", "most pairs of its leaf-spine tier have")),
    Case("planes-isolated", PLANES, changed(PLANES, _shared_switch),
         ("leaf-1 carries planes 0, 1", "2 planes")),
    Case("dual-tor", _dual("leaf-2"), _dual("leaf-1"),
         ("both ports of eth0 of n2 go to leaf-1",), ("n2", "leaf-1")),
    Case("nonblocking-tier", _wanted(TARGET, leaf_spine=3.0), _wanted(TARGET, leaf_spine=1.0),
         (":1, wanted at most 1:1",)),
    Case("oversub-known-good", FULL, TARGET, ("leaf-spine tier", "is 2.00:1")),
    Case("bisection", FULL, TARGET, ("bisection", "50% of full", "leaf-spine")),
    Case("mgmt-port", FULL, made("fat-tree", gpus=256),
         ("all ports of 8 leaves are in use", "no fabric manager")),
    Case("full-su-cabling", UNITS,
         changed(UNITS, lambda d: Edit("Remove", drop=("su2-leaf-8", *d.links_of("su2-leaf-8")))),
         ("has 7 leaves for 32 servers", "the other units have 8")),
)  # fmt: skip
STACKED = _dual("leaf-2", peer=True)
