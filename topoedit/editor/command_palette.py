"""Ctrl K: devices, links and commands found by typing; `>`, `@` and `#` narrow it down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from topoedit.editor.action_set import ActionSet
from topoedit.editor.actions import ACTIONS
from topoedit.editor.device_words import element_icon
from topoedit.editor.matching import score
from topoedit.editor.panels.outline_model import element_kind
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import SearchField, columns, label, rows
from topoedit.model.elements import AnyElement, Device, Group, Link
from topoedit.render.theme import font
from topoedit.units import format_number

COMMANDS, DEVICES, TAGS = ">", "@", "#"
MAX_EACH = 8
WIDTH, HEIGHT = 640, 452
HIT_ROLE = Qt.ItemDataRole.UserRole
ItemT = TypeVar("ItemT")
_RANK = re.compile(r"(?:rank\s*:?\s*)?(\d{1,7})", re.IGNORECASE)
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_END = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


@dataclass(frozen=True)
class Hit:
    """One result.

    Attributes:
        section: Ranks, Devices, Links, Tags, Place or Commands; a head is a hit without `does`.
        keys: its shortcut, shown at the right.
        ids: elements it stands for.
        action: id of the command it stands for.
        rank: number of the rank it stands for, -1 for none.
        type_id: what it would place, of the catalogue, or a group or note.
    """

    section: str
    text: str
    note: str = ""
    icon: str = ""
    keys: str = ""
    ids: tuple[str, ...] = ()
    action: str = ""
    rank: int = -1
    type_id: str = ""

    @property
    def is_head(self) -> bool:
        """Whether it only names a section."""
        return not (self.ids or self.action or self.type_id)


def find_elements(session: DocumentSession, query: str, limit: int) -> Iterator[Hit]:
    """Devices and groups by name, then links by their ends and cables."""
    document = session.document
    holders: list[Device | Group] = [*document.devices.values(), *document.groups.values()]
    found = _best(query, holders, lambda e: e.name, limit)
    for element in found:
        yield Hit(
            "Devices",
            element.name,
            element_kind(session, element),
            element_icon(element),
            ids=(element.id,),
        )
    yield from _find_links(session, query, limit, found)


def _find_links(
    session: DocumentSession, query: str, limit: int, near: list[Device | Group]
) -> Iterator[Hit]:
    document = session.document
    exact = document.named(query.strip())
    if isinstance(exact, Device):
        ids = document.links_of(exact.id)
        if ids:
            words = f"{exact.name}, all {format_number(len(ids))} links"
            yield Hit("Links", words, "select", "link", ids=ids)
    cable = document.link_of_cable(query.strip())
    wanted = {cable.id: cable} if cable is not None else {}
    for element in near[:2]:
        if isinstance(element, Device):
            wanted.update((i, document.links[i]) for i in document.links_of(element.id)[:limit])
    if "→" in query or ":" in query or len(document.links) <= 20_000:
        texts = _best(query, list(document.links.values()), link_text, limit)
        wanted.update((link.id, link) for link in texts)
    for link in list(wanted.values())[:limit]:
        count = f"×{link.count}" if link.count > 1 else ""
        yield Hit("Links", link_text(link), count, "link", ids=(link.id,))


def link_text(link: Link) -> str:
    """Both ends of a link with their ports."""
    return f"{link.a.device}:{link.a.ports} → {link.b.device}:{link.b.ports}"


def find_tags(session: DocumentSession, query: str, limit: int) -> Iterator[Hit]:
    """Tags, each standing for everything that has it."""
    found: dict[str, list[str]] = {}
    elements: list[AnyElement] = [
        *session.document.devices.values(),
        *session.document.links.values(),
    ]
    for element in elements:
        for tag in getattr(element, "tags", ()):
            found.setdefault(tag, []).append(element.id)
    for tag in _best(query, sorted(found), lambda text: text, limit):
        yield Hit("Tags", tag, f"{len(found[tag])} elements", "tag", ids=tuple(found[tag]))


def find_ranks(session: DocumentSession, query: str) -> Iterator[Hit]:
    """The rank of a number such as `17`, `rank 17` or `rank:17`, with the GPU that it runs on."""
    found, number = session.ranks.map, _RANK.fullmatch(query.strip())
    if found is None or number is None or int(number[1]) >= found.ranks:
        return
    rank = int(number[1])
    device, index = found.device_of(rank)
    known = session.document.devices.get(device)
    if known is not None:
        note = f"{known.name} GPU {index}, light its groups"
        yield Hit("Ranks", f"Rank {rank}", note, "seating", ids=(device,), rank=rank)


def find_types(session: DocumentSession, query: str, limit: int) -> Iterator[Hit]:
    """What the catalogue has under this name, to be placed."""
    from topoedit.editor.panels.palette import palette_items

    items = palette_items(session.document.catalog)
    for item in _best(query, items, lambda i: f"{i.name} {i.full} {i.words}", limit):
        yield Hit("Place", f"Place {item.name}", item.figure, item.icon, type_id=item.type_id)


def find_commands(actions: ActionSet, query: str, limit: int) -> Iterator[Hit]:
    """Commands that are possible now, by text and tooltip."""
    possible = [
        spec for spec in ACTIONS if actions[spec.id].isEnabled() and spec.id != "edit.commands"
    ]
    for spec in _best(query, possible, lambda a: f"{a.plain} {a.menu} {a.tip}", limit):
        keys = actions[spec.id].shortcut().toString()
        yield Hit(
            "Commands",
            actions[spec.id].text(),
            spec.tip,
            spec.icon or "command",
            keys,
            action=spec.id,
        )


def _best(query: str, items: list[ItemT], text: Callable[[ItemT], str], limit: int) -> list[ItemT]:
    scored = [(s, i) for i, item in enumerate(items) if (s := score(query, text(item))) is not None]
    scored.sort()
    return [items[index] for _, index in scored[:limit]]


class HitModel(QAbstractListModel):
    """Hits under the heads of their sections."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hits: list[Hit] = []

    def show_hits(self, hits: list[Hit]) -> None:
        """Show hits; a head goes before each section."""
        self.beginResetModel()
        self.hits = []
        section = ""
        for hit in hits:
            if hit.section != section:
                section = hit.section
                self.hits.append(Hit(section, section))
            self.hits.append(hit)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of rows, heads included."""
        return 0 if parent.isValid() else len(self.hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text and hit of a row."""
        if not index.isValid():
            return None
        hit = self.hits[index.row()]
        if role == HIT_ROLE:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{hit.text} {hit.note}".strip()
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Heads cannot be chosen."""
        if index.isValid() and self.hits[index.row()].is_head:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class CommandPalette(QFrame):
    """The search window over the drawing.

    Signals:
        visited(tuple): elements to select and zoom to.
        placed(str): the type of which one is to be placed.
    """

    visited = Signal(object)
    placed = Signal(str)

    def __init__(self, theming: Theming, actions: ActionSet, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("overlay")
        self.setAccessibleName("Search devices, links, commands")
        self._actions = actions
        self._session: DocumentSession | None = None
        self.search = SearchField(theming, "Search devices, links, commands")
        self.search.clears_first = False
        self._count = label(role="caption")
        self.model = HitModel(self)
        self.list = QListView()
        self.list.setObjectName("results")
        self.list.setModel(self.model)
        self.list.setItemDelegate(HitDelegate(theming, self.list))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = columns(None, (10, 6, 16, 2), 8)
        top.addWidget(self.search, 1)
        top.addWidget(self._count)
        foot = columns(None, (16, 6, 16, 10), 14)
        for text in ("> commands", "@ devices and links", "# tags"):
            foot.addWidget(label(text, "caption"))
        foot.addStretch(1)
        foot.addWidget(label("Esc closes", "caption"))
        layout = rows(self)
        layout.addLayout(top)
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)
        self.search.textChanged.connect(self._find)
        self.search.moved.connect(self._move)
        self.search.returnPressed.connect(self.accept)
        self.list.clicked.connect(lambda _index: self.accept())

    def open_over(self, session: DocumentSession | None, prefix: str, area: QRect) -> None:
        """Show it over an area of the screen with a prefix typed."""
        self._session = session
        self.search.setText(prefix)
        self._find()
        self.resize(WIDTH, min(HEIGHT, max(240, area.height() - 80)))
        self.move(area.center().x() - WIDTH // 2, area.top() + 40)
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def texts(self, section: str = "") -> list[str]:
        """Texts of the hits, of one section or all."""
        return [h.text for h in self.model.hits if not h.is_head and section in ("", h.section)]

    def _find(self) -> None:
        text = self.search.text()
        kind = text[:1] if text[:1] in (COMMANDS, DEVICES, TAGS) else ""
        query = text[len(kind) :].strip()
        hits: list[Hit] = []
        session = self._session
        each = 40 if kind else MAX_EACH
        if session is not None and kind in ("", DEVICES):
            hits += find_ranks(session, query)
        if session is not None and kind in ("", DEVICES) and (query or kind):
            hits += find_elements(session, query, each)
        if session is not None and kind in ("", TAGS) and (query or kind):
            hits += find_tags(session, query, each)
        if session is not None and not kind and query:
            hits += find_types(session, query, each)
        if kind in ("", COMMANDS):
            hits += find_commands(self._actions, query, each if query else 100)
        self.model.show_hits(hits)
        self._count.setText(f"{len(hits)} result{'' if len(hits) == 1 else 's'}")
        self._move(0)

    def _move(self, step: int) -> None:
        row = self.list.currentIndex().row() if step else -1
        row += step or 1
        hits = self.model.hits
        while 0 <= row < len(hits) and hits[row].is_head:
            row += step or 1
        if 0 <= row < len(hits):
            self.list.setCurrentIndex(self.model.index(row, 0))
            self.list.scrollTo(self.model.index(row, 0))

    def accept(self) -> None:
        """Do what the current hit stands for."""
        index = self.list.currentIndex()
        if not index.isValid():
            return
        hit = self.model.hits[index.row()]
        self.hide()
        if hit.action:
            self._actions[hit.action].trigger()
        elif hit.type_id:
            self.placed.emit(hit.type_id)
        elif hit.ids:
            if hit.rank >= 0 and self._session is not None:
                self._session.ranks.pick(hit.rank)
            self.visited.emit(hit.ids)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        super().keyPressEvent(event)


class HitDelegate(QStyledItemDelegate):
    """Paints a head as a caption, a hit as icon, text, note and keys."""

    def __init__(self, theming: Theming, parent: QObject) -> None:
        super().__init__(parent)
        self._theming = theming

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows of 32 px, heads of 28."""
        return QSize(100, 28 if index.data(HIT_ROLE).is_head else 32)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        theme, rect, hit = self._theming.theme, QRect(option.rect), index.data(HIT_ROLE)
        painter.save()
        if hit.is_head:
            painter.setFont(font("section"))
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(rect.adjusted(16, 4, 0, 0), _MIDDLE, hit.text)
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("surface.pressed"))
                painter.drawRoundedRect(rect.adjusted(8, 1, -8, -1), 4, 4)
            theme.icon(hit.icon, "text.primary", 18).paint(
                painter, QRect(rect.left() + 20, rect.center().y() - 8, 18, 18)
            )
            self._paint_words(painter, rect.adjusted(52, 0, -20, 0), hit)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, hit: Hit) -> None:
        theme = self._theming.theme
        painter.setFont(font("caption"))
        painter.setPen(theme.color("text.tertiary"))
        painter.drawText(rect, _END, hit.keys)
        keys = painter.fontMetrics().horizontalAdvance(hit.keys) + 16 if hit.keys else 0
        room = rect.adjusted(0, 0, -keys, 0)
        painter.setFont(font("body", 600))
        painter.setPen(theme.color("text.primary"))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(hit.text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, _MIDDLE, text)
        rest = room.adjusted(metrics.horizontalAdvance(text) + 12, 0, 0, 0)
        painter.setFont(font("caption"))
        painter.setPen(theme.color("text.secondary"))
        note = painter.fontMetrics().elidedText(hit.note, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, _MIDDLE, note)
