"""`topoedit info FILE`: what a drawing holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from topoedit.app.info import Info


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("info")(info)


def info(
    file: FileArgument,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> None:
    """Count devices, GPUs, links and cables; show tiers and the step from scale-up to network."""
    from topoedit.app.info import info as count
    from topoedit.cli._files import open_file
    from topoedit.cli._output import print_json, warn

    found = count(open_file(file, server_type, from_format))
    if json:
        print_json(found)
        return
    warn(found.warnings)
    _print(found)


def _print(found: Info) -> None:
    from topoedit.cli._output import print_pairs, print_table
    from topoedit.units import format_number

    def number(value: int | None) -> str | None:
        return None if value is None else format_number(value)

    counts = (found.links, found.cables, found.inner_links, found.sites, found.groups)
    names = ("links", "cables", "inner links", "sites", "groups")
    print_pairs(
        (
            ("name", found.name),
            ("format", found.format),
            *((kind, number(count)) for kind, count in found.devices.items()),
            ("GPUs", number(found.gpus)),
            *((name, number(count)) for name, count in zip(names, counts, strict=True)),
        )
    )
    if len(found.networks) > 1:
        typer.echo()
        print_table(
            ("network", "switches", "links", "cables"),
            (
                (row.network, number(row.switches), number(row.links), number(row.cables))
                for row in found.networks
            ),
        )
    if found.tiers:
        typer.echo()
        print_table(
            ("tier", "switches", "links", "cables", "GB/s per direction", "oversubscription"),
            (
                (
                    tier.tier,
                    number(tier.switches),
                    number(tier.links),
                    number(tier.cables),
                    None if tier.capacity_GBps is None else format_number(tier.capacity_GBps),
                    None if tier.oversubscription is None else f"{tier.oversubscription:.2f}:1",
                )
                for tier in found.tiers
            ),
        )
    for boundary in found.boundaries:
        typer.echo(
            f"{boundary.name}: {boundary.headline_ratio:.3g}:1 headline, "
            f"{boundary.per_direction_ratio:.3g}:1 per direction"
        )
