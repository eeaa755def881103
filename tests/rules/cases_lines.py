"""Samples of the rules about protocols, lines between sites and plans."""

from __future__ import annotations

from tests.rules.drawing import Case, Draft, Make, made, pair, with_links, workload
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.elements import Link

RAILS = made("rail-optimized", nodes=8)
SITES = made("multi-site", nodes=2)


def _between_sites(link: Link) -> bool:
    return link.km is not None


def _any(link: Link) -> bool:
    return bool(link.id)


def _one_switch(catalog: Catalog) -> Document:
    """Two hosts on one switch: one broadcast domain."""
    draft = Draft(catalog).device("sw", "sn5600", "leaf")
    for number in (1, 2):
        draft.device(f"n{number}", "dgx-h100")
        draft.link(f"n{number}:nic0", f"sw:{number}", protocol="roce-v1")
    return draft.document()


def _long_line(kind: str) -> Make:
    ports = ("1", "1")
    return pair(kind, kind, ports, km=100.0, gbps=400.0)


CASES = (
    Case("roce-v1-routed", _one_switch, with_links(RAILS, _any, protocol="roce-v1"),
         ("RoCE v1 is not routable",)),
    Case("fibre-channel-path",
         with_links(RAILS, lambda x: x.id == "link-c1", protocol="fibre-channel",
                    network="storage"),
         with_links(RAILS, lambda x: x.id == "link-c1", protocol="fibre-channel"),
         ("never carries traffic between GPUs",), ("link-c1",)),
    Case("wan-latency", pair("sn5600", "sn5600", km=2.0, gbps=400.0), _long_line("qm9700"),
         ("100 km of InfiniBand", "ends at 40 km")),
    Case("internet-sync", with_links(SITES, _between_sites, protocol="internet"),
         with_links(SITES, _between_sites, protocol="internet"),
         ("16 groups of PP 2", "cross the internet"),
         plan=workload(tp=8, dp=1), bad_plan=workload(tp=8, pp=2, cp=1, dp=2,
                                                      rank_order="tp-cp-dp-pp")),
    Case("pp-sites", SITES, SITES, ("PP 2", "span 2 sites"),
         plan=workload(tp=8, pp=2, dp=1), bad_plan=workload(tp=8, pp=2)),
    Case("tp-domain", RAILS, RAILS,
         ("TP 16: 4 groups of 4 span 2 scale-up domains of 8 GPUs", "450 GB/s", "50.0 GB/s",
          "9.0 times less"),
         plan=workload(tp=8), bad_plan=workload(tp=16)),
    Case("ep-servers", RAILS, RAILS,
         ("EP 64: 1 group of 1 span 8 scale-up domains, more than 4",),
         plan=workload("deepseek-v3", tp=1, ep=32), bad_plan=workload("deepseek-v3", tp=1, ep=64)),
    Case("sharp-scope", RAILS, made("rail-optimized", nodes=8, leaf="sn5600", spine="sn5600"),
         ("DP shall use collnet", "switches"),
         plan=workload(tp=8, algorithms={"DP": "collnet"}),
         bad_plan=workload(tp=8, algorithms={"DP": "collnet"})),
    Case("mesh-p2p", made("rail-optimized", system="mi300x-ubb8", nodes=4),
         made("rail-optimized", system="mi300x-ubb8", nodes=4),
         ("TP 4", "full mesh", "192 GB/s", "448"),
         plan=workload(tp=8), bad_plan=workload(tp=4)),
)  # fmt: skip
