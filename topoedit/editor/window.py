"""The main window: menus, tool bar, tabs, panels and status bar around one canvas a tab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QPoint, QRect, Qt, SignalInstance
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from topoedit.catalog.catalog import Catalog
from topoedit.editor import preferences
from topoedit.editor.action_set import ActionSet
from topoedit.editor.analysis_link import AnalysisLink, Engine
from topoedit.editor.closing import Closing
from topoedit.editor.command_palette import CommandPalette
from topoedit.editor.commands.analyse_commands import AnalyseCommands, HelpCommands, PlanCommands
from topoedit.editor.commands.arrange_commands import ArrangeCommands
from topoedit.editor.commands.edit_commands import EditCommands
from topoedit.editor.commands.file_commands import FileCommands
from topoedit.editor.commands.tool_commands import InsertCommands, ToolCommands
from topoedit.editor.commands.view_commands import ViewCommands
from topoedit.editor.documents import DocumentArea
from topoedit.editor.menu_bar import MenuLine, context_menu, fill_recent
from topoedit.editor.panels.bottom import BottomPanel
from topoedit.editor.panels.inspector import Inspector
from topoedit.editor.panels.left import LeftPanel
from topoedit.editor.preferences import Preferences
from topoedit.editor.recovery import Recovery, keep_journal
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Canvas, Severity
from topoedit.editor.status_bar import StatusBar
from topoedit.editor.theming import Theming
from topoedit.editor.tool_bar import ToolBar
from topoedit.editor.welcome import WelcomePage, template_rows
from topoedit.editor.widgets import rows
from topoedit.editor.window_frame import Frame
from topoedit.render.theme import Theme

CanvasFactory = Callable[[DocumentSession, Theming, QWidget], QWidget]
TITLE = "topoedit"


class MainWindow(QMainWindow):
    """One window with all open drawings.

    Args:
        catalog: what can be placed.
        theming: the look.
        preferences: what is remembered between runs.
        canvas_factory: makes the widget that shows a session.
        engine: the analysis process; None for a window without analysis.
    """

    def __init__(
        self,
        catalog: Catalog,
        theming: Theming,
        settings: Preferences,
        canvas_factory: CanvasFactory,
        engine: Engine | None = None,
    ) -> None:
        super().__init__()
        self.catalog, self.theming, self.settings = catalog, theming, settings
        self._canvas_factory = canvas_factory
        self._link = AnalysisLink(engine, self) if engine is not None else None
        self._bound: DocumentSession | None = None
        self._recovery = Recovery(self, self._add_session)
        self._closing = Closing(self, lambda: list(self.documents.sessions()), self._save_one)
        self.setWindowTitle(TITLE)
        self.setAcceptDrops(True)
        self.documents = DocumentArea(theming)
        self.left = LeftPanel(theming, catalog, settings.recent_types)
        self.inspector = Inspector(theming)
        self.bottom = BottomPanel(theming)
        self.status = StatusBar(theming)
        self._make_commands()
        self.actions_ = ActionSet(self, self, self._controllers, settings.shortcuts)
        self.actions_.condition("tab", lambda: len(self.documents) > 0)
        self.actions_.condition("clipboard", self._can_paste)
        self.actions_.condition("problems", lambda: self.bottom.problems.model.rowCount() > 0)
        self.tool_bar = ToolBar(theming, self.actions_)
        self.palette_window = CommandPalette(theming, self.actions_, self)
        self._welcome: WelcomePage | None = None
        self._lay_out()
        self._connect()
        self._theme_changed(theming.theme)
        for part in (self.left, self.inspector, self.bottom, self.status):
            part.set_session(None)
        self._current_changed()

    # -- building ------------------------------------------------------------------------------

    def _make_commands(self) -> None:
        self.files = FileCommands(
            self,
            add=self._add_session,
            close_current=lambda: self.close_tab(self.documents.tabs.currentIndex()),
            quit_window=self._close,
            sessions=lambda: list(self.documents.sessions()),
            recent_changed=self._show_recent,
        )
        self.views = ViewCommands(
            self,
            panels=lambda name: self.frame.toggle(name),
            full=lambda: self.frame.toggle_full_screen(),
            reset=lambda: self.frame.reset(),
            step_tab=self.documents.step,
            open_welcome=self.show_welcome,
            open_palette=self._open_palette,
        )
        self._controllers: dict[str, object] = {
            "file": self.files,
            "edit": EditCommands(self),
            "view": self.views,
            "tool": ToolCommands(self, self._tool_used),
            "insert": InsertCommands(self),
            "arrange": ArrangeCommands(self),
            "plan": PlanCommands(self, self.inspector.plan.model.open_list),
            "analyse": AnalyseCommands(
                self, self._ask, self._restart_engine, self.bottom.problems.step
            ),
            "help": HelpCommands(self, self._open_shortcuts, self._open_about),
        }

    def _lay_out(self) -> None:
        self.menu_line = MenuLine(self.actions_, self.theming)
        self.setMenuWidget(self.menu_line)
        self.menus = self.menu_line.menus
        self.menus["File"].aboutToShow.connect(self._fill_recent_menu)
        self.recent_menu = QMenu("Open recent", self.menus["File"])
        self.menus["File"].insertMenu(self.actions_["file.save"], self.recent_menu)
        self.addToolBar(self.tool_bar)
        self.frame = Frame(self, self.left, self.documents, self.bottom, self.inspector)
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
        self.documents.new_asked.connect(self.files.new)
        self.left.palette_panel.chosen.connect(self._place)
        self.left.palette_panel.drag_started.connect(self._drag)
        self.left.outline.visited.connect(lambda element_id: self.visit((element_id,)))
        self.inspector.visited.connect(self.visit)
        self.bottom.visited.connect(self.visit)
        self.bottom.close_asked.connect(lambda: self.frame.toggle("bottom"))
        self.bottom.problems.counted.connect(self._problems_counted)
        self.palette_window.visited.connect(self.visit)
        self.status.problems_asked.connect(lambda: self.show_panel("problems"))
        self.tool_bar.state_clicked.connect(self._state_clicked)
        self.theming.changed.connect(self._theme_changed)
        self.menus["Edit"].aboutToShow.connect(self.actions_.refresh)

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
        if name in ("devices", "tree", "layers"):
            self.frame.set_shown("left", True)
            self.left.focus_page(name)
        elif name in self.bottom.pages:
            self.frame.set_shown("bottom", True)
            self.bottom.focus_page(name)
        elif name == "name":
            self.frame.set_shown("inspector", True)
            self.inspector.show_page("properties")
            self.inspector.properties.focus_name()
        else:
            self.frame.set_shown("inspector", True)
            self.inspector.focus_page(name)

    # -- tabs ----------------------------------------------------------------------------------

    def _add_session(self, session: DocumentSession) -> None:
        known = self.documents.index_of(session)
        if known >= 0:
            self.documents.tabs.setCurrentIndex(known)
            return
        session.setParent(self)
        keep_journal(session)
        session.refused.connect(lambda line: self.tell(line, "error"))
        canvas = self._canvas_factory(session, self.theming, self)
        self._connect_canvas(canvas)
        blank = self.documents.index_of(self._welcome) if self._welcome is not None else -1
        self.documents.add(session, canvas)
        if blank >= 0:
            self._drop_welcome()
        if self._link is not None:
            self._link.add(session)
        session.analysis_state_changed.connect(lambda _state: self._show_state())
        canvas.setFocus()

    def _connect_canvas(self, canvas: QWidget) -> None:
        for name, slot in (
            ("zoom_changed", self.tool_bar.show_zoom),
            ("cursor_moved", self.status.show_cursor),
            ("tool_changed", self._tool_used),
            ("activated", lambda _id: self.show_panel("properties")),
            ("menu_asked", self._open_context_menu),
            ("template_asked", self.files.from_template),
            ("open_asked", self.files.open),
            ("search_asked", lambda: self.show_panel("devices")),
        ):
            signal = getattr(canvas, name, None)
            if signal is not None:
                signal.connect(slot)

    def show_welcome(self) -> None:
        """Bring the welcome page to the front."""
        if self._welcome is not None:
            self.documents.tabs.setCurrentIndex(self.documents.index_of(self._welcome))
            return
        page = WelcomePage(self.theming, self.actions_)
        page.template_chosen.connect(self.files.from_named_template)
        page.file_chosen.connect(lambda name: self.files.open_path(Path(name)))
        page.recovery_chosen.connect(self._recover)
        self._welcome = page
        page.show_found(self._recovery.lines())
        page.show_templates(template_rows())
        self._show_recent()
        self.documents.add(None, page)

    def _drop_welcome(self) -> None:
        index = self.documents.index_of(self._welcome) if self._welcome is not None else -1
        self._welcome = None
        if index >= 0:
            self.documents.remove(index)

    def _close(self) -> None:
        self.close()

    def _save_one(self, session: DocumentSession) -> bool:
        if session.path is not None:
            return self.files.write(session, session.path)
        self.documents.tabs.setCurrentIndex(self.documents.index_of(session))
        self.files.save_as(self._close)
        return False

    def _close_asked(self, index: int) -> None:
        self.documents.tabs.setCurrentIndex(index)
        self.files.close()

    def close_tab(self, index: int) -> None:
        """Close a tab without asking."""
        if not 0 <= index < len(self.documents):
            return
        session, page = self.documents.page(index)
        if page is self._welcome:
            self._welcome = None
        if session is not None:
            self._bind(None)
            if self._link is not None:
                self._link.remove(session)
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
            canvas.furniture.show_minimap(self.views.minimap_wanted)
        self._show_title()
        self._show_state()
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
        for part in (self.left, self.inspector, self.bottom, self.status):
            part.set_session(session)
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

    def _show_state(self) -> None:
        session = self.session
        if session is None:
            self.tool_bar.engine.hide_state()
            self.documents.progress.show_fraction(0)
            return
        state = session.analysis_state
        self.tool_bar.engine.show_state(state)
        self.documents.progress.show_fraction(state.progress if state.kind == "running" else 0)

    def _state_clicked(self) -> None:
        session = self.session
        if session is None:
            return
        kind = session.analysis_state.kind
        if kind == "stopped":
            self._restart_engine()
        else:
            self.show_panel("plan" if kind in ("nothing", "refused") else "analysis")

    def _ask(self, session: DocumentSession) -> None:
        if self._link is not None:
            self._link.ask(session)

    def _restart_engine(self) -> None:
        if self._link is not None:
            self._link.restart()

    # -- placing, tools, menus -----------------------------------------------------------------

    def _place(self, type_id: str) -> None:
        if self.canvas is not None:
            self.canvas.place(type_id)
            self.left.palette_panel.used(type_id)

    def _drag(self, type_id: str) -> None:
        if self.canvas is not None:
            self.canvas.begin_palette_drag(type_id, 1)
            self.left.palette_panel.used(type_id)

    def _tool_used(self, name: str) -> None:
        action = self.actions_[f"tool.{name}"]
        action.setChecked(True)

    def _can_paste(self) -> bool:
        return self.session is not None and EditCommands.can_paste()

    def _open_context_menu(self, place: QPoint) -> None:
        self.actions_.refresh()
        context_menu(self.actions_, self).popup(place)

    def _fill_recent_menu(self) -> None:
        self.actions_.refresh()
        fill_recent(self.recent_menu, self.files.open_path)

    def _show_recent(self) -> None:
        if self._welcome is not None:
            self._welcome.show_recent(preferences.load_recent())

    def _open_palette(self, prefix: str) -> None:
        self.actions_.refresh()
        area = QRect(self.documents.mapToGlobal(QPoint(0, 0)), self.documents.size())
        self.palette_window.open_over(self.session, prefix, area)

    def _problems_counted(self, counts: dict[str, int]) -> None:
        self.status.show_problems(counts)
        self.actions_["analyse.next_problem"].setEnabled(sum(counts.values()) > 0)
        self.actions_["analyse.previous_problem"].setEnabled(sum(counts.values()) > 0)

    def _open_shortcuts(self) -> None:
        from topoedit.editor.shortcut_sheet import ShortcutSheet

        sheet = ShortcutSheet(self.actions_, self)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()

    def _open_about(self) -> None:
        from topoedit.editor.about import about_box

        about_box(self).open()

    def offer_recovery(self) -> None:
        """Offer what a crash left behind; nothing is deleted before the user chooses."""
        self._recovery.look()
        self._show_found()

    def _show_found(self) -> None:
        if self._welcome is not None:
            self._welcome.show_found(self._recovery.lines())
        else:
            self._recovery.offer(self.documents.messages, self._recover)

    def _recover(self, key: str, restore: bool) -> None:
        if restore:
            self._recovery.restore(key)
        else:
            self._recovery.discard(key)
            self._show_found()

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
        self.settings.recent_types = self.left.palette_panel.recent
        preferences.save_preferences(self.settings)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then remember the window."""
        if not self._closing.may_close():
            event.ignore()
            return
        self.remember()
        self._bind(None)
        for session in list(self.documents.sessions()):
            if self._link is not None:
                self._link.remove(session)
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
