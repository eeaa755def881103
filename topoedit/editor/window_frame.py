"""Sizes of the window: which panels are shown, how wide they are, where it stands on the screen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from topoedit.editor.overlay_panel import NARROW, OverlayPanel
from topoedit.editor.preferences import Layout

LEAST = (1120, 700)
USUAL = (1600, 1000)
PANELS = ("left", "bottom", "inspector")
_MOVES = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)
LEFT_WIDTHS, INSPECTOR_WIDTHS, LOWEST = (200, 360), (280, 440), 120


class Frame(QObject):
    """The splitters around the drawing.

    Attributes:
        across: left panel, middle, inspector.
        down: drawing over the bottom panel.

    Signals:
        changed(): a panel was shown or hidden, or the window went to or from full screen.
        placed(): panels are shown and hidden as they should be now.
    """

    changed = Signal()
    placed = Signal()

    def __init__(self, window: QMainWindow, centre: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._panels: dict[str, QWidget] = {}
        self._layout = Layout()
        self._hidden_together: tuple[str, ...] = ()
        self._wanted = dict.fromkeys(PANELS, True)
        self._home = False
        self._overlay: OverlayPanel | None = None
        self._floating_shown = False
        window.installEventFilter(self)
        self.down = QSplitter(Qt.Orientation.Vertical)
        self.down.addWidget(centre)
        self.across = QSplitter(Qt.Orientation.Horizontal)
        self.across.addWidget(self.down)
        for splitter in (self.down, self.across):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self.across.splitterMoved.connect(self._remember)
        window.setMinimumSize(*LEAST)

    def _remember(self) -> None:
        """A person has made a panel wider or narrower."""
        now = self._sizes()
        self._layout = replace(
            self._layout, left=now["left"], inspector=now["inspector"], bottom=now["bottom"]
        )

    def fill(self, left: QWidget, bottom: QWidget, inspector: QWidget) -> None:
        """Put the panels in."""
        self._panels = {"left": left, "bottom": bottom, "inspector": inspector}
        self.down.addWidget(bottom)
        self.across.insertWidget(0, left)
        self.across.addWidget(inspector)
        self.down.setStretchFactor(0, 1)
        self.across.setStretchFactor(1, 1)
        left.setMinimumWidth(LEFT_WIDTHS[0])
        left.setMaximumWidth(LEFT_WIDTHS[1])
        inspector.setMinimumWidth(INSPECTOR_WIDTHS[0])
        inspector.setMaximumWidth(INSPECTOR_WIDTHS[1])
        bottom.setMinimumHeight(LOWEST)
        self._overlay = OverlayPanel(
            inspector, self.across, lambda: self.set_shown("inspector", False), self._foot
        )
        bottom.installEventFilter(self)
        self._show()
        self._size_panels(self._layout)
        self._fit_width()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width of the window: the inspector floats, or stands beside the drawing."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._fit_width()
        elif watched is self._panels.get("bottom") and event.type() in _MOVES and self.floats:
            self._place_overlay()
        return super().eventFilter(watched, event)

    def _place_overlay(self) -> None:
        if self._overlay is not None:
            self._overlay.place()

    def _foot(self) -> int:
        bottom = self._panels["bottom"]
        return 0 if bottom.isHidden() else bottom.height() + 1

    @property
    def covers_right(self) -> int:
        """Pixels of the drawing's right edge that the floating inspector covers."""
        return 0 if self._overlay is None else self._overlay.covers

    @property
    def floats(self) -> bool:
        """Whether the inspector floats over the drawing, for want of width."""
        return self._overlay is not None and self._overlay.floats

    def _fit_width(self) -> None:
        overlay, narrow = self._overlay, self._window.width() < NARROW
        if overlay is None or narrow == overlay.floats:
            return
        if narrow:
            self._floating_shown = False
            overlay.float_out(_clamped(self._layout.inspector, INSPECTOR_WIDTHS))
        else:
            overlay.dock()
            self.across.setStretchFactor(1, 1)
        self._show()
        if not narrow:
            self._size_panels(self._layout)
        self.changed.emit()

    def is_shown(self, name: str) -> bool:
        """Whether `left`, `bottom` or `inspector` is shown beside a drawing."""
        if name == "inspector" and self.floats:
            return self._floating_shown
        return self._wanted[name]

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a panel."""
        if self.is_shown(name) != shown:
            if name == "inspector" and self.floats:
                self._floating_shown = shown
            else:
                self._wanted[name] = shown
            self._show()
            self.changed.emit()

    def set_home(self, home: bool) -> None:
        """The welcome page is in front (it has no panels), or a drawing is."""
        if self._home != home:
            self._home = home
            self._show()

    def _show(self) -> None:
        for name, panel in self._panels.items():
            shown = self.is_shown(name) and not self._home
            if name == "inspector" and self._overlay is not None and self.floats:
                self._overlay.show(shown)
            else:
                panel.setVisible(shown)
        self.placed.emit()

    def toggle(self, name: str) -> None:
        """Show or hide a panel, or `all`: hide those shown, or bring back the same ones."""
        if name != "all":
            self.set_shown(name, not self.is_shown(name))
            return
        shown = tuple(n for n in PANELS if self.is_shown(n))
        if shown:
            self._hidden_together = shown
        for panel in PANELS:
            self.set_shown(panel, not shown and panel in (self._hidden_together or PANELS))

    def toggle_full_screen(self) -> None:
        """Use the whole screen, or give it back."""
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()
        self.changed.emit()

    def reset(self) -> None:
        """Panels as in the design; the window keeps its place."""
        usual = Layout()
        self._wanted = dict.fromkeys(PANELS, True)
        self._floating_shown = False
        self._show()
        self._size_panels(usual)
        self.changed.emit()

    def layout_now(self) -> Layout:
        """Everything worth remembering."""
        box = (
            self._window.normalGeometry() if self._window.isMaximized() else self._window.geometry()
        )
        sizes = self._sizes()
        return Layout(
            x=box.x(),
            y=box.y(),
            width=box.width(),
            height=box.height(),
            maximised=self._window.isMaximized(),
            left=sizes["left"],
            inspector=sizes["inspector"],
            bottom=sizes["bottom"],
            show_left=self.is_shown("left"),
            show_inspector=self._wanted["inspector"],
            show_bottom=self.is_shown("bottom"),
        )

    def _sizes(self) -> dict[str, int]:
        """Sizes of the panels; those hidden keep what they had."""
        before = self._layout
        found = {"left": before.left, "inspector": before.inspector, "bottom": before.bottom}
        for name, panel in self._panels.items():
            if panel.isVisible():
                found[name] = panel.height() if name == "bottom" else panel.width()
        return found

    def restore(self, layout: Layout) -> None:
        """Sizes and place as they were, clamped to the screens there are now."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        box = placed(layout, screens)
        self._window.setGeometry(box)
        if layout.maximised:
            self._window.setWindowState(Qt.WindowState.WindowMaximized)
        self._wanted = {
            "left": layout.show_left,
            "inspector": layout.show_inspector,
            "bottom": layout.show_bottom,
        }
        self._layout = layout
        self._show()
        self._size_panels(layout)

    def _size_panels(self, layout: Layout) -> None:
        if not self._panels:
            return
        width, height = self._window.width(), self._window.height()
        left = _clamped(layout.left, LEFT_WIDTHS)
        right = 0 if self.floats else _clamped(layout.inspector, INSPECTOR_WIDTHS)
        self.across.setSizes(
            [left, max(200, width - left - right - 2), *([right] if right else ())]
        )
        bottom = min(max(layout.bottom, LOWEST), max(LOWEST, height // 2))
        self.down.setSizes([max(200, height - 97 - bottom), bottom])


def _clamped(width: int, limits: tuple[int, int]) -> int:
    return min(max(width, limits[0]), limits[1])


def placed(layout: Layout, screens: list[QRect]) -> QRect:
    """Where a window goes: as it was if a screen still shows it, else on the first screen.

    It is never smaller than the design allows, and its title bar is always within reach.
    """
    room = screens[0] if screens else QRect(0, 0, *USUAL)
    width, height = layout.width or USUAL[0], layout.height or USUAL[1]
    wanted = QRect(layout.x, layout.y, width, height)
    if layout.width:
        overlaps = [(_area(s.intersected(wanted)), i) for i, s in enumerate(screens)]
        best = max(overlaps, default=(0, 0))
        room = screens[best[1]] if best[0] else room
    width = max(LEAST[0], min(width, room.width()))
    height = max(LEAST[1], min(height, room.height()))
    if layout.width:
        x = min(max(wanted.x(), room.left()), max(room.left(), room.right() + 1 - width))
        y = min(max(wanted.y(), room.top()), max(room.top(), room.bottom() + 1 - height))
    else:
        x = room.left() + max(0, (room.width() - width) // 2)
        y = room.top() + max(0, (room.height() - height) // 2)
    return QRect(x, y, width, height)


def _area(box: QRect) -> int:
    return max(0, box.width()) * max(0, box.height())
