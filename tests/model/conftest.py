"""A small drawing for the model's tests."""

from __future__ import annotations

import pytest

from tests.model.small import small_catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group


@pytest.fixture
def document() -> Document:
    """Two racks of two servers, two leaves, a spine; nothing wired."""
    racks = [Group(id=f"rack-{i}", name=f"rack-{i}", kind="rack", parent="pod-1") for i in (1, 2)]
    pod = Group(id="pod-1", name="pod-1", kind="pod")
    servers = [
        Device(
            id=f"node-{i}", name=f"node-{i}", type="server4", kind="server",
            group=f"rack-{(i + 1) // 2}", x=100.0 * i,
        )
        for i in range(1, 5)
    ]  # fmt: skip
    switches = [
        Device(id=n, name=n, type="switch8", kind=n.split("-")[0], x=100.0 * i, y=-200.0)
        for i, n in enumerate(("leaf-1", "leaf-2", "spine-1"))
    ]
    document = Document(small_catalog())
    document.apply(Edit("Start", put=(pod, *racks, *servers, *switches)))
    return document
