"""The published JSON Schema of the native file, made from the structs that read and write it.

After a change of the structs: `python -m topoedit.io.schema`.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from topoedit.io.native import FORMAT, KINDS
from topoedit.io.upgrades import FORMAT_VERSION
from topoedit.model.elements import AnyElement, Foreign
from topoedit.paths import resources

FILE_NAME = f"topo-{FORMAT_VERSION}.schema.json"
_ID = f"urn:topoedit:schema:{FILE_NAME.removesuffix('.schema.json')}"


class _File(msgspec.Struct):
    """A topoedit drawing: one JSON object, one element a line."""

    format: Annotated[str, msgspec.Meta(pattern=f"^{FORMAT}$")]
    format_version: Annotated[int, msgspec.Meta(ge=FORMAT_VERSION, le=FORMAT_VERSION)]
    elements: list[AnyElement]


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12). Unknown fields and kinds are allowed and survive."""
    generated = msgspec.json.schema(_File)
    definitions = generated["$defs"]
    definitions["File"] = definitions.pop("_File")
    definitions.pop(Foreign.__name__)
    definitions["Foreign"] = _foreign()
    for struct in KINDS.values():
        definitions[struct.__name__]["properties"].pop("extra")
    kinds = [{"$ref": f"#/$defs/{struct.__name__}"} for struct in (*KINDS.values(), Foreign)]
    for definition in definitions.values():
        definition.pop("additionalProperties", None)
    definitions["File"]["title"] = "File"
    definitions["File"]["properties"]["elements"]["items"] = {"anyOf": kinds}
    definitions["Settings"]["properties"]["id"] = {"const": "document"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": _ID,
        "title": "topoedit drawing",
        "$ref": "#/$defs/File",
        "$defs": dict(sorted(definitions.items())),
    }


def _foreign() -> dict[str, Any]:
    """An element of a kind that this version does not know."""
    return {
        "title": "Foreign",
        "description": "An element of a kind this version does not know; it is kept as it is.",
        "type": "object",
        "properties": {"is": {"type": "string", "not": {"enum": list(KINDS)}}},
        "required": ["is"],
    }


def schema_bytes() -> bytes:
    """The schema as it is published in the resources."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2) + b"\n"


if __name__ == "__main__":
    (resources() / "schema" / FILE_NAME).write_bytes(schema_bytes())
