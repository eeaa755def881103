"""Plans from what a person wrote: options of a command, or a YAML file with the same words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from topoedit.catalog.yaml_text import parse
from topoedit.engine.collectives.algorithm import algorithms
from topoedit.errors import BadCatalogError, BadInputError, BadPlanError
from topoedit.io.reading import decode_text, read_bytes
from topoedit.model.plan import TRAFFIC_CLASSES, Plan, Workload

MAX_BYTES = 1_000_000
_ALIASES = {"algorithm": "algorithms"}
_OPTIONS = {"algorithms": "--algorithm"}
_SWITCHES = ("sequence_parallel", "zero_plus_plus", "pxn", "gpudirect")
_SWITCH_WORDS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_KINDS = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "on or off",
    "array": "a list", "object": "a table", "null": "nothing",
}  # fmt: skip


def read_workload(
    given: Mapping[str, object], file: Path | None = None, *, model_required: bool = True
) -> Workload:
    """A model and a plan.

    Args:
        given: what was given on the command line, underscored; it wins over the file.
        file: a YAML table of the same keys.
        model_required: without it the model may be left out, and is then "".

    Raises:
        BadInputError: the file cannot be read, or no model is named.
        BadPlanError: an unknown key or a value of the wrong kind; one line that says which.
    """
    merged = {**(_from_file(file) if file is not None else {}), **given}
    model = merged.pop("model", None)
    if model is None and not model_required:
        return Workload(model="", plan=make_plan(merged))
    if not isinstance(model, str) or not model:
        raise BadInputError(
            "say which model to train",
            "--model",
            "A name from `topoedit catalog models`, or a config.json",
        )
    return Workload(model=model, plan=make_plan(merged))


def make_plan(given: Mapping[str, object]) -> Plan:
    """A plan from words and values; `stack` may carry its release as `stack@release`."""
    fields = dict(given)
    stack = fields.get("stack")
    if isinstance(stack, str) and "@" in stack:
        fields["stack"], _, fields["release"] = stack.partition("@")
    known = Plan.__struct_fields__
    for key in fields:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=3, cutoff=0.4)
            hint = f"Nearest: {', '.join(near)}" if near else f"Known: {', '.join(known)}"
            raise BadPlanError(f'a plan has no "{key}"', mend=hint)
    if "algorithms" in fields:
        fields["algorithms"] = _algorithms(fields["algorithms"])
    try:
        return msgspec.convert(fields, Plan)
    except msgspec.ValidationError as error:
        raise BadPlanError(*_reason(error, fields)) from None


def _algorithms(given: object) -> dict[str, object]:
    """Traffic class -> algorithm, from a table, `CLASS=NAME`, a list of those, or `auto`."""
    if given == "auto":
        return {}
    if isinstance(given, dict):
        pairs = [(str(name), value) for name, value in given.items()]
    else:
        pairs = [_pair(text) for text in (given if isinstance(given, list) else [given])]
    made = {name.upper(): value for name, value in pairs}
    for name in made:
        if name not in TRAFFIC_CLASSES:
            raise BadPlanError(
                f'there is no traffic class "{name}"',
                "--algorithm",
                f"Known: {', '.join(TRAFFIC_CLASSES)}",
            )
    known = ("auto", *algorithms())
    for value in made.values():
        if isinstance(value, str) and value.partition("/")[0] not in known:
            raise BadPlanError(
                f'there is no algorithm "{value}"', "--algorithm", f"Known: {', '.join(known)}"
            )
    return {name: value for name, value in made.items() if value != "auto"}


def _pair(text: object) -> tuple[str, str]:
    name, _, algorithm = str(text).partition("=")
    if not algorithm:
        raise BadPlanError(f'"{text}" is not CLASS=NAME', "--algorithm", "For example DP=ring")
    return name, algorithm


def _reason(error: msgspec.ValidationError, fields: Mapping[str, object]) -> tuple[str, str, str]:
    """What, where and how to mend, from a message that ends in "at `$.key`"."""
    text = str(error)
    what, _, path = text.partition(" - at `$.")
    key = path.rstrip("`").partition("[")[0].partition(".")[0]
    option = _OPTIONS.get(key, f"--{key.replace('_', '-')}" if key else "")
    allowed = _allowed(key)
    if allowed:
        noun = key.replace("_", " ")
        return f'unknown {noun} "{fields.get(key)}"', option, f"Known: {', '.join(allowed)}"
    return _in_words(what), option, ""


def _in_words(text: str) -> str:
    """What msgspec says of kinds, as a person would: "expected a whole number, not text"."""
    found = re.fullmatch(r"Expected `([\w |]+)`, got `(\w+)`", text)
    if found is None:
        return text.replace("Expected", "expected").replace("`", "")
    wanted = [_KINDS.get(k, k) for k in found[1].split(" | ") if k != "null"]
    return f"expected {' or '.join(wanted)}, not {_KINDS.get(found[2], found[2])}"


def _allowed(key: str) -> tuple[str, ...]:
    """Words that a field allows."""
    for field in msgspec.structs.fields(Plan):
        if field.name == key:
            return _words(field.type)
    return ()


def _words(kind: object) -> tuple[str, ...]:
    arguments = getattr(kind, "__args__", ())
    if all(isinstance(word, str) for word in arguments):
        return tuple(arguments)
    return next((found for inner in arguments if (found := _words(inner))), ())


def _from_file(path: Path) -> dict[str, object]:
    data = yaml_of(path)
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise BadInputError("is not a table of plan options", str(path), "For example `tp: 8`")
    return plan_words(data)


def yaml_of(path: Path) -> object:
    """What a YAML file of at most MAX_BYTES holds.

    Raises:
        BadInputError: it cannot be read, or holds what no plan can.
    """
    text = decode_text(read_bytes(path, MAX_BYTES), str(path))
    try:
        return parse(text, str(path))
    except BadCatalogError as error:
        raise BadInputError(
            f"is not YAML that a plan can hold: {error.what}", error.where
        ) from None


def plan_words(data: Mapping[str, object]) -> dict[str, object]:
    """The options of a plan as keys of a file, underscored and without those left empty."""
    named = {key.replace("-", "_"): value for key, value in data.items()}
    return {_ALIASES.get(k, k): _switch(k, v) for k, v in named.items() if v is not None}


def _switch(key: str, value: object) -> object:
    """On and off, yes and no, where a plan has a switch."""
    if key in _SWITCHES and isinstance(value, str):
        return _SWITCH_WORDS.get(value.lower(), value)
    return value
