"""Where the ports of a device are drawn: used ones where their links end, free ones beside them."""

from __future__ import annotations

from collections.abc import Mapping

from topoedit.render.anchors import EDGE_MARGIN, MAX_PITCH, TOP
from topoedit.render.scene import DiagramScene
from topoedit.render.tables import rail_columns

Point = tuple[float, float]
MAX_FREE = 64
"""Free ports beyond so many are not drawn one by one."""


def port_positions(scene: DiagramScene, device_id: str) -> Mapping[str, Point]:
    """Port name -> point on the edge of the device, in canvas units.

    All cables of a bundle meet the device at one point, that of its first port, and only that
    port is listed. Free ports of a server keep their rail column; those of a switch share the
    bottom edge with the links that are there.
    """
    places = dict(used_ports(scene, device_id))
    places.update(free_ports(scene, device_id))
    return places


def port_position(scene: DiagramScene, device_id: str, port: str) -> Point | None:
    """Where one port is drawn; None for a port that is not drawn by itself."""
    link_id = scene.document.ports_in_use(device_id).get(port)
    if link_id is not None:
        return end_position(scene, link_id, device_id)
    return free_ports(scene, device_id).get(port)


def end_position(scene: DiagramScene, link_id: str, device_id: str) -> Point | None:
    """Where a link meets a device, or the tile that hides it; None if the link is hidden."""
    row = scene.links.row.get(link_id)
    if row is None or scene.strokes.of_link[row] < 0:
        return None
    stroke = int(scene.strokes.of_link[row])
    link = scene.document.links[link_id]
    if device_id not in (link.a.device, link.b.device):  # a panel that it runs through
        return None
    at_a = (link.a.device == device_id) != bool(scene.strokes.flipped[row])
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    return (x1, y1) if at_a else (x2, y2)


def used_ports(scene: DiagramScene, device_id: str) -> dict[str, Point]:
    """First port of each link at a device -> point."""
    found: dict[str, Point] = {}
    for link_id in scene.document.links_of(device_id):
        link = scene.document.links[link_id]
        place = end_position(scene, link_id, device_id)
        names = link.end_at(device_id).names
        if place is not None and names:
            found[names[0]] = place
    return found


def free_ports(scene: DiagramScene, device_id: str) -> dict[str, Point]:
    """Free ports of a device -> point."""
    device = scene.document.devices[device_id]
    used = scene.document.ports_in_use(device_id)
    ports = scene.document.device_type(device).port_list
    free = [port for port in ports if port.name not in used]
    box = scene.rects[:, scene.devices.row[device_id]].tolist()
    rails = int(scene.devices.rails[scene.devices.row[device_id]])
    columns = rail_columns(scene.document.device_type(device)) if rails else ()
    edge = _rail_edge(scene, device_id)
    places = {
        port.name: _column_place(box, columns.index(port.name), rails, edge)
        for port in free
        if port.name in columns
    }
    others = [port for port in free if port.name not in columns][:MAX_FREE]
    y = box[3]
    taken = [x for x, at in used_ports(scene, device_id).values() if abs(at - y) < 1]
    slots = _free_slots(box[0] + EDGE_MARGIN, box[2] - EDGE_MARGIN, taken, len(others))
    places.update((p.name, (x, y)) for p, x in zip(others, slots, strict=False))
    return places


def _free_slots(left: float, right: float, taken: list[float], wanted: int) -> list[float]:
    """Places for free ports between the used ones; fewer than wanted where it is too tight."""
    count = wanted + len(taken)
    if not count:
        return []
    pitch = min((right - left) / count, MAX_PITCH)
    start = (left + right - pitch * (count - 1)) / 2
    gap = min(pitch * 0.6, 7.0)
    slots = [start + pitch * k for k in range(count)]
    return [x for x in slots if all(abs(x - other) >= gap for other in taken)][:wanted]


def _rail_edge(scene: DiagramScene, device_id: str) -> int:
    """The edge on which most of a server's used rail ports sit (the top one for none)."""
    row = scene.devices.row[device_id]
    strokes = scene.strokes
    sides = [*strokes.side_a[strokes.a == row].tolist(), *strokes.side_b[strokes.b == row].tolist()]
    return max(set(sides), key=sides.count) if sides else TOP


def _column_place(box: list[float], column: int, rails: int, edge: int) -> Point:
    pitch = (box[2] - box[0] - 2 * EDGE_MARGIN) / max(rails, 1)
    y = box[1] if edge == TOP else box[3]
    return box[0] + EDGE_MARGIN + pitch * (column + 0.5), y
