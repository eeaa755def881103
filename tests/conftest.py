"""Set-up shared by every test: no display, no user folders, short Hypothesis runs."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", parent=settings.get_profile("suite"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

_QT_FOLDERS = {"canvas", "editor", "render"}


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, journals and caches of a test never touch the user's."""
    monkeypatch.setenv("TOPOEDIT_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(autouse=True)
def _no_unexpected_logs(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning in the log that no test asked for is a failure."""
    yield
    found = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.WARNING]
    assert not found, f"unexpected log lines: {found}"


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Threads and windows that a test began end with it."""
    threads, windows = set(threading.enumerate()), _windows()
    yield
    left = [t.name for t in threading.enumerate() if t not in threads and t.is_alive()]
    assert not left, f"threads left behind: {left}"
    still = {number: name for number, name in _windows().items() if number not in windows}
    assert not still, f"windows left behind: {still}"


@pytest.fixture(autouse=True)
def _one_application() -> Iterator[None]:
    """A test that paints asks for `qapp`; what it made itself would be in the way of all others."""
    yield
    gui = sys.modules.get("PySide6.QtGui")
    made = None if gui is None else gui.QGuiApplication.instance()
    assert made is None or type(made).__name__ != "QGuiApplication", "this test needs `qapp`"


def _windows() -> dict[int, str]:
    """Top-level widgets that are shown, by their address."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return {}
    return {
        id(w): type(w).__name__ for w in widgets.QApplication.topLevelWidgets() if w.isVisible()
    }


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """The reference material beside a checkout; tests that need it are skipped without it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the reference material is not beside this checkout")
    return folder


_STATUS = pytest.StashKey[int]()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep the verdict for `pytest_unconfigure`."""
    session.config.stash[_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave with the verdict at once when Qt was used.

    After several hundred windows Qt sometimes crashes while Python takes its modules down, when
    every test has been judged and reported; the verdict must not depend on that.
    """
    if "PySide6.QtWidgets" not in sys.modules or _STATUS not in config.stash:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(config.stash[_STATUS])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pure tests first, then those that open windows."""
    items.sort(key=lambda item: bool(_QT_FOLDERS & set(Path(item.path).parts)))


@pytest.fixture
def samples() -> Path:
    """The folder with the sample drawings."""
    from topoedit import paths

    return paths.samples()
