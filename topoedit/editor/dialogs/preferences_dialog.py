"""What a person prefers: look, contrast, motion, snapping, grid, labels, keys."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.panels.fields import Combo
from topoedit.editor.preferences import Habits, Preferences

LOOKS = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))
LABEL_WORDS = (("none", "None"), ("hot", "Hot links"), ("all", "As many as fit"))
CHECKS = (
    ("high_contrast", "High contrast", "Stronger edges of fields and buttons"),
    ("reduce_motion", "Reduce motion", "Everything is there at once"),
    ("snap", "Snap", "To grid, edges and gaps; Alt does the opposite"),
    ("grid", "Grid", "Draw its dots"),
)


class PreferencesDialog(FormDialog):
    """A form over the preferences; nothing changes before Apply.

    Signals:
        shortcuts_asked(): the button of the shortcuts was clicked.
    """

    shortcuts_asked = Signal()

    def __init__(self, settings: Preferences, look: str, parent: QWidget) -> None:
        super().__init__("Preferences", "Apply", parent)
        self.look = _combo(LOOKS, look)
        self.add_row("Look", self.look)
        self.checks: dict[str, QCheckBox] = {}
        for name, text, words in CHECKS:
            box = QCheckBox(words)
            box.setChecked(bool(getattr(settings.habits, name)))
            self.checks[name] = box
            self.add_row(text, box)
        self.labels = _combo(LABEL_WORDS, settings.habits.labels)
        self.add_row("Load on links", self.labels, "Which links say their load.")
        self.shortcuts = QPushButton("Change shortcuts…")
        self.shortcuts.setAutoDefault(False)
        self.shortcuts.clicked.connect(self.shortcuts_asked)
        self.add_row("Keys", self.shortcuts)
        self.say("Applies to every drawing, now and later.")

    @property
    def chosen_look(self) -> str:
        """`system`, `light` or `dark`."""
        return str(self.look.currentData())

    @property
    def habits(self) -> Habits:
        """What is chosen."""
        checked = {name: box.isChecked() for name, box in self.checks.items()}
        return Habits(**checked, labels=str(self.labels.currentData()))


def _combo(choices: tuple[tuple[str, str], ...], chosen: str) -> Combo:
    made = Combo()
    for key, words in choices:
        made.addItem(words, key)
    made.setCurrentIndex(max(0, made.findData(chosen)))
    return made
