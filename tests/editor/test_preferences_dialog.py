"""Preferences, first-run hints and glossary."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.editor import glossary, preferences
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.dialogs.glossary_dialog import GlossaryDialog
from topoedit.editor.dialogs.preferences_dialog import PreferencesDialog
from topoedit.editor.dialogs.shortcut_dialog import ShortcutDialog
from topoedit.editor.first_hints import HINTS, KEYS, HintLine
from topoedit.editor.preferences import Habits, Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document

from .doubles import canvas_of


def opened(window: MainWindow) -> PreferencesDialog:
    window.actions_["edit.preferences"].trigger()
    return window.findChild(PreferencesDialog)


def test_preferences_are_applied_at_once_and_written_down(window: MainWindow, qtbot: QtBot) -> None:
    assert window.actions_["edit.preferences"].shortcut() == QKeySequence("Ctrl+,")
    dialog = opened(window)
    assert dialog.habits == Habits()
    assert dialog.chosen_look == window.theming.choice
    dialog.look.setCurrentIndex(dialog.look.findData("light"))
    dialog.checks["high_contrast"].setChecked(True)
    dialog.checks["snap"].setChecked(False)
    dialog.labels.setCurrentIndex(dialog.labels.findData("all"))
    dialog.accept_button.click()
    assert window.theming.theme.name == "light"
    strong = window.theming.theme.hex("border.strong")
    assert window.theming.theme.hex("border.default") == strong
    kept, wrong = preferences.load_preferences()
    assert wrong == ""
    assert kept.theme == "light"
    assert kept.habits == Habits(high_contrast=True, snap=False, labels="all")


def test_cancel_changes_nothing(window: MainWindow) -> None:
    dialog = opened(window)
    dialog.checks["grid"].setChecked(False)
    dialog.reject()
    assert window.settings.habits == Habits()


def test_the_button_opens_the_shortcuts(window: MainWindow) -> None:
    dialog = opened(window)
    dialog.shortcuts.click()
    shortcuts = window.findChild(ShortcutDialog)
    assert shortcuts is not None
    shortcuts.reject()
    dialog.reject()


def test_every_field_is_reached_by_name(window: MainWindow) -> None:
    dialog = opened(window)
    names = {box.accessibleName() for box in dialog.findChildren(QCheckBox)}
    assert names == {"High contrast", "Reduce motion", "Snap", "Grid"}
    dialog.reject()


def test_a_canvas_behaves_as_preferred(
    qtbot: QtBot, theming: Theming, session: DocumentSession
) -> None:
    canvas = CanvasView(session, theming.theme)
    qtbot.addWidget(canvas)
    assert not canvas.reduced_motion
    assert canvas._options().grid
    canvas.take_habits(Habits(reduce_motion=True, grid=False, snap=False, labels="none"))
    assert canvas.reduced_motion
    assert not canvas._options().grid
    assert not canvas.habits.snap
    assert session.labels == "none"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"habits": {"snap": "yes"}}, "snap"),
        ({"habits": {"labels": "some"}}, "habits.labels"),
        ({"habits": [1]}, "object"),
        ({"hints_seen": "link"}, "hints_seen"),
        ({"hints_seen": [1]}, "hints_seen"),
    ],
)
def test_wrong_preferences_are_named_and_standard_ones_used(
    written: dict[str, object], words: str
) -> None:
    place = paths.config_dir() / "editor.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(written))
    found, wrong = preferences.load_preferences()
    assert found == Preferences()
    assert words in wrong


# -- hints -----------------------------------------------------------------------------------------


def line_of(window: MainWindow) -> HintLine:
    return canvas_of(window).findChild(HintLine)


def test_hints_are_shown_on_the_first_drawing_and_go_when_used(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    line = line_of(drawn)
    assert line.isVisible()
    assert line.texts == tuple(text for _, text in HINTS)
    drawn.sides.left.palette_panel.chosen.emit("qm9700")
    assert line.texts == tuple(text for key, text in HINTS if key != "palette")
    drawn.actions_["tool.link"].trigger()
    assert line.texts == ("Ctrl K finds every command",)
    drawn.actions_["edit.commands"].trigger()
    drawn.palette_window.close()
    assert not line.isVisible()
    assert set(preferences.load_preferences()[0].hints_seen) == set(KEYS)


def test_closed_hints_never_come_back_by_themselves(
    drawn: MainWindow, document: Document, qtbot: QtBot
) -> None:
    line = line_of(drawn)
    qtbot.mouseClick(line.cross, Qt.MouseButton.LeftButton)
    assert not line.isVisible()
    drawn.actions_["file.new"].trigger()
    assert line_of(drawn) is None
    assert set(preferences.load_preferences()[0].hints_seen) == set(KEYS)
    drawn.actions_["help.hints"].trigger()
    assert line_of(drawn).isVisible()
    assert preferences.load_preferences()[0].hints_seen == ()


def test_the_line_of_hints_stays_inside_the_canvas(drawn: MainWindow) -> None:
    for size in ((1600, 1000), (1120, 700)):
        drawn.resize(*size)
        line, canvas = line_of(drawn), canvas_of(drawn)
        assert canvas.rect().contains(line.geometry())


# -- glossary --------------------------------------------------------------------------------------

ASKED = (
    *("TP", "PP", "CP", "DP", "EP", "VPP", "ZeRO", "MFU", "HFU", "GBS", "DAC", "AEC", "AOC"),
    *("RoCE", "ECMP", "PXN", "NVLS", "SHARP", "OCS", "DCI", "busbw", "algbw", "rail", "plane"),
    *("oversubscription", "bisection", "utilisation", "demand"),
)


@pytest.mark.parametrize("word", [*ASKED, "phase share"])
def test_every_abbreviation_has_one_sentence(word: str) -> None:
    sentence = glossary.explain(word)
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert len(sentence) < 160


def test_terms_are_in_order_and_each_is_there_once() -> None:
    words = [term.word.casefold() for term in glossary.TERMS]
    assert words == sorted(set(words))


def test_labels_that_are_terms_explain_themselves(drawn: MainWindow) -> None:
    figures = [w for w in drawn.status.findChildren(QLabel) if w.text() == "MFU"]
    assert "Model FLOPs utilisation" in figures[0].toolTip()
    assert glossary.explain("Name") == ""


def test_the_glossary_is_searched_by_typing(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["help.glossary"].trigger()
    dialog = window.findChild(GlossaryDialog)
    assert len(dialog.words) == len(glossary.TERMS)
    qtbot.keyClicks(dialog.filter, "pipeline")
    assert {"PP", "VPP", "1F1B", "Bubble"} <= set(dialog.words)
    assert "DAC" not in dialog.words
    dialog.filter.setText("pp")
    assert dialog.words[0] == "PP"
    dialog.filter.setText("zzz")
    assert dialog.words == []
    dialog.reject()
