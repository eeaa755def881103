"""What the design checks must show, asked of the commands: values and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(("spines", "code"), [(12, 1), (16, 0)])
def test_twelve_spines_do_not_take_three_units(
    topoedit: Run, tmp_path: Path, spines: int, code: int
) -> None:
    file = tmp_path / "pod.topo.json"
    words = ("superpod", "--system", "dgx-h100", "--units", 3, "--spines", spines)
    assert topoedit("generate", *words, "-o", file).code == 0
    ran = topoedit("check", file, "--json")
    errors = [one["rule"] for one in ran.json["violations"] if one["severity"] == "error"]
    assert (ran.code, errors) == (code, ["even-spread"] * code)


def test_a_radix_of_512_is_refused(topoedit: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.topo.json"
    ran = topoedit("generate", "fat-tree", "--leaf", "sn5600", "--radix", 512, "-o", file)
    assert ran.code == 2
    assert "256 logical ports" in ran.err
    assert not file.exists()


def test_a_two_to_one_leaf_is_told_and_judged_by_what_is_wanted(
    topoedit: Run, tmp_path: Path
) -> None:
    file = tmp_path / "tree.topo.json"
    words = ("fat-tree", "--gpus", 256, "--oversubscription", 2)
    assert topoedit("generate", *words, "-o", file).code == 0
    tiers = {tier["tier"]: tier for tier in topoedit("info", file, "--json").json["tiers"]}
    assert tiers["leaf-spine"]["oversubscription"] == pytest.approx(2.0)
    ran = topoedit("check", file, "--rule", "nonblocking-tier", "--json")
    assert (ran.code, ran.json["counts"]["error"]) == (0, 0)
    assert ran.json["checked"]["nonblocking-tier"] > 0


def test_default_leaves_follow_the_nics(topoedit: Run, tmp_path: Path) -> None:
    """DGX B300 has NICs of 800 Gb/s: Quantum-X800, and nothing steps down."""
    for system, leaf in (("dgx-h100", "qm9700"), ("dgx-b300", "q3400-ra")):
        file = tmp_path / f"{system}.topo.json"
        words = ("rail-optimized", "--system", system, "--nodes", 8)
        assert topoedit("generate", *words, "-o", file).code == 0
        assert f'"type":"{leaf}"' in file.read_text(encoding="utf-8")
        found = topoedit("check", file, "--json").json["violations"]
        assert not {"lane-mix", "speed-mix"} & {one["rule"] for one in found}
