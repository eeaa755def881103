"""The calibration file: every constant has a unit that is known and one origin."""

from __future__ import annotations

import msgspec
import pytest

from tests.engine.collectives.shapes import shape
from topoedit.engine.calibration import Constant, Constants, load_section
from topoedit.engine.collectives.constants import (
    CollectivesSection,
    constant_set,
    network_key,
    section,
)
from topoedit.errors import BadFileError


def walk(value):
    if isinstance(value, Constant | Constants):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from walk(getattr(value, name))
    elif isinstance(value, dict):
        for one in value.values():
            yield from walk(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from walk(one)


def test_every_constant_has_a_known_origin():
    whole = section()
    found = list(walk(whole))
    assert len(found) > 100
    for one in found:
        assert one.kind in {"source", "fit", "guess"}
        assert one.origin in whole.sources


def test_units_are_turned_into_seconds_and_bytes():
    hopper = constant_set("fitted").generations["hopper"]
    assert hopper.wire == 450e9
    assert hopper.wire.unit == "GB/s"
    assert hopper.nvls_latency == pytest.approx(17.9e-6)
    assert constant_set("nccl-2.30.7").ring_hop == pytest.approx((0.6e-6, 1.9e-6, 3.4e-6))


def test_published_set_holds_nothing_fitted():
    for one in walk(msgspec.structs.replace(constant_set("nccl-2.30.7"), intervals=())):
        assert one.kind != "fit"


def test_blackwell_in_a_rack_differs_from_blackwell_in_a_server():
    constants = constant_set("fitted")
    rack = constants.generation(shape(32, generation="blackwell", accelerator="gb200"))
    assert rack.nvls_rate < constants.generations["blackwell"].nvls_rate


def test_no_scale_up_means_pcie():
    found = constant_set("fitted").generation(shape(8, scaleup=0.0))
    assert found.over_pcie


@pytest.mark.parametrize(
    ("kind", "generation", "key"),
    [
        ("InfiniBand", "hopper", "ib"), ("Ethernet", "hopper", "roce"), ("", "hopper", "roce"),
        ("EFA", "ampere", "efa1"), ("EFA", "hopper", "efa2"), ("EFA v3", "hopper", "efa3"),
        ("TCP", "hopper", "tcp"), ("TCPXO", "hopper", "tcpxo"),
    ],
)  # fmt: skip
def test_network_names(kind, generation, key):
    assert network_key(shape(16, 2, kind=kind, generation=generation)) == key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("collectives: {default: 1}", "collectives"),
        ("other: 1", 'no section "collectives"'),
        ("- 1", "not a table"),
        ("{", "cannot be read"),
    ],
)
def test_a_broken_file_is_refused_with_its_name(tmp_path, text, said):
    file = tmp_path / "calibration.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFileError) as caught:
        load_section("collectives", CollectivesSection, file)
    assert said in caught.value.line
    assert "calibration.yaml" in caught.value.line


class One(msgspec.Struct):
    value: Constant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{value: 1, source: x, fit: y}", "exactly one"),
        ("{value: 1}", "exactly one"),
        ("{value: 1, unit: furlong, source: x}", "unknown unit"),
        ("{value: [1, 2], source: x}", "one number expected"),
        ("{value: a, source: x}", "float"),
        ("3", "Expected `object`"),
    ],
)
def test_a_constant_without_unit_or_origin_is_refused(tmp_path, text, said):
    file = tmp_path / "calibration.yaml"
    file.write_text(f"part: {{value: {text}}}", encoding="utf-8")
    with pytest.raises(BadFileError) as caught:
        load_section("part", One, file)
    assert said in caught.value.line
    assert "$.value" in caught.value.line
