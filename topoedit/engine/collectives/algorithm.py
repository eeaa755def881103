"""What an algorithm is, and the registry: every module of `algorithms` holds one `ALGORITHM`."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar

from topoedit.engine.collectives.cost import Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand

NCCL_SOURCE = "NCCL 2.30.7 tuning.cc"


class Algorithm(ABC):
    """A way to carry out some of the six operations.

    Attributes:
        name: the word of the command line.
        ops: operations it can carry out.
        automatic: the library may choose it by itself; else only on request (`by_default`).
        source: where its formula comes from.
    """

    name: ClassVar[str]
    ops: ClassVar[tuple[str, ...]]
    automatic: ClassVar[bool] = True
    source: ClassVar[str] = NCCL_SOURCE

    def missing(self, call: Call) -> str:
        """What this group lacks for it; "" if it can be used."""
        return ""

    def by_default(self, call: Call) -> bool:
        """The library may choose it here by itself."""
        return self.automatic

    @abstractmethod
    def volume(self, call: Call) -> Volume:
        """Bytes of one call in units of S."""

    @abstractmethod
    def costs(self, call: Call) -> list[Cost]:
        """Cost with each protocol."""

    @abstractmethod
    def formula(self, call: Call) -> str:
        """The formula in the words of its source."""

    @abstractmethod
    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """The traffic of one call in every group, exact in bytes."""


@lru_cache(maxsize=1)
def algorithms() -> Mapping[str, Algorithm]:
    """All algorithms by name."""
    from topoedit.engine.collectives import algorithms as package

    found: dict[str, Algorithm] = {}
    for info in pkgutil.iter_modules(package.__path__):
        made = importlib.import_module(f"{package.__name__}.{info.name}").ALGORITHM
        found[made.name] = made
    return MappingProxyType(found)
