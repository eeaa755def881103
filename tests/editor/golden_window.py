"""Pictures of the whole window, made in a process of their own with a scale of the screen.

`python -m tests.editor.golden_window FOLDER` with `QT_SCALE_FACTOR` set writes one picture for
each scene and theme. Nothing in them depends on the time, the machine or the engine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.editor.made_results import analysis
from topoedit import paths
from topoedit.catalog.load import load_catalog
from topoedit.editor import preferences
from topoedit.editor.application import make_canvas
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.engine_client import EngineResult, LinkLoads
from topoedit.editor.engine_state import EngineState
from topoedit.editor.first_hints import KEYS
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.plan import Plan, Workload

SIZE = (1280, 800)
THEMES = ("light", "dark")


def pod(window: MainWindow) -> None:
    """The pod of 64 GPUs with a plan and its loads."""
    assert window.files.open_path(paths.samples() / "pod64-h100.topo.json") == ""
    session = window.session
    assert session is not None
    session.set_workload(Workload(model="llama3-70b", plan=Plan(tp=8, pp=2)), "Set plan")
    _analyse(session)
    leaf = next(d.id for d in session.document.devices.values() if d.kind == "leaf")
    session.select([leaf])


def _analyse(session: DocumentSession) -> None:
    """A prepared result: loads from idle to beyond the capacity, in the order of the links."""
    links = tuple(session.document.links)
    demand = np.linspace(0.02, 1.15, len(links), dtype=np.float32)

    def rows(part: float) -> dict[str, np.ndarray]:
        names = ("demand", "utilisation", "phase_share", "bytes", "DP", "PP")
        factors = (1.0, 0.5, 0.9, 1.4e12, 1e12, 0.4e12)
        return {n: demand * np.float32(part * f) for n, f in zip(names, factors, strict=True)}

    made = analysis(bottlenecks=())
    session.set_analysis_state(EngineState("current", seconds=0.038))
    loads = LinkLoads(links, len(links), rows(1.0), rows(0.3))
    revision = session.document.revision
    session.take_result(EngineResult(session.key, revision, made, loads, 0.038))


def empty(window: MainWindow) -> None:
    """A new drawing."""
    window.files.new()


def welcome(window: MainWindow) -> None:
    """The welcome page."""
    window.show_welcome()
    window.fill_welcome()


SCENES: dict[str, Callable[[MainWindow], None]] = {"pod": pod, "empty": empty, "welcome": welcome}


def take(scene: str, theme: str, target: Path) -> None:
    """Write one picture."""
    catalog = load_catalog(user=False)
    theming = Theming(theme)
    theming.apply()
    settings = Preferences(theme=theme, hints_seen=KEYS)
    window = MainWindow(lambda: (catalog, ()), theming, settings, make_canvas)
    window.resize(*SIZE)
    window.show()
    window.fill_welcome()
    SCENES[scene](window)
    canvas = window.canvas
    if isinstance(canvas, CanvasView):
        canvas.reduced_motion = True
        QApplication.processEvents()
        canvas.fit()
        canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    for _ in range(20):
        QApplication.processEvents()
    if isinstance(canvas, CanvasView):
        canvas.picture.finish()
    assert window.grab().save(str(target))
    for session in list(window.documents.sessions()):
        session.mark_saved(target)
    window.close()
    for entry in preferences.load_recent():
        preferences.forget(entry.path)  # the list tells the time
    shiboken6.delete(window)  # else every later style sheet would dress it, too


def main() -> None:
    """All scenes in both themes."""
    application = QApplication([])
    application.setCursorFlashTime(0)
    for scene in SCENES:
        for theme in THEMES:
            take(scene, theme, Path(sys.argv[1]) / f"{scene}-{theme}.png")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
