"""The HTML file: whole, safe, linked, and without a request to anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from tests.reports.report.conftest import DENSE, HOSTILE, Page, sample
from topoedit.app.report import Made, make_report, write_report
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.paths import resources
from topoedit.reports.report.html import html_bytes

_FETCHES = ("src", "srcset", "data", "poster", "background", "action", "formaction")


@pytest.fixture(scope="module")
def page_text(pod64: Made) -> str:
    return html_bytes(pod64.report, pod64.picture).decode()


def test_nothing_is_fetched(page_text: str) -> None:
    page = Page(page_text)
    for tag, attrs in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "image", "use")
        assert not set(_FETCHES) & set(attrs), (tag, attrs)
        target = attrs.get("href", "#")
        assert target.startswith("#"), target
    assert "@import" not in page_text
    assert "url(" not in page_text
    assert page_text.count("<script") == 1
    policy = next(m["content"] for m in page.all("meta") if "http-equiv" in m)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")


def test_links_lead_to_ids_that_exist_once(page_text: str) -> None:
    page = Page(page_text)
    ids = page.ids()
    assert len(ids) == len(set(ids))
    targets = {attrs["href"][1:] for attrs in page.all("a")}
    assert targets <= set(ids)
    assert {"summary", "rules", "marked"} <= targets
    assert not page.unbalanced


def test_it_says_the_figures_without_script(page_text: str, pod64: Made) -> None:
    text = Page(page_text).text.replace("\u2009", " ")
    assert "Communication costs" in text
    assert {attrs.get("class", "") for attrs in Page(page_text).all("tr")} <= {
        "",
        "strong",
        "marked",
        "strong marked",
    }
    assert "28.8 TB/s" in text
    assert pod64.report.front.marked.replace("\u2009", " ") in text


def test_marks_are_as_many_as_it_says(page_text: str, pod64: Made) -> None:
    marks = [a for a in Page(page_text).all("a") if a.get("class") == "mark"]
    assert len(marks) == pod64.report.marked


def test_plots_and_diagram_are_vectors_with_titles(page_text: str) -> None:
    svgs = re.findall(r"<svg class=\"(plot|diagram)\".*?</svg>", page_text, re.DOTALL)
    assert svgs.count("diagram") == 1
    assert svgs.count("plot") >= 6
    for svg in re.findall(r"<svg class=\"plot\".*?</svg>", page_text, re.DOTALL):
        assert fromstring(svg).find("title") is not None
    diagram = re.search(r"<svg class=\"diagram\".*?</svg>", page_text, re.DOTALL)
    assert diagram is not None
    root = fromstring(diagram.group())
    titles = [node.text for node in root.iter() if node.tag.endswith("title")]
    assert "node-01 – leaf-1\nleaving node-01: 66.2\u2009%\nleaving leaf-1: 66.2\u2009%" in titles
    assert any(title.startswith("leaf-3") for title in titles)
    assert "leaf-1" in {node.text for node in root.iter() if node.tag.endswith("text")}


def test_hostile_names_stay_text(hostile_document: Callable[[], Document]) -> None:
    made = make_report(hostile_document(), DENSE, file="a<b>.topo.json")
    text = html_bytes(made.report, made.picture).decode()
    page = Page(text)
    assert text.count("<script") == 1
    assert "onerror=alert" not in re.sub(r"&lt;img src=x onerror=alert\(2\)&gt;", "", text)
    assert not page.all("img")
    assert HOSTILE.replace("\x00", "\ufffd").replace("\u202e", "\ufffd") in page.text
    assert "\x00" not in text
    assert not page.unbalanced


def test_a_template_of_the_user(pod64: Made, tmp_path: Path) -> None:
    template = tmp_path / "ours.jinja"
    template.write_text(
        "<title>{{ report.name }}</title>{{ '<b>' }}"
        "{% for part in parts %}<h2>{{ part.title }}</h2>{{ part.html }}{% endfor %}"
    )
    target = tmp_path / "out.html"
    write_report(pod64, target, template=template)
    text = target.read_text()
    assert text.startswith("<title>pod64-h100</title>&lt;b&gt;<h2>Design summary</h2>")


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for %}", "line 1"),
        ("\n{{ nothing.here }}", "'nothing' is undefined"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ report.update({}) }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "cannot be filled in"),
        ("{{ range(10000000) | list }}", "cannot be filled in"),
    ],
)
def test_a_bad_template_is_one_line(pod64: Made, tmp_path: Path, template: str, words: str) -> None:
    file = tmp_path / "bad.jinja"
    file.write_text(template)
    with pytest.raises(BadInputError, match=re.escape(words)):
        write_report(pod64, tmp_path / "out.html", template=file)
    assert not (tmp_path / "out.html").exists()


def test_a_template_makes_html_only(pod64: Made, tmp_path: Path) -> None:
    file = tmp_path / "ours.jinja"
    file.write_text("x")
    with pytest.raises(BadInputError, match="a template makes HTML"):
        write_report(pod64, tmp_path / "out.pdf", template=file)


def test_own_resources_name_no_address() -> None:
    for name in ("page.html.jinja", "report.css", "report.js"):
        text = (resources() / "report" / name).read_text(encoding="utf-8")
        assert "://" not in text, name


def test_without_a_diagram_there_is_no_viewer() -> None:
    made = make_report(sample("pod64-h100"), sections=["tiers"])
    assert "viewer" not in Page(html_bytes(made.report, made.picture).decode()).ids()
