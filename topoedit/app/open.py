"""Opening a file of any readable format: recognise, parse, assemble, arrange."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from topoedit.app.assemble import assemble
from topoedit.app.host_types import TypeRule, parse_rules
from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import embedded, formats, native
from topoedit.io.parsed import Parsed
from topoedit.io.reading import decode_text, read_bytes
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement
from topoedit.model.shared_ports import SharedPort, without_shared_ports

PICTURE_ID = "picture"
"""Format of a PNG or SVG with the drawing inside."""
_HEAD_BYTES = 4096
_NATIVE = re.compile(rb'"format"\s*:\s*"topoedit"')


@dataclass(frozen=True)
class Opened:
    """A drawing that was read.

    Attributes:
        document: the drawing, in no need of saving.
        format: id of the format it was in; `topoedit` for the native one, `picture` for a PNG or
            SVG that holds it.
        warnings: what a person should know, one sentence each.
        digest: SHA-256 of the file's bytes.
        shared: ports in which the file has two cables; the second is not in the drawing.
    """

    document: Document
    format: str
    warnings: tuple[str, ...] = ()
    digest: str = ""
    shared: tuple[SharedPort, ...] = ()


def open_document(
    path: Path,
    catalog: Catalog | None = None,
    server_types: Sequence[str] = (),
    from_format: str | None = None,
    *,
    apart: bool = False,
) -> Opened:
    """Read a native or foreign file; nothing is written.

    Args:
        path: the file.
        catalog: the catalogue; by default the installed one, the user's and the one beside the
            file.
        server_types: `TYPE` or `PATTERN=TYPE` for the hosts of an imported fabric.
        from_format: id of the format, when the content shall not decide.
        apart: a second cable in a port is set aside and told (`Opened.shared`), not refused.

    Raises:
        BadFileError: the file cannot be read or is in no known format.
        BadInputError: a server type or the format is unknown.
    """
    path = Path(path)
    catalog = catalog if catalog is not None else catalog_for(path)
    rules = parse_rules(server_types, catalog)
    chosen = None
    if from_format not in (None, formats.NATIVE_ID):
        chosen = formats.importer(str(from_format))
    data = read_bytes(path)
    drawing = embedded.drawing_in(data, str(path)) if chosen is None else None
    if drawing is not None:
        file, shared = _loads(drawing, catalog, path, apart)
        digest = native.digest_of(data)
        return Opened(file.document, PICTURE_ID, tuple(file.warnings), digest, shared)
    if from_format == formats.NATIVE_ID or (chosen is None and looks_native(data, path)):
        file, shared = _loads(data, catalog, path, apart)
        unused = ("server types are only for imported fabrics",) if rules else ()
        told = (*file.warnings, *unused)
        return Opened(file.document, formats.NATIVE_ID, told, file.digest, shared)
    return _foreign(data, path, chosen, catalog, rules, apart=apart)


def _foreign(
    data: bytes, path: Path, chosen: formats.Importer | None, catalog: Catalog,
    rules: Sequence[TypeRule], *, apart: bool,
) -> Opened:  # fmt: skip
    """A file of another program, arranged if it says nothing of places."""
    text = decode_text(data, str(path))
    chosen = chosen or formats.sniff(text, path)
    parsed = chosen.read(text, str(path))
    assembled = assemble(_named(parsed, path), catalog, rules)
    elements: Sequence[AnyElement] = assembled.elements
    shared: tuple[SharedPort, ...] = ()
    if apart:
        elements, shared = without_shared_ports(elements)
    try:
        document = Document(catalog, elements)
    except TopoeditError as error:
        what = f"{error.where}: {error.what}" if error.where else error.what
        raise BadFileError(what, str(path), error.mend) from None
    if not any(node.position for node in parsed.nodes):
        _arrange(document)
    return Opened(document, chosen.id, assembled.warnings, native.digest_of(data), shared)


def _loads(
    data: bytes, catalog: Catalog, path: Path, apart: bool
) -> tuple[native.NativeFile, tuple[SharedPort, ...]]:
    try:
        return native.loads(data, catalog, str(path)), ()
    except BadFileError:
        if not apart:
            raise
    return native.loads_apart(data, catalog, str(path))


def catalog_for(path: Path) -> Catalog:
    """The installed catalogue with the user's entries and those of the folder of a drawing."""
    from topoedit.catalog.load import catalogs_beside, load_catalog

    return load_catalog(catalogs_beside(path))


def looks_native(data: bytes, path: Path) -> bool:
    """Whether a file is meant to be a native one: by its first keys, or its suffix if in doubt."""
    head = data[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"{") and _NATIVE.search(head):
        return True
    if not path.name.lower().endswith(native.SUFFIX):
        return False
    text = data[: formats.HEAD_CHARACTERS].decode("utf-8", "replace")
    return head.startswith((b"{", b"[")) or not formats.recognised(text)


def _named(parsed: Parsed, path: Path) -> Parsed:
    """A drawing without a name of its own is called like its file."""
    stem = path.name.split(".")[0].encode("utf-8", "replace").decode()
    return parsed if parsed.name else replace(parsed, name=stem)


def _arrange(document: Document) -> None:
    from topoedit.layout.clos import arrange

    edit = arrange(document)
    if not edit.is_empty:
        document.apply(edit)
