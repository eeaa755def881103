"""Fields for the parameters of a template, made from their data."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.editor.panels.fields import Combo
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import label
from topoedit.templates.base import Parameter

SIZE_NAMES = frozenset(
    ("system", "units", "nodes", "gpus", "sites", "inner", "km", "shape", "axes", "groups")
)
"""Parameters that say how much is wanted; all others say how it is joined."""
LABEL_WIDTH = 128
_KINDS = {"system": ("server",), "router": ("router",)}
_SWITCHES = ("leaf", "spine", "core", "switch")


class ParameterForm(QWidget):
    """One field a parameter; a field left alone is worked out by the template.

    Signals:
        changed(): a field holds something else.
    """

    changed = Signal()

    def __init__(self, theming: Theming, catalog: Catalog, parameters: Iterable[Parameter]) -> None:
        super().__init__()
        self._theming, self._catalog = theming, catalog
        self.fields: dict[str, QWidget] = {}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for parameter in parameters:
            field = self._field(parameter)
            self.fields[parameter.name] = field
            word = label(words_of(parameter), "secondary")
            word.setFixedWidth(LABEL_WIDTH)
            word.setMinimumHeight(28)
            word.setBuddy(field)
            for part in (word, field):
                part.setToolTip(parameter.help)
            field.setAccessibleName(words_of(parameter))
            form.addRow(word, field)

    def values(self) -> dict[str, object]:
        """What the person has given, by name."""
        found = {name: field_value(field) for name, field in self.fields.items()}
        return {name: value for name, value in found.items() if value}

    def _field(self, parameter: Parameter) -> QWidget:
        if parameter.kind == "device":
            return self._device_field(parameter)
        if parameter.choices and parameter.kind == "text":
            return self._choice_field(parameter)
        line = QLineEdit()
        default = parameter.default
        shown = ",".join(default) if isinstance(default, tuple) else default
        line.setPlaceholderText("worked out" if shown is None else str(shown))
        line.textChanged.connect(self.changed)
        return line

    def _device_field(self, parameter: Parameter) -> QWidget:
        button = PickerButton(self._theming, "Chosen by the template")
        wanted = _KINDS.get(parameter.name, _SWITCHES)
        fitting = [k for k in self._catalog.devices.values() if _fits(k, wanted)]
        button.set_choices(
            [
                Choice("", "Chosen by the template"),
                *(Choice(k.id, k.name, k.vendor) for k in fitting),
            ]
        )
        button.show_choice(str(parameter.default or ""))
        button.picked.connect(lambda key: button.show_choice(key))
        button.picked.connect(lambda _key: self.changed.emit())
        return button

    def _choice_field(self, parameter: Parameter) -> QWidget:
        combo = Combo()
        combo.addItem("worked out" if parameter.default is None else str(parameter.default), None)
        for word in parameter.choices:
            if word != parameter.default:
                combo.addItem(word, word)
        combo.activated.connect(lambda _index: self.changed.emit())
        return combo


def _fits(kind: DeviceType, wanted: tuple[str, ...]) -> bool:
    return kind.kind in wanted


def words_of(parameter: Parameter) -> str:
    """The name of a parameter as a label."""
    words = parameter.name.replace("_", " ").capitalize()
    return words.replace("Gpus", "GPUs").replace("Wan gbps", "WAN Gb/s").replace("Wan", "WAN")


def field_value(field: QWidget) -> object:
    """What a field of any kind holds; "" or None if it was left alone."""
    if isinstance(field, PickerButton):
        return field.key
    if isinstance(field, QComboBox):
        return field.currentData()
    return field.text().strip() if isinstance(field, QLineEdit) else None
