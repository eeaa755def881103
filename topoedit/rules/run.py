"""Running all rules over a drawing: the report, and the edits that mend findings.

`check_document` is a pure function of what it is given, and `Report` goes through msgspec, so a
worker process can run the rules over its mirror of a document and send the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from topoedit.engine.types import Fabric
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Exclusion
from topoedit.model.shared_ports import SharedPort
from topoedit.rules.base import (
    OFF,
    SEVERITIES,
    Finding,
    Outcome,
    Problem,
    Rule,
    Severity,
    rule_named,
    rules,
)
from topoedit.rules.context import Context, PlanOnFabric

MOST_FINDINGS = 2000
"""Findings of one rule that are listed; more are counted."""

_LACKING = {
    "fabric": "the drawing was not compiled",
    "workload": "it needs a model and a plan",
}


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Number of violations by severity, and of those that a person has excluded."""

    error: int = 0
    warning: int = 0
    info: int = 0
    excluded: int = 0


class Unchecked(msgspec.Struct, frozen=True):
    """Something a rule could not judge, and why."""

    rule: str
    why: str


class Excluded(msgspec.Struct, frozen=True):
    """A finding that a person has accepted: the id of the exclusion and its comment."""

    finding: Finding
    exclusion: str
    comment: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules say of a drawing.

    Attributes:
        violations: the worst first, at most MOST_FINDINGS of each rule.
        counts: of all of them, listed or not.
        checked: rule -> number of elements it judged; a rule that is not here has not run.
        unchecked: what could not be judged for lack of data.
        excluded: findings that a person has accepted.
        not_listed: rule -> violations beyond those listed.
        revision: of the document; anything later makes the report stale.
    """

    violations: tuple[Finding, ...]
    counts: Counts
    checked: dict[str, int]
    unchecked: tuple[Unchecked, ...]
    excluded: tuple[Excluded, ...] = ()
    not_listed: dict[str, int] = {}
    revision: int = 0

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return self.counts.error > 0


def check_document(
    document: Document,
    fabric: Fabric | None = None,
    plan: PlanOnFabric | None = None,
    *,
    only: Iterable[str] = (),
    severities: Mapping[str, str] | None = None,
    cancel: Callable[[], bool] | None = None,
    shared: tuple[SharedPort, ...] = (),
) -> Report:
    """Run the rules.

    Args:
        document: the drawing; its settings may change severities, its exclusions accept findings.
        fabric: its compute network; rules that need it say so without it.
        plan: a workload on that fabric, for the rules that need one.
        only: ids of the rules to run; all if empty.
        severities: rule id -> severity or `off`, before those of the document.
        cancel: asked before each rule; True stops with CancelledError.
        shared: ports in which the file has a second cable, which is not in the drawing.

    Raises:
        BadInputError: an unknown rule or severity is named by `only` or `severities`.
        CancelledError: `cancel` said so.
    """
    context = Context(document, fabric=fabric, plan=plan, shared=shared)
    known = {**document.settings.severities, **checked_severities(severities)}
    return run(context, known, only, cancel)


def checked_severities(given: Mapping[str, str] | None) -> dict[str, str]:
    """Severities by rule id, all known.

    Raises:
        BadInputError: there is no such rule or severity.
    """
    for rule_id, severity in (given or {}).items():
        rule_named(rule_id)
        if severity not in (*SEVERITIES, OFF):
            known = ", ".join((*SEVERITIES, OFF))
            raise BadInputError(f'"{severity}" is no severity', rule_id, f"One of: {known}")
    return dict(given or {})


def run(
    context: Context,
    severities: Mapping[str, str],
    only: Iterable[str] = (),
    cancel: Callable[[], bool] | None = None,
) -> Report:
    """Run the rules on a context; see `check_document`."""
    wanted = [rule_named(rule_id) for rule_id in only] or list(rules().values())
    collected = _Collected(context.document)
    for rule in wanted:
        if cancel is not None and cancel():
            raise CancelledError("the check was stopped")
        severity = severities.get(rule.id, rule.severity)
        if severity == OFF:
            collected.unchecked.append(Unchecked(rule.id, "switched off in this document"))
            continue
        lack = next((_LACKING[need] for need in rule.needs if not _has(context, need)), "")
        if lack:
            collected.unchecked.append(Unchecked(rule.id, lack))
            continue
        known = next((s for s in SEVERITIES if s == severity), rule.severity)
        collected.add(rule, known, rule.check(context))
    return collected.report(context.document.revision)


def _has(context: Context, need: str) -> bool:
    return (context.fabric if need == "fabric" else context.plan) is not None


class _Collected:
    """Findings while the rules run."""

    def __init__(self, document: Document) -> None:
        self._accepted: dict[str, list[tuple[frozenset[str], Exclusion]]] = {}
        for exclusion in document.exclusions.values():
            entry = (frozenset(exclusion.elements), exclusion)
            self._accepted.setdefault(exclusion.rule, []).append(entry)
        self._findings: list[Finding] = []
        self._excluded: list[Excluded] = []
        self._counts = dict.fromkeys(SEVERITIES, 0)
        self._checked: dict[str, int] = {}
        self._not_listed: dict[str, int] = {}
        self.unchecked: list[Unchecked] = []

    def add(self, rule: Rule, severity: Severity, outcome: Outcome) -> None:
        """Take what one rule came to."""
        self._checked[rule.id] = outcome.checked
        self.unchecked += [Unchecked(rule.id, why) for why in outcome.unchecked]
        listed = 0
        for problem in outcome.problems:
            accepted = self._exclusion(rule.id, problem)
            finding = _finding(rule, severity, problem)
            if accepted is not None:
                self._excluded.append(Excluded(finding, accepted.id, accepted.comment))
                continue
            self._counts[finding.severity] += 1
            listed += 1
            if listed <= MOST_FINDINGS:
                self._findings.append(finding)
        if listed > MOST_FINDINGS:
            self._not_listed[rule.id] = listed - MOST_FINDINGS

    def _exclusion(self, rule_id: str, problem: Problem) -> Exclusion | None:
        for elements, exclusion in self._accepted.get(rule_id, ()):
            if not elements or elements.issuperset(problem.elements):
                return exclusion
        return None

    def report(self, revision: int) -> Report:
        """Everything, the worst first."""
        order = {severity: index for index, severity in enumerate(SEVERITIES)}
        self._findings.sort(key=lambda finding: order[finding.severity])
        return Report(
            violations=tuple(self._findings),
            counts=Counts(**self._counts, excluded=len(self._excluded)),
            checked=self._checked,
            unchecked=tuple(self.unchecked),
            excluded=tuple(self._excluded),
            not_listed=self._not_listed,
            revision=revision,
        )


def _finding(rule: Rule, severity: Severity, problem: Problem) -> Finding:
    milder = problem.severity
    if milder is not None and SEVERITIES.index(milder) < SEVERITIES.index(severity):
        milder = None
    return Finding(
        rule=rule.id,
        severity=milder or severity,
        elements=problem.elements,
        message=problem.message,
        fix=problem.fix,
        source=rule.source,
        mendable=problem.mendable and rule.mend is not None,
    )


def fix_edit(document: Document, finding: Finding) -> Edit | None:
    """The edit that mends a finding in one undoable step; None if there is none any more."""
    rule = rules().get(finding.rule)
    if rule is None or rule.mend is None or not finding.mendable:
        return None
    return rule.mend(document, finding)


def exclude(document: Document, finding: Finding, comment: str) -> Edit:
    """Accept a finding, with the reason; the exclusion is kept in the document."""
    exclusion = Exclusion(
        id=document.new_id(f"exclusion-{finding.rule}"),
        rule=finding.rule,
        elements=finding.elements,
        comment=comment,
    )
    return Edit(f"Exclude a finding of {finding.rule}", put=(exclusion,))


def set_severity(document: Document, rule_id: str, severity: str) -> Edit:
    """Set how grave a rule is in this document; its own severity removes the entry.

    Raises:
        BadInputError: there is no such rule or severity.
    """
    checked_severities({rule_id: severity})
    settings = document.settings
    chosen = {name: value for name, value in settings.severities.items() if name != rule_id}
    if severity != rules()[rule_id].severity:
        chosen[rule_id] = severity
    put = msgspec.structs.replace(settings, severities=dict(sorted(chosen.items())))
    return Edit(f"Set {rule_id} to {severity}", put=(put,))
