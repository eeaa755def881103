"""Large drawings are arranged beside the window, and shown as a preview afterwards."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from topoedit.editor.commands import arrange_commands
from topoedit.editor.window import MainWindow
from topoedit.layout import registry
from topoedit.layout.registry import Layout
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices

from .doubles import canvas_of


@pytest.fixture
def held(monkeypatch) -> threading.Event:
    """Every arrangement waits for this, in its thread."""
    gate = threading.Event()
    springs = registry.LAYOUTS["force"]

    def arrange(document: Document, ids) -> MoveDevices:
        assert threading.get_ident() != threading.main_thread().ident
        assert gate.wait(20)
        return springs.arrange(document, ids)

    slow = Layout("force", springs.title, springs.summary, arrange)
    monkeypatch.setattr(registry, "LAYOUTS", {**registry.LAYOUTS, "force": slow})
    monkeypatch.setattr(arrange_commands, "LARGE_LAYOUT", 1)
    return gate


def test_a_large_drawing_is_arranged_in_a_thread_and_previewed(
    drawn: MainWindow, held: threading.Event, qtbot: QtBot
) -> None:
    session = drawn.session
    assert session is not None
    places = {d.id: (d.x, d.y) for d in session.document.devices.values()}
    drawn.actions_["arrange.layout_force"].trigger()
    assert ("preview", "Springs") not in canvas_of(drawn).calls
    held.set()
    qtbot.waitUntil(lambda: ("preview", "Springs") in canvas_of(drawn).calls)
    assert {d.id: (d.x, d.y) for d in session.document.devices.values()} == places
    canvas_of(drawn).end_preview(keep=True)
    assert session.undo_stack.undoText() == "Arrange by springs"
    assert {d.id: (d.x, d.y) for d in session.document.devices.values()} != places
    session.undo()
    assert {d.id: (d.x, d.y) for d in session.document.devices.values()} == places


def test_a_cancelled_arrangement_shows_nothing(
    drawn: MainWindow, held: threading.Event, qtbot: QtBot
) -> None:
    drawn.actions_["arrange.layout_force"].trigger()
    drawn.documents.jobs.cancel_all()
    held.set()
    qtbot.waitUntil(lambda: "cancelled" in drawn.documents.messages.text)
    assert ("preview", "Springs") not in canvas_of(drawn).calls


def test_an_arrangement_of_a_drawing_that_has_changed_is_not_shown(
    drawn: MainWindow, held: threading.Event, qtbot: QtBot
) -> None:
    session = drawn.session
    assert session is not None
    drawn.actions_["arrange.layout_force"].trigger()
    session.apply(MoveDevices("Move", ("leaf-1",), (7.0,), (9.0,)))
    held.set()
    qtbot.waitUntil(lambda: "changed meanwhile" in drawn.documents.messages.text)
    assert ("preview", "Springs") not in canvas_of(drawn).calls
