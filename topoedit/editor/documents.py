"""The middle of the window: document tabs, the message bar, and the canvas or welcome page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QToolButton, QWidget

from topoedit.editor.job_strip import WIDTH as JOBS_WIDTH
from topoedit.editor.job_strip import JobStrip
from topoedit.editor.message_bar import MessageBar
from topoedit.editor.room import BESIDE, cover
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.translating import tr
from topoedit.editor.widgets import IconButton, columns, named, rows
from topoedit.render.theme import font

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession

HOME = "Welcome"
FLOATING_GAP, MESSAGE_WIDTH = 16, 720
LEAST_NEWS = 220
"""Pixels between legend and minimap that a line of news needs; else it stands above them."""
LEGEND_ROOM, LEGEND_HIGH = 108, 92


class DocumentArea(QWidget):
    """Tabs over a stack of canvases; the welcome page is a tab as well.

    Signals:
        current_changed(): another tab is in front.
        close_asked(int): the cross of a tab was clicked.
        new_asked(): the plus was clicked.
    """

    current_changed = Signal()
    close_asked = Signal(int)
    new_asked = Signal()

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._pages: list[tuple[DocumentSession | None, QWidget]] = []
        self.tabs = self._tab_bar()
        self.plus = IconButton(theming, "plus", "New drawing")
        self.plus.clicked.connect(self.new_asked)
        self.progress = ProgressLine(theming)
        self.messages = MessageBar(theming)
        self.jobs = JobStrip()
        self.stack = QStackedWidget()
        strip = QWidget()
        strip.setObjectName("documentTabs")
        strip.setFixedHeight(32)
        line = columns(strip, (0, 0, 8, 0), 4)
        line.addWidget(self.tabs)
        line.addWidget(self.plus)
        line.addStretch(1)
        self._told_on: QWidget | None = None
        self._covered_right = 0
        layout = rows(self)
        self.setObjectName("canvasHolder")
        layout.addWidget(strip)
        layout.addWidget(self.progress)
        layout.addWidget(self.stack, 1)
        # Over the drawing, not above it: a line that comes or goes must not move the canvas.
        for floating in (self.messages, self.jobs):
            floating.setParent(self)
            floating.raise_()
        self.messages.turned.connect(self._told)
        self.jobs.resized.connect(self._place_floating)

    def _tab_bar(self) -> QTabBar:
        bar = QTabBar()
        bar.setObjectName("documents")
        bar.setAccessibleName("Open drawings")
        bar.setDrawBase(False)
        bar.setFont(font("body", 500))
        bar.setExpanding(False)
        bar.setMovable(True)
        bar.setElideMode(Qt.TextElideMode.ElideMiddle)
        bar.setUsesScrollButtons(True)
        bar.currentChanged.connect(self._changed)
        bar.tabMoved.connect(self._moved)
        return bar

    def __len__(self) -> int:
        return len(self._pages)

    def sessions(self) -> Iterator[DocumentSession]:
        """Sessions of all tabs."""
        return (session for session, _ in self._pages if session is not None)

    def page(self, index: int) -> tuple[DocumentSession | None, QWidget]:
        """Session (None for the welcome page) and widget of a tab."""
        return self._pages[index]

    def index_of(self, wanted: DocumentSession | QWidget) -> int:
        """Which tab shows this session or widget, -1 if none."""
        return next((i for i, page in enumerate(self._pages) if wanted in page), -1)

    @property
    def session(self) -> DocumentSession | None:
        """Session of the tab in front."""
        index = self.tabs.currentIndex()
        return self._pages[index][0] if 0 <= index < len(self._pages) else None

    @property
    def widget(self) -> QWidget | None:
        """Widget of the tab in front."""
        index = self.tabs.currentIndex()
        return self._pages[index][1] if 0 <= index < len(self._pages) else None

    def add(self, session: DocumentSession | None, widget: QWidget) -> None:
        """Open a tab and bring it to the front."""
        self._pages.append((session, widget))
        self.stack.addWidget(widget)
        index = self.tabs.addTab(tr(HOME) if session is None else session.title)
        cross = TabCross(self._theming)
        cross.clicked.connect(lambda *_: self.close_asked.emit(self.index_of(widget)))
        self.tabs.setTabButton(index, QTabBar.ButtonPosition.RightSide, cross)
        if session is not None:
            session.title_changed.connect(self.retitle)
        self.retitle()
        self.tabs.setCurrentIndex(index)
        self._changed(self.tabs.currentIndex())

    def remove(self, index: int) -> None:
        """Close a tab and let go of its widget."""
        session, widget = self._pages.pop(index)
        if session is not None:
            session.title_changed.disconnect(self.retitle)
        self.stack.removeWidget(widget)
        self.tabs.removeTab(index)
        widget.hide()
        widget.setParent(None)
        widget.deleteLater()
        self._changed(self.tabs.currentIndex())

    def step(self, by: int) -> None:
        """Go to the next or previous tab, round the end."""
        if self._pages:
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % len(self._pages))

    def retitle(self) -> None:
        """Show every title and unsaved mark."""
        for index, (session, _) in enumerate(self._pages):
            cross = self.tabs.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if session is None:
                continue
            name = session.title.removesuffix(".json").replace("&", "&&")
            self.tabs.setTabText(index, f"{name} (read only)" if session.is_read_only else name)
            mark = "" if session.is_clean else " (unsaved)"
            where = str(session.path) if session.path else "not saved to a file"
            self.tabs.setTabToolTip(index, tip(f"{session.title}{mark}\n{where}"))
            self.tabs.setAccessibleTabName(index, f"{session.title}{mark}")
            if isinstance(cross, TabCross):
                cross.set_unsaved(not session.is_clean)

    def _moved(self, source: int, target: int) -> None:
        self._pages.insert(target, self._pages.pop(source))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what floats in its place."""
        super().resizeEvent(event)
        self._place_floating()

    def _place_floating(self) -> None:
        """News and work at the bottom in the middle; what needs an answer at the top."""
        area = self.stack.geometry().adjusted(0, 0, -self._covered_right, 0)
        bottom, foot = area.bottom() - FLOATING_GAP, area
        if self.session is not None:
            left, right = BESIDE
            foot = area.adjusted(left - FLOATING_GAP, 0, FLOATING_GAP - right, 0)
            across = min(MESSAGE_WIDTH, foot.width() - 2 * FLOATING_GAP)
            if across < LEAST_NEWS or self._news_height(across) > LEGEND_HIGH:
                foot, bottom = area, bottom - LEGEND_ROOM
        if not self.jobs.isHidden():
            bottom -= _put(self.jobs, foot, JOBS_WIDTH, bottom) + 8
        asks = not self.messages.isHidden() and not self.messages.is_news
        high = 0
        if asks:
            high = _put(self.messages, area, MESSAGE_WIDTH, None, area.top() + FLOATING_GAP)
        elif not self.messages.isHidden():
            _put(self.messages, foot, MESSAGE_WIDTH, bottom)
        for _, page in self._pages:
            shown = asks and page is self.widget
            cover(page, "message", top=FLOATING_GAP + high if shown else 0)

    def _news_height(self, across: int) -> int:
        """How high what is told at the foot would be at this width."""
        told = not self.messages.isHidden() and self.messages.is_news
        return _height(self.messages, across) if told else 0

    def cover_right(self, width: int) -> None:
        """A panel floats over the right edge of the drawing; 0 for none."""
        self._covered_right = width
        for _, page in self._pages:
            cover(page, "panel", right=width)
        self._place_floating()

    def _told(self, shown: bool) -> None:
        self._place_floating()
        session = self.session
        self._told_on = self.widget if shown and session is not None else None

    def _changed(self, index: int) -> None:
        if self._told_on not in (None, self.widget):
            self.messages.hide()  # what was said about one drawing is not about another
        if 0 <= index < len(self._pages):
            self.stack.setCurrentWidget(self._pages[index][1])
            self.cover_right(self._covered_right)
        self.current_changed.emit()


def _put(widget: QWidget, area: QRect, width: int, bottom: int | None, top: int = 0) -> int:
    """Place a widget in the middle of an area, by its foot or its head; returns its height."""
    across = min(width, area.width() - 2 * FLOATING_GAP)
    high = _height(widget, across)
    y = top if bottom is None else bottom - high
    widget.setGeometry(area.left() + (area.width() - across) // 2, y, across, high)
    return high


def _height(widget: QWidget, across: int) -> int:
    layout = widget.layout()
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalHeightForWidth(across)
    return widget.sizeHint().height()


class TabCross(QToolButton):
    """A cross that is a dot while the drawing has unsaved changes and the mouse is elsewhere."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming, self._unsaved = theming, False
        self.setObjectName("flat")
        self.setFixedSize(24, 24)
        self.setIconSize(QSize(12, 12))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        named(self, "Close tab", "Close tab")
        self._show()
        theming.changed.connect(self._show)

    def set_unsaved(self, unsaved: bool) -> None:
        """Show the dot or the cross."""
        self._unsaved = unsaved
        self._show()

    def _show(self) -> None:
        self.setIcon(self._theming.theme.icon("close", "text.tertiary", 12))
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the cross under the mouse."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show the dot again."""
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot instead of the cross where there is something to save."""
        if not self._unsaved or self.underMouse():
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theming.theme.color("text.secondary"))
            painter.drawEllipse(QRectF(8.5, 8.5, 7, 7))


class ProgressLine(QWidget):
    """Two pixels under the tabs: how far the analysis is."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming, self._fraction = theming, 0.0
        self.setFixedHeight(2)

    def show_fraction(self, fraction: float) -> None:
        """Show progress, 0 for none."""
        self._fraction = fraction
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the part that is done."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theming.theme.color("border.subtle"))
            done = round(self.width() * self._fraction)
            painter.fillRect(0, 0, done, 2, self._theming.theme.color("accent.base"))
