"""Fields that this version does not know: set aside when reading, put back when writing."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from functools import lru_cache

import msgspec

JsonObject = dict[str, typing.Any]


@lru_cache(maxsize=256)
def _fields(struct: type[msgspec.Struct]) -> Mapping[str, type[msgspec.Struct] | None]:
    """JSON name of each field -> the struct it holds (alone or in a tuple), if any."""
    hints = typing.get_type_hints(struct)
    names = zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True)
    return {encoded: _inner(hints[name]) for name, encoded in names}


def _inner(hint: object) -> type[msgspec.Struct] | None:
    """The struct class in an annotation such as `Plan`, `Inside | None` or `tuple[Port, ...]`."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return None if hint.__struct_config__.array_like else hint
    origin = typing.get_origin(hint)
    if origin in (tuple, list, typing.Union, types.UnionType):
        found = (_inner(argument) for argument in typing.get_args(hint))
        return next((struct for struct in found if struct is not None), None)
    return None


def split(raw: JsonObject, struct: type[msgspec.Struct]) -> tuple[JsonObject, JsonObject]:
    """Part a JSON object into what `struct` knows and what it does not.

    The unknown part keeps its nesting; a list is an object keyed by index.

    >>> from topoedit.model.plan import Workload
    >>> split({"model": "m", "plan": {"tp": 2, "new": 1}}, Workload)
    ({'model': 'm', 'plan': {'tp': 2}}, {'plan': {'new': 1}})
    """
    fields = _fields(struct)
    tag = struct.__struct_config__.tag_field
    known: JsonObject = {}
    unknown: JsonObject = {}
    for key, value in raw.items():
        if key == tag:
            known[key] = value
        elif key not in fields:
            unknown[key] = value
        else:
            known[key], rest = _split_value(value, fields[key])
            if rest:
                unknown[key] = rest
    return known, unknown


def _split_value(
    value: typing.Any, struct: type[msgspec.Struct] | None
) -> tuple[typing.Any, JsonObject]:
    if struct is None:
        return value, {}
    if isinstance(value, dict):
        return split(value, struct)
    if not isinstance(value, list):
        return value, {}
    parts = [_split_value(item, struct) for item in value]
    rest = {str(index): unknown for index, (_, unknown) in enumerate(parts) if unknown}
    return [known for known, _ in parts], rest


def merge(
    known: JsonObject, unknown: Mapping[str, typing.Any], struct: type[msgspec.Struct]
) -> JsonObject:
    """Put unknown fields back behind the known ones; a known field is never replaced."""
    fields = _fields(struct)
    merged = dict(known)
    for key in sorted(unknown):
        inner = fields.get(key)
        if key not in fields and key != struct.__struct_config__.tag_field:
            merged[key] = unknown[key]
        elif inner is not None and key in merged:
            merged[key] = _merge_value(merged[key], unknown[key], inner)
    return merged


def _merge_value(
    value: typing.Any, unknown: typing.Any, struct: type[msgspec.Struct]
) -> typing.Any:
    if not isinstance(unknown, Mapping):
        return value
    if isinstance(value, dict):
        return merge(value, unknown, struct)
    if not isinstance(value, list | tuple):
        return value
    return [
        _merge_value(item, unknown[str(index)], struct) if str(index) in unknown else item
        for index, item in enumerate(value)
    ]
