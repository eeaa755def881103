"""Editors of one property: each shows a value or "Mixed" and reports a new one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from topoedit.editor.glossary import explain
from topoedit.editor.number_box import UndoPasser
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.theming import Theming
from topoedit.editor.translating import tr
from topoedit.editor.widgets import columns, label, restyle, rows
from topoedit.units import format_number

FieldKind = Literal["text", "long", "whole", "number", "choice", "pick", "check", "tags", "show"]
LABEL_WIDTH = 104
MIXED = "Mixed"


class Differing:
    """Stands for values that differ."""


DIFFERENT = Differing()


@dataclass(frozen=True)
class FieldSpec:
    """One property of one kind of element.

    Attributes:
        name: attribute of the element.
        text: what the form calls it.
        kind: which editor shows it; `show` cannot be changed.
        unit: written behind a number.
        tip: one sentence.
        low: smallest number allowed.
        single: only for one element at a time.
    """

    name: str
    text: str
    kind: FieldKind
    unit: str = ""
    tip: str = ""
    low: float = 0.0
    single: bool = False


class FieldEditor(QWidget):
    """Label and editor in one row, and a line for what is wrong.

    Signals:
        changed(object): the person has entered a good value.
    """

    changed = Signal(object)

    def __init__(self, spec: FieldSpec, editor: QWidget, unit: str = "") -> None:
        super().__init__()
        self.spec, self.editor = spec, editor
        self.value: object = None
        self._error = label(role="error", wrap=True)
        self._error.hide()
        word = QLabel(tr(spec.text))
        word.setProperty("role", "secondary")
        word.setFixedWidth(LABEL_WIDTH)
        word.setBuddy(editor)
        if isinstance(editor, QPlainTextEdit):
            word.setContentsMargins(0, 7, 0, 0)
        if spec.tip:
            word.setToolTip(tr(spec.tip))
            editor.setToolTip(tr(spec.tip))
        elif meaning := explain(spec.text):
            word.setToolTip(tr(meaning))
        editor.setAccessibleName(tr(spec.text))
        line = columns(gap=8)
        tall = isinstance(editor, QPlainTextEdit)  # its label stands beside the first line
        line.addWidget(word, 0, Qt.AlignmentFlag.AlignTop if tall else Qt.AlignmentFlag(0))
        line.addWidget(editor, 1)
        if unit:
            shown = label(unit, "caption")
            shown.setMinimumWidth(30)
            line.addWidget(shown)
        layout = rows(self, gap=2)
        layout.addLayout(line)
        below = columns(None, (LABEL_WIDTH + 8, 0, 0, 0))
        below.addWidget(self._error)
        layout.addLayout(below)

    def show_value(self, value: object) -> None:
        """Show a value, DIFFERENT for several; emits nothing."""
        self.value = value
        self.complain("")
        self.editor.blockSignals(True)
        self._show(value)
        self.editor.blockSignals(False)

    def _show(self, value: object) -> None:
        raise NotImplementedError

    def complain(self, text: str) -> None:
        """Say what is wrong under the field."""
        restyle(self.editor, "invalid", bool(text))
        self._error.setText(text)
        self._error.setVisible(bool(text))

    @property
    def complaint(self) -> str:
        """What is wrong, "" if nothing."""
        return self._error.text()

    def _offer(self, value: object) -> None:
        self.complain("")
        if value != self.value:
            self.value = value
            self.changed.emit(value)


class TextField(FieldEditor):
    """A line of text; with `read` a number or a list of tags."""

    def __init__(self, spec: FieldSpec, read: Callable[[str], object]) -> None:
        self._line = QLineEdit()
        super().__init__(spec, self._line, spec.unit)
        self._read = read
        UndoPasser(self._line)
        self._line.editingFinished.connect(self.enter)

    def _show(self, value: object) -> None:
        mixed = value is DIFFERENT
        self._line.setPlaceholderText(MIXED if mixed else "–" if value in (None, "", ()) else "")
        self._line.setText("" if mixed else value_text(value))
        self._line.setModified(False)
        self._line.setCursorPosition(0)

    def enter(self) -> None:
        """Take what was typed, or say what is wrong with it."""
        if not self._line.isModified():
            return
        self._line.setModified(False)
        try:
            value = self._read(self._line.text().strip())
        except ValueError as error:
            self.complain(str(error))
            return
        self._offer(value)


class LongField(FieldEditor):
    """Several lines of text, taken when the keys go elsewhere."""

    def __init__(self, spec: FieldSpec) -> None:
        self._area = _Area()
        super().__init__(spec, self._area)
        self._area.setFixedHeight(84)
        self._area.left.connect(lambda: self._offer(self._area.toPlainText()))

    def _show(self, value: object) -> None:
        self._area.setPlainText("" if value is DIFFERENT else str(value))


class _Area(QPlainTextEdit):
    left = Signal()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.left.emit()


class Combo(QComboBox):
    """A list that the wheel changes only while it has the keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceField(FieldEditor):
    """One of a few words."""

    def __init__(self, spec: FieldSpec) -> None:
        self._combo = Combo()
        super().__init__(spec, self._combo)
        self._combo.activated.connect(lambda _row: self._offer(self._combo.currentData()))

    def set_choices(self, choices: Sequence[tuple[object, str]]) -> None:
        """Values and the words for them."""
        self._combo.blockSignals(True)
        self._combo.clear()
        for value, text in choices:
            self._combo.addItem(text, value)
        self._combo.blockSignals(False)

    def _show(self, value: object) -> None:
        row = -1 if value is DIFFERENT else self._combo.findData(value)
        self._combo.setPlaceholderText(MIXED if value is DIFFERENT else value_text(value))
        self._combo.setCurrentIndex(row)


class PickField(FieldEditor):
    """One of many, found by typing."""

    def __init__(self, spec: FieldSpec, theming: Theming) -> None:
        self.button = PickerButton(theming, spec.text)
        super().__init__(spec, self.button)
        self.button.picked.connect(self._offer)

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """What can be chosen."""
        self.button.set_choices(choices)

    def _show(self, value: object) -> None:
        if value is DIFFERENT:
            self.button.show_choice("", MIXED)
        else:
            self.button.show_choice(str(value))


class CheckField(FieldEditor):
    """Yes or no; half for several that differ."""

    def __init__(self, spec: FieldSpec) -> None:
        self._box = QCheckBox()
        super().__init__(spec, self._box)
        self._box.clicked.connect(self._clicked)

    def _clicked(self) -> None:
        self._box.setTristate(False)
        self._offer(self._box.isChecked())

    def _show(self, value: object) -> None:
        self._box.setTristate(value is DIFFERENT)
        half = Qt.CheckState.PartiallyChecked
        whole = Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        self._box.setCheckState(half if value is DIFFERENT else whole)


class ShowField(FieldEditor):
    """A value that cannot be changed here."""

    def __init__(self, spec: FieldSpec) -> None:
        self._text = label(role="value", wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        super().__init__(spec, self._text, spec.unit)

    def _show(self, value: object) -> None:
        self._text.setText(MIXED if value is DIFFERENT else value_text(value))


def value_text(value: object) -> str:
    """A value as a field shows it; "" for none."""
    if value is None:
        return ""
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else format_number(value)
    return str(value)


def read_whole(low: float, optional: bool = True) -> Callable[[str], object]:
    """A reader of whole numbers from `low` on; an empty text is None."""

    def read(text: str) -> object:
        if not text and optional:
            return None
        try:
            number = int(text.replace(" ", ""))
        except ValueError:
            raise ValueError("Enter a whole number") from None
        if not low <= number < 10**9:
            raise ValueError(f"Enter {low:g} or more")
        return number

    return read


def read_number(low: float) -> Callable[[str], object]:
    """A reader of numbers from `low` on; an empty text is None."""

    def read(text: str) -> object:
        if not text:
            return None
        try:
            number = float(text.replace(",", ".").replace(" ", ""))
        except ValueError:
            raise ValueError("Enter a number") from None
        if not (math.isfinite(number) and low <= number < 1e9):
            raise ValueError(f"Enter {low:g} or more")
        return number

    return read


def read_tags(text: str) -> object:
    """Words between commas."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def make_field(spec: FieldSpec, theming: Theming) -> FieldEditor:
    """The editor of a property."""
    simple: dict[FieldKind, Callable[[], FieldEditor]] = {
        "text": lambda: TextField(spec, str),
        "long": lambda: LongField(spec),
        "whole": lambda: TextField(spec, read_whole(spec.low)),
        "number": lambda: TextField(spec, read_number(spec.low)),
        "tags": lambda: TextField(spec, read_tags),
        "choice": lambda: ChoiceField(spec),
        "pick": lambda: PickField(spec, theming),
        "check": lambda: CheckField(spec),
        "show": lambda: ShowField(spec),
    }
    return simple[spec.kind]()
