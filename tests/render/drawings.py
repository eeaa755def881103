"""Small drawings and a small catalogue of their own, so that pictures do not hang on others."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import (
    Accelerator,
    DeviceType,
    Inside,
    PortGroup,
    ScaleUp,
)
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, Link, Note, Ports, Settings

SOURCE = "made for a test"


def _server(id_: str, name: str, gpus: int, chips: int, **more: object) -> DeviceType:
    nics = min(gpus, 8)
    return DeviceType(
        id=id_, name=name, source=SOURCE, kind="server",
        ports=(
            PortGroup(prefix="nic", first=0, count=nics, gbps=400, role="compute", railed=True),
            PortGroup(prefix="stor", first=0, count=2, gbps=200, role="storage"),
            PortGroup(prefix="bmc", first=0, count=1, gbps=1, role="out-of-band"),
        ),
        inside=Inside(
            accelerator="h100", gpus=gpus, cpus=2, nic="cx7",
            nic_gpu=tuple(range(nics)),
            scaleup=ScaleUp(
                kind="nvswitch" if chips else "none", chips=chips, GBps_per_link_dir=25.0,
                links_per_chip=(5,) * chips, multicast=True,
            ),
        ),
        power_kw_max=10.2,
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


def _switch(
    id_: str, kind: str, ports: int = 64, gbps: float = 400, role: str = "any"
) -> DeviceType:
    return DeviceType(
        id=id_, name=id_.upper(), source=SOURCE, kind=kind,  # type: ignore[arg-type]
        ports=(PortGroup(count=ports, gbps=gbps, role=role),),  # type: ignore[arg-type]
    )  # fmt: skip


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    types = [
        _server("dgx", "DGX H100", 8, 4),
        _server("tray", "GB200 tray", 4, 0),
        _server("nvl72", "GB200 NVL72", 72, 18, trays=18),
        DeviceType(id="unknown", name="Server", source=SOURCE, kind="server", open_ports=True),
        _switch("leaf", "leaf"),
        _switch("spine", "spine", 128),
        _switch("core", "core", gbps=800),
        _switch("switch", "switch"),
        _switch("router", "router", 36),
        _switch("wan", "router", 8, role="wan"),
        _switch("ocs", "ocs", 300),
        _switch("storage", "storage", 4, 200),
        _switch("mgmt", "management", 48, 1),
        _switch("panel", "panel", 24),
        _switch("nvsw", "nvswitch", 72, 400),
    ]
    gpu = Accelerator(id="h100", name="H100", source=SOURCE, hbm_gb=80)
    return Catalog(devices={t.id: t for t in types}, accelerators={"h100": gpu})


class Cables:
    """Counts cable ids."""

    def __init__(self) -> None:
        self.next = 1

    def link(self, a: str, pa: str, b: str, pb: str, count: int = 1, **more: object) -> Link:
        first, self.next = self.next, self.next + count
        text = f"c{first}" if count == 1 else f"c{first}-{first + count - 1}"
        return Link(
            id=f"{a}:{pa}-{b}:{pb}", a=Ports(a, pa), b=Ports(b, pb), cables=text, gbps=400,
            **more,  # type: ignore[arg-type]
        )  # fmt: skip


def device(name: str, type_: str, kind: str, x: float, y: float, **more: object) -> Device:
    return Device(id=name, name=name, type=type_, kind=kind, x=x, y=y, **more)  # type: ignore[arg-type]


def run(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def pod64(spines: int = 4) -> list[AnyElement]:
    """Eight servers, eight leaves (one a rail), four spines; bundles of two cables upwards."""
    cables = Cables()
    made: list[AnyElement] = [
        Settings(name="pod64"),
        Group(id="rack-row-a", name="Rack row A", kind="pod"),
    ]
    pitch, left = 124.0, 54.0
    for i in range(8):
        made.append(
            device(f"node-{i + 1:02d}", "dgx", "server", left + i * pitch, 500, group="rack-row-a")
        )
        made.append(device(f"leaf-{i}", "leaf", "leaf", left + i * pitch, 180))
    for k in range(spines):
        x = left + 3.5 * pitch + (k - (spines - 1) / 2) * 248
        made.append(device(f"spine-{k}", "spine", "spine", x, 22))
    made.extend(
        cables.link(f"node-{i + 1:02d}", f"nic{j}", f"leaf-{j}", str(i + 1), rail=j)
        for i in range(8)
        for j in range(8)
    )
    made.extend(
        cables.link(f"leaf-{j}", run(33 + 2 * k, 2), f"spine-{k}", run(1 + 2 * j, 2), 2)
        for j in range(8)
        for k in range(spines)
    )
    return made


def superpod(units: int = 4, spines: int = 16) -> list[AnyElement]:
    """Units of 32 servers and 8 leaves, each unit a pod, below common spines."""
    cables, made = Cables(), list[AnyElement]([Settings(name="superpod")])
    width = 8 * 124.0 + 60
    for u in range(units):
        made.append(Group(id=f"su-{u + 1}", name=f"SU {u + 1}", kind="pod"))
        for j in range(8):
            made.append(
                device(
                    f"leaf-{u + 1}-{j}",
                    "leaf",
                    "leaf",
                    u * width + 60 + j * 124,
                    700,
                    group=f"su-{u + 1}",
                )
            )
        for s in range(32):
            x, y = u * width + 60 + (s % 8) * 124, 1060 + (s // 8) * 150
            name = f"node-{u * 32 + s + 1:03d}"
            made.append(device(name, "dgx", "server", x, y, group=f"su-{u + 1}"))
            made.extend(
                cables.link(name, f"nic{j}", f"leaf-{u + 1}-{j}", str(s + 1), rail=j)
                for j in range(8)
            )
    span = units * width - 60
    for k in range(spines):
        made.append(device(f"spine-{k:02d}", "spine", "spine", span * (k + 0.5) / spines, 60))
    for u in range(units):
        for j in range(8):
            for k in range(spines):
                port = (u * 8 + j) * 2 + 1
                made.append(
                    cables.link(
                        f"leaf-{u + 1}-{j}", run(33 + 2 * k, 2), f"spine-{k:02d}", run(port, 2), 2
                    )
                )
    return made


def site(pods: int = 200) -> list[AnyElement]:
    """Pods of 200 servers and 40 leaves below 2,000 spines: 50,000 devices, 300,000 links."""
    columns = 2 * pods
    servers, leaves, spines = 200 * pods, 40 * pods, 10 * pods
    made: list[AnyElement] = [
        Group(id=f"pod-{g}", name=f"pod-{g}", kind="pod") for g in range(pods)
    ]
    rows = (("n", "dgx", "server", servers, 2000, 150), ("l", "leaf", "leaf", leaves, 1000, 60))
    for prefix, type_, kind, count, top, pitch in rows:
        made.extend(
            device(
                f"{prefix}{i}", type_, kind, (i % columns) * 124.0, top + (i // columns) * pitch,
                group=f"pod-{(i % columns) // 2}",
            )
            for i in range(count)
        )  # fmt: skip
    made.extend(
        device(f"s{k}", "spine", "spine", (k % columns) * 124.0, 100.0 + (k // columns) * 60)
        for k in range(spines)
    )
    pairs = [
        (f"n{s}", f"nic{r}", *_leaf_port(s, r, columns)) for s in range(servers) for r in range(6)
    ]
    pairs.extend(
        (f"l{j % leaves}", str(33 + j // leaves), f"s{j % spines}", str(j // spines + 1))
        for j in range(30 * spines)
    )
    made.extend(
        Link(id=f"k{i}", a=Ports(a, pa), b=Ports(b, pb), cables=f"c{i}", gbps=400)
        for i, (a, pa, b, pb) in enumerate(pairs, start=1)
    )
    return made


def _leaf_port(server: int, rail: int, columns: int) -> tuple[str, str]:
    """A leaf of the server's own pod, and the port on it."""
    row, column = divmod(server, columns)
    place = (2 * row + column % 2) * 6 + rail
    leaf, port = divmod(place, 30)
    return f"l{leaf // 2 * columns + column // 2 * 2 + leaf % 2}", str(port + 1)


def every_kind(failed: bool = False) -> list[AnyElement]:
    """One device of each kind, and a note, in a row."""
    kinds = [
        ("node-01", "dgx", "server"), ("tray-07", "tray", "server"), ("R07", "nvl72", "server"),
        ("host-9", "unknown", "server"), ("leaf-3", "leaf", "leaf"), ("spine-2", "spine", "spine"),
        ("core-1", "core", "core"), ("sw-1", "switch", "switch"), ("rtr-1", "router", "router"),
        ("edge-or", "wan", "router"), ("ocs-12", "ocs", "ocs"), ("fs-a", "storage", "storage"),
        ("oob-1", "mgmt", "management"), ("panel-1", "panel", "panel"),
        ("nvsw-3", "nvsw", "nvswitch"),
    ]  # fmt: skip
    made: list[AnyElement] = [
        device(name, type_, kind, 100 + (n % 5) * 180, 100 + (n // 5) * 200, failed=failed)
        for n, (name, type_, kind) in enumerate(kinds)
    ]
    made.append(
        Note(id="note-1", text="Phase 2, March\nRow B gets 400 more servers.", x=1050, y=100)
    )
    return made


def document(elements: list[AnyElement]) -> Document:
    return Document(catalog(), elements)


def some_loads(
    count: int, seed: int = 5, low: float = 0.2, high: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.uniform(low, high, count), draw.uniform(low, high, count)
