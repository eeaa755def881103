"""The minimap on the canvas: press or drag to go there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.canvas import camera
from topoedit.render.ink import Ink
from topoedit.render.minimap import HEIGHT, WIDTH, draw_minimap, minimap_view, paint_minimap

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

REPAINT_MS = 200


class MinimapWidget(QWidget):
    """160 × 92 pixels, bottom right."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._picture: QImage | None = None
        self.setFixedSize(round(WIDTH), round(HEIGHT))
        self.setAccessibleName("Minimap")
        self.setToolTip("The whole drawing; press or drag to go there")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._timer = QTimer(self, singleShot=True, interval=REPAINT_MS)
        self._timer.timeout.connect(self._repaint_picture)

    def refresh(self) -> None:
        """The drawing has changed; the picture follows a little later."""
        if not self._timer.isActive():
            self._timer.start()

    def _repaint_picture(self) -> None:
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture and the frame of what is visible."""
        stage = self._stage
        if self._picture is None:
            self._picture = paint_minimap(stage.scene, stage.theme, self.devicePixelRatioF())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_minimap(Ink(painter, stage.theme), 0, 0, self._picture, stage.scene, stage.view)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow a drag."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def _go(self, position: QPointF) -> None:
        x, y = minimap_view(self._stage.scene).to_canvas(position.x(), position.y())
        self._stage.set_view(camera.centred(self._stage.view, x, y))
