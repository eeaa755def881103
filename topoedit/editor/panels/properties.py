"""The Properties page: fields of one or many elements, or of the drawing if nothing is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QWidget

from topoedit.editor.device_words import element_icon
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.panels.fields import (
    DIFFERENT,
    ChoiceField,
    FieldEditor,
    FieldSpec,
    PickField,
    TextField,
    make_field,
)
from topoedit.editor.panels.floor_fields import PREFIX, floor_value, set_floor
from topoedit.editor.panels.outline_model import element_kind, element_name
from topoedit.editor.panels.property_edits import set_property
from topoedit.editor.panels.property_extras import DrawingFigures, LinkLoadSection, TypeFigures
from topoedit.editor.panels.property_forms import (
    form_of,
    has_racks,
    pick_choices,
    read_value,
    word_choices,
)
from topoedit.editor.panels.rank_section import RankSection
from topoedit.editor.session import DocumentSession
from topoedit.editor.status_bar import selection_words
from topoedit.editor.theming import Theming
from topoedit.editor.translating import tr
from topoedit.editor.widgets import IconLabel, Section, clear, columns, label, rows
from topoedit.errors import BadInputError
from topoedit.model.elements import AnyElement, Device, Link

MAX_READ = 20_000

ALL_AT_ONCE = "An edit applies to all and is one step"
NOTHING_SHARED = "These have no field in common"


class PropertiesPanel(SessionPanel):
    """Header, fields, and what the analysis says of the element.

    Signals:
        name_entered(): Return was pressed in the name that was asked for by a command.
    """

    name_entered = Signal()

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._form: tuple[FieldSpec, ...] | None = None
        self._asked_by_key = False
        self.fields: dict[str, FieldEditor] = {}
        self._icon = IconLabel(theming, "info")
        self.title = label(role="title", wrap=True)
        self.subtitle = label(role="secondary", wrap=True)
        self._section = Section(theming, "Fields")
        self.floor = Section(theming, "Floor and trays")
        self.floor.header.setChecked(False)
        self.load = LinkLoadSection(theming)
        self.figures = TypeFigures(theming)
        self.ranks = RankSection(theming)
        self.drawing = DrawingFigures(theming)
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        words = rows(gap=2)
        words.addWidget(self.title)
        words.addWidget(self.subtitle)
        head = columns(None, (16, 14, 16, 14), 12)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        page = QWidget()
        page.setObjectName("page")
        inner = rows(page)
        inner.addLayout(head)
        parts = (self.load, self._section, self.ranks, self.figures, self.drawing, self.floor)
        for part in parts:
            inner.addWidget(part)
        inner.addStretch(1)
        rows(self).addWidget(scrolled(page))

    def listen(self, session: DocumentSession) -> None:
        """Follow selection, changes and result."""
        self.bind(session.selection_changed, self._soon)
        self.bind(session.changed, self._soon)
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._soon)
        self.bind(session.ranks.changed, self._soon)

    def refresh(self) -> None:
        """Show the selection now."""
        self._show()

    def _soon(self, _change: object = None) -> None:
        self._later.start()

    def flush(self) -> None:
        """Show what is waiting to be shown."""
        if self._later.isActive():
            self._later.stop()
            self._show()

    def focus_name(self) -> None:
        """Give the keys to the name, all of it selected."""
        self.flush()
        field = self.fields.get("name") or next(iter(self.fields.values()), None)
        if field is not None:
            field.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._asked_by_key = True

    def _name_entered(self) -> None:
        """After Return the keys go back to where the name was asked for, unless it is wrong."""
        field, asked = self.fields.get("name"), self._asked_by_key
        if asked and isinstance(field, TextField):
            field.enter()
            if not field.complaint:
                self._asked_by_key = False
                self.name_entered.emit()

    def _show(self) -> None:
        session = self.session
        elements = () if session is None else session.selected()
        form: tuple[FieldSpec, ...] = ()
        if session is not None:
            form = form_of(elements, racks=not elements and has_racks(session.document))
        if len(elements) > 1:
            form = tuple(spec for spec in form if not spec.single)
        if form != self._form:
            self._build(form)
        self._section.setVisible(bool(form))
        self._show_head(session, elements)
        if session is not None:
            self._show_values(session, elements)
        one = elements[0] if len(elements) == 1 else None
        self.load.show_link(session, one if isinstance(one, Link) else None)
        self.figures.show_device(session, one if isinstance(one, Device) else None)
        self.ranks.show_device(session, one if isinstance(one, Device) else None)
        self.drawing.show_drawing(session if not elements else None)

    def _build(self, form: tuple[FieldSpec, ...]) -> None:
        self._form = form
        clear(self._section.body)
        clear(self.floor.body)
        self.fields = {}
        self.floor.setVisible(any(spec.name.startswith(PREFIX) for spec in form))
        for spec in form:
            field = make_field(spec, self._theming)
            field.changed.connect(self._setter(spec))
            section = self.floor if spec.name.startswith(PREFIX) else self._section
            section.body.addWidget(field)
            self.fields[spec.name] = field
            if spec.name == "name" and isinstance(field.editor, QLineEdit):
                field.editor.returnPressed.connect(self._name_entered)

    def _setter(self, spec: FieldSpec) -> Callable[[object], None]:
        return lambda value: self._set(spec, value)

    def _set(self, spec: FieldSpec, value: object) -> None:
        session = self.session
        if session is None:
            return
        try:
            put = set_floor if spec.name.startswith(PREFIX) else set_property
            edit = put(session.document, session.selected(), spec.name, value, spec.text)
        except BadInputError as error:
            self.fields[spec.name].complain(error.line)
            self.fields[spec.name].value = None
            return
        refusals: list[str] = []
        note = refusals.append
        session.refused.connect(note)
        session.apply(edit)
        session.refused.disconnect(note)
        if refusals:
            self.fields[spec.name].complain(refusals[0])
            self.fields[spec.name].value = None

    def _show_head(self, session: DocumentSession | None, elements: Sequence[AnyElement]) -> None:
        self._icon.setVisible(bool(elements))
        if session is None:
            self.title.setText(tr("No drawing"))
            self.subtitle.setText(tr("Open one, or start from a template"))
        elif not elements:
            self.title.setText(tr("Drawing"))
            self.subtitle.setText(tr("Nothing is selected"))
        elif len(elements) == 1:
            self.title.setText(title_of(session, elements[0]))
            self.subtitle.setText(subtitle_of(session, elements[0]))
            self._icon.show_icon(element_icon(elements[0]))
        else:
            self.title.setText(selection_words(session).removesuffix(" selected"))
            self.subtitle.setText(tr(ALL_AT_ONCE if self.fields else NOTHING_SHARED))
            self._icon.show_icon(element_icon(elements[0]))
        self._section.header.setText(tr("Document" if not elements else "Fields"))

    def _show_values(self, session: DocumentSession, elements: Sequence[AnyElement]) -> None:
        document = session.document
        source: Sequence[AnyElement] = elements[:MAX_READ] or (document.settings,)
        for name, field in self.fields.items():
            if isinstance(field, ChoiceField):
                field.set_choices(word_choices(document, name, elements))
            elif isinstance(field, PickField):
                field.set_choices(pick_choices(document, name))
            first = _value(session, source[0], name)
            same = all(_value(session, element, name) == first for element in source[1:])
            field.show_value(first if same else DIFFERENT)


def _value(session: DocumentSession, element: AnyElement, name: str) -> object:
    if name.startswith(PREFIX):
        return floor_value(session.document, element, name)
    return read_value(element, name)


def scrolled(page: QWidget) -> QScrollArea:
    """A page that scrolls up and down only."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


def title_of(session: DocumentSession, element: AnyElement) -> str:
    """Name of an element; for a link its two ends."""
    if isinstance(element, Link):
        devices = session.document.devices
        return f"{devices[element.a.device].name} → {devices[element.b.device].name}"
    return element_name(element)


def subtitle_of(session: DocumentSession, element: AnyElement) -> str:
    """What an element is."""
    if isinstance(element, Link):
        parts = [f"Bundle ×{element.count}" if element.count > 1 else "Link", element.network]
        if element.rail is not None:
            parts.append(f"rail {element.rail}")
        return " · ".join(parts)
    return element_kind(session, element)
