"""A button that opens a list one can search: for models and device types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from topoedit.editor.matching import best
from topoedit.editor.qt_types import Index
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import SearchField, rows
from topoedit.render.theme import font

KEY_ROLE = Qt.ItemDataRole.UserRole
NOTE_ROLE = Qt.ItemDataRole.UserRole + 1
SHOWN, ROW = 12, 26
NARROWEST, EDGE = 280, 8
_OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Choice:
    """One entry: its key, what it says, a figure beside it, further words that find it."""

    key: str
    text: str
    note: str = ""
    words: str = ""


class PickerPopup(QFrame):
    """Search field over a list, as a popup.

    Signals:
        picked(str): key of the entry chosen.
    """

    picked = Signal(str)

    def __init__(self, theming: Theming, hint: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._choices: Sequence[Choice] = ()
        self.search = SearchField(theming, "Search")
        self.search.clears_first = False
        self.list = QListView()
        self.list.setObjectName("results")
        self.list.setAccessibleName(hint)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_ChoiceDelegate(theming, self.list))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        layout = rows(self, (6, 6, 6, 6), 4)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        self.search.textChanged.connect(self._fill)
        self.search.moved.connect(self._move)
        self.search.returnPressed.connect(self._accept)
        self.list.clicked.connect(lambda _index: self._accept())
        self.list.activated.connect(lambda _index: self._accept())

    def open_at(self, place: QPoint, width: int, choices: Sequence[Choice], current: str) -> None:
        """Show the list under a point."""
        self._choices = choices
        self.search.clear()
        self._fill()
        self.resize(max(width, NARROWEST), 50 + ROW * min(SHOWN, max(3, len(choices))))
        self.move(self._within_window(place))
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)
        for row, choice in enumerate(choices):
            if choice.key == current:
                self.list.setCurrentIndex(self._model.index(row, 0))

    def _within_window(self, place: QPoint) -> QPoint:
        """The place, moved left or up until the whole list is over the window it belongs to."""
        holder = self.parentWidget()
        if holder is None:
            return place
        top = holder.window()
        room = QRect(top.mapToGlobal(QPoint(0, 0)), top.size())
        x = max(room.left(), min(place.x(), room.right() - EDGE - self.width()))
        y = max(room.top(), min(place.y(), room.bottom() - EDGE - self.height()))
        return QPoint(x, y)

    def texts(self) -> list[str]:
        """What is listed now."""
        return [self._model.item(row).text() for row in range(self._model.rowCount())]

    def _fill(self) -> None:
        query = self.search.text()
        texts = [f"{c.text} {c.note} {c.key} {c.words}" for c in self._choices]
        order = best(query, texts, len(texts)) if query.strip() else range(len(texts))
        self._model.clear()
        for index in order:
            choice = self._choices[index]
            item = QStandardItem(choice.text)
            item.setData(choice.key, KEY_ROLE)
            item.setData(choice.note, NOTE_ROLE)
            both = f"{choice.text}, {choice.note}" if choice.note else choice.text
            item.setToolTip(tip(both))
            item.setAccessibleText(both)
            item.setSizeHint(QSize(100, ROW))
            self._model.appendRow(item)
        self.list.setCurrentIndex(self._model.index(0, 0))

    def _move(self, step: int) -> None:
        row = self.list.currentIndex().row() + step
        self.list.setCurrentIndex(
            self._model.index(min(max(row, 0), self._model.rowCount() - 1), 0)
        )

    def _accept(self) -> None:
        index = self.list.currentIndex()
        self.hide()
        if index.isValid():
            self.picked.emit(str(index.data(KEY_ROLE)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        super().keyPressEvent(event)


class _ChoiceDelegate(QStyledItemDelegate):
    """The name on the left, its figure on the right."""

    def __init__(self, theming: Theming, parent: QWidget) -> None:
        super().__init__(parent)
        self._theming = theming

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        theme, note = self._theming.theme, str(index.data(NOTE_ROLE) or "")
        text, rect = str(index.data()), QRect(option.rect)
        painter.save()
        for flag, token in (
            (QStyle.StateFlag.State_Selected, "surface.selected"),
            (QStyle.StateFlag.State_MouseOver, "surface.hover"),
        ):
            if option.state & flag:
                painter.fillRect(rect, theme.color(token))
                break
        room = rect.adjusted(10, 0, -10, 0)
        painter.setFont(font("caption"))
        painter.setPen(theme.color("text.tertiary"))
        painter.drawText(room, int(_RIGHT), note)
        taken = painter.fontMetrics().horizontalAdvance(note) + 12 if note else 0
        painter.setFont(font("body"))
        painter.setPen(theme.color("text.primary"))
        _line(painter, text, room.adjusted(0, 0, -taken, 0))
        painter.restore()


class PickerButton(QPushButton):
    """Shows the choice made in one or two lines; a click or Enter opens the list.

    Signals:
        picked(str): key of another choice.
    """

    picked = Signal(str)

    def __init__(self, theming: Theming, hint: str, *, icon: str = "", tall: bool = False) -> None:
        super().__init__()
        self._theming, self._icon, self._tall = theming, icon, tall
        self._title, self._sub = hint, ""
        self._hint, self._key = hint, ""
        self._choices: Sequence[Choice] = ()
        self.setAccessibleName(hint)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setObjectName("tallPicker" if tall else "picker")
        self.popup = PickerPopup(theming, hint, self)
        self.popup.picked.connect(self._take)
        self.clicked.connect(self.open_list)

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """What can be chosen."""
        self._choices = choices

    @property
    def key(self) -> str:
        """Key of the choice shown."""
        return self._key

    @property
    def title(self) -> str:
        """The first line."""
        return self._title

    def show_choice(self, key: str, title: str = "", sub: str = "") -> None:
        """Show a choice; "" shows the hint."""
        found = next((c for c in self._choices if c.key == key), None)
        self._key = key
        self._title = title or (found.text if found else key) or self._hint
        self._sub = sub
        self.setAccessibleName(f"{self._hint}: {self._title}")
        self.setToolTip(tip(f"{self._title}\n{sub}" if sub else self._title))
        self.update()

    def event(self, event: QEvent) -> bool:
        """Claim letters, which are commands elsewhere."""
        asked = event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and _claimed(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the list, and so does a letter, which it is then searched for."""
        if event.key() in _OPENING:
            self.open_list()
        elif text := _typed(event).strip():
            self.open_list()
            self.popup.search.insert(text)
        else:
            super().keyPressEvent(event)

    def open_list(self) -> None:
        """Open the list."""
        place = self.mapToGlobal(QPoint(0, self.height() + 2))
        self.popup.open_at(place, self.width(), self._choices, self._key)

    def _take(self, key: str) -> None:
        if key != self._key:
            self.picked.emit(key)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame as every button, then icon, lines and chevron."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            theme, left = self._theming.theme, 10
            enabled = "text.primary" if self.isEnabled() else "text.disabled"
            if self._icon:
                theme.icon(self._icon, enabled, 20).paint(painter, 10, 0, 20, self.height())
                left = 40
            theme.icon("chevron-down", "text.tertiary", 12).paint(
                painter, self.width() - 22, 0, 12, self.height()
            )
            room = self.rect().adjusted(left, 0, -28, 0)
            both = bool(self._sub) and self._tall
            painter.setFont(font("body", 600 if self._tall else 400))
            painter.setPen(theme.color(enabled if self._key else "text.tertiary"))
            first = room.adjusted(0, 6, 0, -self.height() // 2) if both else room
            _line(painter, self._title, first)
            if both:
                painter.setFont(font("caption"))
                painter.setPen(theme.color("text.secondary"))
                _line(painter, self._sub, room.adjusted(0, self.height() // 2 - 2, 0, -6))


def _claimed(event: QKeyEvent) -> bool:
    """Whether a key is the button's and no command."""
    return bool(_typed(event)) or event.key() in _OPENING


def _typed(event: QKeyEvent) -> str:
    """What a key types, "" for a command."""
    held = event.modifiers() & (
        Qt.KeyboardModifier.ControlModifier
        | Qt.KeyboardModifier.AltModifier
        | Qt.KeyboardModifier.MetaModifier
    )
    return event.text() if event.text().isprintable() and not held else ""


def _line(painter: QPainter, text: str, room: QRect) -> None:
    elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), elided)
