"""Anything a hand may do, at random: no fault, no warning, undo goes all the way, files are whole.

An exception in the window or a warning of Qt fails a test by itself.
"""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.editor.random_gestures import Person
from topoedit.catalog.catalog import Catalog
from topoedit.editor.application import make_canvas
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document

GROWTH = 1.10


def resident() -> int:
    """Bytes of memory that the process holds; 0 where that cannot be read.

    What the C library keeps for later is given back first where it can be: it is no growth.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def window_(qtbot: QtBot, catalog: Catalog, theming: Theming, document: Document) -> MainWindow:
    made = MainWindow(lambda: (catalog, ()), theming, Preferences(), make_canvas)
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=_forget_changes)
    made.show()
    made.add_session(DocumentSession(document, title="Two nodes"))
    canvas = made.canvas
    assert isinstance(canvas, CanvasView)
    canvas.reduced_motion = True
    return made


def _forget_changes(window: MainWindow) -> None:
    for session in window.documents.sessions():
        session.mark_saved(session.path or Path("gone.topo.json"))


@pytest.fixture
def person(window_: MainWindow, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    seed = int(os.environ.get("TOPOEDIT_GESTURE_SEED", "1"))
    made = Person(window_, seed, tmp_path)
    yield made
    print(f"seed {seed}, {len(made.trail)} gestures, the last:", *made.trail[-12:], sep="\n  ")


def test_two_hundred_random_gestures(person: Person) -> None:
    for number in range(200):
        person.do()
        if number % 80 == 79:
            person.save_and_reload()
    person.undo_all()


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_five_thousand_random_gestures_and_memory_stays(person: Person) -> None:
    after_warm_up = 0
    for number in range(5_000):
        person.do()
        if number % 125 == 124:
            person.save_and_reload()
        if number == 1_249:
            after_warm_up = resident()
        if number % 625 == 624:
            print(f"after {number + 1}: {resident() / 1e6:.0f} MB")
    person.undo_all()
    person.save_and_reload()
    assert resident() <= GROWTH * after_warm_up
