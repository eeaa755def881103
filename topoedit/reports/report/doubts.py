"""Which figures of the catalogue a line rests on, and which of those are not sure.

A figure is unverified if its entry quotes it from memory, and overridden if a user's catalogue, the
drawing itself or the plan puts another in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from topoedit.catalog.types import DeviceType, Entry
from topoedit.engine.analyse import Result
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.model.plan import Plan
from topoedit.reports.report.blocks import Doubt, Doubts

# Fields that decide how fast something is, by the head of their name.
_SPEED = ("inside", "ports", "default_gbps", "latency_ns", "in_network_reduction", "logical_ports")
_NAMES_ONLY = (
    "inside.cpus", "ports.bmc", "ports.cage_type", "ports.cages", "ports.lanes", "ports.os_names",
    "ports.os_pattern", "ports.storage", "ports.inband", "ports.cage_watts",
)  # fmt: skip
SPLIT = re.compile(r"(.+)-\d+x[\d.]+")
"""Ids of types whose ports are split: the whole box, and how."""
_FIGURES = (
    "kind",
    "inside",
    "latency_ns",
    "tbps_dir",
    "power_kw_max",
    "power_kw_typical",
    "rack_units",
)
_POWER = ("power_kw_max", "power_kw_typical")
_SPACE = ("rack_units",)
_MEDIUM_SPEED = ("gbps", "lane_gbps", "lowest_lane_gbps", "prop_ns_per_m")
_MEDIUM_REACH = ("max_m", "min_m", "warn_m", "in_rack_only")
_NOT_SHAPE = ("total_params_b", "active_params_b", "context")
_CHIP = ("bf16_tflops", "fp16_tflops", "fp8_tflops", "fp4_tflops", "hbm_GBps", "scaleup")
_PRECISION = {"fp8": "fp8_tflops", "mxfp8": "fp8_tflops", "nvfp4": "fp4_tflops"}


class DoubtBook:
    """What is unverified or overridden of the entries that a drawing uses.

    Args:
        document: the drawing.
        result: an analysis of it, if there is one.
    """

    def __init__(self, document: Document, result: Result | None = None) -> None:
        self._document, self._catalog, self._result = document, document.catalog, result

    def power(self, type_id: str) -> Doubts:
        """Of a device type's power."""
        return self._of_type(type_id, _POWER)

    def space(self, type_id: str) -> Doubts:
        """Of a device type's height."""
        return self._of_type(type_id, _SPACE)

    def speed(self, type_id: str) -> Doubts:
        """Of a device type's ports, inside and delay."""
        return self._of_type(type_id, _SPEED)

    def own(self, type_id: str) -> Doubts:
        """Whether a device type is the user's own."""
        return self._of_type(type_id, ())

    def reach(self, medium_id: str) -> Doubts:
        """Of how far a medium reaches."""
        return self._of_medium(medium_id, _MEDIUM_REACH)

    def _of_type(self, type_id: str, heads: tuple[str, ...]) -> Doubts:
        kind = self._kind(type_id)
        if kind is None:
            return ()
        whole = self._whole(kind)
        return (*self._set(kind, whole), *_unverified(whole or kind, heads, _NAMES_ONLY))

    def _kind(self, type_id: str) -> DeviceType | None:
        carried = self._document.types.get(type_id)
        return self._catalog.devices.get(type_id) if carried is None else carried.type

    def _whole(self, kind: DeviceType) -> DeviceType | None:
        """The catalogue's box that a type with split ports is set up from, all else being equal."""
        split = SPLIT.fullmatch(kind.id)
        whole = self._catalog.devices.get(split.group(1)) if split is not None else None
        alike = whole is not None and all(getattr(kind, f) == getattr(whole, f) for f in _FIGURES)
        return whole if alike else None

    def _set(self, kind: DeviceType, whole: DeviceType | None) -> Doubts:
        """Whether the type is the user's, or one that the drawing carries."""
        carried = self._document.types.get(kind.id)
        if whole is not None:
            return self._replaced("devices", whole)
        if carried is not None:
            known = self._catalog.devices.get(kind.id)
            if known == carried.type:
                return ()
            there = "differs from the catalogue's" if known is not None else "not in the catalogue"
            return (Doubt("overridden", f"{kind.name}: the drawing's own type", there),)
        return self._replaced("devices", kind)

    def _replaced(self, section: str, entry: Entry) -> Doubts:
        file = self._catalog.overridden.get(f"{section}/{entry.id}")
        if file is None:
            return ()
        return (Doubt("overridden", f"{entry.name}: a catalogue of your own", file),)

    def _of_medium(self, medium_id: str, heads: tuple[str, ...]) -> Doubts:
        medium = self._catalog.media.get(medium_id)
        if medium is None:
            return ()
        return (*self._replaced("media", medium), *_unverified(medium, heads))

    # -- of an analysis ------------------------------------------------------------------------

    @cached_property
    def servers(self) -> Doubts:
        """Of the rates inside servers and of their ports."""
        types = self._types_in_use(("server", "nvswitch"))
        return tuple(dict.fromkeys(doubt for name in types for doubt in self.speed(name)))

    @cached_property
    def network(self) -> Doubts:
        """Of the rates in the compute network: ports of switches, media, ports set by hand."""
        found: list[Doubt] = []
        for type_id in self._types_in_use(("leaf", "spine", "core", "switch", "router", "ocs")):
            found += self.speed(type_id)
        for name in sorted({x.medium for x in self._compute_links() if x.medium}):
            found += self._of_medium(name, _MEDIUM_SPEED)
        set_by_hand = sorted(d.name for d in self._document.devices.values() if _set_rates(d))
        if set_by_hand:
            count = len(set_by_hand)
            what = f"rates of ports of {set_by_hand[0]}" + (f" and {count - 1} more" * (count > 1))
            found.append(Doubt("overridden", what, "set in the drawing"))
        return tuple(dict.fromkeys(found))

    @cached_property
    def step(self) -> Doubts:
        """Of the step time, and of all that follows from it."""
        if self._result is None:
            return ()
        chip, llm = self._result.findings.chip, self._result.findings.llm
        plan = self._result.findings.resolved.plan
        wanted = (_PRECISION.get(plan.precision, "bf16_tflops"), *_CHIP[4:])
        model = [f for f in llm.unverified if f not in _NOT_SHAPE]
        found = [
            *self._replaced("accelerators", chip),
            *_unverified(chip, wanted),
            *self._replaced("models", llm),
            *(_doubt(llm, field) for field in model),
            *self.servers,
            *self.network,
            *_of_plan(self._result.findings.workload.plan),
        ]
        return tuple(dict.fromkeys(found))

    @cached_property
    def memory(self) -> Doubts:
        """Of the memory that a GPU has and that the plan takes."""
        if self._result is None:
            return ()
        chip, llm = self._result.findings.chip, self._result.findings.llm
        model = [f for f in llm.unverified if f not in _NOT_SHAPE]
        return tuple(
            dict.fromkeys(
                (
                    *self._replaced("accelerators", chip),
                    *_unverified(chip, ("hbm_gb",)),
                    *self._replaced("models", llm),
                    *(_doubt(llm, field) for field in model),
                )
            )
        )

    def _types_in_use(self, kinds: tuple[str, ...]) -> list[str]:
        devices = self._document.devices.values()
        return sorted({d.type for d in devices if d.kind in kinds and d.network == "compute"})

    def _compute_links(self) -> Iterator[Link]:
        return (x for x in self._document.links.values() if x.network == "compute")


def _unverified(entry: Entry, heads: tuple[str, ...], without: tuple[str, ...] = ()) -> Doubts:
    """One doubt for each unverified field whose name begins with one of the heads."""
    return tuple(
        _doubt(entry, field)
        for field in entry.unverified
        if field.startswith(heads) and not field.startswith(without or "\0")
    )


def _doubt(entry: Entry, field: str) -> Doubt:
    return Doubt("unverified", f"{entry.name}: {field}", entry.source_of(field))


def _set_rates(device: Device) -> bool:
    return any(override.gbps is not None for override in device.ports)


def _of_plan(plan: Plan) -> Doubts:
    """Constants that the plan sets itself."""
    found = []
    if plan.routing_efficiency is not None:
        share = f"{plan.routing_efficiency:g}"
        found.append(Doubt("overridden", f"share that routing reaches: {share}", "set in the plan"))
    if plan.constants != "fitted":
        found.append(Doubt("overridden", f"constants {plan.constants}", "set in the plan"))
    return tuple(found)
