"""A small drawing and a session over it, built without any file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Accelerator, DeviceType, Inside, Llm, Medium, PortGroup
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, Ports

from .doubles import CanvasDouble

SOURCE = "made for the tests"


@pytest.fixture
def catalog() -> Catalog:
    server = DeviceType(
        id="dgx-h100",
        name="DGX H100",
        source=SOURCE,
        kind="server",
        ports=(
            PortGroup(prefix="nic", first=0, count=8, gbps=400, role="compute", railed=True),
            PortGroup(prefix="stor", first=0, count=2, gbps=200, role="storage"),
        ),
        inside=Inside(accelerator="h100", gpus=8),
    )
    leaf = DeviceType(
        id="qm9700",
        name="QM9700",
        source=SOURCE,
        kind="leaf",
        ports=(PortGroup(count=64, gbps=400),),
    )
    spine = DeviceType(
        id="q3400",
        name="Q3400",
        source=SOURCE,
        kind="spine",
        ports=(PortGroup(count=144, gbps=800),),
    )
    store = DeviceType(id="store", name="Storage", source=SOURCE, kind="storage", open_ports=True)
    fibre = Medium(id="dr4", name="Single-mode fibre, DR4", source=SOURCE, gbps=400, max_m=500)
    model = Llm(
        id="llama-3.1-70b", name="Llama 3.1 70B", source=SOURCE, layers=80, hidden=8192, heads=64,
        kv_heads=8, head_dim=128, ffn=28672, vocab=128256, context=131072, total_params_b=70.6,
    )  # fmt: skip
    h100 = Accelerator(id="h100", name="H100", source=SOURCE, hbm_gb=80, bf16_tflops=989)
    return Catalog(
        devices={t.id: t for t in (server, leaf, spine, store)},
        accelerators={"h100": h100},
        media={"dr4": fibre},
        models={model.id: model},
    )


@pytest.fixture
def document(catalog: Catalog) -> Document:
    """Two servers and two leaves in one rack; rail i of each server on leaf i // 4."""
    devices = [
        Device(
            id=f"node-{n}",
            name=f"node-{n}",
            type="dgx-h100",
            kind="server",
            group="rack-1",
            x=n * 120.0,
        )
        for n in (1, 2)
    ]
    leaves = [
        Device(id=f"leaf-{n}", name=f"leaf-{n}", type="qm9700", kind="leaf", x=n * 120.0, y=-200)
        for n in (1, 2)
    ]
    links, cable = [], 1
    for n in (1, 2):
        for half in (1, 2):
            nics = f"nic{4 * half - 4}-{4 * half - 1}"
            links.append(
                Link(
                    id=f"link-{n}{half}",
                    a=Ports(f"node-{n}", nics),
                    b=Ports(f"leaf-{half}", f"{4 * n - 3}-{4 * n}"),
                    cables=f"c{cable}-{cable + 3}",
                    gbps=400,
                    medium="dr4",
                    length_m=5.0,
                )
            )
            cable += 4
    return Document(
        catalog, [Group(id="rack-1", name="rack-1", kind="rack"), *devices, *leaves, *links]
    )


@pytest.fixture
def session(qapp: object, document: Document) -> Iterator[DocumentSession]:
    made = DocumentSession(document, title="Two nodes")
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture(autouse=True)
def _delete_at_once(qapp: QApplication) -> Iterator[None]:
    """Widgets told to go are gone before the next test; no event loop runs that would do it."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def theming(qapp: QApplication) -> Iterator[Theming]:
    made = Theming("dark")
    made.apply()
    yield made
    qapp.setStyleSheet("")
    made.deleteLater()


@pytest.fixture
def window(qtbot: QtBot, catalog: Catalog, theming: Theming) -> MainWindow:
    """A window without an engine, the welcome page in front."""
    made = MainWindow(
        lambda: (catalog, ()),
        theming,
        Preferences(),
        lambda session, _theming, parent: CanvasDouble(session, parent),
    )
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=forget_changes)
    made.show_welcome()
    made.show()
    return made


def forget_changes(window: MainWindow) -> None:
    """Let a window close without a question."""
    for session in window.documents.sessions():
        session.mark_saved(session.path or Path("gone.topo.json"))


@pytest.fixture
def drawn(window: MainWindow, document: Document) -> MainWindow:
    """The window with the small drawing in front."""
    window.add_session(DocumentSession(document, title="Two nodes"))
    return window
