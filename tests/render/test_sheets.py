"""Sheets, posters and files: sizes as announced, pages that fit together, the same bytes again."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor, QImage, QPainter

from tests.render.drawings import document, pod64, superpod
from tests.render.pictures import pixels, same_picture
from tests.render.scenes import loaded, small_pod
from topoedit.app.export import ExportChoice, PaperChoice, drained, export_diagram, picture
from topoedit.errors import BadInputError, CancelledError
from topoedit.io import embedded
from topoedit.model.elements import Group
from topoedit.render import sheet as sheets
from topoedit.render.export import ExportOptions, estimate, picture_bytes
from topoedit.render.pdf import page_steps, sheet_pages
from topoedit.render.posters import BORDER, Poster, letters, pages_of
from topoedit.render.scene import DiagramScene
from topoedit.render.sheet import plan_sheet

pytestmark = pytest.mark.usefixtures("qapp")
SAMPLES = Path(__file__).parents[2] / "sample_topologies"


def page_boxes(pdf: bytes) -> list[tuple[float, float]]:
    found = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(float(w), float(h)) for w, h in found]


# -- paper --------------------------------------------------------------------------------------


def test_rows_are_letters_and_columns_numbers() -> None:
    assert [letters(n) for n in (0, 1, 25, 26, 27, 701, 702)] == [
        "A", "B", "Z", "AA", "AB", "ZZ", "AAA",
    ]  # fmt: skip
    pages = pages_of(Poster("A3", overlap=10), 3, 2, landscape=True)
    assert [p.name for p in pages][3:5] == ["Row B, column 1", "Row B, column 2"]
    # A3 landscape is 420 x 297 mm, 400 x 277 within its border; neighbours share 10 mm
    assert (pages[4].x, pages[4].y) == (390.0, 267.0)
    assert (pages[4].width, pages[4].height) == (400.0, 277.0)


def test_a_poster_has_pages_of_the_paper_and_says_where_each_belongs() -> None:
    scene = loaded(pod64())
    options = ExportOptions(title="Pod", poster=Poster("A3", True, 2, 2))
    pdf = picture_bytes(scene, "pdf", options)
    assert len(page_boxes(pdf)) == 4
    for width, height in page_boxes(pdf):  # 420 x 297 mm in points
        assert (width, height) == pytest.approx((1190.6, 841.9), abs=1)


def test_a_drawing_is_turned_the_way_it_fits() -> None:
    scene = DiagramScene(document(pod64()))  # wide
    for landscape, wanted in ((None, True), (False, False), (True, True)):
        sheet = plan_sheet(scene, ExportOptions(poster=Poster("A4", landscape)))
        assert sheet.paper == (1, 1, wanted)
        area = Poster("A4").area(wanted)
        assert (sheet.width * sheet.mm, sheet.height * sheet.mm) == pytest.approx(area, abs=0.1)


def test_pages_follow_from_the_scale() -> None:
    scene = DiagramScene(document(pod64()))
    free = Poster("A4", True, None, None, overlap=10)
    counts = []
    for scale in (0.5, 1.0, 2.0):
        sheet = plan_sheet(scene, ExportOptions(scale=scale, poster=free))
        columns, rows, _ = sheet.paper or (0, 0, False)
        counts.append(columns * rows)
        wide, high = free.area(True)
        assert columns * wide - (columns - 1) * 10 >= sheet.width * sheet.mm - 0.1
        assert rows * high - (rows - 1) * 10 >= sheet.height * sheet.mm - 0.1
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    with pytest.raises(BadInputError, match="pages are too many"):
        plan_sheet(scene, ExportOptions(scale=60, poster=free))


@pytest.mark.parametrize(
    ("poster", "words"),
    [
        (Poster("B5"), "no paper"),
        (Poster("A4", overlap=150), "overlap of 150 mm"),
        (Poster("A4", columns=0), "at least one page"),
        (Poster("A4", columns=100, rows=100), "too many"),
    ],
)
def test_impossible_posters_are_refused(poster: Poster, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        plan_sheet(DiagramScene(document(small_pod())), ExportOptions(poster=poster))


def test_neighbouring_pages_show_the_same_in_their_overlap() -> None:
    scene = loaded(pod64())
    poster = Poster("A4", True, 2, 1, overlap=20, marks=False)
    options = ExportOptions(poster=poster, labels="none")
    sheet = plan_sheet(scene, options)
    dots = 4.0
    images = []
    for page in sheet_pages(sheet, poster):
        image = QImage(round(297 * dots), round(210 * dots), QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        for _ in page_steps(painter, sheet, options, page, dots, marks=False):
            pass
        painter.end()
        images.append(pixels(image).astype(int))
    edge, shared = round(BORDER * dots), round(20 * dots)
    left = images[0][edge:-edge, -edge - shared + 2 : -edge - 2]
    right = images[1][edge:-edge, edge + 2 : edge + shared - 2]
    assert left.std() > 5, "something is there"
    assert np.abs(left - right).mean() < 2.0


# -- files --------------------------------------------------------------------------------------


def test_a_pdf_is_the_same_in_every_run(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        target = tmp_path / f"{name}.pdf"
        command = (
            "from pathlib import Path; from topoedit.app.open import open_document;"
            "from topoedit.app.export import export_diagram;"
            f"export_diagram(open_document(Path({str(SAMPLES / 'dgx-h100.topo.json')!r})).document,"
            f" Path({str(target)!r}))"
        )
        subprocess.run([sys.executable, "-c", command], check=True, timeout=120)
        made.append(target.read_bytes())
    assert made[0] == made[1]
    assert b"CreationDate" not in made[0]
    assert b"xmp:CreateDate" not in made[0]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_drawing_travels_in_its_picture(kind: str) -> None:
    scene = loaded(small_pod())
    drawing = b'{"format": "topoedit"}' * 50
    data = picture_bytes(scene, kind, ExportOptions(drawing=drawing))  # type: ignore[arg-type]
    assert embedded.drawing_in(data, "x") == drawing
    plain = picture_bytes(scene, kind, ExportOptions())  # type: ignore[arg-type]
    assert len(plain) < len(data)


def test_grounds() -> None:
    scene = loaded(small_pod())
    clear = QImage.fromData(picture_bytes(scene, "png", ExportOptions(background="transparent")))
    assert clear.hasAlphaChannel()
    assert clear.pixelColor(3, 3).alpha() == 0
    white = QImage.fromData(picture_bytes(scene, "png", ExportOptions(background="white")))
    assert white.pixelColor(3, 3) == QColor("white")
    assert not white.hasAlphaChannel()
    svg = picture_bytes(scene, "svg", ExportOptions(background="transparent"))
    assert svg.count(b"<rect") < picture_bytes(scene, "svg", ExportOptions()).count(b"<rect") + 1


def test_the_title_block_says_what_was_given_and_nothing_else() -> None:
    scene = loaded(small_pod())
    options = ExportOptions(
        title="Row A", revision="C", author="A. Designer", note="For the tender\n\nDraft"
    )
    svg = picture_bytes(scene, "svg", options).decode()
    for text in ("Row A", "Revision", ">C<", "A. Designer", "For the tender", "Draft"):
        assert text in svg
    assert "Date" not in svg
    bare = picture_bytes(scene, "svg", replaced(options, title_block=False, legend=False)).decode()
    assert "A. Designer" not in bare
    sheet = plan_sheet(scene, replaced(options, title_block=False, legend=False, margin=0))
    left, _, right, _ = scene.bounds()
    assert sheet.width == pytest.approx(right - left)


def replaced(options: ExportOptions, **changes: object) -> ExportOptions:
    import dataclasses

    return dataclasses.replace(options, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_size_is_known_beforehand(kind: str) -> None:
    scene = loaded(pod64())
    size = estimate(scene, kind, ExportOptions())  # type: ignore[arg-type]
    data = picture_bytes(scene, kind, ExportOptions())  # type: ignore[arg-type]
    assert 0.3 < size.bytes / len(data) < 3
    if kind == "png":
        image = QImage.fromData(data)
        assert (size.width, size.height) == (image.width(), image.height())


# -- large drawings -----------------------------------------------------------------------------


def test_a_large_drawing_is_closed_unless_it_is_to_be_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sheets, "LARGE_LINKS", 100)
    scene = DiagramScene(document(superpod()))
    closed = estimate(scene, "svg", ExportOptions())
    complete = estimate(scene, "svg", ExportOptions(complete=True))
    assert closed.collapsed
    assert not complete.collapsed
    assert "pods closed" in closed.words
    assert complete.lines == len(scene.strokes) > 10 * closed.lines
    svg = picture_bytes(scene, "svg", ExportOptions()).decode()
    assert ">node-001<" not in svg.replace("\n", "")
    assert not any(group.closed for group in scene.grouping.groups), "the scene stays as it was"


def test_complete_opens_what_a_person_has_collapsed() -> None:
    elements = [replace(e, collapsed=True) if isinstance(e, Group) else e for e in small_pod()]
    scene = loaded(elements)
    assert "node-01" not in picture_bytes(scene, "svg", ExportOptions()).decode()
    assert "node-01" in picture_bytes(scene, "svg", ExportOptions(complete=True)).decode()


def test_progress_is_told_and_a_cancelled_export_leaves_nothing(tmp_path: Path) -> None:
    doc = document(pod64())
    shares: list[float] = []
    target = tmp_path / "pod.svg"
    export_diagram(doc, target, progress=lambda _words, share: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(CancelledError):
        export_diagram(doc, tmp_path / "other.svg", cancel=lambda: True)
    assert [p.name for p in tmp_path.iterdir()] == ["pod.svg"]


def test_a_stopped_generator_is_closed() -> None:
    closed = []

    def steps() -> Generator[float, None, bytes]:
        try:
            yield 0.5
            yield 0.6
        finally:
            closed.append(True)
        return b""

    with pytest.raises(CancelledError):
        drained(steps(), cancel=lambda: True)
    assert closed == [True]


def test_the_use_case_takes_paper(tmp_path: Path) -> None:
    doc = document(small_pod())
    choice = ExportChoice(paper=PaperChoice("A4", pages=(2, 1)))
    assert len(page_boxes(picture(doc, "pdf", choice))) == 2
    with pytest.raises(BadInputError, match="only a PDF"):
        picture(doc, "svg", choice)


# -- looks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("scale", [1, 2])
def test_sheets_look_as_they_did(theme: str, scale: int) -> None:
    scene = loaded(small_pod())
    options = ExportOptions(
        theme=theme, scale=scale, title="Two servers", lines=("Llama · TP 8", "Step 4.39 s"),
        revision="C", date="1 May", author="A. Designer", labels="all",
    )  # fmt: skip
    image = QImage.fromData(picture_bytes(scene, "png", options))
    same_picture(image, f"sheet-{theme}-{scale}x")
