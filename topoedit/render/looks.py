"""What is to be said about one device: its name, ports, figures and state, in pixels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topoedit.catalog.types import DeviceType, Kind
from topoedit.errors import TopoeditError
from topoedit.model.elements import Device
from topoedit.render.anchors import BOTTOM, TOP
from topoedit.render.loadscale import PLAIN
from topoedit.render.scene import DiagramScene
from topoedit.render.sizes import icon_of, is_rack_scale
from topoedit.render.view import Level, View
from topoedit.units import UNKNOWN, format_bytes, format_percent


@dataclass(frozen=True)
class PortLook:
    """A port with a link: where it is in pixels, and the colour of what leaves the device there."""

    x: float
    y: float
    side: int
    code: int
    column: int
    stroke: int


@dataclass(frozen=True)
class DeviceLook:
    """One device as it is drawn.

    Attributes:
        x, y, w, h: its box in pixels.
        k: pixels a canvas unit.
        code: hottest colour code of its links.
        load: their highest load, NaN for none.
    """

    scene: DiagramScene
    device: Device
    type: DeviceType
    row: int
    x: float
    y: float
    w: float
    h: float
    k: float
    level: Level
    code: int
    load: float

    @property
    def kind(self) -> Kind:
        """Its role on the drawing."""
        return self.device.kind

    @property
    def failed(self) -> bool:
        """Out of service."""
        return self.device.failed

    @property
    def style(self) -> str:
        """Which painter draws it: its kind, `rack` for a rack of trays, `lattice` for a torus."""
        if self.kind != "server":
            return self.kind
        inside = self.type.inside
        if inside is not None and inside.scaleup.kind == "torus":
            return "lattice"
        return "rack" if is_rack_scale(self.type) else self.kind

    @property
    def icon(self) -> str:
        """Its icon."""
        return icon_of(self.kind, self.type)

    @property
    def gpus(self) -> int | None:
        """GPUs in it, None if unknown."""
        return self.type.gpus

    @cached_property
    def accelerator(self) -> str:
        """Short name of its accelerator, "" if unknown."""
        inside = self.type.inside
        if inside is None or not inside.accelerator:
            return ""
        try:
            return short_name(self.scene.document.catalog.accelerator(inside.accelerator).name)
        except TopoeditError:
            return inside.accelerator

    @cached_property
    def ports(self) -> tuple[PortLook, ...]:
        """Its linked ports."""
        strokes, view_x, view_y = self.scene.strokes, self._origin[0], self._origin[1]
        found = []
        for stroke, at_a in self.scene.ends_at(self.row):
            x1, y1, x2, y2 = strokes.seg[stroke].tolist()
            x, y = (x1, y1) if at_a else (x2, y2)
            side = (strokes.side_a if at_a else strokes.side_b)[stroke]
            code = (strokes.forward if at_a else strokes.backward)[stroke]
            link = int(strokes.link[stroke])
            at_link_a = at_a != bool(strokes.flipped[link])
            links = self.scene.links
            column = (links.column_a if at_link_a else links.column_b)[link]
            found.append(
                PortLook(
                    self.x + (x - view_x) * self.k, self.y + (y - view_y) * self.k,
                    int(side), int(code), int(column), stroke,
                )
            )  # fmt: skip
        return tuple(found)

    @cached_property
    def _origin(self) -> tuple[float, float]:
        left, top = self.scene.rects[:2, self.row].tolist()
        return left, top

    @property
    def rail_side(self) -> int:
        """The edge with most of its rail ports."""
        sides = Counter(p.side for p in self.ports if p.column >= 0 and p.side in (TOP, BOTTOM))
        return sides.most_common(1)[0][0] if sides else TOP

    @property
    def figure(self) -> str:
        """Its worst load, "" before an analysis, and the state of a failed one."""
        if self.failed:
            return "failed"
        if not self.scene.analysed or self.code == PLAIN:
            return ""
        return format_percent(self.load) if not np.isnan(self.load) else UNKNOWN

    @property
    def has_load(self) -> bool:
        """Whether a swatch in its load colour says anything."""
        return self.code != PLAIN and not self.failed

    def inner_load(self, part: str) -> float | None:
        """Load of an inner link such as `nvlink/gpu3`; None if unknown."""
        return self.scene.inner_load(f"{self.device.name}/{part}")

    @cached_property
    def subtitles(self) -> tuple[str, ...]:
        """The second line, in several wordings from long to short."""
        parts = [p for p in (self._spec, self._figure_in_subtitle) if p]
        return tuple(dict.fromkeys((" · ".join(parts), *reversed(parts)))) or ("",)

    @property
    def _figure_in_subtitle(self) -> str:
        if self.kind != "server" or self.failed:
            return self.figure
        memory = self.scene.facts.memory_bytes
        if memory is not None and self.gpus:
            return format_bytes(memory)
        return ""

    @property
    def _spec(self) -> str:
        if self.kind == "server":
            return self._server_spec
        if self.kind in ("leaf", "nvswitch") and (rail := self._only_rail) is not None:
            return f"rail {rail}"
        groups = self.type.ports
        if not groups:
            return self.type.name if not self.type.open_ports else ""
        most = max(groups, key=lambda g: g.count)
        rate = f" × {most.gbps:.0f}G" if most.gbps else " ports"
        return f"{sum(g.count for g in groups if g.gbps == most.gbps)}{rate}"

    @property
    def _server_spec(self) -> str:
        if self.gpus is None:
            return "GPUs unknown"
        if not self.gpus:
            return self.type.name
        return f"{self.gpus} × {self.accelerator or 'GPU'}"

    @cached_property
    def _only_rail(self) -> int | None:
        """The rail that a leaf serves, if it serves one only."""
        links, strokes = self.scene.links, self.scene.strokes
        rails = {int(links.rail[strokes.link[s]]) for s, _ in self.scene.ends_at(self.row)} - {-1}
        return rails.pop() if len(rails) == 1 else None


def short_name(accelerator: str) -> str:
    """The name of an accelerator as people say it.

    >>> short_name("NVIDIA H100 SXM5 80GB"), short_name("Google TPU v5p")
    ('H100', 'TPU v5p')
    """
    plain = re.sub(r"\(.*?\)|,.*", "", accelerator)
    words = [w for w in plain.split() if w not in _MAKERS]
    if not words:
        return accelerator
    has_digit = any(c.isdecimal() for c in words[0])
    return words[0] if has_digit or len(words) == 1 else " ".join(words[:2])


_MAKERS = ("NVIDIA", "AMD", "Instinct", "Google", "AWS", "Intel")


def look_at(scene: DiagramScene, view: View, row: int) -> DeviceLook:
    """Everything to draw for one device, its box on whole pixels."""
    document = scene.document
    device = document.devices[scene.devices.ids[row]]
    left, top, right, bottom = scene.rects[:, row].tolist()
    x0, y0 = view.to_pixels(left, top)
    x1, y1 = view.to_pixels(right, bottom)
    x, y = round(x0), round(y0)
    return DeviceLook(
        scene=scene, device=device, type=document.device_type(device), row=row,
        x=x, y=y, w=max(round(x1) - x, 1), h=max(round(y1) - y, 1), k=view.scale,
        level=view.level, code=int(scene.node_codes[row]), load=float(scene.node_loads[row]),
    )  # fmt: skip
