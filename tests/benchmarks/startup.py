"""Time until the editor's window is painted, beside an empty QMainWindow in the same run.

    python -m tests.benchmarks.startup [runs]

CPU seconds of a fresh process, from its start to the first painted window; best of several runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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


def seconds(code: str, home: str) -> float:
    """CPU seconds that one fresh process prints."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TOPOEDIT_HOME": home}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[0])


def main() -> None:
    """Print both times and their ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as home:
        seconds(EDITOR, home)  # compiles the modules and fills the catalogue's cache
        pairs = [(seconds(EMPTY, home), seconds(EDITOR, home)) for _ in range(runs)]
    empty, editor = min(p[0] for p in pairs), min(p[1] for p in pairs)
    print(f"empty QMainWindow {empty:.3f} s, editor {editor:.3f} s: {editor / empty:.2f}x")


if __name__ == "__main__":
    main()
