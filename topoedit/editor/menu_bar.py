"""The menu bar: the program's sign, the menus, and the toggles of the three panels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from topoedit.editor.action_set import ActionSet
from topoedit.editor.actions import CONTEXT
from topoedit.editor.preferences import load_recent
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.translating import tr
from topoedit.editor.widgets import columns
from topoedit.render.theme import font

TOGGLES = ("view.left", "view.bottom", "view.inspector")


class MenuLine(QWidget):
    """One line of 28 px: sign, menus, toggles.

    Attributes:
        bar: the menu bar itself.
        menus: its menus by title.
    """

    def __init__(self, actions: ActionSet, theming: Theming) -> None:
        super().__init__()
        self.setObjectName("chrome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(28)
        self.bar = QMenuBar()
        self.bar.setNativeMenuBar(False)
        self.bar.setFont(font("body", 500))
        self.bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.menus = actions.fill(self.bar)
        line = columns(self, (0, 0, 8, 0), 2)
        line.addWidget(Sign(theming))
        line.addWidget(self.bar)
        line.addStretch(1)
        for action_id in TOGGLES:
            line.addWidget(self._toggle(actions, action_id))

    @staticmethod
    def _toggle(actions: ActionSet, action_id: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("flat")
        button.setDefaultAction(actions[action_id])
        button.setIconSize(QSize(16, 16))
        button.setFixedSize(26, 24)
        # Reached by its keys and the View menu; no stop on the way round by Tab.
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAccessibleName(actions[action_id].text())
        return button


def context_menu(actions: ActionSet, parent: QWidget) -> QMenu:
    """The likeliest commands for what is selected, and the others under More."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for action_id in CONTEXT:
        if action_id == "|":
            menu.addSeparator()
        else:
            menu.addAction(actions[action_id])
    menu.addSeparator()
    more = menu.addMenu(tr("More"))
    for title in ("Edit", "Arrange"):
        more.addMenu(actions.menu(title, more))
    return menu


def fill_recent(menu: QMenu, open_path: Callable[[Path], object]) -> None:
    """List the files opened before."""
    menu.clear()
    for entry in load_recent():
        path = Path(entry.path)
        action = menu.addAction(path.name.replace("&", "&&"))
        action.setToolTip(tip(entry.path))
        action.triggered.connect(_opener(open_path, path))
    menu.setEnabled(not menu.isEmpty())


def _opener(open_path: Callable[[Path], object], path: Path) -> Callable[[], object]:
    return lambda *_: open_path(path)


class Sign(QWidget):
    """The program's sign: two devices and a link."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.setFixedSize(30, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sign."""
        theme = self._theming.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent.base"))
            painter.drawRoundedRect(QRectF(11, 6, 16, 16), 4, 4)
            ink = theme.color("text.on_accent")
            painter.setPen(QPen(ink, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(16, 17, 22, 11)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            for x, y in ((16, 17), (22, 11)):
                painter.drawEllipse(QRectF(x - 2, y - 2, 4, 4))
