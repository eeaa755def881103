"""Typing hosts that were drawn without a type: ports, rails, what is kept, undo."""

from __future__ import annotations

import pytest

from topoedit.app.retype import needs_mapping, retype
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Ports


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def fabric(catalog: Catalog, ports: dict[str, str]) -> Document:
    """Hosts of unknown type; each port name of `ports` (a range text) goes to one leaf."""
    devices = [Device(id="leaf", name="leaf", type="qm9700", kind="leaf")]
    links, port, cable = [], 1, 1
    for host, names in ports.items():
        devices.append(Device(id=host, name=host, type="unknown-server", kind="server"))
        count = len(Ports(host, names).names)
        links.append(
            Link(
                id=f"link-{host}",
                a=Ports(host, names),
                b=Ports("leaf", f"{port}-{port + count - 1}" if count > 1 else str(port)),
                cables=f"c{cable}-{cable + count - 1}" if count > 1 else f"c{cable}",
            )
        )
        port, cable = port + count, cable + count
    return Document(catalog, [*devices, *links])


def typed(document: Document, kind: str, *hosts: str) -> None:
    chosen = [document.devices[host] for host in hosts]
    found = document.catalog.device(kind)
    assert needs_mapping(document, chosen, found)
    document.apply(retype(document, chosen, found))


def test_adapters_become_nics_by_their_number(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-8"})
    before = (dict(document.devices), dict(document.links))
    edit = retype(document, [document.devices["host-1"]], catalog.device("dgx-h100"))
    inverse = document.apply(edit)
    rails = sorted(
        (link.rail, link.a.ports, link.b.ports, link.cables) for link in document.links.values()
    )
    assert rails == [(i, f"nic{i}", str(i + 1), f"c{i + 1}") for i in range(8)]
    assert document.devices["host-1"].type == "dgx-h100"
    names = {o.names: o.os_name for o in document.devices["host-1"].ports}
    assert names["nic4"] == "HCA-5"
    document.apply(inverse)
    assert (dict(document.devices), dict(document.links)) == before


def test_a_missing_adapter_does_not_shift_the_rails_of_its_host(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-8", "host-2": "HCA-1,HCA-2,HCA-6"})
    typed(document, "dgx-h100", "host-1", "host-2")
    rails = {link.rail for link in document.links.values() if link.a.device == "host-2"}
    assert rails == {0, 1, 5}


def test_no_cable_is_lost_and_every_link_is_found_once(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-8", "host-2": "HCA-1-8"})
    typed(document, "dgx-h100", "host-1", "host-2")
    cables = sorted(c for link in document.links.values() for c in link.cable_ids)
    assert cables == sorted(f"c{n}" for n in range(1, 17))


def test_failed_cables_stay_failed(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-4"})
    from msgspec.structs import replace

    from topoedit.model.edits import Edit

    link = document.links["link-host-1"]
    document.apply(Edit("Fail", put=(replace(link, failed=3),)))
    typed(document, "dgx-h100", "host-1")
    assert sum(link.failed for link in document.links.values()) == 3


def test_a_type_with_too_few_ports_is_refused_by_name(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-20"})
    with pytest.raises(BadEditError, match="host-1: NVIDIA DGX H100 has too few network ports"):
        retype(document, [document.devices["host-1"]], catalog.device("dgx-h100"))


def test_a_server_with_a_type_keeps_its_own_ports(catalog: Catalog) -> None:
    document = fabric(catalog, {"host-1": "HCA-1-8"})
    typed(document, "dgx-h100", "host-1")
    host = document.devices["host-1"]
    assert not needs_mapping(document, [host], catalog.device("dgx-h200"))
    assert not needs_mapping(document, [host], catalog.device("unknown-server"))
