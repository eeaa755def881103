"""New from template: a template, its numbers, and the counts they give, before anything is made."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.panels.fields import Combo
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.shell import Shell
from topoedit.editor.widgets import label
from topoedit.errors import TopoeditError
from topoedit.model.document import Document
from topoedit.templates.base import Parameter, Template, templates

DELAY_MS = 200
MAX_NOTES = 4


class TemplateDialog(FormDialog):
    """Asks for the numbers of a template.

    Signals:
        made(Document, tuple): the drawing and what the template says about it.
    """

    made = Signal(object, object)

    def __init__(self, shell: Shell, template_id: str, parent: QWidget) -> None:
        super().__init__("New from template", "Make drawing", parent, 620)
        self._shell = shell
        self._templates = dict(templates())
        self._fields: dict[str, QWidget] = {}
        self._ready: tuple[Document, tuple[str, ...]] | None = None
        self.choice = Combo()
        for key, found in self._templates.items():
            self.choice.addItem(found.title, key)
        self.choice.setAccessibleName("Template")
        self.body.insertWidget(0, self.choice)
        self.summary = label(role="secondary", wrap=True)
        self.body.insertWidget(1, self.summary)
        self.counts = label(role="strong", wrap=True)
        self.notes = label(role="caption", wrap=True)
        self.body.addWidget(self.counts)
        self.body.addWidget(self.notes)
        self.body.addStretch(1)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.preview)
        wanted = self.choice.findData(template_id)
        self.choice.setCurrentIndex(max(0, wanted))
        self.choice.currentIndexChanged.connect(self._show_template)
        self._show_template()

    @property
    def template(self) -> Template:
        """The template chosen."""
        return self._templates[str(self.choice.currentData())]

    def field(self, name: str) -> QWidget:
        """The field of a parameter."""
        return self._fields[name]

    def _show_template(self) -> None:
        while self.form.rowCount():
            self.form.removeRow(0)
        self._fields = {}
        chosen = self.template
        self.summary.setText(chosen.summary[:1].upper() + chosen.summary[1:])
        for parameter in chosen.parameters:
            field = self._field(parameter)
            self._fields[parameter.name] = field
            words = parameter.name.replace("_", " ").capitalize().replace("Gpus", "GPUs")
            self.add_row(words, field, parameter.help)
        self.preview()

    def _field(self, parameter: Parameter) -> QWidget:
        if parameter.kind == "device":
            return self._device_field(parameter)
        if parameter.choices and parameter.kind == "text":
            return self._choice_field(parameter)
        line = QLineEdit()
        default = parameter.default
        shown = ",".join(default) if isinstance(default, tuple) else default
        line.setPlaceholderText("worked out" if shown is None else str(shown))
        line.textChanged.connect(self._soon)
        return line

    def _device_field(self, parameter: Parameter) -> QWidget:
        button = PickerButton(self._shell.theming, "Chosen by the template")
        kinds = self._shell.catalog.devices.values()
        choices = [
            Choice("", "Chosen by the template"),
            *(Choice(k.id, k.name, k.vendor) for k in kinds),
        ]
        button.set_choices(choices)
        button.show_choice(str(parameter.default or ""))
        button.picked.connect(lambda key: button.show_choice(key))
        button.picked.connect(self._soon)
        return button

    def _choice_field(self, parameter: Parameter) -> QWidget:
        combo = Combo()
        combo.addItem("worked out" if parameter.default is None else str(parameter.default), None)
        for word in parameter.choices:
            if word != parameter.default:
                combo.addItem(word, word)
        combo.activated.connect(self._soon)
        return combo

    def _soon(self, *_: object) -> None:
        self._timer.start()

    def values(self) -> dict[str, object]:
        """What the person has given; the template works the rest out."""
        given: dict[str, object] = {}
        for name, field in self._fields.items():
            value = field_value(field)
            if value:
                given[name] = value
        return given

    def preview(self) -> None:
        """Make the drawing and show its counts, or what is wrong with the numbers."""
        from topoedit.app.generate import generate_with_notes

        self._timer.stop()
        self._ready = None
        try:
            document, built = generate_with_notes(
                self.template.id, self.values(), self._shell.catalog
            )
        except TopoeditError as error:
            self.counts.setText("")
            self.notes.setText("")
            self.say(error.line, bad=True)
            return
        self._ready = (document, ())
        self.counts.setText(built.summary)
        self.notes.setText("\n".join(built.notes[:MAX_NOTES]))
        self.say("Opens in a new tab.")

    def accept(self) -> None:
        """Hand the drawing over."""
        if self._timer.isActive():
            self.preview()
        if self._ready is not None:
            self.made.emit(*self._ready)
            super().accept()


def field_value(field: QWidget) -> object:
    """What a field of any kind holds; "" or None if it was left alone."""
    if isinstance(field, PickerButton):
        return field.key
    if isinstance(field, QComboBox):
        return field.currentData()
    return field.text().strip() if isinstance(field, QLineEdit) else None
