"""The look: all colours, sizes, fonts and icons, from `resources/tokens.json` through `Theme`.

Give widgets their fonts with `setFont(theme.font(role))`: the weight in a style sheet cannot
reach the weight axis of Inter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPalette

from topoedit.errors import BadInputError
from topoedit.paths import resources
from topoedit.render import icons
from topoedit.render.loadcodes import BINS, DOWN, FIRST_BIN, IDLE, NO_DATA, OVERLOAD, PLAIN

ThemeName = Literal["dark", "light"]
THEMES: tuple[ThemeName, ...] = ("dark", "light")

FontRole = Literal[
    "micro", "caption", "body", "body_strong", "section", "title", "heading", "display",
    "number_l", "number_m", "canvas_name", "canvas_sub", "mono",
]  # fmt: skip

_Node = Mapping[str, object]

# How much of the load colour is left where very many links cross, by load in bins: links below
# 45 %, 58 % and 90 % fade towards the canvas so that the hot ones are found.
_FADE = ((0.45, 0.16), (0.58, 0.30), (0.90, 0.55))


@lru_cache(maxsize=1)
def tokens() -> _Node:
    """The parsed `tokens.json`."""
    text = (resources() / "tokens.json").read_text(encoding="utf-8")
    return cast("_Node", json.loads(text))


def _find(node: _Node, path: str) -> object:
    found: object = node
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            raise KeyError(f"no token {path}")
        found = found[key]
    return found


@lru_cache(maxsize=512)
def number(path: str) -> float:
    """A size of the tokens that is the same in both themes, for example `glyph.server.w`."""
    return float(cast("float", _find(tokens(), path)))


def parse_color(text: str) -> QColor:
    """The colour of `#RRGGBB` or `#RRGGBBAA` (Qt would read the latter as #AARRGGBB)."""
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return QColor(red, green, blue, int(text[7:9], 16) if len(text) == 9 else 255)


def blend(front: QColor, back: QColor, share: float) -> QColor:
    """`share` of the front colour over the back one, opaque (painting with alpha is slow)."""
    mixed = (
        round(f * share + b * (1 - share))
        for f, b in zip(front.getRgb()[:3], back.getRgb()[:3], strict=True)  # type: ignore[index]
    )
    return QColor(*mixed)


def register_fonts(app: QGuiApplication | None = None) -> None:
    """Make Inter known to Qt; once for each application, without effect when repeated."""
    running = app or QGuiApplication.instance()
    if running is None or running.property("topoeditFonts"):
        return
    for path in _font_files():
        QFontDatabase.addApplicationFont(str(path))
    running.setProperty("topoeditFonts", True)


@lru_cache(maxsize=1)
def _font_files() -> tuple[Path, ...]:
    try:
        import fontpkg_inter
    except ImportError:  # the fallback families of the tokens do
        return ()
    folder = Path(fontpkg_inter.__file__).parent / "files"
    return tuple(sorted(path for path in folder.glob("*.ttf") if "Italic" not in path.name))


def font(role: FontRole, weight: int | None = None, scale: float = 1.0) -> QFont:
    """The font of a role, with tabular figures; never below 10 px at scale 1.

    Args:
        role: a step of the type scale, or `mono` for code, ids and logs.
        weight: 400, 500 or 600 in place of the role's own.
        scale: for painting in another unit than screen pixels (reports, posters).
    """
    register_fonts()
    return QFont(_font(role, weight, scale))


@lru_cache(maxsize=256)
def _font(role: FontRole, weight: int | None, scale: float) -> QFont:
    spec = cast(
        "Mapping[str, float]", _find(tokens(), f"font.scale.{'body' if role == 'mono' else role}")
    )
    families = _find(tokens(), "font.mono" if role == "mono" else "font.ui")
    pixels = max(1, round(spec["px"] * scale))
    return _made_font(cast("list[str]", families), pixels, int(weight or spec["weight"]))


@lru_cache(maxsize=256)
def _sized_font(pixels: int, weight: int, plain: bool) -> QFont:
    made = _made_font(cast("list[str]", _find(tokens(), "font.ui")), pixels, weight)
    if plain:
        for feature in ("tnum", "calt", "ccmp", "liga"):
            made.setFeature(QFont.Tag(feature), 0)
    return made


def _made_font(families: list[str], pixels: int, weight: int) -> QFont:
    made = QFont(families)
    made.setPixelSize(pixels)
    made.setWeight(QFont.Weight(weight))
    # Inter is one variable font; Qt does not derive its axis from the weight.
    made.setVariableAxis(QFont.Tag("wght"), weight)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setFeature(QFont.Tag("tnum"), 1)
    if pixels >= 20:
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 98)
    return made


@dataclass(frozen=True)
class Theme:
    """One of the two looks; make it with `Theme.load("dark")` or `Theme.load("light")`.

    Attributes:
        name: `dark` or `light`.
        high_contrast: edges of controls take the strong border colour.
    """

    name: ThemeName
    high_contrast: bool = False

    @classmethod
    def load(cls, name: str, high_contrast: bool = False) -> Theme:
        """The theme of this name.

        Raises:
            BadInputError: there is no such theme.
        """
        if name not in THEMES:
            raise BadInputError(f'there is no theme "{name}"', mend="Use dark or light")
        return cls(name, high_contrast)

    @property
    def is_dark(self) -> bool:
        """Whether more light means more load."""
        return self.name == "dark"

    def hex(self, path: str) -> str:
        """The text of a colour token, as it stands."""
        if self.high_contrast and path == "border.default":
            path = "border.strong"
        return str(_find(tokens(), f"themes.{self.name}.{path}"))

    def color(self, path: str, alpha: float | None = None) -> QColor:
        """The colour at a token path such as `canvas.bg`; a fresh copy each time."""
        made = QColor(_color(self, path))
        if alpha is not None:
            made.setAlphaF(alpha)
        return made

    def opacity(self, path: str) -> float:
        """A token that is a share, such as `state.dimmed_opacity`."""
        return float(cast("float", _find(tokens(), f"themes.{self.name}.{path}")))

    def load_bins(self) -> tuple[QColor, ...]:
        """The 16 colours of the load ramp, from idle to 100 %."""
        return tuple(QColor(c) for c in code_colors(self)[FIRST_BIN : FIRST_BIN + BINS])

    def load_color(self, code: int) -> QColor:
        """The colour of a code of `loadscale`."""
        return QColor(code_colors(self)[code])

    def font(self, role: FontRole, weight: int | None = None, scale: float = 1.0) -> QFont:
        """See `font`."""
        return font(role, weight, scale)

    def sized_font(self, pixels: int, weight: int = 400, plain: bool = False) -> QFont:
        """A font for painting; shared, so do not change it.

        A `plain` one has no alternate glyphs: a PDF cannot tell which letters those stand for,
        so that nobody could search it for `leaf-1`.
        """
        register_fonts()
        return _sized_font(pixels, weight, plain)

    def icon(self, name: str, color: str = "text.secondary", size: int = 20) -> QIcon:
        """An icon of `resources/icons` in a token's colour, sharp on the screens there are.

        It holds its own pixmaps for disabled and selected, or the style would tint it.

        Raises:
            KeyError: there is no such icon.
        """
        return icons.make_icon(name, self.color(color), self.color("text.disabled"), size)

    def palette(self) -> QPalette:
        """The palette of the application: item views and native dialogs read it."""
        role, made = QPalette.ColorRole, QPalette()
        for one, path in _PALETTE.items():
            made.setColor(getattr(role, one), self.color(path))
        for one in ("WindowText", "Text", "ButtonText"):
            made.setColor(
                QPalette.ColorGroup.Disabled, getattr(role, one), self.color("text.disabled")
            )
        return made

    def qss(self) -> str:
        """The style sheet for widgets, with its pictures found wherever we are installed."""
        folder = resources() / "themes"
        text = (folder / f"theme-{self.name}.qss").read_text(encoding="utf-8")
        text = _quote_urls(text, folder)
        if self.high_contrast:
            text = text.replace(
                str(_find(tokens(), f"themes.{self.name}.border.default")),
                str(_find(tokens(), f"themes.{self.name}.border.strong")),
            )
        return text


_PALETTE = {
    "Window": "surface.panel",
    "Base": "surface.input",
    "AlternateBase": "surface.panel",
    "Button": "surface.raised",
    "ToolTipBase": "surface.tooltip",
    "ToolTipText": "text.primary",
    "Highlight": "accent.base",
    "HighlightedText": "text.on_accent",
    "WindowText": "text.primary",
    "Text": "text.primary",
    "ButtonText": "text.primary",
    "BrightText": "text.primary",
    "PlaceholderText": "text.tertiary",
    "Link": "text.link",
    "LinkVisited": "text.link",
    "Mid": "border.default",
    "Midlight": "border.subtle",
    "Light": "surface.raised",
    "Dark": "border.strong",
    "Shadow": "border.strong",
    "Accent": "accent.base",
}


def _quote_urls(text: str, folder: Path) -> str:
    head, *rest = text.split("url(")
    parts = [head]
    for piece in rest:
        target, _, tail = piece.partition(")")
        parts.append(f'url("{(folder / target).as_posix()}"){tail}')
    return "".join(parts)


@lru_cache(maxsize=1024)
def _color(theme: Theme, path: str) -> QColor:
    return parse_color(theme.hex(path))


@lru_cache(maxsize=8)
def code_colors(theme: Theme) -> tuple[QColor, ...]:
    """The colour of each code of `loadscale`, in code order."""
    bins = cast("list[str]", _find(tokens(), f"themes.{theme.name}.load.bins"))
    made = {
        PLAIN: theme.color("canvas.link_plain"),
        NO_DATA: theme.color("load.nodata"),
        IDLE: theme.color("load.idle"),
        OVERLOAD: theme.color("load.overload"),
        DOWN: theme.color("load.down"),
    }
    made.update({FIRST_BIN + i: parse_color(text) for i, text in enumerate(bins)})
    return tuple(made[code] for code in sorted(made))


def faded_colors(theme: Theme, quiet: float = 0.55) -> tuple[QColor, ...]:
    """The colours of a picture in which very many links cross: cold ones sink into the canvas.

    `quiet` is what is left of lines without a load; the more of them cross, the less it should be.
    """
    back = theme.color("canvas.bg")
    full = code_colors(theme)
    shares = [1.0] * len(full)
    for i in range(BINS):
        shares[FIRST_BIN + i] = next((s for top, s in _FADE if i / BINS < top), 1.0)
    dots = min(1.0, 2.5 * quiet)  # they cover a fifth of their line
    shares[PLAIN], shares[NO_DATA], shares[IDLE] = quiet, dots, quiet
    return tuple(blend(c, back, s) for c, s in zip(full, shares, strict=True))
