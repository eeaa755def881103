"""What a section is: one object in a module of `sections`, from a case to blocks."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from topoedit.errors import BadInputError
from topoedit.reports.report.blocks import Block

if TYPE_CHECKING:
    from topoedit.reports.report.case import Case


@dataclass(frozen=True)
class Section:
    """A section of the report: the object `SECTION` of a module of `sections`.

    Attributes:
        id: lower-case word, for `--sections` and the anchor.
        title: its heading.
        order: where it stands; sections are sorted by it.
        build: its blocks; none if it has nothing to say about this case.
        front: it stands on the first page, not after it.
    """

    id: str
    title: str
    order: int
    build: Callable[[Case], Iterable[Block]]
    front: bool = False


@lru_cache(maxsize=1)
def sections() -> Mapping[str, Section]:
    """All sections by id, in their order."""
    package = importlib.import_module("topoedit.reports.report.sections")
    found: list[Section] = []
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        section = getattr(module, "SECTION", None)
        if isinstance(section, Section):
            found.append(section)
    return {one.id: one for one in sorted(found, key=lambda one: (one.order, one.id))}


def chosen_sections(names: Iterable[str]) -> tuple[Section, ...]:
    """The sections with these ids in the report's own order; all of them for no name.

    Raises:
        BadInputError: there is no such section.
    """
    known = sections()
    wanted = {name.strip().lower() for name in names if name.strip()}
    for name in sorted(wanted - set(known)):
        raise BadInputError(
            f'there is no section "{name}"', "--sections", f"Choose from {', '.join(known)}"
        )
    return tuple(one for one in known.values() if not wanted or one.id in wanted)
