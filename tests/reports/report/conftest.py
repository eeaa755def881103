"""Reports of the samples, each made once."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from tests.cli.conftest import topoedit
from topoedit import paths
from topoedit.app.open import open_document
from topoedit.app.report import Made, make_report
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload
from topoedit.reports.report.blocks import Block, Report, Table

__all__ = ["topoedit"]

DENSE = Workload(model="llama3-70b", plan=Plan(tp=8, pp=2))
HOSTILE = '<script>alert(1)</script> | "q" & \x00\u202e`x`'


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(user=False)


def sample(name: str) -> Document:
    return open_document(paths.samples() / f"{name}.topo.json").document


@pytest.fixture(scope="session")
def pod64() -> Made:
    """The 64-GPU pod with a plan."""
    return make_report(sample("pod64-h100"), DENSE, file="pod64-h100.topo.json")


@pytest.fixture(scope="session")
def pod64_plain() -> Made:
    """The same without a plan."""
    return make_report(sample("pod64-h100"), file="pod64-h100.topo.json")


def blocks_of(report: Report, part: str) -> tuple[Block, ...]:
    return next(one.blocks for one in report.parts if one.id == part)


def tables_of(report: Report, part: str) -> list[list[list[str]]]:
    """Texts of all tables of a part."""
    return [
        [[cell.text.replace("\u2009", " ") for cell in row.cells] for row in block.rows]
        for block in blocks_of(report, part)
        if isinstance(block, Table)
    ]


class Page(HTMLParser):
    """What a test asks of an HTML file: its tags, ids, links and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self._open: list[str] = []
        self.unbalanced: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "br", "link", "img", "hr"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("script", "style"):
            self.text += data

    def ids(self) -> list[str]:
        return [attrs["id"] for _, attrs in self.tags if "id" in attrs]

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture
def hostile_document(catalog: Catalog) -> Callable[[], Document]:
    """The pod with a name, description, rack and note that want to be more than text."""
    import msgspec

    from topoedit.model.edits import Edit
    from topoedit.model.elements import Note

    def make() -> Document:
        document = sample("pod64-h100")
        first = next(iter(document.devices.values()))
        settings = msgspec.structs.replace(
            document.settings, name=HOSTILE, description=f"{HOSTILE}\n# not a heading"
        )
        renamed = msgspec.structs.replace(first, name="<img src=x onerror=alert(2)>|a")
        note = Note(id="note-1", text="</svg><script>alert(3)</script>")
        document.apply(Edit("Rename", put=(settings, renamed, note)))
        return document

    return make
