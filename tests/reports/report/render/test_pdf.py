"""The PDF: pages, links, bookmarks; text is read back as a reader would."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reports.report.conftest import DENSE
from topoedit.app.report import Made, make_report, write_report
from topoedit.errors import CancelledError
from topoedit.model.document import Document
from topoedit.reports.report.pdf import pdf_bytes
from topoedit.reports.report.pdf_links import Link, Place, with_links


@pytest.fixture(scope="module")
def data(pod64: Made) -> bytes:
    return pdf_bytes(pod64.report, pod64.picture)


def objects(data: bytes) -> dict[int, bytes]:
    """Objects by number; of several versions the last, as an incremental update wants."""
    found = re.finditer(rb"(?m)^(\d+) 0 obj\s(.*?)endobj", data, re.DOTALL)
    return {int(one.group(1)): one.group(2) for one in found}


def pages(known: dict[int, bytes]) -> list[int]:
    tree = next(body for body in known.values() if b"/Type /Pages" in body)
    kids = re.search(rb"/Kids\s*\[(.*?)\]", tree, re.DOTALL)
    assert kids is not None
    return [int(number) for number in re.findall(rb"(\d+) 0 R", kids.group(1))]


def test_links_lead_to_pages_that_exist(data: bytes) -> None:
    known = objects(data)
    there = set(pages(known))
    links = [body for body in known.values() if b"/Subtype /Link" in body]
    assert len(links) > 20
    for body in links:
        target = re.search(rb"/Dest \[(\d+) 0 R /XYZ 0 ([\d.]+)", body)
        assert target is not None
        assert int(target.group(1)) in there
        assert 0 <= float(target.group(2)) <= 842
        assert b"/URI" not in body


def test_every_page_lists_annotations_that_exist(data: bytes) -> None:
    known = objects(data)
    listed = 0
    for page in pages(known):
        number = re.search(rb"/Annots (\d+) 0 R", known[page])
        assert number is not None
        for one in re.findall(rb"(\d+) 0 R", known[int(number.group(1))]):
            assert b"/Type /Annot" in known[int(one)]
            listed += 1
    assert listed == sum(1 for body in known.values() if b"/Subtype /Link" in body)


def test_bookmarks_name_every_part(data: bytes, pod64: Made) -> None:
    titles = [
        bytes.fromhex(one.decode()).decode("utf-16-be")
        for one in re.findall(rb"/Title <FEFF([0-9A-F]+)>", data)
    ]
    assert titles == ["First page", *(part.title for part in pod64.report.parts)]


def test_the_table_of_objects_is_right(data: bytes) -> None:
    """The last table gives the place of each object that was added."""
    start = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    assert data[start : start + 4] == b"xref"
    rows = re.findall(rb"(\d+) 1\n(\d{10}) 00000 n ", data[start:])
    assert rows
    for number, place in rows:
        assert data[int(place) :].startswith(b"%d 0 obj" % int(number))
    previous = re.search(rb"/Prev (\d+)", data[start:])
    assert previous is not None
    assert data[int(previous.group(1)) :].startswith(b"xref")


def test_plots_are_vectors(data: bytes) -> None:
    """Nothing is painted as a bitmap: no image is drawn on any page."""
    known = objects(data)
    assert not [body for body in known.values() if b"/Subtype /Image" in body]


def test_no_shape_is_drawn_without_a_path(data: bytes) -> None:
    """Readers complain of a path that is closed before it has begun."""
    for body in re.findall(rb"/FlateDecode\s*>>\s*stream\r?\n(.*?)endstream", data, re.DOTALL):
        text = zlib.decompress(body)
        if b" Tf " not in text:
            continue
        open_path = False
        for word in text.split():
            if word in (b"m", b"re"):
                open_path = True
            elif word == b"h":
                assert open_path
            elif word in (b"S", b"f", b"f*", b"B", b"B*", b"n"):
                open_path = False


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_text_can_be_selected_and_found(pod64: Made, tmp_path: Path) -> None:
    target = tmp_path / "pod.pdf"
    assert write_report(pod64, target) == (target,)
    command = ["pdftotext", "-layout", str(target), "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    text = done.stdout.decode().replace("\u2009", " ")
    assert not done.stderr
    wanted = (
        "pod64-h100", "leaf-1", "Tiers of the compute network", "28.8 TB/s", "1.60 TB/s (100 %)",
        "node-01 → leaf-1", "45.5 %", "rest on unverified",
    )  # fmt: skip
    assert [words for words in wanted if words not in text] == []
    first = text.split("\f", 1)[0]
    assert "† " in first
    assert "Busiest links" in first
    count = text.count("\f")
    assert f"1 of {count}" in first


def test_hostile_names_end_in_a_whole_file(hostile_document: Callable[[], Document]) -> None:
    made = make_report(hostile_document(), DENSE, sections=["diagram", "summary"])
    data = pdf_bytes(made.report, made.picture)
    assert data.rstrip().endswith(b"%%EOF")
    assert len(pages(objects(data))) >= 2


def test_a_stopped_pdf_is_not_written(pod64: Made, tmp_path: Path) -> None:
    with pytest.raises(CancelledError):
        write_report(pod64, tmp_path / "x.pdf", cancel=lambda: True)
    assert not list(tmp_path.iterdir())


def test_the_same_report_has_the_same_bytes(pod64: Made) -> None:
    import msgspec

    few = msgspec.structs.replace(pod64.report, parts=pod64.report.parts[:3])
    first, second = (pdf_bytes(few, pod64.picture) for _ in range(2))
    assert first == second
    assert b"CreationDate" not in first


def test_links_to_nowhere_are_left_out() -> None:
    from topoedit.render.paper import Paper

    paper = Paper("One page")
    paper.text(60, 80, "one")
    bare = paper.finish()
    assert with_links(bare, [Link(1, 0, 0, 9, 9, "x")], {"y": Place(1, 0)}, [("z", "x")]) == bare
    linked = with_links(bare, [Link(1, 10, 20, 30, 40, "y")], {"y": Place(1, 100)}, [("z", "y")])
    assert linked.startswith(bare)
    # 10, 20 and 40, 60 pixels of 96 an inch are 7.5, 15 and 30, 45 points from the top left of 842
    assert b"/Rect [7.50 797.00 30.00 827.00]" in linked
    assert b"/XYZ 0 767.00 null" in linked


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no table of objects"):
        with_links(b"trailer << /Size 3 /Root 1 0 R >>\nstartxref\n0\n%%EOF", [], {}, [])
