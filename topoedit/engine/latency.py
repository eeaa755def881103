"""Latency of single hops: figures with range, source and confidence, from `resources/latency.yaml`.

A hop's delay is a list of parts; one unknown part makes the sum unknown, never smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
import yaml

from topoedit.engine.calibration import UNITS
from topoedit.errors import BadFileError
from topoedit.paths import resources

Confidence = Literal["high", "middle", "low"]
CONFIDENCES: tuple[Confidence, ...] = ("high", "middle", "low")
Positive = Annotated[float, msgspec.Meta(ge=0)]


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published or assumed figure, in `unit`; `low` and `high` are the range found."""

    about: str
    value: Positive
    unit: str
    source: str
    confidence: Confidence
    low: Positive | None = None
    high: Positive | None = None

    @property
    def seconds(self) -> float:
        """The value in seconds (a metre, where it is one for each metre)."""
        return self.value * UNITS[self.unit]


class Part(msgspec.Struct, frozen=True):
    """One part of a hop's delay.

    Attributes:
        what: what takes the time, in words.
        seconds: one way; None if unknown.
        source: where the figure comes from; why there is none if it is unknown.
        confidence: "" if it is unknown.
    """

    what: str
    seconds: float | None
    source: str
    confidence: Confidence | Literal[""] = ""


@lru_cache(maxsize=1)
def latency_figures() -> Mapping[str, Figure]:
    """All figures by id.

    Raises:
        BadFileError: the file is missing or wrong.
    """
    path = resources() / "latency.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - a safe loader
        return msgspec.convert(data, dict[str, Figure])
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise BadFileError(f"cannot be read: {error}", str(path)) from error


def part(figure_id: str, times: float = 1.0, what: str = "") -> Part:
    """A figure, or so many times it, as a part of a delay."""
    figure = latency_figures()[figure_id]
    return Part(what or figure.about, times * figure.seconds, figure.source, figure.confidence)


def unknown(what: str, why: str) -> Part:
    """A part of unknown length."""
    return Part(what, None, why)


def total(parts: Iterable[Part]) -> float | None:
    """Sum of all parts in seconds; None if one is unknown."""
    seconds = [one.seconds for one in parts]
    known = [value for value in seconds if value is not None]
    return sum(known) if len(known) == len(seconds) else None


def known(parts: Iterable[Part]) -> float:
    """Sum of the known parts in seconds: the delay is at least this."""
    return sum(one.seconds for one in parts if one.seconds is not None)


def least_sure(parts: Iterable[Part]) -> Confidence | Literal[""]:
    """The lowest confidence among some parts; "" if one is unknown or there are none."""
    found = [one.confidence for one in parts]
    if not found or "" in found:
        return ""
    return max((word for word in found if word), key=CONFIDENCES.index)
