"""The pod with patch panels: its schedule by hand, links, trunk fill, names, stages and marks."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from msgspec.structs import replace

from tests.cli.conftest import topoedit
from tests.reports.conftest import catalog
from tests.reports.panel_pod import panel_pod
from topoedit.app.bom import bom
from topoedit.app.cables import (
    cables,
    write_cables,
    write_hca,
    write_links,
    write_plan,
    write_port_maps,
)
from topoedit.catalog.catalog import Catalog
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.reports.cables import AT, COLUMNS, MORE_COLUMNS

__all__ = ["catalog", "topoedit"]

# Heights: unit n is at 0.1 + 0.04445 n m, the tray at 2.6 m, racks are 0.6 m apart.
# c17: 2.456 up + 0.6 + 0.811 down = 3.87, so 3.9 m; 6 m are drawn, so 2.1 m of slack.
# c1.1: 41 units of 0.04445 = 1.822, and 0.5 for turns: 2.32, so 2.5 m; 3 m are on sale.
# c5: 2.456 + 0.6 + 0.678 = 3.73; 6 m are drawn, 7 m are on sale. c18: 2.100 + 0.6 + 0.811 = 3.51.
# c9: 2.100 + 0.6 + 0.722 = 3.42; 5 m are drawn and on sale.
# trunk-1: twice 0.633 and 0.6 = 1.87, with 10 % and twice 0.5 m 3.05, so 4 m.
# c11: 4 x 0.04445 + 0.5 = 0.68; c13: 0.63; c15: 21 x 0.04445 + 0.5 = 1.43; c1.3: 0.59, so 1 m.
# Cages: DGX H100 nic0 and nic3 in OSFP4, nic1 and nic2 in OSFP3, nic4 and nic7 in OSFP1, nic5 and
# nic6 in OSFP2; two ports of a QM9700 in each cage. Method B: jumpers of type B.
BY_HAND = """
c17||c17 R1 U1 node-1:bmc > R2 U38 oob-1:1|c17 R2 U38 oob-1:1 > R1 U1 node-1:bmc
  Berlin|R1|1|node-1|bmc|bmc||Berlin|R2|38|oob-1|1|1|
  cat6|3.9|2.1|6.0|out-of-band|||||||R1 + R2|n1oob|
  ||given; the way is 2.5 m up + 0.6 m along rows + 0.8 m down + 10 % + slack 0.5 m at each end|
c1.1||c1.1 R1 U1 node-1:nic0 > R1 U42 panel-1:1|c1.1 R1 U42 panel-1:1 > R1 U1 node-1:nic0
  Berlin|R1|1|node-1|nic0|OSFP4|2|Berlin|R1|42|panel-1|1|1|
  400g-dr4|2.3|0.2|3.0|compute|1|||MFP7E30-N003|mlx5_0||R1|n1l1|c1
  jumper|B|routed: 1.8 m in the rack + 0.5 m for turns|
c2.1||c2.1 R1 U1 node-1:nic1 > R1 U42 panel-1:2|c2.1 R1 U42 panel-1:2 > R1 U1 node-1:nic1
  Berlin|R1|1|node-1|nic1|OSFP3|2|Berlin|R1|42|panel-1|2|2|
  400g-dr4|2.3|0.2|3.0|compute|1|||MFP7E30-N003|mlx5_3||R1|n1l1|c2
  jumper|B|routed: 1.8 m in the rack + 0.5 m for turns|
c3.1||c3.1 R1 U1 node-1:nic2 > R1 U42 panel-1:3|c3.1 R1 U42 panel-1:3 > R1 U1 node-1:nic2
  Berlin|R1|1|node-1|nic2|OSFP3|1|Berlin|R1|42|panel-1|3|3|
  400g-dr4|2.3|0.2|3.0|compute|1|||MFP7E30-N003|mlx5_4||R1|n1l1|c3
  jumper|B|routed: 1.8 m in the rack + 0.5 m for turns|
c4.1||c4.1 R1 U1 node-1:nic3 > R1 U42 panel-1:4|c4.1 R1 U42 panel-1:4 > R1 U1 node-1:nic3
  Berlin|R1|1|node-1|nic3|OSFP4|1|Berlin|R1|42|panel-1|4|4|
  400g-dr4|2.3|0.2|3.0|compute|1|||MFP7E30-N003|mlx5_5||R1|n1l1|c4
  jumper|B|routed: 1.8 m in the rack + 0.5 m for turns|
c5||c5 R1 U1 node-1:nic4 > R2 U41 leaf-2:1|c5 R2 U41 leaf-2:1 > R1 U1 node-1:nic4
  Berlin|R1|1|node-1|nic4|OSFP1|2|Berlin|R2|41|leaf-2|1|1|1
  400g-dr4|3.7|2.3|7.0|compute|1|||MFP7E30-N007|mlx5_6|IB1/1/1|R1 + R2|n1l2|
  ||given; the way is 2.4 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
c6||c6 R1 U1 node-1:nic5 > R2 U41 leaf-2:2|c6 R2 U41 leaf-2:2 > R1 U1 node-1:nic5
  Berlin|R1|1|node-1|nic5|OSFP2|2|Berlin|R2|41|leaf-2|2|1|2
  400g-dr4|3.7|2.3|7.0|compute|1|||MFP7E30-N007|mlx5_9|IB1/1/2|R1 + R2|n1l2|
  ||given; the way is 2.4 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
c7||c7 R1 U1 node-1:nic6 > R2 U41 leaf-2:3|c7 R2 U41 leaf-2:3 > R1 U1 node-1:nic6
  Berlin|R1|1|node-1|nic6|OSFP2|1|Berlin|R2|41|leaf-2|3|2|1
  400g-dr4|3.7|2.3|7.0|compute|1|||MFP7E30-N007|mlx5_10|IB1/2/1|R1 + R2|n1l2|
  ||given; the way is 2.4 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
c8||c8 R1 U1 node-1:nic7 > R2 U41 leaf-2:4|c8 R2 U41 leaf-2:4 > R1 U1 node-1:nic7
  Berlin|R1|1|node-1|nic7|OSFP1|1|Berlin|R2|41|leaf-2|4|2|2
  400g-dr4|3.7|2.3|7.0|compute|1|||MFP7E30-N007|mlx5_11|IB1/2/2|R1 + R2|n1l2|
  ||given; the way is 2.4 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
c18||c18 R1 U9 node-2:bmc > R2 U38 oob-1:2|c18 R2 U38 oob-1:2 > R1 U9 node-2:bmc
  Berlin|R1|9|node-2|bmc|bmc||Berlin|R2|38|oob-1|2|2|
  cat6|3.5|2.5|6.0|out-of-band|||||||R1 + R2|n2oob|
  ||given; the way is 2.1 m up + 0.6 m along rows + 0.8 m down + 10 % + slack 0.5 m at each end|
c9||c9 R1 U9 node-2:nic0 > R2 U40 leaf-1:5|c9 R2 U40 leaf-1:5 > R1 U9 node-2:nic0
  Berlin|R1|9|node-2|nic0|OSFP4|2|Berlin|R2|40|leaf-1|5|3|1
  400g-dr4|3.4|1.6|5.0|compute|2|||MFP7E30-N005|mlx5_0|IB1/3/1|R1 + R2|n2l1|
  ||given; the way is 2.1 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
c10||c10 R1 U9 node-2:nic1 > R2 U40 leaf-1:6|c10 R2 U40 leaf-1:6 > R1 U9 node-2:nic1
  Berlin|R1|9|node-2|nic1|OSFP3|2|Berlin|R2|40|leaf-1|6|3|2
  400g-dr4|3.4|1.6|5.0|compute|2|||MFP7E30-N005|mlx5_3|IB1/3/2|R1 + R2|n2l1|
  ||given; the way is 2.1 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end|
trunk-1||trunk-1 R1 U42 panel-1:1-12 > R2 U42 panel-2:1-12|trunk-1 R2 U42 panel-2:1-12 > R1 U42 panel-1:1-12
  Berlin|R1|42|panel-1|1-12|1-12||Berlin|R2|42|panel-2|1-12|1-12|
  smf|1.9|2.1|4.0|compute|1||||||R1 + R2|trunk-1|c1-4
  trunk|B|routed: 0.7 m up + 0.6 m along rows + 0.6 m down + 10 % + slack 0.5 m at each end|
c11||c11 R2 U40 leaf-1:33 + 34 > R2 U44 spine-1:1 + 2|c11 R2 U44 spine-1:1 + 2 > R2 U40 leaf-1:33 + 34
  Berlin|R2|40|leaf-1|33 + 34|17|1 + 2|Berlin|R2|44|spine-1|1 + 2|1|1 + 2
  dac-100|0.7|0.3|1.0|compute|1|||MCP4Y10-N001|IB1/17/1 + IB1/17/2|IB1/1/1 + IB1/1/2|R2|l1s1|c11 + c12
  ||given; the way is 0.2 m in the rack + 0.5 m for turns|
c13||c13 R2 U41 leaf-2:33 + 34 > R2 U44 spine-1:3 + 4|c13 R2 U44 spine-1:3 + 4 > R2 U41 leaf-2:33 + 34
  Berlin|R2|41|leaf-2|33 + 34|17|1 + 2|Berlin|R2|44|spine-1|3 + 4|2|1 + 2
  dac-100|0.6|0.4|1.0|compute|1|||MCP4Y10-N001|IB1/17/1 + IB1/17/2|IB1/2/1 + IB1/2/2|R2|l2s1|c13 + c14
  ||given; the way is 0.1 m in the rack + 0.5 m for turns|
c15||c15 R2 U41 leaf-2:35 + 36 > R2 U20 + R2 U21 tray-1 + tray-2:nic0|c15 R2 U20 + R2 U21 tray-1 + tray-2:nic0 > R2 U41 leaf-2:35 + 36
  Berlin|R2|41|leaf-2|35 + 36|18|1 + 2|Berlin|R2|20 + 21|tray-1 + tray-2|nic0|nic0|
  dac-100|1.4|0.1|1.5|compute||||MCP7Y00-N01A|IB1/18/1 + IB1/18/2||R2|l2t1|c15 + c16
  ||given; the way is 0.9 m in the rack + 0.5 m for turns|
c1.3||c1.3 R2 U42 panel-2:1 > R2 U40 leaf-1:1|c1.3 R2 U40 leaf-1:1 > R2 U42 panel-2:1
  Berlin|R2|42|panel-2|1|1||Berlin|R2|40|leaf-1|1|1|1
  400g-dr4|0.6|0.4|1.0|compute|1|||MFP7E30-N001||IB1/1/1|R2|n1l1|c1
  jumper|B|routed: 0.1 m in the rack + 0.5 m for turns|
c2.3||c2.3 R2 U42 panel-2:2 > R2 U40 leaf-1:2|c2.3 R2 U40 leaf-1:2 > R2 U42 panel-2:2
  Berlin|R2|42|panel-2|2|2||Berlin|R2|40|leaf-1|2|1|2
  400g-dr4|0.6|0.4|1.0|compute|1|||MFP7E30-N001||IB1/1/2|R2|n1l1|c2
  jumper|B|routed: 0.1 m in the rack + 0.5 m for turns|
c3.3||c3.3 R2 U42 panel-2:3 > R2 U40 leaf-1:3|c3.3 R2 U40 leaf-1:3 > R2 U42 panel-2:3
  Berlin|R2|42|panel-2|3|3||Berlin|R2|40|leaf-1|3|2|1
  400g-dr4|0.6|0.4|1.0|compute|1|||MFP7E30-N001||IB1/2/1|R2|n1l1|c3
  jumper|B|routed: 0.1 m in the rack + 0.5 m for turns|
c4.3||c4.3 R2 U42 panel-2:4 > R2 U40 leaf-1:4|c4.3 R2 U40 leaf-1:4 > R2 U42 panel-2:4
  Berlin|R2|42|panel-2|4|4||Berlin|R2|40|leaf-1|4|2|2
  400g-dr4|0.6|0.4|1.0|compute|1|||MFP7E30-N001||IB1/2/2|R2|n1l1|c4
  jumper|B|routed: 0.1 m in the rack + 0.5 m for turns|
"""  # noqa: E501 - one row a cable, in four lines


@pytest.fixture
def pod(catalog: Catalog) -> Document:
    return Document(catalog, panel_pod())


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def by_hand() -> list[list[str]]:
    lines = BY_HAND.strip().split("\n")
    rows = ["|".join(line.strip() for line in lines[n : n + 4]) for n in range(0, len(lines), 4)]
    return [row.split("|") for row in rows]


def test_every_cell_of_the_20_rows(pod: Document, tmp_path: Path) -> None:
    out = tmp_path / "cables.csv"
    found = cables(pod)
    write_cables(found, out)
    assert found.notes == ()
    assert len(by_hand()) == 20
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert tuple(rows[0]) == (*COLUMNS, *MORE_COLUMNS)
    assert rows[1:] == by_hand()


def test_the_workbook_has_numbers_and_every_sheet(pod: Document, tmp_path: Path) -> None:
    out = tmp_path / "cables.xlsx"
    write_cables(cables(pod), out)
    book = openpyxl.load_workbook(out)
    assert book.sheetnames == ["Cables", "Port maps", "Labels", "Links", "Trunks"]
    row = next(row for row in book["Cables"].values if row[0] == "c1.1")
    assert [type(row[AT[name]]) for name in ("unit_a", "length_m", "port_b")] == [int, float, str]
    trunk = dict(zip(*list(book["Trunks"].values)[:2], strict=True))
    assert (trunk["fibres"], trunk["ports_used"], trunk["fill_percent"]) == (144, 4, 33.3)


def test_links_end_to_end_with_their_pieces(pod: Document, tmp_path: Path) -> None:
    out = tmp_path / "links.csv"
    write_links(cables(pod), out)
    rows = read(out)
    assert len(rows) == 18 + 4 * 3  # drawn cables, and three pieces of each patched one
    mine = [row for row in rows if row["cable"] == "c2"]
    assert [(row["row"], row["pulled"], row["cord"]) for row in mine] == [
        ("link", "", ""), ("jumper", "c2.1", "B"), ("trunk", "trunk-1", "B"),
        ("jumper", "c2.3", "B"),
    ]  # fmt: skip
    assert [(row["device_a"], row["port_a"], row["device_b"], row["port_b"]) for row in mine] == [
        ("node-1", "nic1", "leaf-1", "2"), ("node-1", "nic1", "panel-1", "2"),
        ("panel-1", "2", "panel-2", "2"), ("panel-2", "2", "leaf-1", "2"),
    ]  # fmt: skip
    whole = mine[0]
    assert whole["through"] == "panel-1:2 > panel-2:2"
    # 7.5 m of 0.4 dB/km and two MPO pairs of 0.35 dB
    assert (whole["loss_db"], whole["budget_db"], whole["margin_db"]) == ("0.703", "3.0", "2.297")
    assert (whole["os_name_a"], whole["os_name_b"]) == ("mlx5_3", "IB1/1/2")
    twin = next(row for row in rows if row["cable"] == "c12")
    assert (twin["row"], twin["pulled"]) == ("link", "c11")


def test_names_of_the_adapters(pod: Document, tmp_path: Path) -> None:
    out = tmp_path / "hca.csv"
    write_hca(cables(pod), out)
    rows = {(row["server"], row["port"]): row for row in read(out)}
    assert rows["node-1", "nic0"] == {
        "server": "node-1", "site": "Berlin", "rack": "R1", "unit": "1", "gpu": "0",
        "port": "nic0", "cage": "OSFP4", "lane": "2", "os_name": "mlx5_0",
        "pcie": "0000:18:00.0", "rail": "0", "network": "compute", "gbps": "400.0",
        "leaf": "leaf-1", "leaf_port": "1", "leaf_cage": "1", "leaf_lane": "1",
        "leaf_os_name": "IB1/1/1", "cable": "c1",
    }  # fmt: skip
    assert rows["node-2", "nic1"]["pcie"] == ""
    assert rows["node-2", "nic7"]["leaf"] == ""
    assert rows["node-2", "bmc"]["leaf"] == "oob-1"
    assert len([name for name in rows if name[0] == "node-1"]) == 13


def test_port_maps_of_panels(pod: Document, tmp_path: Path) -> None:
    out = tmp_path / "maps.csv"
    write_port_maps(cables(pod), out)
    rows = {(row["device"], row["port"]): row for row in read(out)}
    front = rows["panel-2", "3"]
    assert (front["cable"], front["far_device"], front["far_port"]) == ("c3.3", "leaf-1", "3")
    assert (front["rear"], front["rear_device"], front["rear_port"]) == ("trunk-1", "panel-1", "3")
    free = rows["panel-1", "9"]
    assert (free["cable"], free["rear"], free["rear_port"]) == ("", "trunk-1", "9")
    assert (rows["leaf-1", "1"]["cable"], rows["leaf-1", "1"]["far_device"]) == ("c1.3", "panel-2")
    assert (rows["leaf-1", "1"]["rear"], len(rows)) == ("", 3 * 64 + 52 + 2 * 12)


def test_the_bill_counts_jumpers_and_trunks(pod: Document) -> None:
    """Fibres: 4 of 3 m, 4 of 1 m, 4 of 7 m, 2 of 5 m; one trunk; modules as without panels."""
    lines = bom(pod).lines
    fibres = {line.item.rsplit(", ", 1)[1]: 0 for line in lines if line.category == "fibre"}
    for line in lines:
        if line.category == "fibre":
            fibres[line.item.rsplit(", ", 1)[1]] += line.quantity
    assert fibres == {"3 m": 4, "1 m": 4, "7 m": 4, "5 m": 2}
    trunks = [line for line in lines if line.category == "trunk"]
    assert [(line.item, line.quantity) for line in trunks] == [
        ("Single-mode MPO-12/APC trunk of 144 fibres, polarity B, 4 m", 1)
    ]
    assert sum(line.quantity for line in lines if line.category == "panel") == 2
    plain = [replace(e, through=()) if getattr(e, "id", "") == "n1l1" else e for e in panel_pod()]
    direct = bom(Document(pod.catalog, plain)).lines
    assert _modules(lines) == _modules(direct)


def _modules(lines: list[object]) -> int:
    return sum(line.quantity for line in lines if line.category == "module")  # type: ignore[attr-defined]


def test_stages_and_progress(pod: Document, tmp_path: Path) -> None:
    marks = tmp_path / "marks.csv"
    marks.write_text("id,done,wrong\ntrunk-1,x,\nc1.1,x,\nc2.1,x,bent\nc5,x,\n")
    plan = tmp_path / "plan.xlsx"
    write_plan(cables(pod, marks=marks), plan)
    book = openpyxl.load_workbook(plan)
    assert book.sheetnames == ["Stages", "Pull plan"]
    header, *cells = book["Stages"].values
    rows = [dict(zip(header, row, strict=True)) for row in cells]
    found = [
        (r["stage"], r["phase"], r["what"], r["pathway"], r["cables"], r["done"], r["wrong"],
         r["left"], r["progress_percent"], r["ordered_m"])
        for r in rows
    ]  # fmt: skip
    assert found == [
        (1, "1", "trunks", "R1 + R2", 1, 1, 0, 0, 100, 4),
        (2, "1", "pull", "R1", 4, 1, 1, 2, 25, 12),
        (3, "1", "pull", "R1 + R2", 4, 1, 0, 3, 25, 28),
        (4, "1", "pull", "R2", 6, 0, 0, 6, 0, 6),
        (5, "2", "pull", "R1 + R2", 2, 0, 0, 2, 0, 10),
        (6, None, "pull", "R1 + R2", 2, 0, 0, 2, 0, 12),
        (7, None, "pull", "R2", 1, 0, 0, 1, 0, 1.5),
        ("all", None, None, None, 20, 3, 1, 16, 15, 73.5),
    ]
    assert rows[3]["media"] == "400g-dr4 4 m, dac-100 2 m"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_marks_in_a_returned_plan_come_back(
    pod: Document, catalog: Catalog, tmp_path: Path, suffix: str
) -> None:
    marks, plan = tmp_path / "marks.csv", tmp_path / f"plan{suffix}"
    marks.write_text("id,done,wrong\nc9,x,\nc10,,bent\nc5,x,\n")
    write_plan(cables(pod, marks=marks), plan)
    moved = [
        replace(e, a=replace(e.a, ports="nic1,nic0")) if getattr(e, "id", "") == "n2l1" else e
        for e in panel_pod()
    ]  # type: ignore[attr-defined]
    found = cables(Document(catalog, moved), since=plan)
    rows = {str(row[0]): row for row in found.rows}
    assert (found.done, found.wrong, found.done_before) == (1, 1, 1)
    assert (rows["c9"][AT["change"]], rows["c9"][AT["done"]]) == ("moved", "")
    told = "done before it was moved, pull it anew: node-2:nic0 – leaf-1:5"
    assert rows["c9"][AT["note"]] == told
    assert (rows["c5"][AT["change"]], rows["c5"][AT["note"]]) == ("", "")
    again = tmp_path / "again.csv"
    write_cables(found, again)
    kept = {str(row[0]): row for row in cables(Document(catalog, moved), since=again).rows}
    assert (kept["c9"][AT["note"]], kept["c9"][AT["done"]]) == (told, "")
    anew = tmp_path / "anew.csv"  # pulled anew: it is done, and there is no more to say
    anew.write_text(f'id,done,note\nc9,x,"{told}"\n', encoding="utf-8")
    pulled = cables(Document(catalog, moved), since=again, marks=anew)
    row = next(row for row in pulled.rows if row[0] == "c9")
    assert (row[AT["done"]], row[AT["note"]], pulled.done_before) == ("x", "", 0)


def test_cables_no_longer_drawn_are_taken_out_last(
    pod: Document, catalog: Catalog, tmp_path: Path
) -> None:
    old, plan = tmp_path / "old.csv", tmp_path / "plan.csv"
    write_cables(cables(pod), old)
    less = [e for e in panel_pod() if getattr(e, "id", "") != "n2l1"]
    write_plan(cables(Document(catalog, less), since=old), plan)
    rows = read(plan)
    assert [row["id"] for row in rows[-2:]] == ["c9", "c10"]
    assert {row["change"] for row in rows[-2:]} == {"removed"}
    assert rows[0]["id"] == "trunk-1"


def test_a_link_routed_past_the_panels_is_new_cables(pod: Document, tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    write_cables(cables(pod), old)
    plain = [replace(e, through=()) if getattr(e, "id", "") == "n1l1" else e for e in panel_pod()]
    found = cables(Document(pod.catalog, plain), since=old)
    assert found.changes is not None
    assert (found.changes["added"], found.changes["removed"]) == (4, 8)


def test_the_command_writes_them_all(
    topoedit: Callable[..., object], pod: Document, tmp_path: Path
) -> None:
    file = tmp_path / "pod.topo.json"
    native.save(pod, file)
    names = ("links.csv", "hca.xlsx", "plan.xlsx")
    ran = topoedit(
        "cables", file, "--links", tmp_path / names[0], "--hca", tmp_path / names[1],
        "--plan", tmp_path / names[2], "--json",
    )  # fmt: skip
    assert ran.code == 0
    assert all((tmp_path / name).stat().st_size > 100 for name in names)
    assert ran.json["trunks"][0]["fibres_spare"] == 96
    assert ran.json["stages"][-1]["cables"] == 20
    assert topoedit("check", file).code == 0
