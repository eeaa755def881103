"""Find and replace, and choosing other keys, as a person does them."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.editor.dialogs.replace_dialog import ReplaceDialog
from topoedit.editor.dialogs.shortcut_dialog import ShortcutDialog
from topoedit.editor.window import MainWindow


def test_names_are_replaced_in_one_step(drawn: MainWindow, qtbot: QtBot) -> None:
    session = drawn.session
    assert session is not None
    drawn.actions_["edit.replace"].trigger()
    dialog = drawn.findChild(ReplaceDialog)
    assert isinstance(dialog, ReplaceDialog)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.wanted, "node-")
    qtbot.keyClicks(dialog.put, "gpu-")
    dialog.search_now()
    count = dialog.model.rowCount()
    assert count > 0
    assert dialog.line.text() == f"{count} changes in {count} elements. One undo step."
    assert dialog.model.index(0, 2).data() == "gpu-1"
    qtbot.keyClick(dialog.put, Qt.Key.Key_Return)
    names = {d.name for d in session.document.devices.values() if d.kind == "server"}
    assert names
    assert all(name.startswith("gpu-") for name in names)
    assert session.undo_stack.count() == 1
    session.undo()
    assert not any(d.name.startswith("gpu-") for d in session.document.devices.values())


def test_a_name_for_two_is_said_before(drawn: MainWindow, qtbot: QtBot) -> None:
    assert drawn.session is not None
    dialog = ReplaceDialog(drawn, drawn.session, drawn)
    qtbot.addWidget(dialog)
    dialog.wanted.setText(r"node-\d+")
    dialog.put.setText("same")
    dialog.expression.setChecked(True)
    dialog.search_now()
    assert "the name of two things" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()


def test_a_command_gets_other_keys_and_keeps_them(drawn: MainWindow, qtbot: QtBot) -> None:
    drawn.actions_["help.remap"].trigger()
    dialog = drawn.findChild(ShortcutDialog)
    assert isinstance(dialog, ShortcutDialog)
    dialog.choose("edit.replace", "Ctrl+Shift+H")
    assert dialog.line.text() == "1 changed from the standard"
    dialog.accept_button.click()
    assert drawn.actions_["edit.replace"].shortcut() == QKeySequence("Ctrl+Shift+H")
    kept = json.loads((paths.config_dir() / "editor.json").read_text(encoding="utf-8"))
    assert kept["shortcuts"] == {"edit.replace": "Ctrl+Shift+H"}


def test_a_key_for_two_commands_is_refused(drawn: MainWindow, qtbot: QtBot) -> None:
    dialog = ShortcutDialog(drawn.theming, drawn.actions_, {}, drawn)
    qtbot.addWidget(dialog)
    dialog.choose("edit.replace", "Ctrl+S")
    assert not dialog.accept_button.isEnabled()
    assert "Save and Replace" in dialog.line.text()
    dialog.all_standard.click()
    assert dialog.accept_button.isEnabled()
    assert dialog.chosen == {}


def test_commands_are_found_by_typing_and_their_keys_by_pressing(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    dialog = ShortcutDialog(drawn.theming, drawn.actions_, {}, drawn)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.filter.setText("replace")
    shown = [key for key, item in dialog._items.items() if not item.isHidden()]
    assert shown == ["edit.replace"]
    dialog.tree.setCurrentItem(dialog._items["edit.replace"])
    assert dialog.keys.keySequence() == QKeySequence("Ctrl+H")
    qtbot.keyClick(
        dialog.keys,
        Qt.Key.Key_J,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier,
    )
    assert dialog.chosen == {"edit.replace": "Ctrl+Alt+J"}
    assert dialog._items["edit.replace"].text(1) == "Ctrl+Alt+J"
    dialog.standard.click()
    assert dialog.chosen == {}
