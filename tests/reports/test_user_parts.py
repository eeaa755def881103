"""A person's own parts: taken first, in the lengths that they buy, at their price."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.conftest import device, link
from topoedit import paths
from topoedit.app.bom import bom
from topoedit.app.cables import cables
from topoedit.errors import BadCatalogError
from topoedit.model.document import Document
from topoedit.reports.cables import AT
from topoedit.reports.modules import purchase
from topoedit.reports.parts import load_parts
from topoedit.reports.user_parts import all_parts, read_parts

Drawn = Callable[..., Document]
# One case a line reads as the table it is.
# ruff: noqa: E501
CSV = """family,part_number,name,vendor,medium,length_m,connector,connectors,cage_type,ports,shell,max_watts,price,currency
copper,ACME-D05,Acme twin DAC,Acme,dac-100,0.5,,,OSFP,2,finned,,90,EUR
copper,ACME-D12,Acme twin DAC,Acme,dac-100,1.25,,,OSFP,2,finned,,110.5,EUR
fibre,ACME-F06,Acme trunk,Acme,400g-dr4;dr-100,6,MPO-12/APC,,,,,,42,EUR
fibre,ACME-F09,Acme trunk,Acme,400g-dr4;dr-100,9,MPO-12/APC,,,,,,51,EUR
module,ACME-DR4,Acme 2xDR4,Acme,400g-dr4,,MPO-12/APC,2,OSFP,2,,15.5,700,EUR
"""
YAML = """
modules:
  - {id: acme-dr4, part_number: ACME-DR4, name: Acme 2xDR4, vendor: Acme, media: [400g-dr4],
     cage_type: OSFP, ports: [2], connectors: 2, connector: MPO-12/APC, fibre: smf, watts: 15.5}
fibres:
  - {id: acme, name: Acme trunk, vendor: Acme, media: [400g-dr4], lengths: {6: ACME-F06, 9: ACME-F09}}
copper:
  - {id: acme-dac, name: Acme twin DAC, vendor: Acme, media: [dac-100], cage_types: [OSFP, OSFP],
     ports: [2, 2], lengths: {0.5: ACME-D05, 1.25: ACME-D12}}
prices:
  - {part_number: ACME-DR4, price: 700, currency: EUR, source: quote 7}
"""


@pytest.fixture
def small(drawn: Drawn) -> Document:
    """A twin copper cable of 1 m; two fibres of 5.5 m and one of 12 m from one leaf to servers."""
    return drawn(
        device("leaf", "leaf", "qm9700"),
        device("spine", "spine", "qm9700"),
        device("n", "server", "dgx-h100"),
        link("d", "leaf/1-2", "spine/1-2", "c1-2", "dac-100", gbps=400.0, length_m=1.0),
        link("f", "leaf/3-4", "n/nic0-1", "c3-4", "400g-dr4", gbps=400.0, length_m=5.5),
        link("g", "leaf/5", "n/nic2", "c5", "400g-dr4", gbps=400.0, length_m=12.0),
    )


@pytest.mark.parametrize(("suffix", "text"), [("csv", CSV), ("yaml", YAML)])
def test_own_parts_are_bought_in_their_lengths(
    small: Document, tmp_path: Path, suffix: str, text: str
) -> None:
    file = tmp_path / f"acme.{suffix}"
    file.write_text(text)
    found = purchase(small, all_parts([file]))
    assert {c.id: (c.sold.part_number, c.sold.ordered_m) for c in found.cables} == {
        "c1": ("ACME-D12", 1.25),
        "c3": ("ACME-F06", 6),
        "c4": ("ACME-F06", 6),
        "c5": ("MFP7E30-N015", 15),  # longer than the own parts: the product's
    }
    assert {m.part.part_number for m in found.modules if m.part} == {"ACME-DR4"}
    assert {m.watts for m in found.modules} == {15.5}
    assert {c.sold.vendor for c in found.cables} == {"Acme", "NVIDIA"}


def test_their_prices_count_unless_a_price_file_says_otherwise(
    small: Document, tmp_path: Path
) -> None:
    file, prices = tmp_path / "acme.csv", tmp_path / "prices.csv"
    file.write_text(CSV)
    prices.write_text("item,price,currency\nACME-F06,40,USD\n")
    lines = {line.part_number: line for line in bom(small, parts=all_parts([file])).lines}
    assert (lines["ACME-D12"].price_each, lines["ACME-D12"].currency) == (110.5, "EUR")
    assert lines["ACME-F06"].price_total == 84
    assert lines["ACME-F06"].price_source == "own file of parts"
    assert lines["MFP7E30-N015"].price_each is None
    found = bom(small, parts=all_parts([file]), prices=prices)
    lines = {line.part_number: line for line in found.lines}
    assert (lines["ACME-F06"].price_each, lines["ACME-F06"].currency) == (40, "USD")
    assert lines["ACME-D12"].price_each == 110.5
    assert bom(small, parts=load_parts()).priced is None


def test_parts_of_the_settings_folder_and_beside_the_drawing(
    small: Document, tmp_path: Path
) -> None:
    folder = paths.config_dir() / "parts"
    folder.mkdir(parents=True)
    (folder / "acme.csv").write_text(CSV)
    assert any(line.part_number == "ACME-F06" for line in bom(small).lines)
    schedule = cables(small).rows
    assert {row[AT["ordered_m"]] for row in schedule} >= {6, 1.25}
    beside = tmp_path / "parts"
    beside.mkdir()
    (beside / "other.yaml").write_text(
        "fibres:\n- {id: x, name: X, media: [400g-dr4], lengths: {5.5: X-55}}\n"
    )
    (beside / "readme.txt").write_text("no list of parts")
    ranked = all_parts((), tmp_path / "pod.topo.json")
    found = {c.id: c.sold.part_number for c in purchase(small, ranked).cables}
    assert found == {"c1": "ACME-D12", "c3": "X-55", "c4": "X-55", "c5": "MFP7E30-N015"}
    assert all_parts(user=False) == load_parts()


def test_an_id_of_the_product_is_replaced(tmp_path: Path) -> None:
    known = load_parts().copper[0]
    file = tmp_path / "own.yaml"
    file.write_text(
        f"copper:\n- {{id: {known.id}, name: Mine, media: [dac-100], lengths: {{1: MINE-1}}}}\n"
    )
    found = [part for part in all_parts([file]).copper if part.id == known.id]
    assert [part.name for part in found] == ["Mine"]
    assert found[0].own
    assert found[0].source == "own file own.yaml"


def test_a_splitter_of_ones_own(drawn: Drawn, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text(
        "family,part_number,name,medium,length_m,cage_type,cage_type_b,ports,ports_b\n"
        "copper,S-2,Split,dac-100,2,OSFP,OSFP,2,1\n"
    )
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("t1", "server", "gb200-tray"),
        device("t2", "server", "gb200-tray"),
        link("b", "leaf/3", "t1/nic0", "c3", "dac-100", gbps=400.0, length_m=1.4),
        link("c", "leaf/4", "t2/nic0", "c4", "dac-100", gbps=400.0, length_m=1.0),
    )
    found = purchase(document, all_parts([file])).cables
    assert [(c.sold.part_number, c.sold.ordered_m, c.drawn) for c in found] == [
        ("S-2", 2, ("c3", "c4"))
    ]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.txt", "x", "no suffix of a file of parts"),
        ("p.csv", "", "has no column family, medium"),
        ("p.csv", "family,medium,colour\n", 'unknown column "colour"'),
        ("p.csv", "family,medium,medium\n", "has a column twice"),
        ("p.csv", "family,medium\nspoon,dac-100\n", '"spoon" is no family of parts'),
        ("p.csv", "family,medium,length_m\nfibre,dr-100,long\n", '"long" is not a length'),
        ("p.csv", "family,medium,length_m\nfibre,dr-100,nan\n", '"nan" is not a length'),
        ("p.csv", "family,medium,length_m\nfibre,dr-100,-1\n", '"-1" is not a length'),
        ("p.csv", "family,medium,length_m\nfibre,dr-100,0\n", ">"),
        ("p.csv", "family,medium,length_m\nfibre,dr-100,2\nfibre,dr-100,2.0\n", "2 m twice"),
        ("p.csv", "family,medium,ports\nmodule,dr-100,1.5\n", "not a number of ports"),
        ("p.csv", "family,medium,part_number,price\nmodule,dr-100,A,5\n", "currency"),
        ("p.csv", 'family,medium\n"fibre,dr-100\n', "row 2: a quote is never closed"),
        ("p.yaml", "- 1\n", "is no list of parts"),
        ("p.yaml", "scale_up: []\n", "is no list of parts"),
        ("p.yaml", "spoons: []\n", "spoons"),
        ("p.yaml", "modules:\n- {id: m, name: M, media: [a]}\n", "part_number"),
        ("p.yaml", "modules:\n- {id: m, name: M, media: [a], part_number: P, watts: hot}\n", "field watts"),
        ("p.yaml", "fibres:\n- {id: f, name: F, lengths: {-2: X}}\n", "fibres f"),
        ("p.yaml", "fibres:\n- {id: f, name: F, lengths: {}}\n", "fibres f"),
        ("p.yaml", "fibres:\n- &a {id: f, name: F, lengths: {2: X}}\n", "anchors"),
        ("p.yaml", "fibres:\n- {id: f, name: F, lengths: {2: X}}\n- {id: f, name: F, lengths: {2: X}}\n", "twice"),
        ("p.yaml", "prices:\n- {part_number: A, price: 1, currency: EUR}\n- {part_number: a, price: 1, currency: EUR}\n", "twice"),
        ("p.yaml", "copper:\n- {id: c, name: C, media: [a], ports: [1], lengths: {2: X}}\n", "copper c"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_one_clear_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(BadCatalogError) as caught:
        read_parts(file)
    assert says in caught.value.line
    assert str(file) in caught.value.line
    assert "\n" not in caught.value.line
    assert "$" not in caught.value.line


def test_floods_are_refused(tmp_path: Path) -> None:
    many = "fibres:\n" + "".join(
        f"- {{id: f{n}, name: F, lengths: {{2: X}}}}\n" for n in range(6000)
    )
    (tmp_path / "many.yaml").write_text(many)
    with pytest.raises(BadCatalogError, match="length"):
        read_parts(tmp_path / "many.yaml")
    (tmp_path / "large.csv").write_text("family,medium\n" + "fibre,dr-100\n" * 400_000)
    with pytest.raises(BadCatalogError, match="larger than 4 MB"):
        read_parts(tmp_path / "large.csv")
    with pytest.raises(BadCatalogError, match="not a file"):
        read_parts(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"family,medium\nfibre,\xff\n")
    with pytest.raises(BadCatalogError, match="UTF-8"):
        read_parts(tmp_path / "latin.csv")


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(
    ["fibre", "module", "copper", "dr-100", "2", "0", "-1", "nan", "1e999", "", "x", '"', ";", "=1"]
), max_size=7), max_size=5))  # fmt: skip
def test_any_table_gives_parts_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    file = tmp_path_factory.mktemp("parts") / "p.csv"
    head = "family,medium,length_m,part_number,price,currency,ports\n"
    file.write_text(head + "".join(",".join(row) + "\n" for row in rows))
    try:
        found = read_parts(file)
    except BadCatalogError as error:
        said = error.line
    else:
        said = ""
        assert all(part.own for part in (*found.modules, *found.fibres, *found.copper))
    assert "\n" not in said


def test_the_commands(topoedit: Callable[..., object], samples: Path, tmp_path: Path) -> None:
    pod, file = samples / "pod64-h100.topo.json", tmp_path / "acme.csv"
    file.write_text(CSV)
    ran = topoedit("bom", pod, "--parts", file, "--json")
    assert ran.code == 0
    bought = {line["part_number"]: line["quantity"] for line in ran.json["lines"]}
    assert bought.keys() >= {"ACME-DR4", "ACME-F06", "ACME-F09"}
    assert ran.json["priced"] > 0
    listed = topoedit("cables", pod, "--parts", file, "--json")
    assert {row["part_number"] for row in listed.json["rows"]} == {"ACME-F06", "ACME-F09"}
    file.write_text("family,medium\nspoon,x\n")
    wrong = topoedit("bom", pod, "--parts", file)
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
    assert f"{file}:2" in wrong.err
