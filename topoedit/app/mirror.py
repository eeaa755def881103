"""The worker's copy of an open document and the arrays made from it, patched edit by edit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.catalog.catalog import Catalog
from topoedit.errors import TopoeditError
from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit, Change
from topoedit.model.elements import AnyElement

if TYPE_CHECKING:
    from topoedit.engine.types import Fabric

MANY_EDITS = 16


class Mirror:
    """A document that follows the editor's, and its compiled fabric.

    Args:
        catalog: the worker's catalogue.
        revision: revision of the editor's document.
        elements: everything it holds.
        folder: where its file is.
    """

    def __init__(
        self, catalog: Catalog, revision: int, elements: tuple[AnyElement, ...], folder: str
    ) -> None:
        self.document = Document(catalog, elements)
        self.revision = revision
        self.folder = Path(folder) if folder else None
        self._fabric: Fabric | None = None
        self.document.listen(self._patch)

    def _patch(self, change: Change) -> None:
        """Bring the arrays up to date at once: a patch reads the document as just changed."""
        if not change.topology or self._fabric is None:
            return
        from topoedit.engine.compile import patch_fabric

        self._fabric = patch_fabric(self._fabric, self.document, change)

    def follow(self, base: int, edits: tuple[AnyEdit, ...]) -> bool:
        """Apply edits that begin at revision `base`; False if some are missing before them."""
        if base != self.revision:
            return False
        if len(edits) > MANY_EDITS:
            self._fabric = None
        try:
            for edit in edits:
                self.document.apply(edit)
        except TopoeditError:
            return False
        self.revision += len(edits)
        return True

    @property
    def topology(self) -> int:
        """A number that changes with everything an analysis reads."""
        return self.document.topology_revision

    def fabric(self) -> Fabric:
        """The arrays of the document as it is now."""
        if self._fabric is None:
            from topoedit.engine.compile import compile_fabric

            self._fabric = compile_fabric(self.document)
        return self._fabric
