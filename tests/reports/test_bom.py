"""The bill of materials against counts by hand and against published rows."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from topoedit.app.bom import bom, tables, write_bom
from topoedit.app.open import open_document
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.reports.bom import COLUMNS
from topoedit.reports.bom_lines import Bom
from topoedit.reports.tables import csv_bytes

Made = Callable[..., Document]
QM9700 = "NVIDIA Quantum-2 QM9700 (managed) / QM9790 (unmanaged) NDR"
FIBRE = "Single-mode MPO-12/APC crossover fibre"


def rows_of(found: Bom) -> list[dict[str, str]]:
    """The CSV file, row by row, without the statement of networks."""
    text = csv_bytes(tables(found)[0]).decode()
    return [row for row in csv.DictReader(io.StringIO(text)) if row["category"] != "network"]


def quantities(found: Bom, category: str, field: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in found.lines:
        if line.category == category:
            counts[getattr(line, field)] += line.quantity
    return counts


def test_every_line_of_the_64_gpu_pod_by_hand(samples: Path) -> None:
    """8 DGX H100, 4 to a rack; 8 leaves in one rack, 4 spines in another; 64 + 64 cables.

    Modules, one for two ports: a server has 8 ports in 4 cages, 16 cages a rack. A leaf has 8 + 8
    ports in 8 cages, 64 in all; a spine 16 ports in 8 cages, 32 in all.

    Fibres, (across + 5 m - (unit + unit) x 0.04445 m) x 1.1 + 1 m, up to a metre, then to the next
    length on sale (5, 7, 10…): a server rack stands 0.6 m beside the leaves, which takes more than
    5 m where both units add up to less than 44.2: the server in unit 1 to the leaves in 39 to 43,
    5 of 32 cables, of 6 m. To the spines, a row and a rack away (3.6 m), 6 or 7 m: all order 7 m.
    """
    found = bom(open_document(samples / "pod64-h100.topo.json").document, spares_percent=5)
    leaves = "leaf-rack"
    by_hand = [
        ("server", "NVIDIA DGX H100", "", 4, "dgx-h100", "server", "rack-1"),
        ("server", "NVIDIA DGX H100", "", 4, "dgx-h100", "server", "rack-2"),
        ("switch", QM9700, "", 8, "qm9700", "leaf", leaves),
        ("switch", QM9700, "", 4, "qm9700", "spine", "spine-rack"),
        ("module", "Twin-port OSFP 2xDR4, 100 m", "MMS4X00-NS", 64, "400g-dr4", "leaf", leaves),
        ("module", "Twin-port OSFP 2xDR4, 100 m", "MMS4X00-NS", 32, "400g-dr4", "spine",
         "spine-rack"),
        ("module", "Twin-port OSFP 2xDR4, 100 m, flat top", "MMS4X00-NS-FLT", 16, "400g-dr4",
         "server", "rack-1"),
        ("module", "Twin-port OSFP 2xDR4, 100 m, flat top", "MMS4X00-NS-FLT", 16, "400g-dr4",
         "server", "rack-2"),
        ("fibre", f"{FIBRE}, 5 m", "MFP7E30-N005", 27, "400g-dr4", "server-leaf",
         f"{leaves} + rack-1"),
        ("fibre", f"{FIBRE}, 5 m", "MFP7E30-N005", 27, "400g-dr4", "server-leaf",
         f"{leaves} + rack-2"),
        ("fibre", f"{FIBRE}, 7 m", "MFP7E30-N007", 64, "400g-dr4", "leaf-spine",
         f"{leaves} + spine-rack"),
        ("fibre", f"{FIBRE}, 7 m", "MFP7E30-N007", 5, "400g-dr4", "server-leaf",
         f"{leaves} + rack-1"),
        ("fibre", f"{FIBRE}, 7 m", "MFP7E30-N007", 5, "400g-dr4", "server-leaf",
         f"{leaves} + rack-2"),
    ]  # fmt: skip
    rows = rows_of(found)
    fields = ("category", "item", "part_number", "quantity", "type", "role", "rack")
    assert [tuple(row[name] for name in fields) for row in rows] == [
        tuple(str(value) for value in line) for line in by_hand
    ]
    assert {(row["unit"], row["network"], row["building"], row["phase"]) for row in rows} == {
        ("each", "compute", "", "")
    }
    # 5 % of 96, 32, 54 and 74, each rounded up once.
    spares: Counter[str] = Counter()
    for row in rows:
        spares[row["part_number"]] += int(row["spares"] or 0)
    assert spares == {
        "": 0, "MMS4X00-NS": 5, "MMS4X00-NS-FLT": 2, "MFP7E30-N005": 3, "MFP7E30-N007": 4,
    }  # fmt: skip
    module = next(total for total in found.totals if total.category == "module")
    assert (module.quantity, module.watts, module.watts_known) == (128, 128 * 17, 128)


def test_columns_are_those_of_the_contract(samples: Path) -> None:
    found = bom(open_document(samples / "dgx-h100.topo.json").document)
    header = csv_bytes(tables(found)[0]).decode().splitlines()[0].split(",")
    assert header[:12] == [
        "category", "item", "part_number", "quantity", "unit", "spares", "type", "role",
        "network", "rack", "building", "phase",
    ]  # fmt: skip
    assert tuple(header[:12]) == COLUMNS


@pytest.mark.parametrize(
    ("template", "params"),
    [("superpod", {"system": "dgx-b200", "nodes": 512}), ("fat-tree", {"gpus": 4096})],
)
def test_the_reference_row_of_4096_gpus(
    made: Made, template: str, params: dict[str, object]
) -> None:
    """NVIDIA DGX SuperPOD B200 reference architecture, 2025: 128, 128 and 64 switches, 3 x 4,096.

    A fat tree of 64-port switches has the same counts (Al-Fares 2008).
    """
    found = bom(made(template, **params))
    assert quantities(found, "switch", "role") == {"leaf": 128, "spine": 128, "core": 64}
    assert quantities(found, "server", "role") == {"server": 512}
    cables: Counter[str] = Counter()
    for category in ("fibre", "DAC"):
        cables += quantities(found, category, "role")
    assert cables == {"server-leaf": 4096, "leaf-spine": 4096, "spine-core": 4096}


def test_nvl72_racks_hold_their_copper(samples: Path) -> None:
    """72 GPUs x 18 links x 4 pairs = 5,184; 72 x 18 x 50 GB/s x 2 directions = 129.6 TB/s."""
    document = open_document(samples / "gb200-pod-8.topo.json").document
    roll = bom(document).rollups[0]
    assert (roll.racks, roll.gpus, roll.compute_trays, roll.switch_trays) == (8, 576, 144, 72)
    assert (roll.copper_pairs, roll.TBps) == (8 * 5184, pytest.approx(8 * 129.6))
    assert quantities(bom(document), "server", "item") == {"NVIDIA GB200 NVL72 / DGX GB200": 8}


def test_a_split_switch_is_bought_as_the_whole_one(samples: Path) -> None:
    """Two sites of 8 leaves and 2 spines, each an SN5600 whose ports are split to 2 x 400G."""
    found = bom(open_document(samples / "two-sites.topo.json").document)
    assert quantities(found, "switch", "type") == {"sn5600": 20}
    assert quantities(found, "line between sites", "part_number") == {"": 2}
    assert quantities(found, "switch", "site") == {"site1": 10, "site2": 10}


def test_one_nvl72_rack(made: Made) -> None:
    roll = bom(made("nvl72-pod", nodes=1)).rollups[0]
    assert (roll.racks, roll.copper_pairs, roll.TBps) == (1, 5184, 129.6)


def test_it_says_which_networks_are_in_it(made: Made) -> None:
    compute = bom(made("rail-optimized", nodes=8)).networks
    assert compute == {
        "compute": "included", "storage": "not drawn", "in-band": "not drawn",
        "out-of-band": "not drawn", "fabric manager": "not drawn",
    }  # fmt: skip
    document = made("superpod", units=1, networks="compute,storage,inband,oob")
    assert set(bom(document).networks.values()) == {"included"}


def test_totals_never_add_unlike_things(made: Made) -> None:
    found = bom(made("rail-optimized", nodes=8, networks="compute,storage,inband,oob"))
    assert len({(total.category, total.unit) for total in found.totals}) == len(found.totals)
    for total in found.totals:
        lines = [line for line in found.lines if line.category == total.category]
        assert total.quantity == sum(line.quantity for line in lines)
    shares: Counter[str] = Counter()
    for share in found.vendors:
        shares[share.category] += share.share
    assert all(value == pytest.approx(1) for value in shares.values())
    assert {(share.category, share.vendor) for share in found.vendors} >= {("switch", "NVIDIA")}


def test_prices_come_from_the_users_file_alone(samples: Path, tmp_path: Path) -> None:
    document = open_document(samples / "pod64-h100.topo.json").document
    assert bom(document).priced is None
    assert {line.price_each for line in bom(document).lines} == {None}
    file = tmp_path / "prices.csv"
    file.write_text(
        "item,price,currency,source\r\nMMS4X00-NS,1000.5,USD,quote 17\r\nqm9700,20000,EUR,\r\n"
    )
    found = bom(document, prices=file, spares_percent=10)
    assert (found.priced, found.unpriced) == (4, 9)
    module = next(line for line in found.lines if line.role == "spine" and line.currency == "USD")
    assert (module.quantity, module.price_total, module.price_source) == (32, 32016.0, "quote 17")
    costs = {(cost.category, cost.currency): (cost.price, cost.with_spares) for cost in found.costs}
    assert costs == {
        ("switch", "EUR"): (240_000.0, 240_000.0),
        ("module", "USD"): (96_048.0, 106_053.0),  # 96 modules and 10 spares
    }
    header = csv_bytes(tables(found)[0]).decode().splitlines()[0]
    assert header.endswith("price_each,price_total,currency,price_source")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,price\nx,1\n", "no column currency"),
        ("item,price,currency\nx,much,USD\n", '"much" is not a price'),
        ("item,price,currency\nx,-1,USD\n", "is not a price"),
        ("item,price,currency\nx,nan,USD\n", "is not a price"),
        ("item,price,currency\nx,1,\n", "no currency"),
        ("item,price,currency\nx,1,USD\nX,2,USD\n", "twice"),
        ('item,price,currency\n"x,1,USD\n', "row 2: a quote is never closed"),
    ],
)
def test_a_wrong_price_file_is_one_clear_line(samples: Path, tmp_path: Path, text: str, says: str):
    file = tmp_path / "prices.csv"
    file.write_text(text)
    document = open_document(samples / "dgx-h100.topo.json").document
    with pytest.raises(BadInputError, match=says):
        bom(document, prices=file)


@pytest.mark.parametrize("percent", [-1, 1001, float("nan"), float("inf")])
def test_spares_out_of_range(samples: Path, percent: float) -> None:
    document = open_document(samples / "dgx-h100.topo.json").document
    with pytest.raises(BadInputError, match="spares"):
        bom(document, spares_percent=percent)


def test_the_workbook_has_types_and_sheets(samples: Path, tmp_path: Path) -> None:
    document = open_document(samples / "gb200-pod-8.topo.json").document
    out = tmp_path / "bom.xlsx"
    write_bom(bom(document, spares_percent=2), out)
    book = openpyxl.load_workbook(out)
    assert book.sheetnames == ["Bill of materials", "Summary", "By role", "By rack", "Sources"]
    sheet = book["Bill of materials"]
    header = [cell.value for cell in sheet[1]]
    assert tuple(header[:12]) == COLUMNS
    assert {type(cell.value) for cell in sheet["D"][1:36]} == {int}
    pairs = [row for row in book["Summary"].values if row[1] == "NVLink copper pairs"]
    assert pairs[0][2:4] == (41472, "pair")
    assert ("network", "storage", None, None, None, "not drawn") in list(book["Summary"].values)
    sources = dict(list(book["Sources"].values)[1:])
    assert "docs.nvidia.com" in sources[QM9700]


def test_the_command(topoedit: Callable[..., object], samples: Path, tmp_path: Path) -> None:
    pod, out = samples / "pod64-h100.topo.json", tmp_path / "bom.csv"
    ran = topoedit("bom", pod, "-o", out, "--spares", "5", "--json")
    assert ran.code == 0
    assert ran.json["networks"]["storage"] == "not drawn"
    assert sum(line["quantity"] for line in ran.json["lines"] if line["category"] == "fibre") == 128
    assert "not drawn, so not in this list: storage" in ran.err
    assert out.read_bytes().startswith(b"category,item,part_number,quantity,unit,spares,")
    shown = topoedit("bom", samples / "gb200-pod-8.topo.json")
    assert "41 472 NVLink copper pairs, 1,036.8 TB/s" in shown.out.replace("\u202f", " ").replace(
        "\u2009", " "
    ).replace("\u00a0", " ")
    wrong = topoedit("bom", pod, "-o", tmp_path / "bom.pdf")
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
    assert topoedit("bom", pod, "-o", tmp_path / "none" / "bom.csv").code == 2
