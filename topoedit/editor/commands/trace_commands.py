"""Trace: which end is meant by what is selected or under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import WindowShell


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
        """Trace between the two selected devices, the first selected being the start."""
        session = self.shell.session
        if session is None:
            return
        devices = session.selected_devices()
        if len(devices) != 2:
            self.shell.tell("Select two devices, or type both ends.", "info")
            self.shell.show_panel("trace")
            return
        session.trace.ask(start=devices[0].name, goal=devices[1].name)
        self.shell.show_panel("trace")

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
