"""Counts of a drawing kept up to date by every change, never by counting again."""

from __future__ import annotations

from collections.abc import Iterable

from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Link

SWITCHES = frozenset({"leaf", "spine", "core", "switch", "nvswitch", "ocs"})


class Totals:
    """Servers, GPUs, switches, links and cables of a document.

    Attributes:
        gpus: GPUs of the servers whose type is known.
        untyped: servers with an unknown number of GPUs.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.count()

    def count(self) -> None:
        """Count everything afresh."""
        self.servers = self.gpus = self.untyped = 0
        self.switches = self.devices = self.links = self.cables = 0
        self._types: dict[str, int | None] = {}
        self._add(self._document.devices.values(), 1)
        self._add(self._document.links.values(), 1)

    def follow(self, change: Change) -> None:
        """Take one change into account."""
        edit, inverse = change.edit, change.inverse
        if not isinstance(edit, Edit) or not isinstance(inverse, Edit):
            return
        if any(isinstance(e, CustomType) for e in (*edit.put, *inverse.put)):
            self.count()
            return
        self._add(inverse.put, -1)
        self._add(edit.put, 1)

    def _add(self, elements: Iterable[AnyElement], sign: int) -> None:
        for element in elements:
            if isinstance(element, Link):
                self.links += sign
                self.cables += sign * element.count
            elif isinstance(element, Device):
                self._add_device(element, sign)

    def _add_device(self, device: Device, sign: int) -> None:
        self.devices += sign
        if device.kind in SWITCHES:
            self.switches += sign
        elif device.kind == "server":
            self.servers += sign
            gpus = self._gpus(device)
            if gpus is None:
                self.untyped += sign
            else:
                self.gpus += sign * gpus

    def _gpus(self, device: Device) -> int | None:
        if device.type not in self._types:
            self._types[device.type] = self._document.device_type(device).gpus
        return self._types[device.type]
