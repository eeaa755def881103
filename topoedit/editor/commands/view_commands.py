"""Zoom, panels, theme, tabs and the command palette."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from topoedit.editor.shell import Shell

ZOOM_STEP = 1.1


@dataclass
class ViewCommands:
    """Acts on what the window shows.

    Attributes:
        panels: shows or hides `left`, `bottom`, `inspector`, or `all`.
        step_tab: goes to the next (1) or previous (-1) tab.
        open_palette: opens the command palette with a prefix typed.
    """

    shell: Shell
    panels: Callable[[str], None]
    full: Callable[[], None]
    reset: Callable[[], None]
    step_tab: Callable[[int], None]
    open_welcome: Callable[[], None]
    open_palette: Callable[[str], None]
    _minimap: bool = field(default=True)

    def fit(self) -> None:
        """Show the whole drawing."""
        if (canvas := self.shell.canvas) is not None:
            canvas.fit()

    def fit_selection(self) -> None:
        """Zoom to what is selected."""
        if (canvas := self.shell.canvas) is not None:
            canvas.fit_selection()

    def actual(self) -> None:
        """Zoom to 100 %."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_zoom(1.0)

    def zoom_in(self) -> None:
        """Make everything 10 % larger."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_zoom(canvas.zoom() * ZOOM_STEP)

    def zoom_out(self) -> None:
        """Make everything 10 % smaller."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_zoom(canvas.zoom() / ZOOM_STEP)

    def minimap(self) -> None:
        """Show or hide the minimap."""
        self._minimap = not self._minimap
        if (canvas := self.shell.canvas) is not None:
            canvas.furniture.show_minimap(self._minimap)

    @property
    def minimap_wanted(self) -> bool:
        """Whether the minimap is to be shown."""
        return self._minimap

    def toggle_left(self) -> None:
        """Show or hide the left panel."""
        self.panels("left")

    def toggle_bottom(self) -> None:
        """Show or hide the bottom panel."""
        self.panels("bottom")

    def toggle_inspector(self) -> None:
        """Show or hide the inspector."""
        self.panels("inspector")

    def toggle_panels(self) -> None:
        """Hide every panel, or bring them back."""
        self.panels("all")

    def full_screen(self) -> None:
        """Use the whole screen, or give it back."""
        self.full()

    def theme(self, choice: str) -> None:
        """Use another look."""
        self.shell.theming.choose(choice)

    def reset_layout(self) -> None:
        """Put every panel back to its place and size."""
        self.reset()

    def next_tab(self) -> None:
        """Go to the next tab."""
        self.step_tab(1)

    def previous_tab(self) -> None:
        """Go to the tab before."""
        self.step_tab(-1)

    def welcome(self) -> None:
        """Show the welcome page."""
        self.open_welcome()

    def show(self, panel: str) -> None:
        """Bring a panel to the front and give it the keys."""
        self.shell.show_panel(panel)

    def palette(self) -> None:
        """Search devices, links and commands."""
        self.open_palette("")

    def find(self) -> None:
        """Search devices and links only."""
        self.open_palette("@")
