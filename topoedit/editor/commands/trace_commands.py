"""Trace: which end is meant by what is selected or under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Canvas, WindowShell


@dataclass
class TraceCommands:
    """Traces paths in the current drawing."""

    shell: WindowShell

    def from_here(self) -> None:
        """Trace from the device or port that the menu is about."""
        self._ask("start")

    def to_here(self) -> None:
        """Trace to the device or port that the menu is about."""
        self._ask("goal")

    def between(self) -> None:
        """Trace between the two selected devices, the first selected being the start.

        With one device selected the next click picks the other end.
        """
        session = self.shell.session
        if session is None:
            return
        devices = session.selected_devices()
        canvas = self.shell.canvas
        if len(devices) == 1 and canvas is not None:
            self._pick_goal(session, devices[0].name, canvas)
            return
        if len(devices) != 2:
            self.shell.tell("Select two devices, or type both ends.", "info")
            self.shell.show_panel("trace")
            return
        session.trace.ask(start=devices[0].name, goal=devices[1].name)
        self.shell.show_panel("trace")

    def _pick_goal(self, session: DocumentSession, start: str, canvas: Canvas) -> None:
        line = f"Trace from {start}: click the other end; Esc ends."

        def ended(goal: str) -> None:
            self.shell.take_back(line)
            if goal:
                session.trace.ask(start=start, goal=goal)

        session.trace.ask(start=start, goal="")
        self.shell.show_panel("trace")
        canvas.pick_end(ended)
        self.shell.tell(line, "ok")

    def clear(self) -> None:
        """Trace nothing."""
        if (session := self.shell.session) is not None:
            session.trace.clear()

    def _ask(self, which: str) -> None:
        session = self.shell.session
        if session is None:
            return
        end = self._end(session)
        if not end:
            return
        if which == "start":
            session.trace.ask(start=end)
        else:
            session.trace.ask(goal=end)
        self.shell.show_panel("trace")

    def _end(self, session: DocumentSession) -> str:
        """The GPU, NIC or port under the pointer, else the device selected last."""
        devices = session.selected_devices()
        canvas = self.shell.canvas
        element, port = ("", "") if canvas is None else canvas.pointed()
        if port and any(device.id == element for device in devices):
            joint = "" if port.startswith("/") else ":"
            return f"{session.document.devices[element].name}{joint}{port}"
        return devices[-1].name if devices else ""
