"""`topoedit export FILE OUT.svg/.png/.pdf`: a picture of a drawing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.errors import BadInputError
from topoedit.model.layers import Key, Layers, parse_key
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.app.export import ExportChoice, PaperChoice
    from topoedit.engine.analyse import Result
    from topoedit.model.document import Document
    from topoedit.render.export import Size

_PAGES = re.compile(r"(\d{1,4})[x×](\d{1,4})")
_LAYER = "LAYER"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(with_plan(_export, required=False))


def _export(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="File to write: .svg, .png or .pdf.")
    ],
    workload: Workload | None,
    theme: Annotated[str, typer.Option(metavar="light or dark", help="Look (light).")] = "light",
    scale: Annotated[float, typer.Option(metavar="X", help="Enlargement (1).")] = 1.0,
    selection: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Show only this element, name or pattern; may be given again."
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="demand, utilisation or phase_share (demand)."),
    ] = None,
    background: Annotated[
        str, typer.Option(metavar="WORD", help="theme, white or transparent (theme).")
    ] = "theme",
    margin: Annotated[
        float | None, typer.Option(metavar="PIXELS", help="Room around the drawing (32).")
    ] = None,
    labels: Annotated[
        str, typer.Option(metavar="WORD", help="Loads on links: none, hot or all (hot).")
    ] = "hot",
    legend: Annotated[bool, typer.Option(help="Explain the colours.")] = True,
    title_block: Annotated[
        bool, typer.Option(help="Name, counts and plan under the diagram.")
    ] = True,
    title: Annotated[str, typer.Option(help="In place of the drawing's name.")] = "",
    date: Annotated[str, typer.Option(help="Date in the title block; none by itself.")] = "",
    revision: Annotated[str, typer.Option(help="Revision in the title block.")] = "",
    author: Annotated[str, typer.Option(help="Author in the title block.")] = "",
    note: Annotated[str, typer.Option(help="Free text in the title block.")] = "",
    hide: Annotated[
        list[str] | None,
        typer.Option(metavar=_LAYER, help="Leave out storage, rail=3, plane=1, phase=2, tag=new…"),
    ] = None,
    dim: Annotated[
        list[str] | None, typer.Option(metavar=_LAYER, help="Let such a layer sink back.")
    ] = None,
    complete: Annotated[
        bool,
        typer.Option("--complete", help="Every device of a large drawing; open what is collapsed."),
    ] = False,
    paper: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Lay a PDF on A4, A3, A2, A1, A0, Letter or Tabloid."),
    ] = None,
    pages: Annotated[
        str | None,
        typer.Option(
            metavar="CxR", help="A poster of columns x rows pages, or auto: as --scale asks (1x1)."
        ),
    ] = None,
    landscape: Annotated[
        bool | None,
        typer.Option("--landscape/--portrait", help="How the paper lies (what fits better)."),
    ] = None,
    overlap: Annotated[
        float | None, typer.Option(metavar="MM", help="What neighbouring pages share (10).")
    ] = None,
    marks: Annotated[bool, typer.Option(help="Crop and page marks on a poster.")] = True,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put the drawing into the PNG or SVG, to open it again.")
    ] = False,
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
    from topoedit.app.export import (
        ExportChoice,
        TitleBlock,
        analyse_for_export,
        picture_kind,
    )
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note as say
    from topoedit.cli._output import warn

    picture_kind(target)
    choice = ExportChoice(
        theme=theme,
        scale=scale,
        selection=tuple(selection or ()),
        metric=metric or "demand",  # type: ignore[arg-type]
        background=background,  # type: ignore[arg-type]
        margin=margin,
        labels=labels,  # type: ignore[arg-type]
        legend=legend,
        title_block=title_block,
        titles=TitleBlock(title, date, revision, author, note),
        layers=Layers(_keys("--hide", hide), _keys("--dim", dim)),
        complete=complete,
        paper=_paper(paper, pages, landscape, overlap, marks),
        embed=embed,
    )
    opened = open_file(file, server_type, from_format)
    warn(opened.warnings)
    if metric is not None and workload is None:
        say("warning: --metric is ignored: without a model or plan there are no loads to show")
    result = None
    if workload is not None:
        result = analyse_for_export(opened.document, workload, file.parent)
        warn(result.analysis.warnings)
    _write(opened.document, target, choice, result, json=json, only=estimate)
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
    count = None if only else export_diagram(
        document, target, choice, result, progress=progress_line()
    )  # fmt: skip
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


def _keys(option: str, texts: list[str] | None) -> frozenset[Key]:
    try:
        return frozenset(parse_key(text) for text in texts or ())
    except BadInputError as error:
        raise BadInputError(error.what, option, error.mend) from None


def _paper(
    size: str | None, pages: str | None, landscape: bool | None, overlap: float | None, marks: bool
) -> PaperChoice | None:
    from topoedit.app.export import PaperChoice

    if size is None:
        for option, value in (
            ("--pages", pages), ("--landscape/--portrait", landscape), ("--overlap", overlap),
        ):  # fmt: skip
            if value is not None:
                raise BadInputError("there is no paper to lay it on", option, "Add --paper A3")
        return None
    named = {name.lower(): name for name in ("A4", "A3", "A2", "A1", "A0", "Letter", "Tabloid")}
    return PaperChoice(
        named.get(size.lower(), size),
        landscape,
        _page_grid(pages or "1x1"),
        10.0 if overlap is None else overlap,
        marks,
    )


def _page_grid(text: str) -> tuple[int, int] | None:
    if text == "auto":
        return None
    found = _PAGES.fullmatch(text)
    if found is None:
        raise BadInputError(f'"{text}" is no number of pages', "--pages", "Use 3x2 or auto")
    return int(found.group(1)), int(found.group(2))
