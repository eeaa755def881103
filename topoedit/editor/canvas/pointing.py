"""What a press means: which element is under the pointer and which gesture begins there."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.editor.canvas.free_ports import nearest_free
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.editor.canvas.gestures.link import LinkDrag
from topoedit.editor.canvas.gestures.marquee import Marquee
from topoedit.editor.canvas.gestures.move import Move
from topoedit.editor.canvas.gestures.pan import Pan
from topoedit.model.elements import Device, Group
from topoedit.render import hits
from topoedit.render.view import Level

LINK_REACH_PX = 6.0
PORT_REACH_PX = 7.0
CHEVRON_PX = 28.0


@dataclass(frozen=True)
class Under:
    """What is under the pointer: an element, and a port of it if the pointer is on one."""

    element: str = ""
    port: str = ""


NOTHING = Under()


def under(surface: Surface, pointer: Pointer) -> Under:
    """The topmost thing at the pointer: port, device, note, closed group, link, group title."""
    scale = surface.view.scale
    scene = surface.scene.for_scale(scale)
    if surface.view.level >= Level.NEAR:
        hit = hits.port_at(scene, pointer.x, pointer.y, PORT_REACH_PX / scale)
        if hit is not None:
            return Under(hit.device, hit.port)
    found = hits.device_at(scene, pointer.x, pointer.y) or hits.note_at(scene, pointer.x, pointer.y)
    if found is not None:
        return Under(found)
    group = hits.group_at(scene, pointer.x, pointer.y, title_only=True, scale=scale)
    if group is not None and scene.grouping.groups[scene.grouping.row[group]].collapsed:
        return Under(group)
    link = hits.link_at(
        scene, pointer.x, pointer.y, LINK_REACH_PX / scale, surface.view.level >= Level.NEAR
    )
    return Under(link or group or "")


def on_chevron(surface: Surface, pointer: Pointer, group: str) -> bool:
    """Whether the pointer is on the mark that opens or closes a group."""
    index = surface.scene.grouping.row.get(group)
    if index is None:
        return False
    box = surface.scene.grouping.groups[index]
    left, top, _, bottom = box.box
    px, _ = surface.view.to_pixels(left, top)
    if not 0 <= pointer.px - px <= CHEVRON_PX:
        return False
    if box.foot and not box.collapsed:
        return pointer.y >= bottom - box.header
    return pointer.y <= top + box.header


def gesture_for(surface: Surface, pointer: Pointer, tool: str) -> Gesture | None:
    """The gesture that a left press begins; the selection is set as a click would."""
    if tool == "pan":
        return Pan(surface, pointer)
    target = under(surface, pointer)
    element = surface.session.document.element(target.element)
    if tool == "link":
        return _link_gesture(surface, pointer, target) or Pan(surface, pointer)
    if target.port and _is_free(surface, target):
        return LinkDrag(surface, pointer, target.element, target.port)
    if not target.element:
        return Marquee(surface, pointer)
    _select(surface, pointer, target.element)
    if isinstance(element, Device | Group) or target.element in surface.session.document.notes:
        return Move(surface, pointer, target.element)
    return None


def _is_free(surface: Surface, target: Under) -> bool:
    return target.port not in surface.session.document.ports_in_use(target.element)


def _link_gesture(surface: Surface, pointer: Pointer, target: Under) -> Gesture | None:
    if target.element not in surface.session.document.devices:
        return None
    port = target.port if target.port and _is_free(surface, target) else ""
    near = nearest_free(surface, pointer.px, pointer.py)
    if not port and near is not None and near.device == target.element:
        port = near.port
    return LinkDrag(surface, pointer, target.element, port)


def _select(surface: Surface, pointer: Pointer, element: str) -> None:
    """Shift and Ctrl add or toggle; a plain press keeps a selection that it is part of."""
    session = surface.session
    if pointer.shift:
        session.select_also((element,))
    elif pointer.ctrl:
        if not session.is_selected(element):
            session.select_also((element,))
    elif not session.is_selected(element):
        session.select((element,))
