"""Opening a large drawing: what is pure is derived in the thread that reads it."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from topoedit.editor import beforehand
from topoedit.editor.bottleneck_classes import BottleneckClasses, InnerLinks
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.commands import file_work
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.totals import Totals
from topoedit.editor.warming import Warming
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.edits import Edit

FIGURES = ("servers", "gpus", "untyped", "switches", "devices", "links", "cables")


def test_a_large_file_is_counted_and_arranged_where_it_is_read(
    window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot, monkeypatch
) -> None:
    path = tmp_path / "two.topo.json"
    native.save(document, path)
    monkeypatch.setattr(file_work, "LARGE_FILE", 0)
    threads: list[int] = []
    derive = beforehand.derive

    def noted(read: Document) -> beforehand.Made:
        threads.append(threading.get_ident())
        return derive(read)

    monkeypatch.setattr(file_work, "derive", noted)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session is not None)
    session = window.session
    assert session is not None
    assert len(threads) == 1
    assert threads[0] != threading.main_thread().ident
    assert session.made is not None
    assert session.totals is session.made.totals
    assert {name: getattr(session.totals, name) for name in FIGURES} == {
        name: getattr(Totals(session.document), name) for name in FIGURES
    }


def test_the_canvas_takes_the_picture_made_beforehand_and_follows_edits(
    qtbot: QtBot, theming: Theming, document: Document
) -> None:
    made = beforehand.derive(document)
    session = DocumentSession(document, made=made)
    canvas = CanvasView(session, theming.theme)
    qtbot.addWidget(canvas)
    assert canvas.scene is made.scene
    assert session.made is None
    assert beforehand.take_scene(session) is not made.scene
    session.apply(Edit("Remove", drop=("link-11",)))
    assert "link-11" not in canvas.scene.links.row
    assert session.totals.links == 3
    session.close()


def test_panels_are_ready_before_the_first_drawing(window: MainWindow, document: Document) -> None:
    warming = Warming(window)
    assert not warming.is_done
    warming.finish()
    sides = window.sides
    assert not sides.left.isVisible()
    assert not sides.inspector.isVisible()
    window.add_session(DocumentSession(document, title="Two nodes"))
    assert window.sides is sides
    assert sides.inspector.isVisible()
    assert sides.bottom.history.session is window.session


def test_a_drawing_that_comes_before_its_panels_gets_them(
    window: MainWindow, document: Document
) -> None:
    warming = Warming(window)
    window.add_session(DocumentSession(document, title="Two nodes"))
    sides = window.sides
    warming.finish()
    assert window.sides is sides
    assert sides.left.isVisible()


@pytest.mark.parametrize("known", [True, False])
def test_links_of_a_class_are_found_once(known: bool) -> None:
    links = ("l1", "l2", "n1/nvlink/gpu0", "n1/nvlink/gpu1", "rack/n2/pcie/nic0")
    inner = InnerLinks(links, 2)
    assert inner.names == ("n1", "rack/n2")
    assert inner.codes.tolist() == [0, 0, 1]
    rows = (np.array([1], np.int32), np.array([2, 3, 4], np.int32), np.array([], np.int32))
    classes = BottleneckClasses(links, 2, rows, inner if known else None)
    assert [classes.drawn(number) for number in range(4)] == [("l2",), (), (), ()]
    assert [classes.inner(number) for number in range(4)] == [0, 3, 0, 0]
    assert classes.holders(1) == ("n1", "rack/n2")
    assert classes.holders(1) is classes.holders(1)
    assert classes.drawn(0) is classes.drawn(0)
    assert classes.holders(0) == classes.holders(3) == ()
    assert classes.number_of("l2") == 0
    assert classes.number_of("l1") is None
