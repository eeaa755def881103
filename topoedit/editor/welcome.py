"""The welcome page: templates, samples, recent files, and work found after a crash."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QListView,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from topoedit import paths
from topoedit.editor.action_set import ActionSet
from topoedit.editor.preferences import RecentFile
from topoedit.editor.qt_types import Index
from topoedit.editor.template_cards import TemplateCard
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconLabel, clear, columns, label, rows
from topoedit.render.theme import font

FILE_ROLE = Qt.ItemDataRole.UserRole
_START = (
    ("file.new", "Ctrl N", "new"),
    ("file.open", "Ctrl O", "open"),
    ("file.template", "Ctrl Shift N", "template"),
)
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_END = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


@dataclass(frozen=True)
class Listed:
    """A file of a list: what it is called, what is in it, where and when."""

    path: str
    name: str
    note: str
    where: str
    when: str
    missing: bool = False


class WelcomePage(QScrollArea):
    """What is shown when no drawing is open.

    Signals:
        template_chosen(str): id of a template.
        file_chosen(str): path of a file.
        recovery_chosen(str, bool): key of found work, and whether to restore (else discard) it.
    """

    template_chosen = Signal(str)
    file_chosen = Signal(str)
    recovery_chosen = Signal(str, bool)

    def __init__(self, theming: Theming, actions: ActionSet) -> None:
        super().__init__()
        self._theming, self._actions = theming, actions
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setObjectName("welcome")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.recent = FileList(theming, "Recent files")
        self.samples = FileList(theming, "Samples")
        self._no_recent = label("Files you open or save are listed here.", "caption")
        self._found = QVBoxLayout()
        self.cards: list[TemplateCard] = []
        whole = columns(page, (32, 48, 32, 32), 48)
        whole.addStretch(1)
        whole.addLayout(self._left(), 0)
        whole.addLayout(self._right(), 0)
        whole.addStretch(1)
        self.setWidget(page)
        self.recent.chosen.connect(self.file_chosen)
        self.samples.chosen.connect(self.file_chosen)
        self.samples.show_files(sample_files())

    def _left(self) -> QVBoxLayout:
        column = rows(gap=6)
        column.addWidget(label("Draw a cluster, see the step time", "heading"))
        column.addWidget(
            label("Start from a template, open a drawing, or import what you have.", "secondary")
        )
        column.addSpacing(18)
        tiles = columns(gap=8)
        made = [self._tile(action_id, keys, icon) for action_id, keys, icon in _START]
        for tile in made:
            tiles.addWidget(tile)
        self.setFocusProxy(made[0])
        column.addLayout(tiles)
        column.addSpacing(22)
        column.addWidget(label("Templates", "title"))
        column.addSpacing(4)
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        column.addLayout(self._grid)
        column.addSpacing(14)
        column.addWidget(
            label("Press ? for the keyboard sheet, Ctrl K for every command.", "caption")
        )
        column.addStretch(1)
        return column

    def _tile(self, action_id: str, keys: str, icon: str) -> QPushButton:
        action = self._actions[action_id]
        tile = QPushButton()
        tile.setObjectName("tile")
        tile.setMinimumWidth(190)
        tile.setAccessibleName(action.text())
        line = columns(tile, (14, 6, 12, 6), 12)
        line.addWidget(IconLabel(self._theming, icon, size=20))
        words = rows(gap=0)
        words.addWidget(label(action.text().rstrip("…"), "strong"))
        words.addWidget(label(keys, "caption"))
        line.addLayout(words, 1)
        for child in tile.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        tile.setMinimumHeight(50)
        tile.clicked.connect(action.trigger)
        return tile

    def _right(self) -> QVBoxLayout:
        column = rows(gap=10)
        column.addLayout(self._found)
        column.addWidget(label("Recent", "title"))
        column.addWidget(self._no_recent)
        column.addWidget(self.recent)
        column.addSpacing(10)
        column.addWidget(label("Samples", "title"))
        column.addWidget(self.samples)
        column.addStretch(1)
        for part in (self.recent, self.samples):
            part.setFixedWidth(340)
        return column

    def show_templates(self, templates: Sequence[tuple[str, str, str]]) -> None:
        """Show templates as cards: id, title, one line."""
        clear(self._grid)
        self.cards = []
        for index, (template_id, title, line) in enumerate(templates):
            card = TemplateCard(self._theming, template_id, title, line)
            card.clicked.connect(lambda *_, key=template_id: self.template_chosen.emit(key))
            self._grid.addWidget(card, index // 4, index % 4)
            self.cards.append(card)

    def show_recent(self, entries: Sequence[RecentFile]) -> None:
        """Show files opened before."""
        files = [listed(entry) for entry in entries]
        self.recent.show_files(files)
        self.recent.setVisible(bool(files))
        self._no_recent.setVisible(not files)

    def show_found(self, found: Sequence[tuple[str, str]]) -> None:
        """Offer work found after a crash: key and one line each."""
        clear(self._found)
        for key, line in found:
            self._found.addWidget(self._offer(key, line))

    def _offer(self, key: str, line: str) -> QFrame:
        plate = QFrame()
        plate.setObjectName("message")
        plate.setProperty("severity", "info")
        inner = columns(plate, (14, 12, 14, 12), 12)
        inner.addWidget(IconLabel(self._theming, "history", "severity.info"), 0, _TOP)
        words = rows(gap=8)
        words.addWidget(label("Unsaved work found", "strong"))
        words.addWidget(label(line, "secondary", wrap=True))
        buttons = columns(gap=8)
        restore, discard = QPushButton("Restore"), QPushButton("Discard")
        restore.setProperty("primary", True)
        discard.setProperty("ghost", True)
        restore.clicked.connect(lambda *_: self.recovery_chosen.emit(key, True))
        discard.clicked.connect(lambda *_: self.recovery_chosen.emit(key, False))
        buttons.addWidget(restore)
        buttons.addWidget(discard)
        buttons.addStretch(1)
        words.addLayout(buttons)
        inner.addLayout(words, 1)
        return plate


def template_rows() -> list[tuple[str, str, str]]:
    """Id, title and one line of every template."""
    from topoedit.templates.base import templates

    return [(t.id, t.title, t.summary[:1].upper() + t.summary[1:]) for t in templates().values()]


def sample_files() -> list[Listed]:
    """The drawings that come with the program."""
    folder = paths.samples()
    found = sorted(folder.glob("*.topo.json")) if folder.is_dir() else []
    return [Listed(str(p), p.name.removesuffix(".topo.json"), "", "", "") for p in found]


def listed(entry: RecentFile) -> Listed:
    """A recent file as the list shows it."""
    path = Path(entry.path)
    try:
        missing = not path.is_file()
    except OSError:
        missing = True
    note = "File not found" if missing else entry.note
    return Listed(
        entry.path, path.name, note, short_folder(path.parent), when_words(entry.when), missing
    )


def short_folder(folder: Path) -> str:
    """A folder with the home folder as ~."""
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(folder)


def when_words(when: float, now: float | None = None) -> str:
    """A moment as people say it: a time today, Yesterday, or a date."""
    if when <= 0:
        return ""
    then, today = time.localtime(when), time.localtime(time.time() if now is None else now)
    if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday):
        return time.strftime("Today %H:%M", then)
    yesterday = time.localtime(time.mktime(today) - 86_400)
    if (then.tm_year, then.tm_yday) == (yesterday.tm_year, yesterday.tm_yday):
        return "Yesterday"
    return f"{then.tm_mday} {time.strftime('%b', then)}"


class FileList(QListView):
    """Files in two lines each.

    Signals:
        chosen(str): path of the file clicked, or Enter pressed on.
    """

    chosen = Signal(str)

    def __init__(self, theming: Theming, name: str) -> None:
        super().__init__()
        self.setObjectName("recent")
        self.setAccessibleName(name)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self._rows = QStandardItemModel(self)
        self.setModel(self._rows)
        self.setItemDelegate(FileDelegate(theming, self))
        self.clicked.connect(self._choose)

    def show_files(self, files: Sequence[Listed]) -> None:
        """Show these files."""
        self._rows.clear()
        height = 10
        for file in files:
            item = QStandardItem(file.name)
            item.setData(file, FILE_ROLE)
            item.setToolTip(file.path)
            self._rows.appendRow(item)
            height += row_height(file)
        self.setFixedHeight(min(height, 320))

    def names(self) -> list[str]:
        """Names listed."""
        return [self._rows.item(row).text() for row in range(self._rows.rowCount())]

    def _choose(self, index: Index) -> None:
        self.chosen.emit(index.data(FILE_ROLE).path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the file."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
            return
        super().keyPressEvent(event)


def row_height(file: Listed) -> int:
    """Two lines, or one for a file without a note."""
    return 44 if file.note or file.where else 30


class FileDelegate(QStyledItemDelegate):
    """Icon, name and moment above, note and folder below."""

    def __init__(self, theming: Theming, parent: QWidget) -> None:
        super().__init__(parent)
        self._theming = theming

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows of one or two lines."""
        return QSize(200, row_height(index.data(FILE_ROLE)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one file."""
        theme, rect, file = self._theming.theme, QRect(option.rect), index.data(FILE_ROLE)
        painter.save()
        state = option.state
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            chosen = state & QStyle.StateFlag.State_Selected
            painter.setBrush(theme.color("surface.selected" if chosen else "surface.hover"))
            painter.drawRoundedRect(rect, 4, 4)
        icon, tint = ("warning", "severity.warning") if file.missing else ("pod", "text.secondary")
        theme.icon(icon, tint, 18).paint(
            painter, QRect(rect.left() + 10, rect.center().y() - 8, 18, 18)
        )
        room = rect.adjusted(40, 3, -10, -3)
        two = bool(file.note or file.where)
        first = room.adjusted(0, 0, 0, -room.height() // 2) if two else room
        self._pair(painter, first, file.name, file.when, strong=True)
        if two:
            self._pair(painter, room.adjusted(0, room.height() // 2, 0, 0), file.note, file.where)
        painter.restore()

    def _pair(
        self, painter: QPainter, room: QRect, left: str, right: str, strong: bool = False
    ) -> None:
        theme = self._theming.theme
        painter.setFont(font("caption"))
        painter.setPen(theme.color("text.tertiary"))
        metrics = painter.fontMetrics()
        right = metrics.elidedText(right, Qt.TextElideMode.ElideMiddle, room.width() // 2)
        painter.drawText(room, _END, right)
        taken = metrics.horizontalAdvance(right) + 8 if right else 0
        if strong:
            painter.setFont(font("body", 600))
        painter.setPen(theme.color("text.primary" if strong else "text.secondary"))
        text = painter.fontMetrics().elidedText(
            left, Qt.TextElideMode.ElideMiddle, room.width() - taken
        )
        painter.drawText(room, _MIDDLE, text)


_TOP = Qt.AlignmentFlag.AlignTop
