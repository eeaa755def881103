"""Severities, exclusions, what was not checked, and the report as a record."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from tests.rules.cases_panels import patched
from tests.rules.cases_reach import BETWEEN_RACKS
from tests.rules.cases_wiring import STACKED
from tests.rules.drawing import Draft, found, made, pair, report_of, with_links, workload
from topoedit.app.check import check
from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError, BadPlanError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.rules.base import rules
from topoedit.rules.run import (
    MOST_FINDINGS,
    Report,
    check_document,
    exclude,
    fix_edit,
    set_severity,
)

TOO_LONG = pair("qm9700", "qm9700", medium="dac-100", length_m=5.0, gbps=400.0)
NO_LENGTH = pair("qm9700", "qm9700", medium="dac-100", gbps=400.0)


def test_every_rule_says_where_it_comes_from() -> None:
    for rule in rules().values():
        assert rule.title
        assert len(rule.source) > 20
        assert rule.id == rule.id.lower()


def test_reach_rules_end_in_reach() -> None:
    assert sum(name.endswith("-reach") for name in rules()) == 10


def test_unknown_is_not_passed(catalog: Catalog) -> None:
    report = report_of(NO_LENGTH(catalog), "dac-reach")
    assert report.checked["dac-reach"] == 0
    assert [(one.rule, one.why) for one in report.unchecked] == [
        ("dac-reach", "1 of 1 links has no length")
    ]


def test_without_fabric_or_plan_rules_say_so(catalog: Catalog) -> None:
    report = check_document(TOO_LONG(catalog))
    why = {one.rule: one.why for one in report.unchecked}
    assert why["nvlink-domain"] == "the drawing was not compiled"
    assert why["mesh-p2p"] == "it needs a model and a plan"
    assert "nvlink-domain" not in report.checked


def test_the_document_sets_severities(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    document.apply(set_severity(document, "dac-reach", "warning"))
    (finding,) = found(document, "dac-reach")
    assert finding.severity == "warning"
    assert document.settings.severities == {"dac-reach": "warning"}
    document.apply(set_severity(document, "dac-reach", "error"))
    assert document.settings.severities == {}


def test_a_rule_that_is_off_is_listed_as_unchecked(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    document.apply(set_severity(document, "dac-reach", "off"))
    report = check(document)
    assert "dac-reach" not in report.checked
    assert "dac-reach" in [one.rule for one in report.unchecked]
    assert report.counts.error == 0


def test_given_severities_come_before_the_documents(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    document.apply(set_severity(document, "dac-reach", "off"))
    report = check(document, severities={"dac-reach": "info"}, only=["dac-reach"])
    assert [f.severity for f in report.violations] == ["info"]


def test_a_milder_finding_never_becomes_graver_than_its_rule(catalog: Catalog) -> None:
    document = pair("qm9700", "qm9700", medium="dac-100", length_m=2.5)(catalog)
    assert [f.severity for f in found(document, "dac-reach")] == ["warning"]
    report = check(document, only=["dac-reach"], severities={"dac-reach": "info"})
    assert [f.severity for f in report.violations] == ["info"]


@pytest.mark.parametrize(
    ("given", "text"),
    [({"dac-reech": "info"}, "Nearest: dac-reach"), ({"dac-reach": "fatal"}, "One of: error")],
)
def test_unknown_rules_and_severities_are_refused(
    given: dict[str, str], text: str, catalog: Catalog
) -> None:
    with pytest.raises(BadInputError, match=text):
        check(TOO_LONG(catalog), severities=given)


def test_an_exclusion_keeps_the_finding_with_its_comment(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    (finding,) = found(document, "dac-reach")
    document.apply(exclude(document, finding, "tested on the bench"))
    report = report_of(document, "dac-reach")
    assert report.violations == ()
    assert report.counts.excluded == 1
    assert not report.failed
    (accepted,) = report.excluded
    assert accepted.finding == finding
    assert accepted.comment == "tested on the bench"
    assert accepted.exclusion in document.exclusions


def test_an_exclusion_of_one_element_leaves_others(catalog: Catalog) -> None:
    draft = Draft(catalog).device("a", "qm9700").device("b", "qm9700")
    draft.link("a:1", "b:1", medium="dac-100", length_m=5.0)
    draft.link("a:3", "b:3", medium="dac-100", length_m=5.0)
    document = draft.document()
    first, second = found(document, "dac-reach")
    document.apply(exclude(document, first, ""))
    assert found(document, "dac-reach") == (second,)


def test_many_alike_are_one_finding(catalog: Catalog) -> None:
    document = with_links(
        made("rail-optimized", nodes=8), lambda x: True, medium="dac-100", length_m=5.0
    )(catalog)
    findings = found(document, "dac-reach")
    (many,) = [f for f in findings if len(f.elements) > 1]
    assert len(many.elements) == 64
    assert many.message.startswith("64 links such as node-01:nic0 – leaf-1:1: DAC")
    assert sum(len(f.elements) for f in findings) == len(document.links) == 72
    for finding in findings:
        edit = fix_edit(document, finding)
        assert edit is not None
        document.apply(edit)
    # the two ports of a server's cage go to two leaves, where no copper cable does
    media = {link.a.device.startswith("node"): link.medium for link in document.links.values()}
    assert media == {True: "sr-100", False: "lacc-100"}
    assert found(document, "acc-aec-reach") == ()


def test_findings_beyond_the_limit_are_counted(catalog: Catalog) -> None:
    draft = Draft(catalog).device("a", "generic-switch").device("b", "generic-switch")
    number = MOST_FINDINGS + 5
    for port in range(1, number + 1):
        draft.link(f"a:{port}", f"b:{port}", medium="dac-100", length_m=3.0 + port)
    report = report_of(draft.document(), "dac-reach")
    assert len(report.violations) == MOST_FINDINGS
    assert report.counts.error == number
    assert report.not_listed == {"dac-reach": 5}


def test_the_report_goes_through_messagepack(catalog: Catalog) -> None:
    document = BETWEEN_RACKS(catalog)
    report = check(document)
    sent = msgspec.msgpack.encode(report)
    received = msgspec.msgpack.decode(sent, type=Report)
    assert received == report
    assert received.revision == document.revision


def test_the_report_is_of_one_revision(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    report = check(document)
    document.apply(
        Edit("Mend", put=tuple(replace(x, length_m=1.0) for x in document.links.values()))
    )
    assert report.revision < document.revision
    assert check(document).revision == document.revision


def test_the_worst_come_first(catalog: Catalog) -> None:
    order = [f.severity for f in check(made("multi-site", nodes=4)(catalog)).violations]
    assert order == sorted(order, key=("error", "warning", "info").index)


def test_a_plan_that_cannot_exist_is_an_error(catalog: Catalog) -> None:
    with pytest.raises(BadPlanError):
        check(made("rail-optimized", nodes=2)(catalog), workload(tp=8, pp=16))


def test_an_empty_document_passes(catalog: Catalog) -> None:
    report = check(Document(catalog))
    assert report.violations == ()
    assert sum(report.checked.values()) == 0


def test_a_stale_fix_is_none(catalog: Catalog) -> None:
    document = TOO_LONG(catalog)
    (finding,) = found(document, "dac-reach")
    document.apply(Edit("Remove", drop=finding.elements))
    assert fix_edit(document, finding) is None


def test_leaves_of_a_pair_that_are_stacked(catalog: Catalog) -> None:
    (finding,) = found(STACKED(catalog), "dual-tor")
    assert finding.elements == ("peer",)
    assert "2 cables between leaf-1 and leaf-2" in finding.message


def test_a_nic_with_a_slower_module_is_only_warned_of(catalog: Catalog) -> None:
    """ConnectX-8 (200G lanes) behind a module of 100G lanes, on an NDR switch."""
    ports = ("1", "nic0")
    (finding,) = found(pair("qm9700", "dgx-b300", ports, medium="400g-dr4")(catalog), "lane-mix")
    assert finding.severity == "warning"
    assert "200G lanes" in finding.message
    (finding,) = found(pair("qm9700", "dgx-b300", ports)(catalog), "lane-mix")
    assert finding.severity == "error"


def test_a_split_port_keeps_its_lanes(catalog: Catalog) -> None:
    """An XDR port split into 2 x 400 Gb/s has lanes of 200G, which no NDR adapter runs."""
    document = made("rail-optimized", nodes=8, leaf="q3400-ra")(catalog)
    findings = found(document, "lane-mix")
    assert {(finding.severity, finding.mendable) for finding in findings} == {("error", False)}
    texts = [finding.message.split(": ")[1] for finding in findings]
    assert texts.count("200G lanes at one end and 100G lanes at the other") == 1
    assert "400G-DR4 is made for lanes of up to 100G, the ports run 200G lanes" in texts
    assert found(made("rail-optimized", nodes=8, system="dgx-b300")(catalog), "lane-mix") == ()
    assert found(made("rail-optimized", nodes=8, leaf="sn5600")(catalog), "lane-mix") == ()


def test_an_in_band_network_slower_than_its_adapters_is_only_told_of(catalog: Catalog) -> None:
    """DGX H100: QSFP112 ports of 400 Gb/s on SN4600C of 100 Gb/s, as in RA-11333."""
    drawing = made("rail-optimized", nodes=16, networks="compute,inband")(catalog)
    for rule in ("lane-mix", "speed-mix"):
        (finding,) = found(drawing, rule)
        assert finding.severity == "info"
        assert "inband0" in finding.message
    assert "ConnectX-7" in found(drawing, "lane-mix")[0].fix


def test_a_link_of_another_speed_in_a_tier_is_found(catalog: Catalog) -> None:
    make = made("rail-optimized", nodes=8)
    document = with_links(make, lambda x: x.id == "link-c1", gbps=200.0)(catalog)
    (finding,) = found(document, "speed-mix")
    assert finding.elements == ("link-c1",)
    assert "1 link such as node-01:nic0 – leaf-1:1 at 200 Gb/s" in finding.message
    assert "64 cables at 400 Gb/s" in finding.message


def test_servers_of_two_types_in_a_unit_are_compared_with_their_like(catalog: Catalog) -> None:
    """A host with two ports beside servers of eight lacks nothing."""
    document = made("rail-optimized", nodes=4)(catalog)
    draft = Draft(catalog).device("login", "cpu-server")
    draft.link("login:eth0", "leaf-1:60", id="l1").link("login:eth1", "leaf-2:60", id="l2")
    elements = [
        replace(e, cables=f"x-{e.id}") if hasattr(e, "cables") else e for e in draft.elements
    ]
    document.apply(Edit("Add", put=tuple(elements)))
    assert found(document, "rail-wiring") == ()


def test_a_tier_of_which_no_cable_works_is_not_judged(catalog: Catalog) -> None:
    make = made("superpod", units=1)
    drawing = make(catalog)
    uplinks = [x for x in drawing.links.values() if x.b.device.startswith("spine")]
    drawing.apply(Edit("Fail", put=tuple(replace(x, failed=x.count) for x in uplinks)))
    report = report_of(drawing, "oversub-known-good")
    assert report.violations == ()
    assert "none that works" in report.unchecked[0].why
    (dead,) = found(drawing, "even-spread")
    assert "0 for each of 32 pairs of the leaf-spine tier" in dead.message


def test_a_panel_that_links_run_through_is_not_isolated(catalog: Catalog) -> None:
    document = patched(panels="12")(catalog)
    lonely = [f.elements[0] for f in found(document, "isolated-device")]
    assert sorted(lonely) == ["p3", "p4"]
