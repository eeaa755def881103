"""The parts of SARIF 2.1.0 that a check report uses: required and allowed properties.

From OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020, sections 3.13
to 3.58: no object may have a property that its section does not define.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Test = Callable[[Any], bool]


@dataclass(frozen=True)
class Shape:
    """An object: properties it must have, and what each that it may have looks like."""

    required: frozenset[str]
    allowed: dict[str, Shape | Test]
    lists: frozenset[str] = field(default_factory=frozenset)


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _whole(least: int) -> Test:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def _one_of(*words: str) -> Test:
    return lambda value: value in words


def _uri(value: Any) -> bool:
    return _text(value) and not re.search(r'[\s<>"{}|\\^`]', value)


def _hashes(value: Any) -> bool:
    return isinstance(value, dict) and all(_text(k) and _text(v) for k, v in value.items())


def _shape(required: str, lists: str = "", **allowed: Shape | Test) -> Shape:
    known = {name.strip("_"): value for name, value in allowed.items()}
    return Shape(frozenset(required.split()), known, frozenset(lists.split()))


_LEVEL = _one_of("none", "note", "warning", "error")
_MESSAGE = _shape("text", text=_text)
_ARTIFACT_LOCATION = _shape("uri", uri=_uri)
_REGION = _shape("startLine", startLine=_whole(1))
_PHYSICAL = _shape("artifactLocation", artifactLocation=_ARTIFACT_LOCATION, region=_REGION)
_LOGICAL = _shape("name", name=_text, kind=_text)
_LOCATION = _shape(
    "", "logicalLocations", physicalLocation=_PHYSICAL, logicalLocations=_LOGICAL
)  # fmt: skip
_DESCRIPTOR = _shape(
    "id", id=_text, shortDescription=_MESSAGE, fullDescription=_MESSAGE, helpUri=_uri,
    defaultConfiguration=_shape("", level=_LEVEL),
)  # fmt: skip
_SUPPRESSION = _shape("kind", kind=_one_of("inSource", "external"), justification=_text)
_RESULT = _shape(
    "message", "locations suppressions", ruleId=_text, ruleIndex=_whole(0), level=_LEVEL,
    message=_MESSAGE, locations=_LOCATION, partialFingerprints=_hashes, suppressions=_SUPPRESSION,
)  # fmt: skip
_NOTIFICATION = _shape(
    "message", level=_LEVEL, message=_MESSAGE, associatedRule=_shape("id", id=_text)
)  # fmt: skip
_INVOCATION = _shape(
    "executionSuccessful", "toolExecutionNotifications",
    executionSuccessful=lambda value: isinstance(value, bool),
    toolExecutionNotifications=_NOTIFICATION,
)  # fmt: skip
_DRIVER = _shape("name", "rules", name=_text, semanticVersion=_text, rules=_DESCRIPTOR)
_RUN = _shape(
    "tool", "artifacts invocations results", tool=_shape("driver", driver=_DRIVER),
    artifacts=_shape("", location=_ARTIFACT_LOCATION), invocations=_INVOCATION,
    columnKind=_one_of("utf16CodeUnits", "unicodeCodePoints"), results=_RESULT,
)  # fmt: skip
LOG = Shape(
    frozenset({"version", "runs"}),
    {"$schema": _uri, "version": _one_of("2.1.0"), "runs": _RUN},
    frozenset({"runs"}),
)


def faults(value: Any, shape: Shape = LOG, at: str = "log") -> list[str]:
    """What is wrong with a log; nothing if it is valid."""
    if not isinstance(value, dict):
        return [f"{at} is no object"]
    found = [f"{at} lacks {name}" for name in sorted(shape.required - value.keys())]
    for name, part in value.items():
        here, wanted = f"{at}.{name}", shape.allowed.get(name)
        if wanted is None:
            found.append(f"{here} is not defined")
        elif name in shape.lists:
            found += _list_faults(part, wanted, here)
        elif isinstance(wanted, Shape):
            found += faults(part, wanted, here)
        elif not wanted(part):
            found.append(f"{here} is {part!r}")
    return found


def _list_faults(part: Any, wanted: Shape | Test, here: str) -> list[str]:
    if not isinstance(part, list):
        return [f"{here} is no list"]
    assert isinstance(wanted, Shape)
    return [f for n, item in enumerate(part) for f in faults(item, wanted, f"{here}[{n}]")]


def broken_links(log: dict[str, Any]) -> list[str]:
    """Results whose rule index is not that of their rule, and rules that occur twice."""
    found = []
    for run in log["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        found += ["a rule occurs twice"] * (len(set(ids)) != len(ids))
        found += [r["ruleId"] for r in run["results"] if ids[r["ruleIndex"]] != r["ruleId"]]
    return found
