"""Edits that the Properties panel makes: one step for however many elements are selected."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from topoedit.app.retype import needs_mapping, retype
from topoedit.errors import BadEditError
from topoedit.model.connect import free_ports, port_of
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports
from topoedit.model.operations import plural, rename, set_fields
from topoedit.model.panels import through_of
from topoedit.model.ports import collapse


def set_property(
    document: Document, elements: Sequence[AnyElement], name: str, value: object, words: str
) -> Edit:
    """Set one property of elements; nothing selected means the drawing's own settings.

    Raises:
        BadEditError: it is not possible, for example too few free ports.
    """
    if not elements:
        changed = replace(document.settings, **{name: value})
        return Edit(f"Set {words.lower()} of the drawing", put=(changed,))
    first = elements[0]
    if name == "name" and isinstance(first, Device | Group):
        return rename(document, first.id, str(value))
    if name == "count" and isinstance(first, Link) and isinstance(value, int):
        return resize(document, first, value)
    if name == "failed" and isinstance(value, int) and not isinstance(value, bool):
        return _fail_cables(elements, value)
    if value is None and name == "failed":
        value = 0
    if name == "type":
        kind = document.catalog.device(str(value))
        devices = [element for element in elements if isinstance(element, Device)]
        if needs_mapping(document, devices, kind):
            return retype(document, devices, kind)
    edit = set_fields(document, [e.id for e in elements], {name: value}, words.lower())
    return replace(edit, label=f"Set {words.lower()} of {_what(elements)}")


def _what(elements: Sequence[AnyElement]) -> str:
    first = elements[0]
    if len(elements) > 1:
        return plural(
            len(elements), type(first).__name__.lower() if _alike(elements) else "element"
        )
    if isinstance(first, Device | Group):
        return first.name
    return type(first).__name__.lower()


def _alike(elements: Sequence[AnyElement]) -> bool:
    return len({type(element) for element in elements}) == 1


def _fail_cables(elements: Sequence[AnyElement], value: int) -> Edit:
    changed = tuple(
        replace(link, failed=min(value, link.count)) for link in elements if isinstance(link, Link)
    )
    return Edit(f"Set failed cables of {_what(elements)}", put=changed)


def resize(document: Document, link: Link, count: int) -> Edit:
    """Give a link another number of cables; further ports are taken from the free ones.

    Raises:
        BadEditError: too few ports are free.
    """
    if count < 1:
        raise BadEditError("a link needs at least one cable", link.id)
    ports_a, ports_b, cables = list(link.a.names), list(link.b.names), list(link.cable_ids)
    if count > len(cables):
        if link.through:
            raise BadEditError(
                "it runs through patch panels, where further cables have no ports yet", link.id,
                "Route it past the panels first, and through them again after",
            )  # fmt: skip
        extra = count - len(cables)
        ports_a += _more_ports(document, link.a, link.b, extra)
        ports_b += _more_ports(document, link.b, link.a, extra)
        cables += Link(id="", a=link.a, b=link.b, cables=document.new_cables(extra)).cable_ids
    changed = replace(
        link,
        a=Ports(link.a.device, collapse(ports_a[:count])),
        b=Ports(link.b.device, collapse(ports_b[:count])),
        cables=collapse(cables[:count]),
        failed=min(link.failed, count),
        through=through_of(link, range(min(count, link.count))),
    )
    return Edit(f"Set cables of link to {count}", put=(changed,))


def _more_ports(document: Document, end: Ports, other: Ports, count: int) -> list[str]:
    """Free ports of a device like those that the link has there."""
    device, far = document.devices[end.device], document.devices[other.device]
    like = port_of(document, device, end.names[0])
    alike = [
        port.name
        for port in free_ports(document, device, far)
        if (port.role, port.gbps) == (like.role, like.gbps)
    ]
    if len(alike) < count:
        raise BadEditError(
            f"{device.name} has {plural(len(alike), 'free port')} of this kind, not {count}",
            mend="Free some ports, or add a link to another device",
        )
    return alike[:count]
