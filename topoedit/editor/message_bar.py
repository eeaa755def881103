"""One clear line above the drawing; it never takes the keys.

It stays until it is closed, but for mere news, which goes by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from topoedit.editor.shell import Severity
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton, IconLabel, columns, label, restyle
from topoedit.render.theme import number

_COLORS = {
    "info": "severity.info", "ok": "severity.ok",
    "warning": "severity.warning", "error": "severity.error",
}  # fmt: skip


class MessageBar(QFrame):
    """A tinted plate with an icon, a line, at most two buttons and a cross.

    Signals:
        turned(bool): it is shown, or hidden.
    """

    turned = Signal(bool)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.setObjectName("message")
        self._icon = IconLabel(theming, "info", size=16)
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons = columns(gap=8)
        self._is_news = False
        self._news = QTimer(self, singleShot=True, interval=int(number("motion.toast")))
        self._news.timeout.connect(self.hide)
        self.cross = IconButton(theming, "close", "Close this message")
        self.cross.clicked.connect(self.hide)
        line = columns(self, (12, 6, 6, 6), 10)
        line.addWidget(self._icon)
        line.addWidget(self._text, 1)
        line.addLayout(self._buttons)
        line.addWidget(self.cross)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        """Show or hide it, and say so."""
        super().setVisible(visible)
        self.turned.emit(visible)

    @property
    def is_news(self) -> bool:
        """Whether the line asks for nothing and goes by itself."""
        return self._is_news

    @property
    def text(self) -> str:
        """The line shown, "" if there is none."""
        return "" if self.isHidden() else self._text.text()

    def show_line(
        self,
        text: str,
        severity: Severity = "info",
        choices: tuple[tuple[str, Callable[[], None]], ...] = (),
    ) -> None:
        """Show a line, with buttons that close it and do something."""
        self._is_news = severity == "info" and not choices
        self._text.setText(text)
        self._icon.show_icon(severity, _COLORS[severity])
        restyle(self, "severity", severity)
        while (item := self._buttons.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for words, does in choices:
            button = QPushButton(words)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(self.hide)
            button.clicked.connect(_without_arguments(does))
            self._buttons.addWidget(button)
        self.show()
        self.setAccessibleName(text)
        self._news.stop()
        if self._is_news:
            self._news.start()

    def offer(
        self, text: str, choices: tuple[tuple[str, Callable[[], None]], ...]
    ) -> Callable[[], None]:
        """Show a line with buttons; what comes back hides it, unless another line is shown."""
        self.show_line(text, "info", choices)

        def withdraw() -> None:
            if self.text == text:
                self.hide()

        return withdraw


def _without_arguments(does: Callable[[], None]) -> Callable[[], None]:
    return lambda *_: does()
