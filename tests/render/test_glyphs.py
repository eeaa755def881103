"""Characters that become boxes are told, whatever fonts this computer has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import Ran, topoedit
from topoedit.app.glyphs import missing_glyphs
from topoedit.app.open import open_document
from topoedit.render.glyphs import glyph_notes, without_glyph

__all__ = ["topoedit"]

pytestmark = pytest.mark.usefixtures("qapp")
Run = Callable[..., Ran]


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> str:
    """Characters that no font has, on any computer: what fonts say is replaced for them."""
    from PySide6.QtGui import QFontMetricsF

    class Metrics(QFontMetricsF):
        def inFontUcs4(self, code: int) -> bool:
            return not 0x4E00 <= code < 0x9FFF

    monkeypatch.setattr("topoedit.render.glyphs.QFontMetricsF", Metrics)
    return "机器柜"


def test_letters_that_the_bundled_font_has_are_not_told() -> None:
    assert without_glyph(["leaf-1", "Räume – ≥ 5 µm → Жα"]) == ""
    assert glyph_notes(["leaf-1"]) == ()


def test_what_no_font_has_is_told(odd: str) -> None:
    assert without_glyph([f"rack {odd}", odd, "plain"]) == "".join(sorted(odd))
    (line,) = glyph_notes([odd])
    assert line.startswith("3 characters have no glyph on this computer and become boxes: 器, 机")
    (line,) = glyph_notes(["机"])
    assert line.startswith("1 character has no glyph on this computer and becomes a box: 机.")
    (line,) = glyph_notes(["一丁七万丈三上"])
    assert line.startswith("7 characters have no glyph")
    assert ": for example 一, 丁, 七, 万, 丈." in line


@given(st.lists(st.text(max_size=20), max_size=5))
def test_any_text_can_be_asked_about(texts: list[str]) -> None:
    missing = without_glyph(texts)
    assert set(missing) <= set("".join(texts))
    assert all(character.isprintable() and not character.isascii() for character in missing)


@pytest.fixture
def drawing(samples: Path, tmp_path: Path, odd: str) -> Path:
    """The pod with a node of a Chinese name."""
    content = json.loads((samples / "pod64-h100.topo.json").read_text(encoding="utf-8"))
    next(e for e in content["elements"] if e.get("id") == "node-01")["name"] = odd
    file = tmp_path / "odd.topo.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("cables", "FILE", "--labels", "OUT.pdf"), True),
        (("report", "FILE", "-o", "OUT.pdf"), True),
        (("floor", "FILE", "-o", "OUT.pdf"), True),
        (("export", "FILE", "OUT.png"), True),
        (("export", "FILE", "OUT.svg"), False),
        (("cables", "FILE", "-o", "OUT.csv"), False),
        (("floor", "FILE"), False),
    ],
)
def test_files_with_boxes_say_so_on_standard_error(
    topoedit: Run, drawing: Path, tmp_path: Path, words: tuple[str, ...], told: bool
) -> None:
    names = {"FILE": str(drawing)}
    ran = topoedit(*(names.get(w, w.replace("OUT", str(tmp_path / "out"))) for w in words))
    assert ran.code == 0, ran.err
    line = "3 characters have no glyph on this computer and become boxes: 器, 机, 柜"
    assert (line in ran.err) is told
    assert "no glyph" not in ran.out


def test_plain_drawings_ask_no_font(samples: Path) -> None:
    document = open_document(samples / "pod64-h100.topo.json").document
    assert missing_glyphs(document, (Path("a.pdf"),)) == ()
    assert missing_glyphs(document, (Path("a.svg"),), ["机"]) == ()
