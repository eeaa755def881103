"""Rules that look at the floor: lengths by the way between racks, and what is not known."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.rules.drawing import Draft, found, report_of
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit


def _two_racks(catalog: Catalog, column: int | None, medium: str = "dac-100") -> Document:
    draft = Draft(catalog).group("r1", row="A", column=1)
    draft.group("r2", row="A" if column else "", column=column)
    draft.device("a", "qm9700", group="r1", unit=40).device("b", "qm9700", group="r2", unit=40)
    return draft.link("a:1", "b:1", medium=medium, gbps=400.0).document()


def test_a_cable_without_a_length_is_judged_by_its_way(catalog: Catalog) -> None:
    """Ten columns of 0.6 m and twice 0.722 m to the tray: 7.444 m, with slack 9.2 m: 10 m."""
    (finding,) = found(_two_racks(catalog, 11), "dac-reach")
    assert finding.severity == "error"
    assert "reaches 3 m; no length is drawn" in finding.message
    assert "is at least 7.4 m, a cable of 10 m: failed, 0 B/s instead of 400 Gb" in finding.message
    assert finding.mendable
    report = report_of(_two_racks(catalog, 11, "400g-dr4"), "smf-reach")
    assert (report.violations, report.checked["smf-reach"]) == ((), 1)


def test_a_way_that_is_too_long_with_its_slack_alone_is_a_warning(catalog: Catalog) -> None:
    """Two columns of 0.6 m and twice 0.722 m: 2.644 m; a tenth and 1 m more: 3.9 m, so 4 m."""
    (finding,) = found(_two_racks(catalog, 3), "dac-reach")
    assert finding.severity == "warning"
    assert "(at least 2.6 m) takes a cable of 4 m with its slack" in finding.message


def test_racks_of_unknown_units_count_with_the_nearest(catalog: Catalog) -> None:
    """Six columns of 0.6 m: 3.6 m at least; five are 3.0 m, and DAC reaches that."""
    for column, severity in ((7, "error"), (6, "warning")):
        document = _two_racks(catalog, column)
        bare = tuple(replace(device, unit=None) for device in document.devices.values())
        document.apply(Edit("Forget the units", put=bare))
        (finding,) = found(document, "dac-reach")
        assert finding.severity == severity


def test_a_way_that_is_not_known_is_not_checked(catalog: Catalog) -> None:
    report = report_of(_two_racks(catalog, None), "dac-reach")
    assert report.violations == ()
    assert report.checked["dac-reach"] == 0
    assert any("no length" in each.why for each in report.unchecked)


def test_a_rack_over_its_limit_says_so_though_not_all_is_known(catalog: Catalog) -> None:
    draft = Draft(catalog).group("r1", power_kw=10.0)
    draft.device("n", "dgx-h100", group="r1").device("x", "generic-switch", group="r1")
    (finding,) = found(draft.document(), "rack-power")
    assert "2 devices draw at least 10.2 kW, the rack gives 10 kW" in finding.message


@pytest.mark.parametrize("rule", ["rack-power", "rack-load", "rack-feeds"])
def test_what_is_not_known_never_passes(catalog: Catalog, rule: str) -> None:
    limits = {"power_kw": 10.0, "load_kg": 1000.0, "feed_a_kw": 9.0, "feed_b_kw": 9.0}
    draft = Draft(catalog).group("r1", **limits).device("x", "generic-switch", group="r1")
    report = report_of(draft.document(), rule)
    assert report.violations == ()
    assert report.checked[rule] == 0
    assert any("not known" in each.why for each in report.unchecked)


def test_a_rack_counts_in_the_room_where_it_stands(catalog: Catalog) -> None:
    """The pod is in hall 1, its second rack stands in hall 2."""
    draft = Draft(catalog).group("hall-1", "room", power_kw=10.0)
    draft.group("hall-2", "room", power_kw=10.0).group("pod-1", "pod", parent="hall-1")
    draft.group("r1", parent="pod-1").group("r2", parent="pod-1", room="hall-2")
    draft.device("a", "dgx-h100", group="r1").device("b", "dgx-h100", group="r2")
    held = {f.elements[0]: f.message for f in found(draft.document(), "room-power")}
    assert {room: text.split(",")[0] for room, text in held.items()} == {
        "hall-1": "hall-1: 1 device draws 10.2 kW",
        "hall-2": "hall-2: 1 device draws 10.2 kW",
    }
