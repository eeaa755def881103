"""Routing links through patch panels from the window: what the dialog says, one step, and back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.app.test_patching import row_of_two
from topoedit.app.patching import patch
from topoedit.catalog.load import load_catalog
from topoedit.editor.dialogs.patch_dialog import PatchDialog, chosen_links
from topoedit.editor.panels.property_edits import resize
from topoedit.editor.panels.property_forms import read_value
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.errors import BadEditError
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Ports, Trunk

TRUNK_WAY = (Ports("p1", "1-4"), Ports("p2", "1-4"))
TRUNK = Trunk(id="t1", a=Ports("p1", "1-4"), b=Ports("p2", "1-4"), fibres=48, polarity="B")


@pytest.fixture
def session(window: MainWindow) -> DocumentSession:
    """Four servers on one leaf, and two panels with a trunk of four ports."""
    document = Document(load_catalog(user=False), row_of_two(TRUNK))
    session = DocumentSession(document, title="Row")
    window.add_session(session)
    return session


def rows_of(dialog: PatchDialog) -> list[tuple[str, ...]]:
    model = dialog._model
    return [
        tuple(model.item(row, column).text() for column in range(2))
        for row in range(model.rowCount())
    ]


def test_a_link_is_routed_in_one_step(
    window: MainWindow, session: DocumentSession, qtbot: QtBot
) -> None:
    before = native.dumps(session.document)
    session.select(["k0"])
    dialog = PatchDialog(window, session, window)
    qtbot.addWidget(dialog)
    assert dialog.panels.text() == "p1, p2"
    assert dialog.line.text() == "Routes 4 cables in 1 link. One undo step."
    assert [row[1] for row in rows_of(dialog)] == ["p1:1-4 > p2:1-4"]
    dialog.accept_button.click()
    assert session.document.links["k0"].through == TRUNK_WAY
    assert session.undo_stack.undoText() == "Route 1 link through 2 panels"
    session.undo()
    assert native.dumps(session.document) == before


def test_what_is_lacking_is_said(
    window: MainWindow, session: DocumentSession, qtbot: QtBot
) -> None:
    session.select(list(session.document.links))
    dialog = PatchDialog(window, session, window)
    qtbot.addWidget(dialog)
    assert "no free fibres from p1 to p2" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()
    dialog.trunk.setCurrentIndex(1)
    dialog.preview()
    assert "1 new trunk. One undo step." in dialog.line.text()
    dialog.panels.setText("p1, leaf")
    dialog.preview()
    assert "is no patch panel" in dialog.line.text()
    dialog.panels.setText(" ")
    dialog.preview()
    assert dialog.line.text() == "Name the panels on the way."


def test_links_with_attached_plugs_stay(session: DocumentSession) -> None:
    document = session.document
    first = next(iter(document.links.values()))
    document.apply(Edit("Copper", put=(replace(first, medium="dac-100", length_m=1.0),)))
    chosen, left_out = chosen_links(document, list(document.links))
    assert (first.id in chosen, left_out) == (False, 1)
    assert len(chosen) == len(document.links) - 1
    by_device, _ = chosen_links(document, [first.a.device])
    assert first.id not in by_device


def test_links_are_routed_past_the_panels(
    window: MainWindow, session: DocumentSession, qtbot: QtBot
) -> None:
    session.select(list(session.document.links))
    dialog = PatchDialog(window, session, window)
    qtbot.addWidget(dialog)
    dialog.trunk.setCurrentIndex(1)
    dialog.accept()
    assert len(session.document.patched_links) == len(session.document.links)
    window.actions_["insert.straighten"].trigger()
    assert session.document.patched_links == ()
    window.actions_["insert.straighten"].trigger()
    assert window.documents.messages.text == "None of these links runs through a patch panel."


def test_properties_of_a_patched_link(session: DocumentSession) -> None:
    document = session.document
    document.apply(patch(document, ["k0"], ["p1", "p2"]).edit)
    assert read_value(document.links["k0"], "through") == "p1:1-4 > p2:1-4"
    assert read_value(document.links["k1"], "through") == "no panel"
    document.apply(resize(document, document.links["k0"], 3))
    assert document.links["k0"].through == (Ports("p1", "1-3"), Ports("p2", "1-3"))
    with pytest.raises(BadEditError, match="no ports yet"):
        resize(document, document.links["k0"], 5)
