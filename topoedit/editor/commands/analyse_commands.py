"""Plan and analysis: run, restart, figure, traffic class, failure, problems."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace
from PySide6.QtCore import Qt

from topoedit.editor import saved_plans
from topoedit.editor.load_view import carried
from topoedit.editor.preferences import save_preferences
from topoedit.editor.session import METRICS, DocumentSession
from topoedit.editor.shell import WindowShell
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Link
from topoedit.model.operations import plural
from topoedit.model.plan import TRAFFIC_CLASSES


@dataclass
class PlanCommands:
    """The model and plan of the current drawing."""

    shell: WindowShell

    def choose_model(self) -> None:
        """Open the list of models."""
        self.shell.show_panel("plan")
        self.shell.sides.inspector.plan.model.open_list()

    def remove(self) -> None:
        """Analyse no model with this drawing; the saved workload stays."""
        session = self.shell.session
        if session is not None and session.workload is not None:
            settings = replace(session.document.settings, active="")
            session.apply(Edit("Remove plan", put=(settings,)))

    def copy(self) -> None:
        """Go on with a new plan like the one in use."""
        self.shell.sides.inspector.plan.switcher.copy()

    def rename(self) -> None:
        """Let the name of the plan in use be typed."""
        self.shell.show_panel("plan")
        self.shell.sides.inspector.plan.switcher.rename()

    def delete(self) -> None:
        """Drop the plan in use."""
        self.shell.sides.inspector.plan.switcher.delete()

    def use_next(self) -> None:
        """Use the next of the saved plans, after the last the first."""
        session = self.shell.session
        if session is None or not (plans := saved_plans.saved_plans(session.document)):
            return
        ids = [saved.id for saved in plans]
        active = session.document.settings.active
        at = ids.index(active) + 1 if active in ids else 0
        session.apply(saved_plans.activate(session.document, ids[at % len(ids)]))


@dataclass
class AnalyseCommands:
    """The engine and what it found."""

    shell: WindowShell

    def run(self) -> None:
        """Analyse once more."""
        if (session := self.shell.session) is not None:
            self.shell.ask_engine(session)

    def restart(self) -> None:
        """Start the engine afresh."""
        self.shell.restart_engine()

    def next_metric(self) -> None:
        """Colour by the next figure."""
        if (session := self.shell.session) is not None:
            at = METRICS.index(session.metric)
            session.set_metric(METRICS[(at + 1) % len(METRICS)])

    def next_class(self) -> None:
        """Colour by the next traffic class that loads a link; after the last, by all."""
        if (session := self.shell.session) is not None:
            used, now = carried(session.loads), session.traffic_class
            at = -1 if now is None else TRAFFIC_CLASSES.index(now)
            session.set_traffic_class(
                next((name for name in TRAFFIC_CLASSES[at + 1 :] if name in used), None)
            )

    def fail(self) -> None:
        """Take devices and links out of service; put them back if all of them are out."""
        session = self.shell.session
        if session is not None:
            session.apply(fail_edit(session))

    def next_problem(self) -> None:
        """Go to the next problem."""
        self.shell.sides.bottom.problems.step(1)

    def previous_problem(self) -> None:
        """Go to the problem before."""
        self.shell.sides.bottom.problems.step(-1)


def fail_edit(session: DocumentSession) -> Edit:
    """The edit that fails the selected devices and links, or restores them if all have failed."""
    chosen = [e for e in session.selected() if isinstance(e, Device | Link)]
    restore = all(e.failed for e in chosen)
    put: list[AnyElement] = []
    for element in chosen:
        if isinstance(element, Device):
            put.append(replace(element, failed=not restore))
        else:
            put.append(replace(element, failed=0 if restore else element.count))
    verb = "Restore" if restore else "Fail"
    return Edit(f"{verb} {plural(len(put), 'element')}", put=tuple(put))


@dataclass
class HelpCommands:
    """Shortcut sheet and about box."""

    shell: WindowShell

    def shortcuts(self) -> None:
        """Show every command with its keys."""
        from topoedit.editor.shortcut_sheet import ShortcutSheet

        sheet = ShortcutSheet(self.shell.actions_, self.shell.widget)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()

    def remap(self) -> None:
        """Let the person choose the keys of commands."""
        from topoedit.editor.dialogs.shortcut_dialog import ShortcutDialog

        chosen = self.shell.settings.shortcuts
        shell = self.shell
        dialog = ShortcutDialog(shell.theming, shell.actions_, chosen, shell.widget)
        dialog.accepted.connect(lambda: self._keep(dialog.chosen))
        dialog.open()

    def _keep(self, chosen: dict[str, str]) -> None:
        self.shell.settings.shortcuts = chosen
        if line := save_preferences(self.shell.settings):
            self.shell.tell(line, "error")

    def about(self) -> None:
        """Show version and licence."""
        from topoedit.editor.about import about_box

        about_box(self.shell.widget).open()
