"""What a design rule is: one object, a function from a context to what it found and checked."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.edits import Edit

if TYPE_CHECKING:
    from topoedit.rules.context import Context

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
OFF = "off"
Need = Literal["fabric", "workload"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One violation of a rule.

    Attributes:
        rule: id of the rule.
        elements: ids of the devices, links or groups concerned.
        message: what is wrong, with the numbers.
        fix: what would make it right, in words.
        source: where the rule comes from.
        mendable: `rules.run.fix_edit` has an edit that makes it right in one step.
    """

    rule: str
    severity: Severity
    elements: tuple[str, ...]
    message: str
    fix: str = ""
    source: str = ""
    mendable: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found in one place; `severity` only where it is milder than the rule's own."""

    elements: tuple[str, ...]
    message: str
    fix: str = ""
    mendable: bool = False
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of a rule came to.

    Attributes:
        problems: what it found.
        checked: on how many elements it ran.
        unchecked: why it could not judge others, one sentence each; unknown is never "passed".
    """

    problems: tuple[Problem, ...] = ()
    checked: int = 0
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A design rule: the object `RULE` of a module of this package.

    Attributes:
        id: lower-case words; the catalogue's where it has one.
        title: what must hold, in one line.
        severity: unless the document sets another.
        source: where the rule comes from.
        check: judges a drawing.
        needs: without a compiled fabric, or a workload, the rule is not run but reported.
        mend: for a mendable finding, the edit that makes it right; None if it no longer fits.
    """

    id: str
    title: str
    severity: Severity
    source: str
    check: Callable[[Context], Outcome]
    needs: tuple[Need, ...] = ()
    mend: Callable[[Document, Finding], Edit | None] | None = None


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """All rules by id: the object `RULE` of each module of this package."""
    package = importlib.import_module("topoedit.rules")
    found: dict[str, Rule] = {}
    for info in pkgutil.iter_modules(package.__path__):
        rule = getattr(importlib.import_module(f"topoedit.rules.{info.name}"), "RULE", None)
        if isinstance(rule, Rule):
            found[rule.id] = rule
    return dict(sorted(found.items()))


def rule_named(rule_id: str) -> Rule:
    """The rule with this id.

    Raises:
        BadInputError: there is none; the message lists the nearest.
    """
    found = rules().get(rule_id)
    if found is not None:
        return found
    import difflib

    near = difflib.get_close_matches(rule_id, rules(), n=3, cutoff=0.4)
    raise BadInputError(
        f'there is no rule "{rule_id}"', mend=f"Nearest: {', '.join(near)}" if near else ""
    )


def outcome(
    problems: Iterable[Problem] = (), checked: int = 0, unchecked: Iterable[str] = ()
) -> Outcome:
    """An outcome; empty reasons are left out."""
    return Outcome(tuple(problems), int(checked), tuple(why for why in unchecked if why))
