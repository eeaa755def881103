"""Without a window system the editor says so in one line; it never lets Qt abort."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from topoedit.cli import _display

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="there is always a window system"
)
Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def refused(ran: Ran) -> str:
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    return ran.err


def test_without_a_display(topoedit: Run, samples: Path):
    for arguments in ((), (samples / "dgx-h100.topo.json",), ("edit",)):
        line = refused(topoedit(*arguments))
        assert "there is no display" in line
        assert "analyze" in line


@pytest.mark.parametrize("display", [":4711", "no-such-host.invalid:0", "nonsense", ":"])
def test_a_display_that_does_not_answer(
    topoedit: Run, monkeypatch: pytest.MonkeyPatch, display: str
):
    monkeypatch.setenv("DISPLAY", display)
    assert f'the display "{display}" cannot be reached' in refused(topoedit("edit"))


def test_a_compositor_that_does_not_answer(
    topoedit: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert 'display "wayland-9" cannot be reached' in refused(topoedit("edit"))


def test_a_missing_system_library(topoedit: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setattr(_display, "x_reachable", lambda display: True)
    monkeypatch.setattr(_display, "missing_library", lambda plugin: "libxcb-cursor.so.0")
    line = refused(topoedit("edit"))
    assert "Qt lacks a system library: libxcb-cursor.so.0" in line
    assert "apt install" in line


def test_the_first_display_that_works_is_enough(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setattr(_display, "wayland_reachable", lambda display: False)
    monkeypatch.setattr(_display, "x_reachable", lambda display: True)
    monkeypatch.setattr(_display, "missing_library", lambda plugin: None)
    assert _display.display_problem() is None


def test_a_platform_without_windows_is_fine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen:size=800x600")
    assert _display.display_problem() is None


def test_the_probe_of_a_library(monkeypatch: pytest.MonkeyPatch):
    def refuse(name: str) -> None:
        raise OSError("libfoo.so.1: cannot open shared object file")

    monkeypatch.setattr(_display.ctypes, "CDLL", refuse)
    assert _display.missing_library("offscreen") == "libfoo.so.1"
    assert _display.missing_library("no-such-plugin") is None


def test_qt_that_cannot_be_imported():
    script = (
        "import os, sys; os.environ['QT_QPA_PLATFORM'] = 'offscreen'; "
        "sys.modules['PySide6.QtWidgets'] = None; "
        "from topoedit.cli.main import main; sys.exit(main(['edit']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("topoedit: Qt cannot start: ")
    assert "apt install" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_file_that_is_not_there_never_starts_the_editor(topoedit: Run, tmp_path: Path):
    assert "there is no such file" in refused(topoedit(tmp_path / "no.topo.json"))
