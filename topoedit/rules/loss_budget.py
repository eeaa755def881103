"""What light loses in fibre, connectors and splices stays within what the optics bear."""

from __future__ import annotations

from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.optics import Loss, loss_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    losses = [loss_of(document, link, index) for index in range(link.count)]
    worst = max(losses, key=lambda loss: loss.db or 0.0)
    margin = worst.margin_db
    if margin is not None and margin < 0:
        return _over(worst)
    if any(loss.unknown for loss in losses):
        lack = ", ".join(next(loss.unknown for loss in losses if loss.unknown))
        return Unknown(f"an unknown loss: {lack}")
    return None if worst.budget_db is not None else Unknown("optics of no known loss budget")


def _over(loss: Loss) -> Bad:
    return Bad(
        f"loses {loss.db:.3g} dB ({loss.words}), more than the {loss.budget_db:g} dB that its "
        "optics bear",
        "Take fewer panels, a shorter way, or optics with a larger budget",
    )


RULE = Rule(
    id="loss-budget",
    title="Patched links stay within the loss budget of their optics",
    severity="error",
    source="IEEE 802.3 channel insertion loss of each optics class (see the catalogue's media); "
    "NVIDIA Interconnect Structured Cabling Requirements, 2025 (0.35 dB a MPO "
    "pair, 0.25 dB a LC pair, 0.4 and 3 dB/km), "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth/mpo/lc+cable+requirements",
    check=_check,
)
