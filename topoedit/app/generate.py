"""Generate a drawing from a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.elements import Settings
from topoedit.templates.base import Built, Template, template


class Generated(NamedTuple):
    """A new drawing and what its template says about it."""

    document: Document
    built: Built


def generate(
    template_id: str, params: Mapping[str, object], catalog: Catalog, name: str = ""
) -> Document:
    """A new drawing made by a template.

    Args:
        template_id: for example `superpod`.
        params: option name -> value; missing ones take their defaults.
        catalog: what may be placed.
        name: name of the drawing; by default that of the template with its size.

    Raises:
        BadInputError: an unknown template or option, or a value that cannot be built.
    """
    return generate_with_notes(template_id, params, catalog, name).document


def generate_with_notes(
    template_id: str, params: Mapping[str, object], catalog: Catalog, name: str = ""
) -> Generated:
    """Like `generate`, with the summary and the notes of the template."""
    chosen = template(template_id)
    built = chosen.build(params, catalog)
    settings = Settings(
        name=name or built.name,
        description="\n".join((built.summary, *built.notes)),
        origin=origin(chosen, params),
    )
    return Generated(Document(catalog, (settings, *built.edit.put)), built)


def origin(chosen: Template, params: Mapping[str, object]) -> str:
    """The command that makes the same drawing again."""
    words = ["topoedit", "generate", chosen.id]
    for parameter in chosen.parameters:
        for key, value in params.items():
            if value is None or chosen.parameter(key) is not parameter:
                continue
            shown = parameter.read(value)
            text = ",".join(shown) if isinstance(shown, tuple) else _plain(shown)
            words += [parameter.option, text]
    return " ".join(words)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
