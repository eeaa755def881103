"""The first page: what a manager reads in a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from topoedit.model.analysis import Analysis, Bottleneck
from topoedit.reports.report.blocks import (
    Block,
    Callout,
    Cell,
    Doubts,
    Figure,
    Figures,
    Row,
    Severity,
    Table,
    columns,
    row,
)
from topoedit.reports.report.case import Case
from topoedit.reports.report.counts import (
    SWITCHES,
    TypeCount,
    count_gpus,
    kind_words,
    watts_words,
)
from topoedit.reports.report.sections.memory import verdict
from topoedit.reports.report.sections.step import step_stack
from topoedit.reports.report.sections.tiers import tier_table
from topoedit.reports.report.words import (
    CONVENTION,
    ends_words,
    network_seconds,
    number,
    plan_words,
    short_interval,
    shorter,
    some,
    split_unit,
)
from topoedit.units import UNKNOWN, format_bytes, format_percent, format_seconds

_MOST = 6
_WORTH_SAYING = 0.01
"""Share of the step that a class of links must cost to be named on the first page."""


def subtitle(case: Case) -> str:
    """The plan on one line, or what is drawn."""
    if case.analysis is not None:
        return plan_words(case.analysis, case.document.catalog)
    kinds = Counter(device.kind for device in case.document.devices.values())
    switches = sum(kinds[kind] for kind in SWITCHES)
    return " · ".join(
        (
            some(count_gpus(case.document), "GPU"),
            some(kinds["server"], "server"),
            some(switches, "switch", "switches"),
            some(sum(link.count for link in case.document.links.values()), "cable"),
        )
    )


def front_blocks(
    case: Case, diagram: Collection[Block], chosen: Collection[str]
) -> Iterator[Block]:
    """The blocks over the whole width.

    Args:
        case: what the report is about.
        diagram: the blocks of sections that stand on the first page.
        chosen: ids of the sections of the report; what they do not need is not worked out.
    """
    analysis = case.analysis
    yield Figures(tuple(_figures(case) if analysis is None else _results(case, analysis)))
    message = _message(case, chosen)
    if message is not None:
        yield message
    yield from diagram
    if analysis is not None:
        yield step_stack(analysis)
    elif case.tiers:
        table = tier_table(case)
        yield Table(table.columns, table.rows, "Tiers of the compute network")


def _results(case: Case, analysis: Analysis) -> Iterator[Figure]:
    step, memory = case.doubts.step, analysis.memory
    low = short_interval(analysis.interval)
    yield Figure(*split_unit(format_seconds(analysis.step_time_s)), "step time", low, step)
    interval = analysis.interval
    tokens = analysis.workload.get("global_batch"), analysis.workload.get("seq_len")
    spread = ""
    if all(isinstance(x, int) for x in tokens):
        whole = float(int(tokens[0] or 0) * int(tokens[1] or 0))
        least, most = whole / interval.high_s, whole / interval.low_s
        spread = f"{number(least)} to {number(most)}"
    yield Figure(number(analysis.tokens_per_s), "", "tokens per second", spread, step)
    mfu = UNKNOWN if analysis.mfu is None else number(analysis.mfu * 100, 1)
    yield Figure(mfu, "%", "MFU", CONVENTION, step)
    used, unit = split_unit(format_bytes(memory.total_bytes))
    room = format_bytes(memory.capacity_bytes)
    yield Figure(used, unit, "memory per GPU", f"of {room}", case.doubts.memory)
    worst = max((tier.max_demand for tier in analysis.tiers), default=0.0)
    yield Figure(number(worst * 100), "%", "highest demand", "of any link", step)


def _figures(case: Case) -> Iterator[Figure]:
    kinds = Counter(device.kind for device in case.document.devices.values())
    gpus = count_gpus(case.document)
    yield Figure(number(gpus), "", "GPUs", "", case.doubts.servers)
    yield Figure(number(kinds["server"]), "", "servers")
    yield Figure(number(sum(kinds[kind] for kind in SWITCHES)), "", "switches")
    yield Figure(number(sum(link.count for link in case.document.links.values())), "", "cables")
    power = device_power(case)
    yield Figure(*split_unit(power[0]), "power with modules", power[1], power[2])


def device_power(case: Case) -> tuple[str, str, Doubts]:
    """The most that all devices draw, of how many it is known, and what is unsure of it."""
    counts = case.types
    known = [one for one in counts if one.watts is not None]
    devices, of = sum(one.count for one in known), sum(one.count for one in counts)
    doubts = tuple(doubt for one in known for doubt in case.doubts.power(one.type))
    if not devices:
        return UNKNOWN, f"known for 0 of {number(of)}", ()
    least = "at least, " if devices < of else "at most, "
    total = watts_words(sum(one.watts or 0.0 for one in known))
    return total, f"{least}known for {number(devices)} of {number(of)}", doubts


# -- the message --------------------------------------------------------------------------------


def _message(case: Case, chosen: Collection[str]) -> Callout | None:
    """The one thing to know: what is impossible, then what is wrong, then what costs most."""
    analysis = case.analysis
    if analysis is not None and analysis.memory.risk == "no":
        more = f"Would fit: {analysis.memory.would_fit[0]}." if analysis.memory.would_fit else ""
        return Callout("error", verdict(analysis.memory), more, "memory")
    if analysis is not None and analysis.unreachable.pairs:
        text = f"{number(analysis.unreachable.pairs)} pairs of GPUs have no path to each other."
        return Callout("error", text, f"For example {analysis.unreachable.example}.", "loads")
    if "rules" in chosen and (case.rules.failed or analysis is None):
        return _verdict(case)
    return None if analysis is None else _costs(analysis)


def _verdict(case: Case) -> Callout:
    counts = case.rules.counts
    words = f"{some(counts.error, 'error')} and {some(counts.warning, 'warning')}"
    first = case.rules.violations[0].message if case.rules.violations else ""
    worse: Severity = "warning" if counts.warning else "ok"
    severity: Severity = "error" if counts.error else worse
    said = f"First: {first.rstrip('.')}." if counts.error or counts.warning else ""
    return Callout(severity, f"The design rules found {words}.", said, "rules")


def _costs(analysis: Analysis) -> Callout:
    share = network_seconds(analysis.breakdown_s) / analysis.step_time_s
    title = f"Communication costs {format_percent(share)} of the step."
    worst = max(analysis.bottlenecks, key=lambda one: one.cost_s, default=None)
    if worst is None or worst.cost_s < _WORTH_SAYING * analysis.step_time_s:
        return Callout(
            "ok",
            title,
            "No class of links would save a hundredth of it if it were twice as fast.",
            "bottlenecks",
        )
    text = (
        f"Twice as fast, {ends_words(worst)} and the {number(worst.links)} directions like it "
        f"would save {format_seconds(worst.cost_s)}: {_cause(worst)}"
    )
    return Callout("warning", title, text, "bottlenecks")


def _cause(worst: Bottleneck) -> str:
    head = worst.why.partition(":")[0]
    return f"{head}." if head else ""


# -- the two tables -----------------------------------------------------------------------------


def front_pair(case: Case, chosen: Collection[str]) -> Iterator[Table]:
    """The two small tables at the foot of the page."""
    if case.analysis is not None:
        yield _busiest(case, case.analysis)
    elif "rules" in chosen:
        yield _findings(case)
    yield _equipment(case, chosen)


def _busiest(case: Case, analysis: Analysis) -> Table:
    hottest = sorted(analysis.bottlenecks, key=lambda one: -one.demand)[:_MOST]
    rows = tuple(
        row(
            ends_words(one),
            f"×{number(one.links)}" if one.links > 1 else "",
            Cell(format_percent(one.demand), load=one.demand),
            doubts=case.doubts.step,
        )
        for one in hottest
    )
    titles = columns("Links, for example", ">", ">Demand", shares=(2.1, 0.7, 1.2))
    return Table(titles, rows, "Busiest links")


def _findings(case: Case) -> Table:
    counts = case.rules.counts
    ran = sum(1 for number_ in case.rules.checked.values() if number_)
    rows = (
        row(Cell("Errors", severity="error"), number(counts.error)),
        row(Cell("Warnings", severity="warning"), number(counts.warning)),
        row(Cell("Notes", severity="info"), number(counts.info)),
        row("Accepted by a person", number(counts.excluded)),
        row("Rules that ran", number(ran)),
        row("Points that could not be checked", number(len(case.rules.unchecked))),
    )
    return Table(columns("Design rules", ">Count", shares=(2.4, 0.8)), rows, "Checks")


def _equipment(case: Case, chosen: Collection[str]) -> Table:
    """Devices, modules in cages and cables apart: unlike things are never added up.

    The most that a device draws is stated with modules in its cages, so theirs is a part of it.
    """
    rows = [
        row(_type_words(one), number(one.count), watts_words(one.watts),
            doubts=(*case.doubts.own(one.type), *case.doubts.power(one.type)))
        for one in case.types
    ]  # fmt: skip
    power, known, doubts = device_power(case)
    hidden = len(rows) - _MOST
    if hidden > 0:
        rows = [*rows[:_MOST], row(f"{number(hidden)} more types", "", "")]
    rows.append(row(f"Devices, {known}", "", power, doubts=doubts, strong=True))
    if {"bom", "cables"} & set(chosen):
        rows += _purchase(case)
    titles = columns("Part", ">Count", ">Power", shares=(2.2, 0.7, 0.8))
    return Table(titles, tuple(rows), "Equipment")


def _type_words(one: TypeCount) -> str:
    """The type, with the kind before it where that is not plain."""
    name = shorter(one.name.partition(" (")[0], 34)
    return name if one.kind == "server" else f"{kind_words(one.kind, 1)}: {name}"


def _purchase(case: Case) -> Iterator[Row]:
    modules = case.bought.modules
    if modules:
        known = [module.watts for module in modules if module.watts is not None]
        words = "Modules in cages, within the above"
        if len(known) < len(modules):
            words += f", at least, known for {number(len(known))}"
        total = watts_words(sum(known)) if known else UNKNOWN
        yield row(words, number(len(modules)), total)
    counts = Counter(cable.sold.category for cable in case.bought.cables)
    for category, count in sorted(counts.items()):
        yield row(f"Cables: {category}", number(count), "")
