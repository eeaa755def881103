"""Constants of the engine: values with unit and source, from `resources/calibration.yaml`.

The file has one section for each part of the engine (`collectives`, `step`); each part declares
a msgspec struct and asks for it with `load_section(name, type)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, get_origin

import msgspec
import yaml

from topoedit.errors import BadFileError
from topoedit.paths import resources

SectionT = TypeVar("SectionT")

UNITS: Mapping[str, float] = {
    "": 1.0,
    "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9,
    "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "MiB": 2.0**20, "GiB": 2.0**30,
    "B/s": 1.0, "GB/s": 1e9, "TB/s": 1e12, "Gb/s": 1e9 / 8,
    "FLOP/s": 1.0, "TFLOP/s": 1e12, "FLOP": 1.0,
}  # fmt: skip


class _Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A constant as the file has it."""

    value: float | list[float]
    unit: str = ""
    source: str = ""
    fit: str = ""
    guess: str = ""

    def origin(self) -> tuple[str, str]:
        """How it is known and the key of where from."""
        found = [
            (kind, text) for kind in ("source", "fit", "guess") if (text := getattr(self, kind))
        ]
        if len(found) != 1:
            raise ValueError("a constant needs exactly one of source, fit and guess")
        return found[0]

    def scale(self) -> float:
        """Factor from the written unit to bytes, seconds and FLOP."""
        if self.unit not in UNITS:
            raise ValueError(f"unknown unit {self.unit!r}; known: {', '.join(filter(None, UNITS))}")
        return UNITS[self.unit]


class Constant(float):
    """A number in bytes, seconds and FLOP that knows its origin.

    Attributes:
        unit: the unit it is written in.
        kind: `source` (published), `fit` or `guess`.
        origin: where it comes from; a key of the section's `sources` or the text itself.
    """

    unit: str
    kind: str
    origin: str

    @classmethod
    def of(cls, given: object) -> Constant:
        """From `{value, unit, source|fit|guess}`."""
        raw = msgspec.convert(given, _Given)
        if isinstance(raw.value, list):
            raise ValueError("one number expected")
        made = cls(raw.value * raw.scale())
        made.unit, (made.kind, made.origin) = raw.unit, raw.origin()
        return made


class Constants(tuple[float, ...]):
    """Several numbers of one unit and origin, for example one for each protocol."""

    unit: str
    kind: str
    origin: str

    @classmethod
    def of(cls, given: object) -> Constants:
        """From `{value: [...], unit, source|fit|guess}`."""
        raw = msgspec.convert(given, _Given)
        if not isinstance(raw.value, list):
            raise ValueError("a list of numbers expected")
        scale = raw.scale()
        made = cls(v * scale for v in raw.value)
        made.unit, (made.kind, made.origin) = raw.unit, raw.origin()
        return made


def _hook(kind: type, given: object) -> object:
    kind = get_origin(kind) or kind
    try:
        if kind is Constant:
            return Constant.of(given)
        if kind is Constants:
            return Constants.of(given)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error  # so that msgspec adds the path to the field
    raise NotImplementedError(f"no way to read {kind}")


@lru_cache(maxsize=4)
def _read(path: Path) -> Mapping[str, object]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadFileError(f"cannot be read: {error}", str(path)) from error
    if not isinstance(data, dict):
        raise BadFileError("is not a table of sections", str(path))
    return data


def calibration_file() -> Path:
    """The file with all constants."""
    return resources() / "calibration.yaml"


def load_section(name: str, kind: type[SectionT], path: Path | None = None) -> SectionT:
    """One section of the calibration file, checked against its struct.

    Raises:
        BadFileError: the file, the section or one of its constants is wrong; the message names
            the field.
    """
    path = path or calibration_file()
    data = _read(path)
    if name not in data:
        raise BadFileError(f'has no section "{name}"', str(path))
    try:
        return msgspec.convert(data[name], kind, dec_hook=_hook)
    except msgspec.ValidationError as error:
        raise BadFileError(f"{name}: {error}", str(path)) from error
