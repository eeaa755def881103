"""The plate at the top of the drawing that says which layers are not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from topoedit.editor.layers import Layers, filter_words

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

HEIGHT = 24


class LayerChip(QPushButton):
    """Shown while a layer is alone, dimmed or hidden; a click shows all layers again."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self.setObjectName("layerChip")
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("Show all layers again")
        self.clicked.connect(lambda *_: stage.session.set_layers(Layers()))
        stage.session.layers_changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Say what is left out now."""
        words = filter_words(self._stage.session.layers)
        self.setText(f"{words} · 0 shows all" if words else "")
        self.setAccessibleName(f"{words}. Show all layers again" if words else "")
        self.setVisible(bool(words))
        self.adjustSize()
