"""How a typed query finds names: every word must occur; starts of words rank first."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")


def score(query: str, text: str) -> int | None:
    """How well a text answers a query, smaller is better; None if it does not.

    >>> score("dgx h2", "DGX H200") is not None, score("b200", "DGX H200")
    (True, None)
    """
    wanted, have = query.casefold().split(), text.casefold()
    if not wanted:
        return 0
    total = 0
    starts = {match.start() for match in _WORD.finditer(have)}
    for word in wanted:
        at = have.find(word)
        if at < 0:
            return None
        total += 0 if at == 0 else 10 if at in starts else 40
        total += min(at, 9)
    return total + min(len(have), 99) // 10


def best(query: str, texts: Sequence[str], limit: int) -> list[int]:
    """Indexes of the texts that answer a query, best first."""
    found = [(s, i) for i, text in enumerate(texts) if (s := score(query, text)) is not None]
    found.sort()
    return [index for _, index in found[:limit]]
