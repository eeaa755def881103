"""A server from 320 pixels of width on: every part with its figures, sized to the room there is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QPainterPath

from topoedit.render.anchors import EDGE_MARGIN
from topoedit.render.ink import Color, Ink
from topoedit.render.kinds.common import draw_body, draw_ports, load_color_of
from topoedit.render.looks import DeviceLook
from topoedit.render.theme import number
from topoedit.units import format_bytes, format_percent, format_rate


@dataclass(frozen=True)
class _Frame:
    """Where the rows of parts stand, in pixels."""

    left: float
    right: float
    nic_y: float
    nic_h: float
    gpu_y: float
    gpu_h: float
    switch_y: float
    switch_h: float
    cpu_y: float
    cpu_h: float
    foot_y: float

    def columns(self, count: int, most: float = 1e9) -> list[tuple[float, float]]:
        """Left edge and width of `count` equal columns with a gap between them."""
        pitch = (self.right - self.left) / count
        gap = min(16.0, max(pitch * 0.12, 3.0))
        width = min(pitch - gap, most)
        return [
            (round(self.left + pitch * i + (pitch - width) / 2), round(width)) for i in range(count)
        ]


def draw(ink: Ink, look: DeviceLook) -> None:
    """A whole server."""
    draw_body(ink, look, number("radius.group"))
    frame = _frame(look)
    gpus, nics = look.gpus or 0, _nics(look)
    gpu_columns, nic_columns = frame.columns(gpus), frame.columns(max(nics, 1))
    _draw_inner_links(ink, look, frame, gpu_columns, nic_columns)
    for index in range(nics):
        _draw_nic(ink, look, frame, nic_columns[index], index)
    for index, column in enumerate(gpu_columns):
        _draw_gpu(ink, look, frame, column, index)
    _draw_switches(ink, look, frame)
    _draw_cpus(ink, look, frame)
    _draw_foot(ink, look, frame)
    draw_ports(ink, look)


def gpu_cells(look: DeviceLook) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each GPU."""
    frame = _frame(look)
    columns = frame.columns(max(look.gpus or 0, 1))[: look.gpus or 0]
    return [(x, frame.gpu_y, w, frame.gpu_h) for x, w in columns]


def nic_cells(look: DeviceLook) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each NIC."""
    frame = _frame(look)
    nics = _nics(look)
    return [(x, frame.nic_y, w, frame.nic_h) for x, w in frame.columns(max(nics, 1))[:nics]]


def _frame(look: DeviceLook) -> _Frame:
    """Rows of the parts that this server has; what is left over goes to the links between them."""
    unit = min(look.h / 116, 5.5)
    foot = max(48.0, min(52.0, look.h * 0.14))
    inside = look.type.inside
    chips, cpus = _chips(look), inside.cpus if inside is not None else None
    heights = [
        min(44.0, 11 * unit),
        min(96.0, 27 * unit),
        min(40.0, 11 * unit) if chips else 0.0,
        min(32.0, 9 * unit) if cpus else 0.0,
    ]
    steps = [0.14, 0.3, 0.36 if chips else 0.0, 0.2 if cpus else 0.0, 0.1]
    free = max(look.h - foot - sum(heights), 0) / sum(steps)
    tops, y = [], float(look.y)
    for height, step in zip(heights, steps, strict=False):
        y += free * step
        tops.append(round(y))
        y += height
    nic_h, gpu_h, switch_h, cpu_h = (round(h) for h in heights)
    margin = EDGE_MARGIN * look.k
    return _Frame(
        look.x + margin, look.x + look.w - margin, tops[0], nic_h, tops[1], gpu_h,
        tops[2], switch_h, tops[3], cpu_h, round(look.y + look.h - foot),
    )  # fmt: skip


def _nics(look: DeviceLook) -> int:
    inside = look.type.inside
    if inside is not None and inside.nic_gpu:
        return len(inside.nic_gpu)
    return sum(1 for port in look.type.port_list if port.rail is not None)


def _gpu_of_nic(look: DeviceLook, nic: int) -> int:
    inside = look.type.inside
    hang = inside.nic_gpu if inside is not None else ()
    return hang[nic] if nic < len(hang) else nic


def _part(ink: Ink, x: float, y: float, w: float, h: float) -> None:
    ink.box(x, y, w, h, "canvas.device_inner", "canvas.device_border", number("radius.device"))


def _draw_inner_links(
    ink: Ink, look: DeviceLook, frame: _Frame, gpus: list[tuple[float, float]],
    nics: list[tuple[float, float]],
) -> None:  # fmt: skip
    quiet = ink.theme.color("canvas.link_internal")
    for index in range(_nics(look)):
        x, w = nics[index]
        middle = x + w / 2
        code = next((p.code for p in look.ports if p.column == index), None)
        outer = ink.theme.load_color(code) if code else quiet
        ink.line(middle, look.y, middle, frame.nic_y, outer, 2)
        gpu = _gpu_of_nic(look, index)
        if 0 <= gpu < len(gpus):
            target = gpus[gpu][0] + gpus[gpu][1] / 2
            color = load_color_of(ink, look.inner_load(f"pcie/nic{index}")) or quiet
            _draw_cable(ink, middle, frame.nic_y + frame.nic_h, target, frame.gpu_y, color, 2)
    chips = _chips(look)
    if not chips:
        return
    chip_columns = frame.columns(chips)
    for index, (x, w) in enumerate(gpus):
        color = load_color_of(ink, look.inner_load(f"nvlink/gpu{index}")) or quiet
        spread = w * 0.7 / max(chips, 1)
        for chip, (cx, cw) in enumerate(chip_columns):
            start = x + w / 2 + (chip - (chips - 1) / 2) * spread
            end = cx + cw / 2 + (index - (len(gpus) - 1) / 2) * min(15.0, cw / (len(gpus) + 1))
            _draw_cable(ink, start, frame.gpu_y + frame.gpu_h, end, frame.switch_y, color, 1.5)


def _draw_cable(
    ink: Ink, x1: float, y1: float, x2: float, y2: float, color: Color, width: float
) -> None:
    path = QPainterPath()
    path.moveTo(x1, y1)
    bend = (y2 - y1) * 0.45
    path.cubicTo(x1, y1 + bend, x2, y2 - bend, x2, y2)
    ink.path(path, color, width)


def _chips(look: DeviceLook) -> int:
    inside = look.type.inside
    return min(inside.scaleup.chips, 9) if inside is not None else 0


def _draw_nic(
    ink: Ink, look: DeviceLook, frame: _Frame, column: tuple[float, float], index: int
) -> None:
    (x, w), y, h = column, frame.nic_y, frame.nic_h
    _part(ink, x, y, w, h)
    with_icon = w >= 64 and h >= 24
    two_lines = h >= 34
    left = x + (30 if with_icon else 6)
    if with_icon:
        ink.icon("nic", x + 8, y + (4 if two_lines else (h - 16) / 2), 16, "canvas.label_sub")
    name = ink.fitting((f"nic{index}", str(index)), x + w - 3 - left, 11, 600)
    ink.text(
        left,
        y + (4 if two_lines else 0),
        name,
        11,
        600,
        "canvas.label",
        height=16 if two_lines else h,
    )
    port = look.type.port_by_name.get(f"nic{index}")
    if two_lines and port is not None and port.gbps:
        words = (f"{port.gbps:.0f} Gb/s", f"{port.gbps:.0f}G", f"{port.gbps:.0f}")
        text = ink.fitting(words, w - 9, 10)
        ink.text(x + 6 + 2 * with_icon, y + h - 19, text, 10, 400, "canvas.label_sub")


def _draw_gpu(
    ink: Ink, look: DeviceLook, frame: _Frame, column: tuple[float, float], index: int
) -> None:
    (x, w), y, h = column, frame.gpu_y, frame.gpu_h
    _part(ink, x, y, w, h)
    pad = 8.0 if w >= 56 else 4.0
    name = ink.fitting((f"GPU {index}", f"G{index}", str(index)), w - 2 * pad + 2, 11, 600)
    ink.text(x + pad, y + 6, name, 11, 600, "canvas.label")
    facts = look.scene.facts
    if h >= 44:
        ink.box(x + pad, y + 28, w - 2 * pad, 8, "canvas.device_part", None, 2)
        if facts.memory_share is not None:
            share = min(facts.memory_share, 1.0)
            color = "memory.overflow" if facts.memory_share > 1 else "memory.activations"
            ink.box(x + pad, y + 28, (w - 2 * pad) * share, 8, color, None, 2)
    if h >= 62 and facts.memory_bytes is not None:
        _write_memory(ink, facts.memory_bytes, x, y + 40, w)
    load = look.inner_load(f"nvlink/gpu{index}")
    if h >= 80 and load is not None:
        percent = format_percent(load)
        ink.box(x + pad, y + h - 18, 8, 8, load_color_of(ink, load), None, 2)
        text = ink.fitting((f"NVL {percent}", percent), w - 2 * pad - 11, 10, 500)
        ink.text(x + pad + 12, y + h - 22, text, 10, 500, "canvas.label_sub")


def _write_memory(ink: Ink, used: float, x: float, y: float, w: float) -> None:
    """Memory in use with its unit; rounded, then smaller, and left out before the unit goes."""
    full = format_bytes(used)
    figure, _, unit = full.partition(" ")
    words = (full, f"{float(figure):.0f} {unit}") if unit else (full,)
    for pad, px in ((8.0, 11), (4.0, 11), (2.0, 10)):
        text = ink.fitting(words, w - 2 * pad, px, 600)
        if text:
            ink.text(x + pad, y, text, px, 600, "canvas.label")
            return


def _draw_switches(ink: Ink, look: DeviceLook, frame: _Frame) -> None:
    inside = look.type.inside
    chips = _chips(look)
    if inside is None or not chips:
        return
    for index, (x, w) in enumerate(frame.columns(chips)):
        y, h = frame.switch_y, frame.switch_h
        _part(ink, x, y, w, h)
        with_icon = w >= 110 and h >= 28
        left = x + (40 if with_icon else 6)
        if with_icon:
            ink.icon("nvswitch", x + 10, y + (h - 20) / 2, 20, "canvas.label_sub")
        two_lines = h >= 34
        words = (f"NVSwitch {index}", f"NVS {index}", str(index))
        text = ink.fitting(words, x + w - 4 - left, 11, 600)
        ink.text(
            left,
            y + (4 if two_lines else 0),
            text,
            11,
            600,
            "canvas.label",
            height=16 if two_lines else h,
        )
        if two_lines:
            rate = inside.scaleup.GBps_per_link_dir
            notes = ["multicast"] if inside.scaleup.multicast else []
            if rate is not None:
                links = inside.scaleup.links_per_chip
                per_gpu = rate * 1e9 * (links[index] if index < len(links) else 1)
                notes.insert(0, f"{format_rate(per_gpu)} a GPU")
            text = ink.fitting((" · ".join(notes), *notes), x + w - 4 - left, 10)
            ink.text(left, y + h - 19, text, 10, 400, "canvas.label_sub")


def _draw_cpus(ink: Ink, look: DeviceLook, frame: _Frame) -> None:
    inside = look.type.inside
    count = (inside.cpus or 0) if inside is not None else 0
    if not count or frame.cpu_h < 14:
        return
    share = (look.gpus or 0) // count
    for index, (x, w) in enumerate(frame.columns(count)):
        _part(ink, x, frame.cpu_y, w, frame.cpu_h)
        end = ink.text(
            x + 10, frame.cpu_y, f"CPU {index}", 11, 600, "canvas.label", height=frame.cpu_h
        )
        if share and inside is not None and inside.pcie:
            first = index * share
            words = f"PCIe to GPU {first}–{first + share - 1}"
            ink.text(
                end + 10, frame.cpu_y, words, 10, 400, "canvas.label_sub",
                width=x + w - 6 - end - 10, height=frame.cpu_h, elide="none",
            )  # fmt: skip


def _draw_foot(ink: Ink, look: DeviceLook, frame: _Frame) -> None:
    y = frame.foot_y
    ink.rule(look.x + 1, y, look.w - 2, "canvas.device_border")
    ink.icon(look.icon, look.x + 14, y + 13, 24, "canvas.label")
    left, right = look.x + 50, look.x + look.w - 14
    power = look.type.power_kw_typical or look.type.power_kw_max
    if power:
        words = f"{power:g} kW"
        ink.text(right, y + 8, words, 14, 600, "canvas.label", "right", height=18)
        right -= ink.width_of(words, 14, 600) + 12
    ink.text(
        left,
        y + 8,
        look.device.name,
        14,
        600,
        "canvas.label",
        width=right - left,
        height=18,
        elide="middle",
    )
    words = " · ".join(p for p in (look.type.name, f"{look.gpus} GPUs", look.figure) if p)
    ink.text(left, y + 26, words, 10, 400, "canvas.label_sub", width=look.x + look.w - 14 - left)
