"""What a plan means on this many GPUs: the product, what idles, the nearest that fits."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

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
        sizes = " × ".join(str(n) for n in (plan.tp, plan.pp, plan.cp, self.dp))
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
        return replace(plan, dp=dp), f"Use DP {dp}"
    changed, words = plan, []
    for name in ("pp", "cp", "tp"):
        size = getattr(changed, name)
        while size > 1 and changed.tp * changed.cp * changed.pp > gpus:
            size = max(1, size // 2)
            changed = replace(changed, **{name: size})
        if size != getattr(plan, name):
            words.append(f"{name.upper()} {size}")
    if changed.pp == 1 and changed.vpp > 1:
        changed = replace(changed, vpp=1)
    return replace(changed, dp=None), f"Use {', '.join(words)}"


def batch_of(plan: Plan, gpus: int) -> int:
    """The global batch in sequences, worked out where the plan leaves it open."""
    if plan.global_batch is not None:
        return plan.global_batch
    return BATCHES_PER_STAGE * plan.pp * product(plan, gpus).dp * plan.micro_batch


def sequence_of(plan: Plan, context: int | None) -> int:
    """Tokens of a sequence, worked out where the plan leaves it open."""
    return plan.seq_len or min(DEFAULT_SEQUENCE, context or DEFAULT_SEQUENCE)
