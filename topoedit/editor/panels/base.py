"""What every panel shares: it follows one session and lets go of it when another comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession


class SessionPanel(QWidget):
    """A widget that shows one session.

    A subclass names the signals it listens to in `listen` and shows everything anew in `refresh`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._session: DocumentSession | None = None
        self._bound: list[tuple[SignalInstance, Callable[..., None]]] = []

    @property
    def session(self) -> DocumentSession | None:
        """The session shown."""
        return self._session

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another session, or none."""
        for signal, slot in self._bound:
            signal.disconnect(slot)
        self._bound = []
        self._session = session
        if session is not None:
            self.listen(session)
        self.refresh()

    def bind(self, signal: SignalInstance, slot: Callable[..., None]) -> None:
        """Listen to a signal for as long as this session is shown."""
        signal.connect(slot)
        self._bound.append((signal, slot))

    def listen(self, session: DocumentSession) -> None:
        """Bind to the signals of a session."""

    def refresh(self) -> None:
        """Show the session as it is now."""


class TablePage(SessionPanel):
    """A page of the bottom panel.

    Signals:
        visited(tuple): ids to select and centre on.
        counted(int): the number beside its title.
    """

    visited = Signal(object)
    counted = Signal(int)

    def focus_target(self) -> QWidget:
        """What gets the keys when the page is asked for."""
        return self
