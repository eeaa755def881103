"""Asks the worker for rank placements and timelines, again whenever there is another result."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, SignalInstance

from topoedit.app.protocol import GroupLinks, Ranks, StepTimeline

if TYPE_CHECKING:
    from topoedit.editor.engine_client import Reply
    from topoedit.editor.questions import Questions
    from topoedit.editor.session import DocumentSession

PAUSE_MS = 120


class StepWatch(QObject):
    """Keeps placements and timelines of all open drawings up to date.

    Args:
        questions: where to ask.
        pause_ms: how long after a result, so that a burst of edits asks once.
    """

    def __init__(
        self, questions: Questions, parent: QObject | None = None, pause_ms: int = PAUSE_MS
    ) -> None:
        super().__init__(parent)
        self._questions = questions
        self._bound: dict[int, list[tuple[SignalInstance, Callable[[], None]]]] = {}
        self._due: dict[int, DocumentSession] = {}
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self.ask_due)

    def add(self, session: DocumentSession) -> None:
        """Follow a drawing from now on."""
        bound = self._bound[session.key] = [
            (session.analysis_changed, partial(self._result, session)),
            (session.timeline.wanted, partial(self._ask_timeline, session)),
            (session.ranks.links_wanted, partial(self._ask_links, session)),
        ]
        for signal, slot in bound:
            signal.connect(slot)
        self._result(session)

    def remove(self, session: DocumentSession) -> None:
        """Forget a drawing."""
        self._due.pop(session.key, None)
        for signal, slot in self._bound.pop(session.key, []):
            signal.disconnect(slot)

    def _result(self, session: DocumentSession) -> None:
        if session.analysis is None:
            session.timeline.drop()
            session.ranks.take(None)
            return
        self._due[session.key] = session
        self._timer.start()

    def ask_due(self) -> None:
        """Ask about every drawing that has another result."""
        due, self._due = self._due, {}
        for session in due.values():
            session.timeline.outdated()
            workload = session.workload
            if workload is not None:
                self._questions.ask(session, Ranks(workload), partial(self._take_ranks, session))

    def _ask_timeline(self, session: DocumentSession) -> None:
        if session.analysis is not None:
            self._questions.ask(session, StepTimeline(), partial(self._take_timeline, session))

    def _ask_links(self, session: DocumentSession) -> None:
        ranks, workload = session.ranks, session.workload
        if workload is None or ranks.rank is None:
            return
        question = GroupLinks(workload, ranks.group, ranks.rank)
        self._questions.ask(session, question, partial(self._take_links, session, question))

    @staticmethod
    def _take_timeline(session: DocumentSession, reply: Reply) -> None:
        from topoedit.app.packing import unpack_timeline

        if session.analysis is None:
            return
        if reply.line:
            session.timeline.drop(reply.line)
        else:
            session.timeline.take(unpack_timeline(reply.body))

    @staticmethod
    def _take_ranks(session: DocumentSession, reply: Reply) -> None:
        from topoedit.app.packing import unpack_ranks

        if session.analysis is not None:
            session.ranks.take(None if reply.line else unpack_ranks(reply.body))

    @staticmethod
    def _take_links(session: DocumentSession, question: GroupLinks, reply: Reply) -> None:
        links = () if reply.line else msgspec.msgpack.decode(reply.body, type=tuple[str, ...])
        session.ranks.take_links(question.rank, question.group, links)
