"""Sections that load at first use, and a cache of parsed files that may be lost at any time."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from topoedit import paths
from topoedit.catalog.sections import SECTIONS, Tables, tables
from topoedit.catalog.types import Entry, Inside, PortGroup, ScaleUp

EntryT = TypeVar("EntryT", bound=Entry)
_DIGEST = 32


class Section(Mapping[str, EntryT], Generic[EntryT]):
    """The entries of one section by id, loaded when first asked for."""

    def __init__(self, load: Callable[[], dict[str, EntryT]]) -> None:
        self._load = load

    @cached_property
    def _entries(self) -> dict[str, EntryT]:
        return self._load()

    def __getitem__(self, key: str) -> EntryT:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __reduce__(self) -> tuple[type[dict[str, EntryT]], tuple[dict[str, EntryT]]]:
        return dict, (self._entries,)


def parsed(path: Path, text: str) -> Tables:
    """The entries of one of the product's own files, from the cache if it holds this very text.

    The cache is optional and checked: whatever is wrong with it, the text is parsed again.

    Raises:
        BadCatalogError: the text is no catalogue.
    """
    key = hashlib.sha256(f"{_fingerprint()}\n{text}".encode()).hexdigest()[:24]
    place = paths.cache_dir() / "catalog" / f"{path.stem}-{key}.msgpack"
    kept = _from_cache(place)
    if kept is not None:
        return kept
    from topoedit.catalog.yaml_text import parse

    made = tables(parse(text, str(path), trusted=True), str(path))
    with contextlib.suppress(OSError):
        _to_cache(place, made, path.stem)
    return made


def _from_cache(place: Path) -> Tables | None:
    try:
        data = place.read_bytes()
        digest, payload = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(payload).digest() != digest:
            return None
        return _decoder().decode(payload)
    except (OSError, msgspec.MsgspecError):
        return None


def _to_cache(place: Path, made: Tables, stem: str) -> None:
    payload = msgspec.msgpack.encode(made)
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(payload).digest() + payload)
        Path(name).replace(place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    for old in place.parent.glob(f"{stem}-*.msgpack"):
        if old != place:
            old.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def _fingerprint() -> str:
    """Names and order of all fields: a cache written by another version does not match."""
    classes: tuple[type[msgspec.Struct], ...] = (*SECTIONS.values(), PortGroup, Inside, ScaleUp)
    return repr([(cls.__name__, cls.__struct_fields__, cls.__struct_defaults__) for cls in classes])


@lru_cache(maxsize=1)
def _decoder() -> msgspec.msgpack.Decoder[Tables]:
    return msgspec.msgpack.Decoder(Tables)
