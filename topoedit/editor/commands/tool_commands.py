"""Tools of the canvas, and what is inserted by a dialog."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.placing import NOTE
from topoedit.editor.shell import Shell, WindowShell


@dataclass
class ToolCommands:
    """Chooses the tool."""

    shell: WindowShell

    def use(self, name: str) -> None:
        """Use a tool."""
        if (canvas := self.shell.canvas) is not None:
            canvas.set_tool(name)
            self.shell.tool_used(name)


@dataclass
class InsertCommands:
    """Wiring by pattern, arrays and notes."""

    shell: Shell

    def wire(self) -> None:
        """Open the dialog that cables many to many."""
        session = self.shell.session
        if session is not None:
            from topoedit.editor.dialogs.wire_dialog import WireDialog

            WireDialog(self.shell, session, self.shell.widget).open()

    def array(self) -> None:
        """Open the dialog that repeats the selection."""
        session = self.shell.session
        if session is not None and session.selection:
            from topoedit.editor.dialogs.array_dialog import ArrayDialog

            ArrayDialog(self.shell, session, self.shell.widget).open()

    def note(self) -> None:
        """Put a note under the pointer, or into the middle, to be written there."""
        if (canvas := self.shell.canvas) is not None:
            canvas.place(NOTE)
