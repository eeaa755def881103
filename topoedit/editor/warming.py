"""What the first drawing will need, made ready bit by bit while the window has nothing to do.

Without it the first drawing would wait half a second for modules and panels.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from topoedit.editor.window import MainWindow

_MODULES = (
    "numpy",
    "topoedit.render.diagram",
    "topoedit.editor.canvas.view",
    "topoedit.editor.panels.left",
    "topoedit.editor.panels.inspector",
    "topoedit.editor.panels.bottom",
    "topoedit.engine.workload.resolve",
)
PAUSE_MS = 15
"""Between two steps: what the person does comes first."""


class Warming(QObject):
    """Makes modules and panels ready, one step a turn of the event loop.

    Args:
        window: its panels are made.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._steps = _steps(window)
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to make ready."""
        return not self._timer.isActive()

    def finish(self) -> None:
        """Do all that is left now."""
        while not self.is_done:
            self._step()

    def _step(self) -> None:
        step = next(self._steps, None)
        if step is None:
            self._timer.stop()
        else:
            step()


def _steps(window: MainWindow) -> Iterator[Callable[[], object]]:
    for name in _MODULES:
        yield _loader(name)
    yield from window.panel_steps()


def _loader(name: str) -> Callable[[], object]:
    return lambda: importlib.import_module(name)
