"""Extents of devices and containers on a drawing, and which of them overlap."""

from __future__ import annotations

from topoedit.layout.sizes import HEADER, PADDING, size
from topoedit.model.document import Document

Box = tuple[float, float, float, float]


def box_of(document: Document, group: str) -> Box:
    """A container's extent: its members with padding, and the header above or below."""
    boxes = [device_box(document, i) for i in document.members(group)]
    boxes += [box_of(document, g) for g in document.subgroups(group)]
    left, top, right, bottom = (
        min(b[0] for b in boxes), min(b[1] for b in boxes),
        max(b[2] for b in boxes), max(b[3] for b in boxes),
    )  # fmt: skip
    return left - PADDING, top - PADDING - HEADER, right + PADDING, bottom + PADDING


def device_box(document: Document, device_id: str) -> Box:
    device = document.devices[device_id]
    width, height = size(device.kind, document.device_type(device).trays)
    x, y = device.x, device.y
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def overlaps(boxes: dict[str, Box]) -> list[tuple[str, str]]:
    """Pairs of boxes that overlap, by a sweep from left to right."""
    ordered = sorted(boxes.items(), key=lambda item: item[1][0])
    found, active = [], []
    for name, box in ordered:
        active = [a for a in active if a[1][2] > box[0] + 1e-6]
        found += [
            (other, name) for other, b in active if b[1] < box[3] - 1e-6 and box[1] < b[3] - 1e-6
        ]
        active.append((name, box))
    return found


def container_overlaps(document: Document) -> list[tuple[str, str]]:
    """Neighbours inside one container, or on the sheet, that overlap."""
    found = []
    for group in ("", *document.groups):
        inside = {g: box_of(document, g) for g in document.subgroups(group)}
        inside |= {i: device_box(document, i) for i in document.members(group)}
        found += overlaps(inside)
    return found
