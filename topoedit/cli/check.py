"""`topoedit check FILE`: the design rules over a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.model.document import Document
    from topoedit.rules.base import Finding
    from topoedit.rules.run import Report

_SHOWN = 200
_SHOWN_ELEMENTS = 4


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(with_plan(_check, required=False))


def _check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Drawing or foreign file.")
    ] = None,
    workload: Workload | None = None,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    rule: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Run this rule; may be given again.")
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=LEVEL",
            help="error, warning, info or off for a rule; may be given again.",
        ),
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option(metavar="OUT.sarif", help="Write the findings as SARIF 2.1.0.")
    ] = None,
    list_rules: Annotated[bool, typer.Option("--list", help="List the rules.")] = False,
    json: JsonOption = False,
) -> int:
    """Check a drawing against the design rules; with a plan, against those of plans too.

    The exit code is 1 when there is an error.
    """
    if list_rules:
        return _list(json=json)
    from topoedit.app.check import check
    from topoedit.cli._files import open_file
    from topoedit.cli._output import print_json, warn
    from topoedit.cli._targets import check_files
    from topoedit.errors import BadInputError

    if file is None:
        raise BadInputError("say which file to check", "FILE", "Or list the rules with --list")
    levels = _levels(severity)
    check_files([("--sarif", sarif)], [("FILE", file)])
    opened = open_file(file, server_type, from_format, apart=True)
    report = check(
        opened.document, workload, base=file.parent, only=rule or (), severities=levels,
        shared=opened.shared,
    )  # fmt: skip
    if sarif is not None:
        _write_sarif(report, file, sarif)
    warn(opened.warnings)
    if json:
        print_json(report)
    else:
        _print(opened.document, report)
    return 1 if report.failed else 0


def _levels(given: list[str] | None) -> dict[str, str]:
    from topoedit.errors import BadInputError
    from topoedit.rules.run import checked_severities

    levels: dict[str, str] = {}
    for text in given or ():
        rule, joined, level = text.partition("=")
        if not joined:
            raise BadInputError(f'"{text}" is not RULE=LEVEL', "--severity", "e.g. dac-reach=info")
        levels[rule] = level
    return checked_severities(levels)


def _write_sarif(report: Report, file: Path, target: Path) -> None:
    from topoedit.app.sarif import sarif_bytes
    from topoedit.io import atomic
    from topoedit.io.reading import decode_text, read_bytes

    text = decode_text(read_bytes(file), str(file))
    atomic.write(target, sarif_bytes(report, file, text))


def _list(*, json: bool) -> int:
    from topoedit.cli._output import print_json, print_table
    from topoedit.rules.base import rules

    known = rules().values()
    if json:
        fields = ("id", "title", "severity", "needs", "source")
        print_json({"rules": [{name: getattr(rule, name) for name in fields} for rule in known]})
    else:
        print_table(
            ("rule", "severity", "needs", "what must hold"),
            [(rule.id, rule.severity, ", ".join(rule.needs), rule.title) for rule in known],
        )
    return 0


def _print(document: Document, report: Report) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_number

    for finding in report.violations[:_SHOWN]:
        _print_finding(document, finding)
    counts = report.counts
    hidden = len(report.violations) - _SHOWN + sum(report.not_listed.values())
    if hidden > 0:
        typer.echo(f"… and {format_number(hidden)} more; --json lists them")
    parts = (
        (counts.error, "error"), (counts.warning, "warning"), (counts.info, "note"),
    )  # fmt: skip
    words = [f"{format_number(n)} {word}{'' if n == 1 else 's'}" for n, word in parts]
    typer.echo(f"{', '.join(words)}, {format_number(counts.excluded)} excluded")
    typer.echo()
    ran = [(rule, format_number(number)) for rule, number in report.checked.items() if number]
    print_table(("rule", "elements checked"), ran)
    if report.unchecked:
        typer.echo()
        print_table(("not checked", "why"), [(one.rule, one.why) for one in report.unchecked])


def _print_finding(document: Document, finding: Finding) -> None:
    from topoedit.model.elements import Device, Group

    names = []
    for element_id in finding.elements[:_SHOWN_ELEMENTS]:
        element = document.element(element_id)
        names.append(element.name if isinstance(element, Device | Group) else element_id)
    more = len(finding.elements) - _SHOWN_ELEMENTS
    places = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    typer.echo(f"{finding.severity:<8}{finding.rule}: {finding.message}")
    if finding.fix:
        typer.echo(f"        {finding.fix}")
    if places:
        typer.echo(f"        at {places}")
