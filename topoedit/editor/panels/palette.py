"""The Devices panel: every type that can be placed, by section, found by typing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.editor.device_words import SECTIONS, type_figure, type_icon
from topoedit.editor.matching import score
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import SearchField, columns, label, rows
from topoedit.render.theme import font

TYPE_ROLE = Qt.ItemDataRole.UserRole
FIGURE_ROLE = Qt.ItemDataRole.UserRole + 1
ICON_ROLE = Qt.ItemDataRole.UserRole + 2
ROW_HEIGHT = 28
RECENT = 5
FEW = 3
"""Vendors with fewer types than this in a part share a section."""
OTHERS = "other vendors"
_ORDER = ("Compute", "Scale-up", "Fabric", "Containers", "Other")
_BY_VENDOR = ("Compute", "Fabric")
_REMARK = re.compile(r"\s*\([^()]*\)")
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class PaletteItem:
    """Something that can be placed.

    Attributes:
        type_id: a catalogue id, `group:rack` and its like, or `note:`.
        name: short, as the list shows it.
        section: head it stands under.
        icon: name of its icon.
        figure: the one that tells it from others.
        words: what else finds it.
        full: the whole name, for the tooltip.
    """

    type_id: str
    name: str
    section: str
    icon: str
    figure: str = ""
    words: str = ""
    full: str = ""


_CONTAINERS = (
    PaletteItem("group:rack", "Rack", "Containers", "rack", "", "container cabinet"),
    PaletteItem("group:pod", "Pod", "Containers", "pod", "", "container unit"),
    PaletteItem("group:room", "Room", "Containers", "room", "", "container hall floor"),
    PaletteItem("group:building", "Building", "Containers", "building", "", "container"),
    PaletteItem("group:site", "Site", "Containers", "site", "", "container campus"),
    PaletteItem("note:", "Note", "Other", "note", "", "text comment"),
)


def palette_items(catalog: Catalog) -> list[PaletteItem]:
    """What can be placed, in the order shown.

    Servers and switches of a vendor stand together, after those of no vendor; vendors come in the
    order of the catalogue, those with few types last and together.
    """
    kinds = list(catalog.devices.values())
    counts = Counter((SECTIONS[kind.kind], kind.vendor) for kind in kinds)
    found = [_item(kind, counts) for kind in kinds]
    found.extend(_CONTAINERS)
    heads = list(dict.fromkeys(item.section for item in found))
    return sorted(found, key=lambda item: _rank(item.section, heads))


def _item(kind: DeviceType, counts: Counter[tuple[str, str]]) -> PaletteItem:
    part = SECTIONS[kind.kind]
    section, name = part, short_name(kind)
    if kind.vendor and part in _BY_VENDOR:
        few = counts[part, kind.vendor] < FEW
        section = f"{part} · {OTHERS if few else kind.vendor}"
        name = short_name(kind, with_vendor=few)
    return PaletteItem(
        kind.id,
        name,
        section,
        type_icon(kind),
        type_figure(kind),
        " ".join((kind.name, kind.id, kind.kind, *kind.aliases)),
        kind.name,
    )


def _rank(section: str, heads: list[str]) -> tuple[int, bool, int]:
    """Order of the sections: part, no vendor first, other vendors last."""
    part, _, vendor = section.partition(" · ")
    return _ORDER.index(part), vendor == OTHERS, heads.index(section) if vendor else -1


def folded_at_first(items: Iterable[PaletteItem]) -> set[str]:
    """Sections of every vendor but the first one of each part."""
    vendors: dict[str, list[str]] = {}
    for section in dict.fromkeys(item.section for item in items):
        part, _, vendor = section.partition(" · ")
        if vendor:
            vendors.setdefault(part, []).append(section)
    return {section for sections in vendors.values() for section in sections[1:]}


def short_name(kind: DeviceType, *, with_vendor: bool = False) -> str:
    """The name without its vendor, who is found by typing, and without remarks in brackets."""
    drop = "" if with_vendor or not kind.vendor else f"{kind.vendor} "
    return _REMARK.sub("", kind.name.removeprefix(drop)) or kind.name


class PalettePanel(QWidget):
    """Search field over the list of types.

    Signals:
        drag_started(str): a type is being dragged out; the canvas takes over.
        chosen(str): a type was double-clicked, or Enter pressed on it.
    """

    drag_started = Signal(str)
    chosen = Signal(str)

    def __init__(self, theming: Theming, catalog: Catalog, recent: Iterable[str] = ()) -> None:
        super().__init__()
        self._items = palette_items(catalog)
        self._recent = [i for i in recent if any(item.type_id == i for item in self._items)]
        self.search = SearchField(theming, "Filter devices")
        self.view = PaletteView(theming)
        self._nothing = label("No device has this name.", "caption")
        self._nothing.hide()
        layout = rows(self)
        top = columns(None, (12, 4, 12, 8))
        top.addWidget(self.search)
        layout.addLayout(top)
        middle = columns(None, (16, 0, 16, 8))
        middle.addWidget(self._nothing)
        layout.addLayout(middle)
        layout.addWidget(self.view, 1)
        self.view.fold(folded_at_first(self._items))
        self.search.textChanged.connect(self._fill)
        self.search.moved.connect(self._from_search)
        self.search.returnPressed.connect(self._choose_first)
        self.view.dragged.connect(self.drag_started)
        self.view.picked.connect(self.chosen)
        self._fill()

    @property
    def recent(self) -> tuple[str, ...]:
        """Types placed last, newest first."""
        return tuple(self._recent)

    def used(self, type_id: str) -> None:
        """Put a type on top of the list of recent ones; the rows below stay under the pointer."""
        if type_id in self._recent[:1]:
            return
        before, bar = self._recent_rows(), self.view.verticalScrollBar()
        at = bar.value()
        self._recent = [type_id, *(i for i in self._recent if i != type_id)][:RECENT]
        self._fill()
        self.view.scheduleDelayedItemsLayout()
        self.view.executeDelayedItemsLayout()
        bar.setValue(at + (self._recent_rows() - before) * ROW_HEIGHT)

    def _recent_rows(self) -> int:
        """Rows of the section on top, its head included; none while something is searched."""
        if not self._recent or self.search.text().strip():
            return 0
        return 1 + (0 if self.view.is_folded("Recent") else len(self._recent))

    def shown(self) -> list[str]:
        """Names of the types in the list now, in order."""
        return [item.name for _, item in self._matching()]

    def _matching(self) -> Iterator[tuple[str, PaletteItem]]:
        query = self.search.text().strip()
        if not query:
            by_id = {item.type_id: item for item in self._items}
            yield from (("Recent", by_id[i]) for i in self._recent)
            yield from ((item.section, item) for item in self._items)
            return
        for item in self._items:
            if score(query, f"{item.name} {item.words}") is not None:
                yield item.section, item

    def _fill(self) -> None:
        self.view.show_items(list(self._matching()), bool(self.search.text().strip()))
        self._nothing.setVisible(self.view.is_empty)

    def _from_search(self, step: int) -> None:
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        self.view.select_first(last=step < 0)

    def _choose_first(self) -> None:
        first = self.view.first_type()
        if first:
            self.chosen.emit(first)


class PaletteView(QTreeView):
    """The list itself: sections that fold, rows that can be dragged out.

    Signals:
        dragged(str): the mouse left the press point by more than a few pixels.
        picked(str): double click or Enter.
    """

    dragged = Signal(str)
    picked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.setObjectName("palette")
        self.setAccessibleName("Devices")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setExpandsOnDoubleClick(False)
        self.setItemDelegate(PaletteDelegate(theming, self))
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self._folded: set[str] = set()
        self._press: tuple[QPoint, str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is listed."""
        return self._model.rowCount() == 0

    def fold(self, sections: set[str]) -> None:
        """Fold these sections from now on."""
        self._folded = set(sections)

    def is_folded(self, section: str) -> bool:
        """Whether a section is folded, as long as nothing is searched."""
        return section in self._folded

    def _turn(self, index: _Index) -> None:
        """Fold or open a section."""
        opened = not self.isExpanded(as_index(index))
        self.setExpanded(as_index(index), opened)
        (self._folded.discard if opened else self._folded.add)(str(index.data()))

    def show_items(self, items: list[tuple[str, PaletteItem]], found: bool = False) -> None:
        """List items under their sections; what was `found` by typing shows in folded ones too."""
        folded = set() if found else self._folded
        self._model.clear()
        headers: dict[str, QStandardItem] = {}
        for section, item in items:
            if section not in headers:
                headers[section] = QStandardItem(section)
                headers[section].setFlags(Qt.ItemFlag.ItemIsEnabled)
                self._model.appendRow(headers[section])
            row = QStandardItem(item.name)
            row.setData(item.type_id, TYPE_ROLE)
            row.setData(item.figure, FIGURE_ROLE)
            row.setData(item.icon, ICON_ROLE)
            full = item.full or item.name
            row.setToolTip(tip(f"{full} · {item.figure}" if item.figure else full))
            headers[section].appendRow(row)
        for section, header in headers.items():
            self.setExpanded(header.index(), section not in folded)

    def type_at(self, index: _Index) -> str:
        """The type of a row, "" for a section."""
        return str(index.data(TYPE_ROLE) or "") if index.isValid() else ""

    def _type_rows(self) -> Iterator[QModelIndex]:
        for section in range(self._model.rowCount()):
            header = self._model.index(section, 0)
            for row in range(self._model.rowCount(header)):
                yield self._model.index(row, 0, header)

    def first_type(self) -> str:
        """The first type listed, "" if there is none."""
        return next((self.type_at(index) for index in self._type_rows()), "")

    def select_first(self, last: bool = False) -> None:
        """Go to the first (or last) type."""
        found = list(self._type_rows())
        if found:
            self.setCurrentIndex(found[-1 if last else 0])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold a section, or remember where a drag may begin."""
        index = self.indexAt(event.position().toPoint())
        type_id = self.type_at(index)
        self._press = None
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            if not type_id:
                self._turn(index)
                return
            self._press = (event.position().toPoint(), type_id)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin a drag once the mouse has moved far enough."""
        if self._press is None:
            super().mouseMoveEvent(event)
            return
        start, type_id = self._press
        moved = (event.position().toPoint() - start).manhattanLength()
        if moved >= QApplication.startDragDistance() // 2:
            self._press = None
            self.dragged.emit(type_id)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Forget the press."""
        self._press = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Place the type."""
        self._press = None
        type_id = self.type_at(self.indexAt(event.position().toPoint()))
        if type_id:
            self.picked.emit(type_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter places the type, or folds the section."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            index = self.currentIndex()
            if type_id := self.type_at(index):
                self.picked.emit(type_id)
            elif index.isValid():
                self._turn(index)
            return
        super().keyPressEvent(event)


class PaletteDelegate(QStyledItemDelegate):
    """Paints a section as a caption with a chevron, a type as icon, name and figure."""

    def __init__(self, theming: Theming, view: QTreeView) -> None:
        super().__init__(view)
        self._theming, self._view = theming, view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Every row is as high."""
        return QSize(120, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        painter.save()
        if index.data(TYPE_ROLE):
            self._paint_type(painter, option, index)
        else:
            self._paint_section(painter, option, index)
        painter.restore()

    def _paint_section(
        self, painter: QPainter, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        theme, rect = self._theming.theme, option.rect
        opened = self._view.isExpanded(as_index(index))
        icon = theme.icon("chevron-down" if opened else "chevron-right", "text.tertiary", 14)
        icon.paint(painter, QRect(rect.left() + 11, rect.center().y() - 6, 14, 14))
        painter.setFont(font("section"))
        painter.setPen(theme.color("text.secondary"))
        painter.drawText(rect.adjusted(28, 0, -8, 0), _MIDDLE, str(index.data()))

    def _paint_type(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, rect = self._theming.theme, QRect(option.rect)
        state = option.state
        plate = rect.adjusted(6, 1, -6, -1)
        for flag, token in (
            (QStyle.StateFlag.State_Selected, "surface.selected"),
            (QStyle.StateFlag.State_MouseOver, "surface.hover"),
        ):
            if state & flag:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(token))
                painter.drawRoundedRect(plate, 4, 4)
                break
        icon = theme.icon(str(index.data(ICON_ROLE)), "text.primary", 18)
        icon.paint(painter, QRect(rect.left() + 14, rect.center().y() - 8, 18, 18))
        self._paint_words(painter, rect.adjusted(40, 0, -12, 0), index)

    def _paint_words(self, painter: QPainter, rect: QRect, index: _Index) -> None:
        theme, figure = self._theming.theme, str(index.data(FIGURE_ROLE))
        painter.setFont(font("caption"))
        painter.setPen(theme.color("text.tertiary"))
        painter.drawText(rect, _RIGHT, figure)
        taken = painter.fontMetrics().horizontalAdvance(figure) + 8 if figure else 0
        painter.setFont(font("body", 500))
        painter.setPen(theme.color("text.primary"))
        room = rect.adjusted(0, 0, -taken, 0)
        name = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _MIDDLE, name)


def as_index(index: _Index) -> QModelIndex:
    """The plain index that a delegate was given."""
    return index.model().index(index.row(), index.column(), index.parent())


_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
