"""Drawings for the tests of rules: made here, or by the templates and then changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from topoedit.app.check import check
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Ports, Settings
from topoedit.model.plan import Plan, Workload
from topoedit.model.ports import count
from topoedit.rules.base import Finding
from topoedit.rules.run import Report

Make = Callable[[Catalog], Document]


@dataclass(frozen=True)
class Case:
    """One good and one bad sample of a rule.

    `says` are parts of the first message of the bad sample, among them its numbers.
    """

    rule: str
    good: Make
    bad: Make
    says: tuple[str, ...]
    elements: tuple[str, ...] = ()
    plan: Workload | None = None
    bad_plan: Workload | None = None


class Draft:
    """Elements of a drawing while it is made; ids are names."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.elements: list[AnyElement] = []
        self._cable = 1
        self._custom: set[str] = set()

    def device(self, name: str, kind: str | DeviceType, role: str = "", **fields: Any) -> Draft:
        if isinstance(kind, DeviceType):
            if kind.id not in self._custom:
                self.elements.append(CustomType(id=kind.id, type=kind))
            self._custom.add(kind.id)
            fields = {"kind": role or kind.kind, **fields}
            self.elements.append(Device(id=name, name=name, type=kind.id, **fields))
            return self
        own = self.catalog.devices[kind].kind
        self.elements.append(Device(id=name, name=name, type=kind, kind=role or own, **fields))
        return self

    def group(self, name: str, kind: Any = "rack", parent: str = "", **fields: Any) -> Draft:
        self.elements.append(Group(id=name, name=name, kind=kind, parent=parent, **fields))
        return self

    def link(self, a: str, b: str, **fields: Any) -> Draft:
        """`leaf-1:33-34` to `spine-1:1-2`; the id is `a – b` with the first ports."""
        (one, ports), (other, others) = a.split(":"), b.split(":")
        last = self._cable + count(ports) - 1
        cables = f"c{self._cable}" if last == self._cable else f"c{self._cable}-{last}"
        name = fields.pop("id", f"link-c{self._cable}")
        self._cable = last + 1
        ends = {"a": Ports(one, ports), "b": Ports(other, others)}
        self.elements.append(Link(id=name, cables=cables, **ends, **fields))
        return self

    def settings(self, **fields: Any) -> Draft:
        self.elements.append(Settings(**fields))
        return self

    def document(self) -> Document:
        return Document(self.catalog, self.elements)


def made(template: str, **params: object) -> Make:
    """A drawing by a template."""
    return lambda catalog: generate(template, params, catalog)


def link_at(document: Document, device: str, port: str) -> Link:
    """The link in a port."""
    return document.links[document.ports_in_use(device)[port]]


def changed(make: Make, change: Callable[[Document], Edit]) -> Make:
    """A drawing with one edit applied."""

    def build(catalog: Catalog) -> Document:
        document = make(catalog)
        document.apply(change(document))
        return document

    return build


def with_links(make: Make, choose: Callable[[Link], bool], **fields: object) -> Make:
    """A drawing with fields of some links set."""
    return changed(
        make,
        lambda d: Edit(
            "Set", put=tuple(replace(x, **fields) for x in d.links.values() if choose(x))
        ),
    )


def with_devices(make: Make, choose: Callable[[Device], bool], **fields: object) -> Make:
    """A drawing with fields of some devices set."""
    return changed(
        make,
        lambda d: Edit(
            "Set", put=tuple(replace(x, **fields) for x in d.devices.values() if choose(x))
        ),
    )


def pair(a: str, b: str, ports: tuple[str, str] = ("1", "1"), **fields: Any) -> Make:
    """Two devices of the given types, `a-1` and `b-1`, joined by one link."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("a-1", a).device("b-1", b)
        return draft.link(f"a-1:{ports[0]}", f"b-1:{ports[1]}", **fields).document()

    return build


def report_of(document: Document, rule: str, plan: Workload | None = None) -> Report:
    """What one rule says."""
    return check(document, plan, only=[rule])


def found(document: Document, rule: str, plan: Workload | None = None) -> tuple[Finding, ...]:
    """Findings of one rule."""
    return report_of(document, rule, plan).violations


def workload(model: str = "llama3-70b", **fields: Any) -> Workload:
    """A plan for a model."""
    return Workload(model=model, plan=Plan(**fields))
