"""A click on a GPU picks its rank; a drag that begins there still moves the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoedit.editor.canvas.gestures.base import Pointer
from topoedit.editor.canvas.pointing import Under, under
from topoedit.render.gpu_cells import gpu_at, nic_at

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage


def gpu_under(stage: Stage, pointer: Pointer) -> tuple[str, int] | None:
    """Device and number of the GPU at the pointer."""
    target = under(stage, pointer)
    if target.port or target.element not in stage.session.document.devices:
        return None
    index = gpu_at(stage.scene, stage.view, target.element, pointer.px, pointer.py)
    return None if index is None else (target.element, index)


def pick_by_click(stage: Stage, pressed: Pointer | None, released: Pointer) -> None:
    """Light the groups of the GPU that was clicked, if a rank runs on it."""
    if pressed is None or pressed.shift or pressed.ctrl:
        return
    if pressed.far_from(released):
        return
    found = gpu_under(stage, released)
    if found is not None:
        stage.session.ranks.pick_gpu(*found)


def traced_end(stage: Stage, pointer: Pointer) -> Under:
    """What the menu is about: a port, the port of a NIC, a GPU (`/gpu3`), or an element."""
    target = under(stage, pointer)
    device = stage.session.document.devices.get(target.element)
    if target.port or device is None:
        return target
    gpu = gpu_at(stage.scene, stage.view, device.id, pointer.px, pointer.py)
    if gpu is not None:
        return Under(device.id, f"/gpu{gpu}")
    nic = nic_at(stage.scene, stage.view, device.id, pointer.px, pointer.py)
    return target if nic is None else Under(device.id, nic)


def end_words(stage: Stage, pointer: Pointer) -> str:
    """How a trace calls what is at the pointer: `node-01/gpu3`, `leaf-1:5`, `leaf-1`, or ""."""
    target = traced_end(stage, pointer)
    device = stage.session.document.devices.get(target.element)
    if device is None:
        return ""
    joint = "" if not target.port or target.port.startswith("/") else ":"
    return f"{device.name}{joint}{target.port}"
