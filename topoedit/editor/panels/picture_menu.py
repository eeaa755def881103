"""The button that saves what a page shows: kinds of files in a menu, then where to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton

from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton
from topoedit.errors import TopoeditError
from topoedit.io import atomic
from topoedit.units import format_bytes

KINDS = {
    "svg": "SVG, for the web and vector editors…",
    "png": "PNG, for slides and documents…",
    "csv": "CSV, the figures as a table…",
}


class SaveButton(IconButton):
    """Opens a menu of kinds.

    Signals:
        chosen(str): a kind of file.
    """

    chosen = Signal(str)

    def __init__(self, theming: Theming, name: str, kinds: tuple[str, ...]) -> None:
        super().__init__(theming, "export", name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for kind in kinds:
            menu.addAction(KINDS[kind]).triggered.connect(partial(self._choose, kind))
        self.setMenu(menu)

    def _choose(self, kind: str) -> None:
        self.chosen.emit(kind)

    def write(
        self,
        session: DocumentSession,
        what: str,
        kind: str,
        data: Callable[[str], bytes],
        tell: Callable[[str, str], object],
        target: Path | None = None,
    ) -> None:
        """Write a file and say so; without a target, ask for one first.

        Args:
            session: whose drawing it is about; the file is offered beside it.
            what: end of the name offered.
            kind: `svg`, `png` or `csv`.
            data: makes the bytes of a kind.
            tell: takes a line and its severity.
            target: where to.
        """
        if target is None:
            self._ask(
                session, what, kind, lambda to: self.write(session, what, kind, data, tell, to)
            )
            return
        try:
            made = data(kind)
            atomic.write(target, made)
        except TopoeditError as error:
            tell(error.line, "error")
            return
        tell(f"Saved {target.name}, {format_bytes(len(made))}.", "ok")

    def _ask(
        self, session: DocumentSession, what: str, kind: str, then: Callable[[Path], None]
    ) -> None:
        dialog = QFileDialog(self.window(), "Save")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{kind.upper()} (*.{kind})")
        dialog.setDefaultSuffix(kind)
        folder = session.path.parent if session.path is not None else Path.cwd()
        stem = session.title.removesuffix(".json").removesuffix(".topo")
        dialog.setDirectory(str(folder))
        dialog.selectFile(f"{stem}-{what}.{kind}")
        dialog.fileSelected.connect(lambda name: then(Path(name)))
        dialog.open()
