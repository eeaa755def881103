"""Keeps the scene in step with the session: edits, loads, layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from topoedit.editor.canvas.loads import LoadView, Moment
from topoedit.model.edits import Change
from topoedit.render.scene import Facts

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage


class Watcher(QObject):
    """Listens to a session for one stage."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self.loads: LoadView | None = None
        session = stage.session
        session.changed.connect(self._follow)
        session.analysis_changed.connect(self._take_loads)
        session.metric_changed.connect(self._take_loads)
        session.analysis_state_changed.connect(lambda _state: self._dim())
        session.layers_changed.connect(self._filter)
        session.selection_changed.connect(self._follow_focus)
        session.labels_changed.connect(stage.repaint_picture)
        session.rules.changed.connect(stage.refresh)
        session.trace.changed.connect(stage.refresh)
        session.ranks.picked.connect(stage.refresh)
        session.timeline.recoloured.connect(self._take_loads)
        self._dimmed = False
        self._filter()
        self._take_loads()

    def _follow(self, change: Change) -> None:
        self._stage.scene.apply(change)
        self._stage.repaint_picture()

    def _take_loads(self) -> None:
        session, scene = self._stage.session, self._stage.scene
        self.loads = None
        if session.loads is None or session.analysis is None:
            scene.clear_loads()
        else:
            self.loads = LoadView(
                session.loads, session.metric, session.traffic_class, self._moment()
            )
            memory = session.analysis.memory
            capacity = memory.capacity_bytes
            share = memory.total_bytes / capacity if capacity else None
            scene.facts = Facts(memory.total_bytes, share)
            scene.set_inner_loads(self.loads.inner_load)
            scene.set_loads(self.loads.drawn_ids, *self.loads.fractions())
        self._dimmed = self._is_dimmed()
        self._stage.recolour_picture()

    def _moment(self) -> Moment | None:
        """The phase that the play head of the timeline stands in."""
        state = self._stage.session.timeline
        classes, made = state.classes, state.timeline
        if classes is None or made is None:
            return None
        return Moment(classes, made.pace, made.step_time)

    def _is_dimmed(self) -> bool:
        session = self._stage.session
        return session.analysis is not None and not session.analysis_is_current

    def _dim(self) -> None:
        """A newer result is on its way: the last one stays, dimmed."""
        if self._is_dimmed() != self._dimmed:
            self._dimmed = not self._dimmed
            self._stage.repaint_picture()

    def _follow_focus(self) -> None:
        if self._stage.in_focus:
            self.refocus()

    def refocus(self) -> None:
        """Dim all but the selection and its neighbours, if that is wanted."""
        wanted = self._stage.in_focus
        self._stage.scene.set_focus(self._stage.session.selection if wanted else ())
        self._stage.repaint_picture()

    def _filter(self) -> None:
        self._stage.scene.set_layers(self._stage.session.layers)
        self._stage.repaint_picture()
