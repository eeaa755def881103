"""Runs the design rules in the worker after every change, once a person pauses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer

from topoedit.app.protocol import Check

if TYPE_CHECKING:
    from topoedit.editor.engine_client import Reply
    from topoedit.editor.questions import Questions
    from topoedit.editor.session import DocumentSession
    from topoedit.model.plan import Workload

PAUSE_MS = 300


class RuleWatch(QObject):
    """Keeps the findings of every open drawing up to date.

    Args:
        questions: where to ask.
        pause_ms: how long the drawing must stand still.
    """

    def __init__(
        self, questions: Questions, parent: QObject | None = None, pause_ms: int = PAUSE_MS
    ) -> None:
        super().__init__(parent)
        self._questions = questions
        self._sessions: dict[int, tuple[DocumentSession, Callable[..., None]]] = {}
        self._due: dict[int, DocumentSession] = {}
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self._ask_due)

    def add(self, session: DocumentSession) -> None:
        """Check a drawing from now on."""
        follow = partial(self._changed, session)
        self._sessions[session.key] = (session, follow)
        session.changed.connect(follow)
        self._soon(session)

    def remove(self, session: DocumentSession) -> None:
        """Forget a drawing."""
        known = self._sessions.pop(session.key, None)
        self._due.pop(session.key, None)
        if known is not None:
            session.changed.disconnect(known[1])

    def check(self, session: DocumentSession) -> None:
        """Check a drawing once more."""
        if session.key in self._sessions:
            self._soon(session)

    def _changed(self, session: DocumentSession, _change: object) -> None:
        session.rules.drawing_changed()
        self._soon(session)

    def _soon(self, session: DocumentSession) -> None:
        self._due[session.key] = session
        self._timer.start()

    def _ask_due(self) -> None:
        due, self._due = self._due, {}
        for session in due.values():
            self._ask(session, session.workload)

    def _ask(self, session: DocumentSession, workload: Workload | None, note: str = "") -> None:
        self._questions.ask(session, Check(workload), partial(self._take, session, workload, note))

    def _take(
        self, session: DocumentSession, workload: Workload | None, note: str, reply: Reply
    ) -> None:
        if session.key not in self._sessions:
            return
        if not reply.line:
            from topoedit.rules.run import Report

            report = msgspec.msgpack.decode(reply.body, type=Report)
            session.rules.take(report, reply.revision, note)
        elif workload is not None and reply.revision >= 0:
            # a plan that cannot exist here: the rules that need none still hold
            self._ask(session, None, reply.line)
