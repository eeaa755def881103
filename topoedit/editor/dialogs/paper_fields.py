"""Fields for paper: size, how it lies, number of pages, overlap, marks."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QWidget

from topoedit.editor.panels.fields import Combo
from topoedit.editor.widgets import columns, label
from topoedit.render.posters import SIZES, Poster

_WAYS: tuple[tuple[bool | None, str], ...] = (
    (None, "Best fit"), (False, "Portrait"), (True, "Landscape"),
)  # fmt: skip
NO_PAPER = "No paper: as large as the drawing"


class PaperFields(QWidget):
    """Two lines of fields.

    Args:
        optional: offer no paper at all.

    Signals:
        changed(): a field has another value.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None, *, optional: bool = False) -> None:
        super().__init__(parent)
        self.size_ = Combo()
        if optional:
            self.size_.addItem(NO_PAPER, "")
        for name in SIZES:
            self.size_.addItem(name, name)
        self.way = Combo()
        for value, words in _WAYS:
            self.way.addItem(words, value)
        self.columns = self._count("Columns of pages")
        self.rows = self._count("Rows of pages")
        self.by_scale = QCheckBox("As many as the scale asks for")
        self.overlap = QSpinBox()
        self.overlap.setRange(0, 90)
        self.overlap.setValue(10)
        self.overlap.setSuffix(" mm")
        self.overlap.setAccessibleName("Overlap of pages")
        self.marks = QCheckBox("Crop and page marks")
        self.marks.setChecked(True)
        self.size_.setAccessibleName("Paper")
        self.way.setAccessibleName("Orientation")
        for combo in (self.size_, self.way):
            combo.currentIndexChanged.connect(self._refresh)
        for spin in (self.columns, self.rows, self.overlap):
            spin.valueChanged.connect(self._refresh)
        for box in (self.by_scale, self.marks):
            box.toggled.connect(self._refresh)
        self._refresh()

    @staticmethod
    def _count(name: str) -> QSpinBox:
        made = QSpinBox()
        made.setRange(1, 20)
        made.setAccessibleName(name)
        return made

    def paper_line(self) -> QWidget:
        """Size and orientation."""
        made = QWidget(self)
        line = columns(made, (0, 0, 0, 0), 8)
        line.addWidget(self.size_, 1)
        line.addWidget(self.way)
        return made

    def pages_line(self) -> QWidget:
        """How many pages, and what they share."""
        made = QWidget(self)
        line = columns(made, (0, 0, 0, 0), 8)
        line.addWidget(self.columns)
        line.addWidget(label("×", "secondary"))
        line.addWidget(self.rows)
        line.addSpacing(8)
        line.addWidget(label("Overlap", "secondary"))
        line.addWidget(self.overlap)
        line.addStretch(1)
        return made

    def poster(self) -> Poster | None:
        """The paper that is chosen; None for none."""
        name = str(self.size_.currentData())
        if not name:
            return None
        free = self.by_scale.isChecked()
        return Poster(
            name,
            self.way.currentData(),
            None if free else self.columns.value(),
            None if free else self.rows.value(),
            float(self.overlap.value()),
            self.marks.isChecked(),
        )

    def _refresh(self) -> None:
        paper = bool(self.size_.currentData())
        self.way.setEnabled(paper)
        self.by_scale.setEnabled(paper)
        for spin in (self.columns, self.rows):
            spin.setEnabled(paper and not self.by_scale.isChecked())
        several = self.by_scale.isChecked() or self.columns.value() * self.rows.value() > 1
        self.overlap.setEnabled(paper and several)
        self.marks.setEnabled(paper and several)
        self.changed.emit()

    def take(self, other: PaperFields) -> None:
        """Show the same as other fields."""
        self.size_.setCurrentIndex(self.size_.findData(other.size_.currentData()))
        self.way.setCurrentIndex(other.way.currentIndex())
        for mine, theirs in (
            (self.columns, other.columns), (self.rows, other.rows), (self.overlap, other.overlap),
        ):  # fmt: skip
            mine.setValue(theirs.value())
        self.by_scale.setChecked(other.by_scale.isChecked())
        self.marks.setChecked(other.marks.isChecked())
