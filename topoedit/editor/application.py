"""Starting the editor: a painted window first, everything heavy after it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from topoedit.catalog.load import load_catalog_lenient
from topoedit.editor.preferences import load_preferences
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow

if TYPE_CHECKING:
    from topoedit.editor.engine_client import EngineClient
    from topoedit.editor.session import DocumentSession


def run(paths: Sequence[Path] = ()) -> int:
    """Open the editor with these files and stay until its window is closed.

    Returns:
        The exit code of the application.
    """
    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setApplicationName("topoedit")
    window, engine = make_window()
    window.show()
    # After the first paint, so that the window is there at once.
    QTimer.singleShot(0, lambda: start_work(window, engine, paths))
    try:
        return app.exec()
    finally:
        engine.shut_down()


def make_window() -> tuple[MainWindow, EngineClient]:
    """A window dressed in the theme, and the engine it uses, not yet started."""
    from topoedit.editor.engine_client import EngineClient

    settings, wrong = load_preferences()
    theming = Theming(settings.theme)
    theming.apply()
    catalog, problems = load_catalog_lenient()
    engine = EngineClient()
    window = MainWindow(catalog, theming, settings, make_canvas, engine)
    theming.setParent(window)
    engine.setParent(window)
    window.show_welcome()
    for line in filter(None, (wrong, *(problem.line for problem in problems))):
        window.tell(line, "warning")
    return window, engine


def make_canvas(session: DocumentSession, theming: Theming, parent: QWidget) -> QWidget:
    """The widget that shows a drawing; its arrays and painting are loaded with the first one."""
    from topoedit.editor.canvas.view import CanvasView

    return CanvasView(session, theming.theme, parent)


def start_work(window: MainWindow, engine: EngineClient, paths: Sequence[Path]) -> None:
    """Open the files that were named, offer what a crash left, and warm the engine."""
    window.files.open_all([Path(path) for path in paths])
    window.offer_recovery()
    engine.start()
