"""Which look is used: the system's, light or dark; widgets that paint listen to `changed`."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from topoedit.editor.preferences import THEMES
from topoedit.editor.style import extra_style
from topoedit.render.theme import Theme, font, register_fonts

CHOICES = THEMES


class Theming(QObject):
    """The current theme and who chose it.

    Signals:
        changed(Theme): another theme is in use.
    """

    changed = Signal(object)

    def __init__(
        self, choice: str = "system", parent: QObject | None = None, *, high_contrast: bool = False
    ) -> None:
        super().__init__(parent)
        self._high_contrast = high_contrast
        self._choice = choice if choice in CHOICES else "system"
        self._theme = Theme.load(self._wanted(), high_contrast)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenAdded.connect(self._screen_added)

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self._theme

    @property
    def choice(self) -> str:
        """`system`, `light` or `dark`."""
        return self._choice

    def choose(self, choice: str) -> None:
        """Use another look."""
        if choice in CHOICES and choice != self._choice:
            self._choice = choice
            self._refresh()

    @property
    def high_contrast(self) -> bool:
        """Whether edges of controls are as strong as text."""
        return self._high_contrast

    def use_contrast(self, high: bool) -> None:
        """Draw edges of controls stronger, or as the design has them."""
        if high != self._high_contrast:
            self._high_contrast = high
            self._refresh()

    def apply(self) -> None:
        """Dress the application in the theme."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        register_fonts(app)
        app.setStyle("Fusion")
        app.setFont(font("body"))
        app.setPalette(self._theme.palette())
        app.setStyleSheet(self._theme.qss() + extra_style(self._theme))

    def _wanted(self) -> str:
        if self._choice != "system":
            return self._choice
        scheme = QGuiApplication.styleHints().colorScheme()
        return "light" if scheme == Qt.ColorScheme.Light else "dark"

    def _system_changed(self) -> None:
        if self._choice == "system":
            self._refresh()

    def _screen_added(self) -> None:
        """Icons are made for the pixel ratios of the screens; draw them anew."""
        self.changed.emit(self._theme)

    def _refresh(self) -> None:
        wanted = self._wanted()
        if (wanted, self._high_contrast) != (self._theme.name, self._theme.high_contrast):
            self._theme = Theme.load(wanted, self._high_contrast)
            self.apply()
        self.changed.emit(self._theme)
