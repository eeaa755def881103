"""Words that templates share: counts in sentences and the summary of what was drawn."""

from __future__ import annotations

from topoedit.model.elements import Link
from topoedit.templates.base import Built
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan, uneven
from topoedit.templates.draw import Drawn
from topoedit.templates.floor import LENGTH_BASIS
from topoedit.templates.hardware import Server


def count(number: int, one: str, many: str = "") -> str:
    """`1 leaf`, `1,024 cables`.

    >>> count(1, "leaf", "leaves"), count(1024, "cable")
    ('1 leaf', '1,024 cables')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def built(
    builder: Builder, template: str, host: Server, drawn: Drawn, plan: ClosPlan, notes: list[str]
) -> Built:
    """The result of a template from what it drew and the plan it drew."""
    warning = uneven(plan)
    servers = len(drawn.servers)
    parts = [
        count(servers * host.gpus, "GPU"),
        count(servers, "server"),
        count(len(drawn.leaves), "leaf", "leaves"),
    ]
    if drawn.spines:
        parts.append(count(len(drawn.spines), "spine"))
    if drawn.cores:
        parts.append(count(len(drawn.cores), "core"))
    compute = [link for link in builder.links if link.network == "compute"]
    parts.append(count(cables(compute), "cable"))
    return Built(
        edit=builder.edit(f"Draw {template}"),
        name=f"{template} {host.type.id} {servers}",
        summary=", ".join(parts),
        notes=(*notes, *([warning] if warning else ()), LENGTH_BASIS),
    )


def cables(links: list[Link]) -> int:
    """Number of cables in links."""
    return sum(link.count for link in links)
