"""What a change did to a step, and why, in one line: two results compared.

Times of one model of the engine share most of their error, but an interval says nothing of how
much: a difference that lies within both intervals is called no clear difference.
"""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.model.analysis import Analysis
from topoedit.model.plan import Plan, Workload
from topoedit.units import MINUS, format_number, format_percent, format_seconds

SAME = 5e-4
"""Relative difference of step times that nobody reads."""
_SMALL = 0.01
_MOST_REASONS = 3
_NETWORK = ("scale-up", "host-leaf", "leaf-spine", "spine-core", "between-sites")
_CROSSED = {
    "host-leaf": "the network", "leaf-spine": "the spines", "spine-core": "the cores",
    "between-sites": "between sites", "other": "other switches",
}  # fmt: skip
_CLASSES = ("tp", "cp", "ep", "pp", "dp", "wan")
_NAMES = {
    "tp": "TP", "cp": "CP", "pp": "PP", "vpp": "VPP", "dp": "DP", "ep": "EP", "etp": "ETP",
    "zero": "ZeRO", "hsdp": "HSDP", "micro_batch": "micro-batch", "global_batch": "global batch",
    "seq_len": "sequence", "pxn": "PXN", "gpudirect": "GPUDirect", "zero_plus_plus": "ZeRO++",
    "cp_kind": "CP kind", "ep_kind": "EP kind", "ep_nodes": "EP nodes",
}  # fmt: skip
_AUTOMATIC = ("dp", "global_batch")


@dataclass(frozen=True)
class Explained:
    """A change in words.

    Attributes:
        effect: step time before and after with the difference; reasons: why, largest first.
        clear: the difference is larger than what the intervals leave open.
        seconds: difference of the step times.
    """

    effect: str
    reasons: tuple[str, ...]
    clear: bool
    seconds: float

    def line(self, what: str) -> str:
        """Everything in one line after the words for the change itself."""
        head = f"{what}: {self.effect}" if what else self.effect
        return f"{head}: {'; '.join(self.reasons)}" if self.reasons else head


def explain_change(before: Analysis, after: Analysis) -> Explained:
    """Compare two results of one drawing or plan.

    Where the tokens of a step differ, step times do not compare: then tokens a second are given as
    well, and the intervals are compared for the same number of tokens.
    """
    pace = _tokens(after) / _tokens(before)
    delta = after.step_time_s - before.step_time_s
    same = abs(after.step_time_s / (before.step_time_s * pace) - 1) < SAME
    clear = not same and not _within(before, after, pace)
    reasons = [*_breaks(before, after), *_reasons(before, after)]
    return Explained(_effect(before, after, pace, clear=clear), tuple(reasons), clear, delta)


def _effect(before: Analysis, after: Analysis, pace: float, *, clear: bool) -> str:
    was, now = before.step_time_s, after.step_time_s
    if abs(now / was - 1) < SAME and abs(pace - 1) < SAME:
        return f"step stays at {format_seconds(now)}"
    doubt = "" if clear else "; within the interval: no clear difference"
    text = f"step {format_seconds(was)} → {format_seconds(now)} ({signed(now - was)}{doubt})"
    if abs(pace - 1) >= SAME:
        gain = after.tokens_per_s / before.tokens_per_s - 1
        text += (
            f", {format_number(before.tokens_per_s)} → {format_number(after.tokens_per_s)} tokens/s"
            f" ({'+' if gain >= 0 else ''}{format_percent(gain, 1)})"
        )
    return text


def _within(before: Analysis, after: Analysis, pace: float) -> bool:
    """Whether each step time lies in the interval of the other, for the same tokens."""
    a, b = before.interval, after.interval
    return (
        a.low_s * pace <= after.step_time_s <= a.high_s * pace
        and b.low_s <= before.step_time_s * pace <= b.high_s
    )


def _tokens(result: Analysis) -> float:
    """Tokens of a step."""
    return result.tokens_per_s * result.step_time_s


def signed(seconds: float) -> str:
    """A difference with its sign: `+1.20 s`, `−340 ms`."""
    return f"{MINUS if seconds < 0 else '+'}{format_seconds(abs(seconds))}"


def _breaks(before: Analysis, after: Analysis) -> list[str]:
    """What weighs more than seconds: GPUs cut off, memory that no longer fits."""
    made = []
    lost, was = after.unreachable.pairs, before.unreachable.pairs
    if lost and lost != was:
        made.append(f"{format_number(lost)} pairs of GPUs have no path")
    elif was and not lost:
        made.append("every pair of GPUs has a path again")
    risks = (before.memory.risk, after.memory.risk)
    if risks[0] != risks[1]:
        words = {
            "no": "no longer fits the memory",
            "tight": "memory is now tight",
            "fits": "memory now fits",
        }
        made.append(words[risks[1]])
    return made


def _reasons(before: Analysis, after: Analysis) -> list[str]:
    """The parts that changed most, each with what lies behind it."""
    was, now = before.breakdown_s, after.breakdown_s
    deltas = {n: getattr(now, n) - getattr(was, n) for n in now.__struct_fields__}
    whole = max(before.step_time_s, after.step_time_s)
    largest = max(abs(delta) for delta in deltas.values())
    floor = max(SAME * whole, _SMALL * whole if largest > _SMALL * whole else 0.0, largest * 0.1)
    made = [
        f"{_part(name)} {signed(delta)}{_because(name, before, after)}"
        for name, delta in sorted(deltas.items(), key=lambda item: -abs(item[1]))
        if abs(delta) >= floor
    ][:_MOST_REASONS]
    told = {text.split(" ", 1)[0].lower() for text in made}
    hidden = [
        f"{name.upper()} {text}"
        for name in _CLASSES
        if name not in told and (text := _moved(name, before, after))
    ]
    return (made + hidden)[: _MOST_REASONS + 1]


def _part(name: str) -> str:
    return name.upper() if name in _CLASSES else name


def _because(name: str, before: Analysis, after: Analysis) -> str:
    """What lies behind the change of a part, "" if nothing is known."""
    if name in _CLASSES:
        why = _moved(name, before, after) or _volume(name, before, after)
        return f", {why}" if why else ""
    if name == "bubble":
        words = [_shape(result) for result in (before, after)]
        return f", {words[0]} → {words[1]}" if words[0] != words[1] else ""
    if name in ("compute", "recompute"):
        was, now = (_tokens(r) / r.topology.gpus_used for r in (before, after))
        return f", {now / was:.2g}× the tokens on a GPU" if abs(now / was - 1) > _SMALL else ""
    return ""


def _shape(result: Analysis) -> str:
    plan = result.workload
    stages, batches = plan.get("pp") or 1, plan.get("micro_batches") or 1
    return f"{batches} micro-batches on {stages} stage{'s' if stages != 1 else ''}"


def _reach(result: Analysis, name: str) -> int:
    """How far up a class goes: number of its highest tier in `_NETWORK`, -1 for no traffic."""
    rows = [row for row in result.communication if row.class_.lower() == name]
    tiers = {tier for row in rows for tier, sent in row.tiers.items() if sent > 0}
    found = [_NETWORK.index(tier) for tier in tiers if tier in _NETWORK]
    return max(found, default=-1)


def _moved(name: str, before: Analysis, after: Analysis) -> str:
    """Whether a class goes further through the network than before, or less far."""
    was, now = _reach(before, name), _reach(after, name)
    if was == now or -1 in (was, now):
        return ""
    if now == 0:
        return "stays in the scale-up network"
    tier = _NETWORK[max(was, now)]
    return f"{'now' if now > was else 'no longer'} crosses {_CROSSED[tier]}"


def _volume(name: str, before: Analysis, after: Analysis) -> str:
    """How many times the bytes a class sends."""
    was, now = (
        sum(row.bytes_per_gpu for row in result.communication if row.class_.lower() == name)
        for result in (before, after)
    )
    if not was or not now or abs(now / was - 1) < _SMALL:
        return ""
    return f"{now / was:.2g}× the bytes"


def plan_words(
    before: Workload, after: Workload, results: tuple[Analysis, Analysis] | None = None
) -> str:
    """What differs between two plans: `TP 4 → 8, DP 16 → 8`; "" for nothing.

    Args:
        before: the plan that was.
        after: the one that is.
        results: their analyses, which know what the plans leave open.
    """
    made = [f"{before.model} → {after.model}"] if before.model != after.model else []
    for name in Plan.__struct_fields__:
        was, now = getattr(before.plan, name), getattr(after.plan, name)
        if name in _AUTOMATIC and results is not None:
            echoed = [result.workload.get(name) for result in results]
            was, now = (
                value if value is not None else own
                for value, own in zip(echoed, (was, now), strict=True)
            )
        if was != now:
            made.append(f"{_NAMES.get(name, name.replace('_', ' '))} {_value(was)} → {_value(now)}")
    return ", ".join(made)


def _value(value: object) -> str:
    if value is None or value == "":
        return "automatic"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items()) or "automatic"
    return format_number(value) if isinstance(value, int) else str(value)
