"""What the shipped catalogue says, against published figures."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.check import missing_references
from topoedit.catalog.sections import SECTIONS
from topoedit.catalog.types import DeviceType, Entry, Llm
from topoedit.errors import BadInputError


def _all(catalog: Catalog) -> Iterator[tuple[str, Entry]]:
    for section in SECTIONS:
        for entry in getattr(catalog, section).values():
            yield section, entry


def test_every_section_is_filled(catalog: Catalog) -> None:
    sizes = {name: len(getattr(catalog, name)) for name in SECTIONS}
    assert sizes["accelerators"] == 28
    assert sizes["models"] == 32
    assert sizes["nics"] == 18
    assert sizes["scaleup_switches"] == 11
    assert sizes["media"] == 37 + 3
    assert sizes["pcie"] == 5
    assert sizes["cpu_interconnects"] == 4
    assert sizes["devices"] == 56 + 21 + 14


def test_every_entry_has_a_source_and_marks_that_name_fields(catalog: Catalog) -> None:
    for section, entry in _all(catalog):
        assert entry.source.strip(), f"{section}/{entry.id}"
        fields = set(entry.__struct_fields__)
        for name in (*entry.unverified, *entry.derived, *entry.field_sources):
            assert name.partition(".")[0] in fields, f"{section}/{entry.id}: {name}"


def test_names_and_aliases_mean_one_entry(catalog: Catalog) -> None:
    for section in SECTIONS:
        names = [
            name.lower()
            for entry in getattr(catalog, section).values()
            for name in {entry.id, *entry.aliases}
        ]
        assert len(names) == len(set(names)), section


def test_devices_refer_only_to_entries_that_exist(catalog: Catalog) -> None:
    sections = {name: getattr(catalog, name) for name in SECTIONS}
    faults = [
        (device.id, fault)
        for device in catalog.devices.values()
        for fault in missing_references(device, sections)
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("name", "bf16", "fp8", "hbm", "scaleup"),
    [
        # Dense TFLOP/s, GB, GB/s per direction: vendor data sheets without sparsity.
        ("h100-sxm", 989, 1979, 80, 450),
        ("a100-sxm-80", 312, None, 80, 300),
        ("b200-sxm", 2250, 4500, 180, 900),
        ("gb200", 2500, 5000, 186, 900),
        ("mi300x", 1307, 2615, 192, 448),
        ("rubin-vr200", 4000, 17500, 288, 1800),
    ],
)
def test_accelerators(
    catalog: Catalog, name: str, bf16: float, fp8: float | None, hbm: float, scaleup: float
) -> None:
    chip = catalog.accelerator(name)
    assert chip.bf16_tflops == bf16
    assert chip.fp8_tflops == fp8
    assert chip.hbm_gb == hbm
    assert chip.scaleup_GBps_dir == scaleup
    assert chip.hbm_bytes == hbm * 2**30


def test_links_times_rate_is_the_scale_up_bandwidth(catalog: Catalog) -> None:
    for chip in catalog.accelerators.values():
        if None in (chip.scaleup_links, chip.scaleup_GBps_per_link_dir):
            continue
        product = (chip.scaleup_links or 0) * (chip.scaleup_GBps_per_link_dir or 0)
        assert product == pytest.approx(chip.scaleup_GBps_dir), chip.id


def test_every_accelerator_has_a_generation(catalog: Catalog) -> None:
    known = {
        "volta", "ampere", "hopper", "blackwell", "rubin", "cdna2", "cdna3", "cdna4", "cdna5",
        "tpu", "trainium", "gaudi",
    }  # fmt: skip
    assert {chip.generation for chip in catalog.accelerators.values()} == known
    assert catalog.accelerator("b300").generation == catalog.accelerator("b200").generation


def test_dgx_h100_inside_and_ports(catalog: Catalog) -> None:
    dgx = catalog.device("dgx-h100")
    assert dgx.gpus == 8
    assert dgx.inside is not None
    scaleup = dgx.inside.scaleup
    assert scaleup.links_per_chip == (5, 4, 4, 5)
    assert sum(scaleup.links_per_chip) == 18
    assert scaleup.GBps_per_link_dir == 25
    assert scaleup.multicast
    compute = [port for port in dgx.port_list if port.role == "compute"]
    assert [port.name for port in compute] == [f"nic{i}" for i in range(8)]
    assert [port.rail for port in compute] == list(range(8))
    assert {port.gbps for port in compute} == {400}
    assert len({port.cage for port in compute}) == 4
    # DGX H100 user guide, table of network modules: OSFP4 lane 2 is mlx5_0 on GPU 0.
    assert (compute[0].cage, compute[0].lane, compute[0].os_name) == ("OSFP4", "2", "mlx5_0")
    assert (compute[7].cage, compute[7].lane, compute[7].os_name) == ("OSFP1", "1", "mlx5_11")
    assert dgx.inside.nic_gpu == tuple(range(8))
    assert "bmc" in dgx.port_by_name
    assert {"stor0", "stor1", "inband0", "inband1"} <= set(dgx.port_by_name)


def test_qm9700_has_two_ports_in_a_cage(catalog: Catalog) -> None:
    switch = catalog.device("qm9700")
    assert len(switch.port_list) == 64
    assert len({port.cage for port in switch.port_list}) == 32
    port = switch.port_by_name["34"]
    assert (port.name, port.cage, port.lane, port.gbps) == ("34", "17", "2", 400)
    assert switch.port_by_name["33"].cage == "17"
    assert switch.in_network_reduction == "SHARPv3"
    assert switch.fabric == "InfiniBand"
    assert switch.breakouts == {"2x200": 128}


@pytest.mark.parametrize(
    ("name", "ports", "logical"),
    [("sn5600", 64, 256), ("sn5640", 128, 512), ("arista-7060x6-64pe-b", 64, 512),
     ("qfx5240-64od", 64, 320), ("q3400-ra", 144, 288), ("sn2700", 32, 64), ("sn2201", 52, 52)],
)  # fmt: skip
def test_logical_ports_follow_the_box(
    catalog: Catalog, name: str, ports: int, logical: int
) -> None:
    device = catalog.device(name)
    assert len(device.port_list) == ports
    assert device.logical_ports == logical


def test_port_rates_add_up_to_the_stated_capacity(catalog: Catalog) -> None:
    exceptions = {
        "sn6200": "half of its capacity goes to the backplane",
        "arista-7700r4c-38pe": "no capacity is published",
        "drivenets-5300r": "the fabric side is not counted",
    }
    for device in catalog.devices.values():
        if device.section != "Switches" or device.id in exceptions:
            continue
        total = sum(port.gbps or 0 for port in device.port_list) / 1000
        assert total == pytest.approx(device.tbps_dir, rel=0.01), device.id


@pytest.mark.parametrize(
    ("name", "gpus", "chips", "per_gpu"),
    [("gb200-nvl72", 72, 18, 900), ("gb300-nvl72", 72, 18, 900), ("dgx-b200", 8, 2, 900),
     ("dgx-a100", 8, 6, 300), ("dgx-h200", 8, 4, 450), ("vr-nvl72", 72, 36, 1800)],
)  # fmt: skip
def test_scale_up_domains(
    catalog: Catalog, name: str, gpus: int, chips: int, per_gpu: float
) -> None:
    inside = catalog.device(name).inside
    assert inside is not None
    assert inside.gpus == gpus
    assert inside.scaleup.chips == chips
    rate = sum(inside.scaleup.links_per_chip) * (inside.scaleup.GBps_per_link_dir or 0)
    assert rate == per_gpu == catalog.accelerator(inside.accelerator).scaleup_GBps_dir


def test_mesh_pair_rate_times_peers_is_the_scale_up_bandwidth(catalog: Catalog) -> None:
    for name in ("mi300x-ubb8", "mi355x-ubb8"):
        inside = catalog.device(name).inside
        assert inside is not None
        assert inside.scaleup.kind == "mesh"
        chip = catalog.accelerator(inside.accelerator)
        assert 7 * (inside.scaleup.GBps_per_pair_dir or 0) == chip.scaleup_GBps_dir
    mi300x = catalog.device("mi300x-ubb8").inside
    assert mi300x is not None
    assert mi300x.scaleup.GBps_per_pair_dir == 64


def test_rack_systems_have_rails_by_tray(catalog: Catalog) -> None:
    rack = catalog.device("nvl72")
    assert rack.id == "gb200-nvl72"
    assert (rack.trays, rack.switch_trays) == (18, 9)
    compute = [port for port in rack.port_list if port.role == "compute"]
    assert len(compute) == 72
    assert [port.rail for port in compute[:8]] == [0, 1, 2, 3, 0, 1, 2, 3]
    helios = catalog.device("helios").inside
    assert helios is not None
    assert helios.nic_gpu[:4] == (0, 0, 0, 1)


def test_gb200_tray_is_an_eighteenth_of_the_rack(catalog: Catalog) -> None:
    rack, tray = catalog.device("gb200-nvl72"), catalog.device("gb200-tray")
    assert rack.trays is not None
    assert rack.gpus == rack.trays * (tray.gpus or 0)
    scaleup = [port for port in tray.port_list if port.role == "scale-up"]
    assert len(scaleup) == 4 * 18
    switch_tray = catalog.device("nvswitch-tray-nvl5")
    assert len(switch_tray.port_list) * 9 == len(scaleup) * 18


def test_unknown_things_stay_unknown(catalog: Catalog) -> None:
    unknown = catalog.device("unknown-server")
    assert unknown.open_ports
    assert unknown.gpus is None
    assert catalog.device("generic-server").gpus is None
    assert catalog.device("cpu-server").gpus == 0
    assert catalog.device("generic-switch").default_gbps is None
    assert catalog.device("qm9700").latency_ns is None
    for name in ("generic-router", "wan-edge", "generic-storage", "generic-ocs", "generic-panel"):
        assert catalog.device(name).open_ports


def test_ufm_appliance_is_management(catalog: Catalog) -> None:
    ufm = catalog.device("ufm-appliance")
    assert ufm.kind == "management"
    assert ufm.gpus == 0
    assert ufm.power_kw_max == 0.689


def test_a_field_inherits_source_and_marks_of_what_it_is_part_of(catalog: Catalog) -> None:
    dgx = catalog.device("dgx-h100")
    assert "User Guide" in dgx.source_of("ports[0].os_names")
    assert dgx.source_of("inside.gpus") == dgx.source
    assert dgx.is_unverified("inside.scaleup.links_per_chip")
    assert not dgx.is_unverified("inside.scaleup.chips")
    tray = catalog.device("gb200-tray")
    assert tray.is_derived("inside.gpus")
    assert tray.is_derived("ports[1].count")
    assert tray.source_of("power_kw_max") != tray.source


# -- models ----------------------------------------------------------------------------------------


def _parameters(m: Llm) -> tuple[float, float]:
    """All parameters and those active for a token, from the shape alone (weights of matrices)."""
    h = m.hidden
    attention = 2 * h * m.heads * m.head_dim + 2 * h * m.kv_heads * m.head_dim
    if m.attention == "MLA":
        q, kv = m.q_lora or 0, m.kv_lora or 0
        nope, rope, v = m.nope_dim or 0, m.rope_dim or 0, m.v_dim or 0
        attention = h * q + q * m.heads * (nope + rope) + h * (kv + rope)
        attention += kv * m.heads * (nope + v) + m.heads * v * h
    matrices = 3 if m.gated_ffn else 2
    dense = m.layers if not m.experts else (m.dense_layers or 0)
    shared = m.shared_experts or 0
    routed = (m.experts or 0) + shared
    active = (m.experts_active or 0) + shared
    expert = matrices * h * (m.moe_ffn or 0)
    common = m.layers * attention + dense * matrices * h * m.ffn
    common += m.vocab * h * (1 if m.tied_embeddings else 2)
    common += (m.layers - dense) * h * (m.experts or 0)
    sparse = m.layers - dense
    return common + sparse * routed * expert, common + sparse * active * expert


def test_every_model_reproduces_its_published_size(catalog: Catalog) -> None:
    for model in catalog.models.values():
        total, active = _parameters(model)
        assert total / 1e9 == pytest.approx(model.total_params_b, rel=0.04), model.id
        if not model.id.startswith("gpt-oss"):  # its publisher leaves the embeddings out
            assert active / 1e9 == pytest.approx(model.active_params_b, rel=0.04), model.id


@pytest.mark.parametrize(
    ("alias", "name"),
    [("llama-3.1-70b", "llama3-70b"), ("meta-llama/Llama-3.1-70B", "llama3-70b"),
     ("LLAMA-3-70B", "llama3-70b"), ("deepseek-ai/DeepSeek-V3", "deepseek-v3"),
     ("gpt-3", "gpt3-175b"), ("llama-3.1-405b", "llama31-405b"),
     ("qwen2.5-72b", "qwen25-72b"), ("mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b")],
)  # fmt: skip
def test_model_aliases(catalog: Catalog, alias: str, name: str) -> None:
    assert catalog.model(alias).id == name


def test_70b_is_the_shape_of_the_worked_example(catalog: Catalog) -> None:
    model = catalog.model("llama-3.1-70b")
    assert (model.layers, model.hidden, model.heads, model.kv_heads) == (80, 8192, 64, 8)


def test_unknown_names_list_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(BadInputError, match="dgx-h100"):
        catalog.device("dgx-h10")


# -- against the reference data --------------------------------------------------------------------


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _numbers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, str):
        for word in value.replace(",", " ").split():
            if word.isdecimal():
                yield float(word)


def _derived_numbers(entry: Entry) -> Iterator[float]:
    """Numbers an entry holds in another form: watts, Tbit/s, and counts of ports."""
    if not isinstance(entry, DeviceType):
        yield from (float(v) / 125 for v in _numbers(msgspec.to_builtins(entry)))
        return
    for power in (entry.power_kw_typical, entry.power_kw_max):
        if power is not None:
            yield round(power * 1000, 3)
    yield float(len(entry.port_list))
    yield float(sum(p.role == "compute" for p in entry.port_list))
    yield float(sum(p.role in ("storage", "in-band") for p in entry.port_list))
    yield from (1.0, 2.0)  # cards of a stated number of ports; links of a pair
    if entry.inside is not None and entry.inside.scaleup.kind == "torus":
        yield 512.0  # four links of 128 GB/s in the plane
        yield 128.0


def test_no_number_of_the_reference_data_was_lost(catalog: Catalog, shared_folder: Path) -> None:
    data = json.loads((shared_folder / "data/hardware-catalog.json").read_text())
    homes = {
        "accelerators": "accelerators", "systems": "devices", "scale_out_switches": "devices",
        "scale_up_switches": "scaleup_switches", "nics": "nics", "media": "media", "pcie": "pcie",
        "cpu_interconnects": "cpu_interconnects", "models": "models",
    }  # fmt: skip
    lost = []
    for source, home in homes.items():
        for row in data[source]:
            entry = getattr(catalog, home)[row["id"]]
            facts = {k: v for k, v in row.items() if not k.startswith(("check_", "caveat"))}
            facts = {k: v for k, v in facts.items() if k not in ("source", "field_sources")}
            facts = {k: v for k, v in facts.items() if not isinstance(v, str)}
            held = {*_numbers(msgspec.to_builtins(entry)), *_derived_numbers(entry)}
            lost += [
                (row["id"], number)
                for number in _numbers(facts)
                if not any(math.isclose(number, other) for other in held)
            ]
    assert lost == []


def test_a_catalogue_can_be_sent_to_another_process(catalog: Catalog) -> None:
    copy = pickle.loads(pickle.dumps(catalog))
    assert copy.devices == catalog.devices
    assert copy.model("gpt-3").layers == 96
