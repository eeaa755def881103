"""Plans from what a person wrote: options of a command, or a YAML file with the same words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

import msgspec
import yaml

from topoedit.errors import BadInputError, BadPlanError
from topoedit.model.plan import TRAFFIC_CLASSES, Plan, Workload

MAX_BYTES = 1_000_000
_ALIASES = {"algorithm": "algorithms"}


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
    _check_algorithms(fields.get("algorithms"))
    try:
        return msgspec.convert(fields, Plan)
    except msgspec.ValidationError as error:
        raise BadPlanError(*_reason(error, fields)) from None


def _check_algorithms(given: object) -> None:
    if not isinstance(given, dict):
        return
    for name in given:
        if name not in TRAFFIC_CLASSES:
            raise BadPlanError(
                f'there is no traffic class "{name}"',
                "--algorithm",
                f"Known: {', '.join(TRAFFIC_CLASSES)}",
            )


def _reason(error: msgspec.ValidationError, fields: Mapping[str, object]) -> tuple[str, str, str]:
    """What, where and how to mend, from a message that ends in "at `$.key`"."""
    text = str(error)
    what, _, path = text.partition(" - at `$.")
    key = path.rstrip("`").partition("[")[0].partition(".")[0]
    option = f"--{key.replace('_', '-')}" if key else ""
    allowed = _allowed(key)
    if allowed:
        noun = key.replace("_", " ")
        return f'unknown {noun} "{fields.get(key)}"', option, f"Known: {', '.join(allowed)}"
    return what.replace("Expected", "expected").replace("`", ""), option, ""


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
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInputError(f"is larger than {MAX_BYTES} bytes", str(path), "Is this a plan?")
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - safe
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"cannot be read ({error.__class__.__name__})", str(path)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        raise BadInputError(f"is not YAML{line}", str(path)) from None
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise BadInputError("is not a table of plan options", str(path), "For example `tp: 8`")
    named = {key.replace("-", "_"): value for key, value in data.items()}
    return {_ALIASES.get(key, key): value for key, value in named.items()}
