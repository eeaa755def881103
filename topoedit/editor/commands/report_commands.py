"""The report of the current drawing."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.shell import WindowShell


@dataclass
class ReportCommands:
    """Acts on the current drawing, which stays as it is."""

    shell: WindowShell

    def write(self) -> None:
        """Choose format and sections, then write."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.report_dialog import ReportDialog

        ReportDialog(self.shell, session, self.shell.widget).open()
