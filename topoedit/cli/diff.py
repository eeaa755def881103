"""`topoedit diff A B`: what differs between two files of any readable format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from topoedit.app.compare_files import Changed, Comparison

_COLUMNS = ("added", "removed", "changed", "moved", "renumbered")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff")(_diff)


def _diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="The file as it was.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The file as it is.")],
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="Most lines of each sort; 0 for all.")
    ] = 20,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="End with 1 if anything differs.")
    ] = False,
    server_type: ServerTypeOption = None,
    json: JsonOption = False,
) -> int:
    """Compare two files: what was added, removed, changed and moved, cable by cable.

    Devices, groups and other elements are matched by id, else by name; links by their cables,
    else by id or by the devices they join. Two ports that were joined before and are now is the
    same cable, whatever its id; the same id on other ports of one of its devices is a cable that
    moved. The exit code is 0, unless --exit-code asks for 1 where anything differs.

    JSON keys: a, b {file, format, name}; same; counts {kind: {added, removed, changed, moved}};
    added, removed [{kind, id, name}]; changed, and moved where only the place differs [{kind, id,
    id_after, name, matched_by, fields [{field, before, after}]}]; cables {added, removed [{id, a,
    b}], moved [{id, a, b, a_after, b_after}], renumbered [{id, id_after, a, b}]}; warnings.
    """
    from topoedit.app.compare_files import compare_files
    from topoedit.cli._files import open_file
    from topoedit.cli._output import print_json, warn

    opened = [open_file(path, server_type) for path in (before, after)]
    found = compare_files(opened[0], opened[1], (str(before), str(after)))
    warn(found.warnings)
    print_json(found) if json else _print(found, limit)
    return 1 if exit_code and not found.same else 0


def _print(found: Comparison, limit: int) -> None:
    from topoedit.cli._output import print_table

    if found.same:
        typer.echo("Both hold the same.")
        return
    print_table(
        ("kind", *_COLUMNS),
        [(kind, *(row.get(column) for column in _COLUMNS)) for kind, row in found.counts.items()],
    )
    for title, lines in _sections(found):
        if not lines:
            continue
        typer.echo(f"\n{title}")
        shown = lines[:limit] if limit else lines
        for line in shown:
            typer.echo(f"  {line}")
        if len(shown) < len(lines):
            typer.echo(f"  and {len(lines) - len(shown)} more (--limit 0 shows all)")


def _sections(found: Comparison) -> Iterator[tuple[str, Sequence[str]]]:
    cables = found.cables
    yield "Added", [f"{e.kind} {e.name or e.id}" for e in found.added]
    yield "Removed", [f"{e.kind} {e.name or e.id}" for e in found.removed]
    yield "Changed", [_changed(change) for change in found.changed]
    yield "Moved on the drawing", [f"{e.kind} {e.name or e.id}" for e in found.moved]
    yield "Cables added", [f"{c.id}: {c.a} – {c.b}" for c in cables.added]
    yield "Cables removed", [f"{c.id}: {c.a} – {c.b}" for c in cables.removed]
    yield (
        "Cables moved",
        [f"{c.id}: {c.a} – {c.b} to {c.a_after} – {c.b_after}" for c in cables.moved],
    )
    yield "Cables renumbered", [f"{c.id} to {c.id_after}: {c.a} – {c.b}" for c in cables.renumbered]


def _changed(change: Changed) -> str:
    parts = [f"{f.field} {_short(f.before)} to {_short(f.after)}" for f in change.fields]
    return f"{change.kind} {change.name or change.id}: {'; '.join(parts)}"


def _short(value: object) -> str:
    """A value in a few words."""
    import msgspec

    if value is None or value in ("", (), {}):
        return "–"
    plain = msgspec.to_builtins(value, enc_hook=str)
    text = ":".join(map(str, plain)) if _is_end(value) else " ".join(str(plain).split())
    return text if len(text) <= 60 else f"{text[:57]}…"


def _is_end(value: object) -> bool:
    from topoedit.model.elements import Ports

    return isinstance(value, Ports)
