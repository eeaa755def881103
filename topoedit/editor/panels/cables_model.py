"""Every link as a row; texts are made only for rows on the screen, so 300,000 cost nothing."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from topoedit.editor.panels.tables import ID_ROLE, LEFT, RIGHT, HeadedModel
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.tips import tip
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.units import UNKNOWN

HEADS = ("Cables", "From", "Ports", "To", "Ports", "Medium", "Rate", "Length", "Network", "State")
_RIGHT = (6, 7)


class CablesModel(HeadedModel):
    """Links of a drawing, filtered by text or by the selection, sorted by a column."""

    heads = HEADS
    right = frozenset(_RIGHT)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: DocumentSession | None = None
        self.ids: list[str] = []
        self._filter = ""
        self._only_selected = False
        self._sort: tuple[int, bool] | None = None

    def show_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self._session = session
        self.rebuild()

    def set_filter(self, text: str, only_selected: bool) -> None:
        """Show only links with this text, or only those of the selection."""
        self._filter, self._only_selected = text.strip().casefold(), only_selected
        self.rebuild()

    @property
    def only_selected(self) -> bool:
        """Whether only links of the selection are shown."""
        return self._only_selected

    def rebuild(self) -> None:
        """List the links anew."""
        self.beginResetModel()
        self.ids = [] if self._session is None else self._wanted(self._session)
        if self._sort is not None and self._session is not None:
            self._apply_sort(self._session.document)
        self.endResetModel()

    def _wanted(self, session: DocumentSession) -> list[str]:
        document = session.document
        ids: list[str] = list(document.links)
        if self._only_selected:
            chosen = dict.fromkeys(
                link_id
                for element_id in session.selection
                for link_id in (
                    (element_id,) if element_id in document.links else document.links_of(element_id)
                )
            )
            ids = list(chosen)
        if self._filter:
            words = self._filter.split()
            ids = [i for i in ids if _matches(document, document.links[i], words)]
        return ids

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 leaves the order of the drawing."""
        self._sort = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self.rebuild()

    def _apply_sort(self, document: Document) -> None:
        if self._sort is None:
            return
        column, descending = self._sort
        if column in _RIGHT:
            field = "gbps" if column == 6 else "length_m"
            missing = float("-inf") if descending else float("inf")

            def number(link_id: str) -> float:
                value = getattr(document.links[link_id], field)
                return missing if value is None else float(value)

            self.ids.sort(key=number, reverse=descending)
            return
        from topoedit.model.ports import natural_key

        def text(link_id: str) -> object:
            return natural_key(cell_text(document, document.links[link_id], column))

        self.ids.sort(key=text, reverse=descending)  # type: ignore[arg-type]

    # -- what Qt asks --------------------------------------------------------------------------

    def rows_shown(self) -> int:
        """Number of links shown."""
        return len(self.ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if self._session is None or not index.isValid():
            return None
        link_id = self.ids[index.row()]
        if role == ID_ROLE:
            return link_id
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() in _RIGHT else LEFT
        link = self._session.document.links.get(link_id)
        if link is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = cell_text(self._session.document, link, index.column())
        return tip(text) if role == Qt.ItemDataRole.ToolTipRole else text


def cell_text(document: Document, link: Link, column: int) -> str:
    """The text of one cell."""
    if column == 0:
        return link.cables
    if column in (1, 3):
        end = link.a if column == 1 else link.b
        device = document.devices.get(end.device)
        return end.device if device is None else device.name
    if column in (2, 4):
        return (link.a if column == 2 else link.b).ports
    if column == 5:
        medium = document.catalog.media.get(link.medium)
        return medium.name if medium is not None else link.medium or UNKNOWN
    if column == 6:
        rate = UNKNOWN if link.gbps is None else f"{link.gbps:g} Gb/s"
        return f"{link.count} × {rate}" if link.count > 1 else rate
    if column == 7:
        if link.km is not None:
            return f"{link.km:g} km"
        return UNKNOWN if link.length_m is None else f"{link.length_m:g} m"
    if column == 8:
        return link.network if link.plane is None else f"{link.network}, plane {link.plane}"
    if link.failed:
        return f"{link.failed} of {link.count} failed"
    return "planned" if link.planned else ""


def _matches(document: Document, link: Link, words: list[str]) -> bool:
    ends = (document.devices[end.device].name + " " + end.ports for end in (link.a, link.b))
    names = " ".join((*ends, link.cables, link.medium, link.network, *link.tags)).casefold()
    return all(word in names for word in words)
