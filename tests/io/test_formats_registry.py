"""The registry of formats: found by module, by entry point, by content and by suffix."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest

from topoedit.errors import BadFileError, BadInputError
from topoedit.io import formats
from topoedit.io.formats import Exported, Exporter, Importer
from topoedit.io.parsed import Parsed, ParsedNode


def read_lines(text: str, where: str) -> Parsed:
    return Parsed(nodes=tuple(ParsedNode(line, line) for line in text.split()[1:]), cables=())


LINES = Importer(
    "lines", "Lines", (".lin",), lambda head: float(head.startswith("lines")), read_lines
)
OTHER = Exporter("other", "Other CSV", (".csv",), lambda document: Exported(b""))


class Point:
    def __init__(self, found: object) -> None:
        self._found = found

    def load(self) -> object:
        return self._found


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two formats of another package, and something that is none."""
    points = [Point(LINES), Point(OTHER), Point("no format")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    formats._registered.cache_clear()
    yield
    formats._registered.cache_clear()


def test_own_formats_are_found_by_module():
    assert "ibnetdiscover" in formats.all_importers()
    assert {"csv", "graphml"} <= set(formats.all_exporters())


@pytest.mark.usefixtures("plugins")
def test_formats_of_other_packages():
    assert formats.sniff("lines a b", Path("x.txt")) is LINES
    assert formats.importer("lines") is LINES
    rows = {row.id: row for row in formats.known_formats()}
    assert (rows["lines"].reads, rows["lines"].writes) == (True, False)


@pytest.mark.usefixtures("plugins")
def test_a_suffix_of_two_formats_does_not_decide():
    with pytest.raises(BadInputError, match="could be several formats") as caught:
        formats.exporter_for(Path("x.csv"))
    assert "--to: csv, other" in caught.value.line


def test_the_suffix_breaks_a_tie(monkeypatch: pytest.MonkeyPatch):
    first, second = (
        Importer(name, name, (f".{name}",), lambda head: formats.LIKELY, read_lines)
        for name in ("aaa", "zzz")
    )
    monkeypatch.setattr(formats, "_registered", lambda: (first, second))
    assert formats.sniff("x", Path("f.aaa")) is first
    assert formats.sniff("x", Path("f.zzz")) is second


def test_nothing_recognised():
    with pytest.raises(BadFileError, match="`--from` names one"):
        formats.sniff("plain words", Path("x.out"))


def test_unknown_ids():
    with pytest.raises(BadInputError, match="can be read"):
        formats.importer("visio")
    with pytest.raises(BadInputError, match="Nearest: graphml"):
        formats.exporter("grafml")
