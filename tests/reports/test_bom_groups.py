"""Bills of materials by rack, network, role…, and what every kind of cable is counted as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from tests.reports.conftest import device, link
from topoedit.app.bom import bom, write_bom
from topoedit.app.open import open_document
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.reports.bom_groups import DIMENSIONS, grouped

Made = Callable[..., Document]


def test_the_racks_of_the_64_gpu_pod_by_hand(samples: Path) -> None:
    """Eight leaves in a rack are 8 x 8 modules of 17 W; see the count of the whole pod."""
    found = bom(open_document(samples / "pod64-h100.topo.json").document, spares_percent=5)
    lines = [
        (one.value, one.category, one.part_number, one.quantity, one.watts)
        for one in grouped(found.lines, "rack")
    ]
    assert lines == [
        ("leaf-rack", "switch", "", 8, None),
        ("leaf-rack", "module", "MMS4X00-NS", 64, 64 * 17.0),
        ("leaf-rack + rack-1", "fibre", "MFP7E30-N005", 27, None),
        ("leaf-rack + rack-1", "fibre", "MFP7E30-N007", 5, None),
        ("leaf-rack + rack-2", "fibre", "MFP7E30-N005", 27, None),
        ("leaf-rack + rack-2", "fibre", "MFP7E30-N007", 5, None),
        ("leaf-rack + spine-rack", "fibre", "MFP7E30-N007", 64, None),
        ("rack-1", "server", "", 4, None),
        ("rack-1", "module", "MMS4X00-NS-FLT", 16, 16 * 17.0),
        ("rack-2", "server", "", 4, None),
        ("rack-2", "module", "MMS4X00-NS-FLT", 16, 16 * 17.0),
        ("spine-rack", "switch", "", 4, None),
        ("spine-rack", "module", "MMS4X00-NS", 32, 32 * 17.0),
    ]


@pytest.mark.parametrize("by", DIMENSIONS)
def test_nothing_is_lost_or_doubled(made: Made, by: str) -> None:
    found = bom(made("superpod", units=1, networks="compute,storage,inband,oob"), spares_percent=3)
    pieces, spares = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for line in found.lines:
        pieces[line.category, line.item] += line.quantity
        spares[line.category, line.item] += line.spares or 0
    for one in grouped(found.lines, by):
        pieces[one.category, one.item] -= one.quantity
        spares[one.category, one.item] -= one.spares or 0
    assert set(pieces.values()) | set(spares.values()) == {0}


def test_networks_stand_in_the_order_of_the_format(made: Made) -> None:
    found = bom(made("superpod", units=1, networks="compute,storage,inband,oob"))
    values = dict.fromkeys(one.value for one in grouped(found.lines, "network"))
    assert list(values) == ["compute", "storage", "in-band", "out-of-band"]


def test_no_such_dimension() -> None:
    with pytest.raises(BadInputError, match="Use type, role"):
        grouped((), "colour")


def test_sheets_of_the_workbook(made: Made, tmp_path: Path) -> None:
    out = tmp_path / "bom.xlsx"
    write_bom(bom(made("superpod", units=1, networks="compute,storage,inband,oob")), out)
    book = openpyxl.load_workbook(out)
    assert book.sheetnames == [
        "Bill of materials", "Summary", "By role", "By network", "By rack", "Sources",
    ]  # fmt: skip
    rows = list(book["By network"].values)
    assert rows[0] == (
        "network", "category", "item", "part_number", "quantity", "unit", "spares", "watts",
    )  # fmt: skip
    assert {type(row[4]) for row in rows[1:]} == {int}


def test_every_kind_of_cable_has_its_category(made: Made, drawn: Made) -> None:
    """DAC, AEC, ACC and AOC are assemblies without modules; fibre has one at both ends."""
    media = {
        "dac-100": "DAC", "aec-100": "AEC", "lacc-100": "ACC", "aoc": "AOC", "cat6": "twisted pair",
        "400g-dr4": "fibre", "wan": "line between sites",
    }  # fmt: skip
    ends = [device(f"{side}{n}", "leaf", "generic-switch") for n in range(7) for side in "ab"]
    wires = [
        link(f"l{n}", f"a{n}/1", f"b{n}/1", f"c{n + 1}", medium, gbps=400.0, length_m=2.0)
        for n, medium in enumerate(media)
    ]
    known = drawn().catalog.media
    drawable = [wire for wire in wires if wire.medium in known]
    assert len(drawable) >= 6
    found = bom(drawn(*ends, *drawable))
    cables = {line.type: line.category for line in found.lines if line.role == "leaf-leaf"}
    assert cables == {wire.medium: media[wire.medium] for wire in drawable}
    modules = {line.type for line in found.lines if line.category == "module"}
    assert modules == {"400g-dr4"}
    totals = {(total.category, total.unit) for total in found.totals}
    assert len(totals) == len(found.totals) >= len(drawable) + 2


def test_length_slack_and_order_stand_apart(samples: Path) -> None:
    """Eight leaf-spine cables: way and slack are sums, the order is one piece of it."""
    found = bom(open_document(samples / "pod64-h100.topo.json").document)
    fibre = [line for line in found.lines if line.category == "fibre"]
    for line in fibre:
        assert line.ordered_m in (5.0, 7.0)
        assert line.routed_m_total is not None
        assert line.slack_m_total is not None
        assert line.routed_m_total + line.slack_m_total <= line.ordered_m * line.quantity + 1e-6
    assert {line.ordered_m for line in found.lines if line.category != "fibre"} == {None}


def test_the_command(topoedit: Callable[..., object], samples: Path) -> None:
    pod = samples / "pod64-h100.topo.json"
    shown = topoedit("bom", pod, "--by", "rack")
    assert shown.code == 0
    assert any(line.startswith("leaf-rack + spine-rack") for line in shown.out.splitlines())
    ran = topoedit("bom", pod, "--by", "role", "--json")
    assert {one["value"] for one in ran.json["groups"]} >= {"server", "leaf", "leaf-spine"}
    assert "groups" not in topoedit("bom", pod, "--json").json
    wrong = topoedit("bom", pod, "--by", "colour")
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
