"""The last step: which model the new drawing begins with, and how it is spread."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from topoedit.catalog.catalog import Catalog
from topoedit.editor.panels.plan import model_choice
from topoedit.editor.panels.plan_fields import SIZES, PlanSpin
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.plan_words import product
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import label, restyle, rows
from topoedit.model.plan import Plan, Workload

_SHOWN = SIZES[:6]


class PlanPage(QWidget):
    """A model and six sizes; without a model the drawing begins with no plan.

    Signals:
        changed(): another model or size.
    """

    changed = Signal()

    def __init__(self, theming: Theming, catalog: Catalog) -> None:
        super().__init__()
        self._gpus: int | None = None
        self.model = PickerButton(theming, "No model yet", icon="model", tall=True)
        self.model.set_choices(
            [Choice("", "No model yet"), *map(model_choice, catalog.models.values())]
        )
        self.model.picked.connect(self._picked)
        self.sizes: dict[str, PlanSpin] = {}
        self._grid = QWidget()
        grid = QGridLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        for index, spec in enumerate(_SHOWN):
            row, place = divmod(index, 3)
            spin = PlanSpin(spec)
            spin.show_value(None if spec.open else 1)
            spin.valueChanged.connect(self._changed)
            self.sizes[spec.name] = spin
            word = label(spec.text, "secondary")
            word.setBuddy(spin)
            word.setToolTip(spec.tip)
            grid.addWidget(word, 2 * row, place)
            grid.addWidget(spin, 2 * row + 1, place)
        self.line = label(role="secondary", wrap=True)
        column = rows(self, gap=12)
        column.addWidget(self.model)
        column.addWidget(self._grid)
        column.addWidget(self.line)
        column.addStretch(1)
        self._show()

    @property
    def workload(self) -> Workload | None:
        """Model and plan, None without a model."""
        if not self.model.key:
            return None
        given = {n: s.value() for n, s in self.sizes.items() if s.value() or not s.spec.open}
        return Workload(model=self.model.key, plan=replace(Plan(), **given))

    def set_gpus(self, gpus: int | None) -> None:
        """Say how many GPUs the drawing has, None if that is not known."""
        self._gpus = gpus
        self._show()

    def _picked(self, key: str) -> None:
        self.model.show_choice(key)
        self._changed()

    def _changed(self, *_: object) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        workload = self.workload
        self._grid.setEnabled(workload is not None)
        restyle(self.line, "role", "secondary")
        if workload is None:
            self.line.setText("Without a model the links stay grey; it can be chosen later.")
            return
        if self._gpus is None:
            self.line.setText("")
            return
        found = product(workload.plan, self._gpus)
        self.sizes["dp"].show_value(workload.plan.dp, found.dp)
        self.line.setText(found.words)
        restyle(self.line, "role", "secondary" if found.fits else "bad")
