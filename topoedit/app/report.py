"""The report of a drawing as a file: what editor, command line and Python share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from topoedit.app.analyse import analyse_fabric
from topoedit.app.check import check
from topoedit.engine.analyse import Result
from topoedit.engine.compile import compile_fabric
from topoedit.engine.types import Fabric
from topoedit.errors import BadInputError
from topoedit.io import atomic
from topoedit.model.document import Document
from topoedit.model.plan import Workload
from topoedit.reports.report.base import chosen_sections
from topoedit.reports.report.blocks import Diagram, Report
from topoedit.reports.report.build import build_report
from topoedit.reports.report.case import Case, ErrorLine, Tools
from topoedit.reports.report.picture import Picture
from topoedit.reports.tables import collector_paused
from topoedit.rules.run import Report as RuleReport

Kind = Literal["html", "pdf", "md"]
Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
KINDS: tuple[Kind, ...] = ("html", "pdf", "md")
_ANALYSED, _BUILT = 0.25, 0.8  # how far the work is after each stage


@dataclass(frozen=True, eq=False)
class Made:
    """A report and the diagram that its writers ask for."""

    report: Report
    picture: Picture
    result: Result | None


def report_kind(target: Path) -> Kind:
    """The format that a file name asks for.

    Raises:
        BadInputError: its suffix is none of .html, .pdf and .md, or its folder is not there.
    """
    suffixes: dict[str, Kind] = {
        ".html": "html", ".htm": "html", ".pdf": "pdf", ".md": "md", ".markdown": "md",
    }  # fmt: skip
    kind = suffixes.get(target.suffix.lower())
    if kind is None:
        raise BadInputError(
            f'"{target.suffix or target.name}" is no format of reports', str(target),
            "Use .html, .pdf or .md",
        )  # fmt: skip
    if not target.parent.is_dir():
        raise BadInputError("there is no such folder", str(target.parent), "Make it first")
    return kind


def check_target(target: Path, template: Path | None = None) -> Kind:
    """The format of a file to write, before any work is done for it.

    Raises:
        BadInputError: its suffix or folder is wrong, or a template does not go with it.
    """
    kind = report_kind(target)
    if template is not None and kind != "html":
        raise BadInputError("a template makes HTML", f"--template {template}", "Write to .html")
    if template is not None and not template.is_file():
        raise BadInputError("there is no such template", f"--template {template}")
    return kind


def diagram_beside(target: Path) -> Path:
    """Where the diagram of a report in Markdown goes."""
    return target.with_name(f"{target.stem}-diagram.svg")


def active_workload(document: Document) -> tuple[Workload | None, str]:
    """The plan that a drawing says is its own, and in words where it is from."""
    saved = document.workloads.get(document.settings.active)
    if saved is None or not saved.workload.model:
        return None, ""
    return saved.workload, f'The plan is the drawing\'s own, "{saved.name}".'


def make_report(
    document: Document,
    workload: Workload | None = None,
    *,
    file: str = "",
    base: Path | None = None,
    plan_from: str = "",
    sections: Iterable[str] = (),
    revision: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Made:
    """Everything a report says, as data.

    Args:
        document: the drawing; it is read, never changed.
        workload: model and plan; without them loads, step time and memory are left out.
        file: name of the drawing's file.
        base: folder that relative files of the workload are looked for in.
        plan_from: where the plan is from, in words.
        sections: ids of sections; all if empty.
        revision: that the report names; the document's own by default.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        BadInputError: no such section or model, or a plan that cannot exist here.
        CancelledError: `cancel` said so.
    """
    chosen = chosen_sections(sections)
    tell = progress or _silent
    tell("Reading the drawing", 0.0)
    fabric = compile_fabric(document)

    def analysed(one: Fabric, share: float) -> Result:
        if workload is None:
            raise BadInputError("there is no plan to analyse")
        told = _part(tell, 0.0, share) if share else None
        return analyse_fabric(
            one, workload, document.catalog, base=base, cancel=cancel, progress=told
        )

    def checked() -> RuleReport:
        return check(document, workload, fabric=fabric, base=base, cancel=cancel)

    result = None if workload is None else analysed(fabric, _ANALYSED)
    again = None if workload is None else lambda one: analysed(one, 0.0)
    start = 0.0 if workload is None else _ANALYSED
    case = Case(
        document, fabric, Tools(checked, error_lines, again), result=result, file=file,
        plan_from=plan_from, revision=revision, progress=_part(tell, start, _BUILT), cancel=cancel,
    )  # fmt: skip
    with collector_paused():
        return Made(build_report(case, chosen), Picture(document, result), result)


def write_report(
    made: Made,
    target: Path,
    *,
    template: Path | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[Path, ...]:
    """Write a report as HTML, PDF or Markdown, by the suffix; each file whole or not at all.

    Args:
        made: the report.
        target: the file; Markdown puts its diagram beside it.
        template: a company template (Jinja2), for HTML.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Returns:
        The files written.

    Raises:
        BadInputError: the suffix, the folder or the template is wrong.
        BadFileError: a file cannot be written.
        CancelledError: `cancel` said so; nothing was written.
    """
    kind = check_target(target, template)
    tell = _part(progress or _silent, _BUILT, 1.0)
    files = _contents(made, kind, target, template, tell, cancel)
    for path, data in files.items():
        atomic.write(path, data)
    return tuple(files)


def _contents(
    made: Made, kind: Kind, target: Path, template: Path | None, tell: Progress,
    cancel: Cancel | None,
) -> dict[Path, bytes]:  # fmt: skip
    if kind == "pdf":
        from topoedit.reports.report.pdf import pdf_bytes

        return {target: pdf_bytes(made.report, made.picture, tell, cancel)}
    tell("Drawing the diagram", 0.1)
    if kind == "html":
        from topoedit.reports.report.html import html_bytes

        return {target: html_bytes(made.report, made.picture, template)}
    from topoedit.reports.report.markdown import markdown_text

    if not any(isinstance(block, Diagram) for block in made.report.front.blocks):
        return {target: markdown_text(made.report).encode("utf-8", "replace")}
    beside = diagram_beside(target)
    svg = made.picture.svg(f"Diagram of {made.report.name}")
    text = markdown_text(made.report, _address(beside.name))
    return {beside: svg.encode("utf-8", "replace"), target: text.encode("utf-8", "replace")}


def _address(name: str) -> str:
    """A file name as the target of a Markdown link."""
    from urllib.parse import quote

    return quote(name)


def _part(tell: Progress, start: float, end: float) -> Progress:
    """What tells a part of the whole."""
    return lambda words, fraction: tell(words, start + (end - start) * fraction)


def _silent(words: str, fraction: float) -> None:
    """Tells nobody."""


@lru_cache(maxsize=1)
def error_lines() -> tuple[ErrorLine, ...]:
    """Errors of step times, memory and collectives against the rows that the product ships."""
    from topoedit.app.validate.run import validate

    found = validate().summary
    step, memory = found.step_time, found.memory
    lines = [
        ErrorLine(f"Step time: {step.rows}", step.n, step.median_abs_error, step.p90_abs_error,
                  step.bias),
        *(
            ErrorLine(f"Step time: {one.rows}", one.n, one.median_abs_error, one.p90_abs_error,
                      one.bias)
            for one in found.trend.values()
        ),
        ErrorLine("Memory", memory.n, memory.median_abs_error, memory.p90_abs_error, memory.bias),
    ]  # fmt: skip
    lines += [
        ErrorLine(f"Collectives, {size} sizes", one.n, one.median_abs_error, one.p90_abs_error)
        for size, one in found.collectives.by_size.items()
    ]
    return tuple(lines)
