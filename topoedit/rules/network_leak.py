"""Management and storage networks keep out of the compute path, and it out of them."""

from __future__ import annotations

from msgspec.structs import replace

from topoedit.catalog.types import Port
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Network
from topoedit.rules._judge import Bad, Verdict, judge
from topoedit.rules._tables import NETWORKS
from topoedit.rules._words import count
from topoedit.rules.base import Finding, Outcome, Rule
from topoedit.rules.context import Context

_NETWORK_OF: dict[str, Network] = {
    "compute": "compute", "storage": "storage", "in-band": "in-band",
    "out-of-band": "out-of-band",
}  # fmt: skip


def _check(context: Context) -> Outcome:
    links, devices = context.links, context.devices
    columns = (
        devices.network[links.a], devices.network[links.b],
        devices.kind[links.a], devices.kind[links.b],
    )  # fmt: skip
    return judge(context, None, _verdict, columns)


def _verdict(context: Context, row: int) -> Verdict:
    network = NETWORKS[int(context.links.network[row])]
    ends = (int(context.links.a[row]), int(context.links.b[row]))
    for device, ports in zip(ends, context.ports(row), strict=True):
        port = _foreign(ports, network)
        if port is not None:
            return Bad(
                f"a link of the {network} network in {port.role} port {port.name} of "
                f"{context.name(device)}",
                f"Plug it into a {network} port, or make it a link of the {port.role} network",
                mendable=_fitting(context, row) is not None,
            )
        own = NETWORKS[int(context.devices.network[device])]
        if context.is_switch[device] and own != network:
            return Bad(
                f"a link of the {network} network ends at {context.name(device)}, a switch of "
                f"the {own} network: the two networks leak into each other",
                f"End it at a switch of the {network} network, or make it a link of the {own} "
                "network",
                mendable=_fitting(context, row) is not None,
            )
    return None


def _fitting(context: Context, row: int) -> Network | None:
    """The network that both ends of a link belong to, if there is one."""
    ends = (int(context.links.a[row]), int(context.links.b[row]))
    owns = {NETWORKS[int(context.devices.network[d])] for d in ends if context.is_switch[d]}
    roles = {p.role for ports in context.ports(row) for p in ports if p.role in _NETWORK_OF}
    wanted = owns | {_NETWORK_OF[role] for role in roles}
    return wanted.pop() if len(wanted) == 1 else None


def _mend(document: Document, finding: Finding) -> Edit | None:
    """Make the links part of the network that both their ends belong to."""
    context, wanted = Context(document), set(finding.elements)
    put = []
    for row, link in enumerate(context.links.items):
        network = _fitting(context, row) if link.id in wanted else None
        if network is not None and network != link.network:
            put.append(replace(link, network=network))
    if not put:
        return None
    return Edit(f"Change the network of {count(len(put), 'link')}", put=tuple(put))


def _foreign(ports: tuple[Port, ...], network: str) -> Port | None:
    """A port of another network than the link's."""
    return next((p for p in ports if _NETWORK_OF.get(p.role, network) != network), None)


RULE = Rule(
    id="network-leak",
    title="Compute, storage and management networks stay apart",
    severity="warning",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023 (separate "
        "compute, storage, in-band and out-of-band networks), "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/"
    ),
    check=_check,
    mend=_mend,
)
