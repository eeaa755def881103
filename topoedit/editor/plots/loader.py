"""Loads pyqtgraph beside the window: importing it takes longer than a window may stand still."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading

from PySide6.QtCore import QObject, Signal

LIBRARY = "pyqtgraph"


class PlotLibrary(QObject):
    """The plotting library, read in a thread when it is first wanted.

    Signals:
        ready(): it can be imported without waiting.
    """

    ready = Signal()
    _read = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: threading.Thread | None = None
        self._read.connect(self._finish)

    @property
    def is_ready(self) -> bool:
        """Whether it has been read."""
        return LIBRARY in sys.modules and self._thread is None

    def want(self) -> None:
        """Begin to read it, unless that has been done."""
        if self._thread is None and not self.is_ready:
            self._thread = threading.Thread(target=self._load, name="plot-library", daemon=True)
            self._thread.start()
            self.destroyed.connect(self._thread.join)  # no thread outlives its window

    def wait(self) -> None:
        """Wait until it has been read."""
        self.want()
        if self._thread is not None:
            self._thread.join()
            self._finish()

    def _load(self) -> None:
        importlib.import_module(LIBRARY)
        with contextlib.suppress(RuntimeError):  # the window has been closed meanwhile
            self._read.emit()

    def _finish(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            self.ready.emit()
