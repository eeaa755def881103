"""What the engine is doing for one drawing, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from topoedit.units import THIN_SPACE

StateKind = Literal["nothing", "running", "current", "stale", "refused", "stopped"]


@dataclass(frozen=True)
class EngineState:
    """State of the analysis of one drawing.

    Attributes:
        stage: what runs now, for example "Routing".
        progress: 0 to 1 while it runs.
        seconds: how long the last result took.
        why: one line when there is nothing to analyse, or the plan cannot exist.
    """

    kind: StateKind
    stage: str = ""
    progress: float = 0.0
    seconds: float | None = None
    why: str = ""

    @property
    def words(self) -> str:
        """What the tool bar says beside the dot."""
        if self.kind == "running":
            percent = round(self.progress * 100)
            return f"{self.stage or 'Analysing'}, {percent}{THIN_SPACE}%"
        return {
            "current": "Up to date",
            "stale": "Stale",
            "refused": "No result",
            "stopped": "Stopped",
            "nothing": "Nothing to analyse",
        }[self.kind]

    @property
    def color(self) -> str:
        """Token of the dot."""
        return {
            "current": "severity.ok",
            "running": "severity.info",
            "stale": "severity.warning",
            "refused": "severity.warning",
            "stopped": "severity.error",
            "nothing": "text.tertiary",
        }[self.kind]


NOTHING = EngineState("nothing")
