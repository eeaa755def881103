"""What the house promises: one-way imports, no Qt in the engine, short files, one way to change."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "topoedit"
SOURCES = sorted(PACKAGE.rglob("*.py"))
QT_FREE = (
    "catalog",
    "model",
    "layout",
    "templates",
    "engine",
    "rules",
    "io",
    "reports",
    "app",
    "cli",
)


def test_imports_keep_their_contracts() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [lint, "--config", ROOT / "pyproject.toml"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_qt_after_importing_everything_but_render_and_editor() -> None:
    modules = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in SOURCES
        if path.relative_to(PACKAGE).parts[0] in QT_FREE
    )
    code = "import importlib, sys\n" + "".join(
        f"importlib.import_module({name!r})\n" for name in modules
    )
    code += (
        "bad = sorted(m for m in sys.modules if m.split('.')[0] in "
        "{'PySide6', 'shiboken6', 'pyqtgraph'})\n"
        "assert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 500, f"{path} is too long"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length < 60, f"{path.name}:{node.lineno} {node.name} has {length} lines"


def test_heavy_libraries_are_not_loaded_by_the_start() -> None:
    code = (
        "import sys, topoedit.cli.main\n"
        "heavy = {'networkx', 'scipy', 'openpyxl', 'pyqtgraph', 'jinja2', 'numpy', 'PySide6'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_only_the_document_changes_its_elements() -> None:
    """Nobody else reaches into the private store of a document."""
    for path in SOURCES:
        if path.parent.name == "model" and path.name in {"document.py"}:
            continue
        text = path.read_text(encoding="utf-8")
        assert "._elements" not in text, f"{path} reaches into a document"


PAINTERS_KEPT = {
    "editor/canvas/picture.py": "an image painted in slices between frames; ended with its canvas",
    "render/paper.py": "a PDF that grows page by page; ended by `finish` or `close`",
}
"""Files whose painter lives longer than a function, and why."""


def test_every_painter_ends_even_if_painting_fails() -> None:
    """Qt takes the program down if a painter is alive on a widget after an exception."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        ended = {id(item.context_expr) for node in ast.walk(tree) for item in _entered(node)}
        bare = [
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"QPainter", "QStylePainter"}
            and id(node) not in ended
        ]
        name = path.relative_to(PACKAGE).as_posix()
        assert bool(bare) == (name in PAINTERS_KEPT), f"{name}: painters without `with` in {bare}"


def _entered(node: ast.AST) -> list[ast.withitem]:
    return node.items if isinstance(node, ast.With) else []
