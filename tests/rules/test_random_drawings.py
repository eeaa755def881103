"""Whatever is drawn, the rules run, name elements that exist, and mend without breaking."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from topoedit.app.check import check
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.model.connect import port_names
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports, Settings
from topoedit.model.ports import collapse
from topoedit.rules._tables import KINDS, NETWORKS
from topoedit.rules.run import fix_edit

PROTOCOLS = ("", "", "roce-v1", "roce-v2", "fibre-channel", "internet")


@lru_cache(maxsize=1)
def installed() -> Catalog:
    return load_catalog(user=False)


def groups(random: Random) -> list[AnyElement]:
    made: list[AnyElement] = [Group(id="site", name="site", kind="site")]
    made.append(Group(id="pod", name="pod", kind="pod", parent=random.choice(("", "site"))))
    made.extend(
        Group(
            id=f"rack-{number}",
            name=f"rack-{number}",
            kind="rack",
            parent=random.choice(("", "pod", "site")),
            units=random.choice((None, 10, 48)),
            power_kw=random.choice((None, 5.0, 40.0)),
        )
        for number in range(3)
    )
    return made


def devices(random: Random, catalog: Catalog) -> list[AnyElement]:
    types = sorted(catalog.devices)
    small = [name for name in types if len(catalog.devices[name].port_list) < 300]
    return [
        Device(
            id=f"d{number}",
            name=random.choice((f"d{number}", f"D.{number}", f"d-{number}")),
            type=(kind := random.choice(small)),
            kind=random.choice((catalog.devices[kind].kind, random.choice(KINDS))),
            group=random.choice(("", "site", "pod", "rack-0", "rack-1", "rack-2")),
            unit=random.choice((None, 1, 5, 40)),
            network=random.choice(NETWORKS),
            plane=random.choice((None, None, 0, 1)),
            failed=random.random() < 0.1,
            address=random.choice(("", "10.0.0.1")),
        )
        for number in range(random.randint(0, 14))
    ]


def links(random: Random, document: Document) -> list[Link]:
    free = {d.id: list(port_names(document, d)) for d in document.devices.values()}
    media = ["", "", "no-such", *sorted(document.catalog.media)]
    made: list[Link] = []
    for number in range(random.randint(0, 40)):
        usable = [name for name, ports in free.items() if ports]
        if len(usable) < 2:
            break
        a, b = random.sample(usable, 2)
        count = min(random.choice((1, 1, 2, 8)), len(free[a]), len(free[b]))
        ports = [[free[end].pop(random.randrange(len(free[end]))) for _ in range(count)]
                 for end in (a, b)]  # fmt: skip
        made.append(
            Link(
                id=f"l{number}",
                a=Ports(a, collapse(ports[0])),
                b=Ports(b, collapse(ports[1])),
                cables=collapse(f"x{number}-{i}" for i in range(count)),
                medium=random.choice(media),
                gbps=random.choice((None, 0.0, 100.0, 400.0, 800.0)),
                length_m=random.choice((None, 0.0, 1.0, 4.0, 60.0, 3000.0)),
                km=random.choice((None, None, None, 5.0, 500.0)),
                network=random.choice(("compute", *NETWORKS)),
                plane=random.choice((None, None, 0, 1, 2)),
                failed=random.randint(0, count),
                planned=random.random() < 0.1,
                protocol=random.choice(PROTOCOLS),
            )
        )
    return made


def drawing(seed: int) -> Document:
    random, catalog = Random(seed), installed()
    settings = Settings(
        targets=random.choice(({}, {"leaf-spine": 1.0}, {"spine-core": 2.0})),
        origin=random.choice(
            ("", "topoedit generate x --oversubscription", "y --oversubscription z")
        ),
    )
    document = Document(catalog, [settings, *groups(random), *devices(random, catalog)])
    drawn = links(random, document)
    if drawn:
        document.apply(Edit("Draw", put=tuple(drawn)))
    return document


@lru_cache(maxsize=8)
def elements_of(template: str) -> tuple[AnyElement, ...]:
    return tuple(generate(template, {"nodes": 6}, installed()).elements())


def spoilt(seed: int) -> Document:
    """A drawing of a template with some links removed, moved, failed or otherwise changed."""
    random = Random(seed)
    template = random.choice(("rail-optimized", "fat-tree", "multi-plane", "multi-site"))
    document = Document(installed(), elements_of(template))
    chosen = random.sample(sorted(document.links), min(len(document.links), random.randint(0, 9)))
    for link in (document.links[name] for name in chosen):
        changes: dict[str, object] = random.choice(
            (
                {"failed": link.count}, {"plane": random.randint(0, 2)}, {"gbps": 200.0},
                {"medium": "dac-100", "length_m": 9.0}, {"planned": True},
                {"protocol": "roce-v1"}, {"network": "storage"},
            )
        )  # fmt: skip
        gone = random.random() < 0.4
        document.apply(
            Edit("Spoil", drop=(link.id,))
            if gone
            else Edit("Spoil", put=(replace(link, **changes),))
        )
    return document


def examine(document: Document) -> None:
    report = check(document)
    assert all(number >= 0 for number in report.checked.values())
    listed = len(report.violations) + sum(report.not_listed.values())
    assert listed == report.counts.error + report.counts.warning + report.counts.info
    assert check(document) == report
    for finding in report.violations:
        assert all(element in document for element in finding.elements)
        assert finding.message
        assert "nan" not in finding.message
        edit = fix_edit(document, finding)
        if edit is not None and not edit.is_empty:
            document.apply(document.apply(edit))


@given(st.integers(0, 10**9))
def test_rules_run_on_anything(seed: int) -> None:
    examine(drawing(seed))


@given(st.integers(0, 10**9))
def test_rules_run_on_anything_spoilt(seed: int) -> None:
    examine(spoilt(seed))


@pytest.mark.long
def test_rules_run_on_thousands_of_drawings() -> None:
    for seed in range(3000):
        examine(drawing(seed))
        examine(spoilt(seed))
