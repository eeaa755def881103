"""Worked examples of the formulas with the inputs that their sources state."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from tests.engine.collectives.shapes import shape
from topoedit.engine.calibration import Constant, Constants
from topoedit.engine.collectives import collective_time
from topoedit.engine.collectives.algorithm import algorithms
from topoedit.engine.collectives.constants import ConstantSet, constant_set
from topoedit.engine.collectives.cost import Call, bus_factor, timed, tree_server_factor

GIB = 2.0**30


def ideal(hop: float, network_hop: float) -> ConstantSet:
    """Constants of a plain latency and bandwidth model: full rates, nothing but hops."""
    base = constant_set("nccl-2.30.7")
    one, zeros = Constant(1.0), Constants((0.0, 0.0, 0.0))
    hopper = msgspec.structs.replace(
        base.generations["hopper"], ring_efficiency=one, a2a_efficiency=one, search_speeds=None
    )
    network = msgspec.structs.replace(base.networks["ib"], nic_efficiency=one)
    return msgspec.structs.replace(
        base,
        ring_base=zeros,
        ring_hop=Constants((hop,) * 3),
        ring_network_hop=Constants((network_hop,) * 3),
        ring_plateau=one,
        post=Constant(0.0),
        generations={**base.generations, "hopper": hopper},
        networks={**base.networks, "ib": network},
    )


def seconds(algorithm: str, size: float, group, constants: ConstantSet) -> float:
    call = Call("all_reduce", np.array([size]), group, constants)
    costs = [c for c in algorithms()[algorithm].costs(call) if c.protocol == 2]
    return float(timed(call, costs[0]).total[0])


def test_two_level_ring_of_astra_sim():
    # 8 x 64, 1 GiB, 450 and 50 GiB/s, 1 and 2 us a step: 9.077 ms one after the other
    group = shape(512, 64, scaleup=450 * GIB, network=8 * 50 * GIB)
    assert seconds("hierarchical", GIB, group, ideal(1e-6, 2e-6)) == pytest.approx(
        9.077e-3, abs=5e-7
    )
    decimal = shape(512, 64, scaleup=450e9, network=8 * 50e9)
    assert seconds("hierarchical", GIB, decimal, ideal(1e-6, 2e-6)) == pytest.approx(
        9.726e-3, abs=5e-7
    )


def test_flat_ring_on_one_port_against_hierarchy():
    # N = G = 8, S = 10 GB, 900 and 50 GB/s, 5 us between servers (engine-formulas 1.8)
    one_port = shape(64, 8, scaleup=900e9, network=50e9, ports=1)
    assert seconds("ring", 1e10, one_port, ideal(5e-6, 5e-6)) == pytest.approx(394.4e-3, abs=5e-5)
    rails = shape(64, 8, scaleup=900e9, network=400e9)
    assert seconds("hierarchical", 1e10, rails, ideal(1e-6, 5e-6)) == pytest.approx(
        63.3e-3, abs=5e-5
    )


def test_pipelined_hierarchy_is_not_slower_than_sequential():
    group = shape(64, 8)
    both = [
        collective_time("all_reduce", 1e9, group, algorithm=a).time_s
        for a in ("hierarchical-pipelined", "hierarchical")
    ]
    assert both[0] < both[1]


def test_bus_factor():
    # nccl-tests doc/PERFORMANCE.md; algbw 275 at n = 8 is busbw 481
    assert 275 * bus_factor("all_reduce", 8) == pytest.approx(481, abs=0.5)
    assert bus_factor("all_gather", 8) == bus_factor("all_to_all", 8) == 0.875
    assert bus_factor("broadcast", 8) == 1


def test_bytes_between_servers_of_64_gpus():
    group = shape(64, 8)
    flat = {
        order: collective_time("all_reduce", 1.0, group, algorithm="ring", ring_order=order)
        for order in ("node", "random", "strided")
    }
    hierarchical = collective_time("all_reduce", 1.0, group, algorithm="hierarchical")
    assert hierarchical.network_bytes == 0.21875
    assert flat["random"].network_bytes == 1.75
    assert 1 - hierarchical.network_bytes / flat["random"].network_bytes == 0.875
    per_server = flat["node"].network_bytes * 8, hierarchical.network_bytes * 8
    assert per_server == (1.96875, 1.75)
    assert per_server[0] / per_server[1] - 1 == pytest.approx(0.125)
    assert 1 - per_server[1] / per_server[0] == pytest.approx(0.111, abs=5e-4)
    assert flat["strided"].network_bytes == 1.96875
    assert any("expectation" in note for note in flat["random"].notes)
    assert flat["node"].time_s < flat["random"].time_s < flat["strided"].time_s


def test_two_server_trees_carry_s_and_many_two():
    assert [tree_server_factor(n) for n in (1, 2, 3, 4, 64)] == [0, 1, 1.5, 2, 2]


def test_nvls_useful_and_port_bytes():
    group = shape(8, multicast=True)
    small, large = (collective_time("all_reduce", s, group) for s in (1e9, 16 * GIB))
    assert small.algorithm == large.algorithm == "nvls"
    assert (small.bytes_per_gpu, small.port_bytes) == (1e9, 1.125e9)
    assert 474e9 <= 16 * GIB / large.time_s * 1.75 <= 484e9
    assert 1e9 / small.time_s * 1.75 == pytest.approx(480e9, rel=0.04)
