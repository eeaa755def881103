"""The 41 design rules that were gathered from published designs: where each of them is kept.

Most are rules of this package, some under another's name that says the same; a few can only be
broken by what is counted, not by what is drawn, and are kept there (`bom`).
"""

from __future__ import annotations

import pytest

from tests.rules.drawing import Draft, found
from topoedit.catalog.catalog import Catalog
from topoedit.rules._power import budget_kw
from topoedit.rules.base import rules
from topoedit.rules.context import Context

KEPT = {
    "rail-wiring": "rail-wiring", "rail-exceptions": "rail-exceptions",
    "nonblocking-tier": "nonblocking-tier", "oversub-known-good": "oversub-known-good",
    "ports-2tier": "ports-ltier", "ports-3tier": "ports-ltier", "ports-ltier": "ports-ltier",
    "even-spread": "even-spread", "full-su-cabling": "full-su-cabling", "mgmt-port": "mgmt-port",
    "port-vs-cage": "bom", "cpo-no-module": "cpo-no-module", "breakout-cap": "breakout-cap",
    "cage-power": "cage-power", "dac-reach": "dac-reach", "acc-aec-reach": "acc-aec-reach",
    "aoc-reach": "aoc-reach", "mmf-reach": "mmf-reach", "smf-reach": "smf-reach",
    "twin-fibre-same": "twin-fibre-same", "ihs-rhs": "bom", "lane-mix": "lane-mix",
    "speed-mix": "speed-mix", "nic-pcie": "nic-pcie", "nvlink-domain": "nvlink-domain",
    "nvlink-links": "nvlink-links", "mesh-p2p": "mesh-p2p", "torus-wrap": "torus-wrap",
    "planes-isolated": "planes-isolated", "planes-radix": "ports-ltier", "dual-tor": "dual-tor",
    "rack-power": "rack-power", "gpu-nic-ratio": "gpu-nic-ratio", "tor-blast": "tor-blast",
    "wan-latency": "wan-latency", "sharp-scope": "sharp-scope",
    "switch-power-active": "rack-power", "radix-by-sku": "radix-by-sku",
    "stripe-size": "stripe-size", "rack-feeds": "rack-feeds", "oob-ports": "mgmt-port",
}  # fmt: skip


def test_every_published_rule_is_kept() -> None:
    assert len(KEPT) == 41
    assert set(KEPT.values()) - {"bom"} <= set(rules())


@pytest.mark.parametrize(("medium", "kw"), [("400g-dr4", 12 * 1.72), ("dac-100", 12 * 0.747)])
def test_a_switch_with_optics_counts_at_its_most(medium: str, kw: float, catalog: Catalog) -> None:
    """Twelve QM9700: 20.6 kW with optics, 9.0 kW with passive copper alone."""
    draft = Draft(catalog).group("r1", power_kw=10.0)
    for number in range(12):
        draft.device(f"s{number}", "qm9700", group="r1")
    for number in range(0, 12, 2):
        draft.link(f"s{number}:1", f"s{number + 1}:1", medium=medium, length_m=1.0, gbps=400.0)
    document = draft.document()
    assert budget_kw(Context(document)).sum() == pytest.approx(kw)
    assert bool(found(document, "rack-power")) is (kw > 10)
