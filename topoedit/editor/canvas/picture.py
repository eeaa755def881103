"""The cached picture of the drawing, refined in short slices so that no frame waits for it.

Only `blit` runs while painting: it copies the last finished image, shifted or scaled to the view
of the moment. A newer image is painted meanwhile, batch by batch, and replaces it when complete.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter

from topoedit.render.view import View

MARGIN = 200.0
"""Pixels painted beyond each edge of the view, so that panning seldom shows a gap."""
SLICE_S = 0.006
"""With the longest batch and the copy to the window a frame stays within 16 ms."""
SETTLE_MS = 60
"""A view that has not changed for so long stands still."""
_FORMAT = QImage.Format.Format_RGB32

Jobs = Callable[[QPainter, View], Iterator[object]]
"""Paints a view on a painter in batches of a few milliseconds; each `next` does one."""


@dataclass
class _Sheet:
    """An image and the view that it shows."""

    image: QImage
    view: View


class _Brush:
    """The painter of the image under way, ended at the latest with the picture itself.

    It is apart from the picture so that it can still be ended when that has gone: an image must
    not go while it is painted.
    """

    def __init__(self) -> None:
        self._painter: QPainter | None = None

    def begin(self, image: QImage) -> QPainter:
        """Paint another image from now on."""
        self.end()
        self._painter = QPainter(image)
        return self._painter

    def end(self) -> None:
        """Paint no more."""
        painter, self._painter = self._painter, None
        if painter is not None and painter.isActive():
            painter.end()


class Picture(QObject):
    """The image behind the overlays.

    Signals:
        refined(): the image shows the view asked for last, complete.
        painted(): another image is there to be blitted.
    """

    refined = Signal()
    painted = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._background = QColor()
        self._front: _Sheet | None = None
        self._back: _Sheet | None = None
        self._brush = _Brush()
        self._steps: Iterator[object] | None = None
        self._wanted: View | None = None
        self._ratio = 1.0
        self._stale = True
        self._given_up = self._again = False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._slice)
        self._settled = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settled.timeout.connect(self._restart)
        self.destroyed.connect(self._brush.end)
        weakref.finalize(self, self._brush.end)

    @property
    def is_sharp(self) -> bool:
        """Whether the image shows what was asked for last."""
        done = self._steps is None and not self._stale and self._front is not None
        return done and not self._settled.isActive()

    def set_background(self, color: QColor) -> None:
        """The colour behind everything."""
        self._background = color
        self.invalidate()

    def invalidate(self) -> None:
        """The drawing has changed: paint again, showing the old image until then."""
        self._stale = True
        if self._wanted is not None:
            self._begin(self._wanted)

    def recolour(self) -> None:
        """Only colours have changed: paint again, but never so often that nothing is finished.

        One picture under way is given up for the newer colours. From then on the one under way
        is finished first, and then the newest colours follow.
        """
        if self._steps is None or self._front is None or not self._given_up:
            given_up = self._steps is not None
            self.invalidate()
            self._given_up = given_up
        else:
            self._again = True

    def show(self, view: View, ratio: float) -> None:
        """Ask for a view at a device pixel ratio."""
        self._wanted = view
        if ratio != self._ratio:
            self._ratio, self._stale = ratio, True
        target = self._back or self._front
        if not self._stale and target is not None and _covers(target.view, view):
            return
        if self._steps is None or self._stale:
            self._begin(view)
        else:  # to begin again with every frame of a zoom would never end
            self._settled.start()

    def _restart(self) -> None:
        """The view stands still: give up the picture of a view that has passed."""
        target = self._back or self._front
        if self._wanted is not None and (target is None or not _covers(target.view, self._wanted)):
            self._begin(self._wanted)

    def finish(self) -> None:
        """Paint what is left at once; for exports of the screen and tests."""
        if self._settled.isActive():
            self._settled.stop()
            self._restart()
        while self._steps is not None:
            self._advance(float("inf"))

    def stop(self) -> None:
        """Paint no more."""
        self._timer.stop()
        self._settled.stop()
        self._abandon()

    def _begin(self, view: View) -> None:
        self._abandon()
        grown = view.grown(MARGIN)
        if round(grown.width * self._ratio) < 1 or round(grown.height * self._ratio) < 1:
            return
        self._back = _Sheet(QImage(), grown)
        self._steps = self._paint(self._back)
        self._stale = False
        self._timer.start()

    def _paint(self, sheet: _Sheet) -> Iterator[object]:
        """Batch by batch; the image itself, some megabytes, is the first."""
        width, height = (
            round(sheet.view.width * self._ratio),
            round(sheet.view.height * self._ratio),
        )
        sheet.image = QImage(width, height, _FORMAT)
        sheet.image.setDevicePixelRatio(self._ratio)
        sheet.image.fill(self._background)
        yield None
        yield from self._jobs(self._brush.begin(sheet.image), sheet.view)

    def _abandon(self) -> None:
        self._steps = None
        self._given_up = self._again = False
        self._brush.end()
        self._back = None

    def _slice(self) -> None:
        self._advance(SLICE_S)

    def _advance(self, seconds: float) -> None:
        if self._steps is None:
            self._timer.stop()
            return
        end = time.perf_counter() + seconds
        for _ in self._steps:
            if time.perf_counter() >= end:
                return
        self._swap()

    def _swap(self) -> None:
        finished, again = self._back, self._again
        self._abandon()
        self._timer.stop()
        self._front = finished
        self.painted.emit()
        if self._wanted is not None and finished is not None:
            if again or not _covers(finished.view, self._wanted):
                self._begin(self._wanted)
                return
            self.refined.emit()

    def blit(self, painter: QPainter, view: View) -> None:
        """Copy the last image to where it belongs in a view; the rest stays background."""
        whole = QRectF(0, 0, view.width, view.height)
        if self._front is None:
            painter.fillRect(whole, self._background)
            return
        sheet = self._front
        x, y = view.to_pixels(sheet.view.x, sheet.view.y)
        zoom = view.scale / sheet.view.scale
        target = QRectF(x, y, sheet.view.width * zoom, sheet.view.height * zoom)
        if not target.adjusted(1, 1, -1, -1).contains(whole):
            painter.fillRect(whole, self._background)
        if abs(zoom - 1) < 1e-9:
            ratio = self._ratio
            painter.drawImage(QPointF(round(x * ratio) / ratio, round(y * ratio) / ratio),
                              sheet.image)  # fmt: skip
            return
        painter.drawImage(target, sheet.image, QRectF(sheet.image.rect()))


def _covers(sheet: View, view: View) -> bool:
    """Whether a sheet shows a view sharply with at least half its margin left."""
    if sheet.scale != view.scale or sheet.level != view.level:
        return False
    left, top, right, bottom = sheet.box
    slack = MARGIN / 2 / view.scale
    a, b, c, d = view.box
    return a - slack >= left and b - slack >= top and c + slack <= right and d + slack <= bottom
