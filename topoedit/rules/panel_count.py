"""A link runs through at most two patch panels, unless the document allows more."""

from __future__ import annotations

from topoedit.catalog.cabling import MOST_PANELS
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.rules._judge import Bad, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    own = document.settings.max_panels
    most = MOST_PANELS if own is None else own
    if len(link.through) <= most:
        return None
    return Bad(
        f"runs through {len(link.through)} patch panels, more than {most}",
        "Route it through fewer panels, or raise the limit of this document where the loss allows",
    )


RULE = Rule(
    id="panel-count",
    title="A link runs through at most two patch panels",
    severity="error",
    source="NVIDIA Interconnect Structured Cabling Requirements for NDR/XDR and 400/800G ETH, "
    "2025, https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth",
    check=_check,
)
