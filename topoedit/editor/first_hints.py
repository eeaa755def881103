"""Three hints for the first drawing, in one line on the canvas; each goes once it was used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from topoedit.editor.preferences import save_preferences
from topoedit.editor.room import BESIDE, Coverable, cover
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton, columns, label

if TYPE_CHECKING:
    from topoedit.editor.window import MainWindow

HINTS: tuple[tuple[str, str], ...] = (
    ("palette", "Drag a device from the left"),
    ("link", "L links two devices"),
    ("commands", "Ctrl K finds every command"),
)
KEYS = tuple(key for key, _ in HINTS)
_USED_BY = (("tool.link", "link"), ("edit.commands", "commands"), ("edit.find", "commands"))
_EDGE, _TALL = 16, 260


class HintLine(QFrame):
    """The hints on one canvas.

    Signals:
        closed(): the cross was clicked.
    """

    closed = Signal()

    def __init__(self, canvas: QWidget, theming: Theming) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setObjectName("hintLine")
        self.setAccessibleName("Hints")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._words: dict[str, QLabel] = {}
        line = columns(self, (12, 3, 4, 3), 18)
        for key, text in HINTS:
            self._words[key] = label(text, "secondary")
            line.addWidget(self._words[key])
        self.cross = IconButton(theming, "close", "Show no more hints", 14)
        self.cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.cross.clicked.connect(self.closed)
        line.addWidget(self.cross)
        canvas.installEventFilter(self)
        if isinstance(canvas, Coverable):
            canvas.covered.connect(self._place)

    def show_keys(self, keys: Sequence[str]) -> None:
        """Show these hints; without any the line is gone."""
        for key, word in self._words.items():
            word.setVisible(key in keys)
        self.setVisible(bool(keys))
        self._place()

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says."""
        return tuple(w.text() for w in self._words.values() if w.isVisibleTo(self))

    def _place(self) -> None:
        """At the foot between legend and minimap, or where they leave no room, at the top."""
        canvas = self._canvas
        self.adjustSize()
        left, right = BESIDE
        width = canvas.width() - (canvas.covered_right if isinstance(canvas, Coverable) else 0)
        fits = self.width() <= width - left - right and canvas.height() >= _TALL
        middle = (left + width - right) // 2 if fits else width // 2
        top = (
            canvas.height() - _EDGE - self.height() if fits else _EDGE
        )  # where a message covers it
        self.move(max(8, middle - self.width() // 2), top)
        covers = not fits and not self.isHidden()
        cover(canvas, "hints", top=top + self.height() if covers else 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the canvas."""
        if watched is self._canvas and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)


class FirstHints(QObject):
    """Which hints are left, on all canvases of a window; what was used is remembered."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        for action_id, key in _USED_BY:
            window.actions_[action_id].triggered.connect(self._user(key))

    def _user(self, key: str) -> Callable[[], None]:
        return lambda *_: self.used(key)

    @property
    def left(self) -> tuple[str, ...]:
        """Keys of the hints that are still shown."""
        return tuple(key for key in KEYS if key not in self._window.settings.hints_seen)

    @property
    def lines(self) -> list[HintLine]:
        """The line on each canvas that has one."""
        return self._window.documents.findChildren(HintLine)

    def add(self, canvas: QWidget) -> None:
        """Show the hints on a new canvas, if any are left."""
        if self.left:
            line = HintLine(canvas, self._window.theming)
            line.closed.connect(self.close_all)
            line.show_keys(self.left)

    def used(self, key: str) -> None:
        """A person has done what a hint says: it is not needed again."""
        if key in self.left:
            self._see((key,))

    def close_all(self) -> None:
        """Show no more hints."""
        self._see(self.left)

    def show_again(self) -> None:
        """Show all hints once more, on the drawing in front and on new ones."""
        window = self._window
        window.settings.hints_seen = ()
        canvas = None if window.session is None else window.documents.widget
        if canvas is not None and canvas.findChild(HintLine) is None:
            self.add(canvas)
        self._keep()

    def _see(self, keys: Sequence[str]) -> None:
        settings = self._window.settings
        settings.hints_seen = tuple(dict.fromkeys((*settings.hints_seen, *keys)))
        self._keep()

    def _keep(self) -> None:
        for line in self.lines:
            line.show_keys(self.left)
        if wrong := save_preferences(self._window.settings):
            self._window.tell(wrong, "error")
