"""Names that number on: `node-08` is followed by `node-09`, `leaf` by `leaf-2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from topoedit.model.document import Document

_TAIL = re.compile(r"(.*?)(\d+)(\D*)")


def successors(name: str) -> Iterator[str]:
    """Names that follow `name`, without end; a leading zero keeps its width.

    >>> names = successors("node-08")
    >>> next(names), next(names)
    ('node-09', 'node-10')
    """
    match = _TAIL.fullmatch(name)
    if match is None:
        head, digits, tail, number = f"{name}-", "", "", 1
    else:
        head, digits, tail = match.groups()
        number = int(digits)
    while True:
        number += 1
        yield f"{head}{number:0{len(digits)}d}{tail}"


@dataclass
class Reservation:
    """Names, ids, cables and ports already promised to elements of an edit in the making."""

    document: Document
    names: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    ports: set[tuple[str, str]] = field(default_factory=set)
    cables: int = 0

    def next_name(self, after: str) -> str:
        """The first free name after `after`."""
        for candidate in successors(after):
            if self.document.named(candidate) is None and candidate not in self.names:
                self.names.add(candidate)
                return candidate
        raise AssertionError("successors never end")

    def new_id(self, base: str) -> str:
        """A free id like `base`."""
        found = self.document.new_id(base, self.ids)
        self.ids.add(found)
        return found

    def new_cables(self, count: int) -> str:
        """A range text of new cable ids."""
        text = self.document.new_cables(count, self.cables)
        self.cables += count
        return text

    def take(self, device: str, ports: Iterable[str]) -> None:
        """Promise ports of a device."""
        self.ports.update((device, port) for port in ports)

    def is_free(self, device: str, port: str) -> bool:
        """Whether a port is neither used nor promised."""
        return (device, port) not in self.ports and port not in self.document.ports_in_use(device)
