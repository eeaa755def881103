"""Properties of one or many: one step, "Mixed", refusals under the field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from topoedit.editor.panels.fields import MIXED, read_number, read_tags, read_whole
from topoedit.editor.panels.properties import PropertiesPanel
from topoedit.editor.panels.property_edits import resize
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.errors import BadEditError

from .made_results import give_result


@pytest.fixture
def panel(qtbot: QtBot, theming: Theming, session: DocumentSession) -> PropertiesPanel:
    made = PropertiesPanel(theming)
    made.resize(320, 900)
    qtbot.addWidget(made)
    made.set_session(session)
    made.show()
    yield made
    made.set_session(None)


def select(panel: PropertiesPanel, *ids: str) -> None:
    assert panel.session is not None
    panel.session.select(ids)
    panel.flush()


def line(panel: PropertiesPanel, name: str) -> QLineEdit:
    editor = panel.fields[name].editor
    assert isinstance(editor, QLineEdit)
    return editor


def type_into(qtbot: QtBot, editor: QLineEdit, text: str) -> None:
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def test_nothing_selected_means_the_drawing(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.title.text() == "Drawing"
    assert panel.subtitle.text() == "Nothing is selected"
    type_into(qtbot, line(panel, "name"), "Pod of two")
    assert panel.session is not None
    assert panel.session.document.settings.name == "Pod of two"
    assert panel.session.undo_stack.undoText() == "Set name of the drawing"


def test_a_device_is_renamed_by_typing(panel: PropertiesPanel, qtbot: QtBot) -> None:
    select(panel, "node-1")
    assert panel.title.text() == "node-1"
    assert panel.subtitle.text() == "Server · DGX H100"
    type_into(qtbot, line(panel, "name"), "alpha")
    assert panel.session is not None
    assert panel.session.document.devices["node-1"].name == "alpha"
    panel.flush()
    assert panel.title.text() == "alpha"
    assert panel.session.undo_stack.undoText() == "Rename node-1 to alpha"


def test_a_name_that_is_taken_is_refused_under_the_field(
    panel: PropertiesPanel, qtbot: QtBot
) -> None:
    select(panel, "node-1")
    type_into(qtbot, line(panel, "name"), "node-2")
    assert 'the name "node-2" is taken' in panel.fields["name"].complaint
    assert panel.session is not None
    assert panel.session.undo_stack.count() == 0
    type_into(qtbot, line(panel, "name"), "node-3")
    assert panel.fields["name"].complaint == ""
    assert panel.session.document.devices["node-1"].name == "node-3"


def test_many_show_mixed_and_change_in_one_step(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.session is not None
    select(panel, "leaf-1")
    type_into(qtbot, line(panel, "unit"), "40")
    select(panel, "leaf-1", "leaf-2")
    assert panel.title.text() == "2 devices"
    assert line(panel, "unit").placeholderText() == MIXED
    assert "name" not in panel.fields
    steps = panel.session.undo_stack.count()
    type_into(qtbot, line(panel, "unit"), "12")
    devices = panel.session.document.devices
    assert [devices[i].unit for i in ("leaf-1", "leaf-2")] == [12, 12]
    assert panel.session.undo_stack.count() == steps + 1
    assert panel.session.undo_stack.undoText() == "Set rack unit of 2 devices"
    panel.session.undo()
    assert [devices[i].unit for i in ("leaf-1", "leaf-2")] == [40, None]


def test_a_box_that_is_half_ticked_ticks_all(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.session is not None
    select(panel, "node-1")
    box = panel.fields["locked"].editor
    assert isinstance(box, QCheckBox)
    box.click()
    select(panel, "node-1", "node-2")
    box = panel.fields["locked"].editor
    assert isinstance(box, QCheckBox)
    assert box.checkState() == Qt.CheckState.PartiallyChecked
    box.click()
    devices = panel.session.document.devices
    assert devices["node-1"].locked
    assert devices["node-2"].locked


def test_devices_and_links_share_what_both_have(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.session is not None
    select(panel, "node-1", "link-11")
    assert set(panel.fields) == {"network", "plane", "phase", "tags"}
    type_into(qtbot, line(panel, "tags"), "first, spare,first")
    assert panel.session.document.devices["node-1"].tags == ("first", "spare")
    assert panel.session.document.links["link-11"].tags == ("first", "spare")


def test_a_link_shows_ends_and_takes_a_rate(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.session is not None
    select(panel, "link-11")
    assert panel.title.text() == "node-1 → leaf-1"
    assert panel.subtitle.text() == "Bundle ×4 · compute"
    assert panel.fields["end_a"].editor.text() == "node-1:nic0-3"
    type_into(qtbot, line(panel, "gbps"), "many")
    assert panel.fields["gbps"].complaint == "Enter a number"
    assert panel.session.document.links["link-11"].gbps == 400
    type_into(qtbot, line(panel, "gbps"), "200")
    assert panel.session.document.links["link-11"].gbps == 200
    type_into(qtbot, line(panel, "length_m"), "")
    assert panel.session.document.links["link-11"].length_m is None


def test_more_cables_take_free_ports_and_fewer_give_them_back(
    panel: PropertiesPanel, qtbot: QtBot
) -> None:
    assert panel.session is not None
    document = panel.session.document
    select(panel, "link-11")
    type_into(qtbot, line(panel, "count"), "2")
    link = document.links["link-11"]
    assert (link.a.ports, link.b.ports, link.cables) == ("nic0-1", "1-2", "c1-2")
    type_into(qtbot, line(panel, "count"), "4")
    link = document.links["link-11"]
    assert (link.a.ports, link.b.ports) == ("nic0-3", "1-4")
    assert link.cables == "c1-2,c17-18"


def test_more_cables_than_ports_are_refused(session: DocumentSession) -> None:
    with pytest.raises(BadEditError, match="node-1 has 0 free ports of this kind, not 1"):
        resize(session.document, session.document.links["link-11"], 5)


def test_failing_more_cables_than_there_are_fails_all(panel: PropertiesPanel, qtbot: QtBot) -> None:
    assert panel.session is not None
    select(panel, "link-11")
    type_into(qtbot, line(panel, "failed"), "9")
    assert panel.session.document.links["link-11"].failed == 4


def test_the_load_of_a_link_stands_with_its_figures(panel: PropertiesPanel) -> None:
    assert panel.session is not None
    select(panel, "link-11")
    assert not panel.load.isVisible()
    give_result(panel.session)
    panel.flush()
    assert panel.load.isVisible()
    texts = [w.text() for w in panel.load.findChildren(type(panel.title))]
    assert "112.0\u2009%" in texts
    assert "30.0\u2009%" in texts
    assert "The class of 4 links slows the step by 260 ms" in texts
    assert "1.41 TB" in texts


def test_the_type_is_shown_with_its_source(panel: PropertiesPanel) -> None:
    select(panel, "node-1")
    texts = [w.text() for w in panel.figures.findChildren(type(panel.title))]
    assert "8 of 10" in texts
    assert "8 × H100" in texts
    assert "Source: made for the tests" in texts


def test_readers_say_how_to_mend() -> None:
    assert read_whole(1)("") is None
    assert read_whole(1)("7") == 7
    with pytest.raises(ValueError, match="Enter 1 or more"):
        read_whole(1)("0")
    with pytest.raises(ValueError, match="whole number"):
        read_whole(1)("x")
    assert read_number(0)("1,5") == 1.5
    with pytest.raises(ValueError, match="0 or more"):
        read_number(0)("inf")
    assert read_tags(" a ,, b,a ") == ("a", "b")


def test_elements_without_a_common_field_are_said(panel: PropertiesPanel) -> None:
    select(panel, "node-1", "node-2")
    assert panel.fields
    assert panel.subtitle.text() == "An edit applies to all and is one step"
    select(panel, "node-1", "link-11", "rack-1")
    assert not panel.fields
    assert panel.subtitle.text() == "These have no field in common"
