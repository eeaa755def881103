"""`topoedit patch FILE LINKS…`: route links through patch panels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, JsonOption

if TYPE_CHECKING:
    from topoedit.app.open import Opened
    from topoedit.app.patching import NewTrunks, Patched
    from topoedit.model.document import Document

_Links = Annotated[
    list[str],
    typer.Argument(
        metavar="LINKS…",
        help="Links: ids, cables (c1-8), devices (node-*) or both ends (node-*:leaf-*).",
    ),
]
_Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="OUT.topo.json", help="Drawing to write.")
]
_Panels = Annotated[
    str, typer.Option(metavar="P1,P2…", help="Patch panels in the order of the way.")
]
_Direct = Annotated[bool, typer.Option("--direct", help="Route the links past all panels instead.")]
_Trunk = Annotated[
    str,
    typer.Option(metavar="MPO-12/16/24, LC", help="Add trunks of this connector where full."),
]
_TrunkPorts = Annotated[int, typer.Option(metavar="N", help="Ports of a new trunk at each panel.")]
_TrunkFibres = Annotated[
    int | None,
    typer.Option(metavar="N", help="Fibres of a new trunk; by default all a connector has."),
]
_Polarity = Annotated[str, typer.Option(metavar="A/B/C", help="Polarity of new trunks (TIA-568).")]
_TrunkLength = Annotated[
    float | None, typer.Option(metavar="M", help="Length of a new trunk, metres.")
]
_PortsPerCable = Annotated[
    int | None, typer.Option(metavar="N", help="Panel ports of one cable, if not one a plug.")
]
_MaxPanels = Annotated[
    int | None, typer.Option(metavar="N", help="Allow so many panels in a link (else 2).")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("patch")(patch)


def patch(
    file: FileArgument,
    links: _Links,
    output: _Output,
    panels: _Panels = "",
    direct: _Direct = False,
    trunk: _Trunk = "",
    trunk_ports: _TrunkPorts = 12,
    trunk_fibres: _TrunkFibres = None,
    polarity: _Polarity = "B",
    trunk_length: _TrunkLength = None,
    ports_per_cable: _PortsPerCable = None,
    max_panels: _MaxPanels = None,
    json: JsonOption = False,
) -> None:
    """Route links through patch panels and trunks, and write the drawing with them."""
    from topoedit.cli._output import note, print_json, warn
    from topoedit.errors import BadInputError

    if direct == bool(panels):
        raise BadInputError("give either panels or --direct", "--panels")
    opened = _opened(file, output)
    document = opened.document
    if direct:
        found = _straightened(document, links)
    else:
        new = _new_trunks(trunk, trunk_ports, trunk_fibres, polarity, trunk_length)
        found = _patched(document, links, panels, new, ports_per_cable, max_panels)
    if not found.edit.is_empty:
        _save(document, found, output)
    warn(opened.warnings)
    for text in found.notes:
        note(text)
    if json:
        print_json(
            {
                "links": found.links,
                "cables": found.cables,
                "trunks": found.trunks,
                "done": found.edit.label,
                "notes": found.notes,
            }
        )
    elif found.edit.is_empty:
        typer.echo("nothing to do, nothing written")
    else:
        typer.echo(f"{found.edit.label}: wrote {output}")


def _opened(file: Path, output: Path) -> Opened:
    """The drawing to change, once it is sure that the result can be written."""
    from topoedit.app.convert import refuse_overwriting
    from topoedit.cli._files import open_file
    from topoedit.cli._targets import check_files
    from topoedit.errors import BadInputError
    from topoedit.io import native

    if not output.name.endswith(native.SUFFIX):
        raise BadInputError(
            f"a drawing's name ends in {native.SUFFIX}", str(output), "Give it that suffix"
        )
    check_files([("-o", output)])
    refuse_overwriting(file, output, same_format=file.name.endswith(native.SUFFIX))
    return open_file(file)


def _straightened(document: Document, links: list[str]) -> Patched:
    from topoedit.app.patch_words import find_links
    from topoedit.app.patching import Patched, unpatch
    from topoedit.model.elements import Link

    edit = unpatch(document, find_links(document, links))
    cables = sum(link.count for link in edit.put if isinstance(link, Link))
    notes = () if edit.put else ("none of these links runs through panels",)
    return Patched(edit, len(edit.put), cables, notes=notes)


def _patched(
    document: Document,
    links: list[str],
    panels: str,
    new: NewTrunks | None,
    ports_per_cable: int | None,
    max_panels: int | None,
) -> Patched:
    from topoedit.app.patch_words import find_links, find_panels
    from topoedit.app.patching import patch as patched

    return patched(
        document,
        find_links(document, links),
        find_panels(document, panels),
        new_trunks=new,
        ports_per_cable=ports_per_cable,
        max_panels=max_panels,
    )


def _save(document: Document, found: Patched, output: Path) -> None:
    from topoedit.io import native

    document.apply(found.edit)
    native.save(document, output)


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
