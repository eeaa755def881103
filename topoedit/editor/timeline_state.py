"""The step of one drawing on a time axis: what is asked for, and where the play head stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from topoedit.units import format_seconds

if TYPE_CHECKING:
    from topoedit.engine.timeline_types import Timeline

Classes = tuple[str, ...]


class TimelineState(QObject):
    """Timeline and play head of one drawing; nothing of it is saved or undone.

    Signals:
        changed(): another timeline, or none.
        wanted(): somebody looks at it and has none of this result.
        moved(): the play head stands elsewhere.
        recoloured(): other traffic classes run where it stands.
    """

    changed = Signal()
    wanted = Signal()
    moved = Signal()
    recoloured = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timeline: Timeline | None = None
        self._watched = False
        self._moment: float | None = None
        self._phase: int | None = None
        self.line = ""

    @property
    def timeline(self) -> Timeline | None:
        """The last one, None while there is none."""
        return self._timeline

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at it."""
        return self._watched

    @property
    def moment(self) -> float | None:
        """Where the play head stands, in seconds; None for the whole step."""
        return self._moment

    @property
    def phase(self) -> int | None:
        """Number of the phase chosen."""
        return self._phase

    @property
    def classes(self) -> Classes | None:
        """Traffic classes that run where the play head stands; None for the whole step."""
        made = self._timeline
        if made is None or self._moment is None:
            return None
        if self._phase is not None:
            return (made.phases[self._phase].class_,)
        return classes_at(made, self._moment)

    @property
    def words(self) -> str:
        """The phase in words, "" for the whole step."""
        made, classes = self._timeline, self.classes
        if made is None or classes is None or self._moment is None:
            return ""
        if self._phase is not None:
            return made.phases[self._phase].title
        running = ", ".join(classes) or "no traffic"
        return f"At {format_seconds(self._moment)}: {running}"

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks at it; only then it is kept up to date."""
        self._watched = watched
        if watched and self._timeline is None and not self.line:
            self.wanted.emit()

    def outdated(self) -> None:
        """There is another result; the old timeline stays until the new one is there."""
        if self._watched or self._moment is not None:
            self.wanted.emit()
        else:
            self.drop()

    def drop(self, line: str = "") -> None:
        """Show no timeline; `line` says why there is none."""
        before = self.classes
        self._timeline, self._moment, self._phase, self.line = None, None, None, line
        self.changed.emit()
        self._tell(before)

    def take(self, timeline: Timeline) -> None:
        """Show a timeline; the play head stays at the same phase, or the same share of the step."""
        before, old = self.classes, self._timeline
        title = old.phases[self._phase].title if old and self._phase is not None else ""
        share = self._moment / old.step_time if old and self._moment is not None else None
        self._timeline, self.line, self._phase = timeline, "", None
        if share is not None:
            self._moment = share * timeline.step_time
        same = [n for n, phase in enumerate(timeline.phases) if phase.title == title]
        if same:
            self._phase, self._moment = same[0], middle_of(timeline, same[0])
        self.changed.emit()
        self._tell(before, pace=True)

    def go_to(self, moment: float | None) -> None:
        """Put the play head somewhere; None shows the whole step."""
        made = self._timeline
        if made is None:
            return
        before = self.classes
        self._moment = None if moment is None else min(max(moment, 0.0), made.step_time)
        self._phase = None
        self._tell(before)

    def choose(self, phase: int) -> None:
        """Show one phase alone, the play head in its middle."""
        made = self._timeline
        if made is None or not 0 <= phase < len(made.phases):
            return
        before = self.classes
        self._phase, self._moment = phase, middle_of(made, phase)
        self._tell(before)

    def _tell(self, before: Classes | None, *, pace: bool = False) -> None:
        self.moved.emit()
        if self.classes != before or (pace and before is not None):
            self.recoloured.emit()


def classes_at(timeline: Timeline, moment: float) -> Classes:
    """Traffic classes that may run at a moment, in the order of the phases."""
    running = (
        phase.class_
        for phase in timeline.phases
        if any(start <= moment <= end for start, end in phase.spans)
    )
    return tuple(dict.fromkeys(running))


def middle_of(timeline: Timeline, phase: int) -> float:
    """The middle of the longest time that a phase runs."""
    start, end = max(timeline.phases[phase].spans, key=lambda span: span[1] - span[0])
    return (start + end) / 2
