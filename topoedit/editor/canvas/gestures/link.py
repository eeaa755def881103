"""Drawing a link: from a port or device to another; legal ports glow, others say why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from topoedit.catalog.types import Port
from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.free_ports import MOST, SNAP_PX, paint_rings
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.errors import BadEditError
from topoedit.layout.routes import Router
from topoedit.model.connect import best_pair, connect, free_ports, misfit, port_of, slower, why_not
from topoedit.model.elements import Device
from topoedit.render import hits
from topoedit.render.ink import Ink
from topoedit.render.port_places import free_ports as free_port_places
from topoedit.render.view import Level, View


@dataclass(frozen=True)
class Target:
    """What is under the pointer: a device, perhaps one of its ports, and why it will not do."""

    device: str
    port: str = ""
    reason: str = ""


class LinkDrag(Gesture):
    """From where the press was to where the release is; a click begins a click-click link."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, surface: Surface, start: Pointer, device: str, port: str = "") -> None:
        super().__init__(surface, start)
        self._device, self._port = device, port
        self._pointer = start
        self._target: Target | None = None
        self._reasons: dict[str, str] = {}
        self._clicked = False
        self._router: Router | None = None

    # -- the gesture ---------------------------------------------------------------------------

    def move(self, pointer: Pointer) -> None:
        """Find the target under the pointer."""
        self._pointer = pointer
        self._target = self._find(pointer)
        self.surface.refresh()

    def press(self, pointer: Pointer) -> bool:
        """The second click of click-click."""
        self.move(pointer)
        return True

    @property
    def needs(self) -> Iterable[str]:
        """Both ends, as far as they are chosen."""
        return (self._device,) if self._target is None else (self._device, self._target.device)

    def release(self, pointer: Pointer) -> bool:
        """Connect, or go on if this was the first click of click-click."""
        self.move(pointer)
        if not self._clicked and not pointer.far_from(self.start):
            self._clicked = True
            return True
        if self._target is not None and not self._target.reason:
            self._connect(self._target)
            return pointer.shift and self._can_go_on()
        return self._clicked and self._target is not None

    def _connect(self, target: Target) -> None:
        session = self.surface.session
        try:
            edit = connect(
                session.document, self._device, target.device, ports=(self._port, target.port)
            )
        except BadEditError as error:
            session.refused.emit(error.line)
            return
        if session.apply(edit):
            session.select(element.id for element in edit.put)

    def _can_go_on(self) -> bool:
        """With Shift held the next link begins at the same device."""
        self._port, self._reasons, self._clicked = "", {}, True
        document = self.surface.session.document
        return bool(free_ports(document, document.devices[self._device]))

    def key(self, event: QKeyEvent) -> bool:
        """No keys of its own."""
        return False

    def cancel(self) -> None:
        """Nothing was drawn."""
        self.surface.refresh()

    # -- targets -------------------------------------------------------------------------------

    def _find(self, pointer: Pointer) -> Target | None:
        scene, slack = self.surface.scene, SNAP_PX / self.surface.view.scale
        device = hits.device_at(scene, pointer.x, pointer.y, slack)
        if device is None or device == self._device:
            return None
        reason = self.reason(device)
        if reason:
            return Target(device, reason=reason)
        if self.surface.view.level < Level.NEAR:
            return Target(device)
        hit = hits.port_at(scene, pointer.x, pointer.y, slack)
        if hit is None or hit.device != device:
            return Target(device)
        return Target(device, hit.port, self._port_reason(device, hit.port))

    def reason(self, device_id: str) -> str:
        """Why a device cannot be the other end; "" if it can."""
        if device_id not in self._reasons:
            document = self.surface.session.document
            a, b = document.devices[self._device], document.devices[device_id]
            self._reasons[device_id] = (
                self._one_port_reason(b) if self._port else (why_not(document, a, b))
            )
        return self._reasons[device_id]

    def _one_port_reason(self, other: Device) -> str:
        document = self.surface.session.document
        mine = [port_of(document, document.devices[self._device], self._port)]
        theirs = free_ports(document, other, document.devices[self._device])
        if not theirs:
            return f"{other.name} has no free port"
        return "" if best_pair(mine, theirs) else misfit(mine[0], theirs[0])

    def _port_reason(self, device_id: str, name: str) -> str:
        document = self.surface.session.document
        if name in document.ports_in_use(device_id):
            return f"port {name} has a cable"
        mine = self._own_port(document.devices[device_id])
        return misfit(mine, port_of(document, document.devices[device_id], name)) if mine else ""

    def _own_port(self, towards: Device) -> Port | None:
        document = self.surface.session.document
        device = document.devices[self._device]
        if self._port:
            return port_of(document, device, self._port)
        free = free_ports(document, device, towards)
        return free[0] if free else None

    # -- the preview ---------------------------------------------------------------------------

    def paint(self, ink: Ink, view: View) -> None:
        """The line, glowing ports of the target, faded devices, and what would be drawn."""
        x1, y1 = self._start_point(view)
        target = self._target
        ok = target is not None and not target.reason
        self._show_choice(ink, view)
        if target is not None:
            self._paint_target(ink, view, target)
        color = "state.drop_ok" if ok else "state.drop_bad" if target else "accent.base"
        dash = () if ok else (6.0, 4.0)
        ink.line(x1, y1, self._pointer.px, self._pointer.py, color, 2, dash, round_=True)
        if target is not None:
            text = target.reason or self._words(target)
            edge = "state.drop_bad" if target.reason else "state.drop_ok"
            paint_chip(ink, view, self._pointer.px + 14, self._pointer.py + 14, text, edge=edge)

    def _start_point(self, view: View) -> tuple[float, float]:
        if self._port:
            place = _free_places(self.surface, self._device).get(self._port)
            if place is not None:
                return view.to_pixels(*place)
        box = self.surface.scene.rect_of(self._device) or (0.0, 0.0, 0.0, 0.0)
        return view.to_pixels((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)

    def _show_choice(self, ink: Ink, view: View) -> None:
        """Veil visible devices that cannot be the other end; close up, ring the ports that can."""
        scene = self.surface.scene
        near = view.level >= Level.NEAR
        for number, device in enumerate(hits.devices_in(scene, view.box, touched=True)[:300]):
            box = scene.rect_of(device)
            if device == self._device or box is None:
                continue
            if not self.reason(device):
                if near and number < MOST:
                    paint_rings(ink, scene, view, device)
                continue
            left, top = view.to_pixels(box[0], box[1])
            veil = ink.color("canvas.bg", 0.6)
            ink.box(left, top, (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale,
                    veil)  # fmt: skip

    def _paint_target(self, ink: Ink, view: View, target: Target) -> None:
        box = self.surface.scene.rect_of(target.device)
        if box is None:
            return
        x, y = view.to_pixels(box[0], box[1])
        w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
        color = "state.drop_bad" if target.reason else "state.drop_ok"
        dash = (4.0, 3.0) if target.reason else ()
        ink.box(x - 3, y - 3, w + 6, h + 6, None, color, radius=6, width=2, dash=dash)
        if target.reason or view.level < Level.NEAR:
            return
        paint_rings(ink, self.surface.scene, view, target.device, target.port)

    def _words(self, target: Target) -> str:
        """What the link would be: both ports, rate, medium and length."""
        document = self.surface.session.document
        a, b = document.devices[self._device], document.devices[target.device]
        mine = [port_of(document, a, self._port)] if self._port else free_ports(document, a, b)
        theirs = [port_of(document, b, target.port)] if target.port else free_ports(document, b, a)
        pair = best_pair(mine, theirs)
        if pair is None:
            return misfit(mine[0], theirs[0]) if mine and theirs else "no free port"
        rate = slower(*pair)
        speed = "rate –" if rate is None else f"{rate:g} Gb/s"
        ends = f"{a.name}:{pair[0].name} → {b.name}:{pair[1].name}"
        return f"{ends} · {speed} · medium – · {self._length(a, b)}"

    def _length(self, a: Device, b: Device) -> str:
        """Metres by the racks and trays, if it is known where both devices stand."""
        if self._router is None:
            self._router = Router(self.surface.session.document)
        route = self._router.route(a, b)
        return "length –" if route is None else f"about {route.least_m:.0f} m"


def _free_places(surface: Surface, device_id: str) -> Mapping[str, tuple[float, float]]:
    return free_port_places(surface.scene, device_id)
