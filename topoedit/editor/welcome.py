"""The welcome page: templates, samples, recent files, and work found after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from topoedit.editor.action_set import ActionSet
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconLabel, clear, columns, label, rows

if TYPE_CHECKING:
    from topoedit.editor.file_lists import FileList
    from topoedit.editor.preferences import RecentFile
    from topoedit.editor.template_cards import TemplateCard

_START = (
    ("file.new", "Ctrl N", "new"),
    ("file.open", "Ctrl O", "open"),
    ("file.template", "Ctrl Shift N", "template"),
)

SIDE = 320
"""Width of what is recent and the samples: all of the page fits the smallest window."""


class WelcomePage(QScrollArea):
    """What is shown when no drawing is open.

    Signals:
        template_chosen(str): id of a template.
        file_chosen(str): path of a file.
        recovery_chosen(str, bool): key of found work, and whether to restore (else discard) it.
        review_asked(str): key of found work to look at first.
    """

    template_chosen = Signal(str)
    file_chosen = Signal(str)
    recovery_chosen = Signal(str, bool)
    review_asked = Signal(str)

    def __init__(self, theming: Theming, actions: ActionSet) -> None:
        super().__init__()
        self._theming, self._actions = theming, actions
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setObjectName("welcome")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.recent: FileList | None = None
        self.samples: FileList | None = None
        self._no_recent = label("Files you open or save are listed here.", "caption")
        self._found = QVBoxLayout()
        self.cards: list[TemplateCard] = []
        whole = columns(page, (32, 48, 24, 32), 40)
        whole.addStretch(1)
        whole.addLayout(self._left(), 0)
        whole.addLayout(self._right(), 0)
        whole.addStretch(1)
        self.setWidget(page)

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
        self._recent_place, self._samples_place = rows(), rows()
        column.addLayout(self._recent_place)
        column.addSpacing(10)
        column.addWidget(label("Samples", "title"))
        column.addLayout(self._samples_place)
        column.addStretch(1)
        self._no_recent.setFixedWidth(SIDE)
        return column

    def show_templates(self, templates: Sequence[tuple[str, str, str]]) -> None:
        """Show templates as cards: id, title, one line."""
        from topoedit.editor.template_cards import TemplateCard

        clear(self._grid)
        self.cards = []
        for index, (template_id, title, line) in enumerate(templates):
            card = TemplateCard(self._theming, template_id, title, line)
            card.clicked.connect(lambda *_, key=template_id: self.template_chosen.emit(key))
            self._grid.addWidget(card, index // 4, index % 4)
            self.cards.append(card)

    def show_recent(self, entries: Sequence[RecentFile]) -> None:
        """Show files opened before, and with the first call the samples."""
        from topoedit.editor.file_lists import listed, sample_files

        if self.recent is None or self.samples is None:
            self.recent = self._list("Recent files", self._recent_place)
            self.samples = self._list("Samples", self._samples_place)
            self.samples.show_files(sample_files())
        files = [listed(entry) for entry in entries]
        self.recent.show_files(files)
        self.recent.setVisible(bool(files))
        self._no_recent.setVisible(not files)

    def _list(self, name: str, place: QVBoxLayout) -> FileList:
        from topoedit.editor.file_lists import FileList

        made = FileList(self._theming, name)
        made.setFixedWidth(SIDE)
        made.chosen.connect(self.file_chosen)
        place.addWidget(made)
        return made

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
        inner.addWidget(
            IconLabel(self._theming, "history", "severity.info"), 0, Qt.AlignmentFlag.AlignTop
        )
        words = rows(gap=8)
        words.addWidget(label("Unsaved work found", "strong"))
        words.addWidget(label(line, "secondary", wrap=True))
        buttons = columns(gap=8)
        review, restore = QPushButton("Review…"), QPushButton("Restore")
        review.setProperty("primary", True)
        restore.setProperty("ghost", True)
        review.setToolTip("See what was found; nothing is deleted before you choose")
        review.clicked.connect(lambda *_: self.review_asked.emit(key))
        restore.clicked.connect(lambda *_: self.recovery_chosen.emit(key, True))
        buttons.addWidget(review)
        buttons.addWidget(restore)
        buttons.addStretch(1)
        words.addLayout(buttons)
        inner.addLayout(words, 1)
        return plate


def template_rows() -> list[tuple[str, str, str]]:
    """Id, title and one line of every template, those most asked for first."""
    from topoedit.templates.base import templates

    found = sorted(
        templates().values(),
        key=lambda t: _OFTEN.index(t.id) if t.id in _OFTEN else len(_OFTEN),
    )
    return [(t.id, t.title, sentence(t.summary)) for t in found]


def sentence(words: str) -> str:
    """Words with a capital at their beginning."""
    return words[:1].upper() + words[1:]


_OFTEN = ("rail-optimized", "superpod", "nvl72-pod", "fat-tree", "multi-site")
