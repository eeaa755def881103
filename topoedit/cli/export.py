"""`topoedit export FILE OUT.svg/.png/.pdf`: a picture of a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.app.export import ExportChoice
from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._picture_options import with_picture
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.engine.analyse import Result
    from topoedit.model.document import Document
    from topoedit.render.export import Size


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(with_plan(with_picture(_export), required=False))


def _export(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="File to write: .svg, .png or .pdf.")
    ],
    workload: Workload | None,
    choice: ExportChoice,
    metric_given: bool,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say how large the file will be.")
    ] = False,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Draw a file as SVG, PNG or PDF, with link loads when a model or plan is given.

    Works without a display. Drawings with very many links show their pods as tiles unless they are
    to be --complete. The exit code is 1 when the analysis says that memory does not fit or that
    some demand has no path; the picture is written all the same.
    """
    from topoedit.app.export import analyse_for_export, picture_kind
    from topoedit.app.glyphs import missing_glyphs
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, warn
    from topoedit.cli._targets import check_files

    picture_kind(target)
    check_files([("OUT", None if estimate else target)], [("FILE", file)])
    opened = open_file(file, server_type, from_format)
    result = None
    if workload is not None:
        result = analyse_for_export(opened.document, workload, file.parent)
    _write(opened.document, target, choice, result, json=json, only=estimate)
    warn(opened.warnings)
    warn(() if result is None else result.analysis.warnings)
    titles = choice.titles
    said = (titles.title, titles.revision, titles.author, titles.note)
    warn(missing_glyphs(opened.document, () if estimate else (target,), said))
    if metric_given and workload is None:
        note("warning: --metric is ignored: without a model or plan there are no loads to show")
    record = None if result is None else result.analysis
    failed = record is not None and (record.memory.risk == "no" or record.unreachable.pairs)
    return 1 if failed else 0


def _write(
    document: Document, target: Path, choice: ExportChoice, result: Result | None, *, json: bool,
    only: bool,
) -> None:  # fmt: skip
    """Say how large the picture will be, then make it unless that is all that was asked."""
    from topoedit.app.export import export_diagram, picture_kind, picture_size
    from topoedit.cli._output import note, print_json, progress_line

    kind = picture_kind(target)
    size = picture_size(document, kind, choice, result)
    if not (json or only):
        note(size.words)
    count = None
    if not only:
        count = export_diagram(document, target, choice, result, progress=progress_line())
    if json:
        print_json({"file": str(target), "format": kind, "bytes": count, **_figures(size)})
    elif only:
        typer.echo(size.words)
    elif count is not None:
        typer.echo(f"{target}: {count:,} bytes".replace(",", "\u2009"))


def _figures(size: Size) -> dict[str, object]:
    return {
        "width": size.width,
        "height": size.height,
        "pages": size.pages,
        "estimated_bytes": size.bytes,
        "collapsed": size.collapsed,
    }
