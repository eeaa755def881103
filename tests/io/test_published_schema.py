"""The JSON Schema that is published fits what is written; a small validator of our own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.io.drawings import CANONICAL, small_drawing
from tests.model.small import small_catalog
from topoedit import paths
from topoedit.io import native
from topoedit.io.schema import FILE_NAME, schema_bytes
from topoedit.model.document import Document
from topoedit.model.elements import CustomType, Device, Exclusion, Group, Note, PortOverride

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
}  # fmt: skip


def is_type(value: object, name: str) -> bool:
    if name in ("number", "integer"):
        allowed = (int, float) if name == "number" else (int,)
        return isinstance(value, allowed) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(value: Any, rule: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """What keeps a value from fitting a schema (the keywords that ours uses)."""
    known = {
        "$schema", "$id", "$defs", "$ref", "title", "description", "default", "type", "anyOf",
        "enum", "const", "not", "pattern", "minimum", "maximum", "required", "properties",
        "additionalProperties", "items", "prefixItems", "minItems", "maxItems",
        "minLength", "maxLength", "propertyNames",
    }  # fmt: skip
    assert rule.keys() <= known, f"the validator lacks {rule.keys() - known}"
    found: list[str] = []
    if "$ref" in rule:
        found += faults(value, root["$defs"][rule["$ref"].rpartition("/")[2]], root, at)
    if "anyOf" in rule and all(faults(value, one, root, at) for one in rule["anyOf"]):
        found.append(f"{at}: fits none of {len(rule['anyOf'])}")
    if "not" in rule and not faults(value, rule["not"], root, at):
        found.append(f"{at}: must not fit")
    if "type" in rule and not is_type(value, rule["type"]):
        return [*found, f"{at}: is no {rule['type']}"]
    if ("enum" in rule and value not in rule["enum"]) or value != rule.get("const", value):
        found.append(f"{at}: {value!r} is not allowed")
    if isinstance(value, str) and not rule.get("minLength", 0) <= len(value) <= rule.get(
        "maxLength", len(value)
    ):
        found.append(f"{at}: has {len(value)} characters")
    if "pattern" in rule and not re.search(rule["pattern"], value):
        found.append(f"{at}: does not match")
    if not rule.get("minimum", 0) <= (value if is_type(value, "number") else 0) <= rule.get(
        "maximum", float("inf")
    ) and ("minimum" in rule or "maximum" in rule):
        found.append(f"{at}: out of range")
    if isinstance(value, dict):
        found += [f"{at}: lacks {key}" for key in rule.get("required", ()) if key not in value]
        more = rule.get("additionalProperties", True)
        for key in value if "propertyNames" in rule else ():
            found += faults(key, rule["propertyNames"], root, f"{at}.{key}")
        for key, inner in value.items():
            part = rule.get("properties", {}).get(key, more if isinstance(more, dict) else {})
            found += faults(inner, part, root, f"{at}.{key}")
    if isinstance(value, list):
        first = rule.get("prefixItems", [])
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            found.append(f"{at}: has {len(value)} items")
        for index, inner in enumerate(value):
            part = first[index] if index < len(first) else rule.get("items", {})
            part = part if isinstance(part, dict) else {}
            found += faults(inner, part, root, f"{at}[{index}]")
    return found


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    loaded = json.loads((paths.resources() / "schema" / FILE_NAME).read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def test_the_published_schema_is_that_of_the_code():
    published = (paths.resources() / "schema" / FILE_NAME).read_bytes()
    assert published == schema_bytes(), "run `python -m topoedit.io.schema`"


def rich_drawing() -> Document:
    document = small_drawing()
    catalog = small_catalog()
    return Document(
        catalog,
        [
            *(e for e in document.elements() if e.id != "leaf"),
            Device(
                id="leaf", name="leaf", type="switch8", kind="leaf", unit=40, tags=("a", "b"),
                ports=(PortOverride(names="1-2", gbps=200.0, rail=1),), extra={"later": [1]},
            ),
            CustomType(id="mine", type=replace(catalog.devices["server4"], id="mine")),
            Note(id="note-2", text="x"),
            Group(id="pod", name="pod", kind="pod", x=1.0, width=20.0),
            Exclusion(id="e1", rule="dac-reach", elements=("link-1",), comment="known"),
        ],
    )  # fmt: skip


def test_what_is_written_fits(schema: dict[str, Any]):
    for document in (small_drawing(), rich_drawing()):
        assert faults(json.loads(native.dumps(document)), schema, schema) == []


def test_samples_fit(schema: dict[str, Any], samples: Path):
    for sample in sorted(samples.glob("*.topo.json")):
        if sample.stat().st_size < 300_000:
            assert faults(json.loads(sample.read_bytes()), schema, schema) == [], sample.name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"x":9.25', '"x":"far"'),
        ('"kind":"leaf"', '"kind":"tower"'),
        ('["leaf","1-4"]', '["leaf"]'),
        ('"cables":"c1-4",', ""),
        (":2,", ":1,"),
        ('"format":"topoedit"', '"format":"other"'),
    ],
)
def test_what_is_refused_does_not_fit(old: str, new: str, schema: dict[str, Any]):
    assert faults(json.loads(CANONICAL.replace(old, new, 1)), schema, schema)
