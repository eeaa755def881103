"""A scripted editing run in the real window, to be killed at any moment.

Run as a program it edits `argv[1]` with the seed `argv[2]` and prints a line after each step; the
same steps in another process pass through the same drawings.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from topoedit.editor.application import make_canvas
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.placing import GROUP, NOTE
from topoedit.editor.preferences import Preferences
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.model.edits import MoveDevices

STEPS = 60
SAVE_EVERY = 9
_TYPES = ("dgx-h100", "qm9700", f"{GROUP}rack", NOTE)


def open_window(path: Path) -> MainWindow:
    """A window with one file in front."""
    from topoedit.catalog.load import load_catalog

    catalog = load_catalog(user=False)
    window = MainWindow(lambda: (catalog, ()), Theming("dark"), Preferences(), make_canvas)
    window.resize(1280, 800)
    window.show()
    assert window.files.open_path(path) == ""
    QApplication.processEvents()
    canvas = window.canvas
    assert isinstance(canvas, CanvasView)
    canvas.reduced_motion = True  # what is placed lands in the middle of the view
    canvas.fit()
    return window


def steps(window: MainWindow, seed: int, count: int = STEPS) -> Iterator[str]:
    """Edit, saving now and then; yields the hash of the drawing after each step."""
    session = window.session
    assert session is not None
    choose = random.Random(seed)
    for number in range(count):
        _step(window, choose)
        if number % SAVE_EVERY == SAVE_EVERY - 1:
            window.files.save()
        QApplication.processEvents()
        yield native.digest_of(native.dumps(session.document))


def _step(window: MainWindow, choose: random.Random) -> None:
    session = window.session
    assert session is not None
    devices = sorted(session.document.devices)
    kind = choose.randrange(8)
    if kind < 3 or not devices:
        session.clear_selection()
        window.place(choose.choice(_TYPES))
        return
    some = choose.sample(devices, min(len(devices), choose.randint(1, 3)))
    session.select(some)
    window.actions_.refresh()
    if kind == 3:
        ids = tuple(some)
        places = tuple(float(choose.randrange(-900, 900)) for _ in ids)
        session.apply(MoveDevices("Move", ids, places, places))
    elif kind == 4:
        window.actions_["edit.duplicate"].trigger()
    elif kind == 5:
        window.actions_["edit.delete"].trigger()
    else:
        window.actions_["edit.undo" if kind == 6 else "edit.redo"].trigger()


def main() -> None:
    """Edit until killed."""
    app = QApplication([])
    window = open_window(Path(sys.argv[1]))
    print("open", flush=True)
    for digest in steps(window, int(sys.argv[2])):
        print(digest, flush=True)
    app.quit()


if __name__ == "__main__":
    main()
