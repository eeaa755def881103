"""Zoom, panels, theme, tabs and the command palette."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.shell import WindowShell

ZOOM_STEP = 1.1


@dataclass
class ViewCommands:
    """Acts on what the window shows."""

    shell: WindowShell

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

    def focus(self) -> None:
        """Dim all but the selection and its neighbours, or show all again."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_focus(not canvas.in_focus)

    def rulers(self) -> None:
        """Show or hide the rulers."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_rulers(not canvas.rulers)
            show_looks(self.shell)

    def minimap(self) -> None:
        """Show or hide the minimap."""
        self.shell.minimap_wanted = not self.shell.minimap_wanted
        if (canvas := self.shell.canvas) is not None:
            canvas.furniture.show_minimap(self.shell.minimap_wanted)
        show_looks(self.shell)

    def toggle_left(self) -> None:
        """Show or hide the left panel."""
        self.shell.frame.toggle("left")

    def toggle_bottom(self) -> None:
        """Show or hide the bottom panel."""
        self.shell.frame.toggle("bottom")

    def toggle_inspector(self) -> None:
        """Show or hide the inspector."""
        self.shell.frame.toggle("inspector")

    def toggle_panels(self) -> None:
        """Hide every panel, or bring them back."""
        self.shell.frame.toggle("all")

    def full_screen(self) -> None:
        """Use the whole screen, or give it back."""
        self.shell.frame.toggle_full_screen()

    def theme(self, choice: str) -> None:
        """Use another look."""
        self.shell.theming.choose(choice)

    def reset_layout(self) -> None:
        """Put every panel back to its place and size."""
        self.shell.frame.reset()

    def next_tab(self) -> None:
        """Go to the next tab."""
        self.shell.documents.step(1)

    def previous_tab(self) -> None:
        """Go to the tab before."""
        self.shell.documents.step(-1)

    def welcome(self) -> None:
        """Show the welcome page."""
        self.shell.show_welcome()

    def show(self, panel: str) -> None:
        """Bring a panel to the front and give it the keys."""
        self.shell.show_panel(panel)

    def palette(self) -> None:
        """Search devices, links and commands."""
        self.shell.open_palette("")

    def find(self) -> None:
        """Search devices and links only."""
        self.shell.open_palette("@")


def show_looks(shell: WindowShell) -> None:
    """Mark in the menu what the drawing in front shows: grid, rulers and minimap."""
    canvas = shell.canvas
    shell.actions_["view.minimap"].setChecked(shell.minimap_wanted)
    shell.actions_["view.grid"].setChecked(shell.settings.habits.grid)
    if canvas is not None:
        shell.actions_["view.rulers"].setChecked(canvas.rulers)
