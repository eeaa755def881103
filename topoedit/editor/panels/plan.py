"""The Plan page: model, parallel sizes, batches and options; each change is one named step."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from topoedit.catalog.types import Llm
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.panels.changes import ChangesSection
from topoedit.editor.panels.fields import Combo
from topoedit.editor.panels.placement import PlacementSection
from topoedit.editor.panels.plan_fields import OPTIONS, SIZES, PlanSpin, option_words
from topoedit.editor.panels.plan_switcher import PlanSwitcher
from topoedit.editor.panels.properties import scrolled
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.result_sections import MemorySection, StepSection, memory_verdict, stale
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.plan_words import (
    batch_of,
    mended,
    nearest,
    product,
    refusal_of,
    sequence_of,
)
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconLabel, Section, label, restyle, rows, unbroken
from topoedit.errors import BadInputError
from topoedit.model.plan import Plan, Workload
from topoedit.units import UNKNOWN, format_number


class PlanPanel(SessionPanel):
    """Everything that says what is trained and how it is spread."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.switcher = PlanSwitcher(theming)
        self.model = PickerButton(theming, "Choose a model", icon="model", tall=True)
        self.model.picked.connect(self._choose_model)
        self.sizes: dict[str, PlanSpin] = {}
        self.options: dict[str, Combo] = {}
        self.ok = IconLabel(theming, "ok", "severity.ok", 16)
        self.product_line = label(wrap=True)
        self.mend = QPushButton()
        self.mend.clicked.connect(self._mend)
        self.refusal = label(role="bad", wrap=True)
        self.memory_line = label(role="secondary", wrap=True)
        self.tokens_line = label(role="caption", wrap=True)
        self.hint = label(
            "Choose a model to see the load on every link and the time of a step.",
            "secondary",
            wrap=True,
        )
        self.changes = ChangesSection(theming)
        self.step = StepSection(theming)
        self.memory = MemorySection(theming)
        self.placement = PlacementSection(theming)
        self._plan_box = QWidget()
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show_result)

    # -- building ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        page = QWidget()
        page.setObjectName("page")
        inner = rows(page)
        top = rows(None, (16, 14, 16, 12), 10)
        top.addWidget(self.switcher)
        top.addWidget(self.model)
        top.addWidget(self.hint)
        inner.addLayout(top)
        inside = rows(self._plan_box)
        inside.addLayout(self._size_grid())
        inside.addLayout(self._check_lines())
        inside.addWidget(self.changes)
        inside.addWidget(self._batch_section())
        inside.addWidget(self._option_section())
        inner.addWidget(self._plan_box)
        inner.addWidget(self.step)
        inner.addWidget(self.memory)
        inner.addWidget(self.placement)
        inner.addStretch(1)
        area = scrolled(page)
        area.setFrameShape(QFrame.Shape.NoFrame)
        rows(self).addWidget(area)

    def _size_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(16, 0, 16, 8)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        for index, spec in enumerate(SIZES[:6]):
            row, column = divmod(index, 3)
            spin = self._spin(index)
            word = label(spec.text, "secondary")
            word.setBuddy(spin)
            word.setToolTip(spec.tip)
            grid.addWidget(word, 2 * row, column)
            grid.addWidget(spin, 2 * row + 1, column)
        for row in (0, 2):
            grid.setRowMinimumHeight(row, 24)
        return grid

    def _spin(self, index: int) -> PlanSpin:
        spec = SIZES[index]
        spin = PlanSpin(spec)
        spin.valueChanged.connect(self._size_setter(spec.name, spec.text))
        self.sizes[spec.name] = spin
        return spin

    def _check_lines(self) -> QGridLayout:
        lines = QGridLayout()
        lines.setContentsMargins(16, 0, 16, 12)
        lines.setHorizontalSpacing(8)
        lines.setVerticalSpacing(6)
        lines.addWidget(self.ok, 0, 0)
        lines.addWidget(self.product_line, 0, 1)
        lines.addWidget(self.mend, 1, 1)
        lines.addWidget(self.refusal, 2, 0, 1, 2)
        lines.addWidget(self.memory_line, 3, 0, 1, 2)
        lines.setColumnStretch(1, 1)
        return lines

    def _batch_section(self) -> Section:
        section = Section(self._theming, "Batch", "in sequences")
        for index in range(6, len(SIZES)):
            spec = SIZES[index]
            section.body.addLayout(self._labelled(spec.text, self._spin(index), spec.tip))
        section.body.addWidget(self.tokens_line)
        return section

    def _option_section(self) -> Section:
        section = Section(self._theming, "Training")
        for name, text, tip, values in OPTIONS:
            combo = Combo()
            combo.setAccessibleName(text)
            combo.setToolTip(tip)
            for value in values:
                combo.addItem(option_words(name, value), value)
            combo.activated.connect(self._option_setter(name, text, combo))
            self.options[name] = combo
            section.body.addLayout(self._labelled(text, combo, tip))
        return section

    def _labelled(self, text: str, editor: QWidget, tip: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        word = label(text, "secondary")
        word.setFixedWidth(104)
        word.setToolTip(tip)
        word.setBuddy(editor)
        grid.addWidget(word, 0, 0)
        grid.addWidget(editor, 0, 1)
        grid.setColumnStretch(1, 1)
        return grid

    # -- following -----------------------------------------------------------------------------

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self.changes.set_session(session)
        self.switcher.set_session(session)
        super().set_session(session)

    def listen(self, session: DocumentSession) -> None:
        """Follow plan, GPUs and result."""
        self.bind(session.analysis_input_changed, self._show_plan)
        self.bind(session.ranks.changed, self._show_ranks)
        self.bind(session.ranks.picked, self.placement.show_pick)
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._soon)

    def refresh(self) -> None:
        """Show everything."""
        models = () if self.session is None else self.session.document.catalog.models.values()
        self.model.set_choices([model_choice(m) for m in models])
        self.model.setEnabled(self.session is not None)
        self._show_plan()
        self._show_result()
        self._show_ranks()

    def _show_ranks(self) -> None:
        self.placement.show_ranks(self.session)

    def _soon(self, _state: object = None) -> None:
        self._later.start()

    def flush(self) -> None:
        """Show what is waiting to be shown."""
        self._later.stop()
        self._show_result()

    def _llm(self, workload: Workload) -> Llm | None:
        if self.session is None:
            return None
        try:
            return self.session.document.catalog.model(workload.model)
        except BadInputError:
            return None

    def _show_plan(self) -> None:
        session = self.session
        workload = None if session is None else session.workload
        self._plan_box.setVisible(workload is not None)
        self.hint.setVisible(workload is None)
        if session is None or workload is None:
            self.model.show_choice("")
            return
        plan, llm, gpus = workload.plan, self._llm(workload), session.totals.gpus
        sequence = sequence_of(plan, llm.context if llm else None)
        batch = batch_of(plan, gpus)
        self._show_model(workload, llm, sequence, batch)
        automatic = {
            "dp": product(plan, gpus).dp, "global_batch": batch, "seq_len": sequence
        }  # fmt: skip
        for name, spin in self.sizes.items():
            spin.show_value(getattr(plan, name), automatic.get(name))
        for name, combo in self.options.items():
            combo.setCurrentIndex(combo.findData(getattr(plan, name)))
        tokens = format_number(batch * sequence)
        words = f"{format_number(batch)} sequences = {tokens} tokens a step"
        self.tokens_line.setText(unbroken(words))
        self._show_product(plan, gpus, llm)

    def _show_model(self, workload: Workload, llm: Llm | None, sequence: int, batch: int) -> None:
        if llm is None:
            self.model.show_choice(workload.model, workload.model, "not in the catalogue")
            return
        words = (
            f"{llm.layers} layers · seq {format_number(sequence)} · batch {format_number(batch)}"
        )
        self.model.show_choice(llm.id, llm.name, words)

    def _show_product(self, plan: Plan, gpus: int, llm: Llm | None) -> None:
        found = product(plan, gpus)
        self.product_line.setText(unbroken(found.words))
        restyle(self.product_line, "role", "good" if found.fits else "bad")
        self.ok.show_icon(*(("ok", "severity.ok") if found.fits else ("error", "severity.error")))
        better = nearest(plan, gpus) if llm is None else mended(plan, gpus, llm)
        self.mend.setVisible(better is not None)
        self.mend.setText("" if better is None else better[1])
        self.refusal.setText("" if not found.fits or llm is None else refusal_of(plan, llm, gpus))
        self.refusal.setVisible(bool(self.refusal.text()))

    def _show_result(self) -> None:
        session = self.session
        result = None if session is None else session.analysis
        for part in (self.step, self.memory, self.memory_line):
            part.setVisible(result is not None)
        if session is None or result is None:
            return
        # The line stands beside the plan as it is now, not as it was when the result came.
        self.memory_line.setVisible(session.analysis_state.kind != "refused")
        self.step.show_result(result)
        self.memory.show_memory(result.memory)
        self.memory_line.setText(memory_verdict(result.memory))
        restyle(self.memory_line, "role", "bad" if result.memory.risk == "no" else "secondary")
        opacity = self._theming.theme.opacity("state.stale_opacity")
        for section in (self.step, self.memory, self.memory_line):
            dim(section, stale(session), opacity)

    # -- changing ------------------------------------------------------------------------------

    def _choose_model(self, model: str) -> None:
        session = self.session
        if session is None:
            return
        plan = session.workload.plan if session.workload is not None else Plan()
        name = session.document.catalog.model(model).name
        session.set_workload(Workload(model=model, plan=plan), f"Choose {name}")

    def _size_setter(self, name: str, text: str) -> Callable[[int], None]:
        return lambda value: self._set(name, value or None, f"Set {text} to {value or 'automatic'}")

    def _option_setter(self, name: str, text: str, combo: Combo) -> Callable[[int], None]:
        def chosen(_row: int) -> None:
            words = combo.currentText()
            self._set(name, combo.currentData(), f"Set {text.lower()} to {words}")

        return chosen

    def _set(self, name: str, value: object, words: str) -> None:
        session = self.session
        workload = None if session is None else session.workload
        if session is None or workload is None:
            return
        plan = replace(workload.plan, **{name: value})
        session.set_workload(replace(workload, plan=plan), words, merge=f"plan.{name}")

    def _mend(self) -> None:
        session = self.session
        workload = None if session is None else session.workload
        if session is None or workload is None:
            return
        plan, gpus, llm = workload.plan, session.totals.gpus, self._llm(workload)
        better = nearest(plan, gpus) if llm is None else mended(plan, gpus, llm)
        if better is not None:
            session.set_workload(replace(workload, plan=better[0]), better[1])


def model_choice(llm: Llm) -> Choice:
    """A model as the picker lists it, with its size; found by maker and other names too."""
    size = UNKNOWN if llm.total_params_b is None else f"{llm.total_params_b:g}B"
    return Choice(llm.id, llm.name, size, " ".join((llm.vendor, *llm.aliases)))
