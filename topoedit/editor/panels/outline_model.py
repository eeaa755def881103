"""The drawing as a tree of groups, devices and notes, fetched level by level."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from topoedit.editor.device_words import KIND_WORDS, element_icon
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import Device, Group, Link, Note
from topoedit.model.operations import devices_inside
from topoedit.model.ports import natural_key
from topoedit.units import UNKNOWN, format_number

ID_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _Node:
    """One row; children are looked up when first asked for."""

    __slots__ = ("children", "element_id", "figure", "parent", "row")

    def __init__(self, element_id: str, parent: _Node | None, row: int) -> None:
        self.element_id, self.parent, self.row = element_id, parent, row
        self.children: list[_Node] | None = None
        self.figure: str | None = None


class OutlineModel(QAbstractItemModel):
    """Groups first, then devices, then notes, each in natural order of names."""

    def __init__(self, theming: Theming, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theming = theming
        self._session: DocumentSession | None = None
        self._root = _Node("", None, 0)

    def show_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self.beginResetModel()
        self._session = session
        self._root = _Node("", None, 0)
        self.endResetModel()

    def follow(self, change: Change) -> bool:
        """Take a change in; returns whether the tree had to be built anew."""
        if not _reshapes(change):
            return False
        self.show_session(self._session)
        return True

    def index_of(self, element_id: str) -> QModelIndex:
        """Index of a device, group or note; an invalid one if it is not in the tree."""
        if self._session is None:
            return QModelIndex()
        node: _Node | None = self._root
        for step in self._path(element_id):
            node = next((c for c in self._children(node) if c.element_id == step), None)
            if node is None:
                return QModelIndex()
        if node is None or node is self._root:
            return QModelIndex()
        return self.createIndex(node.row, 0, node)

    def _path(self, element_id: str) -> list[str]:
        document = self._session.document if self._session is not None else None
        path: list[str] = []
        while element_id and document is not None and len(path) < 16:
            path.insert(0, element_id)
            element = document.element(element_id)
            if isinstance(element, Device):
                element_id = element.group
            elif isinstance(element, Group):
                element_id = element.parent
            else:
                break
        return path

    def _children(self, node: _Node | None) -> list[_Node]:
        if node is None or self._session is None:
            return []
        if node.children is None:
            ids = self._child_ids(self._session, node.element_id)
            node.children = [_Node(i, node, row) for row, i in enumerate(ids)]
        return node.children

    @staticmethod
    def _child_ids(session: DocumentSession, holder: str) -> Iterator[str]:
        document = session.document
        if holder and holder not in document.groups:
            return
        groups = document.subgroups(holder)
        yield from sorted(groups, key=lambda i: natural_key(document.groups[i].name))
        devices = document.members(holder)
        yield from sorted(devices, key=lambda i: natural_key(document.devices[i].name))
        if not holder:
            yield from sorted(document.notes, key=natural_key)

    # -- what Qt asks --------------------------------------------------------------------------

    def _node(self, index: _Index) -> _Node:
        if not index.isValid():
            return self._root
        node = index.internalPointer()
        return node if isinstance(node, _Node) else self._root

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Index of a row."""
        children = self._children(self._node(parent))
        if not (0 <= row < len(children) and 0 <= column < 2):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: _Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        """Index of the row above."""
        node = self._node(index).parent
        if node is None or node is self._root:
            return QModelIndex()
        return self.createIndex(node.row, 0, node)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Number of rows below."""
        return len(self._children(self._node(parent)))

    def hasChildren(self, parent: _Index = QModelIndex()) -> bool:  # noqa: B008
        """Whether there are rows below, without looking them up."""
        node, session = self._node(parent), self._session
        if session is None:
            return False
        holder, document = node.element_id, session.document
        if node is self._root:
            return bool(self._children(node))
        return holder in document.groups and bool(
            document.members(holder) or document.subgroups(holder)
        )

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Name and figure."""
        return 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Name, icon, figure, tooltip and id of a row."""
        session = self._session
        if session is None or not index.isValid():
            return None
        node = self._node(index)
        element = session.document.element(node.element_id)
        if element is None:
            return None
        if role == ID_ROLE:
            return node.element_id
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 1:
            return _RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._figure(session, node) if index.column() else element_name(element)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return self._theming.theme.icon(element_icon(element), size=16)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(element_kind(session, element))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return element_kind(session, element)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 1:
            return self._theming.theme.color("text.tertiary")
        return None

    def _figure(self, session: DocumentSession, node: _Node) -> str:
        if node.figure is None:
            node.figure = _gpu_words(session, node.element_id)
        return node.figure


def element_name(element: object) -> str:
    """What an element is called."""
    if isinstance(element, Device | Group):
        return element.name
    if isinstance(element, Note):
        return element.text.split("\n")[0] or "Note"
    if isinstance(element, Link):
        return f"{element.a.device}:{element.a.ports} → {element.b.device}:{element.b.ports}"
    return ""


def element_kind(session: DocumentSession, element: object) -> str:
    """What an element is, in a few words."""
    if isinstance(element, Device):
        return f"{KIND_WORDS[element.kind]} · {session.document.device_type(element).name}"
    if isinstance(element, Group):
        return element.kind.capitalize()
    return "Note" if isinstance(element, Note) else "Link"


def _gpu_words(session: DocumentSession, element_id: str) -> str:
    document = session.document
    element = document.element(element_id)
    if isinstance(element, Group):
        devices = devices_inside(document, element_id)
    elif isinstance(element, Device) and element.kind == "server":
        devices = [element]
    else:
        return ""
    counts = [document.device_type(device).gpus for device in devices]
    known = sum(count for count in counts if count is not None)
    if not known:
        return UNKNOWN if None in counts else ""
    return f"{format_number(known)} GPU"


def _reshapes(change: Change) -> bool:
    """Whether a change adds, removes, renames or regroups anything in the tree."""
    edit, inverse = change.edit, change.inverse
    if not isinstance(edit, Edit) or not isinstance(inverse, Edit):
        return False
    old = {e.id: _shape(e) for e in inverse.put}
    new = {e.id: _shape(e) for e in edit.put}
    return any(old.get(i) != new.get(i) for i in (*old, *new))


def _shape(element: object) -> tuple[str, ...] | None:
    if isinstance(element, Device):
        return element.name, element.group, element.type, element.kind
    if isinstance(element, Group):
        return element.name, element.parent, element.kind
    return (element.text,) if isinstance(element, Note) else None
