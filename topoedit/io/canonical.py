"""One spelling for each element: a field that equals its default is never written."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

StructT = TypeVar("StructT", bound=msgspec.Struct)


@lru_cache(maxsize=256)
def _defaults(struct: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """Fields whose default the encoder does not recognise by value: it compares by identity."""
    fields = msgspec.structs.fields(struct)
    return tuple(
        (field.name, field.default)
        for field in fields
        if isinstance(field.default, float | msgspec.Struct)
        or (isinstance(field.default, str) and field.default)
        or (isinstance(field.default, int) and not -5 <= field.default <= 256)
    )


@lru_cache(maxsize=256)
def _holders(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """Fields that may hold structs with defaults of their own."""
    return tuple(
        field.name
        for field in msgspec.structs.fields(struct)
        if isinstance(field.type, type)
        and issubclass(field.type, msgspec.Struct)
        and not field.type.__struct_config__.array_like
    )


def canonical(element: StructT) -> StructT:
    """The same element with its own default objects wherever a field equals the default."""
    struct = type(element)
    changes: dict[str, Any] = {}
    for name in _holders(struct):
        inner = getattr(element, name)
        fixed = canonical(inner)
        if fixed is not inner:
            changes[name] = fixed
    for name, default in _defaults(struct):
        value = changes.get(name, getattr(element, name))
        if value is not default and value == default:
            changes[name] = default
    return msgspec.structs.replace(element, **changes) if changes else element
