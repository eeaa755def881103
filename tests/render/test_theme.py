"""The tokens are the only source of looks, and they pass the contrast table."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QIcon, QPalette

from topoedit.errors import BadInputError
from topoedit.paths import resources
from topoedit.render import icons
from topoedit.render.colour_maths import contrast
from topoedit.render.loadscale import (
    BINS,
    CODES,
    DOWN,
    FIRST_BIN,
    IDLE,
    NO_DATA,
    OVERLOAD,
    load_code,
    load_codes,
)
from topoedit.render.theme import (
    THEMES,
    Theme,
    blend,
    code_colors,
    faded_colors,
    number,
    parse_color,
)

PACKAGE = Path(__file__).resolve().parents[2] / "topoedit"
TEXT = [
    (f"text.{t}", f"surface.{s}", 4.5)
    for t in ("primary", "secondary", "tertiary")
    for s in ("panel", "chrome", "raised", "hover", "selected", "overlay")
]
SEVERITY = [
    pair
    for s in ("error", "warning", "info", "ok")
    for pair in (
        (f"severity.{s}", "surface.panel", 4.5),
        (f"severity.{s}", f"severity.{s}_bg", 4.5),
        (f"severity.{s}", "surface.overlay", 3.0),
        (f"severity.{s}", "surface.selected", 3.0),
    )
]
ON_PLATES = [
    (f"text.{t}", f"severity.{s}_bg", 4.5)
    for t in ("primary", "secondary")
    for s in ("error", "warning", "info")
]
CANVAS = [
    ("state.failed", "state.failed_fill", 4.5),
    ("canvas.label_sub", "state.failed_fill", 4.5),
    ("severity.error", "canvas.bg", 3.0),
    ("severity.warning", "canvas.bg", 3.0),
    ("canvas.label", "canvas.device_fill", 4.5),
    ("canvas.label_sub", "canvas.device_fill", 4.5),
    ("canvas.label_sub", "canvas.device_inner", 4.5),
    ("canvas.label", "canvas.group_fill", 4.5),
    ("canvas.group_title", "canvas.group_fill", 4.5),
    ("canvas.label_sub", "canvas.bg", 4.5),
    ("selection.stroke", "canvas.bg", 3.0),
    ("border.focus", "surface.panel", 3.0),
    ("canvas.guide", "canvas.bg", 3.0),
    ("border.strong", "surface.panel", 3.0),
    ("load.overload", "canvas.bg", 3.0),
    ("load.nodata", "canvas.bg", 3.0),
    ("canvas.link_plain", "canvas.bg", 2.0),
    ("canvas.device_border", "canvas.bg", 1.9),
    ("border.default", "surface.panel", 1.3),
    ("text.link", "surface.panel", 4.5),
    ("text.link", "surface.overlay", 4.5),
    ("text.link", "surface.selected", 4.5),
    ("text.on_accent", "accent.base", 4.5),
    ("accent.text", "accent.subtle", 4.5),
    ("text.disabled", "surface.panel", 1.5),
]
CLASSES = ("TP", "CP", "EP", "PP", "DP", "KV", "WAN")
TRAFFIC = [(f"traffic.{c}", "surface.panel", 3.0) for c in CLASSES]


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest, qapp: object) -> Theme:
    return Theme.load(request.param)


def test_no_colour_is_written_outside_the_tokens() -> None:
    written = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?\b|QColor\(\s*['\"\d]")
    for path in PACKAGE.rglob("*.py"):
        found = written.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{path}: {found.group() if found else ''} belongs in tokens.json"


@pytest.mark.parametrize(
    ("front", "back", "least"), [*TEXT, *SEVERITY, *ON_PLATES, *CANVAS, *TRAFFIC]
)
def test_contrast(theme: Theme, front: str, back: str, least: float) -> None:
    assert contrast(theme.color(front), theme.color(back)) >= least


def test_contrast_formula_agrees_with_the_worked_examples_of_wcag() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    # #767676 is the lightest grey that passes 4.5 on white.
    assert contrast(QColor("#767676"), QColor("white")) == pytest.approx(4.54, abs=0.01)


def test_more_load_has_more_contrast_with_the_canvas(theme: Theme) -> None:
    back = theme.color("canvas.bg")
    ratios = [contrast(c, back) for c in theme.load_bins()]
    assert len(ratios) == BINS
    assert ratios == sorted(ratios)
    assert all(r >= 3 for r in ratios[4:]), "from 25 % on, a load is a readable graphic"
    faded = [contrast(c, back) for c in faded_colors(theme)[FIRST_BIN : FIRST_BIN + BINS]]
    assert all(b > a - 0.01 for a, b in pairwise(faded))


def test_loads_fall_into_sixteen_equal_bins_and_the_ends_are_apart() -> None:
    codes = load_codes([np.nan, -1.0, 0.0, 1e-9, 0.0624, 0.0625, 0.9999, 1.0, 1.0 + 1e-12, 1.01, 9])
    first, last = FIRST_BIN, FIRST_BIN + BINS - 1
    assert codes.tolist() == [
        NO_DATA, IDLE, IDLE, first, first, first + 1, last, last, last, OVERLOAD, OVERLOAD,
    ]  # fmt: skip
    assert codes.dtype == np.uint8
    assert load_code(None) == NO_DATA
    assert DOWN + 1 == CODES


def test_eight_digit_tokens_end_in_their_opacity() -> None:
    color = parse_color("#13141780")
    assert (color.red(), color.green(), color.blue(), color.alpha()) == (0x13, 0x14, 0x17, 0x80)


def test_blending_keeps_colours_opaque() -> None:
    mixed = blend(QColor("white"), QColor("black"), 0.5)
    assert mixed.getRgb() == (128, 128, 128, 255)


def test_fonts_are_inter_with_tabular_figures(theme: Theme) -> None:
    body = theme.font("body")
    assert QFontInfo(body).family() == "Inter"
    metrics = QFontMetricsF(body)
    assert metrics.horizontalAdvance("111") == metrics.horizontalAdvance("888")
    assert body.pixelSize() == 12
    wide = QFontMetricsF(theme.font("body", 600)).horizontalAdvance("node-01")
    assert wide > metrics.horizontalAdvance("node-01"), "the weight axis must take effect"


def test_changing_a_font_that_was_given_out_changes_no_other(theme: Theme) -> None:
    theme.font("body").setPixelSize(50)
    theme.color("canvas.bg").setRed(255)
    assert theme.font("body").pixelSize() == 12
    assert theme.color("canvas.bg") == parse_color(theme.hex("canvas.bg"))


def test_every_icon_draws_at_every_mode(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(icons.icon_names()) >= 111
    for name in icons.icon_names():
        image = icons.icon_image(name, theme.color("text.primary").name(), 20)
        assert any(image.pixelColor(x, y).alpha() for x in range(20) for y in range(20)), name
    monkeypatch.setattr(icons, "_ratios", lambda: (1.0, 1.25, 2.0))  # three screens
    made = theme.icon("save", size=16)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled, QIcon.Mode.Selected):
        assert made.availableSizes(mode) == [QSize(k, k) for k in (16, 20, 32)]
    with pytest.raises(KeyError, match="no icon"):
        theme.icon("no-such-icon")


def test_palette_and_style_sheet_follow_the_tokens(theme: Theme) -> None:
    palette = theme.palette()
    assert palette.color(QPalette.ColorRole.Highlight) == theme.color("accent.base")
    disabled = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled == theme.color("text.disabled")
    sheet = theme.qss()
    targets = re.findall(r'url\("([^"]+)"\)', sheet)
    assert targets
    assert all(Path(t).is_file() for t in targets)
    known = {
        c.upper()
        for c in re.findall(r"#[0-9A-Fa-f]{6,8}", (resources() / "tokens.json").read_text())
    }
    assert {c.upper() for c in re.findall(r"#[0-9A-Fa-f]{6,8}", sheet)} <= known


def test_high_contrast_uses_strong_edges(theme: Theme) -> None:
    strong = Theme.load(theme.name, high_contrast=True)
    assert strong.color("border.default") == theme.color("border.strong")
    assert theme.hex("border.default") not in strong.qss()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadInputError, match="Use dark or light"):
        Theme.load("sepia")
    with pytest.raises(KeyError, match="no token"):
        number("glyph.nothing")


def test_code_colours_cover_every_code(theme: Theme) -> None:
    assert len(code_colors(theme)) == CODES == len(faded_colors(theme))
