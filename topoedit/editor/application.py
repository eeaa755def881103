"""Starting the editor: a painted window first, everything heavy after it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from topoedit.editor.preferences import load_preferences
from topoedit.editor.theming import Theming
from topoedit.editor.translating import install
from topoedit.editor.window import MainWindow

if TYPE_CHECKING:
    from topoedit.catalog.catalog import Catalog
    from topoedit.editor.engine_client import EngineClient
    from topoedit.editor.session import DocumentSession


def run(paths: Sequence[Path] = ()) -> int:
    """Open the editor with these files and stay until its window is closed.

    Returns:
        The exit code of the application.
    """
    # With the standard 5 ms a thread at work holds every frame up by many times that.
    sys.setswitchinterval(0.0005)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setApplicationName("topoedit")
    install(app)
    window = make_window(welcome=not paths)
    tell_faults(window)
    engines: list[EngineClient] = []
    waiting = AfterFirstPaint(window, lambda: engines.append(start_work(window, paths)))
    window.installEventFilter(waiting)
    window.show()
    try:
        return app.exec()
    finally:
        for engine in engines:
            engine.shut_down()


def tell_faults(window: MainWindow) -> None:
    """Let a fault of the program be seen: one line in the window, the rest on standard error.

    Qt goes on after an exception in a slot; without a word the person would wait for ever.
    """

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        if isinstance(error, Exception):
            window.tell(
                f"topoedit has a fault: {kind.__name__}, {error}. The drawing and its journal are "
                "as they were. Standard error has the details.",
                "error",
            )

    sys.excepthook = tell


class AfterFirstPaint(QObject):
    """Does something once a window has been painted, so that the window is there at once."""

    def __init__(self, window: QWidget, does: Callable[[], None]) -> None:
        super().__init__(window)
        self._does = does

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the first paint."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._does)
        return super().eventFilter(watched, event)


def make_window(*, welcome: bool = True) -> MainWindow:
    """A window dressed in the theme, without engine and with the least that can be painted.

    Args:
        welcome: show the welcome page.
    """
    settings, wrong = load_preferences()
    theming = Theming(settings.theme, high_contrast=settings.habits.high_contrast)
    theming.apply()
    window = MainWindow(read_catalog, theming, settings, make_canvas)
    theming.setParent(window)
    if welcome:
        window.show_welcome()
    if wrong:
        window.tell(wrong, "warning")
    return window


def read_catalog() -> tuple[Catalog, tuple[str, ...]]:
    """The catalogue without wrong files of the user, and one line on each of those."""
    from topoedit.catalog.load import load_catalog_lenient

    catalog, problems = load_catalog_lenient()
    return catalog, tuple(problem.line for problem in problems)


def make_canvas(session: DocumentSession, theming: Theming, parent: QWidget) -> QWidget:
    """The widget that shows a drawing; its arrays and painting are loaded with the first one."""
    from topoedit.editor.canvas.view import CanvasView

    return CanvasView(session, theming.theme, parent)


def start_work(window: MainWindow, paths: Sequence[Path] = ()) -> EngineClient:
    """Everything that can wait for the first paint: files, recovery, templates, the engine."""
    from topoedit.editor.engine_client import EngineClient
    from topoedit.editor.warming import Warming

    engine = EngineClient(window)
    window.set_engine(engine)
    window.files.open_all([Path(path) for path in paths])
    if not len(window.documents):
        window.show_welcome()
    window.fill_welcome()
    window.offer_recovery()
    engine.start()
    Warming(window)
    return engine
