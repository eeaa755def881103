"""The table of pains: complete, and every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import tests.editor.pains

TESTS = Path(__file__).parents[2]
_ROW = re.compile(r"^  (.+): ([\w/]+): (\w+)$", re.MULTILINE)


def test_every_pain_has_a_test_that_exists() -> None:
    rows = _ROW.findall(tests.editor.pains.__doc__ or "")
    assert {int(number) for number, *_ in rows if number.isdecimal()} == set(range(1, 41))
    for _, place, name in rows:
        *folders, module = place.split("/")
        file = TESTS.joinpath(*folders, f"test_{module}.py")
        assert f"def test_{name}(" in file.read_text(encoding="utf-8"), f"{place}: {name}"
