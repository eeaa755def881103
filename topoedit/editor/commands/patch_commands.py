"""Routing links through patch panels and past them."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.app.patching import unpatch
from topoedit.editor.shell import Shell


@dataclass
class PatchCommands:
    """Acts on the selected links of the current drawing."""

    shell: Shell

    def patch(self) -> None:
        """Open the dialog that routes links through panels."""
        session = self.shell.session
        if session is not None and session.selection:
            from topoedit.editor.dialogs.patch_dialog import PatchDialog

            PatchDialog(self.shell, session, self.shell.widget).open()

    def straighten(self) -> None:
        """Route the selected links past all panels, in one step."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.patch_dialog import chosen_links

        links, _ = chosen_links(session.document, session.selection)
        edit = unpatch(session.document, links)
        if edit.is_empty:
            self.shell.tell("None of these links runs through a patch panel.")
        elif session.apply(edit):
            self.shell.tell(f"{edit.label.replace('Route', 'Routed', 1)}. Ctrl Z brings it back.")
