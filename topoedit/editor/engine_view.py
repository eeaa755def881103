"""What the window shows of the engine: state in words, progress line, and where a click leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoedit.app.protocol import AnyQuestion
    from topoedit.editor.analysis_link import AnalysisLink, Engine
    from topoedit.editor.questions import Questions, Then
    from topoedit.editor.rule_watch import RuleWatch
    from topoedit.editor.session import DocumentSession
    from topoedit.editor.step_watch import StepWatch
    from topoedit.editor.trace_watch import TraceWatch
    from topoedit.editor.window import MainWindow


class EngineView:
    """The engine of one window; without one nothing is analysed and everything else works."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._link: AnalysisLink | None = None
        self._questions: Questions | None = None
        self._rules: RuleWatch | None = None
        self._traces: TraceWatch | None = None
        self._steps: StepWatch | None = None

    def use(self, engine: Engine) -> None:
        """Analyse every drawing with this engine from now on."""
        from topoedit.editor.analysis_link import AnalysisLink
        from topoedit.editor.questions import Questions
        from topoedit.editor.rule_watch import RuleWatch
        from topoedit.editor.step_watch import StepWatch
        from topoedit.editor.trace_watch import TraceWatch

        self._link = AnalysisLink(engine, self._window)
        self._questions = Questions(engine, self._window)
        self._rules = RuleWatch(self._questions, self._window)
        self._traces = TraceWatch(self._questions, self._window)
        self._steps = StepWatch(self._questions, self._window)
        for session in self._window.documents.sessions():
            self._follow(session)

    def add(self, session: DocumentSession) -> None:
        """A drawing has been opened."""
        session.analysis_state_changed.connect(lambda _state: self.show_state())
        self._follow(session)

    def _follow(self, session: DocumentSession) -> None:
        for part in (self._link, self._rules, self._traces, self._steps):
            if part is not None:
                part.add(session)

    def remove(self, session: DocumentSession) -> None:
        """A drawing is being closed."""
        if self._questions is not None:
            self._questions.forget(session)
        for part in (self._steps, self._traces, self._rules, self._link):
            if part is not None:
                part.remove(session)

    def question(self, session: DocumentSession, question: AnyQuestion, then: Then) -> bool:
        """Ask something about a drawing; False if there is no engine to ask."""
        if self._questions is None:
            return False
        self._questions.ask(session, question, then)
        return True

    def ask(self, session: DocumentSession) -> None:
        """Analyse a drawing once more."""
        if self._link is not None and self._rules is not None:
            self._link.ask(session)
            self._rules.check(session)

    def restart(self) -> None:
        """Start the engine afresh."""
        if self._link is not None:
            self._link.restart()

    def show_state(self) -> None:
        """Show what the engine does for the drawing in front."""
        window, session = self._window, self._window.session
        if session is None:
            window.tool_bar.engine.hide_state()
            window.documents.progress.show_fraction(0)
            return
        state = session.analysis_state
        window.tool_bar.engine.show_state(state)
        window.documents.progress.show_fraction(state.progress if state.kind == "running" else 0)

    def clicked(self) -> None:
        """Restart what has stopped, or show where the state comes from."""
        session = self._window.session
        if session is None:
            return
        kind = session.analysis_state.kind
        if kind == "stopped":
            self.restart()
        else:
            self._window.show_panel("plan" if kind in ("nothing", "refused") else "analysis")
