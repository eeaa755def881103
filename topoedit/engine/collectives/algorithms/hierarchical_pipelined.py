"""Hierarchical, with the stages of successive chunks overlapping."""

from __future__ import annotations

from topoedit.engine.collectives.algorithms.hierarchical import Hierarchical


class Pipelined(Hierarchical):
    """The longer level, plus the part of the shorter one that does not hide behind it."""

    name = "hierarchical-pipelined"
    pipelined = True


ALGORITHM = Pipelined()
