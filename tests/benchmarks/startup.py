"""Time until the editor's window is painted, beside an empty QMainWindow in the same run.

    python -m tests.benchmarks.startup [runs]

CPU seconds of a fresh process, from its start to the first painted window; best of several runs.
The second line starts the way `topoedit FILE` does, command line included. Byte code is there, as
it is in an installed program.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

EMPTY = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1])
window = QMainWindow()
window.resize(1600, 1000)
window.show()
app.processEvents()
window.grab()
print(time.process_time())
"""

EDITOR = """
import sys, time
from PySide6.QtWidgets import QApplication
from topoedit.editor.application import make_window
app = QApplication(sys.argv[:1])
window = make_window()
window.resize(1600, 1000)
window.show()
app.processEvents()
window.grab()
print(time.process_time())
"""

COMMAND = """
import os, sys, time

def paint_once(*arguments):
    from PySide6.QtWidgets import QApplication
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            window.grab()
    print(time.process_time(), flush=True)
    os._exit(0)

sys.argv = ["topoedit", *sys.argv[1:]]
from PySide6.QtWidgets import QApplication
QApplication.exec = paint_once
from topoedit.cli.main import run
run()
"""


def seconds(code: str, home: str, *arguments: str) -> float:
    """CPU seconds that one fresh process prints."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "TOPOEDIT_HOME": home,
        "PYTHONPYCACHEPREFIX": home,
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def main() -> None:
    """Print all times and their ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as home:
        drawing = Path(home) / "empty.topo.json"
        drawing.write_text("{}")
        found: list[tuple[float, float, float]] = []
        for turn in range(runs + 1):
            row = (
                seconds(EMPTY, home),
                seconds(EDITOR, home),
                seconds(COMMAND, home, str(drawing)),
            )
            if turn:  # the first compiles the modules and fills the catalogue's cache
                found.append(row)
    empty, editor, command = (min(times) for times in zip(*found, strict=True))
    print(f"empty QMainWindow {empty:.3f} s, editor {editor:.3f} s: {editor / empty:.2f}x")
    print(f"topoedit FILE until painted {command:.3f} s: {command / empty:.2f}x")


if __name__ == "__main__":
    main()
