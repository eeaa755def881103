"""A check report as SARIF 2.1.0, so that CI systems can show the findings.

Format: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020,
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from urllib.parse import quote

import msgspec

import topoedit
from topoedit.rules.base import Finding, Rule, rules
from topoedit.rules.run import Excluded, Report

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_ID = re.compile(r'"id":"((?:[^"\\]|\\.)*)"')
_LINK = re.compile(r"https?://[^\s,;()]+")
_MOST_PLACES = 10
Json = dict[str, object]


def sarif_bytes(report: Report, path: Path, text: str = "") -> bytes:
    """The report as a SARIF log.

    Args:
        report: what the rules said.
        path: the file that was checked.
        text: its content, for the lines of elements; native files have one element a line.
    """
    return msgspec.json.format(msgspec.json.encode(sarif_log(report, path, text)), indent=2) + b"\n"


def sarif_log(report: Report, path: Path, text: str = "") -> Json:
    """The SARIF log as plain data; see `sarif_bytes`."""
    uri, lines = uri_of(path), lines_of(text)
    known = list(rules().values())
    index = {rule.id: number for number, rule in enumerate(known)}
    findings = [_result(finding, index, uri, lines) for finding in report.violations]
    accepted = [_suppressed(one, index, uri, lines) for one in report.excluded]
    notes = [
        {"level": "note", "message": {"text": one.why}, "associatedRule": {"id": one.rule}}
        for one in report.unchecked
    ]
    driver = {
        "name": "topoedit",
        "semanticVersion": topoedit.__version__,
        "rules": [_descriptor(rule) for rule in known],
    }
    run = {
        "tool": {"driver": driver},
        "artifacts": [{"location": {"uri": uri}}],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "columnKind": "utf16CodeUnits",
        "results": findings + accepted,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def uri_of(path: Path) -> str:
    """A URI reference of a path: relative as it was given, else a file URI."""
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def lines_of(text: str) -> dict[str, int]:
    """Line of each element in a native file, counted from 1."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = _ID.search(line)
        if match is not None:
            found.setdefault(msgspec.json.decode(f'"{match.group(1)}"', type=str), number)
    return found


def _descriptor(rule: Rule) -> Json:
    descriptor: Json = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"{rule.title}. Source: {rule.source}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }
    link = _LINK.search(rule.source)
    return descriptor | ({"helpUri": link.group(0)} if link else {})


def _result(finding: Finding, index: dict[str, int], uri: str, lines: dict[str, int]) -> Json:
    text = f"{finding.message}. {finding.fix}" if finding.fix else finding.message
    key = "\n".join((finding.rule, *finding.elements))
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": _locations(finding.elements, uri, lines),
        "partialFingerprints": {"elements/v1": hashlib.sha256(key.encode()).hexdigest()},
    }


def _locations(elements: tuple[str, ...], uri: str, lines: dict[str, int]) -> list[Json]:
    places: list[Json] = [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": uri},
                "region": {"startLine": lines.get(element, 1)},
            },
            "logicalLocations": [{"name": element, "kind": "element"}],
        }
        for element in elements[:_MOST_PLACES]
    ]
    whole = {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
    return places or [{"physicalLocation": whole}]


def _suppressed(one: Excluded, index: dict[str, int], uri: str, lines: dict[str, int]) -> Json:
    suppression: Json = {"kind": "inSource"}
    if one.comment:
        suppression["justification"] = one.comment
    return _result(one.finding, index, uri, lines) | {"suppressions": [suppression]}
