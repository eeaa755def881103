"""Parts of the Properties page that cannot be edited: load of a link, figures of a type, totals."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QFrame, QGraphicsOpacityEffect, QWidget

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.editor.bar_widgets import FigureRow, LoadBar
from topoedit.editor.device_words import name_in
from topoedit.editor.load_view import Direction, LoadIndex
from topoedit.editor.panels.bottleneck_words import cost_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import Section, clear, columns, label, rows
from topoedit.model.elements import Device, Link
from topoedit.units import UNKNOWN, format_bytes, format_number, format_percent

CLASS_WORDS = {
    "TP": "Tensor parallel", "CP": "Context parallel", "EP": "Expert all-to-all",
    "PP": "Pipeline", "DP": "Gradients", "KV": "Key-value cache", "WAN": "Between sites",
}  # fmt: skip


def dim(widget: QWidget, dimmed: bool, opacity: float) -> None:
    """Show a widget faded while its figures are of an earlier state."""
    effect = widget.graphicsEffect()
    if dimmed and effect is None:
        effect = QGraphicsOpacityEffect(widget)
        effect.setOpacity(opacity)
        widget.setGraphicsEffect(effect)
    elif not dimmed and effect is not None:
        widget.setGraphicsEffect(None)  # type: ignore[arg-type]


class LinkLoadSection(Section):
    """Load of both directions of a link with its traffic classes."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Load", "demand")
        self._loads = LoadIndex()
        self.header.setToolTip("Bytes over capacity times the time they may hide in.")

    def show_link(self, session: DocumentSession | None, link: Link | None) -> None:
        """Show a link; None hides the section."""
        found = None
        if session is not None and link is not None:
            found = self._loads.directions(session.loads, link.id)
        self.setVisible(found is not None)
        if found is None or session is None or link is None:
            return
        clear(self.body)
        self._add_callout(session, link)
        names = [session.document.devices[end.device].name for end in (link.a, link.b)]
        for direction, words in zip(
            found, (f"{names[0]} → {names[1]}", f"{names[1]} → {names[0]}"), strict=True
        ):
            self._add_direction(direction, words)
        opacity = self._theming.theme.opacity("state.stale_opacity")
        dim(self._content, not session.analysis_is_current, opacity)

    def _add_callout(self, session: DocumentSession, link: Link) -> None:
        """What the class of this link costs, before why."""
        result = session.analysis
        if result is None:
            return
        classes = session.bottleneck_classes
        number = None if classes is None else classes.number_of(link.id)
        if classes is None or number is None or result.bottlenecks[number].cost_s <= 0:
            return
        found, many = result.bottlenecks[number], len(classes.drawn(number))
        plate = QFrame()
        plate.setObjectName("callout")
        plate.setProperty("severity", "error" if found.demand > 1 else "warning")
        words = rows(plate, (12, 10, 12, 10), 4)
        kind = f"The class of {format_number(many)} links" if many > 1 else "This link"
        words.addWidget(label(f"{kind} {cost_words(found)}", "strong", wrap=True))
        words.addWidget(label(found.why, "secondary", wrap=True))
        self.body.addWidget(plate)

    def _add_direction(self, direction: Direction, words: str) -> None:
        head = columns(gap=8)
        head.addWidget(label(words))
        head.addStretch(1)
        head.addWidget(label(format_percent(direction.demand, 1), "strong"))
        self.body.addLayout(head)
        bar = LoadBar(self._theming)
        bar.show_load(direction.demand)
        self.body.addWidget(bar)
        for name, amount in direction.by_class.items():
            row = FigureRow(
                self._theming,
                f"{CLASS_WORDS[name]} ({name})",
                format_bytes(amount),
                f"traffic.{name}",
            )
            self.body.addWidget(row)
        for name, text in (
            ("Bytes per step", format_bytes(direction.bytes)),
            ("Mean over the step", format_percent(direction.utilisation, 1)),
            ("In the busiest phase", format_percent(direction.phase_share, 1)),
        ):
            self.body.addWidget(FigureRow(self._theming, name, text))


class TypeFigures(Section):
    """What the catalogue says of the type of a device, with its source."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Type")

    def show_device(self, session: DocumentSession | None, device: Device | None) -> None:
        """Show a device; None hides the section."""
        self.setVisible(device is not None)
        if device is None or session is None:
            return
        clear(self.body)
        kind = session.document.device_type(device)
        self.note.setText(kind.vendor)
        used = len(session.document.ports_in_use(device.id))
        ports = UNKNOWN if kind.open_ports else format_number(len(kind.port_list))
        self.body.addWidget(FigureRow(self._theming, "Ports in use", f"{used} of {ports}"))
        for name, text, about in type_figures(kind, session.document.catalog):
            row = FigureRow(self._theming, name, text)
            row.setToolTip(tip(about))
            self.body.addWidget(row)
        if kind.source:
            self.body.addWidget(label(f"Source: {kind.source}", "caption", wrap=True))


def type_figures(kind: DeviceType, catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    """Name, text and source of the figures worth showing."""
    inside = kind.inside
    if inside is not None:
        gpus = UNKNOWN if inside.gpus is None else str(inside.gpus)
        yield (
            "GPUs",
            f"{gpus} × {name_in(catalog.accelerators, inside.accelerator)}"
            if inside.accelerator
            else gpus,
            kind.source_of("inside"),
        )
        if inside.nic:
            nic = name_in(catalog.nics, inside.nic)
            yield "NIC", f"{len(inside.nic_gpu)} × {nic}", kind.source_of("inside")
    for name, field, unit in (
        ("Latency", "latency_ns", "ns"),
        ("Rack units", "rack_units", "U"),
        ("Power, most", "power_kw_max", "kW"),
    ):
        value = getattr(kind, field)
        if value is not None:
            mark = " (unverified)" if field in kind.unverified else ""
            yield name, f"{value:g} {unit}{mark}", kind.source_of(field)


class DrawingFigures(Section):
    """Totals of the drawing."""

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "So far")
        self._shown: tuple[tuple[str, str], ...] = ()

    def show_drawing(self, session: DocumentSession | None) -> None:
        """Show totals; None hides the section."""
        self.setVisible(session is not None)
        if session is None:
            return
        totals = session.totals
        gpus = format_number(totals.gpus)
        if totals.untyped:
            known = f"{gpus} + " if totals.gpus else ""
            gpus = f"{known}{format_number(totals.untyped)} servers of unknown type"
        shown = (
            ("Servers", format_number(totals.servers)),
            ("GPUs", gpus),
            ("Switches", format_number(totals.switches)),
            ("Links", format_number(totals.links)),
            ("Cables", format_number(totals.cables)),
        )
        if shown == self._shown:
            return
        self._shown = shown
        clear(self.body)
        for name, text in shown:
            self.body.addWidget(FigureRow(self._theming, name, text))
