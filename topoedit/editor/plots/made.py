"""The four charts of a result: step breakdown, links by load, bus bandwidth, memory by stage."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from topoedit.app.figure_records import (
    BINS,
    MEMORY_KINDS,
    ChartFigures,
    StageBytes,
    Sweep,
    SweepRow,
    TierBins,
)
from topoedit.editor.plots.chart import (
    Axis,
    Bar,
    Cell,
    Chart,
    Key,
    Limit,
    Line,
    Panel,
    Whisker,
    Words,
    linear,
    marks_of,
)
from topoedit.model.analysis import Analysis
from topoedit.render.bars import Part, step_parts
from topoedit.render.loadcodes import BINS as RAMP
from topoedit.units import GIGA, UNKNOWN, format_number, format_percent, format_rate, format_seconds

OPERATIONS: tuple[tuple[str, str, str, tuple[float, ...]], ...] = (
    ("all_reduce", "All-reduce", "accent.base", ()),
    ("all_gather", "All-gather", "text.primary", (6, 4)),
    ("all_to_all", "All-to-all", "text.tertiary", (2, 3)),
)
OVER = RAMP
"""Colour of what is above 100 %."""
_SMALL = 0.1
_MEMORY = ("Parameters", "Gradients", "Optimizer", "Activations", "Buffers")
_SIZE_TICKS = ((1e3, "1 kB"), (1e6, "1 MB"), (1e9, "1 GB"))


def _marked(chart: Chart) -> Chart:
    return replace(chart, marks=marks_of(chart.panels))


def step_chart(after: Analysis, before: Analysis | None = None) -> Chart:
    """Exposed seconds of a step by part; the result before the last change below it.

    Unit and scale follow the longer step.
    """
    shown = [("Now", after), *([("Before", before)] if before is not None else [])]
    longest = max(result.interval.high_s for _, result in shown)
    scale, unit = _time_unit(longest)
    bars: list[Bar] = []
    whiskers, texts = [], []
    table: list[tuple[Cell, ...]] = []
    for row, (name, result) in enumerate(shown):
        y = -float(row)
        parts = step_parts(result.breakdown_s)
        bars += _stack(name, parts, y, result.step_time_s, scale)
        interval = result.interval
        whiskers.append(Whisker(interval.low_s / scale, interval.high_s / scale, y - 0.38))
        texts.append(Words(result.step_time_s / scale, y, format_seconds(result.step_time_s)))
        table += [(name, part.name, part.value) for part in parts]
        table.append((name, "Step time", result.step_time_s))
        table += [(name, "Interval low", interval.low_s), (name, "Interval high", interval.high_s)]
    rows = tuple((-float(i), name) for i, (name, _) in enumerate(shown))
    panel = Panel(
        linear(f"Exposed time of a step ({unit})", longest / scale, 8),
        Axis("", 0.55 - len(shown), 0.6, rows),
        bars=tuple(bars),
        whiskers=tuple(whiskers),
        texts=tuple(texts),
    )
    parts = step_parts(after.breakdown_s)
    keys = tuple(_step_key(part, after.step_time_s) for part in parts)
    spoken = ", ".join(f"{p.name} {format_seconds(p.value)}" for p in parts)
    return _marked(Chart(
        "step", "Step time by part", (panel,), keys=keys, heads=("result", "part", "seconds"),
        table=tuple(table), note="Thin line: 80 % interval of the step time",
        spoken=f"Step time {format_seconds(after.step_time_s)}: {spoken}",
    ))  # fmt: skip


def _step_key(part: Part, whole: float) -> Key:
    figure = f"{format_seconds(part.value)}  {format_percent(part.value / whole)}"
    return Key(part.name, part.color, figure, explain=f"breakdown_s.{part.name.lower()}")


def _stack(name: str, parts: Sequence[Part], y: float, whole: float, scale: float) -> list[Bar]:
    made, left = [], 0.0
    for part in parts:
        share = format_percent(part.value / whole, 1)
        words = f"{name}: {part.name} {format_seconds(part.value)}, {share} of the step"
        made.append(
            Bar(left / scale, (left + part.value) / scale, y - 0.26, y + 0.3, part.color, words)
        )
        left += part.value
    return made


def _time_unit(seconds: float) -> tuple[float, str]:
    for scale, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return scale, unit
    return 1e-6, "µs"


def links_chart(tiers: Sequence[TierBins]) -> Chart:
    """How many link directions of each tier have which demand; one small chart a tier."""
    panels = [_tier_panel(tier, first=number == 0) for number, tier in enumerate(tiers)]
    heads = (
        "tier", *(f"{10 * i} to {10 * i + 10} %" for i in range(BINS)), "above 100 %",
        "of these idle", "rate unknown", "failed",
    )  # fmt: skip
    table: list[tuple[Cell, ...]] = [
        (t.tier, *t.counts, t.idle, t.unknown, t.failed) for t in tiers
    ]  # fmt: skip
    keys = tuple(_tier_key(tier) for tier in tiers)
    return _marked(Chart(
        "links", "Links by load", tuple(panels), keys=keys, heads=heads, table=tuple(table),
        spoken="Directions of links by demand. " + ". ".join(_tier_words(t) for t in tiers),
        note="Demand: bytes over capacity times the time they may hide in; own scale for each tier",
    ))  # fmt: skip


def _tier_panel(tier: TierBins, *, first: bool) -> Panel:
    bars = []
    for number, count in enumerate(tier.counts):
        if not count:
            continue
        span = "above 100 %" if number == BINS else f"{10 * number} to {10 * number + 10} %"
        idle = f", {format_number(tier.idle)} of them idle" if number == 0 and tier.idle else ""
        words = f"{tier.tier}: {format_number(count)} at {span} demand{idle}"
        color = OVER if number == BINS else int((number + 0.5) / BINS * RAMP)
        bars.append(Bar(number + 0.04, number + 0.96, 0.0, float(count), color, words))
    ticks = ((0.0, "0"), (BINS / 2, "50"), (float(BINS), "100 %"))
    y = linear("", float(max(tier.counts, default=0)), 3, 1.15)
    whole = tuple(t for t in y.ticks if t[0] == int(t[0]))
    links = format_number(sum(tier.counts) + tier.unknown + tier.failed)
    x = Axis("Demand", 0.0, BINS + 1.0, ticks)
    y = Axis("Link directions" if first else "", 0.0, y.high, whole)
    return Panel(x, y, f"{tier.tier} · {links}", tuple(bars))


def _tier_key(tier: TierBins) -> Key:
    over = tier.counts[BINS]
    if over:
        return Key(tier.tier, OVER, f"{format_number(over)} over 100 %")
    busiest = max((n for n, count in enumerate(tier.counts) if count), default=0)
    color = int((busiest + 0.5) / BINS * RAMP)
    idle = tier.idle == sum(tier.counts)
    return Key(tier.tier, color, "idle" if idle else f"up to {10 * busiest + 10} %")


def _tier_words(tier: TierBins) -> str:
    words = [
        f"{count} at {'above 100' if n == BINS else f'{10 * n} to {10 * n + 10}'} percent"
        for n, count in enumerate(tier.counts)
        if count
    ]
    if tier.unknown:
        words.append(f"{tier.unknown} of unknown rate")
    if tier.failed:
        words.append(f"{tier.failed} failed")
    return f"{tier.tier}: {', '.join(words) or 'none'}"


def bandwidth_chart(sweeps: Sequence[Sweep]) -> Chart:
    """Bus bandwidth of operations among all GPUs by message size, as nccl-tests counts it."""
    lines: list[Line] = []
    table: list[tuple[Cell, ...]] = []
    keys: list[Key] = []
    best = 0.0
    looks = {op: (name, color, dash) for op, name, color, dash in OPERATIONS}
    for sweep in sweeps:
        name, color, dash = looks[sweep.op]
        rows = [row for row in sweep.rows if row.busbw_GBps is not None]
        table += [_sweep_cells(name, row) for row in sweep.rows]
        top = max((row.busbw_GBps or 0.0 for row in rows), default=0.0)
        keys.append(Key(name, color, f"{format_number(top, 1)} GB/s" if rows else UNKNOWN, dash))
        if rows:
            lines.append(_sweep_line(name, color, dash, rows, banded=not lines))
            best = max(best, *lines[-1].ys, *lines[-1].high)
    sizes = [row.bytes for sweep in sweeps for row in sweep.rows]
    low, high = math.log10(min(sizes)), math.log10(max(sizes))
    ticks = tuple(
        (math.log10(v), words) for v, words in _SIZE_TICKS if low <= math.log10(v) <= high
    )
    panel = Panel(
        Axis("Message size (bytes as nccl-tests counts them)", low, high, ticks),
        linear("GB/s per direction", best, 4),
        lines=tuple(lines),
    )
    first = sweeps[0]
    basis = f"{first.ranks} GPUs in {first.servers} servers"
    stretched = ", outside the measured range" if first.extrapolated else ""
    return _marked(Chart(
        "bandwidth", "Bus bandwidth by message size", (panel,), keys=tuple(keys),
        heads=("operation", "bytes", "busbw GB/s", "low GB/s", "high GB/s", "seconds", "algorithm",
               "protocol"),
        table=tuple(table), note=f"{basis}; band: 80 % interval{stretched}",
        spoken="Highest bus bandwidth: " + ", ".join(f"{k.name} {k.figure}" for k in keys),
    ))  # fmt: skip


def _sweep_line(
    name: str, color: str, dash: tuple[float, ...], rows: Sequence[SweepRow], *, banded: bool
) -> Line:
    known = banded and all(
        row.busbw_low_GBps is not None and row.busbw_high_GBps is not None for row in rows
    )
    return Line(
        name, color,
        tuple(math.log10(row.bytes) for row in rows),
        tuple(row.busbw_GBps or 0.0 for row in rows),
        tuple(_sweep_words(name, row) for row in rows),
        tuple(row.busbw_low_GBps or 0.0 for row in rows) if known else (),
        tuple(row.busbw_high_GBps or 0.0 for row in rows) if known else (),
        dash,
    )  # fmt: skip


def _sweep_words(name: str, row: SweepRow) -> str:
    how = f"{row.algorithm}, {row.protocol}"
    value = row.busbw_GBps or 0.0
    rate = format_rate(value * GIGA) if value >= _SMALL else f"{value:.2g} GB/s"
    return f"{name} {size_words(row.bytes)}: {rate} ({how})"


def size_words(size: float) -> str:
    """A size that is a power of two in the unit that nccl-tests prints.

    >>> size_words(2**26)
    '64 MiB'
    """
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if size >= 2**power:
            return f"{size / 2**power:g} {unit}"
    return f"{size:g} B"


def _sweep_cells(name: str, row: SweepRow) -> tuple[Cell, ...]:
    return (
        name, int(row.bytes), row.busbw_GBps, row.busbw_low_GBps, row.busbw_high_GBps, row.time_s,
        row.algorithm, row.protocol,
    )  # fmt: skip


def memory_chart(figures: ChartFigures) -> Chart:
    """Memory of one GPU on each pipeline stage, against what the GPU has."""
    capacity = figures.capacity_bytes
    bars: list[Bar] = []
    for stage in figures.stages:
        bars += _memory_bars(stage, capacity)
    most = max([sum(stage.kinds) for stage in figures.stages] + [capacity or 0.0]) / GIGA
    count = len(figures.stages)
    every = max(1, math.ceil(count / 16))
    ticks = tuple((float(n), str(n)) for n in range(0, count, every))
    limits = () if capacity is None else (Limit(capacity / GIGA, _capacity(capacity)),)
    spread = max(count, 6) / 2
    middle = (count - 1) / 2
    panel = Panel(
        Axis("Pipeline stage", middle - spread, middle + spread, ticks),
        linear("GB per GPU", most, 4, 1.3),
        bars=tuple(bars),
        limits=limits,
    )
    worst = max(figures.stages, key=lambda stage: sum(stage.kinds))
    keys = [
        Key(name, f"memory.{name.lower()}", f"{value / GIGA:.1f} GB",
            explain=f"memory.{name.lower()}_bytes")
        for name, value in _merged(worst)
    ]  # fmt: skip
    totals = ", ".join(f"stage {s.stage} {sum(s.kinds) / GIGA:.1f}" for s in figures.stages)
    have = "not known" if capacity is None else f"{capacity / GIGA:.1f} gigabytes"
    return _marked(Chart(
        "memory", "Memory by pipeline stage", (panel,), keys=tuple(reversed(keys)),
        heads=("stage", *(f"{kind} bytes" for kind in MEMORY_KINDS), "total bytes",
               "capacity bytes"),
        table=tuple((s.stage, *s.kinds, sum(s.kinds), capacity) for s in figures.stages),
        note=f"Figures: stage {worst.stage}, the fullest",
        spoken=f"Gigabytes of one GPU: {totals}; capacity {have}",
    ))  # fmt: skip


def _capacity(capacity: float) -> str:
    return f"Capacity {format_number(capacity / GIGA, 1)} GB"


def _merged(stage: StageBytes) -> list[tuple[str, float]]:
    """The parts as the memory bar of the panels shows them: context is a buffer."""
    *named, buffers, context = stage.kinds
    return list(zip(_MEMORY, (*named, buffers + context), strict=True))


def _memory_bars(stage: StageBytes, capacity: float | None) -> list[Bar]:
    made, low, at = [], 0.0, float(stage.stage)
    total = sum(stage.kinds)
    for name, value in _merged(stage):
        if value <= 0:
            continue
        words = (
            f"Stage {stage.stage}: {name} {format_number(value / GIGA, 1)} GB"
            f" of {format_number(total / GIGA, 1)} GB"
        )
        made.append(
            Bar(
                at - 0.3,
                at + 0.3,
                low / GIGA,
                (low + value) / GIGA,
                f"memory.{name.lower()}",
                words,
            )
        )
        low += value
    if capacity is not None and total > capacity:
        words = f"Stage {stage.stage}: {format_number((total - capacity) / GIGA, 1)} GB too much"
        made.append(
            Bar(at - 0.3, at + 0.3, capacity / GIGA, total / GIGA, "memory.overflow", words)
        )
    return made
