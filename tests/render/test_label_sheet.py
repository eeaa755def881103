"""Sheets of labels: where they are printed, what they say, and what does not fit."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.conftest import topoedit
from topoedit.errors import BadInputError, CancelledError
from topoedit.render.label_sheet import label_pdf
from topoedit.render.label_stock import PAPERS, STOCKS, Stock, stock
from topoedit.units import format_number

__all__ = ["topoedit"]

pytestmark = pytest.mark.usefixtures("qapp")

ROWS = [
    (f"c{n}", end, f"c{n} R1 U{n} node:{n} > R2 leaf:{n}") for n in range(1, 41) for end in "ab"
]
needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")


def pages_of(data: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", data))


def words_of(data: bytes, tmp_path: Path) -> list[tuple[int, float, float, str]]:
    """Page, left and top in millimetres and text of every word, as another program reads them."""
    file = tmp_path / "labels.pdf"
    file.write_bytes(data)
    done = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, text=True)
    found, page = [], 0
    pattern = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>(.*)</word>')
    for line in done.stdout.splitlines():
        page += "<page " in line
        match = pattern.search(line)
        if match:
            x, y = (float(value) * 25.4 / 72 for value in match.groups()[:2])
            found.append((page, x, y, match[3]))
    return found


@pytest.mark.parametrize("sheet", STOCKS, ids=lambda one: one.name)
def test_labels_lie_on_their_paper_side_by_side(sheet: Stock) -> None:
    width, height = PAPERS[sheet.paper]
    boxes = [(*sheet.corner(n), sheet.width, sheet.height) for n in range(sheet.per_page)]
    for left, top, wide, high in boxes:
        assert left >= 0
        assert top >= 0
        assert left + wide <= width + 0.05
        assert top + high <= height + 0.05
    assert sheet.columns == 1 or sheet.pitch_x >= sheet.width
    assert sheet.rows == 1 or sheet.pitch_y >= sheet.height
    assert sheet.source


@pytest.mark.parametrize("sheet", STOCKS, ids=lambda one: one.name)
def test_every_sheet_prints_all_labels(sheet: Stock) -> None:
    printed = label_pdf(ROWS, sheet)
    assert printed.labels == 80
    assert printed.pages == pages_of(printed.data) == -(-80 // sheet.per_page)
    assert printed.shortened == 0
    width, height = (value * 72 / 25.4 for value in sheet.size)
    box = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", printed.data)
    assert box is not None
    assert [float(box[1]), float(box[2])] == pytest.approx([width, height], abs=1.0)


@needs_poppler
def test_text_stands_on_its_label_and_can_be_selected(tmp_path: Path) -> None:
    """A4-3x8, by hand: label 5 is the second of the second row, at 73.2, 46.8 mm: c3, end a."""
    words = words_of(label_pdf(ROWS, stock("A4-3x8")).data, tmp_path)
    first = [word for page, x, y, word in words if page == 1 and x < 70.7 and y < 46.8]
    assert first == ["c1", "R1", "U1", "node:1", "&gt;", "R2", "leaf:1", "A"]
    fifth = [
        word for page, x, y, word in words
        if page == 1 and 73.2 <= x < 136.7 and 46.8 <= y < 80.7
    ]  # fmt: skip
    assert (fifth[0], fifth[-1]) == ("c3", "A")
    assert sum(word == "c40" for *_, word in words) == 2


@needs_poppler
def test_a_flag_says_the_same_on_both_sides(tmp_path: Path) -> None:
    words = words_of(label_pdf(ROWS[:1], stock("A4-flag")).data, tmp_path)
    left = [word for _, x, _, word in words if x < 57]
    right = [word for _, x, _, word in words if x >= 57]
    assert left == right
    assert left[0] == "c1"


@needs_poppler
def test_a_used_sheet_is_gone_on_with(tmp_path: Path) -> None:
    printed = label_pdf(ROWS[:4], stock("A4-3x8"), start=23)
    assert printed.pages == 2
    words = words_of(printed.data, tmp_path)
    assert {word for page, *_, word in words if page == 1 and re.match(r"c\d", word)} == {"c1"}
    assert min(y for page, _, y, _ in words if page == 1) > 12.9 + 7 * 33.9


def test_what_is_too_long_is_counted() -> None:
    rows = [
        ("c1", "a", "c1 " + "word " * 400),
        ("c2", "a", "c2 " + "x" * 3000),
        ("c3", "b", "c3 y"),
    ]
    assert label_pdf(rows, stock("A4-wrap")).shortened == 2


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=30), st.just("a"), st.text(max_size=200)), min_size=1,
                max_size=3))  # fmt: skip
def test_any_text_can_be_printed(rows: list[tuple[str, str, str]]) -> None:
    printed = label_pdf(rows, stock("A4-3x7"))
    assert printed.data.startswith(b"%PDF-")
    assert printed.pages == 1


def test_measures_of_ones_own() -> None:
    made = stock("a4, 3x8, 63.5x33.9, 7.2x12.9, 66x33.9")
    known = stock("A4-3x8")
    assert (made.size, made.per_page) == (known.size, known.per_page)
    assert [made.corner(n) for n in range(24)] == [known.corner(n) for n in range(24)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A4-3x9", "Nearest: A4-3x"),
        ("A5,1x1,50x50,0x0,50x50", "no sheet of labels"),
        ("A4,1x1,50x50,0x0", "no sheet of labels"),
        ("A4,4x1,63.5x33.9,7.2x12.9,66x33.9", "do not fit on A4"),
        ("A4,2x1,60x30,0x0,50x30", "do not fit on A4"),
        ("A4,0x8,63.5x33.9,7.2x12.9,66x33.9", "1 to 1000 labels"),
        ("A4,1x1,1x1,0x0,1x1", "at least 5 mm"),
        ("A4,1e9x1,1x1,0x0,1x1", "no sheet of labels"),
    ],
)
def test_wrong_sheets_are_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(BadInputError) as caught:
        stock(text)
    assert says in caught.value.line
    assert "\n" not in caught.value.line


@pytest.mark.parametrize(("rows", "start"), [([], 1), (ROWS, 0), (ROWS, 25)])
def test_nothing_to_print_or_no_such_place(rows: list[tuple[str, str, str]], start: int) -> None:
    with pytest.raises(BadInputError):
        label_pdf(rows, stock("A4-3x8"), start=start)


def test_progress_and_cancel() -> None:
    said: list[float] = []
    label_pdf(ROWS, stock("A4-3x8"), progress=lambda _, done: said.append(done))
    assert said == sorted(said)
    assert len(said) == 4
    with pytest.raises(CancelledError):
        label_pdf(ROWS, stock("A4-3x8"), cancel=lambda: True)


def test_the_command(topoedit: Callable[..., object], samples: Path, tmp_path: Path) -> None:
    """64-GPU pod: 128 fibres, a label at both ends, 24 on a sheet: 11 sheets."""
    pod, out = samples / "pod64-h100.topo.json", tmp_path / "labels.pdf"
    ran = topoedit("cables", pod, "--labels", out, "--sheet", "A4-3x8")
    assert ran.code == 0
    assert f"{format_number(256)} labels on 11 sheets A4-3x8" in ran.err
    assert pages_of(out.read_bytes()) == 11
    before = out.read_bytes()
    for wrong in (("--sheet", "A4-9x9"), ("--sheet-start", "99")):
        failed = topoedit("cables", pod, "--labels", out, *wrong)
        assert (failed.code, len(failed.err.splitlines())) == (2, 1)
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["labels.pdf"]
    missing = topoedit("cables", pod, "--labels", tmp_path / "none" / "labels.pdf")
    assert missing.code == 2
