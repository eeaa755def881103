"""Why a figure is what it is: a card with formula, inputs, source and interval.

The texts are those of `topoedit analyze --explain KEY`; the engine makes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton, columns, label, rows, rule

WIDTH, MOST_HEIGHT = 420, 520
Pairs = Sequence[tuple[str, str]]

_TITLES = {
    "step_time_s": "Step time",
    "interval": "80 % interval",
    "mfu": "MFU, full attention",
    "mfu_causal": "MFU, causal attention",
    "hfu": "HFU, with recomputation",
    "tokens_per_s": "Tokens a second",
    "tokens_per_s_per_gpu": "Tokens a second and GPU",
    "tflops_per_gpu": "TFLOP/s per GPU",
    "breakdown_s": "Exposed time: {}",
    "memory": "Memory: {}",
    "communication": "Communication: {}",
    "bottlenecks": "Cost of bottleneck {}",
}


def title_of(key: str) -> str:
    """What a card is called: `breakdown_s.tp` -> `Exposed time: TP`."""
    if key in _TITLES:
        return _TITLES[key]
    head, _, name = key.partition(".")
    words = name.removesuffix("_bytes")
    if head == "bottlenecks" and words.isdigit():
        words = str(int(words) + 1)
    elif head == "breakdown_s" and len(words) <= 3:
        words = words.upper()
    return _TITLES.get(head, key).format(words)


def figures_for(key: str) -> tuple[str, ...]:
    """What to ask for: a predicted time never comes without its interval."""
    timed = not key.startswith("memory.") and key != "interval"
    return (key, "interval") if timed else (key,)


def decode(body: bytes) -> list[list[tuple[str, str]]]:
    """Explanations as pairs of name and text."""
    return msgspec.msgpack.decode(body, type=list[list[tuple[str, str]]])


class WhyCard(QWidget):
    """A card beside the figure it explains; Esc or a click elsewhere closes it.

    Args:
        theming: the look.
        explained: pairs of name and text, for the figure and for what belongs to it.
        stale: the figure is of an earlier state of the drawing.
    """

    def __init__(
        self, theming: Theming, explained: Sequence[Pairs], parent: QWidget, *, stale: bool = False
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setFixedWidth(WIDTH)
        self.texts: list[str] = []
        page = QWidget()
        inside = rows(page, (16, 4, 16, 14), 10)
        for number, pairs in enumerate(explained):
            if number:
                inside.addWidget(rule())
            self._add(inside, pairs, first=number == 0)
        if stale:
            inside.addWidget(self._text("Of the last result; the drawing has changed since."))
        plate = QFrame()
        plate.setObjectName("overlay")
        rows(self).addWidget(plate)
        whole = rows(plate, (1, 1, 1, 8))
        whole.addLayout(self._head(theming, title_of(explained[0][0][0])))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page.setObjectName("overlayPage")
        area.setWidget(page)
        whole.addWidget(area)
        wanted = page.heightForWidth(WIDTH - 2)
        area.setFixedHeight(min(wanted if wanted > 0 else page.sizeHint().height(), MOST_HEIGHT))

    def _head(self, theming: Theming, title: str) -> QVBoxLayout:
        made = rows()
        line = columns(None, (16, 8, 8, 4), 8)
        line.addWidget(label(title, "title"))
        line.addStretch(1)
        cross = IconButton(theming, "close", "Close (Esc)")
        cross.clicked.connect(self.close)
        line.addWidget(cross)
        made.addLayout(line)
        self.setAccessibleName(f"Why: {title}")
        return made

    def _add(self, inside: QVBoxLayout, pairs: Pairs, *, first: bool) -> None:
        (key, value), *others = pairs
        if not first:
            inside.addWidget(label(title_of(key), "strong"))
        top = columns(gap=8)
        top.addWidget(self._text(value, "number_m"))
        top.addStretch(1)
        top.addWidget(self._text(key, "caption"))
        inside.addLayout(top)
        inputs = [(name.strip(), text) for name, text in others if name.startswith(" ")]
        for name, text in others:
            if not name.startswith(" "):
                if name == "source" and inputs:
                    inside.addLayout(self._grid(inputs))
                inside.addWidget(label(name.capitalize(), "caption"))
                inside.addWidget(self._text(text))

    def _grid(self, inputs: Pairs) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(3)
        for row, (name, text) in enumerate(inputs):
            grid.addWidget(label(name.replace("_", " "), "secondary"), row, 0, _TOP)
            value = self._text(text, "strong" if len(text) < 24 else "")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(value, row, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _text(self, text: str, role: str = "") -> QLabel:
        made = label(text, role, wrap=len(text) > 24)
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.texts.append(text)
        return made

    def open_beside(self, anchor: QRect) -> None:
        """Show the card beside a rectangle of the screen, all of it on that screen."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(anchor.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        left = anchor.left() - self.width() - 8
        if left < room.left():
            left = anchor.right() + 8
        left = max(room.left(), min(left, room.right() - self.width()))
        top = min(anchor.top(), room.bottom() - self.height())
        self.move(QPoint(left, max(room.top(), top)))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)


_TOP = Qt.AlignmentFlag.AlignTop
