"""Links inside a PDF: Qt writes none, so they are added as an incremental update of its file.

PDF 1.4 (ISO 32000-1, 7.5.6 incremental updates, 12.3 destinations and outlines, 12.5 annotations):
the file stays as it is, and new versions of the pages' lists of annotations and of the catalogue
follow it. Places come in pixels of 96 an inch from the top left; PDF counts points from the bottom.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

POINTS = 72 / 96


class Place(NamedTuple):
    """Where something is: the page from 1, and its top."""

    page: int
    y: float


class Link(NamedTuple):
    """A rectangle on a page that leads to an anchor."""

    page: int
    x: float
    y: float
    w: float
    h: float
    target: str


def with_links(
    data: bytes,
    links: Sequence[Link],
    anchors: Mapping[str, Place],
    outline: Sequence[tuple[str, str]],
) -> bytes:
    """The PDF with links and bookmarks.

    Args:
        data: a file with a plain table of objects, as QPdfWriter writes it.
        links: rectangles and the anchors they lead to; those to nowhere are left out.
        anchors: places by id.
        outline: title and anchor of each bookmark.

    Raises:
        ValueError: the file is not of that kind.
    """
    update = _Update(data)
    for page, number in enumerate(update.pages, start=1):
        here = [link for link in links if link.page == page and link.target in anchors]
        if here:
            made = [update.add(_annotation(update, link, anchors[link.target])) for link in here]
            update.put(update.annotations_of(number), f"[{' '.join(f'{n} 0 R' for n in made)}]")
    entries = [(title, anchors[target]) for title, target in outline if target in anchors]
    if entries:
        update.outline(entries)
    return update.finished()


def _annotation(update: _Update, link: Link, place: Place) -> str:
    left, right = link.x * POINTS, (link.x + link.w) * POINTS
    top, bottom = update.height - link.y * POINTS, update.height - (link.y + link.h) * POINTS
    return (
        f"<< /Type /Annot /Subtype /Link /Border [0 0 0] "
        f"/Rect [{left:.2f} {bottom:.2f} {right:.2f} {top:.2f}] /Dest {update.target(place)} >>"
    )


class _Update:
    """Objects that are added to a PDF, or put in the place of old ones."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        trailer = data[data.rindex(b"trailer") :]
        self._size = _number(trailer, rb"/Size (\d+)")
        self._root = _number(trailer, rb"/Root (\d+) 0 R")
        self._previous = _number(trailer, rb"startxref\s+(\d+)")
        rest = re.search(rb"/Info .*(?=>>)", trailer, re.DOTALL)
        self._keep = re.sub(rb"/Root \d+ 0 R", b"", rest.group()) if rest else b""
        self._offsets = self._read_table()
        self._new: dict[int, bytes] = {}
        tree = self._object(_number(self._object(self._root), rb"/Pages (\d+) 0 R"))
        kids = re.search(rb"/Kids\s*\[(.*?)\]", tree, re.DOTALL)
        self.pages = [int(n) for n in re.findall(rb"(\d+) 0 R", kids.group(1))] if kids else []
        box = re.search(rb"/MediaBox \[[\d.]+ [\d.]+ [\d.]+ ([\d.]+)", self._object(self.pages[0]))
        self.height = float(box.group(1)) if box else 842.0

    def _read_table(self) -> dict[int, int]:
        table = re.match(rb"xref\s+0 (\d+)\s+", self._data[self._previous :])
        if table is None:
            raise ValueError("no table of objects")
        start = self._previous + table.end()
        rows = (
            self._data[start + 20 * n : start + 20 * n + 10] for n in range(int(table.group(1)))
        )
        return {number: int(row) for number, row in enumerate(rows)}

    def _object(self, number: int) -> bytes:
        start = self._offsets[number]
        return self._data[start : self._data.index(b"endobj", start)]

    def annotations_of(self, page: int) -> int:
        """Number of the object that lists a page's annotations."""
        return _number(self._object(page), rb"/Annots (\d+) 0 R")

    def target(self, place: Place) -> str:
        """A destination: the page with its top at a place."""
        top = self.height - max(place.y, 0.0) * POINTS
        return f"[{self.pages[place.page - 1]} 0 R /XYZ 0 {top:.2f} null]"

    def add(self, text: str) -> int:
        """A new object; its number."""
        number = self._size
        self._size += 1
        self._new[number] = text.encode("latin-1")
        return number

    def put(self, number: int, text: str) -> None:
        """A new version of an object."""
        self._new[number] = text.encode("latin-1")

    def outline(self, entries: Sequence[tuple[str, Place]]) -> None:
        """Bookmarks, one below the other."""
        root = self.add("")
        first = self._size
        last = first + len(entries) - 1
        for number, (title, place) in enumerate(entries, start=first):
            before = f"/Prev {number - 1} 0 R " if number > first else ""
            after = f"/Next {number + 1} 0 R " if number < last else ""
            words = title.encode("utf-16-be").hex().upper()
            self.add(
                f"<< /Title <FEFF{words}> /Parent {root} 0 R {before}{after}"
                f"/Dest {self.target(place)} >>"
            )
        count = len(entries)
        self.put(root, f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {count} >>")
        catalogue = self._object(self._root)
        inner = catalogue[catalogue.index(b"<<") + 2 : catalogue.rindex(b">>")].decode("latin-1")
        self.put(self._root, f"<<{inner}/Outlines {root} 0 R\n/PageMode /UseOutlines\n>>")

    def finished(self) -> bytes:
        """The file with the update behind it."""
        if not self._new:
            return self._data
        parts, at = [self._data], len(self._data)
        places: dict[int, int] = {}
        for number, body in sorted(self._new.items()):
            places[number] = at
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
            at += len(parts[-1])
        rows = b"".join(
            b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items()
        )
        head = b"trailer\n<<\n/Size %d\n/Root %d 0 R\n/Prev %d\n" % (
            self._size, self._root, self._previous,
        )  # fmt: skip
        parts.append(
            b"xref\n0 1\n0000000000 65535 f \n%b%b%b>>\nstartxref\n%d\n%%%%EOF\n"
            % (rows, head, self._keep, at)
        )
        return b"".join(parts)


def _number(data: bytes, pattern: bytes) -> int:
    found = re.search(pattern, data)
    if found is None:
        raise ValueError(f"no {pattern.decode()} in this PDF")
    return int(found.group(1))
