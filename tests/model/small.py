"""A small catalogue of its own, so that the model's tests rest on nothing else."""

from __future__ import annotations

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Inside, PortGroup


def small_catalog() -> Catalog:
    server = DeviceType(
        id="server4", name="Server of 4 GPUs", source="test", kind="server",
        ports=(
            PortGroup(prefix="nic", first=0, count=4, gbps=400, role="compute", railed=True),
            PortGroup(prefix="stor", first=0, count=1, gbps=200, role="storage"),
            PortGroup(prefix="nvl", first=0, count=1, gbps=3600, role="scale-up"),
        ),
        inside=Inside(accelerator="x", gpus=4, nic_gpu=(0, 1, 2, 3)),
    )  # fmt: skip
    switch = DeviceType(
        id="switch8", name="Switch of 8 ports", source="test", kind="switch",
        ports=(PortGroup(count=8, gbps=400),),
    )  # fmt: skip
    generic = DeviceType(id="open", name="Anything", source="test", kind="switch", open_ports=True)
    return Catalog(devices={kind.id: kind for kind in (server, switch, generic)})
