"""Asks the worker for the paths of a trace, again whenever the drawing or the plan changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer

from topoedit.app.protocol import Trace

if TYPE_CHECKING:
    from topoedit.editor.engine_client import Reply
    from topoedit.editor.questions import Questions
    from topoedit.editor.session import DocumentSession

PAUSE_MS = 200


class TraceWatch(QObject):
    """Keeps the traces of all open drawings up to date.

    Args:
        questions: where to ask.
        pause_ms: how long the drawing must stand still.
    """

    def __init__(
        self, questions: Questions, parent: QObject | None = None, pause_ms: int = PAUSE_MS
    ) -> None:
        super().__init__(parent)
        self._questions = questions
        self._sessions: dict[int, tuple[DocumentSession, Callable[[], None]]] = {}
        self._due: dict[int, DocumentSession] = {}
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self._ask_due)

    def add(self, session: DocumentSession) -> None:
        """Trace in a drawing from now on."""
        again = partial(self._soon, session)
        self._sessions[session.key] = (session, again)
        session.trace.wanted.connect(again)
        session.analysis_changed.connect(again)
        session.analysis_input_changed.connect(again)

    def remove(self, session: DocumentSession) -> None:
        """Forget a drawing."""
        known = self._sessions.pop(session.key, None)
        self._due.pop(session.key, None)
        if known is not None:
            for signal in (
                session.trace.wanted,
                session.analysis_changed,
                session.analysis_input_changed,
            ):
                signal.disconnect(known[1])

    def _soon(self, session: DocumentSession) -> None:
        if session.trace.is_active:
            self._due[session.key] = session
            self._timer.start()

    def _ask_due(self) -> None:
        due, self._due = self._due, {}
        for session in due.values():
            trace = session.trace
            question = Trace(trace.start, trace.goal, session.workload)
            self._questions.ask(session, question, partial(self._take, session, question))

    def _take(self, session: DocumentSession, question: Trace, reply: Reply) -> None:
        trace = session.trace
        if (trace.start, trace.goal) != (question.start, question.goal):
            return
        if reply.line:
            trace.refuse(reply.line)
            return
        from topoedit.app.path import Answer

        answer, links = msgspec.msgpack.decode(
            reply.body, type=tuple[Answer, tuple[tuple[str, ...], ...]]
        )
        trace.take(answer, links)
