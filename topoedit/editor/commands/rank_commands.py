"""Rank placement: pick a rank by number, choose its group, let go."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.rank_state import ALL
from topoedit.editor.shell import WindowShell


@dataclass
class RankCommands:
    """Lights ranks in the current drawing."""

    shell: WindowShell

    def find(self) -> None:
        """Type the number of a rank."""
        session = self.shell.session
        if session is not None and session.ranks.map is None:
            self.shell.tell("Choose a model in the plan to place its ranks.", "info")
            return
        self.shell.open_palette("rank ")

    def next_group(self) -> None:
        """Light the next group of the rank alone, after the last one all."""
        session = self.shell.session
        if session is None or session.ranks.rank is None:
            return
        state = session.ranks
        order = (ALL, *state.groups)
        state.choose(order[(order.index(state.group) + 1) % len(order)])

    def clear(self) -> None:
        """Light no rank."""
        if (session := self.shell.session) is not None:
            session.ranks.pick(None)
