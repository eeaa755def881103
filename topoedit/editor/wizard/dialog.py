"""The wizard: template, size, fabric, plan; it can finish at every step."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from topoedit.editor.background import Cancel, Progress, Task, start
from topoedit.editor.shell import Shell
from topoedit.editor.template_cards import TemplateCard
from topoedit.editor.welcome import sentence, template_rows
from topoedit.editor.widgets import IconLabel, clear, columns, label, restyle, rows, rule
from topoedit.editor.wizard.draft import Draft, Order, draw
from topoedit.editor.wizard.parameters import SIZE_NAMES, ParameterForm
from topoedit.editor.wizard.plan_page import PlanPage
from topoedit.editor.wizard.preview import Preview
from topoedit.editor.wizard.step_row import StepRow
from topoedit.templates.base import Template, templates

STEPS = ("Template", "Size", "Fabric", "Plan")
TEMPLATE, SIZE, FABRIC, PLAN = range(4)
DELAY_MS = 200
MAX_NOTES = 5
_FORM_WIDTH = 432
_AGREES = "Agrees with"


class Wizard(QDialog):
    """Asks for a template and its numbers, and shows what they make while they are typed.

    Signals:
        made(Document, tuple): the drawing and what the template says about it.
    """

    made = Signal(object, object)

    def __init__(self, shell: Shell, template_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("New from template")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1200, 824)
        self._shell = shell
        self._templates = templates()
        self._task: Task | None = None
        self._waiting = False  # to insert as soon as the newest draft is there
        self.draft: Draft | None = None
        self._held: list[QWidget] = []
        self.template: Template = self._templates[template_id or template_rows()[0][0]]
        self.steps = StepRow(shell.theming, STEPS)
        self.steps.chosen.connect(self.go)
        self.pages = QStackedWidget()
        self.cards: list[TemplateCard] = []
        self.size_form = self.fabric_form = self._form(())
        self.plan = PlanPage(shell.theming, shell.catalog)
        self.plan.changed.connect(self._soon)
        self.preview = Preview(shell.theming)
        self.title, self.summary = label(role="heading"), label(role="secondary", wrap=True)
        self.notes = rows(gap=6)
        self.line = label(role="secondary", wrap=True)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.work_out)
        self._lay_out()
        self._choose(self.template.id)
        self.go(SIZE if template_id else TEMPLATE)

    # -- building ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._held = [self._cards_page(), QWidget(), QWidget(), self.plan]
        for page in self._held:
            self.pages.addWidget(page)
        inner = QWidget()
        inner.setObjectName("page")
        column = rows(inner, (24, 20, 24, 16), 12)
        column.addWidget(self.title)
        column.addWidget(self.summary)
        column.addWidget(self.pages)
        column.addWidget(rule())
        column.addLayout(self.notes)
        column.addStretch(1)
        left = QScrollArea()
        left.setWidgetResizable(True)
        left.setFrameShape(QScrollArea.Shape.NoFrame)
        left.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left.setWidget(inner)
        left.setFixedWidth(_FORM_WIDTH)
        halves = columns()
        halves.addWidget(left)
        halves.addWidget(rule())
        halves.addWidget(self.preview, 1)
        whole = rows(self)
        whole.addWidget(self.steps)
        whole.addWidget(rule())
        whole.addLayout(halves, 1)
        whole.addWidget(rule())
        whole.addWidget(self._foot())
        self.accept_button.setDefault(True)  # of this dialog, so not before it stands in it

    def _cards_page(self) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(12)
        for index, (key, title, line) in enumerate(template_rows()):
            card = TemplateCard(self._shell.theming, key, title, line)
            card.setCheckable(True)
            card.clicked.connect(lambda _on=False, chosen=key: self._choose(chosen))
            grid.addWidget(card, *divmod(index, 2))
            self.cards.append(card)
        grid.setColumnStretch(2, 1)
        return page

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setFixedHeight(64)
        self.back = QPushButton("Back")
        self.back.clicked.connect(lambda: self.go(self.step - 1))
        self.next = QPushButton("Next")
        self.next.clicked.connect(lambda: self.go(self.step + 1))
        self.accept_button = QPushButton("Make drawing")
        self.accept_button.setProperty("primary", True)
        self.accept_button.clicked.connect(self.accept)
        line = columns(foot, (24, 0, 24, 0), 8)
        line.addWidget(self.back)
        line.addSpacing(16)
        line.addWidget(self.line, 1)
        line.addWidget(self.next)
        line.addWidget(self.accept_button)
        return foot

    def _form(self, names: tuple[str, ...]) -> ParameterForm:
        wanted = [p for p in self.template.parameters if p.name in names]
        form = ParameterForm(self._shell.theming, self._shell.catalog, wanted)
        form.changed.connect(self._soon)
        return form

    # -- steps ---------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """Index of the step in hand."""
        return self.pages.currentIndex()

    def go(self, step: int) -> None:
        """Go to a step."""
        step = min(max(step, TEMPLATE), PLAN)
        self.pages.setCurrentIndex(step)
        for index, page in enumerate(self._held):  # the page in front alone says how tall it is
            policy = page.sizePolicy()
            wanted = policy.Policy.Preferred if index == step else policy.Policy.Ignored
            page.setSizePolicy(policy.horizontalPolicy(), wanted)
        self.steps.show_step(step)
        self.back.setEnabled(step > TEMPLATE)
        self.next.setEnabled(step < PLAN)
        self.next.setText(f"Next: {STEPS[step + 1]}" if step < PLAN else "Next")
        first = self.field_to_fill()
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def field_to_fill(self) -> QWidget | None:
        """What gets the keys on this step: the first number, model or the chosen card."""
        if self.step == TEMPLATE:
            return next((c for c in self.cards if c.isChecked()), None)
        if self.step == PLAN:
            return self.plan.model
        form = self.size_form if self.step == SIZE else self.fabric_form
        numbers = [f for n, f in form.fields.items() if n not in ("system", "leaf", "inner")]
        return next(iter((*numbers, *form.fields.values())), None)

    def field(self, name: str) -> QWidget:
        """The field of a parameter."""
        found = self.size_form.fields.get(name)
        return found if found is not None else self.fabric_form.fields[name]

    def _choose(self, template_id: str) -> None:
        """Take a template, with fields of its own."""
        self.template = self._templates[template_id]
        for card in self.cards:
            card.setChecked(card.template_id == template_id)
        names = tuple(p.name for p in self.template.parameters)
        self.size_form = self._form(tuple(n for n in names if n in SIZE_NAMES))
        self.fabric_form = self._form(tuple(n for n in names if n not in SIZE_NAMES))
        for index, form in ((SIZE, self.size_form), (FABRIC, self.fabric_form)):
            self.pages.removeWidget(self._held[index])
            self._held[index].deleteLater()
            self._held[index] = form
            self.pages.insertWidget(index, form)
        self.go(TEMPLATE)
        self.title.setText(self.template.title)
        self.summary.setText(sentence(self.template.summary))
        self.work_out()

    # -- drafts --------------------------------------------------------------------------------

    def values(self) -> dict[str, object]:
        """What the person has given; the template works the rest out."""
        return self.size_form.values() | self.fabric_form.values()

    def _soon(self) -> None:
        self._timer.start()

    def work_out(self) -> None:
        """Begin to make what the fields say; an older piece of work is given up."""
        self._timer.stop()
        if self._task is not None:
            self._task.cancel()
        self.draft = None
        order = Order(
            self.template.id, self.values(), self.plan.workload, self._shell.theming.theme.name,
            *self.preview.picture_size(), self.devicePixelRatioF(),
        )  # fmt: skip
        catalog = self._shell.catalog

        def work(progress: Progress, cancelled: Cancel) -> Draft:
            return draw(order, catalog, progress, cancelled)

        task = start(work, self._shell.widget)
        self._task = task
        task.done.connect(lambda draft: self._show_draft(task, draft))
        task.failed.connect(lambda text: self._show_error(task, text))
        self.preview.picture.fade()
        self._say("Working it out…")

    def _show_draft(self, task: Task, draft: Draft) -> None:
        if task is not self._task:
            return
        self._task, self.draft = None, draft
        self.preview.show_draft(draft)
        self.plan.set_gpus(_gpus(draft))
        self._show_notes(draft.notes)
        self._say("Opens in a new tab; nothing is written before you save.")
        if self._waiting:
            self.accept()

    def _show_error(self, task: Task, text: str) -> None:
        if task is not self._task:
            return
        self._task, self._waiting = None, False
        self.preview.show_nothing()
        self._show_notes(())
        self._say(text, bad=True)

    def _show_notes(self, notes: tuple[str, ...]) -> None:
        clear(self.notes)
        for note in notes[:MAX_NOTES]:
            good = note.startswith(_AGREES)
            line = columns(gap=8)
            icon = IconLabel(
                self._shell.theming, "ok" if good else "info",
                "severity.ok" if good else "severity.info", 16,
            )  # fmt: skip
            line.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(label(note, "" if good else "secondary", wrap=True), 1)
            self.notes.addLayout(line)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.line.setText(text)
        restyle(self.line, "role", "bad" if bad else "secondary")
        self.accept_button.setEnabled(not bad)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter makes the drawing, unless a button has the keys: that one is pressed."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not isinstance(self.focusWidget(), QAbstractButton):
            self.accept_button.click()
            return
        super().keyPressEvent(event)

    def accept(self) -> None:
        """Hand the drawing over, as soon as it is made."""
        if self._timer.isActive():
            self.work_out()
        if self.draft is None:
            self._waiting = self._task is not None
            return
        self.made.emit(self.draft.document, self.draft.notes)
        super().accept()

    def done(self, result: int) -> None:
        """Give up what is still being worked out."""
        self._timer.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None
        super().done(result)


def _gpus(draft: Draft) -> int | None:
    document = draft.document
    found = [document.device_type(d).gpus for d in document.devices.values() if d.kind == "server"]
    return None if None in found else sum(g or 0 for g in found)
