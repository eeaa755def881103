"""One open drawing: document, undo stack, selection, analysis and view state of one tab.

Everything that changes the document in the editor goes through `DocumentSession.apply`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from topoedit.editor.chosen import Chosen
from topoedit.editor.edit_command import EditCommand
from topoedit.editor.engine_state import NOTHING, EngineState
from topoedit.editor.layers import Layers
from topoedit.editor.rank_state import RankState
from topoedit.editor.rule_findings import RuleFindings
from topoedit.editor.timeline_state import TimelineState
from topoedit.editor.totals import Totals
from topoedit.editor.trace_state import TraceState
from topoedit.errors import BadEditError, BadInputError
from topoedit.model.analysis import Analysis
from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit, Change, Edit
from topoedit.model.elements import AnyElement, Device, Group, Link, SavedWorkload, Settings
from topoedit.model.plan import TRAFFIC_CLASSES, Workload

if TYPE_CHECKING:
    from topoedit.editor.beforehand import Made
    from topoedit.editor.bottleneck_classes import BottleneckClasses
    from topoedit.editor.engine_client import EngineResult, LinkLoads
    from topoedit.io.filelock import FileLock

METRICS = ("demand", "utilisation", "phase_share", "bytes")
LabelChoice = Literal["none", "hot", "all"]
LABELS: tuple[LabelChoice, ...] = ("none", "hot", "all")
_keys = count(1)


class JournalLike(Protocol):
    """Where every applied edit is written at once, for recovery after a crash."""

    def append(self, edit: AnyEdit) -> None:
        """Write one edit; raises BadFileError if it cannot."""

    def saved(self, path: Path, digest: str) -> None:
        """Start again from a file that holds everything."""

    def close(self, *, keep: bool = False) -> None:
        """Stop writing; the file goes unless `keep`."""


class DocumentSession(QObject):
    """The state of one tab.

    Attributes:
        key: number of this session among those of the process.
        document, undo_stack: what is edited; change it through `apply` alone.
        totals: counts of the drawing, always up to date.
        made: what was derived from the drawing while it was read, until somebody takes it.
        rules: what the design rules say of it.
        trace: the two ends whose paths are lit.
        timeline: the step on a time axis; ranks: which GPU holds which rank.
        base_hash: hash of the file as it was read or saved.
        kept_hash: hash of a later file that the user chose to replace ("" for none).
        lock: the right to write the file.
        notices: what opening the file had to say.
        input_revision: document revision of the last change that an analysis reads.

    Signals:
        changed(Change): the document has changed, once for each edit, undo or redo.
        selection_changed(): the selected ids are others.
        hover_changed(str): the element under the cursor ("" for none).
        analysis_changed(): there is another result, or none.
        analysis_state_changed(EngineState): what the engine does for this drawing.
        analysis_input_changed(): something that an analysis reads has changed.
        metric_changed(): the figure or the traffic class that colours links.
        layers_changed(): other layers are shown, dimmed or hidden.
        labels_changed(): other labels stand on the links.
        title_changed(): name or unsaved mark.
        refused(str): an edit was not possible; one line says why.
        settled(): what was not saved is saved now, or given up by the user.
        held_changed(): changes are refused from now on, or taken again.
    """

    changed = Signal(object)
    selection_changed = Signal()
    hover_changed = Signal(str)
    analysis_changed = Signal()
    analysis_state_changed = Signal(object)
    analysis_input_changed = Signal()
    metric_changed = Signal()
    layers_changed = Signal()
    labels_changed = Signal()
    title_changed = Signal()
    refused = Signal(str)
    settled = Signal()
    held_changed = Signal()

    def __init__(
        self,
        document: Document,
        path: Path | None = None,
        *,
        title: str = "",
        unsaved: bool = False,
        parent: QObject | None = None,
        made: Made | None = None,
    ) -> None:
        super().__init__(parent)
        self.key = next(_keys)
        self.document = document
        self.totals = Totals(document) if made is None else made.totals
        self.made = made
        self.rules = RuleFindings(document, self)
        self.trace = TraceState(self)
        self.timeline = TimelineState(self)
        self.ranks = RankState(self)
        self.undo_stack = QUndoStack(self)
        self.base_hash = self.kept_hash = ""
        self.lock: FileLock | None = None
        self._read_only = False
        self._hold = ""
        self.journal: JournalLike | None = None
        self.notices: tuple[str, ...] = ()
        self._path = path
        self._title = title
        self._unsaved = unsaved
        self._selection: dict[str, None] = {}
        self._found: Chosen | None = None
        self._hover = ""
        self.input_revision = document.revision
        self._analysis: Analysis | None = None
        self._loads: LinkLoads | None = None
        self._classes: BottleneckClasses | None = None
        self._state: EngineState = NOTHING
        self._metric = METRICS[0]
        self._traffic_class: str | None = None
        self._layers = Layers()
        self._labels: LabelChoice = "hot"
        self._forget = document.listen(self._on_change)
        self.undo_stack.cleanChanged.connect(self._on_clean)

    # -- changing the document -----------------------------------------------------------------

    def apply(self, edit: AnyEdit, merge: str = "") -> bool:
        """Make an edit as one undo step.

        Args:
            edit: what to do; an empty one does nothing.
            merge: edits in a row with the same key that touch the same elements become one step
                (a spin box held down).

        Returns:
            Whether it was made; if not, `refused` has told why and nothing has changed.
        """
        if edit.is_empty or self._is_held():
            return False
        try:
            inverse = self.document.apply(edit)
        except (BadEditError, BadInputError) as error:
            self.refused.emit(error.line)
            return False
        self.undo_stack.push(EditCommand(self.document, edit, inverse, merge))
        return True

    def undo(self) -> None:
        """Take the last step back."""
        if not self._is_held():
            self.undo_stack.undo()

    def redo(self) -> None:
        """Make the step last taken back again."""
        if not self._is_held():
            self.undo_stack.redo()

    @property
    def held(self) -> str:
        """Why the drawing cannot be changed at this moment, "" if it can."""
        return self._hold

    def hold(self, why: str) -> None:
        """Refuse changes for a while, such as "is being saved"; "" takes them again."""
        self._hold = why
        self.held_changed.emit()

    def _is_held(self) -> bool:
        if self._hold:
            self.refused.emit(f"{self.title} {self._hold}. Try again in a moment.")
        return bool(self._hold)

    def _on_change(self, change: Change) -> None:
        self._write_down(change)
        self.totals.follow(change)
        gone = [i for i in change.removed if i not in self.document]
        before = len(self._selection)
        for element_id in gone:
            self._selection.pop(element_id, None)
        self.changed.emit(change)
        if len(self._selection) != before:
            self.selection_changed.emit()
        if self._hover and self._hover in gone:
            self.hover("")
        if change.topology or self._touches_plan(change):
            self.input_revision = change.revision
            self.analysis_input_changed.emit()
        if "document" in change.changed:
            self.title_changed.emit()

    def _write_down(self, change: Change) -> None:
        if self.journal is None:
            return
        try:
            self.journal.append(change.edit)
        except BadInputError as error:
            self.journal = None
            self.refused.emit(error.line)

    def _on_clean(self, _clean: bool) -> None:
        # a method and not a lambda: Qt disconnects it before the stack dies with its parent
        self.title_changed.emit()

    def _touches_plan(self, change: Change) -> bool:
        ids = (*change.added, *change.changed, *change.removed)
        active = self.document.settings.active
        return "document" in ids or (bool(active) and active in ids)

    # -- file ----------------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """The file it was read from or last saved to."""
        return self._path

    @property
    def title(self) -> str:
        """What the tab says."""
        if self._path is not None:
            return self._path.name
        return self._title or self.document.settings.name or "Untitled"

    @property
    def is_clean(self) -> bool:
        """Whether everything has been saved."""
        return self.undo_stack.isClean() and not self._unsaved

    def mark_saved(self, path: Path, base_hash: str = "") -> None:
        """The document as it is now is in the file `path`."""
        self._path, self.base_hash, self._unsaved = path, base_hash, False
        self.kept_hash = ""
        if self.journal is not None:
            self.journal.saved(path, base_hash)
        self.settled.emit()
        self.undo_stack.setClean()
        self.title_changed.emit()

    def mark_unsaved(self) -> None:
        """The file is no longer what is open here."""
        if not self._unsaved:
            self._unsaved = True
            self.title_changed.emit()

    @property
    def is_read_only(self) -> bool:
        """Whether another window has the right to write the file."""
        return self._read_only

    def set_read_only(self, read_only: bool) -> None:
        """Say whether another window has the right to write the file."""
        if read_only != self._read_only:
            self._read_only = read_only
            self.title_changed.emit()

    def close(self) -> None:
        """Let go of the document; the journal is removed, since the user has decided."""
        self._forget()
        if self.journal is not None:
            self.journal.close()
            self.journal = None
        self.settled.emit()

    # -- selection -----------------------------------------------------------------------------

    @property
    def selection(self) -> tuple[str, ...]:
        """Ids of the selected elements, in the order they were selected."""
        return tuple(self._selection)

    def is_selected(self, element_id: str) -> bool:
        """Whether an element is selected."""
        return element_id in self._selection

    def selected(self) -> tuple[AnyElement, ...]:
        """The selected elements."""
        return self._chosen().elements

    def selected_counts(self) -> Mapping[str, int]:
        """How many elements of each kind are selected, by name of the kind (`Device`, `Link`)."""
        return self._chosen().counts

    def _chosen(self) -> Chosen:
        if self._found is None or not self._found.holds_for(self.document, self._selection):
            self._found = Chosen.of(self.document, self._selection)
        return self._found

    def selected_devices(self) -> tuple[Device, ...]:
        """The selected devices."""
        return tuple(e for e in self.selected() if isinstance(e, Device))

    def selected_links(self) -> tuple[Link, ...]:
        """The selected links."""
        return tuple(e for e in self.selected() if isinstance(e, Link))

    def selected_groups(self) -> tuple[Group, ...]:
        """The selected racks, pods, buildings and sites."""
        return tuple(e for e in self.selected() if isinstance(e, Group))

    def select(self, ids: Iterable[str]) -> None:
        """Select exactly these; ids that do not exist are left out."""
        wanted = dict.fromkeys(ids)
        wanted.pop("document", None)
        if not self.document.holds(wanted.keys()):
            wanted = {i: None for i in wanted if i in self.document}
        if list(wanted) == list(self._selection):
            return
        self._selection = wanted
        self.selection_changed.emit()

    def select_also(self, ids: Iterable[str]) -> None:
        """Add to the selection."""
        self.select((*self._selection, *ids))

    def toggle(self, ids: Iterable[str]) -> None:
        """Select those that are not selected, and let go of those that are."""
        wanted = dict(self._selection)
        for element_id in ids:
            if element_id in wanted:
                del wanted[element_id]
            else:
                wanted[element_id] = None
        self.select(wanted)

    def clear_selection(self) -> None:
        """Select nothing."""
        self.select(())

    @property
    def hovered(self) -> str:
        """Id of the element under the cursor ("" for none)."""
        return self._hover

    def hover(self, element_id: str) -> None:
        """Say what is under the cursor."""
        if element_id != self._hover:
            self._hover = element_id
            self.hover_changed.emit(element_id)

    # -- workload and analysis -----------------------------------------------------------------

    @property
    def saved_workload(self) -> SavedWorkload | None:
        """The saved workload that this drawing is analysed with."""
        found = self.document.element(self.document.settings.active)
        return found if isinstance(found, SavedWorkload) else None

    @property
    def workload(self) -> Workload | None:
        """The model and plan that this drawing is analysed with."""
        saved = self.saved_workload
        return None if saved is None else saved.workload

    def set_workload(self, workload: Workload, label: str, merge: str = "") -> bool:
        """Analyse with this model and plan from now on: one undo step that is saved."""
        saved = self.saved_workload
        if saved is not None:
            if saved.workload == workload:
                return False
            named = saved.name != saved.workload.model  # by a person
            name = saved.name if named else workload.model
            changed = SavedWorkload(id=saved.id, extra=saved.extra, name=name, workload=workload)
            return self.apply(Edit(label, put=(changed,)), merge)
        new = SavedWorkload(
            id=self.document.new_id("workload"), name=workload.model, workload=workload
        )
        return self.apply(Edit(label, put=(self._settings_with(new.id), new)), merge)

    def _settings_with(self, active: str) -> Settings:
        from msgspec.structs import replace

        return replace(self.document.settings, active=active)

    @property
    def analysis(self) -> Analysis | None:
        """The last good result; see `analysis_is_current`."""
        return self._analysis

    @property
    def loads(self) -> LinkLoads | None:
        """Figures of every link by direction, of the last good result."""
        return self._loads

    @property
    def bottleneck_classes(self) -> BottleneckClasses | None:
        """Which links each bottleneck of the last good result stands for."""
        return self._classes

    @property
    def analysis_is_current(self) -> bool:
        """Whether the result belongs to the drawing and plan as they are now.

        For the first 0.3 s of a newer run it still says so, so that nothing blinks.
        """
        return self._analysis is not None and self._state.kind == "current"

    def take_result(self, result: EngineResult) -> None:
        """Show the result of an analysis of this document."""
        from topoedit.editor.bottleneck_classes import BottleneckClasses

        self._analysis, self._loads = result.analysis, result.loads
        self._classes = BottleneckClasses.of(result)
        self.analysis_changed.emit()

    def drop_result(self) -> None:
        """Show no result, since there is no model to analyse."""
        if self._analysis is not None:
            self._analysis = self._loads = self._classes = None
            self.analysis_changed.emit()

    @property
    def analysis_state(self) -> EngineState:
        """What the engine does for this drawing."""
        return self._state

    def set_analysis_state(self, state: EngineState) -> None:
        """Say what the engine does."""
        if state != self._state:
            self._state = state
            self.analysis_state_changed.emit(state)

    # -- view ----------------------------------------------------------------------------------

    @property
    def metric(self) -> str:
        """The figure that colours links: one of METRICS."""
        return self._metric

    def set_metric(self, metric: str) -> None:
        """Colour links by another figure."""
        if metric != self._metric and metric in METRICS:
            self._metric = metric
            self.metric_changed.emit()

    @property
    def traffic_class(self) -> str | None:
        """The only traffic class that colours links; None for all."""
        return self._traffic_class

    def set_traffic_class(self, name: str | None) -> None:
        """Colour links by one traffic class alone, or by all."""
        if name != self._traffic_class and (name is None or name in TRAFFIC_CLASSES):
            self._traffic_class = name
            self.metric_changed.emit()

    @property
    def layers(self) -> Layers:
        """Which layers are shown, dimmed or hidden."""
        return self._layers

    def set_layers(self, layers: Layers) -> None:
        """Show, dim or hide other layers."""
        if layers != self._layers:
            self._layers = layers
            self.layers_changed.emit()

    @property
    def labels(self) -> LabelChoice:
        """Which links say their load: one of LABELS."""
        return self._labels

    def set_labels(self, labels: str) -> None:
        """Let other links say their load."""
        found = next((known for known in LABELS if known == labels), self._labels)
        if found != self._labels:
            self._labels = found
            self.labels_changed.emit()
