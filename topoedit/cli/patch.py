"""`topoedit patch FILE LINKS…`: route links through patch panels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, JsonOption

if TYPE_CHECKING:
    from topoedit.app.patching import NewTrunks


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("patch")(patch)


def patch(
    file: FileArgument,
    links: Annotated[
        list[str],
        typer.Argument(
            metavar="LINKS…",
            help="Links: ids, cables (c1-8), devices (node-*) or both ends (node-*:leaf-*).",
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT.topo.json", help="Drawing to write.")
    ],
    panels: Annotated[
        str, typer.Option(metavar="P1,P2…", help="Patch panels in the order of the way.")
    ] = "",
    direct: Annotated[
        bool, typer.Option("--direct", help="Route the links past all panels instead.")
    ] = False,
    trunk: Annotated[
        str,
        typer.Option(metavar="MPO-12/16/24, LC", help="Add trunks of this connector where full."),
    ] = "",
    trunk_ports: Annotated[
        int, typer.Option(metavar="N", help="Ports of a new trunk at each panel.")
    ] = 12,
    trunk_fibres: Annotated[
        int | None,
        typer.Option(metavar="N", help="Fibres of a new trunk; by default all a connector has."),
    ] = None,
    polarity: Annotated[
        str, typer.Option(metavar="A/B/C", help="Polarity of new trunks (TIA-568).")
    ] = "B",
    trunk_length: Annotated[
        float | None, typer.Option(metavar="M", help="Length of a new trunk, metres.")
    ] = None,
    ports_per_cable: Annotated[
        int | None, typer.Option(metavar="N", help="Panel ports of one cable, if not one a plug.")
    ] = None,
    max_panels: Annotated[
        int | None, typer.Option(metavar="N", help="Allow so many panels in a link (else 2).")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Route links through patch panels and trunks, and write the drawing with them."""
    from topoedit.app.convert import refuse_overwriting
    from topoedit.app.patch_words import find_links, find_panels
    from topoedit.app.patching import patch as patched
    from topoedit.app.patching import unpatch
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, print_json, warn
    from topoedit.errors import BadInputError
    from topoedit.io import native

    if direct == bool(panels):
        raise BadInputError("give either panels or --direct", "--panels")
    if not output.name.endswith(native.SUFFIX):
        raise BadInputError(f"a drawing's name ends in {native.SUFFIX}", str(output))
    if not output.parent.is_dir():
        raise BadInputError("there is no such folder", str(output.parent), "Make it first")
    opened = open_file(file)
    warn(opened.warnings)
    document = opened.document
    refuse_overwriting(file, output, same_format=file.name.endswith(native.SUFFIX))
    chosen = find_links(document, links)
    if direct:
        edit = unpatch(document, chosen)
        document.apply(edit)
        native.save(document, output)
        result: dict[str, object] = {"links": len(edit.put), "cables": None, "trunks": []}
        notes: tuple[str, ...] = ()
    else:
        new = _new_trunks(trunk, trunk_ports, trunk_fibres, polarity, trunk_length)
        found = patched(
            document, chosen, find_panels(document, panels), new_trunks=new,
            ports_per_cable=ports_per_cable, max_panels=max_panels,
        )  # fmt: skip
        edit, notes = found.edit, found.notes
        document.apply(edit)
        native.save(document, output)
        result = {"links": found.links, "cables": found.cables, "trunks": list(found.trunks)}
    for text in notes:
        note(text)
    if json:
        print_json({**result, "done": edit.label, "notes": notes})
    else:
        typer.echo(f"{edit.label}: wrote {output}")


def _new_trunks(
    connector: str, ports: int, fibres: int | None, polarity: str, length_m: float | None
) -> NewTrunks | None:
    from typing import get_args

    from topoedit.app.patching import NewTrunks
    from topoedit.errors import BadInputError
    from topoedit.model.elements import Polarity

    if not connector:
        return None
    method: Polarity | None = next((p for p in get_args(Polarity) if p == polarity), None)
    if method is None:
        raise BadInputError(f'"{polarity}" is no polarity', "--polarity", "Give A, B or C")
    return NewTrunks(
        connector=connector, ports=ports, fibres=fibres, polarity=method, length_m=length_m
    )
