"""The saved workloads of a drawing: which there are, and the edits that make, name and drop one."""

from __future__ import annotations

import re
from itertools import count

from msgspec.structs import replace

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import SavedWorkload, Settings
from topoedit.model.ports import natural_key

LONGEST = 80
_NUMBERED = re.compile(r"^(.*?) (\d{1,6})$")


def saved_plans(document: Document) -> list[SavedWorkload]:
    """All saved workloads, by name."""
    return sorted(
        document.workloads.values(), key=lambda saved: (natural_key(saved.name), saved.id)
    )


def activate(document: Document, workload_id: str) -> Edit:
    """Analyse with another saved workload from now on.

    Raises:
        BadInputError: there is none with this id.
    """
    saved = _known(document, workload_id)
    if document.settings.active == workload_id:
        return Edit("")
    return Edit(f"Use {saved.name}", put=(_active(document, workload_id),))


def copy(document: Document, workload_id: str) -> Edit:
    """A new workload like another one, in use from now on; the first of `put` is the new one.

    Raises:
        BadInputError: there is none with this id.
    """
    saved = _known(document, workload_id)
    name = free_name(document, saved.name)
    new = replace(saved, id=document.new_id("workload"), name=name)
    return Edit(f"New plan {name}", put=(new, _active(document, new.id)))


def rename(document: Document, workload_id: str, name: str) -> Edit:
    """Another name for a saved workload; an empty edit if it has that name.

    Raises:
        BadInputError: there is none with this id, or the name is empty, too long or taken.
    """
    saved, name = _known(document, workload_id), " ".join(name.split())
    if name == saved.name:
        return Edit("")
    if not name:
        raise BadInputError("a plan needs a name", saved.name)
    if len(name) > LONGEST:
        raise BadInputError("the name is too long", name[:20], f"Use at most {LONGEST} letters")
    if any(other.name == name for other in document.workloads.values()):
        raise BadInputError("another plan has this name", name, "Use another")
    return Edit(f"Rename {saved.name} to {name}", put=(replace(saved, name=name),))


def delete(document: Document, workload_id: str) -> Edit:
    """Drop a saved workload; if it was in use, its neighbour by name is in use after it.

    Raises:
        BadInputError: there is none with this id.
    """
    saved = _known(document, workload_id)
    put: tuple[Settings, ...] = ()
    if document.settings.active == workload_id:
        ids = [one.id for one in saved_plans(document)]
        at = ids.index(workload_id)
        left = [*ids[at + 1 :], *reversed(ids[:at])]
        put = (_active(document, left[0] if left else ""),)
    return Edit(f"Delete plan {saved.name}", put=put, drop=(workload_id,))


def free_name(document: Document, like: str) -> str:
    """A name that no saved workload has: `like` with the next free number."""
    taken = {saved.name for saved in document.workloads.values()}
    numbered = _NUMBERED.match(like)
    base = numbered[1] if numbered else like
    return next(name for n in count(2) if (name := f"{base} {n}") not in taken)


def _known(document: Document, workload_id: str) -> SavedWorkload:
    found = document.element(workload_id)
    if not isinstance(found, SavedWorkload):
        raise BadInputError("there is no such plan", workload_id)
    return found


def _active(document: Document, workload_id: str) -> Settings:
    return replace(document.settings, active=workload_id)
