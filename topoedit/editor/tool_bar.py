"""The tool bar: tools, command field, engine state, zoom, Export."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from topoedit.editor.action_set import ActionSet
from topoedit.editor.actions import TOOL_BAR, TOOL_MENUS
from topoedit.editor.engine_state import NOTHING, EngineState
from topoedit.editor.theming import Theming
from topoedit.editor.translating import tr
from topoedit.editor.widgets import columns, label, named
from topoedit.render.theme import font
from topoedit.units import THIN_SPACE, format_number, format_seconds

FIELD_WORDS = "Search devices, links, commands"
KEYS_FROM = 290
"""Under this width the command field leaves out its keys, or they would lie on its words."""


class ToolBar(QToolBar):
    """Everything in the 44 px under the menu bar.

    Signals:
        state_clicked(): the engine state was clicked.
    """

    state_clicked = Signal()

    def __init__(self, theming: Theming, actions: ActionSet) -> None:
        super().__init__("Tool bar")
        self.setObjectName("toolBar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setFixedHeight(44)
        self.setIconSize(QSize(20, 20))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._theming, self._actions = theming, actions
        self._menu_buttons: list[tuple[QToolButton, str]] = []
        self.setFont(font("body", 500))
        self._add_tools()
        self._stretch()
        self.field = CommandField(theming)
        self.field.clicked.connect(actions["edit.commands"].trigger)
        self.field.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addWidget(self.field)
        self._stretch()
        self.engine = EngineButton(theming)
        self.engine.clicked.connect(self.state_clicked)
        self.engine.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addWidget(self.engine)
        self._add_zoom()
        self._add_export()
        theming.changed.connect(self._paint)
        self._paint()

    def _stretch(self) -> None:
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        spacer.setMinimumWidth(8)
        self.addWidget(spacer)

    def _add_tools(self) -> None:
        for entry in TOOL_BAR:
            if entry == "|":
                self.addSeparator()
            elif entry in TOOL_MENUS:
                self.addWidget(self._menu_button(entry))
            else:
                self.addAction(self._actions[entry])
                button = self.widgetForAction(self._actions[entry])
                if button is not None:
                    button.setAccessibleName(self._actions[entry].text())
                    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _menu_button(self, entry: str) -> QToolButton:
        title, icon, ids = TOOL_MENUS[entry]
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(title, button)
        for action_id in ids:
            menu.addAction(self._actions[action_id])
        button.setMenu(menu)
        words = tr("Bring the selected devices into order.")
        named(button, tr(title), f"<b>{tr(title)}</b><br>{words}")
        first = self._actions[ids[0]]
        first.enabledChanged.connect(button.setEnabled)
        button.setEnabled(first.isEnabled())
        self._menu_buttons.append((button, icon))
        return button

    def _add_zoom(self) -> None:
        self.addAction(self._actions["view.zoom_out"])
        self.zoom = QToolButton()
        self.zoom.setObjectName("flat")
        self.zoom.setMinimumWidth(68)
        self.zoom.setFont(font("body", 600))
        self.zoom.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.zoom.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu("Zoom", self.zoom)
        for action_id in ("view.fit", "view.fit_selection", "view.actual"):
            menu.addAction(self._actions[action_id])
        self.zoom.setMenu(menu)
        named(self.zoom, tr("Zoom"), tr("Zoom"))
        self.show_zoom(1.0)
        self.addWidget(self.zoom)
        self.addAction(self._actions["view.zoom_in"])

    def _add_export(self) -> None:
        self.export = QPushButton("Export")
        self.export.setProperty("primary", True)
        self.export.setMinimumWidth(96)
        self.export.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.export.setFont(font("body", 600))
        action = self._actions["file.export"]
        self.export.clicked.connect(action.trigger)
        action.changed.connect(self._follow_export)
        named(self.export, tr("Export"), action.toolTip())
        holder = QWidget()
        held = columns(holder, (8, 0, 4, 0))
        held.addWidget(self.export)
        self.addWidget(holder)
        self._follow_export()

    def _follow_export(self) -> None:
        self.export.setEnabled(self._actions["file.export"].isEnabled())

    def show_zoom(self, factor: float) -> None:
        """Show the zoom factor."""
        percent = factor * 100
        words = format_number(percent, 1 if percent < 10 else 0)
        self.zoom.setText(f"{words}{THIN_SPACE}%")

    def _paint(self) -> None:
        theme = self._theming.theme
        for button, icon in self._menu_buttons:
            button.setIcon(theme.icon(icon))
        self.export.setIcon(theme.icon("export", "text.on_accent", 16))


class CommandField(QPushButton):
    """Looks like a search field; a click or Ctrl K opens the command palette."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.setObjectName("commandField")
        self.setText(tr(FIELD_WORDS))
        self.setMinimumWidth(104)
        self.setMaximumWidth(360)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        named(self, tr(FIELD_WORDS), tr("Search devices, links and commands"))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 8, 0)
        line.addStretch(1)
        self.keys = label("Ctrl K")
        self.keys.setProperty("keycap", True)
        self.keys.setFixedHeight(18)
        self.keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        line.addWidget(self.keys)
        theming.changed.connect(self._paint)
        self._paint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say only as much as there is room for."""
        super().resizeEvent(event)
        self.keys.setVisible(self.width() >= KEYS_FROM)
        room = self.width() - 44
        fits = self.fontMetrics().horizontalAdvance(tr(FIELD_WORDS)) <= room
        self.setText(tr(FIELD_WORDS) if fits else tr(FIELD_WORDS.split()[0]))

    def sizeHint(self) -> QSize:
        """As wide as the design says."""
        return QSize(360, 28)

    def _paint(self) -> None:
        self.setIcon(self._theming.theme.icon("search", size=16))


class EngineButton(QPushButton):
    """A dot, the state in words and how long the last run took."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.setObjectName("engineState")
        self._theming, self._state = theming, NOTHING
        self._dot = Dot(theming)
        self._words, self._time = label(role="strong"), label(role="caption")
        self._row = line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 8, 0)
        line.setSpacing(6)
        line.addStretch(1)
        for part in (self._dot, self._words, self._time):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.addWidget(part)
        self.show_state(NOTHING)

    def minimumSizeHint(self) -> QSize:
        """Room for everything it says; not narrower for short words, or its neighbours jump."""
        return QSize(max(150, self._row.minimumSize().width()), 28)

    def sizeHint(self) -> QSize:
        """No more than it needs."""
        return self.minimumSizeHint()

    @property
    def words(self) -> str:
        """Everything it says."""
        return " ".join(filter(None, (self._words.text(), self._time.text())))

    def hide_state(self) -> None:
        """Say nothing, since no drawing is in front."""
        for part in (self._dot, self._words, self._time):
            part.hide()
        named(self, "Engine")

    def show_state(self, state: EngineState) -> None:
        """Show what the engine does."""
        for part in (self._dot, self._words, self._time):
            part.show()
        self._dot.show_color(state.color)
        self._words.setText(tr(state.words))
        self._time.setText(_aside(state))
        self.updateGeometry()
        named(self, f"Engine: {self.words}", _tip(state))


def _aside(state: EngineState) -> str:
    if state.kind == "stopped":
        return "Restart"
    if state.seconds is None or state.kind == "nothing":
        return ""
    took = format_seconds(state.seconds)
    return took if state.kind == "current" else f"last {took}"


def _tip(state: EngineState) -> str:
    if state.why:
        return state.why
    return {
        "current": "The figures belong to the drawing and plan as they are now.",
        "running": "The last result stays until the new one is there.",
        "stale": "The figures belong to an earlier state of the drawing or plan.",
        "stopped": "The engine has stopped. Click to start it again.",
        "nothing": "Choose a model and a plan to analyse this drawing.",
    }[state.kind]


class Dot(QLabel):
    """Eight pixels of a colour; the words beside it say the same."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming, self._color = theming, "text.tertiary"
        self.setFixedSize(10, 10)

    def show_color(self, token: str) -> None:
        """Take the colour of a token."""
        self._color = token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theming.theme.color(self._color))
            painter.drawEllipse(QRectF(1, 1, 8, 8))
