"""Icons: one stroke, `currentColor`, drawn sharp at any size from `resources/icons/*.svg`."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPaintEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from topoedit.paths import resources

_VECTOR = (
    QPaintEngine.Type.SVG,
    QPaintEngine.Type.Pdf,
    QPaintEngine.Type.Picture,
    QPaintEngine.Type.User,
)


@lru_cache(maxsize=1)
def icon_names() -> tuple[str, ...]:
    """Names of all icons."""
    return tuple(sorted(path.stem for path in (resources() / "icons").glob("*.svg")))


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    if name not in icon_names():
        raise KeyError(f"no icon {name}")
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))


@lru_cache(maxsize=1024)
def icon_image(name: str, color: str, pixels: int) -> QImage:
    """The icon as a square picture of so many device pixels; `color` is a colour name."""
    renderer = _renderer(name, color)
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(0, 0, pixels, pixels))
    return image


def make_icon(name: str, color: QColor, disabled: QColor, size: int) -> QIcon:
    """A QIcon for widgets with its own disabled and selected pixmaps, sharp on every screen."""
    made = QIcon()
    for ratio in _ratios():
        pixels = round(size * ratio)
        plain = _pixmap(name, color.name(), pixels, ratio)
        made.addPixmap(plain, QIcon.Mode.Normal)
        made.addPixmap(plain, QIcon.Mode.Selected)
        made.addPixmap(_pixmap(name, disabled.name(), pixels, ratio), QIcon.Mode.Disabled)
    return made


def _ratios() -> tuple[float, ...]:
    """Pixel ratios of the screens there are; whoever sees a new screen makes its icons anew."""
    return tuple(sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()}))


def _pixmap(name: str, color: str, pixels: int, ratio: float) -> QPixmap:
    made = QPixmap.fromImage(icon_image(name, color, pixels))
    made.setDevicePixelRatio(ratio)
    return made


def is_pdf(painter: QPainter) -> bool:
    """Whether a painter writes a PDF."""
    return painter.paintEngine().type() == QPaintEngine.Type.Pdf


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor) -> None:
    """Draw an icon: as a picture on screens, as strokes where the output is a vector file."""
    if painter.paintEngine().type() in _VECTOR:
        _renderer(name, color.name()).render(painter, rect)
        return
    device = painter.deviceTransform()
    pixels = max(1, round(rect.width() * device.m11()))
    image = icon_image(name, color.name(), pixels)
    # On whole device pixels, or the thin strokes blur. The transform stays: on a widget inside
    # another it holds where the widget is.
    corner, scale = device.map(rect.topLeft()), device.m11()
    left = rect.x() + (round(corner.x()) - corner.x()) / scale
    top = rect.y() + (round(corner.y()) - corner.y()) / scale
    painter.drawImage(QRectF(left, top, pixels / scale, pixels / scale), image)
