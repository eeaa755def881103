"""What commands and panels may ask of the window, without knowing how it is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from topoedit.editor.preferences import Preferences
from topoedit.editor.theming import Theming
from topoedit.render.theme import Theme

if TYPE_CHECKING:
    from topoedit.app.protocol import AnyQuestion
    from topoedit.catalog.catalog import Catalog
    from topoedit.editor.action_set import ActionSet
    from topoedit.editor.background import Task
    from topoedit.editor.canvas.ghosts import Ghosts
    from topoedit.editor.documents import DocumentArea
    from topoedit.editor.first_hints import FirstHints
    from topoedit.editor.questions import Then
    from topoedit.editor.session import DocumentSession
    from topoedit.editor.side_panels import SidePanels
    from topoedit.editor.window_frame import Frame
    from topoedit.model.edits import MoveDevices

Severity = Literal["info", "ok", "warning", "error"]


class Overlays(Protocol):
    """What stands on a canvas and does not move with it."""

    def show_minimap(self, wanted: bool) -> None:
        """Show or hide the minimap."""


class Canvas(Protocol):
    """What the shell needs of the widget that shows a drawing."""

    zoom_changed: SignalInstance
    cursor_moved: SignalInstance

    @property
    def furniture(self) -> Overlays:
        """Legend, minimap and hint."""

    def fit(self) -> None:
        """Show the whole drawing."""

    def fit_selection(self) -> None:
        """Zoom to what is selected."""

    def set_zoom(self, factor: float) -> None:
        """Zoom to a factor; 1.0 is 100 %."""

    def zoom(self) -> float:
        """The zoom factor now."""

    def centre_on(self, ids: Iterable[str]) -> None:
        """Bring these elements to the middle."""

    def set_tool(self, name: str) -> None:
        """Use `select`, `pan` or `link`."""

    def set_theme(self, theme: Theme) -> None:
        """Paint with another theme."""

    def begin_palette_drag(self, type_id: str, count: int) -> None:
        """Let devices of a type hang on the cursor until they are dropped."""

    def place(self, type_id: str) -> None:
        """Put a new device, group or note into the middle of what is shown."""

    def preview(self, edit: MoveDevices, title: str, ended: Callable[[bool], None]) -> None:
        """Show an arrangement as ghosts; at the end `ended` is told whether it was kept."""

    def end_preview(self, *, keep: bool) -> None:
        """Keep the arrangement shown, or leave everything as it was."""

    def pointed(self) -> tuple[str, str]:
        """Element and port, or GPU (`/gpu3`), under the pointer when the menu was asked for."""

    @property
    def in_focus(self) -> bool:
        """Whether all but the selection and its neighbours is dimmed."""

    def set_focus(self, wanted: bool) -> None:
        """Dim all but the selection and its neighbours, or show everything again."""

    @property
    def rulers(self) -> bool:
        """Whether rulers stand along the edges."""

    def set_rulers(self, wanted: bool) -> None:
        """Show or hide the rulers."""

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Show what a dialog would add while it is open; None for nothing more."""

    def centre(self) -> tuple[float, float]:
        """The point of the drawing in the middle of what is shown."""

    def paste_place(self) -> tuple[float, float, str]:
        """Where what is pasted belongs: under the pointer, else the middle; and in which group."""

    def draws_as_block(self, group: str) -> bool:
        """Whether a group, or one around it, is drawn as one tile at this zoom."""

    def open_up(self, group: str) -> None:
        """Zoom to a group until it is no block any more."""

    def pick_end(self, ended: Callable[[str], None]) -> None:
        """Wait for a click on the other end of a trace; `ended` is told it, "" after Esc."""

    def reveal(self, ids: Sequence[str]) -> bool:
        """Bring elements into view unless one of them is; False if none can be shown."""


class Shell(Protocol):
    """The window as commands see it."""

    theming: Theming

    @property
    def catalog(self) -> Catalog:
        """What can be placed."""

    @property
    def session(self) -> DocumentSession | None:
        """The drawing of the current tab; None on the welcome page."""

    @property
    def canvas(self) -> Canvas | None:
        """The canvas of the current tab."""

    @property
    def widget(self) -> QWidget:
        """The window, as parent of dialogs."""

    def tell(self, text: str, severity: Severity = "info") -> None:
        """Show one line above the drawing until it is closed or replaced."""

    def take_back(self, text: str) -> None:
        """Hide the line above the drawing if it still is this one."""

    def offer(
        self, text: str, choices: tuple[tuple[str, Callable[[], None]], ...]
    ) -> Callable[[], None]:
        """Show one line with buttons above the drawing; what comes back takes it away."""

    def show_job(self, words: str, task: Task) -> None:
        """Show work that goes on beside the window, with Cancel, until it ends."""

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front and give it the keys."""

    def open_path(self, path: Path) -> None:
        """Open a file in a tab."""


class WindowShell(Shell, Protocol):
    """What the commands of View, Plan, Analyse and Help ask of it besides."""

    @property
    def frame(self) -> Frame:
        """Panels and their sizes."""

    @property
    def documents(self) -> DocumentArea:
        """The tabs."""

    @property
    def sides(self) -> SidePanels:
        """The panels around the drawing."""

    minimap_wanted: bool
    settings: Preferences
    hints: FirstHints
    actions_: ActionSet

    def add_session(self, session: DocumentSession) -> None:
        """Open a tab for a session, or bring its tab to the front."""

    def close_current(self) -> None:
        """Close the tab in front without asking."""

    def close_window(self) -> None:
        """Close the window, which asks about unsaved work."""

    def show_recent(self) -> None:
        """List the recent files on the welcome page anew."""

    def show_welcome(self) -> None:
        """Bring the welcome page to the front."""

    def open_palette(self, prefix: str) -> None:
        """Open the command palette with a prefix typed."""

    def tool_used(self, name: str) -> None:
        """Show in the tool bar which tool is in use."""

    def ask_engine(self, session: DocumentSession) -> None:
        """Analyse a drawing once more."""

    def restart_engine(self) -> None:
        """Start the engine afresh."""

    def ask_question(self, session: DocumentSession, question: AnyQuestion, then: Then) -> bool:
        """Ask the engine something about a drawing; False if there is no engine."""
