"""A drawing that is analysed by the real engine, in this process and when a test says so."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QObject

from topoedit import paths
from topoedit.app import answers
from topoedit.app.analyse import analyse_fabric
from topoedit.app.mirror import Mirror
from topoedit.app.open import open_document
from topoedit.app.protocol import AnyQuestion
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.editor.engine_client import EngineResult, LinkLoads, Reply
from topoedit.editor.engine_state import EngineState
from topoedit.editor.questions import Then
from topoedit.editor.session import DocumentSession
from topoedit.engine.analyse import Result
from topoedit.errors import TopoeditError
from topoedit.model.analysis import Analysis
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload


@lru_cache(maxsize=1)
def whole_catalog() -> Catalog:
    return load_catalog(user=False)


def pod_document(name: str = "pod64-h100") -> Document:
    """64 H100 in 8 servers, a leaf for each rail, four spines."""
    return open_document(paths.samples() / f"{name}.topo.json", whole_catalog()).document


class Analyser(QObject):
    """Analyses one session and answers the questions of its pages at once."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session)
        self.session = session
        document = session.document
        self.mirror = Mirror(document.catalog, document.revision, tuple(document.elements()), "")
        self.result: Result | None = None
        self.asked: list[AnyQuestion] = []
        session.changed.connect(lambda change: self.mirror.document.apply(change.edit))

    def run(self) -> Analysis:
        """Analyse the session as it is and give it the result."""
        workload = self.session.workload
        assert workload is not None
        self.result = analyse_fabric(self.mirror.fabric(), workload, self.session.document.catalog)
        found = self.result.analysis
        self.session.set_analysis_state(EngineState("current", seconds=0.01))
        loads = LinkLoads((), 0, {}, {})
        revision = self.session.document.revision
        self.session.take_result(EngineResult(self.session.key, revision, found, loads, 0.01))
        return found

    def plan(
        self, model: str = "llama-3.1-70b", label: str = "Set plan", **fields: int
    ) -> Analysis:
        """Set a plan and analyse it."""
        self.session.set_workload(Workload(model=model, plan=Plan(**fields)), label)
        return self.run()

    def answer(self, question: AnyQuestion, then: Then) -> None:
        """Answer as the worker does."""
        self.asked.append(question)
        body, line = b"", ""
        try:
            body = answers.answer(question, self.mirror, self.result, lambda: False)
        except TopoeditError as error:
            line = error.line
        revision = self.session.document.revision
        then(Reply(self.session.key, len(self.asked), revision, body, line))
