"""The cable schedule of a pod written out by hand, changes since an older one, marks, labels."""

from __future__ import annotations

import csv
import io
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.reports.conftest import link, pod20_elements
from topoedit.app.cables import (
    Cabling,
    cables,
    write_cables,
    write_labels,
    write_plan,
    write_port_maps,
)
from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.reports.cables import AT, COLUMNS, MORE_COLUMNS
from topoedit.reports.labels import label_maker
from topoedit.reports.tables import Table, write

Drawn = Callable[..., Document]

# Port by port from the DGX H100's cage map (nic0 and nic3 in OSFP4, nic1 and nic2 in OSFP3, nic4
# and nic7 in OSFP1, nic5 and nic6 in OSFP2) and the QM9700's (ports 1 and 2 in cage 1). Ways: 0.6 m
# across, 5 m up and down less 0.04445 m a unit: 3.8 m from unit 1 to 40. Inside a rack 0.5 m more
# than the units between. Ordered: 5 and 7 m of fibre, 1 m and 1.5 m of copper are on sale.
BY_HAND = """
c23|R1|1|node-1|bmc|bmc|        |R2|38|oob-1|1|1|            |cat6|3.9|2.1|6|out-of-band||
c1|R1|1|node-1|nic0|OSFP4|2     |R2|40|leaf-1|1|1|1          |400g-dr4|3.8|2.2|7|compute|1|MFP7E30-N007
c2|R1|1|node-1|nic1|OSFP3|2     |R2|40|leaf-1|2|1|2          |400g-dr4|3.8|2.2|7|compute|1|MFP7E30-N007
c3|R1|1|node-1|nic2|OSFP3|1     |R2|40|leaf-1|3|2|1          |400g-dr4|3.8|2.2|7|compute|1|MFP7E30-N007
c4|R1|1|node-1|nic3|OSFP4|1     |R2|40|leaf-1|4|2|2          |400g-dr4|3.8|2.2|7|compute|1|MFP7E30-N007
c5|R1|1|node-1|nic4|OSFP1|2     |R2|41|leaf-2|1|1|1          |400g-dr4|3.7|2.3|7|compute|1|MFP7E30-N007
c6|R1|1|node-1|nic5|OSFP2|2     |R2|41|leaf-2|2|1|2          |400g-dr4|3.7|2.3|7|compute|1|MFP7E30-N007
c7|R1|1|node-1|nic6|OSFP2|1     |R2|41|leaf-2|3|2|1          |400g-dr4|3.7|2.3|7|compute|1|MFP7E30-N007
c8|R1|1|node-1|nic7|OSFP1|1     |R2|41|leaf-2|4|2|2          |400g-dr4|3.7|2.3|7|compute|1|MFP7E30-N007
c9|R1|9|node-2|nic0|OSFP4|2     |R2|40|leaf-1|5|3|1          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c10|R1|9|node-2|nic1|OSFP3|2    |R2|40|leaf-1|6|3|2          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c11|R1|9|node-2|nic2|OSFP3|1    |R2|40|leaf-1|7|4|1          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c12|R1|9|node-2|nic3|OSFP4|1    |R2|40|leaf-1|8|4|2          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c13|R1|9|node-2|nic4|OSFP1|2    |R2|41|leaf-2|5|3|1          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c14|R1|9|node-2|nic5|OSFP2|2    |R2|41|leaf-2|6|3|2          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c15|R1|9|node-2|nic6|OSFP2|1    |R2|41|leaf-2|7|4|1          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c16|R1|9|node-2|nic7|OSFP1|1    |R2|41|leaf-2|8|4|2          |400g-dr4|3.4|1.6|5|compute|1|MFP7E30-N005
c17|R2|40|leaf-1|33 + 34|17|1 + 2|R2|44|spine-1|1 + 2|1|1 + 2|dac-100|0.7|0.3|1|compute||MCP4Y10-N001
c19|R2|41|leaf-2|33 + 34|17|1 + 2|R2|44|spine-1|3 + 4|2|1 + 2|dac-100|0.6|0.4|1|compute||MCP4Y10-N001
c21|R2|41|leaf-2|35 + 36|18|1 + 2|R2|20 + 21|tray-1 + tray-2|nic0|nic0||dac-100|1.4|0.1|1.5|compute||MCP7Y00-N01A
"""  # noqa: E501 - one row a cable
FIELDS = (
    "id", "rack_a", "unit_a", "device_a", "port_a", "cage_a", "lane_a", "rack_b", "unit_b",
    "device_b", "port_b", "cage_b", "lane_b", "medium", "length_m", "slack_m", "ordered_m",
    "network", "phase", "part_number",
)  # fmt: skip


def column(found: Cabling, name: str) -> dict[str, object]:
    """Cable id -> one column."""
    return {str(row[0]): row[AT[name]] for row in found.rows}


def changes(found: Cabling) -> dict[str, str]:
    return {name: str(value) for name, value in column(found, "change").items() if value}


def changed_pod(catalog: Catalog, *put: object, drop: tuple[str, ...] = ()) -> Document:
    ids = {element.id for element in put} | set(drop)  # type: ignore[attr-defined]
    kept = [element for element in pod20_elements() if element.id not in ids]  # type: ignore[attr-defined]
    return Document(catalog, (*kept, *put))


def test_the_20_cable_pod_row_by_row(pod20: Document, tmp_path: Path) -> None:
    out = tmp_path / "cables.csv"
    write_cables(cables(pod20), out)
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    by_hand = [[cell.strip() for cell in line.split("|")] for line in BY_HAND.split("\n")[1:-1]]
    assert len(by_hand) == 20
    assert [[row[name].removesuffix(".0") for name in FIELDS] for row in rows] == by_hand
    assert {(row["site_a"], row["site_b"]) for row in rows} == {("Berlin", "Berlin")}
    for row in rows:
        near = f"{row['rack_a']} U{row['unit_a']} {row['device_a']}:{row['port_a']}"
        if row["id"] != "c21":  # a splitter; its labels are below
            far = f"{row['rack_b']} U{row['unit_b']} {row['device_b']}:{row['port_b']}"
            assert row["label_a"] == f"{row['id']} {near} > {far}"
            assert row["label_b"] == f"{row['id']} {far} > {near}"
        assert (row["change"], row["done"], row["wrong"]) == ("", "", "")


def test_columns_are_those_of_the_contract() -> None:
    ends = ("site", "rack", "unit", "device", "port", "cage", "lane")
    assert (
        "id", "change", "label_a", "label_b", *(f"{name}_a" for name in ends),
        *(f"{name}_b" for name in ends), "medium", "length_m", "slack_m", "ordered_m",
        "network", "phase", "done", "wrong",
    ) == COLUMNS  # fmt: skip


def test_three_names_of_a_port(pod20: Document) -> None:
    found = cables(pod20)
    assert column(found, "os_name_a")["c2"] == "mlx5_3"
    assert column(found, "os_name_b")["c2"] == "IB1/1/2"
    assert column(found, "bundle")["c1"] == "R1 + R2"
    assert column(found, "carries")["c17"] == "c17 + c18"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".topo.json"])
def test_changes_since_an_older_drawing_or_schedule(
    pod20: Document, catalog: Catalog, tmp_path: Path, suffix: str
) -> None:
    old = tmp_path / f"old{suffix}"
    if suffix == ".topo.json":
        old.write_bytes(native.dumps(pod20))
    else:
        write_cables(cables(pod20), old)
    dr4 = {"medium": "400g-dr4", "gbps": 400.0, "phase": "1"}
    new = changed_pod(
        catalog,
        # c4 to another port of the leaf, c3 away, c24 new
        link("n1l1", "node-1/nic0-1,nic3", "leaf-1/1-2,9", "c1-2,c4", length_m=6.0, **dr4),
        link("new", "node-1/nic2", "leaf-1/10", "c24", length_m=6.0, **dr4),
        link("n2l1", "node-2/nic0-3", "leaf-1/5-8", "c9-12", length_m=9.0, **dr4),  # longer
    )
    found = cables(new, since=old)
    assert changes(found) == {
        "c4": "moved", "c24": "added", "c3": "removed",
        **dict.fromkeys(("c9", "c10", "c11", "c12"), "changed"),
    }  # fmt: skip
    assert found.changes == {
        "added": 1, "removed": 1, "moved": 1, "relabelled": 0, "changed": 4,
    }  # fmt: skip
    assert found.cables == 20
    assert found.rows[-1][0] == "c3"
    assert column(found, "port_b")["c3"] == "3"
    assert cables(pod20, since=old).changes == dict.fromkeys(found.changes, 0)


def test_a_new_template_relabels_and_ends_may_change_sides(
    pod20: Document, catalog: Catalog, tmp_path: Path
) -> None:
    old = tmp_path / "old.csv"
    write_cables(cables(pod20), old)
    assert set(changes(cables(pod20, since=old, label="{id} {device}")).values()) == {"relabelled"}
    turned = link(
        "n1oob", "oob-1/1", "node-1/bmc", "c23", "cat6", gbps=1.0, length_m=6.0,
        network="out-of-band",
    )  # fmt: skip
    assert changes(cables(changed_pod(catalog, turned), since=old)) == {}


def test_a_device_renamed_in_its_place_relabels_its_cables(
    pod20: Document, catalog: Catalog, tmp_path: Path
) -> None:
    old = tmp_path / "old.csv"
    write_cables(cables(pod20), old)
    spine = next(e for e in pod20_elements() if getattr(e, "name", "") == "spine-1")
    renamed = changed_pod(catalog, replace(spine, name="spine-x"))  # type: ignore[type-var]
    assert changes(cables(renamed, since=old)) == {"c17": "relabelled", "c19": "relabelled"}
    lifted = changed_pod(catalog, replace(spine, unit=45))  # type: ignore[type-var]
    assert changes(cables(lifted, since=old)) == {"c17": "moved", "c19": "moved"}


def test_a_list_of_marks_is_no_older_schedule(pod20: Document, tmp_path: Path) -> None:
    file = tmp_path / "marks.csv"
    file.write_text("id;done;wrong\nc1;x;\nc2;;bent\n")
    found = cables(pod20, marks=file)
    assert (found.done, found.wrong) == (1, 1)
    with pytest.raises(BadInputError, match="--marks"):
        cables(pod20, since=file)


def test_ids_survive_a_rebundling(pod20: Document, catalog: Catalog, tmp_path: Path) -> None:
    """Two links in the place of one, cables in another order: nothing has changed."""
    old = tmp_path / "old.csv"
    write_cables(cables(pod20), old)
    dr4 = {"medium": "400g-dr4", "gbps": 400.0, "phase": "1", "length_m": 6.0}
    halves = (
        link("x", "node-1/nic3,nic0", "leaf-1/4,1", "c4,c1", **dr4),
        link("y", "node-1/nic1-2", "leaf-1/2-3", "c2-3", **dr4),
    )
    assert changes(cables(changed_pod(catalog, *halves, drop=("n1l1",)), since=old)) == {}


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_marks_of_installers_are_carried_over(
    pod20: Document, catalog: Catalog, tmp_path: Path, suffix: str
) -> None:
    sent = tmp_path / f"sent{suffix}"
    write_cables(cables(pod20), sent)
    done, wrong = COLUMNS.index("done"), COLUMNS.index("wrong")
    if suffix == ".csv":
        with sent.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
        for row in rows[1:]:
            row[done] = "x" if row[0] in ("c1", "c4") else ""
            row[wrong] = "=bent" if row[0] == "c2" else ""
        with sent.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(rows)
    else:
        book = openpyxl.load_workbook(sent)
        for cells in book["Cables"].iter_rows(min_row=2):
            cells[done].value = "x" if cells[0].value in ("c1", "c4") else None
            if cells[0].value == "c2":
                cells[wrong].value = "=bent"
                cells[wrong].data_type = "s"
        book.save(sent)
    dr4 = {"medium": "400g-dr4", "gbps": 400.0, "phase": "1", "length_m": 6.0}
    new = changed_pod(catalog, link("n1l1", "node-1/nic0-3", "leaf-1/1-3,9", "c1-4", **dr4))
    found = cables(new, since=sent)
    assert (found.done, found.wrong, found.done_before) == (1, 1, 1)
    assert changes(found) == {"c4": "moved"}
    assert (column(found, "done")["c4"], column(found, "wrong")["c2"]) == ("", "=bent")
    told = "done before it was moved, pull it anew: node-1:nic3 – leaf-1:4"
    assert column(found, "note")["c4"] == told
    again = cables(new, marks=sent)  # the returned schedule itself tells where c4 was
    assert (again.done, again.wrong, again.done_before, again.changes) == (1, 1, 1, None)
    assert column(again, "note")["c4"] == told
    out = tmp_path / "again.csv"
    write_cables(found, out)
    assert ",'=bent," in out.read_text()
    assert column(cables(new, since=out), "wrong")["c2"] == "=bent"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_marks_of_cables_that_are_not_drawn_are_told(
    pod20: Document, catalog: Catalog, tmp_path: Path, suffix: str
) -> None:
    file, old = tmp_path / f"marks{suffix}", tmp_path / "old.csv"
    marks = [("c9999", "x", ""), ("c1", "x", ""), ("c3", "", "bent"), ("c23", "", "torn")]
    table = Table("Cables", ("id", "done", "wrong"), marks, len(marks))
    write(file, [table])
    write_cables(cables(pod20), old)
    found = cables(pod20, marks=file)
    assert (found.done, found.wrong, found.strangers) == (1, 2, ("c9999",))
    assert found.notes[-1] == "1 mark for a cable that is not in the drawing: c9999"
    less = changed_pod(catalog, drop=("n1oob",))
    assert cables(less, marks=file).strangers == ("c9999", "c23")
    since = cables(less, since=old, marks=file)  # c23 is listed as removed, and is not wrong
    assert (since.done, since.wrong, since.strangers) == (1, 1, ("c9999",))
    assert column(since, "wrong")["c23"] == "torn"


def test_a_mark_made_after_the_move_counts(
    pod20: Document, catalog: Catalog, tmp_path: Path
) -> None:
    old, returned = tmp_path / "old.csv", tmp_path / "returned.csv"
    write_cables(cables(pod20), old)
    dr4 = {"medium": "400g-dr4", "gbps": 400.0, "phase": "1", "length_m": 6.0}
    new = changed_pod(catalog, link("n1l1", "node-1/nic0-3", "leaf-1/1-3,9", "c1-4", **dr4))
    rows = [(*row[: AT["done"]], "x", *row[AT["wrong"] :]) for row in cables(new).rows]
    write(returned, [Table("Cables", (*COLUMNS, *MORE_COLUMNS), rows, len(rows))])
    found = cables(new, since=old, marks=returned)
    assert (found.done, found.done_before) == (20, 0)
    plan = tmp_path / "plan.csv"  # a list with fewer columns tells ends too
    write_plan(cables(new), plan)
    with plan.open(newline="", encoding="utf-8") as stream:
        listed = list(csv.DictReader(stream))
    for row in listed:
        row["done"] = "x"
    with plan.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, listed[0])
        writer.writeheader()
        writer.writerows(listed)
    assert (cables(new, marks=plan).done, cables(new, marks=plan).done_before) == (20, 0)
    assert (cables(pod20, marks=plan).done, cables(pod20, marks=plan).done_before) == (19, 1)


def test_returned_files_that_no_one_can_read(pod20: Document, tmp_path: Path) -> None:
    named = tmp_path / "m.xlsx"
    named.write_text("id,done\nc1,x\n")
    with pytest.raises(BadInputError, match="is no XLSX workbook, it only bears the name"):
        cables(pod20, marks=named)
    quoted = tmp_path / "m.csv"
    quoted.write_text('id,done,label_a\nc1,x,"a\nc2,x,b\n')
    with pytest.raises(BadInputError, match=r"row 2: a quote is never closed, all 2 lines"):
        cables(pod20, marks=quoted)
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made,
        made.open("xl/worksheets/sheet1.xml", "w") as part,
    ):
        for _ in range(513):
            part.write(bytes(2**20))
    named.write_bytes(packed.getvalue())
    with pytest.raises(BadInputError, match="unpacks to more than 512 MiB, the limit"):
        cables(pod20, marks=named)


def test_a_removed_cable_is_reported_once(
    pod20: Document, catalog: Catalog, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    write_cables(cables(pod20), first)
    less = changed_pod(catalog, drop=("n1oob",))
    write_cables(cables(less, since=first), second)
    assert changes(cables(less, since=first)) == {"c23": "removed"}
    assert changes(cables(less, since=second)) == {}


def test_labels_to_print(pod20: Document, tmp_path: Path) -> None:
    out = tmp_path / "labels.csv"
    write_labels(cables(pod20, label="{id} {device}:{port} {length}"), out)
    with out.open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["id", "end", "text"]
    assert len(rows) == 1 + 2 * 20 + 1  # the splitter has three plugs
    assert ["c1", "b", "c1 leaf-1:1 7 m"] in rows
    assert rows[-3:] == [
        ["c21", "a", "c21 leaf-2:35 + 36 1.5 m"],
        ["c21", "b1", "c21 tray-1:nic0 1.5 m"],
        ["c21", "b2", "c21 tray-2:nic0 1.5 m"],
    ]


@pytest.mark.parametrize(
    "template", ["", "plain", "{nothing}", "{id", "{device.__class__}", "{id!r}", "{0}", "{id}}"]
)
def test_a_wrong_template_is_refused(pod20: Document, template: str) -> None:
    with pytest.raises(BadInputError, match="--label"):
        cables(pod20, label=template or "x")


@given(st.text(st.characters(codec="utf-8", exclude_characters="{}"), max_size=20))
def test_templates_keep_their_text(text: str) -> None:
    values = ("c1", *("x",) * 9, *("y",) * 9, "m", "l", "n")
    try:
        made = label_maker(f"{text}{{id}}{{far_device}}")
    except BadInputError:
        assert any(letter < " " for letter in text)
        return
    assert "".join(made(values).split()) == "".join(f"{text}c1y".split())


def test_port_maps_list_free_ports_too(pod20: Document, tmp_path: Path) -> None:
    out = tmp_path / "ports.csv"
    write_port_maps(cables(pod20), out)
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert Counter(row["device"] for row in rows) == {
        "leaf-1": 64, "leaf-2": 64, "spine-1": 64, "oob-1": 52,
    }  # fmt: skip
    at = {(row["device"], row["port"]): row for row in rows}
    assert (at["leaf-1", "3"]["cable"], at["leaf-1", "3"]["far_port"]) == ("c3", "nic2")
    assert (at["leaf-1", "34"]["cable"], at["leaf-1", "34"]["far_port"]) == ("c17", "2")
    assert (at["leaf-2", "36"]["cable"], at["leaf-2", "36"]["far_device"]) == ("c21", "tray-2")
    assert at["leaf-1", "9"]["cable"] == ""
    assert len([row for row in rows if row["cable"]]) == 8 + 8 + 4 + 4 + 2 + 1


def test_the_workbook(pod20: Document, tmp_path: Path) -> None:
    out = tmp_path / "cables.xlsx"
    write_cables(cables(pod20), out)
    book = openpyxl.load_workbook(out)
    assert book.sheetnames == ["Cables", "Port maps", "Labels"]
    rows = list(book["Cables"].values)
    assert tuple(rows[0][: len(COLUMNS)]) == COLUMNS
    row = next(row for row in rows if row[0] == "c1")
    assert (row[AT["unit_a"]], row[AT["length_m"]], row[AT["ordered_m"]]) == (1, 3.8, 7)
    assert row[AT["port_b"]] == "1"  # a name, not a number
    assert row[AT["done"]] is None


def test_names_that_look_like_formulas(catalog: Catalog, tmp_path: Path) -> None:
    nodes = [e for e in pod20_elements() if getattr(e, "name", "") == "node-1"]
    evil = replace(nodes[0], name='=HYPERLINK("http://x","y")')  # type: ignore[type-var]
    document = changed_pod(catalog, evil)
    found = cables(document, label="{device} {id}")
    out, book = tmp_path / "c.csv", tmp_path / "c.xlsx"
    write_cables(found, out)
    with out.open(newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if cell[:1] in "=+@" and cell]
    write_cables(found, book)
    read = openpyxl.load_workbook(book)
    formulas = [c for sheet in read for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    assert not formulas
    assert changes(cables(document, since=out, label="{device} {id}")) == {}


@pytest.mark.parametrize("name", ["no.csv", "text.csv", "zip.xlsx", "other.xlsx"])
def test_a_returned_file_that_is_none_is_one_clear_line(
    pod20: Document, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    if name == "text.csv":
        file.write_text("a,b\n1,2\n")
    elif name == "zip.xlsx":
        file.write_bytes(b"PK\x03\x04 no zip")
    elif name == "other.xlsx":
        book = openpyxl.Workbook()
        book.save(file)
    with pytest.raises(BadInputError) as caught:
        cables(pod20, marks=file)
    assert name in caught.value.line


def test_the_command(topoedit: Callable[..., object], samples: Path, tmp_path: Path) -> None:
    pod, out = samples / "pod64-h100.topo.json", tmp_path / "cables.csv"
    assert topoedit("cables", pod, "-o", out).code == 0
    assert out.read_bytes().count(b"\r\n") == 129
    ran = topoedit("cables", pod, "--since", out, "--json")
    assert ran.json["changes"] == dict.fromkeys(ran.json["changes"], 0)
    assert (ran.json["cables"], len(ran.json["rows"])) == (128, 128)
    assert ran.json["rows"][0]["device_a"] == "node-01"
    labels, maps = tmp_path / "labels.csv", tmp_path / "maps.xlsx"
    shown = topoedit("cables", pod, "--labels", labels, "--port-maps", maps)
    assert shown.out.startswith("128 cables of 96 links")
    assert labels.read_bytes().count(b"\r\n") == 257
    assert len(list(openpyxl.load_workbook(maps)["Port maps"].values)) == 1 + 12 * 64
    wrong = topoedit("cables", pod, "--label", "{wrong}")
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
