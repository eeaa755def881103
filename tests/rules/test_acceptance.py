"""What the rules must show on whole drawings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.rules.cases_reach import BETWEEN_RACKS, BETWEEN_RACKS_NO_MEDIUM
from tests.rules.drawing import found, link_at, made
from topoedit import paths
from topoedit.app.check import check
from topoedit.app.open import open_document
from topoedit.catalog.catalog import Catalog
from topoedit.engine.compile import compile_fabric
from topoedit.errors import BadInputError
from topoedit.model.connect import free_ports
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Ports
from topoedit.rules._ratios import tier_ratios
from topoedit.rules.context import Context
from topoedit.rules.run import fix_edit

LAPLINK = paths.samples() / "laplink.topo.json"


def capacity(document: Document, link: str) -> float:
    """Bytes/s per direction of a link in an analysis."""
    fabric = compile_fabric(document)
    row = fabric.link_ids.index(link)
    half = len(fabric.src) // 2
    return float(fabric.capacity[:half][fabric.link[:half] == row].sum())


def test_a_laplink_of_3_m_carries_60_kb_and_one_of_11_m_nothing(catalog: Catalog) -> None:
    document = open_document(LAPLINK, catalog).document
    assert capacity(document, "link-c1") == pytest.approx(60e3)
    assert capacity(document, "link-c2") == 0.0
    report = check(document)
    errors = [f for f in report.violations if f.severity == "error"]
    assert [(f.rule, f.elements) for f in errors] == [("cable-reach", ("link-c2",))]
    assert "reaches 3 m, the cable is 11 m: failed, 0 B/s instead of 60.0 kB/s" in errors[0].message
    assert errors[0].fix.startswith("Shorten it to 3 m, or take Twisted pair")


def test_nvlink_between_racks_is_an_error_and_carries_nothing(catalog: Catalog) -> None:
    document = BETWEEN_RACKS(catalog)
    (finding,) = found(document, "nvlink-reach")
    assert finding.severity == "error"
    assert capacity(document, "link-nv") == 0.0


def test_nvlink_between_racks_is_an_error_whatever_its_medium(catalog: Catalog) -> None:
    (finding,) = found(BETWEEN_RACKS_NO_MEDIUM(catalog), "nvlink-reach")
    assert "NVLink between two racks carries 0 B/s" in finding.message


def test_exactly_what_is_broken_in_a_superpod_is_reported(samples: Path, catalog: Catalog) -> None:
    document = open_document(samples / "superpod-h100-127.topo.json", catalog).document
    before = check(document)
    assert before.counts.error == before.counts.warning == 0
    cut = link_at(document, "node-050", "nic3")
    moved = link_at(document, "node-020", "nic4")
    spine = next(
        x for x in document.links.values() if (x.a.device, x.b.device) == ("su2-leaf-3", "spine-5")
    )
    port = free_ports(document, document.devices["su1-leaf-6"])[0]
    a, b = spine.a.names[0], spine.b.names[0]
    thinner = replace(
        spine, a=Ports("su2-leaf-3", a), b=Ports("spine-5", b), cables=spine.cable_ids[0]
    )
    wrong = replace(moved, b=Ports("su1-leaf-6", port.name))
    document.apply(Edit("Break", put=(wrong, thinner), drop=(cut.id,)))
    after = check(document)
    new = [f for f in after.violations if f not in before.violations]
    assert sorted((f.rule, f.severity, f.elements) for f in new) == [
        ("even-spread", "error", ("su2-leaf-3", "spine-5", spine.id)),
        ("rail-wiring", "error", (moved.id, "su1-leaf-6", "su1-leaf-5")),
        ("rail-wiring", "error", ("node-050", "su2-leaf-4")),
    ]
    for finding in new:
        edit = fix_edit(document, finding)
        assert edit is not None
        document.apply(edit)
    assert check(document).counts == before.counts


def test_a_rail_cable_marked_as_failed_is_reported(samples: Path, catalog: Catalog) -> None:
    document = open_document(samples / "superpod-h100-127.topo.json", catalog).document
    link = link_at(document, "node-050", "nic3")
    document.apply(Edit("Fail", put=(replace(link, failed=1),)))
    errors = [f for f in check(document).violations if f.severity == "error"]
    assert [(f.rule, f.elements) for f in errors] == [("rail-wiring", (link.id,))]
    assert "1 of 1 cable out of service" in errors[0].message


@pytest.mark.parametrize(("spines", "fires"), [(12, True), (16, False)])
def test_three_units_need_sixteen_spines(spines: int, fires: bool, catalog: Catalog) -> None:
    document = made("superpod", system="dgx-h100", units=3, spines=spines)(catalog)
    errors = [f for f in check(document).violations if f.severity == "error"]
    assert [f.rule for f in errors] == ["even-spread"] * fires
    if fires:
        assert "32 uplinks over 12 spines" in errors[0].message
        assert errors[0].fix == "Take 16 spines, 2 cables each"


def test_a_box_has_256_logical_ports_not_512(catalog: Catalog) -> None:
    with pytest.raises(BadInputError, match="512 ports are more than the 256 logical ports"):
        made("fat-tree", leaf="sn5600", radix=512, gpus=64)(catalog)


def test_a_two_to_one_leaf_has_the_ratio_2(catalog: Catalog) -> None:
    document = made("fat-tree", nodes=16, oversubscription=2)(catalog)
    (tier,) = tier_ratios(Context(document))
    assert tier.tier == "leaf-spine"
    assert tier.whole == pytest.approx(2.0)
    np.testing.assert_allclose(tier.ratio.max(), 2.0)
    (finding,) = found(document, "oversub-known-good")
    assert "is 2.00:1" in finding.message


def test_every_sample_of_a_cluster_has_no_error(samples: Path, catalog: Catalog) -> None:
    files = sorted(set(samples.glob("*.topo.json")) - {LAPLINK})
    assert files
    for file in files:
        report = check(open_document(file, catalog).document)
        assert report.counts.error == 0, file.name
