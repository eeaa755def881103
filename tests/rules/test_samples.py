"""Every rule: a good sample passes, a bad one is found with its numbers and, if so, mended."""

from __future__ import annotations

import pytest

from tests.rules import (
    cases_groups,
    cases_lines,
    cases_panels,
    cases_ports,
    cases_reach,
    cases_servers,
    cases_sizes,
    cases_wiring,
)
from tests.rules.drawing import Case, found, report_of
from topoedit.catalog.catalog import Catalog
from topoedit.rules.base import rules
from topoedit.rules.run import fix_edit

MODULES = (
    cases_groups,
    cases_lines,
    cases_panels,
    cases_ports,
    cases_reach,
    cases_servers,
    cases_sizes,
    cases_wiring,
)
CASES = [case for module in MODULES for case in module.CASES]


def test_every_rule_has_samples() -> None:
    assert sorted({case.rule for case in CASES}) == list(rules())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_the_good_sample_passes(case: Case, catalog: Catalog) -> None:
    report = report_of(case.good(catalog), case.rule, case.plan)
    worse = [f.message for f in report.violations if f.severity == rules()[case.rule].severity]
    assert not worse
    assert report.checked[case.rule] > 0, report.unchecked


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_the_bad_sample_is_found_with_its_numbers(case: Case, catalog: Catalog) -> None:
    document = case.bad(catalog)
    findings = found(document, case.rule, case.bad_plan)
    assert findings
    first = findings[0]
    for part in case.says:
        assert part in first.message
    assert first.severity == rules()[case.rule].severity or first.rule == "lane-mix"
    assert first.source
    assert first.fix
    assert first.elements
    assert all(element in document for element in first.elements)
    if case.elements:
        assert first.elements == case.elements


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_a_mendable_finding_is_mended_in_one_undoable_step(case: Case, catalog: Catalog) -> None:
    document = case.bad(catalog)
    before = list(document.elements())
    for finding in found(document, case.rule, case.bad_plan):
        edit = fix_edit(document, finding)
        if not finding.mendable:
            assert edit is None
            continue
        assert edit is not None, finding.message
        inverse = document.apply(edit)
        left = found(document, case.rule, case.bad_plan)
        assert finding.elements not in [f.elements for f in left]
        document.apply(inverse)
        assert sorted(e.id for e in document.elements()) == sorted(e.id for e in before)
        assert fix_edit(document, finding) is not None
        break
