"""Small catalogues and drawings for the engine's tests, made here and nowhere copied."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import (
    Accelerator,
    DeviceType,
    Inside,
    Kind,
    Medium,
    Pcie,
    PortGroup,
    ScaleUp,
)
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports


def server_type(
    name: str,
    gpus: int | None,
    nics: int,
    scaleup: ScaleUp,
    nic_gpu: Sequence[int] = (),
    *,
    up_ports: int = 0,
    gbps: float | None = 400,
) -> DeviceType:
    """A server with `nics` compute ports `nic0`…, two storage ports and maybe scale-up ports."""
    groups = [
        PortGroup(prefix="nic", first=0, count=nics, gbps=gbps, role="compute", railed=True),
        PortGroup(prefix="stor", first=0, count=2, gbps=200, role="storage"),
    ]
    if up_ports:
        groups.append(PortGroup(prefix="up", first=0, count=up_ports, gbps=400, role="scale-up"))
    inside = Inside(
        accelerator="gpu", gpus=gpus, scaleup=scaleup, nic_gpu=tuple(nic_gpu),
        pcie="gen5", pcie_lanes=16,
    )  # fmt: skip
    return DeviceType(
        id=name, name=name, source="test", kind="server", ports=tuple(groups), inside=inside
    )


def switch_type(name: str, kind: Kind, *, reduction: str = "") -> DeviceType:
    """A switch that takes any port name, 400 Gb/s unless the link says less."""
    return DeviceType(
        id=name, name=name, source="test", kind=kind, open_ports=True, default_gbps=400,
        fabric="InfiniBand", latency_ns=200, in_network_reduction=reduction,
    )  # fmt: skip


CROSSBAR = ScaleUp(kind="nvswitch", chips=4, multicast=True)
SERVERS = (
    server_type("eight", 8, 8, CROSSBAR, range(8)),
    server_type("four", 4, 4, CROSSBAR, range(4)),
    server_type("half", 4, 2, CROSSBAR, (0, 2)),
    server_type("dual", 2, 4, CROSSBAR, (0, 0, 1, 1)),
    server_type("mesh", 3, 3, ScaleUp(kind="mesh", GBps_per_pair_dir=64), range(3)),
    server_type("ring", 4, 1, ScaleUp(kind="torus", torus=(4,), GBps_per_link_dir=100), (1,)),
    server_type("bus", 2, 1, ScaleUp(), (0,)),
    server_type("lone", 1, 1, ScaleUp(), (0,), gbps=None),
    server_type("tray", 2, 2, ScaleUp(kind="nvswitch"), (0, 1), up_ports=4),
)
CATALOG = Catalog(
    devices={
        entry.id: entry
        for entry in (
            *SERVERS,
            switch_type("leaf", "leaf"),
            switch_type("spine", "spine"),
            switch_type("core", "core"),
            switch_type("sharp", "leaf", reduction="SHARP"),
            switch_type("router", "router"),
            switch_type("nvs", "nvswitch"),
            DeviceType(id="mystery", name="mystery", source="test", kind="server", open_ports=True),
        )
    },
    accelerators={
        "gpu": Accelerator(
            id="gpu", name="gpu", source="test", scaleup="NVLink 4", scaleup_GBps_dir=450
        )
    },
    pcie={"gen5": Pcie(id="gen5", name="gen5", source="test", GBps_per_lane_dir=4)},
    media={
        "dac": Medium(id="dac", name="dac", source="test", max_m=3, prop_ns_per_m=4.3),
        "rack-dac": Medium(id="rack-dac", name="rack", source="test", in_rack_only=True),
    },
)


class Draft:
    """Collects devices and links; ports of switches are numbered as they are used."""

    def __init__(self) -> None:
        self.elements: list[AnyElement] = []
        self.next_port: dict[str, int] = {}
        self.next_cable = 1

    def group(self, name: str, kind: str, parent: str = "") -> str:
        """A group."""
        self.elements.append(Group(id=name, name=name, kind=kind, parent=parent))
        return name

    def device(self, name: str, type_id: str, **fields: object) -> str:
        """A device of the test catalogue."""
        fields.setdefault("kind", CATALOG.devices[type_id].kind)
        self.elements.append(Device(id=name, name=name, type=type_id, **fields))
        return name

    def ports(self, device: str, count: int) -> str:
        """The next free ports of an open device, as a range text."""
        first = self.next_port.get(device, 1)
        self.next_port[device] = first + count
        return f"{first}-{first + count - 1}" if count > 1 else f"{first}"

    def link(
        self, a: str, ports_a: str, b: str, ports_b: str, count: int = 1, **fields: object
    ) -> str:
        """A link; its id is the number of its first cable."""
        first, self.next_cable = self.next_cable, self.next_cable + count
        cables = f"c{first}-{first + count - 1}" if count > 1 else f"c{first}"
        fields.setdefault("gbps", 400.0)
        link_id = f"link-{first:04}"
        self.elements.append(
            Link(id=link_id, a=Ports(a, ports_a), b=Ports(b, ports_b), cables=cables, **fields)
        )
        return link_id

    def join(self, a: str, b: str, count: int = 1, **fields: object) -> str:
        """A bundle between two switches on their next ports."""
        return self.link(a, self.ports(a, count), b, self.ports(b, count), count, **fields)

    def plug(self, server: str, port: str, switch: str, **fields: object) -> str:
        """A cable from a port of a server to the next port of a switch."""
        return self.link(server, port, switch, self.ports(switch, 1), **fields)

    def document(self) -> Document:
        """The drawing."""
        return Document(CATALOG, self.elements)


def rails(servers: int, spines: int = 2, type_id: str = "eight") -> Draft:
    """Servers on one leaf a rail, every leaf joined to every spine."""
    draft = Draft()
    kind = CATALOG.devices[type_id]
    nics = sum(port.role == "compute" for port in kind.port_list)
    for number in range(servers):
        draft.device(f"node-{number}", type_id)
    for rail in range(nics):
        draft.device(f"leaf-{rail}", "leaf")
        for number in range(servers):
            draft.plug(f"node-{number}", f"nic{rail}", f"leaf-{rail}")
    for number in range(spines):
        draft.device(f"spine-{number}", "spine")
        for rail in range(nics):
            draft.join(f"leaf-{rail}", f"spine-{number}", 2)
    return draft


def random_drawing(random: Random) -> Document:
    """A drawing without regularity: all server types, mixed speeds, bundles, failures, gaps."""
    draft = Draft()
    leaves = [draft.device(f"leaf-{n}", "leaf") for n in range(random.randint(1, 4))]
    spines = [draft.device(f"spine-{n}", "spine") for n in range(random.randint(0, 3))]
    servers = [
        draft.device(f"node-{n}", random.choice(SERVERS).id) for n in range(random.randint(2, 6))
    ]
    _cable_switches(draft, random, leaves, spines)
    switch = draft.device("nvs-0", "nvs")
    for server in servers:
        type_id = next(e.type for e in draft.elements if e.id == server)
        kind = CATALOG.devices[type_id]
        tidy = random.random() < 0.5
        for port in kind.port_list:
            if port.role == "compute" and (tidy or random.random() < 0.8):
                leaf = leaves[(port.rail or 0) % len(leaves)] if tidy else random.choice(leaves)
                gbps = 400.0 if tidy else random.choice([100.0, 200.0, 400.0, None])
                draft.plug(server, port.name, leaf, gbps=gbps, failed=random.random() < 0.08)
            elif port.role == "scale-up" and random.random() < 0.9:
                draft.plug(server, port.name, switch)
    if random.random() < 0.3:
        first, second = (draft.device(f"pair-{n}", "lone") for n in range(2))
        draft.link(first, "nic0", second, "nic0")
    return draft.document()


def _cable_switches(
    draft: Draft, random: Random, leaves: Sequence[str], spines: Sequence[str]
) -> None:
    regular = random.random() < 0.5
    for leaf in leaves:
        for spine in spines:
            if regular:
                draft.join(leaf, spine, 2)
                continue
            for _ in range(random.choice([0, 1, 1, 2])):
                count = random.randint(1, 3)
                failed = random.choice([0, 0, 0, random.randint(0, count)])
                rate = random.choice([100.0, 400.0, None])
                draft.join(leaf, spine, count, failed=failed, gbps=rate)
    if len(leaves) > 1 and random.random() < 0.3:
        draft.join(leaves[0], leaves[1])
