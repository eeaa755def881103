"""Writing a drawing in another format."""

from __future__ import annotations

from pathlib import Path

from topoedit.errors import BadInputError
from topoedit.io import atomic, formats, native
from topoedit.io.targets import same_file
from topoedit.model.document import Document


def target_format(path: Path, to_format: str | None = None) -> str:
    """The id of the format to write: the one named, else by the suffix.

    Raises:
        BadInputError: there is no such format, or the suffix does not decide.
    """
    if to_format == formats.NATIVE_ID:
        return formats.NATIVE_ID
    if to_format is not None:
        return formats.exporter(to_format).id
    if path.name.lower().endswith(native.SUFFIX):
        return formats.NATIVE_ID
    return formats.exporter_for(path).id


def write_document(document: Document, path: Path, to_format: str) -> tuple[str, ...]:
    """Write a drawing whole or not at all; returns what the format could not hold.

    Raises:
        BadFileError: the file cannot be written.
    """
    if to_format == formats.NATIVE_ID:
        native.save(document, path)
        return ()
    exported = formats.exporter(to_format).write(document)
    atomic.write(path, exported.data)
    return exported.losses


def refuse_overwriting(source: Path, target: Path, same_format: bool) -> None:
    """A conversion to another format must not replace what it reads."""
    if not same_format and same_file(source, target):
        raise BadInputError(
            "would replace the file it reads", str(target), "Choose another name to write to"
        )
