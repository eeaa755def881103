"""`topoedit collective`: time and traffic of one collective call on a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._output import print_json, print_pairs, print_table, warn
from topoedit.units import format_bytes, format_number, format_percent, format_seconds

if TYPE_CHECKING:
    from topoedit.app.collective import Answer, Request
    from topoedit.app.figure_records import Sweep
    from topoedit.app.open import Opened
    from topoedit.model.analysis import Unreachable


Op = Annotated[
    str,
    typer.Option(help="all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_recv."),
]
Size = Annotated[
    str,
    typer.Option("--bytes", help="Size as nccl-tests counts it. 1GB is 10^9, 1GiB 2^30."),
]
Sizes = Annotated[
    str,
    typer.Option("--sweep", metavar="FIRST:LAST", help="A table by size: what nccl-tests shows."),
]
Ranks = Annotated[str, typer.Option(help="all, the first N, or a list: 0-7,16.")]
AlgorithmName = Annotated[
    str, typer.Option(help="auto, ring, tree, nvls, nvls-tree, collnet, hierarchical, pat, …")
]
Protocol = Annotated[str, typer.Option(help="auto, ll, ll128 or simple.")]
Set = Annotated[str, typer.Option(help="fitted, or nccl-2.30.7: what NCCL's own model says.")]
Order = Annotated[
    str, typer.Option(help="node, strided, or random: the expectation over all rings.")
]
RoutingName = Annotated[
    str,
    typer.Option(
        help="ecmp (on Ethernet), adaptive (on InfiniBand), mrc, hash, static, rail-only or lft."
    ),
]
FlowCount = Annotated[
    int, typer.Option(metavar="N", help="Flows (queue pairs) that hash draws a connection.")
]
Seeds = Annotated[int, typer.Option(metavar="N", help="Draws of hash.")]
Efficiency = Annotated[
    float | None,
    typer.Option(metavar="X", help="Share of their rate that links between switches reach."),
]
Pxn = Annotated[str, typer.Option(help="on or off: relay over NVLink to the right rail.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("collective")(_collective)


def _collective(
    file: FileArgument,
    op: Op,
    size: Size = "",
    sizes: Sizes = "",
    ranks: Ranks = "all",
    algorithm: AlgorithmName = "auto",
    protocol: Protocol = "auto",
    constants: Set = "fitted",
    ring_order: Order = "node",
    routing: RoutingName = "",
    flows_per_connection: FlowCount = 1,
    seeds: Seeds = 100,
    routing_efficiency: Efficiency = None,
    pxn: Pxn = "on",
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Time of one collective call, what each GPU sends, and the link that holds it up."""
    from topoedit.app.collective import Request, parse_bytes, parse_ring_order
    from topoedit.cli._files import open_file
    from topoedit.errors import BadInputError

    if pxn not in {"on", "off"}:
        raise BadInputError(f'"{pxn}" is neither on nor off', "--pxn")
    if bool(size) == bool(sizes):
        raise BadInputError(
            "give either the bytes of one call or a range of sizes",
            "--bytes",
            "For example --bytes 1GB, or --sweep 8:16GiB",
        )
    request = Request(
        op=op,
        bytes=parse_bytes(size) if size else 0.0,
        ranks=ranks,
        algorithm=algorithm,
        protocol=protocol,
        constants=constants,
        ring_order=parse_ring_order(ring_order),
        routing=routing,
        flows_per_connection=flows_per_connection,
        seeds=seeds,
        routing_efficiency=routing_efficiency,
        pxn=pxn == "on",
    )
    opened = open_file(file, server_type, from_format)
    if sizes:
        return _sweep(opened, request, sizes, json=json)
    return _call(opened, request, json=json)


def _call(opened: Opened, request: Request, *, json: bool) -> int:
    from topoedit.app.collective import collective

    answer = collective(opened.document, request)
    warn((*opened.warnings, *answer.warnings, *_without_path(answer.unreachable)))
    if json:
        print_json(answer)
    else:
        _print(answer)
    return 1 if answer.unreachable.pairs else 0


def _sweep(opened: Opened, request: Request, sizes: str, *, json: bool) -> int:
    from topoedit.app.collective import parse_sweep, sweep

    table = sweep(opened.document, request, parse_sweep(sizes))
    warn((*opened.warnings, *table.warnings, *_without_path(table.unreachable)))
    if json:
        print_json(table)
    else:
        _print_sweep(table)
    return 1 if table.unreachable.pairs else 0


def _print(answer: Answer) -> None:
    print_pairs(_pairs(answer))
    typer.echo()
    print_table(
        ("tier", "sent by each GPU", "time of the fullest link"),
        [(t.tier, format_bytes(t.bytes_per_gpu), format_seconds(t.time_s)) for t in answer.tiers],
    )


def _print_sweep(table: Sweep) -> None:
    typer.echo(f"{table.op} on {table.ranks} GPUs, {table.constants} constants, {table.routing}")
    print_table(
        ("size", "algorithm", "time", "80 % from", "to", "algbw GB/s", "busbw GB/s", "from", "to"),
        [
            (format_bytes(r.bytes), f"{r.algorithm} {r.protocol}", format_seconds(r.time_s),
             format_seconds(r.low_s), format_seconds(r.high_s), _rate(r.algbw_GBps),
             _rate(r.busbw_GBps), _rate(r.busbw_low_GBps), _rate(r.busbw_high_GBps))
            for r in table.rows
        ],
    )  # fmt: skip
    typer.echo()
    rows: list[tuple[str, object]] = [
        ("nearest measured", table.nearest),
        ("rests on", table.basis),
    ]
    rows += [("outside the measured range", text) for text in table.extrapolated]
    rows += [("note", text) for text in table.notes]
    print_pairs([*rows, ("source", table.source)])


def _pairs(answer: Answer) -> Iterator[tuple[str, object]]:
    """Names and values for people."""
    interval = answer.interval
    size, servers = format_bytes(answer.bytes), answer.servers
    where = "one server" if servers == 1 else f"{format_number(servers)} servers"
    gpus = f"{format_number(answer.ranks)} GPU{'s' if answer.ranks > 1 else ''}"
    yield "call", f"{answer.op} of {size} on {gpus} in {where}"
    yield "algorithm", f"{answer.algorithm} {answer.protocol}"
    if answer.runner_up:
        yield "next best", f"{answer.runner_up}, {format_seconds(answer.runner_up_s)}"
    if answer.ring:
        yield "ring", answer.ring
    if interval is None:
        yield "time", "–, the call never ends"
    else:
        low, high = format_seconds(interval.low_s), format_seconds(interval.high_s)
        yield "time", f"{format_seconds(answer.time_s)} (80 %: {low} to {high})"
    spread = answer.spread
    if spread is not None:
        slow, worst = format_seconds(spread.p95_s), format_seconds(spread.worst_s)
        yield f"median of {spread.seeds} draws", f"95 % within {slow}, worst {worst}"
    yield "routing", _routing(answer)
    yield "latency part", format_seconds(answer.latency_s)
    yield "bandwidth part", format_seconds(answer.bandwidth_s)
    yield "algbw, busbw", f"{_rate(answer.algbw_GBps)}, {_rate(answer.busbw_GBps)} GB/s"
    yield "sent by each GPU", format_bytes(answer.bytes_per_gpu)
    yield "on the port of the busiest GPU", format_bytes(answer.port_bytes_per_gpu)
    if servers > 1:
        yield "leaves the server", f"{format_bytes(answer.network_bytes_per_gpu)} a GPU"
        yield "", f"{format_bytes(answer.network_bytes_per_server)} a server"
    yield "held up by", _bottleneck(answer)
    if interval is not None:
        yield "nearest measured", interval.nearest
        yield from (("outside the measured range", reason) for reason in interval.extrapolated)
    for text in answer.notes:
        yield "note", text
    yield "why", answer.formula
    yield "source", answer.source


def _routing(answer: Answer) -> str:
    if answer.routing_efficiency is None:
        return answer.routing
    share = format_percent(answer.routing_efficiency)
    return f"{answer.routing}, links between switches at {share} of their rate"


def _without_path(lost: Unreachable) -> Iterator[str]:
    if lost.pairs:
        pairs = f"{format_number(lost.pairs)} pair{'s' if lost.pairs > 1 else ''} of GPUs"
        yield (
            f"{format_bytes(lost.bytes)} between {pairs} have no path, for example {lost.example}; "
            "the call never ends"
        )


def _bottleneck(answer: Answer) -> str | None:
    found = answer.bottleneck
    return None if found is None else f"{found.link} ({found.from_} to {found.to})"


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
