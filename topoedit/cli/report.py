"""`topoedit report FILE -o OUT`: the whole design as one document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(with_plan(_report, required=False))


def _report(
    file: FileArgument,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT.html/.pdf/.md", help="File to write."),
    ],
    workload: Workload | None = None,
    sections: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,NAME", help="Write only these sections; a wrong name lists them all."
        ),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jinja", help="Company template (Jinja2), for HTML."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit 1 while lines rest on unverified or set values."),
    ] = False,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Write a report as HTML (one file), PDF or Markdown.

    Without plan options the plan is the one that the drawing says is its own, if there is one. The
    exit code is 1 when memory does not fit or some demand has no path, and with --strict while
    lines rest on unverified or overridden values; the report is written all the same.
    """
    from topoedit.app.report import active_workload, make_report, report_kind, write_report
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, print_json, progress_line, warn

    kind = report_kind(output)
    opened = open_file(file, server_type, from_format)
    warn(opened.warnings)
    plan_from = ""
    if workload is None:
        workload, plan_from = active_workload(opened.document)
    progress = progress_line()
    made = make_report(
        opened.document, workload, file=file.name, base=file.parent, plan_from=plan_from,
        sections=_names(sections), progress=progress,
    )  # fmt: skip
    files = write_report(made, output, template=template, progress=progress)
    report, record = made.report, None if made.result is None else made.result.analysis
    if record is not None:
        warn(record.warnings)
    if json:
        print_json({
            "file": str(output), "format": kind, "files": [str(path) for path in files],
            "bytes": sum(path.stat().st_size for path in files),
            "sections": [part.id for part in report.parts],
            "step_time_s": None if record is None else record.step_time_s,
            "marked": {"lines": report.marked, "unverified": report.unverified,
                       "overridden": report.overridden},
        })  # fmt: skip
    else:
        for path in files:
            typer.echo(f"{path}: {path.stat().st_size:,} bytes".replace(",", "\u2009"))
    if strict and report.marked:
        note(f"strict: {report.front.marked}")
        return 1
    failed = record is not None and (record.memory.risk == "no" or record.unreachable.pairs)
    return 1 if failed else 0


def _names(given: list[str] | None) -> list[str]:
    """Section names, given with commas or again."""
    return [name for text in given or () for name in text.split(",")]
