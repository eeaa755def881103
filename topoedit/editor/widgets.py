"""Small widgets that every panel uses: labels, rules, sections, segments, search field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from topoedit.editor.glossary import explain
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip as plain_tip
from topoedit.editor.translating import tr
from topoedit.render.theme import FontRole, font
from topoedit.units import THIN_SPACE

NARROW_NO_BREAK = "\u202f"

_ROLE_FONTS: dict[str, FontRole] = {
    "title": "title", "heading": "heading", "section": "section", "strong": "body_strong",
    "number_m": "number_m", "caption": "caption",
}  # fmt: skip


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """A label in one of the roles of the style sheet."""
    made = QLabel(tr(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    if meaning := explain(text):
        made.setToolTip(tr(meaning))
    if role:
        made.setProperty("role", role)
    # The style sheet sets size and colour; the weight of a variable font must be in the font.
    made.setFont(font(_ROLE_FONTS.get(role, "body")))
    made.setWordWrap(wrap)
    return made


def unbroken(text: str) -> str:
    """A text whose numbers are not broken at the end of a line: a thin space would allow it."""
    return text.replace(THIN_SPACE, NARROW_NO_BREAK)


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet reads, and have it read again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def rule() -> QFrame:
    """A one-pixel line between two sections."""
    made = QFrame()
    made.setObjectName("rule")
    made.setFixedHeight(1)
    return made


def boxed(
    layout: QBoxLayout, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> None:
    """Margins and gap of a layout."""
    layout.setContentsMargins(*margins)
    layout.setSpacing(gap)


def rows(
    parent: QWidget | None = None, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QVBoxLayout:
    """A column of rows."""
    made = QVBoxLayout(parent) if parent is not None else QVBoxLayout()
    boxed(made, margins, gap)
    return made


def columns(
    parent: QWidget | None = None, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QHBoxLayout:
    """A row of columns."""
    made = QHBoxLayout(parent) if parent is not None else QHBoxLayout()
    boxed(made, margins, gap)
    return made


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


def widgets_in(layout: QLayout) -> list[QWidget]:
    """The widgets of a layout, in order."""
    items = (layout.itemAt(number) for number in range(layout.count()))
    found = (None if item is None else item.widget() for item in items)
    return [widget for widget in found if widget is not None]


def named(widget: QWidget, name: str, tip: str = "") -> None:
    """The name that a screen reader says, and a tooltip."""
    widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where there is no room; the tooltip has all of it."""

    def __init__(self, text: str, role: str = "caption") -> None:
        super().__init__()
        self._full = text
        self.setProperty("role", role)
        self.setFont(font(_ROLE_FONTS.get(role, "body")))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setToolTip(plain_tip(text))
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the text to the new width."""
        super().resizeEvent(event)
        elide = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._full, elide, self.width()))


class IconButton(QToolButton):
    """A flat button with an icon of the theme and a spoken name."""

    def __init__(self, theming: Theming, icon: str, name: str, size: int = 16) -> None:
        super().__init__()
        self._theming, self._icon, self._size = theming, icon, size
        self._color = "text.secondary"
        self.setObjectName("flat")
        self.setAutoRaise(True)
        self.setIconSize(QSize(size, size))
        named(self, tr(name), tr(name))
        self._paint()
        theming.changed.connect(self._paint)

    def set_icon(self, icon: str, color: str = "text.secondary") -> None:
        """Show another icon."""
        self._icon, self._color = icon, color
        self._paint()

    def _paint(self) -> None:
        self.setIcon(self._theming.theme.icon(self._icon, self._color, self._size))


class IconLabel(QLabel):
    """An icon of the theme that is not a button."""

    def __init__(
        self, theming: Theming, icon: str, color: str = "text.primary", size: int = 20
    ) -> None:
        super().__init__()
        self._theming, self._size = theming, size
        self.setFixedSize(size, size)
        self.show_icon(icon, color)
        theming.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.show_icon(self._icon, self._color)

    def show_icon(self, icon: str, color: str = "text.primary") -> None:
        """Show another icon."""
        self._icon, self._color = icon, color
        made = self._theming.theme.icon(icon, color, self._size)
        ratio = self.devicePixelRatioF()
        self.setPixmap(made.pixmap(QSize(self._size, self._size), ratio))


class Section(QWidget):
    """A part of a panel with a header that collapses it.

    Attributes:
        body: the layout to fill.
    """

    def __init__(self, theming: Theming, title: str, note: str = "") -> None:
        super().__init__()
        self.header = QToolButton()
        self.header.setObjectName("sectionHeader")
        self.header.setText(tr(title))
        self.header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setIconSize(QSize(14, 14))
        self.header.setFont(font("body_strong"))
        self.header.setCheckable(True)
        self.header.setChecked(True)
        self.note = label(note, "caption")
        self._content = QWidget()
        self.body = rows(self._content, (16, 0, 16, 14), 8)
        top = columns(None, (8, 6, 16, 4), 4)
        top.addWidget(self.header)
        top.addStretch(1)
        top.addWidget(self.note)
        whole = rows(self)
        whole.addWidget(rule())
        whole.addLayout(top)
        whole.addWidget(self._content)
        self._theming = theming
        self.header.toggled.connect(self._toggled)
        theming.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._toggled(self.header.isChecked())

    def _toggled(self, shown: bool) -> None:
        self._content.setVisible(shown)
        name = "chevron-down" if shown else "chevron-right"
        self.header.setIcon(self._theming.theme.icon(name, "text.tertiary", 14))


class Segments(QFrame):
    """A few exclusive choices in one box.

    Signals:
        chosen(str): key of the choice a person made.
    """

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setObjectName("segments")
        self._buttons: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        line = columns(self, (2, 2, 2, 2), 2)
        for key, text in choices:
            button = QToolButton()
            button.setText(tr(text))
            button.setCheckable(True)
            button.setFont(font("body", 500))
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(_emitter(self.chosen.emit, key))
            group.addButton(button)
            line.addWidget(button)
            self._buttons[key] = button
        self.choose(choices[0][0])

    def choose(self, key: str) -> None:
        """Show a choice as made; emits nothing."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QToolButton:
        """The button of a choice."""
        return self._buttons[key]

    def keys(self) -> tuple[str, ...]:
        """Keys of the choices."""
        return tuple(self._buttons)

    @property
    def current(self) -> str:
        """The choice made."""
        return next(key for key, button in self._buttons.items() if button.isChecked())


def _emitter(emit: Callable[[str], None], key: str) -> Callable[[], None]:
    return lambda *_: emit(key)


class SearchField(QLineEdit):
    """A line with a magnifying glass; arrow keys and Enter go on to the list below it.

    Attributes:
        clears_first: Esc clears the text before it closes what holds the field.

    Signals:
        moved(int): arrow down (1) or up (-1).
    """

    moved = Signal(int)

    def __init__(self, theming: Theming, hint: str) -> None:
        super().__init__()
        self._theming = theming
        self.clears_first = True
        self.setPlaceholderText(tr(hint))
        self.setAccessibleName(tr(hint))
        self.setClearButtonEnabled(True)
        self._cross = self.findChild(QAction, "_q_qlineeditclearaction")
        self._glass = self.addAction(
            theming.theme.icon("search", size=16), QLineEdit.ActionPosition.LeadingPosition
        )
        theming.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        theme = self._theming.theme
        self._glass.setIcon(theme.icon("search", size=16))
        if self._cross is not None:  # else it is the style's own, which knows no dark theme
            self._cross.setIcon(theme.icon("close", "text.tertiary", 16))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand arrows on and let Esc clear the text first, if it `clears_first`."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.moved.emit(1 if event.key() == Qt.Key.Key_Down else -1)
            return
        if event.key() == Qt.Key.Key_Escape and self.text() and self.clears_first:
            self.clear()
            return
        super().keyPressEvent(event)


def children(widget: QWidget) -> Iterator[QWidget]:
    """A widget and everything in it."""
    yield widget
    yield from widget.findChildren(QWidget)
