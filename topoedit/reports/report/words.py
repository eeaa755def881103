"""Words and small sums that several sections share."""

from __future__ import annotations

from collections.abc import Iterable

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.model.analysis import Analysis, Bottleneck, Breakdown, Interval, Memory
from topoedit.render.parts import step_parts
from topoedit.reports.report.blocks import Slice
from topoedit.units import (
    GIGA,
    UNKNOWN,
    format_bytes,
    format_number,
    format_percent,
    format_seconds,
)

INNER = {"nvlink": "NVLink", "pcie": "PCIe", "xgmi": "xGMI"}
AXES = ("tp", "cp", "pp", "dp", "ep")
CONVENTION = "full attention counted"


def some(number: int | None, one: str, many: str = "") -> str:
    """A number with its word; an unknown one is a dash.

    >>> some(1, "leaf", "leaves"), some(2, "leaf", "leaves")
    ('1 leaf', '2 leaves')
    """
    if number is None:
        return f"{UNKNOWN} {many or one + 's'}"
    return f"{format_number(number)} {one if number == 1 else many or one + 's'}"


def number(value: float | None, decimals: int = 0) -> str:
    """A number for a table."""
    return UNKNOWN if value is None else format_number(value, decimals)


def split_unit(text: str) -> tuple[str, str]:
    """Figure and unit of a formatted value: `18.9 s` -> `18.9`, `s`."""
    figure, _, unit = text.rpartition(" ")
    return (figure, unit) if figure else (text, "")


def interval_words(interval: Interval) -> str:
    """An 80 % interval in words."""
    low, high = format_seconds(interval.low_s), format_seconds(interval.high_s)
    words = f"80 % interval {low} to {high}"
    return f"{words}, outside the measured range" if interval.extrapolated else words


def short_interval(interval: Interval) -> str:
    """An 80 % interval for a narrow column: `80 %: 4.51 s to 5.15 s`."""
    words = f"80 %: {range_words(interval)}"
    return f"{words}, outside the measured range" if interval.extrapolated else words


def range_words(interval: Interval) -> str:
    """Both ends of an interval, for a column that says what it is."""
    return f"{format_seconds(interval.low_s)} to {format_seconds(interval.high_s)}"


def change_words(before: float, after: float) -> str:
    """How much longer or shorter: `+1.20 s (+6.3 %)`.

    >>> change_words(2.0, 2.5)
    '+500 ms (+25.0\u2009%)'
    """
    gap = after - before
    if abs(gap) < 1e-9 * max(before, 1e-12):
        return "none"
    sign = "+" if gap > 0 else "\u2212"
    share = format_percent(abs(gap) / before, 1) if before > 0 else UNKNOWN
    return f"{sign}{format_seconds(abs(gap))} ({sign}{share})"


def capacity_words(gigabytes: float | None) -> str:
    """Bytes a second per direction of a tier.

    >>> capacity_words(3200.0)
    '3.20 TB/s'
    """
    return UNKNOWN if gigabytes is None else f"{format_bytes(gigabytes * GIGA)}/s"


def ratio_words(ratio: float | None) -> str:
    """An oversubscription: `2.0 : 1`."""
    return UNKNOWN if ratio is None else f"{number(ratio, 1 if ratio < 100 else 0)} : 1"


def model_words(name: str, catalog: Catalog) -> str:
    """A model as the catalogue calls it, with the name that was asked for: `Llama 3 70B (…)`."""
    try:
        known = catalog.model(name).name
    except BadInputError:
        return name
    return known if known.casefold() == name.casefold() else f"{known} ({name})"


def plan_words(analysis: Analysis, catalog: Catalog) -> str:
    """Model and plan on one line."""
    echo = analysis.workload
    axes = [f"{name.upper()} {echo[name]}" for name in AXES if echo.get(name) is not None]
    batch = echo.get("global_batch")
    tail = [f"seq {number(_float(echo.get('seq_len')))}", f"batch {number(_float(batch))}"]
    parts = [
        model_words(str(echo.get("model", "")), catalog),
        *axes,
        *tail,
        str(echo.get("precision", "")),
    ]
    return " · ".join(part for part in parts if part)


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def ends_words(bottleneck: Bottleneck) -> str:
    """The ends of a class's example; inside a device, what it is."""
    inner = bottleneck.example.rsplit("/", 2)
    if bottleneck.from_ == bottleneck.to and len(inner) > 2:
        return f"{bottleneck.from_}: {INNER.get(inner[1], inner[1])}, {inner[2]}"
    return f"{bottleneck.from_} → {bottleneck.to}"


def step_slices(breakdown: Breakdown) -> tuple[Slice, ...]:
    """The exposed parts of a step in their fixed order; those of no length are left out."""
    return tuple(
        Slice(part.name, part.value, format_seconds(part.value), part.color)
        for part in step_parts(breakdown)
    )


def network_seconds(breakdown: Breakdown) -> float:
    """Seconds of a step in which GPUs wait for the network, those of TP included."""
    waits = (breakdown.tp, breakdown.cp, breakdown.ep, breakdown.pp, breakdown.dp, breakdown.wan)
    return float(sum(waits))


def memory_slices(memory: Memory) -> tuple[Slice, ...]:
    """The bytes on one GPU in their fixed order."""
    rows = (
        ("Parameters", memory.parameters_bytes, "memory.parameters"),
        ("Gradients", memory.gradients_bytes, "memory.gradients"),
        ("Optimizer", memory.optimizer_bytes, "memory.optimizer"),
        ("Activations", memory.activations_bytes, "memory.activations"),
        ("Buffers", memory.buffers_bytes + memory.context_bytes, "memory.buffers"),
    )
    return tuple(
        Slice(name, value, format_bytes(value), color) for name, value, color in rows if value > 0
    )


def first_few(names: Iterable[str], shown: int = 4) -> str:
    """The first names and how many more there are."""
    known = list(names)
    more = len(known) - shown
    head = ", ".join(known[:shown])
    return f"{head} and {number(more)} more" if more > 0 else head


def shorter(text: str, most: int) -> str:
    """A text cut to a length, with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
