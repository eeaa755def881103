"""Questions to the engine beside analyses: who asked gets the answer, and only the newest one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, SignalInstance

from topoedit.app.protocol import AnyQuestion

if TYPE_CHECKING:
    from topoedit.editor.engine_client import Reply
    from topoedit.editor.session import DocumentSession


class Answering(Protocol):
    """What this needs of `EngineClient`."""

    @property
    def answered(self) -> SignalInstance:
        """A Reply."""

    def ask(self, key: int, question: AnyQuestion) -> int:
        """Ask about a document; returns the number of the request."""


Then = Callable[["Reply"], None]


class Questions(QObject):
    """Hands every answer to the one who asked."""

    def __init__(self, engine: Answering, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._waiting: dict[tuple[int, type], tuple[int, Then]] = {}
        engine.answered.connect(self._answered)

    def ask(self, session: DocumentSession, question: AnyQuestion, then: Then) -> None:
        """Ask; an older question of the same kind about the same drawing is forgotten."""
        number = self._engine.ask(session.key, question)
        self._waiting[session.key, type(question)] = (number, then)

    def forget(self, session: DocumentSession) -> None:
        """A drawing is being closed."""
        self._waiting = {k: v for k, v in self._waiting.items() if k[0] != session.key}

    def _answered(self, reply: Reply) -> None:
        for place, (number, then) in tuple(self._waiting.items()):
            if number == reply.request:
                del self._waiting[place]
                then(reply)
