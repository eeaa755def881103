"""`topoedit report FILE -o OUT`: the whole design as one document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.app.report import Made

_Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="OUT.html/.pdf/.md", help="File to write.")
]
_Sections = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,NAME", help="Write only these sections; a wrong name lists them all."
    ),
]
_Template = Annotated[
    Path | None, typer.Option(metavar="FILE.jinja", help="Company template (Jinja2), for HTML.")
]
_Strict = Annotated[
    bool, typer.Option("--strict", help="Exit 1 while lines rest on unverified or set values.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(with_plan(_report, required=False))


def _report(
    file: FileArgument,
    output: _Output,
    workload: Workload | None = None,
    sections: _Sections = None,
    template: _Template = None,
    strict: _Strict = False,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Write a report as HTML (one file), PDF or Markdown.

    Without plan options the plan is the one that the drawing says is its own, if there is one. The
    exit code is 1 when memory does not fit or some demand has no path, and with --strict while
    lines rest on unverified or overridden values; the report is written all the same.
    """
    from topoedit.app.glyphs import missing_glyphs
    from topoedit.app.report import (
        active_workload,
        check_target,
        diagram_beside,
        make_report,
        write_report,
    )
    from topoedit.cli._files import open_file
    from topoedit.cli._output import progress_line, warn
    from topoedit.cli._targets import check_files

    kind = check_target(output, template)
    beside = diagram_beside(output) if kind == "md" else None
    check_files(
        [("-o", output), ("the diagram beside it", beside)],
        [("FILE", file), ("--template", template)],
    )
    opened = open_file(file, server_type, from_format)
    plan_from = ""
    if workload is None:
        workload, plan_from = active_workload(opened.document)
    progress = progress_line()
    made = make_report(
        opened.document, workload, file=file.name, base=file.parent, plan_from=plan_from,
        sections=_names(sections), progress=progress,
    )  # fmt: skip
    files = write_report(made, output, template=template, progress=progress)
    warn(opened.warnings)
    warn(missing_glyphs(opened.document, files))
    return _answer(made, files, output, strict=strict, json=json)


def _answer(made: Made, files: tuple[Path, ...], output: Path, *, strict: bool, json: bool) -> int:
    """Say what was written; the exit code."""
    from topoedit.cli._output import note, warn

    record = None if made.result is None else made.result.analysis
    if record is not None:
        warn(record.warnings)
    if json:
        _print_json(made, files, output)
    else:
        for path in files:
            typer.echo(f"{path}: {path.stat().st_size:,} bytes".replace(",", "\u2009"))
    if strict and made.report.marked:
        note(f"strict: {made.report.front.marked}")
        return 1
    failed = record is not None and (record.memory.risk == "no" or record.unreachable.pairs)
    return 1 if failed else 0


def _print_json(made: Made, files: tuple[Path, ...], output: Path) -> None:
    from topoedit.app.report import report_kind
    from topoedit.cli._output import print_json

    report, result = made.report, made.result
    marked = {
        "lines": report.marked,
        "unverified": report.unverified,
        "overridden": report.overridden,
    }
    print_json(
        {
            "file": str(output),
            "format": report_kind(output),
            "files": [str(path) for path in files],
            "bytes": sum(path.stat().st_size for path in files),
            "sections": [part.id for part in report.parts],
            "step_time_s": None if result is None else result.analysis.step_time_s,
            "marked": marked,
        }
    )


def _names(given: list[str] | None) -> list[str]:
    """Section names, given with commas or again."""
    return [name for text in given or () for name in text.split(",")]
