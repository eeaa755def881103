"""Where the GPUs of a drawn device are, for pointing at them and for marking them."""

from __future__ import annotations

from topoedit.render.kinds import rack, server, server_inside
from topoedit.render.looks import DeviceLook, look_at
from topoedit.render.scene import DiagramScene
from topoedit.render.view import Level, View

Cell = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""


def gpu_cells(look: DeviceLook) -> list[Cell]:
    """Cells of the GPUs in their order; none where the level of detail shows none."""
    if look.level < Level.NEAR or not look.gpus:
        return []
    inside = look.level >= Level.INSIDE
    if look.style == "rack":
        return rack.gpu_cells(look, inside=inside)
    if look.kind != "server":
        return []
    return server_inside.gpu_cells(look) if inside else server.gpu_cells(look)


def gpu_at(scene: DiagramScene, view: View, device: str, px: float, py: float) -> int | None:
    """Number of the GPU of a device at a pixel, None beside them."""
    row = scene.devices.row.get(device)
    if row is None or view.level < Level.NEAR:
        return None
    for index, (x, y, w, h) in enumerate(gpu_cells(look_at(scene, view, row))):
        if x <= px <= x + w and y <= py <= y + h:
            return index
    return None


def nic_at(scene: DiagramScene, view: View, device: str, px: float, py: float) -> str | None:
    """The port of the NIC of a device at a pixel, None beside them or where none is shown."""
    row = scene.devices.row.get(device)
    if row is None or view.level < Level.INSIDE:
        return None
    look = look_at(scene, view, row)
    if look.kind != "server" or look.style == "rack" or not look.gpus:
        return None
    for index, (x, y, w, h) in enumerate(server_inside.nic_cells(look)):
        name = f"nic{index}"
        if x <= px <= x + w and y <= py <= y + h and name in look.type.port_by_name:
            return name
    return None
