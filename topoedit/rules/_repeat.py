"""The same finding on many links: one each while they are few, else one for all."""

from __future__ import annotations

from topoedit.engine.types import Ints, Longs
from topoedit.rules.base import Problem, Severity
from topoedit.rules.context import Context

SINGLE = 16
"""Up to so many alike are reported one by one, so that each can be excluded and centred."""


def repeated(
    context: Context,
    rows: Ints | Longs,
    text: str,
    fix: str = "",
    *,
    mendable: bool = False,
    severity: Severity | None = None,
) -> list[Problem]:
    """Problems of links that are alike; `text` follows the link's name and a colon."""
    if len(rows) > SINGLE:
        name = f"{len(rows)} links such as {context.link_name(int(rows[0]))}"
        return [Problem(context.link_ids(rows), f"{name}: {text}", fix, mendable, severity)]
    return [
        Problem(
            (context.link(row).id,), f"{context.link_name(row)}: {text}", fix, mendable, severity
        )
        for row in rows.tolist()
    ]
