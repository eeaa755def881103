"""Lists of files on the welcome page: those opened before, and the samples."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from topoedit import paths
from topoedit.editor.preferences import RecentFile
from topoedit.editor.qt_types import Index
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.render.theme import font

FILE_ROLE = Qt.ItemDataRole.UserRole
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
            item.setToolTip(tip(file.path))
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
