"""`topoedit analyze`: the load of every link and the time of a training step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.app.jobs import JobsAnswer
    from topoedit.app.open import Opened
    from topoedit.engine.explanation import Explanation
    from topoedit.model.analysis import Analysis, LinkLoad, Memory

LinksOption = Annotated[
    str | None,
    typer.Option(metavar="all or FILE.csv", help="List every drawn link, here or in a table."),
]
ExplainOption = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="Formula, inputs and source of one figure, e.g. step_time_s."),
]
JobsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.yaml", help="Several jobs at once: name, model, ranks and plan of each."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyze")(with_plan(_analyze, required=False))


def _analyze(
    file: FileArgument,
    workload: Workload | None,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    links: LinksOption = None,
    explain: ExplainOption = None,
    jobs: JobsOption = None,
    json: JsonOption = False,
) -> int:
    """Step time, link loads, memory and bottlenecks of a training plan on a drawing.

    The exit code is 1 when memory does not fit or some demand has no path.
    """
    from topoedit.app.analyse import analyse_document
    from topoedit.cli._files import open_file
    from topoedit.cli._output import print_json, warn
    from topoedit.cli._targets import check_files
    from topoedit.engine.analyse import AnalyseOptions
    from topoedit.engine.explain import explain as explained
    from topoedit.errors import BadInputError

    if jobs is not None:
        alone = workload is None and links is None and explain is None
        return _analyze_jobs(
            open_file(file, server_type, from_format), jobs, alone=alone, json=json
        )
    if workload is None:
        raise BadInputError(
            "say which model to train", "--model",
            "A name from `topoedit catalog models`, or a config.json",
        )  # fmt: skip
    table = _table(links)
    check_files([("--links", table)], [("FILE", file)])
    opened = open_file(file, server_type, from_format)
    result = analyse_document(
        opened.document, workload, base=file.parent, options=AnalyseOptions(links=links is not None)
    )
    record = result.analysis
    answer = None if explain is None else explained(result, explain)
    if table is not None:
        write_links(table, record.links)
    warn(opened.warnings)
    if answer is not None:
        print_json(answer) if json else _print_explanation(answer)
    elif json:
        print_json(record)
    else:
        warn(record.warnings)
        _print(record)
    return 1 if record.memory.risk == "no" or record.unreachable.pairs else 0


def _analyze_jobs(opened: Opened, file: Path, *, alone: bool, json: bool) -> int:
    from topoedit.app.jobs import analyse_jobs_file
    from topoedit.cli._output import print_json, warn
    from topoedit.errors import BadInputError

    if not alone:
        raise BadInputError(
            "the jobs have plans of their own",
            "--jobs",
            "Leave out --links, --explain and the plan",
        )
    answer = analyse_jobs_file(opened.document, file)
    warn((*opened.warnings, *answer.warnings))
    if json:
        print_json(answer)
    else:
        _print_jobs(answer)
    failed = any(job.risk == "no" or job.unreachable.pairs for job in answer.jobs)
    return 1 if failed else 0


def _print_jobs(answer: JobsAnswer) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_bytes, format_number, format_percent, format_seconds

    print_table(
        ("job", "model", "GPUs", "step alone", "step shared", "80 %", "slowdown", "memory"),
        [
            (j.name, j.model, format_number(j.gpus), format_seconds(j.alone_s),
             format_seconds(j.step_time_s), _range(j.interval.low_s, j.interval.high_s),
             f"{j.slowdown:.3f}", j.risk)
            for j in answer.jobs
        ],
    )  # fmt: skip
    typer.echo()
    if not answer.links:
        typer.echo("No link carries more than one of them.")
    else:
        print_table(
            ("link that several use", "from", "to", "tier", "utilisation", "of it"),
            [
                (x.link, x.from_, x.to, x.tier, format_percent(x.utilisation, 1),
                 ", ".join(f"{name} {format_percent(part, 1)}" for name, part in x.by_job.items()))
                for x in answer.links
            ],
        )  # fmt: skip
    lost = [(j.name, j.unreachable) for j in answer.jobs if j.unreachable.pairs]
    for name, missing in lost:
        typer.echo(f"{name}: {format_bytes(missing.bytes)} a step have no path")


def _table(links: str | None) -> Path | None:
    """The file that `--links` names, if it is not `all`."""
    from topoedit.errors import BadInputError

    if links is None or links == "all":
        return None
    path = Path(links)
    if path.suffix.lower() != ".csv":
        raise BadInputError(f'"{links}" is neither all nor a .csv file', "--links")
    return path


def write_links(path: Path, links: tuple[LinkLoad, ...]) -> None:
    """Write one row for each direction of each drawn link."""
    import csv
    import io

    from topoedit.io import atomic

    classes = sorted({name for link in links for name in link.by_class})
    columns = (
        "link",
        "from",
        "to",
        "capacity_GBps",
        "bytes",
        "utilisation",
        "phase_share",
        "demand",
    )
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*columns, "state", *classes))
    for link in links:
        writer.writerow(
            (
                link.link, link.from_, link.to, link.capacity_GBps, link.bytes, link.utilisation,
                link.phase_share, link.demand, link.state,
                *(link.by_class.get(name, 0.0) for name in classes),
            )
        )  # fmt: skip
    atomic.write(path, text.getvalue().encode())


def _print_explanation(answer: Explanation) -> None:
    from topoedit.cli._output import print_pairs
    from topoedit.engine.explain import in_words

    print_pairs(in_words(answer))


def _print(record: Analysis) -> None:
    from topoedit.cli._output import print_pairs
    from topoedit.units import format_bytes, format_number, format_percent, format_seconds

    interval, memory = record.interval, record.memory
    print_pairs(
        (
            ("step time", format_seconds(record.step_time_s)),
            ("80 % interval", _range(interval.low_s, interval.high_s)),
            ("rests on", f"{interval.rows} rows: {interval.basis}"),
            ("nearest row", interval.nearest),
            *(("outside the measured range", text) for text in interval.extrapolated),
            ("tokens/s", format_number(record.tokens_per_s)),
            ("tokens/s a GPU", format_number(record.tokens_per_s_per_gpu)),
            ("MFU, full attention", format_percent(record.mfu, 1)),
            ("MFU, causal", format_percent(record.mfu_causal, 1)),
            ("HFU", format_percent(record.hfu, 1)),
            ("memory", memory.risk),
            (f"memory of stage {memory.stage}", format_bytes(memory.total_bytes)),
            ("of it", _kinds(memory)),
            ("memory of a GPU", format_bytes(memory.capacity_bytes)),
            *(("would fit with", text) for text in memory.would_fit),
            ("GPUs", f"{record.topology.gpus_used} of {record.topology.gpus or '–'}"),
        )
    )  # fmt: skip
    _print_tables(record)


def _kinds(memory: Memory) -> str:
    """Memory by kind, the largest first."""
    from topoedit.units import format_bytes

    names = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")
    sizes = sorted(((getattr(memory, f"{n}_bytes"), n) for n in names), reverse=True)
    return ", ".join(f"{name} {format_bytes(size)}" for size, name in sizes if size)


def _range(low: float, high: float) -> str:
    from topoedit.units import format_seconds

    return f"{format_seconds(low)} to {format_seconds(high)}"


def _print_tables(record: Analysis) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_bytes, format_number, format_percent, format_seconds

    total = record.step_time_s
    parts = [(n, getattr(record.breakdown_s, n)) for n in record.breakdown_s.__struct_fields__]
    typer.echo()
    print_table(
        ("part", "seconds", "share"),
        [(n, format_seconds(v), format_percent(v / total, 1)) for n, v in parts if v],
    )
    typer.echo()
    print_table(
        ("class", "part", "op", "algorithm", "group", "calls", "bytes a GPU", "time", "exposed"),
        [
            (c.class_, c.part, c.op, c.algorithm, f"{c.groups} x {c.group_size}",
             format_number(c.count), format_bytes(c.bytes_per_gpu), format_seconds(c.time_s),
             format_seconds(c.exposed_s))
            for c in record.communication
        ],
    )  # fmt: skip
    typer.echo()
    print_table(
        ("tier", "directions", "bytes", "highest utilisation", "highest demand",
         "oversubscription"),
        [
            (t.tier, format_number(t.links), format_bytes(t.bytes),
             format_percent(t.max_utilisation, 1), format_percent(t.max_demand, 1),
             None if t.oversubscription is None else format_number(t.oversubscription, 2))
            for t in record.tiers
        ],
    )  # fmt: skip
    typer.echo()
    print_table(
        ("bottleneck", "directions", "demand", "twice as fast saves", "one link saves", "why"),
        [
            (f"{b.example} ({b.from_} to {b.to})", format_number(b.links), format_percent(b.demand),
             format_seconds(b.cost_s), format_seconds(b.cost_one_s), b.why)
            for b in record.bottlenecks
        ],
    )  # fmt: skip
    if record.links:
        typer.echo()
        print_table(
            ("link", "from", "to", "bytes", "utilisation", "demand", "state"),
            [
                (x.link, x.from_, x.to, format_bytes(x.bytes), format_percent(x.utilisation, 1),
                 format_percent(x.demand, 1), x.state)
                for x in record.links
            ],
        )  # fmt: skip
