"""Free ports: rings where a cable can begin, and what the port under the pointer is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.port_words import port_words
from topoedit.model.document import Document
from topoedit.render import hits
from topoedit.render.ink import Ink
from topoedit.render.port_places import free_ports
from topoedit.render.scene import DiagramScene
from topoedit.render.view import Level, View

if TYPE_CHECKING:
    from topoedit.editor.canvas.gestures.base import Surface
    from topoedit.editor.canvas.stage import Stage

MOST = 60
"""Devices whose free ports are shown at a time."""
SNAP_PX = 16.0
RING_PX, CHOSEN_PX = 3.5, 5.5
NONE_LEFT = "{} has no free port"


def paint_free_ports(stage: Stage, ink: Ink) -> None:
    """Rings on the free ports that a press could begin a cable at.

    With the Link tool those of every device in view; else those of the device under the pointer,
    close up.
    """
    linking = stage.tool == "link"
    hovered = stage.session.hovered
    if stage.view.level < Level.NEAR or stage.gesture is not None:
        return
    scene = stage.scene.for_scale(stage.view.scale)
    if linking:
        devices = hits.devices_in(scene, stage.view.box, touched=True)[:MOST]
    else:
        devices = (hovered,) if hovered in scene.devices.row else ()
    near = nearest_free(stage, stage.pointer.x(), stage.pointer.y()) if linking else None
    for device in devices:
        chosen = near.port if near is not None and near.device == device else ""
        paint_rings(ink, scene, stage.view, device, chosen)
    if linking and hovered in scene.devices.row:
        _paint_words(stage, ink, near, hovered)


def paint_rings(ink: Ink, scene: DiagramScene, view: View, device: str, chosen: str = "") -> None:
    """Hollow green rings on the free ports of a device; the chosen one is filled and larger."""
    for name, place in free_ports(scene, device).items():
        x, y = view.to_pixels(*place)
        if name == chosen:
            ink.disc(x, y, CHOSEN_PX, "state.drop_ok")
            continue
        size = 2 * RING_PX
        ink.box(x - RING_PX, y - RING_PX, size, size, "canvas.bg", "state.drop_ok", RING_PX, 1.5)


def nearest_free(stage: Surface, px: float, py: float) -> hits.PortHit | None:
    """The free port within 16 pixels of a pixel, close up."""
    if stage.view.level < Level.NEAR:
        return None
    scene = stage.scene.for_scale(stage.view.scale)
    x, y = stage.view.to_canvas(px, py)
    hit = hits.port_at(scene, x, y, SNAP_PX / stage.view.scale)
    if hit is None or hit.port in stage.session.document.ports_in_use(hit.device):
        return None
    return hit


def _paint_words(stage: Stage, ink: Ink, near: hits.PortHit | None, hovered: str) -> None:
    document = stage.session.document
    x, y = stage.pointer.x() + 14, stage.pointer.y() + 14
    if near is not None:
        words = port_words(document, near.device, near.port)
        paint_chip(ink, stage.view, x, y, words, edge="state.drop_ok")
    elif not free_ports(stage.scene, hovered) and not _is_open(document, hovered):
        words = NONE_LEFT.format(document.devices[hovered].name)
        paint_chip(ink, stage.view, x, y, words, edge="state.drop_bad")


def _is_open(document: Document, device: str) -> bool:
    """Whether a device takes any port name, so that it never runs out of them."""
    return document.device_type(document.devices[device]).open_ports
