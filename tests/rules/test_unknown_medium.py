"""Media that no catalogue has: told, counted, and mended where one alone can be meant."""

from __future__ import annotations

import pytest

from tests.rules.drawing import found, pair, report_of
from topoedit.app.check import check
from topoedit.catalog.catalog import Catalog
from topoedit.rules.run import fix_edit

RULE = "unknown-medium"


@pytest.mark.parametrize(
    ("name", "advice", "taken"),
    [
        ("banana", "topoedit catalog media", ""),
        ("400g-dr-4", "nearest: 400g-dr4, 400g-xdr4", ""),
        ("nvlink4", "topoedit catalog media", ""),
        ("laplnk", "Take laplink", "laplink"),
        ("LAPLINK", "Take laplink", "laplink"),
        ("wan-fibre", "Take dark-fibre", "dark-fibre"),
    ],
)
def test_the_nearest_are_named_and_one_alone_is_taken(
    name: str, advice: str, taken: str, catalog: Catalog
) -> None:
    document = pair("qm9700", "qm9700", medium=name)(catalog)
    (finding,) = found(document, RULE)
    assert finding.elements == ("link-c1",)
    assert "a-1:1 – b-1:1" in finding.message
    assert f'"{name}"' in finding.message
    assert advice in finding.fix
    assert finding.mendable is bool(taken)
    edit = fix_edit(document, finding)
    assert (edit is not None) is bool(taken)
    if edit is not None:
        document.apply(edit)
        assert document.links["link-c1"].medium == taken
        assert not found(document, RULE)


def test_a_medium_that_nothing_knows_is_counted(catalog: Catalog) -> None:
    known = check(pair("qm9700", "qm9700", medium="400g-dr4")(catalog)).counts
    unknown = check(pair("qm9700", "qm9700", medium="banana")(catalog)).counts
    assert unknown.warning == known.warning + 1


def test_a_link_without_a_medium_is_said_not_to_be_checked(catalog: Catalog) -> None:
    report = report_of(pair("qm9700", "qm9700")(catalog), RULE)
    assert report.counts.warning == 0
    assert [one.why for one in report.unchecked] == ["1 link of 1 without a medium"]
