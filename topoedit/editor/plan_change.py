"""What each change of plan or drawing did to the step: one line a change, the last few kept."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from topoedit.app.change_words import Explained, explain_change, plan_words
from topoedit.editor.session import DocumentSession
from topoedit.model.analysis import Analysis
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import AnyElement, Device, Link
from topoedit.model.operations import plural
from topoedit.model.plan import Workload

KEPT = 6
_NAMED = 2
"""As many elements are named; more are counted."""


@dataclass(frozen=True)
class Entry:
    """One change with what it did.

    Attributes:
        what: the change in words, `TP 4 → 8` or `spine-2 removed`.
        explained: what it did.
        step: name of the undo step; index: how many steps were done after it.
    """

    what: str
    explained: Explained
    step: str
    index: int

    @property
    def line(self) -> str:
        """All in one line."""
        return self.explained.line(self.what)


class ChangeLog(QObject):
    """The last changes of one session, newest first; get it with `ChangeLog.of`.

    A change is explained when the result for it is there. Several changes that the engine has
    taken together are explained together; a plan that is refused leaves no line.

    Signals:
        changed(): there is another line.
    """

    changed = Signal()

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session)
        self._session = session
        self.entries: tuple[Entry, ...] = ()
        self.before_last: Analysis | None = None
        self._result: Analysis | None = None
        self._workload: Workload | None = None
        self._pending: list[Change] = []
        session.changed.connect(self._note)
        session.analysis_changed.connect(self._explain)
        self._explain()

    @classmethod
    def of(cls, session: DocumentSession) -> ChangeLog:
        """The log of a session, begun when it is first asked for."""
        found = session.findChild(cls)
        return found if isinstance(found, cls) else cls(session)

    def _note(self, change: Change) -> None:
        if change.topology and self._result is not None:
            self._pending.append(change)

    def _explain(self) -> None:
        session = self._session
        after, workload = session.analysis, session.workload
        if after is None or workload is None:
            self._result, self._workload, self._pending = None, None, []
            return
        if not session.analysis_is_current or after is self._result:
            return
        before, old = self._result, self._workload
        changes, self._pending = self._pending, []
        self._result, self._workload = after, workload
        if before is None or old is None:
            return
        plan = plan_words(old, workload, (before, after))
        stack = session.undo_stack
        what = "; ".join(words for words in (plan, drawing_words(changes)) if words)
        if not what and changes:
            what = stack.undoText()
        if not what:
            return
        entry = Entry(what, explain_change(before, after), stack.undoText(), stack.index())
        self.before_last = before
        self.entries = (entry, *self.entries)[:KEPT]
        self.changed.emit()


def drawing_words(changes: list[Change]) -> str:
    """What changes did to the drawing that an analysis reads: `spine-2 removed`; "" for nothing."""
    first: dict[str, AnyElement | None] = {}
    last: dict[str, AnyElement | None] = {}
    for change in changes:
        for element_id in (*change.added, *change.changed, *change.removed):
            first.setdefault(element_id, _in(change.inverse, element_id))
            last[element_id] = _in(change.edit, element_id)
    verbs: dict[str, list[AnyElement]] = {}
    for element_id, before in first.items():
        after = last[element_id]
        element = after if after is not None else before
        verb = _verb(before, after)
        if verb and isinstance(element, Device | Link):
            verbs.setdefault(verb, []).append(element)
    return ", ".join(_counted(elements, verb) for verb, elements in verbs.items())


def _in(edit: object, element_id: str) -> AnyElement | None:
    """An element as an edit puts it."""
    if not isinstance(edit, Edit):
        return None
    return next((element for element in edit.put if element.id == element_id), None)


def _verb(before: AnyElement | None, after: AnyElement | None) -> str:
    if before is None and after is None:
        return ""
    if before is None:
        return "added"
    if after is None:
        return "removed"
    if _failed(before) != _failed(after):
        return "failed" if _failed(after) else "restored"
    return "changed" if before != after else ""


def _failed(element: AnyElement) -> bool:
    return isinstance(element, Device | Link) and bool(element.failed)


def _counted(elements: list[AnyElement], verb: str) -> str:
    """`spine-2 removed`, `4 devices removed`; links that go with their devices are not named."""
    devices = [element for element in elements if isinstance(element, Device)]
    if devices:
        if len(devices) <= _NAMED:
            return f"{' and '.join(device.name for device in devices)} {verb}"
        return f"{plural(len(devices), 'device')} {verb}"
    cables = sum(element.count for element in elements if isinstance(element, Link))
    return f"{plural(len(elements), 'link')} ({plural(cables, 'cable')}) {verb}"
