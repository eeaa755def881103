"""`topoedit catalog [KIND]`: what can be placed and run, and where every figure comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.catalog.types import Accelerator, DeviceType, Entry, Llm, Medium
from topoedit.cli._output import print_json, print_pairs, print_table
from topoedit.errors import BadInputError
from topoedit.units import UNKNOWN, format_number

Chosen = dict[str, list[Entry]]
Row = tuple[object, ...]

_SWITCH_KINDS = ("switch", "leaf", "spine", "core")
_KINDS: Mapping[str, tuple[str, Callable[[Entry], bool]]] = {
    "devices": ("devices", lambda _: True),
    "servers": ("devices", lambda e: isinstance(e, DeviceType) and e.kind == "server"),
    "switches": ("devices", lambda e: isinstance(e, DeviceType) and e.kind in _SWITCH_KINDS),
    "accelerators": ("accelerators", lambda _: True),
    "media": ("media", lambda _: True),
    "models": ("models", lambda _: True),
    "nics": ("nics", lambda _: True),
    "scaleup-switches": ("scaleup_switches", lambda _: True),
    "pcie": ("pcie", lambda _: True),
    "cpu-interconnects": ("cpu_interconnects", lambda _: True),
}
_SECTIONS = tuple(dict.fromkeys(section for section, _ in _KINDS.values()))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("catalog")(catalog)


def catalog(
    kind: Annotated[
        str, typer.Argument(metavar="[KIND]", help=f"{', '.join(_KINDS)}, or the id of one entry.")
    ] = "",
    extra: Annotated[
        list[Path] | None,
        typer.Option("--catalog", metavar="FOLDER", help="A further folder of catalogues."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object with every field and source.")
    ] = False,
) -> int:
    """List what can be placed and run."""
    for folder in extra or ():
        if not folder.exists():
            raise BadInputError("there is no such folder", str(folder))
    loaded = load_catalog(extra or ())
    chosen = _chosen(loaded, kind)
    if as_json:
        print_json({name: [_json(e, name, loaded) for e in es] for name, es in chosen.items()})
    elif kind and kind not in _KINDS:
        _print_entry(chosen, loaded)
    else:
        _print_tables(chosen, loaded)
    return 0


def _chosen(loaded: Catalog, kind: str) -> Chosen:
    """The entries that are asked for, by section."""
    if not kind:
        return {name: list(_section(loaded, name).values()) for name in _SECTIONS}
    if kind in _KINDS:
        name, wanted = _KINDS[kind]
        return {name: [e for e in _section(loaded, name).values() if wanted(e)]}
    found = {
        name: [e for e in _section(loaded, name).values() if _is_named(e, kind)]
        for name in _SECTIONS
    }
    found = {name: entries for name, entries in found.items() if entries}
    if not found:
        raise BadInputError(
            f'the catalogue has no kind and no entry "{kind}"', mend=f"Kinds: {', '.join(_KINDS)}"
        )
    return found


def _section(loaded: Catalog, name: str) -> Mapping[str, Entry]:
    entries: Mapping[str, Entry] = getattr(loaded, name)
    return entries


def _is_named(entry: Entry, name: str) -> bool:
    wanted = name.lower()
    return wanted == entry.id.lower() or wanted in (alias.lower() for alias in entry.aliases)


def _json(entry: Entry, section: str, loaded: Catalog) -> dict[str, object]:
    fields: dict[str, object] = msgspec.to_builtins(entry)
    return fields | {"overridden_by": loaded.overridden.get(f"{section}/{entry.id}")}


# -- for people ------------------------------------------------------------------------------------


def _print_tables(chosen: Chosen, loaded: Catalog) -> None:
    for index, (section, entries) in enumerate(chosen.items()):
        if index:
            typer.echo()
        typer.echo(f"{section.replace('_', ' ')} ({len(entries)})")
        headers, row = _COLUMNS.get(section, _PLAIN)
        marked = ((*row(e), _mark(e, section, loaded)) for e in entries)
        print_table((*headers, ""), marked)


def _print_entry(chosen: Chosen, loaded: Catalog) -> None:
    for section, entries in chosen.items():
        for entry in entries:
            print_pairs(_pairs(entry, section, loaded))


def _pairs(entry: Entry, section: str, loaded: Catalog) -> Iterable[tuple[str, object]]:
    """Fields that say something, each with its mark; then caveat and sources."""
    apart = ("source", "caveat", "field_sources", "unverified", "derived")
    fields = {k: v for k, v in msgspec.to_builtins(entry).items() if k not in apart}
    fields |= {name: fields.pop(name) for name in ("extra_figures", "notes")}
    for name, value in _flat(fields):
        if value in ("", None) or value is False:
            continue
        found = {"unverified": entry.is_unverified(name), "derived": entry.is_derived(name)}
        marks = [word for word, is_so in found.items() if is_so]
        yield name, f"{value} ({', '.join(marks)})" if marks else value
    if entry.caveat:
        yield "caveat", entry.caveat
    yield "source", entry.source
    yield from ((f"source of {name}", text) for name, text in entry.field_sources.items())
    if f"{section}/{entry.id}" in loaded.overridden:
        yield "from", loaded.overridden[f"{section}/{entry.id}"]


def _flat(value: object, name: str = "") -> Iterable[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value):
        for index, inner in enumerate(value):
            yield from _flat(inner, f"{name}[{index}]")
    elif isinstance(value, list | tuple):
        yield name, ", ".join(map(str, value))
    else:
        yield name, value


def _mark(entry: Entry, section: str, loaded: Catalog) -> str:
    words = []
    if entry.unverified:
        words.append("unverified in part")
    if f"{section}/{entry.id}" in loaded.overridden:
        words.append("yours")
    return ", ".join(words)


def _figure(value: float | None) -> str:
    return UNKNOWN if value is None else format_number(value, 0 if value == int(value) else 1)


def _device_row(entry: Entry) -> Row:
    assert isinstance(entry, DeviceType)  # noqa: S101 - the section decides
    rates = sorted({port.gbps for port in entry.port_list if port.gbps is not None})
    rate = _figure(rates[-1]) if rates else UNKNOWN
    gpus = entry.gpus
    return entry.id, entry.kind, entry.name, gpus, len(entry.port_list) or UNKNOWN, rate


def _accelerator_row(entry: Entry) -> Row:
    assert isinstance(entry, Accelerator)  # noqa: S101
    figures = (entry.bf16_tflops, entry.fp8_tflops, entry.hbm_gb, entry.scaleup_GBps_dir)
    return (entry.id, entry.name, *map(_figure, figures))


def _medium_row(entry: Entry) -> Row:
    assert isinstance(entry, Medium)  # noqa: S101
    return entry.id, entry.medium, entry.name, _figure(entry.lane_gbps), _figure(entry.max_m)


def _model_row(entry: Entry) -> Row:
    assert isinstance(entry, Llm)  # noqa: S101
    sizes = (entry.layers, entry.hidden, entry.heads, entry.kv_heads)
    return (entry.id, entry.name, *sizes, _figure(entry.total_params_b))


_PLAIN: tuple[tuple[str, ...], Callable[[Entry], Row]] = (("id", "name"), lambda e: (e.id, e.name))
_COLUMNS: Mapping[str, tuple[tuple[str, ...], Callable[[Entry], Row]]] = {
    "devices": (("id", "kind", "name", "GPUs", "ports", "Gb/s"), _device_row),
    "accelerators": (
        ("id", "name", "bf16 TFLOP/s", "fp8 TFLOP/s", "HBM GB", "scale-up GB/s per direction"),
        _accelerator_row,
    ),
    "media": (("id", "kind", "name", "Gb/s a lane", "reach m"), _medium_row),
    "models": (
        ("id", "name", "layers", "hidden", "heads", "KV heads", "10^9 parameters"),
        _model_row,
    ),
}
