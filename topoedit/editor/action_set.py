"""The QActions made from the package `actions`, and what must be so for each to be possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from topoedit.editor.actions import ACTIONS, MENUS, TOOL_BAR, Action, When, action
from topoedit.editor.translating import tr
from topoedit.render.theme import Theme

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession
    from topoedit.editor.shell import Shell

FIRST = frozenset(
    (*TOOL_BAR, "view.zoom_in", "view.zoom_out", "view.left", "view.bottom", "view.inspector")
)
EXCLUSIVE = ("tool.", "view.theme", "view.labels_")


def _count(session: DocumentSession, kinds: str, enough: int) -> bool:
    """Whether enough of the selected elements are of one of the kinds (`Device Group`)."""
    counts = session.selected_counts()
    return sum(counts.get(kind, 0) for kind in kinds.split()) >= enough


_CONDITIONS: Mapping[When, Callable[[DocumentSession], bool]] = {
    "drawing": lambda _s: True,
    "selection": lambda s: bool(s.selection),
    "element": lambda s: len(s.selection) == 1 and _count(s, "Device Group", 1),
    "devices": lambda s: _count(s, "Device", 1),
    "several": lambda s: _count(s, "Device Group", 2),
    "three": lambda s: _count(s, "Device Group", 3),
    "groups": lambda s: _count(s, "Group", 1),
    "failable": lambda s: _count(s, "Device Link", 1),
    "undo": lambda s: s.undo_stack.canUndo(),
    "redo": lambda s: s.undo_stack.canRedo(),
    "workload": lambda s: s.workload is not None,
    "saved_plans": lambda s: len(s.document.workloads) > (s.workload is not None),
}

Controllers = Callable[[], Mapping[str, object]]


class ActionSet(QObject):
    """All commands as QActions of one window.

    Args:
        window: the widget whose shortcuts they are.
        shell: what they act on.
        controllers: gives name -> object when the first command runs; an action's handler
            `file.save` is `controllers()["file"].save`.
        shortcuts: action id -> key sequence chosen in place of the standard one.
    """

    def __init__(
        self,
        window: QWidget,
        shell: Shell,
        controllers: Controllers,
        shortcuts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(window)
        self._shell = shell
        self._extra: dict[When, Callable[[], bool]] = {}
        self._actions: dict[str, QAction] = {}
        self._theme: Theme | None = None
        self._finished = False
        groups = {prefix: QActionGroup(self) for prefix in EXCLUSIVE}
        for spec in ACTIONS:
            made = self._make(spec, controllers, (shortcuts or {}).get(spec.id, spec.shortcut))
            window.addAction(made)
            for prefix, group in groups.items():
                if spec.id.startswith(prefix) and spec.checkable and spec.argument:
                    group.addAction(made)
        self.refresh()

    def _make(self, spec: Action, controllers: Controllers, keys: str) -> QAction:
        made = QAction(tr(spec.text), self)
        made.setObjectName(spec.id)
        made.setCheckable(spec.checkable)
        if keys:
            made.setShortcut(QKeySequence(keys, QKeySequence.SequenceFormat.PortableText))
        made.setToolTip(tooltip(spec, made.shortcut()))
        made.setStatusTip(tr(spec.tip))
        made.triggered.connect(_handler(spec, controllers))
        self._actions[spec.id] = made
        return made

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def set_shortcuts(self, chosen: Mapping[str, str]) -> None:
        """Give every command the keys chosen for it, or its standard ones."""
        for spec in ACTIONS:
            made = self._actions[spec.id]
            keys = chosen.get(spec.id, spec.shortcut)
            made.setShortcut(QKeySequence(keys, QKeySequence.SequenceFormat.PortableText))
            made.setToolTip(tooltip(spec, made.shortcut()))

    def condition(self, when: When, holds: Callable[[], bool]) -> None:
        """Say how a condition that does not depend on the session alone is found out."""
        self._extra[when] = holds

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons of the tool bar in the colours of a theme; the others may follow later."""
        self._theme = theme
        self._draw(lambda spec: spec.id in FIRST)
        if self._finished:
            self.finish_theme()

    def finish_theme(self) -> None:
        """Draw the icons that only menus show."""
        self._finished = True
        self._draw(lambda spec: spec.id not in FIRST)

    def _draw(self, wanted: Callable[[Action], bool]) -> None:
        if self._theme is None:
            return
        for spec in filter(wanted, ACTIONS):
            if spec.icon:
                self._actions[spec.id].setIcon(self._theme.icon(spec.icon))

    def refresh(self) -> None:
        """Enable exactly what is possible now."""
        session = self._shell.session
        holds: dict[When, bool] = {"always": True}
        for when, check in _CONDITIONS.items():
            holds[when] = session is not None and check(session)
        for when, extra in self._extra.items():
            holds[when] = extra()
        for spec in ACTIONS:
            self._actions[spec.id].setEnabled(holds.get(spec.when, False))
        self._name_steps(session)
        self._check_labels(session)

    def _name_steps(self, session: DocumentSession | None) -> None:
        for action_id, text in (
            ("edit.undo", session.undo_stack.undoText() if session else ""),
            ("edit.redo", session.undo_stack.redoText() if session else ""),
        ):
            spec, made = action(action_id), self._actions[action_id]
            made.setText(f"{tr(spec.text)}: {tr(text)}" if text else tr(spec.text))
            made.setToolTip(tooltip(spec, made.shortcut(), text))

    def _check_labels(self, session: DocumentSession | None) -> None:
        """Mark which labels and which rail the drawing in front shows."""
        if session is None:
            return
        self._actions[f"view.labels_{session.labels}"].setChecked(True)
        for rail in range(8):
            alone = session.layers.solo == ("rail", str(rail))
            self._actions[f"view.rail_{rail}"].setChecked(alone)

    def menu(self, title: str, parent: QWidget) -> QMenu:
        """A menu with every action of that title, submenus included."""
        made = QMenu(tr(title), parent)
        submenus: dict[str, QMenu] = {}
        section: int | None = None
        for spec in ACTIONS:
            top, _, below = spec.menu.partition("/")
            if top != title:
                continue
            if below:
                if below not in submenus:
                    submenus[below] = made.addMenu(tr(below))
                submenus[below].addAction(self._actions[spec.id])
                continue
            if section is not None and spec.section != section:
                made.addSeparator()
            section = spec.section
            made.addAction(self._actions[spec.id])
        return made

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Put every menu into a menu bar."""
        menus = {title: self.menu(title, bar) for title in MENUS}
        for title, menu in menus.items():
            menu.setTitle(f"&{tr(title)}")
            bar.addMenu(menu)
        return menus


def tooltip(spec: Action, keys: QKeySequence, step: str = "") -> str:
    """Name, keys and one sentence, at most 280 px wide."""
    plain = tr(spec.text).rstrip("…")
    name = f"{plain}: {step}" if step else plain
    shortcut = keys.toString(QKeySequence.SequenceFormat.NativeText)
    head = f"<b>{_escape(name)}</b>" + (f" &nbsp;{_escape(shortcut)}" if shortcut else "")
    return f"<div style='max-width:280px'>{head}<br>{_escape(tr(spec.tip))}</div>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _handler(spec: Action, controllers: Controllers) -> Callable[[], None]:
    owner, _, method = spec.handler.partition(".")

    def run(*_checked: object) -> None:
        target: Callable[..., None] = getattr(controllers()[owner], method)
        if spec.argument is None:
            target()
        else:
            target(spec.argument)

    return run
