"""One spelling for each element: no field that equals its default, no whole number for a rate."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

import msgspec

StructT = TypeVar("StructT", bound=msgspec.Struct)


class _Fields(msgspec.Struct, frozen=True):
    """What to look at in elements of one struct.

    Attributes:
        defaults: fields whose default the encoder does not recognise by value: it compares by
            identity.
        floats: fields that hold a float, where a program may have put an int.
        deep: fields with floats further inside.
        structs: fields that hold a struct with defaults of its own.
    """

    defaults: tuple[tuple[str, Any], ...]
    floats: tuple[str, ...]
    deep: tuple[str, ...]
    structs: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of these fields."""
        return (*(name for name, _ in self.defaults), *self.floats, *self.deep, *self.structs)


@lru_cache(maxsize=256)
def _fields(struct: type[msgspec.Struct]) -> _Fields:
    fields = msgspec.structs.fields(struct)
    floats = tuple(f.name for f in fields if _is_float(f.type))
    return _Fields(
        defaults=tuple((f.name, f.default) for f in fields if _compared_by_identity(f.default)),
        floats=floats,
        deep=tuple(f.name for f in fields if f.name not in floats and _mentions_float(f.type)),
        structs=tuple(f.name for f in fields if _is_struct(f.type)),
    )


def _compared_by_identity(default: object) -> bool:
    if isinstance(default, int):
        return not -5 <= default <= 256  # small ones are one object
    return isinstance(default, float | msgspec.Struct) or (
        isinstance(default, str) and default != ""
    )


def _is_float(hint: object) -> bool:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return float in typing.get_args(hint)
    return hint is float


def _is_struct(hint: object) -> bool:
    return (
        isinstance(hint, type)
        and issubclass(hint, msgspec.Struct)
        and not hint.__struct_config__.array_like
    )


def _mentions_float(hint: object) -> bool:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return any(_mentions_float(field.type) for field in msgspec.structs.fields(hint))
    return hint is float or any(_mentions_float(inner) for inner in typing.get_args(hint))


@lru_cache(maxsize=256)
def _reader(struct: type[msgspec.Struct]) -> Callable[[msgspec.Struct], tuple[object, ...]] | None:
    """Reads all fields to look at in one call; None where some default is neither empty nor 0."""
    fields = _fields(struct)
    if any(default for _, default in fields.defaults):
        return None
    names = fields.names
    return attrgetter(*names, names[0]) if names else lambda _: ()  # two or more give a tuple


def canonical(element: StructT) -> StructT:
    """An equal element whose encoding is the same however it was made."""
    read = _reader(type(element))
    if read is None:
        return _canonical(element)
    for value in read(element):
        if not (value is None or value == () or (type(value) is float and value)):
            return _canonical(element)
    return element


def _canonical(element: StructT) -> StructT:
    fields = _fields(type(element))
    for name in fields.deep:
        if getattr(element, name):
            element = msgspec.json.decode(msgspec.json.encode(element), type=type(element))
            break
    changes: dict[str, Any] = {}
    for name in fields.floats:
        value = getattr(element, name)
        if type(value) is int:
            changes[name] = float(value)
    for name in fields.structs:
        inner = getattr(element, name)
        fixed = canonical(inner)
        if fixed is not inner:
            changes[name] = fixed
    for name, default in fields.defaults:
        value = changes.get(name, getattr(element, name))
        if value is not default and value == default:
            changes[name] = default
    return msgspec.structs.replace(element, **changes) if changes else element
