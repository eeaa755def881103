"""The command itself: finding sub-commands, errors in one line, exit codes, start-up."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable

import pytest
import typer

import topoedit as package
from tests.cli.conftest import Ran
from topoedit.cli import main as core
from topoedit.errors import BadInputError, CancelledError

Run = Callable[..., Ran]


def test_version(topoedit: Run):
    assert topoedit("--version") == Ran(0, f"topoedit {package.__version__}\n", "")


def test_help_lists_every_command(topoedit: Run):
    ran = topoedit("--help")
    assert ran.code == 0
    for name in core.command_names():
        assert f"  {name} " in ran.out
    assert {"edit", "info", "convert", "formats"} <= set(core.command_names())


@pytest.mark.parametrize("name", core.command_names())
def test_every_command_has_help(topoedit: Run, name: str):
    ran = topoedit(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"topoedit {name}" in ran.out


def test_a_misspelt_command(topoedit: Run):
    ran = topoedit("inof")
    assert ran.code == 2
    assert ran.err.startswith('topoedit: there is no command and no file "inof". Nearest: info')
    assert ran.err.count("\n") == 1


def test_wrong_options_are_one_line(topoedit: Run):
    ran = topoedit("info")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "topoedit: Missing argument 'FILE'. See `topoedit info --help`\n"
    assert "No such option: --jsn" in topoedit("info", "x", "--jsn").err


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make `formats` raise something."""

    def raise_on_run(error: BaseException) -> None:
        from topoedit.cli import formats

        def command() -> None:
            raise error

        def register(app: typer.Typer) -> None:
            app.command("formats")(command)

        monkeypatch.setattr(formats, "register", register)

    return raise_on_run


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (BadInputError("bad", "here", "Mend it"), 2, "here: bad. Mend it"),
        (CancelledError("cancelled"), 1, "cancelled"),
        (KeyboardInterrupt(), 130, ""),
        (MemoryError(), 2, "there is not enough memory for this"),
        (typer.Exit(1), 1, ""),
        (BrokenPipeError(), 0, ""),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 0, ""),
    ],
)
def test_errors_and_their_codes(
    topoedit: Run,
    broken: Callable[[BaseException], None],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    line: str,
):
    monkeypatch.setattr(core, "_silence", lambda stream: None)
    broken(error)
    ran = topoedit("formats")
    assert (ran.code, ran.out) == (code, "")
    assert line in ran.err
    assert ran.err.count("\n") <= 1


def test_a_bug_is_70_and_shows_a_traceback_only_on_request(
    topoedit: Run, broken: Callable[[BaseException], None], monkeypatch: pytest.MonkeyPatch
):
    broken(ZeroDivisionError("a\nb"))
    monkeypatch.delenv("TOPOEDIT_DEBUG", raising=False)
    ran = topoedit("formats")
    assert ran.code == 70
    assert ran.err.count("\n") == 1
    assert "ZeroDivisionError: a b (test_core.py:" in ran.err
    monkeypatch.setenv("TOPOEDIT_DEBUG", "1")
    assert "Traceback" in topoedit("formats").err


@pytest.mark.parametrize("command", [["--version"], ["formats"], ["info", "--help"]])
def test_commands_load_neither_qt_nor_what_they_do_not_need(command: list[str]):
    script = (
        "import sys; from topoedit.cli.main import main; main(sys.argv[1:]); "
        "print([m for m in ('PySide6', 'networkx', 'scipy', 'openpyxl', 'pyqtgraph') "
        "if m in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True
    )
    assert ran.stderr.strip().splitlines()[-1] == "[]"


def test_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "topoedit", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("topoedit ")
