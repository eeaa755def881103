"""`topoedit path FILE A B`: every shortest path between two ends, hop by hop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload

if TYPE_CHECKING:
    from topoedit.app.path import Answer, HopRecord, PathRecord

_END = "node-01/gpu3, rank:17, node-01:nic3, a port, a device, or a glob that means one device."
StartArgument = Annotated[str, typer.Argument(metavar="A", help=f"Where it starts: {_END}")]
GoalArgument = Annotated[str, typer.Argument(metavar="B", help="Where it ends, likewise.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("path")(with_plan(_path, required=False, model_required=False))


def _path(
    file: FileArgument,
    start: StartArgument,
    goal: GoalArgument,
    workload: Workload | None,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Every shortest path from A to B, as classes of equivalent paths, by the router's rules.

    With a model each hop also shows its load by traffic class. The exit code is 1 without a path.

    JSON keys: from, to; routing, pxn, gpudirect: the rules used; unreachable {pairs, bytes,
    example}: only where bytes have no path; notes, warnings; paths, one a class, by falling share.

    Of a path: share of the bytes; leaves_by and arrives_by (nvlink, xgmi, pcie inside a scale-up
    network; gpudirect or host-copy by the GPU's own NIC; pxn by another's on the right rail);
    hops; latency_s (null if a part is unknown, latency_known_s sums the rest); latency_covers;
    latency_confidence (high, middle, low); measured {what, seconds, source}: a published time.

    Of a hop: from, to; link id and tier; cable id; port_a, port_b as printed, names_a, names_b
    {printed, cage, lane, os}; medium; metres, metres_range over the class; gbps of one cable and
    capacity_GBps of the link, per direction; latency_s with latency_source, latency_confidence
    and latency_parts [{what, seconds, source, confidence}]; width: equal-cost cables to choose
    from at this hop; links: links in this class; load {bytes, by_class, utilisation,
    phase_share, demand}: with a model.
    """
    from topoedit.app.path import find_paths
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, print_json, warn

    opened = open_file(file, server_type, from_format)
    answer = find_paths(opened.document, start, goal, workload, file.parent).answer
    warn((*opened.warnings, *answer.warnings))
    if json:
        print_json(answer)
    else:
        _print(answer)
        for text in answer.notes:
            note(text)
    return 1 if answer.unreachable else 0


def _print(answer: Answer) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_percent

    if not answer.paths:
        typer.echo(f"There is no path from {answer.from_} to {answer.to}")
        return
    for number, path in enumerate(answer.paths, 1):
        if number > 1:
            typer.echo()
        typer.echo(
            f"Path {number} of {len(answer.paths)}, {format_percent(path.share, 1)} of the bytes "
            f"from {answer.from_} to {answer.to}"
        )
        for line in _facts(path):
            typer.echo(line)
        with_load = any(hop.load for hop in path.hops)
        print_table(
            (
                "from", "to", "port", "port", "medium", "length", "Gb/s", "width", "latency",
                "sure",
                *(("load",) if with_load else ()),
            ),
            [_row(hop, with_load=with_load) for hop in path.hops],
        )  # fmt: skip


def _facts(path: PathRecord) -> Iterator[str]:
    from topoedit.units import format_seconds

    words = [
        f"leaves by {path.leaves_by}" if path.leaves_by else "",
        f"arrives by {path.arrives_by}" if path.arrives_by else "",
    ]
    if any(words):
        yield ", ".join(filter(None, words))
    if path.latency_s is None:
        known = format_seconds(path.latency_known_s)
        yield f"latency unknown; its known parts take {known} ({path.latency_covers})"
    else:
        yield f"latency {format_seconds(path.latency_s)}: {path.latency_covers}"
    if path.measured is not None:
        seconds = format_seconds(path.measured.seconds)
        yield f"measured elsewhere: {seconds}, {path.measured.what} ({path.measured.source})"


def _row(hop: HopRecord, *, with_load: bool) -> list[object]:
    from topoedit.units import format_percent, format_seconds

    row: list[object] = [
        hop.from_, hop.to, hop.port_a, hop.port_b, hop.medium, _length(hop),
        None if hop.gbps is None else f"{hop.gbps:g}", hop.width,
        None if hop.latency_s is None else format_seconds(hop.latency_s), hop.latency_confidence,
    ]  # fmt: skip
    if with_load and hop.load:
        shares = hop.load.by_class
        total = hop.load.bytes or 1.0
        parts = [f"{name} {format_percent(value / total)}" for name, value in shares.items()]
        row.append(" ".join([format_percent(hop.load.demand), *parts]))
    elif with_load:
        row.append(None)
    return row


def _length(hop: HopRecord) -> str | None:
    """`8 m`, `26–31 m` where the class has several lengths, `100 km`."""
    if hop.metres is None:
        return None
    low, high = hop.metres_range or (hop.metres, hop.metres)
    unit, scale = ("km", 1000.0) if high >= 1000 else ("m", 1.0)
    return f"{low / scale:g}–{high / scale:g} {unit}" if low < high else f"{low / scale:g} {unit}"
