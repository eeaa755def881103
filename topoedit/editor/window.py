"""The main window: menus, tool bar, tabs, panels and status bar around one canvas a tab."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QRect, SignalInstance
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from topoedit.editor import preferences
from topoedit.editor.action_set import ActionSet
from topoedit.editor.canvas_wiring import connect_canvas, connect_sides
from topoedit.editor.closing import Closing
from topoedit.editor.documents import DocumentArea
from topoedit.editor.engine_view import EngineView
from topoedit.editor.first_hints import FirstHints
from topoedit.editor.focus_home import FocusHome
from topoedit.editor.menu_bar import MenuLine, context_menu, fill_recent
from topoedit.editor.mnemonics import Mnemonics
from topoedit.editor.preferences import Preferences
from topoedit.editor.recovery import keep_journal
from topoedit.editor.shell import Canvas, Severity
from topoedit.editor.status_bar import StatusBar
from topoedit.editor.theming import Theming
from topoedit.editor.tool_bar import ToolBar
from topoedit.editor.translating import tr
from topoedit.editor.welcome_tab import WelcomeTab
from topoedit.editor.widgets import rows
from topoedit.editor.window_frame import Frame
from topoedit.render.theme import Theme

if TYPE_CHECKING:
    from topoedit.app.protocol import AnyQuestion
    from topoedit.catalog.catalog import Catalog
    from topoedit.editor.analysis_link import Engine
    from topoedit.editor.background import Task
    from topoedit.editor.command_palette import CommandPalette
    from topoedit.editor.commands.file_commands import FileCommands
    from topoedit.editor.commands.why_commands import WhyCommands
    from topoedit.editor.file_conflicts import FileConflicts
    from topoedit.editor.questions import Then
    from topoedit.editor.session import DocumentSession
    from topoedit.editor.side_panels import SidePanels

CatalogLoader = Callable[[], tuple["Catalog", tuple[str, ...]]]
CanvasFactory = Callable[["DocumentSession", Theming, QWidget], QWidget]
TITLE = "topoedit"


class MainWindow(QMainWindow):
    """One window with all open drawings.

    Args:
        load_catalog: reads what can be placed, when it is first asked for.
        theming: the look.
        preferences: what is remembered between runs.
        canvas_factory: makes the widget that shows a session.
    """

    def __init__(
        self,
        load_catalog: CatalogLoader,
        theming: Theming,
        settings: Preferences,
        canvas_factory: CanvasFactory,
    ) -> None:
        super().__init__()
        self.theming, self.settings = theming, settings
        self._load_catalog = load_catalog
        self._canvas_factory = canvas_factory
        self.engine = EngineView(self)
        self._sides: SidePanels | None = None
        self._palette_window: CommandPalette | None = None
        self._bound: DocumentSession | None = None
        self.minimap_wanted = True
        self._closing = Closing(self, lambda: list(self.documents.sessions()), self._save_one)
        self.setWindowTitle(TITLE)
        self.setAcceptDrops(True)
        self.documents = DocumentArea(theming)
        self._conflicts: FileConflicts | None = None
        self.status = StatusBar(theming)
        self.actions_ = ActionSet(self, self, lambda: self._controllers, settings.shortcuts)
        self.actions_.condition("tab", lambda: len(self.documents) > 0)
        self.actions_.condition("clipboard", self._can_paste)
        self.actions_.condition("problems", self._has_problems)
        self.tool_bar = ToolBar(theming, self.actions_)
        self.welcome = WelcomeTab(self)
        self.hints = FirstHints(self)
        self.focus_home = FocusHome(self)
        self._lay_out()
        self._connect()
        self._theme_changed(theming.theme)
        self.status.set_session(None)
        self._current_changed()

    @cached_property
    def catalog(self) -> Catalog:
        """What can be placed; wrong files of the user are left out and named."""
        catalog, problems = self._load_catalog()
        for line in problems:
            self.tell(line, "warning")
        return catalog

    @cached_property
    def files(self) -> FileCommands:
        """New, open, save, close."""
        from topoedit.editor.commands.file_commands import FileCommands

        return FileCommands(self)

    @cached_property
    def _controllers(self) -> dict[str, object]:
        from topoedit.editor.commands.controllers import make_controllers

        return make_controllers(self, self.files)

    # -- building ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.menu_line = MenuLine(self.actions_, self.theming)
        self.setMenuWidget(self.menu_line)
        self.menus = self.menu_line.menus
        Mnemonics(self.menu_line.bar, self)
        recent = QMenu(tr("Open recent"), self.menus["File"])
        self.menus["File"].insertMenu(self.actions_["file.save"], recent)
        self.menus["File"].aboutToShow.connect(lambda: fill_recent(recent, self.files.open_path))
        self.addToolBar(self.tool_bar)
        self.frame = Frame(self, self.documents)
        whole = QWidget()
        column = rows(whole)
        column.addWidget(self.frame.across, 1)
        column.addWidget(self.status)
        self.setCentralWidget(whole)
        self.frame.changed.connect(self._panels_changed)
        self.frame.restore(self.settings.layout)
        self._panels_changed()

    def _connect(self) -> None:
        self.documents.current_changed.connect(self._current_changed)
        self.documents.close_asked.connect(self._close_asked)
        self.documents.new_asked.connect(self.actions_["file.new"].trigger)
        self.status.problems_asked.connect(lambda: self.show_panel("problems"))
        self.status.why_asked.connect(self.explain)
        self.tool_bar.state_clicked.connect(self.engine.clicked)
        self.theming.changed.connect(self._theme_changed)
        self.menus["Edit"].aboutToShow.connect(self.actions_.refresh)

    @property
    def sides(self) -> SidePanels:
        """The panels around the drawing."""
        if self._sides is None:
            self._sides = self._new_sides
            connect_sides(self._sides, self)
        return self._sides

    @cached_property
    def _new_sides(self) -> SidePanels:
        from topoedit.editor.side_panels import SidePanels

        return SidePanels(self.theming, self.catalog, self.settings.recent_types)

    def panel_steps(self) -> Iterator[Callable[[], object]]:
        """Steps that make the panels one after another, before a drawing needs them."""
        if self._sides is None:
            yield from self._new_sides.making()
            yield lambda: self.sides

    @property
    def conflicts(self) -> FileConflicts:
        """Files that other programs change, or other windows hold."""
        if self._conflicts is None:
            from topoedit.editor.file_conflicts import FileConflicts

            self._conflicts = FileConflicts(self)
        return self._conflicts

    @property
    def palette_window(self) -> CommandPalette:
        """The command palette."""
        if self._palette_window is None:
            from topoedit.editor.command_palette import CommandPalette

            self._palette_window = CommandPalette(self.theming, self.actions_, self)
            self._palette_window.visited.connect(self.visit)
            self._palette_window.placed.connect(self.place)
        return self._palette_window

    # -- what commands see ---------------------------------------------------------------------

    @property
    def session(self) -> DocumentSession | None:
        """The drawing of the current tab."""
        return self.documents.session

    @property
    def canvas(self) -> Canvas | None:
        """The canvas of the current tab."""
        if self.documents.session is None or self.documents.widget is None:
            return None
        return cast("Canvas", self.documents.widget)

    @property
    def widget(self) -> QWidget:
        """The window, as parent of dialogs."""
        return self

    def tell(self, text: str, severity: Severity = "info") -> None:
        """Show one line above the drawing."""
        self.documents.messages.show_line(text, severity)

    def take_back(self, text: str) -> None:
        """Hide the line above the drawing if it still is this one."""
        if self.documents.messages.text == text:
            self.documents.messages.hide()

    def offer(
        self, text: str, choices: tuple[tuple[str, Callable[[], None]], ...]
    ) -> Callable[[], None]:
        """Show one line with buttons above the drawing; what comes back takes it away."""
        return self.documents.messages.offer(text, choices)

    def show_job(self, words: str, task: Task) -> None:
        """Show work that goes on beside the window, with Cancel, until it ends."""
        self.documents.jobs.add(words, task)

    def open_path(self, path: Path) -> None:
        """Open a file in a tab."""
        self.files.open_path(path)

    def visit(self, ids: tuple[str, ...]) -> None:
        """Select elements and bring them into view."""
        session, canvas = self.session, self.canvas
        if session is None or canvas is None or not ids:
            return
        session.select(ids)
        if session.selection:
            canvas.centre_on(session.selection)

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front and give it the keys."""
        self.frame.set_shown(self.sides.holder(name), True)
        self.sides.focus(name)

    # -- tabs ----------------------------------------------------------------------------------

    def add_session(self, session: DocumentSession) -> None:
        """Open a tab for a session, or bring its tab to the front."""
        known = self.documents.index_of(session)
        if known >= 0:
            self.documents.tabs.setCurrentIndex(known)
            return
        session.setParent(self)
        keep_journal(session)
        session.refused.connect(lambda line: self.tell(line, "error"))
        canvas = self._canvas_factory(session, self.theming, self)
        connect_canvas(canvas, self)
        self.documents.add(session, canvas)
        self.welcome.drop()
        self.engine.add(session)
        self.conflicts.add(session)
        canvas.setFocus()

    def show_welcome(self) -> None:
        """Bring the welcome page to the front."""
        self.welcome.show()

    def fill_welcome(self) -> None:
        """Show templates, files and the remaining icons, once the window is painted."""
        self.actions_.finish_theme()
        self.welcome.fill()

    def close_window(self) -> None:
        """Close the window, which asks about unsaved work."""
        self.close()

    def _save_one(self, session: DocumentSession) -> bool:
        if session.path is not None:
            return self.files.write(session, session.path, then=self.close_window)
        self.documents.tabs.setCurrentIndex(self.documents.index_of(session))
        self.files.save_as(self.close_window)
        return False

    def _close_asked(self, index: int) -> None:
        self.documents.tabs.setCurrentIndex(index)
        self.files.close()

    def close_current(self) -> None:
        """Close the tab in front without asking."""
        self.close_tab(self.documents.tabs.currentIndex())

    def close_tab(self, index: int) -> None:
        """Close a tab without asking."""
        if not 0 <= index < len(self.documents):
            return
        session, page = self.documents.page(index)
        if page is self.welcome.page:
            self.welcome.page = None
        if session is not None:
            self._bind(None)
            self.engine.remove(session)
            self.conflicts.remove(session)
        self.documents.remove(index)
        if session is not None:
            session.close()
            session.deleteLater()
        if not len(self.documents):
            self.show_welcome()

    def _current_changed(self) -> None:
        session = self.session
        self._bind(session)
        self.frame.set_home(session is None)
        canvas = self.canvas
        if canvas is not None:
            self.tool_bar.show_zoom(canvas.zoom())
            canvas.set_tool("select")
            canvas.furniture.show_minimap(self.minimap_wanted)
        self._show_title()
        self.engine.show_state()
        if self._conflicts is not None:
            self._conflicts.show()
        self.actions_.refresh()

    def _bind(self, session: DocumentSession | None) -> None:
        """Let every panel follow another session."""
        if session is self._bound:
            return
        if self._bound is not None:
            for signal in self._refreshing(self._bound):
                signal.disconnect(self.actions_.refresh)
            self._bound.title_changed.disconnect(self._show_title)
        self._bound = session
        if session is not None or self._sides is not None:
            self.sides.set_session(session)
        self.status.set_session(session)
        if session is not None:
            for signal in self._refreshing(session):
                signal.connect(self.actions_.refresh)
            session.title_changed.connect(self._show_title)

    @staticmethod
    def _refreshing(session: DocumentSession) -> tuple[SignalInstance, ...]:
        return (
            session.selection_changed,
            session.undo_stack.indexChanged,
            session.analysis_input_changed,
        )

    def _show_title(self) -> None:
        session = self.session
        mark = "" if session is None or session.is_clean else "*"
        name = "" if session is None else f"{session.title}{mark} — "
        self.setWindowTitle(f"{name}{TITLE}")

    # -- engine --------------------------------------------------------------------------------

    def set_engine(self, engine: Engine) -> None:
        """Analyse every drawing with this engine from now on."""
        self.engine.use(engine)

    def ask_engine(self, session: DocumentSession) -> None:
        """Analyse a drawing once more."""
        self.engine.ask(session)

    def restart_engine(self) -> None:
        """Start the engine afresh."""
        self.engine.restart()

    def ask_question(self, session: DocumentSession, question: AnyQuestion, then: Then) -> bool:
        """Ask the engine something about a drawing; False if there is no engine."""
        return self.engine.question(session, question, then)

    def explain(self, key: str) -> None:
        """Show why a figure is what it is, beside the widget it was asked from."""
        sender = self.sender()
        anchor = sender if isinstance(sender, QWidget) else None
        cast("WhyCommands", self._controllers["why"]).explain(key, anchor)

    # -- placing, tools, menus -----------------------------------------------------------------

    def place(self, type_id: str) -> None:
        """Put a new element into the middle of the drawing in front."""
        if self.canvas is not None:
            self.canvas.place(type_id)
            self.sides.left.palette_panel.used(type_id)

    def drag(self, type_id: str) -> None:
        """Let a new element hang on the pointer."""
        if self.canvas is not None:
            self.canvas.begin_palette_drag(type_id, 1)
            self.sides.left.palette_panel.used(type_id)

    def tool_used(self, name: str) -> None:
        """Show in the tool bar which tool is in use."""
        self.actions_[f"tool.{name}"].setChecked(True)

    def _can_paste(self) -> bool:
        if self.session is None:
            return False
        from topoedit.editor.commands.edit_commands import can_paste

        return can_paste()

    def open_context_menu(self, place: QPoint) -> None:
        """Open the context menu at a point of the screen."""
        self.actions_.refresh()
        context_menu(self.actions_, self).popup(place)

    def show_recent(self) -> None:
        """List the recent files on the welcome page anew."""
        self.welcome.show_recent()

    def open_palette(self, prefix: str) -> None:
        """Open the command palette with a prefix typed."""
        self.actions_.refresh()
        area = QRect(self.documents.mapToGlobal(QPoint(0, 0)), self.documents.size())
        self.palette_window.open_over(self.session, prefix, area)

    def _has_problems(self) -> bool:
        return self._sides is not None and self._sides.bottom.problems.model.rowCount() > 0

    def problems_counted(self, counts: dict[str, int]) -> None:
        """Show how many problems there are, by severity."""
        self.status.show_problems(counts)
        self.actions_["analyse.next_problem"].setEnabled(sum(counts.values()) > 0)
        self.actions_["analyse.previous_problem"].setEnabled(sum(counts.values()) > 0)

    def offer_recovery(self) -> None:
        """Offer what a crash left behind; nothing is deleted before the user chooses."""
        self.welcome.offer_recovery()

    # -- look, size, end -----------------------------------------------------------------------

    def _theme_changed(self, theme: Theme) -> None:
        self.actions_.set_theme(theme)
        for choice in ("system", "light", "dark"):
            self.actions_[f"view.theme_{choice}"].setChecked(self.theming.choice == choice)
        for index in range(len(self.documents)):
            session, page = self.documents.page(index)
            if session is not None:
                cast("Canvas", page).set_theme(theme)

    def _panels_changed(self) -> None:
        for name in ("left", "bottom", "inspector"):
            self.actions_[f"view.{name}"].setChecked(self.frame.is_shown(name))
        self.actions_["view.full_screen"].setChecked(self.isFullScreen())

    def remember(self) -> None:
        """Write down look, sizes and recent types."""
        self.settings.theme = self.theming.choice
        self.settings.layout = self.frame.layout_now()
        if self._sides is not None:
            self.settings.recent_types = self._sides.left.palette_panel.recent
        preferences.save_preferences(self.settings)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then remember the window."""
        if not self._closing.may_close():
            event.ignore()
            return
        self.remember()
        self.documents.jobs.cancel_all()
        self._bind(None)
        for session in list(self.documents.sessions()):
            self.engine.remove(session)
            self.conflicts.remove(session)
            session.close()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files that were dropped."""
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.files.open_all(files)
        else:
            self.tell("Only files of this computer can be dropped here.", "error")
