"""Fixes of one click: which rules have one, and what it makes of the drawing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.rules.cases_sizes import CROSSED, twins
from tests.rules.drawing import Draft, Make, found, made, pair, with_links
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.rules.base import Finding, rules
from topoedit.rules.run import fix_edit

NIC = ("1", "nic0")
REACH = {name for name in rules() if name.endswith("-reach")} - {"nvlink-reach"}
OTHERS = {
    "cpo-no-module", "duplicate-name", "even-spread", "fibre-channel-path", "lane-mix",
    "medium-fabric", "network-leak", "port-speed", "rail-wiring", "roce-v1-routed", "twin-cable",
    "wrong-cage",
}  # fmt: skip


def test_rules_with_a_fix() -> None:
    assert {name for name, rule in rules().items() if rule.mend} >= REACH | OTHERS


@pytest.mark.parametrize(
    ("rule", "make", "medium"),
    [
        ("medium-fabric",
         pair("qm9700", "qm9700", medium="aec-100", length_m=2.0, gbps=400.0), "dac-100"),
        ("lane-mix",
         pair("q3400-ra", "q3400-ra", medium="400g-dr4", length_m=20.0, gbps=800.0),
         "800g-dr4-xdr"),
        ("cpo-no-module",
         pair("q3450-ld", "q3450-ld", medium="dac-200", length_m=1.0, gbps=800.0), "800g-dr4-xdr"),
        ("wrong-cage", pair("qm9700", "dgx-h100", NIC, medium="cat6", length_m=2.0, gbps=400.0),
         "dac-100"),
    ],
)  # fmt: skip
def test_links_get_the_usual_medium_that_fits(
    rule: str, make: Make, medium: str, catalog: Catalog
) -> None:
    document = make(catalog)
    mended(document, rule)
    assert [link.medium for link in document.links.values()] == [medium]
    assert found(document, rule) == ()


def mended(document: Document, rule: str) -> tuple[Finding, ...]:
    """Apply the fixes of a rule's findings, each of which must have one."""
    findings = found(document, rule)
    assert findings
    for finding in findings:
        assert finding.mendable, finding.message
        edit = fix_edit(document, finding)
        assert edit is not None, finding.message
        document.apply(edit)
    return findings


def test_copper_run_crosswise_becomes_fibre(catalog: Catalog) -> None:
    document = CROSSED(catalog)
    findings = mended(document, "twin-cable")
    assert [f.elements for f in findings] == [tuple(f"link-c{n}" for n in (1, 2, 3, 4))]
    assert findings[0].message.startswith("4 links such as a:1 – b:1: a plug of DAC")
    media = {catalog.media[link.medium].medium for link in document.links.values()}
    assert not media & {"copper", "fibre"}
    assert found(document, "twin-cable") == ()


def test_optics_of_too_short_a_reach_become_no_active_cable_where_none_fits(
    catalog: Catalog,
) -> None:
    """80 m: an AOC reaches, but between two cages and two others port by port there is none."""
    ports = ((("a:1", "b:1"), ("a:2", "c:1"), ("a:3", "b:2"), ("a:4", "c:2")), "dr-100")
    for pairs, wanted in (ports, ((("a:1-2", "b:1-2"),), "aoc")):
        make = with_links(twins(*pairs, medium="sr-100"), lambda x: True, length_m=80.0)
        document = make(catalog)
        mended(document, "mmf-reach")
        assert {link.medium for link in document.links.values()} == {wanted}


def test_lanes_that_are_swapped_are_no_cable_either(catalog: Catalog) -> None:
    draft = Draft(catalog).device("a", "qm9700").device("b", "qm9700")
    draft.link("a:1", "b:2", medium="dac-100", length_m=1.0, gbps=400.0)
    draft.link("a:2", "b:1", medium="dac-100", length_m=1.0, gbps=400.0)
    (finding,) = found(draft.document(), "twin-cable")
    assert "port 1 of a cage of a goes to port 2 of a cage of b" in finding.message
    assert finding.elements == ("link-c1", "link-c2")


def test_a_rate_above_the_ports_is_set_to_theirs(catalog: Catalog) -> None:
    document = with_links(made("rail-optimized", nodes=8), lambda x: True, gbps=800.0)(catalog)
    mended(document, "port-speed")
    assert {link.gbps for link in document.links.values()} == {400.0}


def test_a_storage_cable_joins_the_storage_network(catalog: Catalog) -> None:
    draft = Draft(catalog).device("a", "qm9700", network="storage").device("b", "dgx-h100")
    document = draft.link("a:1", "b:stor0", network="compute", gbps=400.0).document()
    mended(document, "network-leak")
    assert [link.network for link in document.links.values()] == ["storage"]


def test_names_that_are_mixed_up_get_numbers(catalog: Catalog) -> None:
    draft = Draft(catalog)
    for name in ("leaf-1", "LEAF 1", "leaf_1", "leaf-1-2"):
        draft.device(name, "qm9700")
    document = draft.document()
    mended(document, "duplicate-name")
    names = {device.id: device.name for device in document.devices.values()}
    assert names.pop("leaf-1-2") == "leaf-1-2"
    assert sorted(name[-2:] for name in names.values() if name not in names) == ["-3", "-4"]


def test_a_fix_leaves_what_was_changed_since(catalog: Catalog) -> None:
    make = pair("qm9700", "qm9700", medium="aec-100", length_m=2.0, gbps=400.0)
    document = make(catalog)
    (finding,) = found(document, "medium-fabric")
    (link,) = document.links.values()
    document.apply(Edit("By hand", put=(replace(link, medium="400g-dr4"),)))
    assert fix_edit(document, finding) is None
