"""What is selected, found once for each selection: it may be 300,000 links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from topoedit.model.document import Document
from topoedit.model.elements import AnyElement


@dataclass(frozen=True, eq=False)
class Chosen:
    """The elements of a selection.

    Attributes:
        elements: in the order they were selected.
        counts: how many of each kind: `Device`, `Link`, `Group`, `Note`…
        ids, revision: the selection and the revision of the document for which this holds.
    """

    elements: tuple[AnyElement, ...]
    counts: Mapping[str, int]
    ids: Collection[str]
    revision: int

    @classmethod
    def of(cls, document: Document, ids: Collection[str]) -> Chosen:
        """Look up a selection."""
        elements = document.present(ids)
        counts = Counter(map(type, elements))
        by_name = {kind.__name__: number for kind, number in counts.items()}
        return cls(elements, by_name, ids, document.revision)

    def holds_for(self, document: Document, ids: Collection[str]) -> bool:
        """Whether this is still what those ids are."""
        return self.ids is ids and self.revision == document.revision
