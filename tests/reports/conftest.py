"""Small drawings whose parts can be counted by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import topoedit
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, Ports, Settings

__all__ = ["topoedit"]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture
def made(catalog: Catalog) -> Callable[..., Document]:
    """`made("superpod", nodes=8)`: a drawing from a template."""
    return lambda template, **params: generate(template, params, catalog)


def link(name: str, a: str, b: str, cables: str, medium: str, **more: object) -> Link:
    """`link("l", "node-1/nic0-3", "leaf-1/1-4", "c1-4", "400g-dr4")`."""
    ends = [Ports(*end.split("/")) for end in (a, b)]
    return Link(id=name, a=ends[0], b=ends[1], cables=cables, medium=medium, **more)


def device(name: str, kind: str, type_id: str, group: str = "", **more: object) -> Device:
    return Device(id=name, name=name, type=type_id, kind=kind, group=group, **more)


@pytest.fixture
def drawn(catalog: Catalog) -> Callable[..., Document]:
    """A drawing of the elements given."""
    return lambda *elements: Document(catalog, elements)


def pod20_elements() -> list[object]:
    """20 physical cables of 23 drawn ones: 16 fibres, 2 twin DACs, a splitter, a patch cord."""
    dr4 = {"medium": "400g-dr4", "gbps": 400.0}
    dac = {"medium": "dac-100", "gbps": 400.0}
    return [
        Settings(name="pod20"),
        Group(id="berlin", name="Berlin", kind="site"),
        Group(id="R1", name="R1", kind="rack", parent="berlin", row="A", column=1),
        Group(id="R2", name="R2", kind="rack", parent="berlin", row="A", column=2),
        device("node-1", "server", "dgx-h100", "R1", unit=1),
        device("node-2", "server", "dgx-h100", "R1", unit=9),
        device("tray-1", "server", "gb200-tray", "R2", unit=20),
        device("tray-2", "server", "gb200-tray", "R2", unit=21),
        device("leaf-1", "leaf", "qm9700", "R2", unit=40),
        device("leaf-2", "leaf", "qm9700", "R2", unit=41),
        device("spine-1", "spine", "qm9700", "R2", unit=44),
        device("oob-1", "leaf", "sn2201", "R2", unit=38, network="out-of-band"),
        link("n1l1", "node-1/nic0-3", "leaf-1/1-4", "c1-4", length_m=6.0, phase="1", **dr4),
        link("n1l2", "node-1/nic4-7", "leaf-2/1-4", "c5-8", length_m=6.0, phase="1", **dr4),
        link("n2l1", "node-2/nic0-3", "leaf-1/5-8", "c9-12", length_m=5.0, phase="1", **dr4),
        link("n2l2", "node-2/nic4-7", "leaf-2/5-8", "c13-16", length_m=5.0, phase="1", **dr4),
        link("l1s1", "leaf-1/33-34", "spine-1/1-2", "c17-18", length_m=1.0, **dac),
        link("l2s1", "leaf-2/33-34", "spine-1/3-4", "c19-20", length_m=1.0, **dac),
        link("l2t1", "leaf-2/35", "tray-1/nic0", "c21", length_m=1.5, **dac),
        link("l2t2", "leaf-2/36", "tray-2/nic0", "c22", length_m=1.5, **dac),
        link("n1oob", "node-1/bmc", "oob-1/1", "c23", "cat6", gbps=1.0, length_m=6.0,
             network="out-of-band"),
    ]  # fmt: skip


@pytest.fixture
def pod20(drawn: Callable[..., Document]) -> Document:
    return drawn(*pod20_elements())
