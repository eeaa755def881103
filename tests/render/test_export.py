"""Pictures as files: text stays text, sizes are right, nothing half is left behind."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml import ElementTree
from msgspec.structs import replace
from PySide6.QtGui import QImage

from tests.render.drawings import document, pod64, some_loads, superpod
from tests.render.pictures import GOLDENS, WRITE, same_picture
from tests.render.test_painting import small_pod
from topoedit.app.export import ExportChoice, export_diagram, picture, picture_kind, selected_ids
from topoedit.errors import BadFileError, BadInputError
from topoedit.render import export
from topoedit.render import sheet as sheet_
from topoedit.render.export import ExportOptions, picture_bytes, plan_sheet
from topoedit.render.ink import TextLog, text_width
from topoedit.render.png_stream import png_bytes
from topoedit.render.scene import DiagramScene, Facts
from topoedit.render.theme import Theme
from topoedit.render.view import Level

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"


def scene_of(elements: list, loads: bool = True) -> DiagramScene:
    scene = DiagramScene(document(elements))
    if loads:
        scene.set_loads(scene.links.ids, *some_loads(len(scene.links)))
        scene.facts = Facts(57.9e9, 0.67)
    return scene


def svg_texts(data: bytes) -> list[str]:
    root = ElementTree.fromstring(data)
    return [(e.text or "").strip() for e in root.iter(f"{SVG}text")]


def test_svg_has_real_text_and_the_right_view_box() -> None:
    scene = scene_of(pod64())
    options = ExportOptions(title="pod64", lines=("Llama · TP 8", "Step 4.39 s"))
    data = picture_bytes(scene, "svg", options)
    root = ElementTree.fromstring(data)
    sheet = plan_sheet(scene, options)
    assert root.get("viewBox") == f"0 0 {round(sheet.width)} {round(sheet.height)}"
    assert float(root.get("width", "0").removesuffix("mm")) == pytest.approx(
        sheet.width * 25.4 / 96, abs=0.2
    )
    texts = svg_texts(data)
    for wanted in ("node-01", "leaf-7", "spine-3", "pod64", "Llama · TP 8", "Rack row A"):
        assert wanted in texts
    assert "64 GPUs · 8 servers · 12 switches · 128 cables" in texts
    families = {e.get("font-family", "") for e in root.iter(f"{SVG}text")}
    assert all(f.startswith("Inter") for f in families)
    lengths = {(e.text or "").strip(): e.get("textLength") for e in root.iter(f"{SVG}text")}
    wide = text_width(Theme.load("light"), "node-01", 11, 600)
    assert float(lengths["node-01"] or 0) == pytest.approx(wide, abs=0.06)
    assert all(lengths.values())
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "pod64"


def test_svg_holds_one_line_for_each_half() -> None:
    scene = scene_of(small_pod(), loads=False)
    root = ElementTree.fromstring(
        picture_bytes(scene, "svg", ExportOptions(title_block=False, legend=False))
    )
    curves = [e for e in root.iter(f"{SVG}path") if "C" in (e.get("d") or "")]
    assert len(curves) >= 2 * len(scene.strokes)
    assert not list(root.iter(f"{SVG}image")), "icons are strokes, not pictures"


def test_pdf_is_a_pdf_with_a_page_of_the_right_size_and_real_fonts() -> None:
    scene = scene_of(small_pod())
    data = picture_bytes(scene, "pdf", ExportOptions(title="pod"))
    assert data.startswith(b"%PDF")
    assert data.rstrip().endswith(b"%%EOF")
    count = re.search(rb"/Count (\d+)", data)
    assert count is not None
    assert int(count.group(1)) == 1
    sheet = plan_sheet(scene, ExportOptions())
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None
    assert float(box.group(1)) == pytest.approx(sheet.width * 0.75, abs=1)
    assert float(box.group(2)) == pytest.approx(sheet.height * 0.75, abs=1)
    assert b"/FontFile" in data


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_png_has_the_size_that_the_scale_asks_for(scale: float) -> None:
    scene = scene_of(small_pod())
    options = ExportOptions(scale=scale, theme="dark")
    image = QImage.fromData(picture_bytes(scene, "png", options))
    sheet = plan_sheet(scene, options)
    assert (image.width(), image.height()) == sheet.pixels
    if scale >= 1:
        one = plan_sheet(scene, ExportOptions())
        assert sheet.pixels == (round(one.width * scale), round(one.height * scale))
        assert image.dotsPerMeterX() == round(96 * scale / 0.0254)


def test_a_picture_in_bands_is_the_picture_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_of(pod64())
    whole = QImage.fromData(picture_bytes(scene, "png", ExportOptions()))
    monkeypatch.setattr(export, "_BAND_PIXELS", whole.width() * 130.0)
    bands = QImage.fromData(picture_bytes(scene, "png", ExportOptions()))
    assert bands.size() == whole.size()
    differing = sum(
        whole.pixel(x, y) != bands.pixel(x, y)
        for y in range(0, whole.height(), 3)
        for x in range(0, whole.width(), 3)
    )
    assert differing < 0.002 * whole.width() * whole.height() / 9


def test_the_png_writer_writes_what_the_format_says() -> None:
    def band(top: int, rows: int) -> QImage:
        image = QImage(3, rows, QImage.Format.Format_RGB32)
        for y in range(rows):
            for x in range(3):
                image.setPixel(x, y, 0xFF000000 | (x << 16) | ((top + y) << 8) | 7)
        return image

    data = png_bytes(3, 5, band, 2, 96)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, body = 8, b""
    kinds = []
    while position < len(data):
        size, kind = struct.unpack(">I4s", data[position : position + 8])
        chunk = data[position + 8 : position + 8 + size]
        check = struct.unpack(">I", data[position + 8 + size : position + 12 + size])[0]
        assert check == zlib.crc32(kind + chunk)
        kinds.append(kind)
        body += chunk if kind == b"IDAT" else b""
        position += 12 + size
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    rows = zlib.decompress(body)
    assert rows == b"".join(
        b"\x00" + b"".join(bytes((x, y, 7)) for x in range(3)) for y in range(5)
    )


def test_texts_of_an_export_stay_apart() -> None:
    scene = scene_of(pod64())
    log = TextLog()
    picture_bytes(scene, "svg", ExportOptions(title="A drawing", lines=("one", "two"), log=log))
    assert log.overlaps() == []


def test_a_selection_shows_only_that_part() -> None:
    scene = scene_of(pod64())
    whole = plan_sheet(scene, ExportOptions())
    part = plan_sheet(scene, ExportOptions(selection=("node-01", "node-02", "leaf-0")))
    assert part.width < whole.width
    texts = svg_texts(picture_bytes(scene, "svg", ExportOptions(selection=("node-01", "leaf-0"))))
    assert "node-01" in texts
    assert "node-08" not in texts


def test_large_drawings_are_drawn_smaller_unless_the_scale_asks_for_more() -> None:
    made = superpod(8, 16)
    scene = DiagramScene(document(made))
    sheet = plan_sheet(scene, ExportOptions())
    assert sheet.view.level < Level.NEAR
    assert max(sheet.pixels) < sheet_.LONGEST_SIDE + 200
    full = plan_sheet(scene, ExportOptions(scale=4))
    assert full.view.level == Level.NEAR


def test_too_large_pictures_are_refused_with_the_scale_that_works() -> None:
    scene = scene_of(pod64())
    with pytest.raises(BadInputError, match=r"is too large .* Use a scale of at most"):
        picture_bytes(scene, "png", ExportOptions(scale=60))
    with pytest.raises(BadInputError, match=r"between 0\.01 and 100"):
        picture_bytes(scene, "png", ExportOptions(scale=0))
    assert export.estimate(scene, "png", ExportOptions(scale=2)).bytes > 100_000


def test_too_many_lines_for_a_vector_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST_VECTOR_LINES", 10)
    with pytest.raises(BadInputError, match="Collapse pods or racks, export a PNG"):
        picture_bytes(scene_of(pod64()), "svg", ExportOptions())
    whole = picture_bytes(scene_of(pod64()), "svg", ExportOptions(complete=True))
    assert "spine-3" in svg_texts(whole)


def test_the_use_case_writes_a_whole_file_or_nothing(tmp_path: Path) -> None:
    doc = document(small_pod())
    target = tmp_path / "pod.svg"
    size = export_diagram(doc, target, ExportChoice(theme="dark"))
    assert target.stat().st_size == size
    assert [p.name for p in tmp_path.iterdir()] == ["pod.svg"]
    with pytest.raises(BadInputError, match="no picture format"):
        export_diagram(doc, tmp_path / "pod.gif")
    with pytest.raises(BadInputError, match="no theme"):
        export_diagram(doc, tmp_path / "other.png", ExportChoice(theme="sepia"))
    with pytest.raises(BadInputError, match="no such folder"):
        export_diagram(doc, tmp_path / "none" / "pod.png")
    with pytest.raises(BadFileError):
        export_diagram(doc, _folder(tmp_path))
    assert not (tmp_path / "other.png").exists()


def _folder(parent: Path) -> Path:
    folder = parent / "folder.png"
    folder.mkdir()
    return folder


def test_selection_takes_ids_names_and_patterns() -> None:
    doc = document(pod64())
    assert selected_ids(doc, ["leaf-1"]) == ("leaf-1",)
    assert selected_ids(doc, ["Rack row A"]) == ("rack-row-a",)
    assert selected_ids(doc, ["spine-*"]) == tuple(f"spine-{k}" for k in range(4))
    with pytest.raises(BadInputError, match='nothing is called "lief-1"'):
        selected_ids(doc, ["lief-1"])


def test_formats_follow_the_suffix() -> None:
    assert picture_kind(Path("a.SVG")) == "svg"
    assert picture_kind(Path("a.b.png")) == "png"
    with pytest.raises(BadInputError, match=r"Use \.svg, \.png or \.pdf"):
        picture_kind(Path("a.jpeg"))


def test_an_empty_drawing_can_be_exported() -> None:
    doc = document([])
    for kind in ("svg", "png", "pdf"):
        assert len(picture(doc, kind)) > 200  # type: ignore[arg-type]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_exported_pictures_look_as_they_did(theme: str) -> None:
    scene = scene_of(small_pod())
    options = ExportOptions(theme=theme, title="Two servers", lines=("Llama · TP 8", "Step 4.39 s"))
    same_picture(QImage.fromData(picture_bytes(scene, "png", options)), f"export-{theme}")
    data = picture_bytes(scene, "svg", options)
    path = GOLDENS / f"export-{theme}.svg"
    if WRITE:
        path.write_bytes(data)
    same_svg(ElementTree.fromstring(data), ElementTree.fromstring(path.read_bytes()))


def same_svg(one: Element, other: Element) -> None:
    """Two drawings with the same elements, whose numbers differ by at most half a pixel."""
    ones, others = list(one.iter()), list(other.iter())
    assert [e.tag for e in ones] == [e.tag for e in others]
    for a, b in zip(ones, others, strict=True):
        assert (a.text or "").strip() == (b.text or "").strip()
        assert a.keys() == b.keys()
        for key, value in a.items():
            if key in ("d", "points", "x", "y", "width", "height", "cx", "cy", "r"):
                mine, theirs = numbers(value), numbers(b.get(key, ""))
                assert mine == pytest.approx(theirs, abs=0.51), (a.tag, key)
            elif key in ("fill", "stroke", "stroke-dasharray", "font-size", "font-weight"):
                assert value == b.get(key), (a.tag, key)


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_failed_devices_are_named_in_an_export() -> None:
    made = [replace(e, failed=True) if e.id == "leaf-0" else e for e in small_pod()]
    texts = svg_texts(picture_bytes(scene_of(made), "svg", ExportOptions()))
    assert any("failed" in t for t in texts)
