"""Reading files that may hold anything: bounded, with one clear line for each way to go wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NoReturn

from topoedit.errors import BadFileError

MAX_FILE_BYTES = 512 * 2**20
MAX_DEPTH = 64
MAX_VALUES = 40_000_000


def read_bytes(path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of a file.

    Raises:
        BadFileError: it is missing, a folder, unreadable, empty or larger than `limit` bytes.
    """
    try:
        with path.open("rb") as stream:
            large = os.fstat(stream.fileno()).st_size > limit
            data = b"" if large else stream.read(limit + 1)
    except IsADirectoryError:
        raise BadFileError("is a folder, not a file", str(path)) from None
    except FileNotFoundError:
        raise BadFileError("there is no such file", str(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFileError(f"cannot be read: {reason}", str(path)) from None
    if large or len(data) > limit:
        size = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit:,} bytes"
        raise BadFileError(f"is larger than {size}, the limit", str(path))
    if not data.strip():
        raise BadFileError("the file is empty", str(path))
    return data


def decode_text(data: bytes, where: str) -> str:
    """UTF-8 text, with or without a byte order mark.

    Raises:
        BadFileError: it is binary, or text in another encoding.
    """
    if b"\0" in data[:65536]:
        raise BadFileError("is a binary file, not text", where)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFileError(
            f"is not UTF-8 text (line {line}, byte {error.start})", where, "Save it as UTF-8"
        ) from None


def parse_json(text: str, where: str) -> object:
    """JSON as plain Python values; duplicate keys, NaN, deep nesting and floods are refused.

    Raises:
        BadFileError: with line and column where it stops being JSON.
    """
    if text.count(",") + text.count("[") + text.count("{") > MAX_VALUES:
        raise BadFileError(f"holds more than {MAX_VALUES:,} values, the limit", where)
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        _malformed(error, where)
    except RecursionError:
        raise BadFileError("is nested too deeply", where) from None
    except _DuplicateKeyError as error:
        line = _line_of_duplicate(text, error.key, error.context)
        raise BadFileError(
            f'the key "{error.key}" is there twice in one object{line}', where, "Remove one of them"
        ) from None
    except ValueError as error:
        raise BadFileError(f"is not valid JSON: {error}", where) from None
    _check_depth(value, where)
    return value


class _DuplicateKeyError(Exception):
    def __init__(self, key: str, context: str) -> None:
        super().__init__(key)
        self.key, self.context = key, context


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _DuplicateKeyError(key, str(value.get("id", "")))
        seen.add(key)
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _line_of_duplicate(text: str, key: str, context: str) -> str:
    if not context:
        return ""
    line = line_of(text, context)
    return f' ("{context}", line {line})' if line else f' ("{context}")'


def _malformed(error: json.JSONDecodeError, where: str) -> NoReturn:
    rest = error.doc[error.pos :].strip()
    place = f"line {error.lineno}, column {error.colno}"
    if not rest or "Unterminated" in error.msg:
        raise BadFileError(
            f"ends in the middle ({place}); it is probably truncated",
            where,
            "Restore a backup or copy the file again",
        ) from None
    raise BadFileError(f"is not valid JSON: {error.msg} ({place})", where) from None


def _check_depth(value: object, where: str) -> None:
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[object] = []
        for item in level:
            children = item.values() if isinstance(item, dict) else item
            if isinstance(item, dict | list):
                inner.extend(c for c in children if isinstance(c, dict | list))  # type: ignore[attr-defined]
        if not inner:
            return
        level = inner
    raise BadFileError(f"is nested more than {MAX_DEPTH} levels deep", where)


def line_of(text: str, element_id: str) -> int | None:
    """The line on which the element with this id is written, if it can be found."""
    import re

    quoted = re.escape(json.dumps(element_id, ensure_ascii=False))
    found = re.search(rf'"id"\s*:\s*{quoted}', text)
    return text.count("\n", 0, found.start()) + 1 if found else None
