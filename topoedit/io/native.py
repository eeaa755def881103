"""The native file `*.topo.json`: canonical JSON with one element a line.

A file in canonical form loads and saves byte-identical. Reading takes a fast, typed way first and
falls back to a slow one that upgrades old versions and keeps what this version does not know.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import atomic, backups
from topoedit.io.canonical import canonical
from topoedit.io.reading import decode_text, line_of, parse_json, read_bytes
from topoedit.io.unknown import merge, split
from topoedit.io.upgrades import FORMAT_VERSION, upgrade
from topoedit.model.document import Document
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Exclusion,
    Foreign,
    Group,
    Link,
    Note,
    SavedWorkload,
    Settings,
    Trunk,
)
from topoedit.model.ports import count as count_names
from topoedit.model.ports import natural_key
from topoedit.model.shared_ports import SharedPort, without_shared_ports

SUFFIX = ".topo.json"
FORMAT = "topoedit"
MAX_ELEMENTS = 3_000_000
MAX_CABLES = 2_000_000
FILE_EXTRA = "file"  # key in the settings' `extra` for unknown fields beside `elements`

KINDS: dict[str, type[AnyElement]] = {
    "settings": Settings,
    "type": CustomType,
    "workload": SavedWorkload,
    "group": Group,
    "device": Device,
    "trunk": Trunk,
    "link": Link,
    "note": Note,
    "exclusion": Exclusion,
}
KIND_OF = {struct: kind for kind, struct in KINDS.items()}
_ORDER = {kind: rank for rank, kind in enumerate((*KINDS.values(), Foreign))}
_HEAD = b'{\n"format":"topoedit",\n"format_version":%d,\n' % FORMAT_VERSION
_OPEN, _CLOSE = b'"elements":[\n', b"\n]\n}\n"


class NativeFile(msgspec.Struct, frozen=True):
    """A native file as read.

    Attributes:
        document: what it holds.
        warnings: what a person should know, for example a type that differs from the catalogue.
        digest: SHA-256 of the file's bytes, the base of a journal.
    """

    document: Document
    warnings: tuple[str, ...]
    digest: str


# -- writing -----------------------------------------------------------------------------------


def dumps(document: Document) -> bytes:
    """The canonical bytes of a document."""
    elements = [*document.elements(), *_embedded(document)]
    elements.sort(key=_sort_key)
    return snapshot(elements)


def snapshot(elements: Iterable[AnyElement]) -> bytes:
    """A file with these elements in this order: `dumps` without the time that sorting takes."""
    elements = tuple(elements)
    settings = next((e for e in elements if isinstance(e, Settings)), Settings())
    extra = (settings.extra or {}).get(FILE_EXTRA, {})
    beside = [_member(key, extra[key]) for key in sorted(extra)]
    return b"".join((_HEAD, *beside, _OPEN, _lines(elements), _CLOSE))


def _sort_key(element: AnyElement) -> tuple[int, tuple[tuple[int, int | str], ...], str]:
    return _ORDER[type(element)], natural_key(element.id), element.id


def _member(key: str, value: object) -> bytes:
    return msgspec.json.encode(key) + b":" + msgspec.json.encode(value, order="sorted") + b",\n"


def _lines(elements: Iterable[AnyElement]) -> bytes:
    encode = msgspec.json.Encoder().encode
    return b",\n".join(
        encode(canonical(e)) if e.extra is None and type(e) is not Foreign else _slow_line(e)
        for e in elements
    )


def _slow_line(element: AnyElement) -> bytes:
    if isinstance(element, Foreign):
        return msgspec.json.encode(element.raw)
    known = msgspec.to_builtins(canonical(element))
    extra = dict(known.pop("extra", None) or {})
    if isinstance(element, Settings):
        extra.pop(FILE_EXTRA, None)
    return msgspec.json.encode(merge(known, extra, type(element)))


def _embedded(document: Document) -> Iterator[CustomType]:
    """The user's own types in use, so that the file opens elsewhere with the same numbers."""
    prefix = "devices/"
    overridden = {
        key.removeprefix(prefix) for key in document.catalog.overridden if key.startswith(prefix)
    }
    if not overridden:
        return
    used = {device.type for device in document.devices.values()} - set(document.types)
    for type_id in sorted(used & overridden):
        entry = document.catalog.devices.get(type_id)
        if entry is not None and type_id not in document:
            yield CustomType(id=type_id, type=entry, stamp=stamp(entry))


def stamp(entry: DeviceType) -> str:
    """A short hash of a catalogue entry: equal exactly when every field is."""
    return hashlib.sha256(msgspec.json.encode(canonical(entry), order="sorted")).hexdigest()[:16]


def save(document: Document, path: Path) -> str:
    """Write a document as a canonical file, whole or not at all; returns its SHA-256.

    What was there before is kept as a backup in the state folder.

    Raises:
        BadFileError: the file cannot be written; what was there before is untouched.
    """
    try:
        data = dumps(document)
    except UnicodeError as error:
        raise BadFileError(
            f"a text in the drawing cannot be written: {error}", str(path), "Type it again"
        ) from None

    def parses(written: bytes) -> None:
        if written != data:
            raise BadFileError("what was written does not read back the same", str(path))
        parse_elements(written, str(path))

    backups.keep(path)
    atomic.write(path, data, check=parses)
    return digest_of(data)


def digest_of(data: bytes) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


# -- reading -----------------------------------------------------------------------------------


def load(path: Path, catalog: Catalog) -> Document:
    """The document in a native file of this or an earlier version.

    Raises:
        BadFileError: it is no native file, is broken, too large or from the future.
    """
    return read(path, catalog).document


def read(path: Path, catalog: Catalog) -> NativeFile:
    """Like `load`, with the warnings and the hash of the bytes."""
    return loads(read_bytes(path), catalog, str(path))


def loads(data: bytes, catalog: Catalog, where: str) -> NativeFile:
    """Like `read`, from the bytes of a file."""
    with _no_collection():
        elements = parse_elements(data, where)
        document = Document.quick(catalog, elements, MAX_CABLES)
        if document is None:
            _bound(elements, data, where)
            document = _build(elements, catalog, data, where)
    return NativeFile(document, tuple(_type_warnings(document)), digest_of(data))


def loads_apart(
    data: bytes, catalog: Catalog, where: str
) -> tuple[NativeFile, tuple[SharedPort, ...]]:
    """Like `loads`, with links set aside that end in a port in which an earlier one does."""
    elements = parse_elements(data, where)
    _bound(elements, data, where)
    kept, shared = without_shared_ports(elements)
    document = _build(kept, catalog, data, where)
    file = NativeFile(document, tuple(_type_warnings(document)), digest_of(data))
    return file, shared


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hundreds of thousands of new objects would make the collector run over and over."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def parse_elements(data: bytes, where: str) -> list[AnyElement]:
    """The elements in a native file, not yet checked against each other."""
    if max(data.count(b'"is"'), data.count(b'"id"')) > MAX_ELEMENTS:
        raise BadFileError(f"holds more than {MAX_ELEMENTS:,} elements, the limit", where)
    elements = _fast(data)
    return elements if elements is not None else _slow(data, where)


def _fast(data: bytes) -> list[AnyElement] | None:
    """The elements if the file is written exactly as `dumps` writes, else None."""
    start = _HEAD + _OPEN
    if not data.startswith(start) or not data.endswith(_CLOSE):
        return None
    body = memoryview(data)[len(start) - 2 : len(data) - len(_CLOSE) + 2]
    try:
        elements = msgspec.json.decode(body, type=list[AnyElement])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    if b'"extra":' in data and any(e.extra is not None for e in elements):
        return None
    # A line break is no part of a text in JSON: without them both are one line.
    same = msgspec.json.encode(elements) == bytes(body).replace(b"\n", b"")
    return elements if same and Foreign not in set(map(type, elements)) else None


def _slow(data: bytes, where: str) -> list[AnyElement]:
    text = decode_text(data, where)
    content = parse_json(text, where)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadFileError(
            "is JSON but not a topoedit drawing", where, 'It lacks "format": "topoedit"'
        )
    content = upgrade(content, where)
    raws = content.get("elements")
    if not isinstance(raws, list):
        raise BadFileError("has no list of elements", where)
    elements = [_element(raw, index, text, where) for index, raw in enumerate(raws)]
    return _with_file_extra(elements, content)


def _element(raw: object, index: int, text: str, where: str) -> AnyElement:
    if not isinstance(raw, dict) or not isinstance(raw.get("is"), str):
        raise BadFileError(f'element {index + 1} has no kind (the key "is")', where)
    struct = KINDS.get(raw["is"])
    if struct is None:
        own = raw.get("id")
        return Foreign(id=own if isinstance(own, str) and own else f"foreign-{index}", raw=raw)
    known, unknown = split(raw, struct)
    kept = known.pop("extra", None)
    if isinstance(kept, dict):
        unknown = {
            **{k: v for k, v in kept.items() if k not in struct.__struct_fields__},
            **unknown,
        }
    try:
        element = msgspec.convert({**known, "extra": unknown or None}, struct)
    except (msgspec.ValidationError, TopoeditError) as error:
        _refuse(str(error), raw.get("id"), index, text, where)
    return element


def _refuse(reason: str, element_id: object, index: int, text: str, where: str) -> NoReturn:
    name = f'element "{element_id}"' if isinstance(element_id, str) else f"element {index + 1}"
    line = line_of(text, element_id) if isinstance(element_id, str) else None
    place = f"{name} (line {line})" if line else name
    raise BadFileError(f"{place}: {reason.replace(' - at `$', ', at `')}", where)


def _with_file_extra(elements: list[AnyElement], content: dict[str, Any]) -> list[AnyElement]:
    known = ("format", "format_version", "elements")
    beside = {key: value for key, value in content.items() if key not in known}
    if not beside:
        return elements
    settings = next((e for e in elements if isinstance(e, Settings)), Settings())
    extra = {**(settings.extra or {}), FILE_EXTRA: beside}
    others: list[AnyElement] = [e for e in elements if e is not settings]
    return [msgspec.structs.replace(settings, extra=extra), *others]


def _bound(elements: list[AnyElement], data: bytes, where: str) -> None:
    """Refuse what would not fit in memory once its ranges are spelled out."""
    total = 0
    for element in elements:
        if isinstance(element, Link | Trunk):
            try:
                total += _names_in(element)
            except TopoeditError as error:
                line = line_of(data.decode("utf-8-sig"), element.id)
                name = f'{KIND_OF[type(element)]} "{element.id}"'
                place = f"{name} (line {line})" if line else name
                raise BadFileError(f"{place}: {error.what}", where, error.mend) from None
            if total > MAX_CABLES:
                raise BadFileError(f"holds more than {MAX_CABLES:,} cables, the limit", where)


def _names_in(element: Link | Trunk) -> int:
    """How many port names or cable ids its longest range spells out."""
    if isinstance(element, Trunk):
        return max(count_names(element.a.ports), count_names(element.b.ports))
    most = max(
        count_names(element.cables), count_names(element.a.ports), count_names(element.b.ports)
    )
    return max(most, sum(count_names(hop.ports) for hop in element.through))


def _build(elements: list[AnyElement], catalog: Catalog, data: bytes, where: str) -> Document:
    try:
        return Document(catalog, elements)
    except BadFileError:
        raise
    except TopoeditError as error:
        line = line_of(data.decode("utf-8-sig"), error.where) if error.where else None
        place = f"{error.where} (line {line})" if line else error.where
        what = f"{place}: {error.what}" if place else error.what
        raise BadFileError(what, where, error.mend) from None


def _type_warnings(document: Document) -> Iterator[str]:
    for custom in document.types.values():
        installed = document.catalog.devices.get(custom.id)
        if installed is not None and stamp(installed) != stamp(custom.type):
            yield (
                f'the file carries its own type "{custom.id}", which differs from the installed '
                "catalogue; the file's figures are used"
            )
