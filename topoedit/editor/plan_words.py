"""What a plan means on this many GPUs: the product, what idles, the nearest that fits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from itertools import product as product_of

from msgspec.structs import replace

from topoedit.catalog.types import Llm
from topoedit.engine.workload.checks import divisors
from topoedit.errors import BadInputError
from topoedit.model.plan import Plan
from topoedit.units import format_number

DEFAULT_SEQUENCE = 8192
BATCHES_PER_STAGE = 4


@dataclass(frozen=True)
class Product:
    """tp x cp x pp x dp against the GPUs of the drawing.

    Attributes:
        dp: data-parallel size, worked out where the plan leaves it open.
        used: GPUs that the plan takes.
        gpus: GPUs that there are.
    """

    plan: Plan
    dp: int
    used: int
    gpus: int

    @property
    def fits(self) -> bool:
        """Whether there are enough GPUs."""
        return 0 < self.used <= self.gpus

    @property
    def words(self) -> str:
        """The product in one line."""
        plan = self.plan
        sizes = " × ".join(map(format_number, (plan.tp, plan.pp, plan.cp, self.dp)))
        used = format_number(self.used)
        if self.fits:
            return f"{sizes} = {used} GPUs in use, {format_number(self.gpus - self.used)} idle"
        return f"{sizes} = {used} GPUs, {format_number(self.used - self.gpus)} more than there are"


def product(plan: Plan, gpus: int) -> Product:
    """The product of a plan; with dp left open, the replicas that fit (at least one)."""
    block = plan.tp * plan.cp * plan.pp
    dp = plan.dp or max(1, gpus // block)
    return Product(plan, dp, block * dp, gpus)


def nearest(plan: Plan, gpus: int) -> tuple[Plan, str] | None:
    """The plan with the smallest change that fits, and its words; None if nothing does.

    Fewer replicas come first; then pipeline, context and tensor sizes are halved in that order.
    """
    if gpus < 1 or product(plan, gpus).fits:
        return None
    block = plan.tp * plan.cp * plan.pp
    if block <= gpus:
        dp = gpus // block
        return replace(plan, dp=dp), f"Use DP {format_number(dp)}"
    changed, words = plan, []
    for name in ("pp", "cp", "tp"):
        size = getattr(changed, name)
        while size > 1 and changed.tp * changed.cp * changed.pp > gpus:
            size = max(1, size // 2)
            changed = replace(changed, **{name: size})
        if size != getattr(plan, name):
            words.append(f"{name.upper()} {format_number(size)}")
    if changed.pp == 1 and changed.vpp > 1:
        changed = replace(changed, vpp=1)
    return replace(changed, dp=None), f"Use {', '.join(words)}"


def mended(plan: Plan, gpus: int, llm: Llm) -> tuple[Plan, str] | None:
    """The plan with the smallest change that the engine takes, and its words.

    Sizes only shrink, each to a divisor of its own; few changes come before many, and fewer
    replicas and stages before narrower tensors. None if the plan needs no change or nothing helps.
    """
    if gpus < 1 or not refusal_of(plan, llm, gpus):
        return None
    for sizes in sorted(_smaller(plan, gpus), key=lambda sizes: _change(plan, sizes)):
        better = replace(plan, **dict(zip(AXES, sizes, strict=True)))
        if better.pp == 1 and better.vpp > 1:
            better = replace(better, vpp=1)
        if not refusal_of(better, llm, gpus):
            return better, f"Use {', '.join(_changes(plan, better))}"
    return None


AXES = ("tp", "pp", "cp", "ep", "dp")
_COSTS = (1.5, 1.0, 1.2, 1.1, 0.9)
_MOST_REPLICAS = 8
"""As many numbers of replicas are tried for each block of tensor, stages and context."""

_Sizes = tuple[int, int, int, int, int | None]


def _smaller(plan: Plan, gpus: int) -> Iterator[_Sizes]:
    for tp, pp, cp in product_of(*(divisors(n) for n in (plan.tp, plan.pp, plan.cp))):
        room = gpus // (tp * pp * cp)
        if room < 1:
            continue
        for ep in divisors(plan.ep):
            for dp in _replicas(plan, room):
                yield tp, pp, cp, ep, dp


def _replicas(plan: Plan, room: int) -> tuple[int | None, ...]:
    """Left open where it is open; else the largest that fit, and divide a given batch."""
    if plan.dp is None:
        return (None,)
    batch = plan.global_batch
    found = (n for n in range(min(plan.dp, room), 0, -1) if batch is None or batch % n == 0)
    return tuple(islice(found, _MOST_REPLICAS))


def _change(plan: Plan, sizes: _Sizes) -> tuple[int, float]:
    shrunk = [
        cost * math.log2(was / now)
        for cost, now, was in zip(_COSTS, sizes, (getattr(plan, a) for a in AXES), strict=True)
        if now is not None and was != now
    ]
    return len(shrunk), sum(shrunk)


def _changes(plan: Plan, better: Plan) -> list[str]:
    return [
        f"{name.upper()} {format_number(getattr(better, name))}"
        for name in ("tp", "pp", "cp", "ep", "dp", "vpp")
        if getattr(better, name) != getattr(plan, name)
    ]


def refusal_of(plan: Plan, llm: Llm, gpus: int) -> str:
    """Why the plan cannot exist for this model, "" if it can."""
    from topoedit.engine.workload.resolve import resolve_plan

    try:
        resolve_plan(plan, llm, gpus)
    except BadInputError as error:
        return as_said(f"{error.what}. {error.mend}" if error.mend else error.what)
    return ""


_SIZE_WORD = re.compile(r"(?:--)?\b(tp|pp|cp|dp|ep|etp|vpp|hsdp)\b")


def as_said(text: str) -> str:
    """A refusal of the engine as the panel says it: `CP 3 does not divide … 8 192 tokens`."""
    text = _SIZE_WORD.sub(lambda found: found.group(1).upper(), text)
    text = re.sub(r"\d{4,}", lambda found: format_number(int(found.group())), text)
    text = text.replace(" x ", " × ")
    return text[:1].upper() + text[1:]


def batch_of(plan: Plan, gpus: int) -> int:
    """The global batch in sequences, worked out where the plan leaves it open."""
    if plan.global_batch is not None:
        return plan.global_batch
    return BATCHES_PER_STAGE * plan.pp * product(plan, gpus).dp * plan.micro_batch


def sequence_of(plan: Plan, context: int | None) -> int:
    """Tokens of a sequence, worked out where the plan leaves it open."""
    return plan.seq_len or min(DEFAULT_SEQUENCE, context or DEFAULT_SEQUENCE)
