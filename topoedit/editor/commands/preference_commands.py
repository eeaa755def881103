"""Preferences, the hints of the first run, and the glossary."""

from __future__ import annotations

from dataclasses import dataclass, replace

from topoedit.editor.commands.view_commands import show_looks
from topoedit.editor.preferences import Habits, save_preferences
from topoedit.editor.shell import WindowShell


@dataclass
class PreferenceCommands:
    """Acts on what the window remembers of a person, and explains its words."""

    shell: WindowShell

    def open(self) -> None:
        """Show the preferences; Apply puts them into force and writes them down."""
        from topoedit.editor.commands.analyse_commands import HelpCommands
        from topoedit.editor.dialogs.preferences_dialog import PreferencesDialog

        shell = self.shell
        dialog = PreferencesDialog(shell.settings, shell.theming.choice, shell.widget)
        dialog.shortcuts_asked.connect(lambda: HelpCommands(shell).remap())
        dialog.accepted.connect(lambda: self.apply(dialog.chosen_look, dialog.habits))
        dialog.open()

    def apply(self, look: str, habits: Habits) -> None:
        """Put a look and habits into force everywhere, and write them down."""
        shell = self.shell
        shell.settings.theme, shell.settings.habits = look, habits
        shell.theming.choose(look)
        shell.theming.use_contrast(habits.high_contrast)
        for index in range(len(shell.documents)):
            take_habits = getattr(shell.documents.page(index)[1], "take_habits", None)
            if take_habits is not None:
                take_habits(habits)
        shell.actions_.refresh()
        if line := save_preferences(shell.settings):
            shell.tell(line, "error")

    def grid(self) -> None:
        """Show the dots of the grid, or hide them, from now on."""
        habits = self.shell.settings.habits
        self.apply(self.shell.theming.choice, replace(habits, grid=not habits.grid))
        show_looks(self.shell)

    def show_hints(self) -> None:
        """Show the hints of the first run again."""
        self.shell.hints.show_again()

    def glossary(self) -> None:
        """Show what every abbreviation means."""
        from topoedit.editor.dialogs.glossary_dialog import GlossaryDialog

        GlossaryDialog(self.shell.theming, self.shell.widget).open()
