"""Running the command in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from topoedit.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What one run left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object it must be."""
        return json.loads(self.out)


@pytest.fixture
def topoedit(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`topoedit("info", path, "--json")`."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
