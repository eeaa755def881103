"""One module sits in a cage, so all ports of a cage use one kind of cable."""

from __future__ import annotations

import numpy as np

from topoedit.rules._cages import cable_ends
from topoedit.rules._clusters import most_common
from topoedit.rules._reach import rule_of
from topoedit.rules._tables import encode
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_WORDS = {
    "dac-reach": "passive copper", "acc-aec-reach": "active copper",
    "aoc-reach": "active optical cable", "mmf-reach": "multimode fibre",
    "smf-reach": "single-mode fibre", "coherent-reach": "coherent optics",
}  # fmt: skip
_SHOWN = 64


def _check(context: Context) -> Outcome:
    ends, links = cable_ends(context), context.links
    classes = [None if m is None else rule_of(m) for m in links.media]
    code, names = encode(classes)
    if not len(ends.link):
        return Outcome()
    kind = code[links.medium[ends.link]]
    known = np.array([name is not None for name in names], bool)[kind] & (ends.shared > 1)
    key = ends.device.astype(np.int64) * (int(ends.cage.max()) + 1) + ends.cage
    cages, _, times = most_common(key[known], kind[known])
    _, total = np.unique(key[known], return_counts=True)
    mixed = cages[times < total]
    problems = []
    for cage in mixed[:_SHOWN].tolist():
        rows = np.flatnonzero(known & (key == cage))
        device = int(ends.device[rows[0]])
        used = sorted({_WORDS.get(str(names[c]), str(names[c])) for c in kind[rows].tolist()})
        problems.append(
            Problem(
                (*context.ids([device]), *context.link_ids(np.unique(ends.link[rows]))),
                f"{context.name(device)}: one cage holds the ends of {' and '.join(used)} "
                f"({context.link_name(int(ends.link[rows[0]]))} and "
                f"{context.link_name(int(ends.link[rows[-1]]))})",
                "Use one kind of cable at both ports of the cage",
            )
        )
    if len(mixed) > _SHOWN:
        rest = mixed[_SHOWN:]
        devices = np.unique(ends.device[np.isin(key, rest)])
        text = f"{count(len(rest), 'more cage')} hold ends of two kinds of cable"
        problems.append(Problem(context.ids(devices), text))
    return outcome(problems, len(cages))


RULE = Rule(
    id="twin-fibre-same",
    title="All ports of a cage use one kind of cable",
    severity="error",
    source=(
        "NVIDIA 800Gb/s XDR Twin-port OSFP Part Numbers (200G-PAM4), 2025, "
        "https://docs.nvidia.com/networking/display/800g200gpam4list"
    ),
    check=_check,
)
