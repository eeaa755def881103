"""What published names mean: the catalogue's models and accelerators, by the start of a text."""

from __future__ import annotations

import re

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Accelerator, Llm

_MAKERS = re.compile(r"^(nvidia|amd|dgx|hgx)-")
_MEMORY = re.compile(r"(?:^|-)(\d{2,3})-?gb?(?:-|$)")
_SIZE = re.compile(r"-?(\d+(?:\.\d+)?)([bt])$")
_NEAR = 0.1


class Names:
    """Looks names up in a catalogue and remembers them."""

    def __init__(self, catalog: Catalog) -> None:
        self._models = [
            (_plain(alias), llm)
            for llm in catalog.models.values()
            for alias in (llm.id, llm.name, *llm.aliases)
        ]
        self._chips = [
            (re.compile(re.escape(_plain(alias)) + r"(?![a-z0-9])"), chip)
            for chip in catalog.accelerators.values()
            for alias in (chip.id, *chip.aliases)
        ]
        self._known: dict[str, Llm | None] = {}
        self._found: dict[str, Accelerator | None] = {}

    def model(self, name: str) -> Llm | None:
        """The model of that name, a trailing size ("-671B") apart; None if there is none."""
        if name not in self._known:
            self._known[name] = self._model(_plain(name))
        return self._known[name]

    def _model(self, wanted: str) -> Llm | None:
        best: tuple[int, Llm] | None = None
        for short, llm in self._models:
            if short == wanted:
                return llm
            if wanted.startswith(short) and _same_size(llm, wanted[len(short) :]):
                best = max(best or (0, llm), (len(short), llm), key=lambda pair: pair[0])
        return best[1] if best else None

    def accelerator(self, text: str) -> Accelerator:
        """The accelerator whose name a text starts with, the longest match first.

        Raises:
            ValueError: the catalogue has none.
        """
        if text not in self._found:
            self._found[text] = self._chip(_plain(text))
        found = self._found[text]
        if found is None:
            raise ValueError(f'the catalogue has no accelerator "{text[:40]}"')
        return found

    def _chip(self, wanted: str) -> Accelerator | None:
        while _MAKERS.match(wanted):
            wanted = _MAKERS.sub("", wanted)
        matches = ((pattern.match(wanted), chip) for pattern, chip in self._chips)
        lengths = [(found.end(), chip) for found, chip in matches if found]
        if not lengths:
            return None
        best = max(lengths, key=lambda pair: pair[0])[1]
        return self._with_memory(best, wanted)

    def _with_memory(self, best: Accelerator, wanted: str) -> Accelerator:
        """The part of the same name with the memory that the text states, if there is one."""
        stated = _MEMORY.search(wanted)
        if stated is None:
            return best
        family = best.id.split("-")[0]
        same = [chip for _, chip in self._chips if chip.id.split("-")[0] == family]
        fitting = [chip for chip in same if _about(chip.hbm_gb, float(stated[1]))]
        return best if best in fitting or not fitting else fitting[0]


def _about(known: float | None, stated: float) -> bool:
    return known is not None and abs(known / stated - 1) < _NEAR / 2


def _plain(name: str) -> str:
    return re.sub(r"[\s_/().]+", "-", name.lower().strip()).strip("-")


def _same_size(llm: Llm, rest: str) -> bool:
    """What follows an alias is the model's size."""
    found = _SIZE.fullmatch(rest)
    if found is None or llm.total_params_b is None:
        return False
    size = float(found[1]) * (1000 if found[2] == "t" else 1)
    return abs(size / llm.total_params_b - 1) < _NEAR
