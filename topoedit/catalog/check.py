"""What types alone cannot say about an entry: figures that must agree with each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from topoedit.catalog.types import DeviceType, Entry, Inside, Llm, Medium

MAX_PORTS = 100_000
Fault = tuple[str, str]


def faults(entry: Entry) -> Iterator[Fault]:
    """Pairs (field, what is wrong) of an entry whose fields each have the right type."""
    if isinstance(entry, DeviceType):
        yield from _device(entry)
    elif isinstance(entry, Llm):
        yield from _llm(entry)
    elif isinstance(entry, Medium):
        yield from _medium(entry)


def missing_references(
    device: DeviceType, sections: Mapping[str, Mapping[str, Entry]]
) -> Iterator[Fault]:
    """Pairs (field, what is wrong) where a device names an entry that no section has."""
    inside = device.inside
    if inside is None:
        return
    wanted = (
        ("inside.accelerator", "accelerators", inside.accelerator),
        ("inside.scaleup.switch", "scaleup_switches", inside.scaleup.switch),
        ("inside.nic", "nics", inside.nic),
        ("inside.pcie", "pcie", inside.pcie),
        ("inside.cpu_interconnect", "cpu_interconnects", inside.cpu_interconnect),
    )
    for field, section, name in wanted:
        if name and name not in sections[section]:
            yield field, f'there is no "{name}" in {section}'


def _device(device: DeviceType) -> Iterator[Fault]:
    total = sum(group.count for group in device.ports)
    if total > MAX_PORTS:
        yield "ports", f"{total} ports are more than {MAX_PORTS}"
        return
    for index, group in enumerate(device.ports):
        for field in ("cages", "lanes", "os_names"):
            if len(getattr(group, field)) > group.count:
                yield f"ports[{index}].{field}", f"more names than the {group.count} ports"
        if not group.numbered and group.count != 1:
            yield f"ports[{index}].numbered", "only a single port can go without a number"
    if len(device.port_by_name) != total:
        yield "ports", "two ports have the same name"
    if device.inside is not None:
        yield from _inside(device.inside, device)


def _inside(inside: Inside, device: DeviceType) -> Iterator[Fault]:
    compute = sum(port.role == "compute" for port in device.port_list)
    if inside.nic_gpu and len(inside.nic_gpu) != compute and not device.open_ports:
        yield (
            "inside.nic_gpu",
            f"{len(inside.nic_gpu)} entries for {compute} compute ports",
        )
    if inside.gpus is not None and any(gpu >= inside.gpus for gpu in inside.nic_gpu):
        yield "inside.nic_gpu", f"an index beyond the {inside.gpus} GPUs"
    scaleup = inside.scaleup
    if scaleup.links_per_chip and len(scaleup.links_per_chip) != scaleup.chips:
        yield (
            "inside.scaleup.links_per_chip",
            f"{len(scaleup.links_per_chip)} entries for {scaleup.chips} chips",
        )
    if scaleup.torus and inside.gpus is not None and math.prod(scaleup.torus) != inside.gpus:
        yield "inside.scaleup.torus", f"its product is not the {inside.gpus} GPUs"
    if scaleup.GBps_per_axis_dir and len(scaleup.GBps_per_axis_dir) != len(scaleup.torus):
        yield "inside.scaleup.GBps_per_axis_dir", "one rate for each axis of the torus"


def _llm(model: Llm) -> Iterator[Fault]:
    for field in ("layers", "hidden", "heads", "kv_heads", "head_dim", "vocab"):
        if getattr(model, field) < 1:
            yield field, "must be at least 1"
            return
    if model.heads % model.kv_heads:
        yield "kv_heads", f"{model.kv_heads} does not divide {model.heads} heads"
    if model.attention == "MLA" and not model.kv_lora:
        yield "kv_lora", "latent attention needs it"
    if (model.dense_layers or 0) > model.layers:
        yield "dense_layers", f"more than the {model.layers} layers"
    if not model.experts:
        return
    if not model.experts_active or model.experts_active > model.experts:
        yield "experts_active", f"must be 1 to {model.experts}"
    if not model.moe_ffn:
        yield "moe_ffn", "a model with experts needs the width of one"


def _medium(medium: Medium) -> Iterator[Fault]:
    if None not in (medium.min_m, medium.max_m) and (medium.min_m or 0) > (medium.max_m or 0):
        yield "min_m", "is above max_m"
    if None not in (medium.warn_m, medium.max_m) and (medium.warn_m or 0) > (medium.max_m or 0):
        yield "warn_m", "is above max_m"
