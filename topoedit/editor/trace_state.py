"""The trace of one drawing: two ends, every path between them, and which path is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from topoedit.app.path import Answer

Lit = tuple[tuple[str, ...], ...]


class TraceState(QObject):
    """What is traced now.

    Signals:
        changed(): other ends, paths or another path in front.
        wanted(): both ends are known; somebody should ask for the paths.
    """

    changed = Signal()
    wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clear()

    def _clear(self) -> None:
        self.start = self.goal = self.line = ""
        self._answer: Answer | None = None
        self._links: Lit = ()
        self._chosen = 0

    @property
    def answer(self) -> Answer | None:
        """The paths found, None while there are none."""
        return self._answer

    @property
    def chosen(self) -> int:
        """Number of the path in front."""
        return self._chosen

    @property
    def is_active(self) -> bool:
        """Whether both ends are given."""
        return bool(self.start and self.goal)

    @property
    def front_links(self) -> tuple[str, ...]:
        """Drawn links of the path in front, hop by hop, with all that are equal to them."""
        return self._links[self._chosen] if self._chosen < len(self._links) else ()

    @property
    def other_links(self) -> tuple[str, ...]:
        """Drawn links of the other paths."""
        front = set(self.front_links)
        every = (link for links in self._links for link in links)
        return tuple(dict.fromkeys(link for link in every if link not in front))

    def ask(self, *, start: str | None = None, goal: str | None = None) -> None:
        """Trace from or to another end; what the other one is stays."""
        self.start = self.start if start is None else start.strip()
        self.goal = self.goal if goal is None else goal.strip()
        self._answer, self._links, self.line, self._chosen = None, (), "", 0
        self.changed.emit()
        if self.is_active:
            self.wanted.emit()

    def take(self, answer: Answer, links: Lit) -> None:
        """Show the paths; the path in front stays if there still is one of its number."""
        self._answer, self._links, self.line = answer, links, ""
        self._chosen = min(self._chosen, max(0, len(answer.paths) - 1))
        self.changed.emit()

    def refuse(self, line: str) -> None:
        """There are no paths; one line says why."""
        self._answer, self._links, self.line = None, (), line
        self.changed.emit()

    def choose(self, number: int) -> None:
        """Bring another path to the front."""
        if self._answer is not None and 0 <= number < len(self._answer.paths):
            self._chosen = number
            self.changed.emit()

    def clear(self) -> None:
        """Trace nothing."""
        self._clear()
        self.changed.emit()
