"""What stands in the picture of a drawing, and the picture on clipboard and paper."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.layers import Layers
from topoedit.editor.shell import WindowShell
from topoedit.errors import TopoeditError


@dataclass
class PictureCommands:
    """Acts on how the current drawing is shown."""

    shell: WindowShell

    def labels(self, choice: str) -> None:
        """Write loads on no link, on hot ones, or wherever they fit."""
        if (session := self.shell.session) is not None:
            session.set_labels(choice)
            self.shell.actions_.refresh()

    def rail(self, rail: str) -> None:
        """Let one rail stand out; once more shows all."""
        if (session := self.shell.session) is not None:
            session.set_layers(session.layers.only(("rail", rail)))
            self.shell.actions_.refresh()

    def all_layers(self) -> None:
        """Show every layer again."""
        if (session := self.shell.session) is not None:
            session.set_layers(Layers())
            self.shell.actions_.refresh()

    def copy(self) -> None:
        """Put the selection, or the whole drawing, on the clipboard as a picture."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.picture_export import copy_picture

        try:
            size = copy_picture(session, self.shell.theming.theme.name)
        except TopoeditError as error:
            self.shell.tell(error.line, "error")
            return
        what = "selection" if session.selection else "drawing"
        self.shell.tell(f"Copied the {what} as a picture of {size[0]} × {size[1]} pixels.", "ok")

    def print(self) -> None:
        """Choose paper and printer, then print."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.printing import PrintDialog

        PrintDialog(self.shell, session, self.shell.widget).open()
