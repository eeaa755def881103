"""What the charts, the matrix and the list of changes ask of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoedit.app.protocol import AnyQuestion
    from topoedit.editor.questions import Then
    from topoedit.editor.side_panels import SidePanels
    from topoedit.editor.window import MainWindow


def connect_figures(sides: SidePanels, window: MainWindow) -> None:
    """Connect the pages of the bottom panel that ask the engine, and the steps of changes."""

    def ask(question: AnyQuestion, then: Then) -> None:
        if window.session is not None:
            window.ask_question(window.session, question, then)

    def show_step(index: int) -> None:
        window.show_panel("history")
        sides.bottom.history.show_step(index)

    for page in (sides.bottom.plots, sides.bottom.matrix):
        page.asked.connect(ask)
        page.told.connect(window.tell)
    sides.bottom.plots.why_asked.connect(window.explain)
    sides.bottom.matrix.panel_asked.connect(window.show_panel)
    sides.inspector.plan.changes.step_asked.connect(show_step)
