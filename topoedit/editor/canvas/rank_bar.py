"""The plate at the top of the canvas while a rank is lit: its place, and a chip for each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from topoedit.editor.rank_state import ALL
from topoedit.render.bars import draw_swatch
from topoedit.render.ink import Ink, text_width
from topoedit.units import format_number

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

HEIGHT, PAD, GAP = 34, 12, 4
_CHIP_H = 24
ROOMY = 1120
"""Width of a canvas that has room for the coordinates too."""
CLOSE = "close"
GROUP_WORDS = {
    ALL: "All groups",
    "TP": "Tensor-parallel group: each holds a part of every layer",
    "CP": "Context-parallel group: each holds a part of every sequence",
    "EP": "Expert-parallel group: each holds some of the experts",
    "PP": "Pipeline: each holds some of the layers",
    "DP": "Data-parallel group: all hold the same weights",
}
_PLAIN = "QToolButton#rankChip { border: none; background: transparent; }"


@dataclass(frozen=True)
class _Chip:
    """One choice, in pixels of the bar."""

    key: str
    text: str
    count: str
    x: float
    width: float


class RankBar(QWidget):
    """Shown while a rank is picked.

    Signals:
        resized(): another rank needs another width.
    """

    resized = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._chips: tuple[_Chip, ...] = ()
        self._buttons: dict[str, QToolButton] = {}
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setStyleSheet(_PLAIN)
        for key in (*GROUP_WORDS, CLOSE):
            self._buttons[key] = self._button(key)
        stage.session.ranks.picked.connect(self.follow)
        self.follow()

    def _button(self, key: str) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName("rankChip")
        made.setAutoRaise(True)
        made.setCheckable(key != CLOSE)
        words = "Light no rank any more (Esc)" if key == CLOSE else GROUP_WORDS[key]
        made.setToolTip(words)
        made.setAccessibleName(words)
        ranks = self._stage.session.ranks
        made.clicked.connect(lambda *_: ranks.pick(None) if key == CLOSE else ranks.choose(key))
        return made

    def button(self, key: str) -> QToolButton:
        """The button of a group, ALL or CLOSE."""
        return self._buttons[key]

    @property
    def keys(self) -> tuple[str, ...]:
        """Groups that can be chosen now."""
        return tuple(chip.key for chip in self._chips)

    def follow(self) -> None:
        """Show the rank that is picked now."""
        state = self._stage.session.ranks
        self.setVisible(state.rank is not None)
        if state.rank is None:
            return
        self._measure()
        for key, button in self._buttons.items():
            chip = next((chip for chip in self._chips if chip.key == key), None)
            button.setVisible(chip is not None or key == CLOSE)
            if chip is not None:
                button.setChecked(key == state.group)
                place = QRect(round(chip.x), (HEIGHT - _CHIP_H) // 2, round(chip.width), _CHIP_H)
                button.setGeometry(place)
        self._buttons[CLOSE].setGeometry(self.width() - 30, 5, 24, 24)
        self.resized.emit()
        self.update()

    def title(self) -> tuple[str, str]:
        """Rank and where it runs."""
        state = self._stage.session.ranks
        if state.map is None or state.rank is None:
            return "", ""
        device, index = state.map.device_of(state.rank)
        known = self._stage.session.document.devices.get(device)
        places = ", ".join(f"{axis} {at}" for axis, at in state.map.places(state.rank).items())
        where = f"{known.name if known is not None else device} GPU {index}"
        if places and self._stage.width() >= ROOMY:
            where += f" · {places}"
        return f"Rank {format_number(state.rank)}", where

    def _wide(self, text: str, px: int, weight: int = 400) -> float:
        return text_width(self._stage.theme, text, px, weight)

    def _measure(self) -> None:
        """Places of the chips, and the width of all."""
        rank, where = self.title()
        x = PAD + self._wide(rank, 12, 600) + 8 + self._wide(where, 11) + 14
        chips = []
        groups = self._stage.session.ranks.groups
        for key in (ALL, *groups):
            text = "All" if key == ALL else key
            count = "" if key == ALL else f"×{format_number(len(groups[key]))}"
            wide = self._wide(text, 11, 600) + 16
            wide += 14 + 4 + self._wide(count, 10) if key != ALL else 0
            chips.append(_Chip(key, text, count, x, wide))
            x += wide + GAP
        self._chips = tuple(chips)
        self.setFixedSize(round(x + 34), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Plate, words and chips."""
        state = self._stage.session.ranks
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._stage.theme)
            ink.box(0, 0, self.width(), HEIGHT, "surface.panel", "border.default", 6)
            rank, where = self.title()
            x = ink.text(PAD, 0, rank, 12, 600, height=HEIGHT)
            ink.text(x + 8, 0, where, 11, 400, "text.secondary", height=HEIGHT)
            for chip in self._chips:
                self._paint_chip(ink, chip, checked=chip.key == state.group)
            ink.icon("close", self.width() - 24, (HEIGHT - 12) / 2, 12, "text.secondary")
            if self._buttons[CLOSE].hasFocus():
                ink.box(self.width() - 30, 5, 24, 24, None, "border.focus", 4, 2)

    def _paint_chip(self, ink: Ink, chip: _Chip, *, checked: bool) -> None:
        y = (HEIGHT - _CHIP_H) / 2
        focus = self._buttons[chip.key].hasFocus()
        edge = "border.focus" if focus else "border.strong" if checked else "border.default"
        fill = "surface.pressed" if checked else None
        ink.box(chip.x, y, chip.width, _CHIP_H, fill, edge, 4, 2 if focus else 1)
        x = chip.x + 8
        if chip.key != ALL:
            draw_swatch(ink, x, y + 8, f"traffic.{chip.key}")
            x += 14
        color = "text.primary" if checked else "text.secondary"
        x = ink.text(x, y, chip.text, 11, 600, color, height=_CHIP_H)
        ink.text(x + 4, y, chip.count, 10, 400, "text.tertiary", height=_CHIP_H)
