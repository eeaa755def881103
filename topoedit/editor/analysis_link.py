"""Between sessions and the engine: asks when an input changes, hands results and states back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from topoedit.editor.engine_state import NOTHING, EngineState, StateKind
from topoedit.editor.session import DocumentSession
from topoedit.model.document import Document
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.app.protocol import AnyQuestion
    from topoedit.editor.engine_client import EngineResult

QUIET_MS = 300


class Engine(Protocol):
    """What this needs of `EngineClient`."""

    @property
    def started(self) -> SignalInstance:
        """Key of the document whose analysis has begun."""

    @property
    def progressed(self) -> SignalInstance:
        """Key, stage in words, fraction."""

    @property
    def finished(self) -> SignalInstance:
        """An EngineResult."""

    @property
    def failed(self) -> SignalInstance:
        """Key and why there is no result."""

    @property
    def stopped(self) -> SignalInstance:
        """Why the worker does not run."""

    def add(self, key: int, document: Document, folder: Callable[[], str]) -> None:
        """Follow a document."""

    def remove(self, key: int) -> None:
        """Forget a document."""

    def submit(self, key: int, workload: Workload) -> None:
        """Ask for an analysis."""

    def withdraw(self, key: int) -> None:
        """Ask for none."""

    def restart(self) -> None:
        """Start the worker afresh."""

    @property
    def answered(self) -> SignalInstance:
        """The Reply to a question."""

    def ask(self, key: int, question: AnyQuestion) -> int:
        """Ask about a document; returns the number of the request."""


class AnalysisLink(QObject):
    """Keeps the analysis of every open drawing up to date."""

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._sessions: dict[int, DocumentSession] = {}
        self._busy: dict[int, EngineState] = {}
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._show_busy)
        engine.started.connect(lambda key: self._work(key, "", 0.0))
        engine.progressed.connect(self._work)
        engine.finished.connect(self._finished)
        engine.failed.connect(self._failed)
        engine.stopped.connect(self._stopped)

    def add(self, session: DocumentSession) -> None:
        """Analyse a drawing from now on."""
        self._sessions[session.key] = session
        self._engine.add(session.key, session.document, lambda: _folder(session))
        session.analysis_input_changed.connect(lambda: self.ask(session))
        self.ask(session)

    def remove(self, session: DocumentSession) -> None:
        """Forget a drawing."""
        if self._sessions.pop(session.key, None) is not None:
            self._busy.pop(session.key, None)
            self._engine.remove(session.key)

    def ask(self, session: DocumentSession) -> None:
        """Ask for an analysis of a drawing as it is now."""
        if session.key not in self._sessions:
            return
        if session.workload is None or not session.totals.servers:
            self._engine.withdraw(session.key)
            self._busy.pop(session.key, None)
            session.drop_result()
            session.set_analysis_state(NOTHING)
            return
        if session.analysis_state.kind == "refused":
            session.set_analysis_state(EngineState("stale", seconds=_last(session)))
        self._engine.submit(session.key, session.workload)
        self._busy.setdefault(session.key, EngineState("stale", seconds=_last(session)))
        if not self._quiet.isActive():
            self._quiet.start()

    def restart(self) -> None:
        """Start the engine afresh and ask again for every drawing."""
        self._engine.restart()
        for session in self._sessions.values():
            self.ask(session)

    def _work(self, key: int, stage: str, fraction: float) -> None:
        session = self._sessions.get(key)
        if session is None:
            return
        state = EngineState("running", stage, fraction, _last(session))
        self._busy[key] = state
        if not self._quiet.isActive():
            session.set_analysis_state(state)

    def _show_busy(self) -> None:
        """Only what has taken 0.3 s is worth a word."""
        for key, state in self._busy.items():
            self._sessions[key].set_analysis_state(state)

    def _finished(self, result: EngineResult) -> None:
        session = self._sessions.get(result.key)
        if session is None:
            return
        current = result.revision >= session.input_revision
        kind: StateKind = "current" if current else "stale"
        if current:
            self._busy.pop(result.key, None)
        session.set_analysis_state(EngineState(kind, seconds=result.seconds))
        session.take_result(result)

    def _failed(self, key: int, line: str) -> None:
        session = self._sessions.get(key)
        if session is not None:
            self._busy.pop(key, None)
            session.set_analysis_state(EngineState("refused", why=line, seconds=_last(session)))

    def _stopped(self, line: str) -> None:
        self._busy.clear()
        for session in self._sessions.values():
            if session.workload is not None:
                session.set_analysis_state(EngineState("stopped", why=line))


def _last(session: DocumentSession) -> float | None:
    return session.analysis_state.seconds


def _folder(session: DocumentSession) -> str:
    return str(session.path.parent) if session.path is not None else ""
