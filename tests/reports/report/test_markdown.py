"""The Markdown file: tables that hold, texts that stay texts, the diagram beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.reports.report.conftest import DENSE
from topoedit.app.report import Made, make_report, write_report
from topoedit.model.document import Document
from topoedit.reports.report.markdown import markdown_text
from topoedit.reports.report.safe import markdown

_BAR = re.compile(r"(?<!\\)\|")


def assert_tables_hold(text: str) -> int:
    """Every table has as many cells in each row as in its rule; returns how many there are."""
    count = 0
    for block in text.split("\n\n"):
        rows = block.splitlines()
        if len(rows) < 2 or not re.fullmatch(r"[|:-]+", rows[1]):
            continue
        count += 1
        assert {len(_BAR.split(row)) for row in rows} == {len(_BAR.split(rows[1]))}, block
    return count


def test_tables_hold(pod64: Made) -> None:
    text = markdown_text(pod64.report, "x.svg")
    assert assert_tables_hold(text) > 20
    assert text.startswith("# pod64-h100\n")
    assert "| leaf-spine | 4 | 32 | 64 | 3.20 TB/s | 1.0 : 1 |" in text


def test_links_lead_to_anchors(pod64: Made) -> None:
    text = markdown_text(pod64.report)
    anchors = set(re.findall(r'<a id="([a-z]+)"></a>', text))
    assert set(re.findall(r"\]\(#([a-z]+)\)", text)) <= anchors


def test_hostile_names_stay_text(hostile_document: Callable[[], Document]) -> None:
    made = make_report(hostile_document(), DENSE, file="x|y.topo.json")
    text = markdown_text(made.report)
    assert_tables_hold(text)
    assert "<script" not in text
    assert "<img" not in text
    assert not re.search(r"^# not a heading", text, re.MULTILINE)
    assert text.startswith("# &lt;script&gt;alert(1)&lt;/script&gt; \\| ")


@given(st.text(max_size=60))
def test_any_text_is_one_line_without_markup(text: str) -> None:
    line = markdown(text)
    assert not set("\r\n<>\x00") & set(line)
    assert not _BAR.search(line.replace("\\\\", ""))


def test_without_a_diagram_there_is_one_file(pod64: Made, tmp_path: Path) -> None:
    import msgspec

    from topoedit.reports.report.blocks import Diagram

    front = pod64.report.front
    kept = tuple(block for block in front.blocks if not isinstance(block, Diagram))
    report = msgspec.structs.replace(
        pod64.report, front=msgspec.structs.replace(front, blocks=kept)
    )
    files = write_report(Made(report, pod64.picture, pod64.result), tmp_path / "x.md")
    assert [path.name for path in files] == ["x.md"]
