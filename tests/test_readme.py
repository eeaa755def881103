"""The README: what it points at exists, and its tour uses names that the product has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from topoedit.catalog.load import load_catalog
from topoedit.templates.base import templates

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


@pytest.fixture(scope="module")
def text() -> str:
    return README.read_text(encoding="utf-8")


def test_every_local_link_and_picture_exists(text: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_the_tour_names_a_model_that_the_list_shows(text: str) -> None:
    found = re.search(r"choose \*([^*]+)\*", text)
    assert found is not None
    names = {model.name for model in load_catalog(user=False).models.values()}
    assert found.group(1) in names


def test_the_number_of_templates_is_right(text: str) -> None:
    words = ["six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    found = re.search(r"(\w+) ready templates", text)
    assert found is not None
    assert words.index(found.group(1)) + 6 == len(templates())
