"""Fat trees, rail-optimised pods, NVL72 pods: counts, ratios and limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.templates.counting import Make, cables, kinds, ports_used, upward
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadInputError, TopoeditError
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.templates.base import templates

# Al-Fares, Loukissas, Vahdat (SIGCOMM 2008) for 64 ports: GPUs -> leaves, spines, cores.
TREES = {
    512: (16, 8, 0),
    2048: (64, 32, 0),
    4096: (128, 128, 64),
    16384: (512, 512, 256),
}


@pytest.mark.parametrize("gpus", TREES)
def test_fat_tree_of_64_port_switches(make: Make, gpus: int) -> None:
    document = make("fat-tree", gpus=gpus).document
    found = kinds(document)
    assert (found["leaf"], found["spine"], found["core"]) == TREES[gpus]
    counted = cables(document)
    assert set(counted.values()) == {gpus}
    assert len(counted) == (3 if found["core"] else 2)


def test_two_tiers_of_sn5600_at_400g(make: Make) -> None:
    """NVIDIA Spectrum-X two-tier at 400G: 8,192 GPUs on 128 leaves and 64 spines."""
    document = make("fat-tree", gpus=8192, leaf="sn5600").document
    found = kinds(document)
    assert (found["leaf"], found["spine"]) == (128, 64)
    assert cables(document)["leaf-spine"] == 8192
    assert {link.gbps for link in document.links.values()} == {400.0}
    assert document.types["sn5600-2x400"].type.logical_ports == 128
    assert ports_used(document, "spine") == {128: 64}


def test_two_tiers_end_at_the_radix(make: Make) -> None:
    assert kinds(make("fat-tree", nodes=256, tiers=2).document)["leaf"] == 64
    with pytest.raises(BadInputError, match="two tiers end at 64 leaves"):
        make("fat-tree", nodes=257, tiers=2)


def test_three_tiers_end_at_the_cube(make: Make, catalog: Catalog) -> None:
    small = {"system": "dgx-h100", "radix": 16}
    assert kinds(make("fat-tree", **small, nodes=128).document)["core"] == 64
    with pytest.raises(BadInputError, match="three tiers end at 16 pods"):
        generate("fat-tree", {**small, "nodes": 129}, catalog)


@pytest.mark.parametrize("template", ["fat-tree", "rail-optimized"])
@pytest.mark.parametrize("ratio", [1, 2, 3, 4])
def test_oversubscription_is_exact(make: Make, template: str, ratio: int) -> None:
    document = make(template, nodes=240, oversubscription=ratio).document
    down = max(_ports(document, d.id, down=True) for d in _leaves(document))
    up = {_ports(document, d.id, down=False) for d in _leaves(document)}
    assert len(up) == 1
    assert down / up.pop() == float(ratio)
    assert all(len(set(numbers.values())) == 1 for numbers in upward(document).values())


def _leaves(document: Document) -> list[Device]:
    return [d for d in document.devices.values() if d.kind == "leaf"]


def _ports(document: Document, leaf: str, *, down: bool) -> int:
    links = (document.links[i] for i in document.links_of(leaf))
    return sum(
        link.count
        for link in links
        if (document.devices[link.other(leaf)].kind == "server") is down
    )


def test_pod_of_64_gpus(make: Make) -> None:
    document = make("rail-optimized", nodes=8, spines=4).document
    found = kinds(document)
    assert (found["server"], found["leaf"], found["spine"]) == (8, 8, 4)
    assert cables(document) == {"host-leaf": 64, "leaf-spine": 64}
    assert {n for leaf in upward(document).values() for n in leaf.values()} == {2}
    for link in document.links.values():
        if link.rail is not None:
            assert (link.a.ports, link.b.device) == (f"nic{link.rail}", f"leaf-{link.rail + 1}")


def test_fewer_leaves_than_rails_stay_uniform(make: Make) -> None:
    document = make("rail-optimized", nodes=8, leaves=4).document
    assert ports_used(document, "leaf") == {32: 4}
    rails = {
        leaf: {link.a.ports for link in document.links.values() if link.b.device == leaf}
        for leaf in ("leaf-1", "leaf-4")
    }
    assert rails == {"leaf-1": {"nic0-1"}, "leaf-4": {"nic6-7"}}


def test_eight_nvl72_racks(make: Make) -> None:
    """576 GPUs: 576 / 32 = 18 leaves; 9 spines by ports, 16 for an even spread of 32 uplinks."""
    made = make("nvl72-pod", nodes=8)
    found = kinds(made.document)
    assert (found["server"], found["leaf"], found["spine"]) == (8, 18, 16)
    assert cables(made.document) == {"host-leaf": 576, "leaf-spine": 576}
    assert any("By formula" in note for note in made.built.notes)
    # 72 GPUs of 18 NVLink 5 links, four differential pairs each.
    assert any("5,184 copper pairs" in note for note in made.built.notes)
    for rack in ("node-01", "node-08"):
        assert len(made.document.ports_in_use(rack)) == 72


def test_each_leaf_takes_the_same_nics_of_every_rack(make: Make) -> None:
    document = make("nvl72-pod", nodes=8).document
    for leaf in _leaves(document):
        links = [document.links[i] for i in document.links_of(leaf.id)]
        runs = {link.a.ports for link in links if document.devices[link.a.device].kind == "server"}
        assert len(runs) == 1


@pytest.mark.parametrize("racks", range(1, 25))
def test_nvl72_pods_are_non_blocking_and_even(make: Make, racks: int) -> None:
    document = make("nvl72-pod", nodes=racks).document
    counted = cables(document)
    assert counted["host-leaf"] == 72 * racks
    assert counted["leaf-spine"] >= 72 * racks
    assert all(len(set(numbers.values())) == 1 for numbers in upward(document).values())


@pytest.mark.parametrize(
    ("template", "params", "words"),
    [
        ("fat-tree", {"leaf": "sn5600", "radix": 512}, "256 logical ports"),
        ("rail-optimized", {"leaf": "sn5600", "radix": 512}, "256 logical ports"),
        ("fat-tree", {"leaf": "dgx-h100"}, "not a switch"),
        ("fat-tree", {"system": "qm9700"}, "not a server"),
        ("fat-tree", {"system": "dgx-h10"}, "dgx-h100"),
        ("fat-tree", {"nodes": 0}, "1 to 65536"),
        ("fat-tree", {"nodes": 2.5}, "whole number"),
        ("fat-tree", {"nodes": "many"}, "whole number"),
        ("fat-tree", {"oversubscription": "nan"}, "not a number"),
        ("fat-tree", {"tiers": 1, "nodes": 9}, "each leaf would need 72 ports"),
        ("fat-tree", {"nodes": 4, "leaves": 5}, "cannot fill 5 leaves"),
        ("fat-tree", {"networks": "compute,wifi"}, "wifi"),
        ("rail-optimized", {"nodes": 8, "leaves": 3}, "3 leaves cannot take"),
        ("nvl72-pod", {"system": "dgx-h100"}, "not a rack of trays"),
        ("fat-treee", {}, "One of: dragonfly, fat-tree"),
    ],
)
def test_bad_values(make: Make, template: str, params: dict[str, object], words: str) -> None:
    with pytest.raises(BadInputError) as error:
        make(template, **params)
    assert words in error.value.line
    assert "\n" not in error.value.line


@given(
    template=st.sampled_from(["fat-tree", "rail-optimized"]),
    system=st.sampled_from(["dgx-h100", "dgx-b200", "dgx-b300", "hgx-h100-8"]),
    leaf=st.sampled_from(["qm9700", "q3400-ra", "sn5600", "qm8700", "arista-7060x6-64pe"]),
    nodes=st.integers(1, 200),
    ratio=st.sampled_from([1, 1.5, 2, 3, 7]),
    spines=st.none() | st.integers(1, 40),
    tiers=st.none() | st.integers(1, 3),
    radix=st.none() | st.integers(8, 300),
)
def test_any_size_is_drawn_or_refused(
    template: str, system: str, leaf: str, nodes: int, ratio: float, spines: int | None,
    tiers: int | None, radix: int | None,
) -> None:  # fmt: skip
    params = {
        "system": system, "leaf": leaf, "nodes": nodes, "oversubscription": ratio,
        "spines": spines, "tiers": tiers, "radix": radix,
    }  # fmt: skip
    try:
        document = generate(template, params, load_catalog(user=False))
    except TopoeditError:
        return
    found = kinds(document)
    assert found["server"] == nodes
    nics = {
        len(document.ports_in_use(d.id)) for d in document.devices.values() if d.kind == "server"
    }
    assert nics == {8}
    up = upward(document)
    if spines is None:
        assert all(len(set(numbers.values())) == 1 for numbers in up.values())
    for leaf_id in (d.id for d in _leaves(document)):
        if found["spine"]:
            down, above = (_ports(document, leaf_id, down=way) for way in (True, False))
            assert down <= above * ratio + 1e-9


def test_every_template_builds_from_its_defaults(catalog: Catalog) -> None:
    assert set(templates()) == {
        "dragonfly", "fat-tree", "multi-plane", "multi-site", "nvl72-pod", "rail-only",
        "rail-optimized", "superpod", "torus",
    }  # fmt: skip
    for template in templates().values():
        built = template.build({}, catalog)
        assert built.summary
        assert built.notes
        assert template.checked
        assert all(parameter.help for parameter in template.parameters)


@pytest.mark.long
def test_98304_gpus(make: Make) -> None:
    document = make("fat-tree", system="dgx-b300", leaf="q3400-ra", nodes=12_288).document
    found = kinds(document)
    assert found["server"] * 8 == 98_304
    assert found["core"] > 0
    assert set(upward(document)["pod1-spine-1"].values()) != set()
