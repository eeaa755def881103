"""Frames of the canvas while panning and zooming, beside a plain QGraphicsView of the same scene.

    python -m tests.benchmarks.canvas [2000,10000] [12000,60000] [50000,300000]

A frame is one `set_view`, one paint and one slice of refinement, as the event loop would run them.
Times are CPU milliseconds of this process; machines differ, so read the ratios. Each line is two
half-lines of its own load; widths, dashes and colours are those of the design.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView

from topoedit.catalog.load import load_catalog
from topoedit.editor.canvas import camera
from topoedit.editor.canvas.picture import SLICE_S
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.session import DocumentSession
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Ports
from topoedit.render import crowds, links
from topoedit.render.links import draw_lines
from topoedit.render.theme import Theme, register_fonts
from topoedit.render.view import View

SIZE = (1600, 1000)
FRAMES = 60
UNIT_SERVERS, UNIT_LEAVES = 32, 8
LIMIT_MS = 16.0
QUIET_LINE_NS = 1591.0


def drawing(devices: int, links: int) -> Document:
    """Units of 32 servers and 8 leaves on a grid, spines on top; short and long links mixed."""
    units = max(1, round(0.78 * devices / UNIT_SERVERS))
    spines = max(8, devices - units * (UNIT_SERVERS + UNIT_LEAVES))
    wide = int(np.ceil(np.sqrt(units)))
    elements: list[Device | Link] = []
    for unit in range(units):
        left, top = (unit % wide) * 1400.0, (unit // wide) * 1100.0
        for i in range(UNIT_SERVERS):
            x, y = left + (i % 8) * 124, top + 200 + (i // 8) * 148
            elements.append(_device(f"s{unit}-{i}", "server", "generic-switch", x, y))
        elements.extend(
            _device(f"l{unit}-{i}", "leaf", "generic-switch", left + i * 124, top)
            for i in range(UNIT_LEAVES)
        )
    for i in range(spines):
        x = (i % (wide * 10)) * 140.0
        elements.append(
            _device(f"p{i}", "spine", "generic-switch", x, -400.0 - i // (wide * 10) * 60)
        )
    used: dict[str, int] = {}
    pairs = _pairs(units, spines, links)
    for number, (a, b) in enumerate(pairs, 1):
        ends = []
        for device in (a, b):
            used[device] = used.get(device, 0) + 1
            ends.append(Ports(device, str(used[device])))
        elements.append(
            Link(id=f"k{number}", a=ends[0], b=ends[1], cables=f"c{number}", gbps=400.0)
        )
    return Document(load_catalog(user=False), elements)


def _device(name: str, kind: str, type_id: str, x: float, y: float) -> Device:
    return Device(id=name, name=name, type=type_id, kind=kind, x=x, y=y)  # type: ignore[arg-type]


def _pairs(units: int, spines: int, links: int) -> list[tuple[str, str]]:
    short = [
        (f"s{u}-{i}", f"l{u}-{k}")
        for u in range(units)
        for i in range(UNIT_SERVERS)
        for k in range(UNIT_LEAVES)
    ][: links // 2]
    random = np.random.default_rng(1)
    count = links - len(short)
    leaves = zip(
        random.integers(0, units, count).tolist(),
        random.integers(0, UNIT_LEAVES, count).tolist(),
        random.integers(0, spines, count).tolist(),
        strict=True,
    )
    return short + [(f"l{u}-{k}", f"p{p}") for u, k, p in leaves]


@dataclass(frozen=True)
class Frames:
    """Times of frames in milliseconds of CPU."""

    name: str
    times: tuple[float, ...]

    def line(self) -> str:
        """Percentiles in words."""
        p50, p95 = np.percentile(self.times, [50, 95])
        share = np.mean(np.array(self.times) <= LIMIT_MS)
        return (
            f"  {self.name:34} p50 {p50:7.1f}  p95 {p95:7.1f}  max {max(self.times):7.1f} ms"
            f"  within 16 ms {share:4.0%}"
        )


def cpu(work: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def canvas_frames(canvas: CanvasView, name: str, step: Callable[[View, int], View]) -> Frames:
    """Frames of the canvas for a movement."""
    target = QImage(*SIZE, QImage.Format.Format_RGB32)
    view = canvas.view

    def frame(i: int) -> None:
        canvas.set_view(step(view, i))
        painter = QPainter(target)
        canvas.picture.blit(painter, canvas.view)
        painter.end()
        canvas.picture._advance(SLICE_S)

    return Frames(name, tuple(cpu(lambda i=i: frame(i)) for i in range(1, FRAMES + 1)))


def line_cost() -> float:
    """Nanoseconds of a plain line of 400 pixels: what this machine is worth today.

    A quiet core of the machine of the reference measurements needed 1,591 ns.
    """
    random = np.random.default_rng(0)
    angle, count = random.uniform(0, 2 * np.pi, 5000), 5000
    x, y = random.uniform(400, SIZE[0] - 400, count), random.uniform(400, SIZE[1] - 400, count)
    ends = (x, y, x + 400 * np.cos(angle), y + 400 * np.sin(angle))
    lines = np.ascontiguousarray(np.stack(ends, axis=1))
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setPen(QPen(QColor(Qt.GlobalColor.gray), 1.01))
    best = min(cpu(lambda: draw_lines(painter, lines)) for _ in range(5))
    painter.end()
    return best / count * 1e6


def sharp_after(canvas: CanvasView) -> float:
    """CPU milliseconds from a change of everything until the picture is sharp."""

    def work() -> None:
        canvas.picture.invalidate()
        canvas.picture.finish()

    return min(cpu(work) for _ in range(5))


def crowd_line(canvas: CanvasView) -> str:
    """How many of the lines that cross the picture were painted."""
    view = canvas.view.grown(200)
    rows = links.visible_strokes(canvas.scene, view)
    mode = links.line_mode(canvas.scene, view, rows)
    palette = links.line_palette(canvas.theme, mode)
    tally = crowds.Tally()
    image = QImage(round(view.width), round(view.height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for job in crowds.crowd_jobs(canvas.scene.strokes, view, rows, palette, 1.0, tally):
        job(painter)
    painter.end()
    return (
        f"{tally.lines} half-lines and lines meet the picture, {tally.painted} painted: "
        f"{tally.pixels / 1e6:.1f} Mpx in {tally.layers} layers"
    )


def until_sharp(canvas: CanvasView, begin: Callable[[], object]) -> list[float]:
    """Frames from something that makes the picture stale until it is sharp; `begin` is in one."""
    target = QImage(*SIZE, QImage.Format.Format_RGB32)

    def show() -> None:
        painter = QPainter(target)
        canvas.picture.blit(painter, canvas.view)
        painter.end()

    times = [cpu(lambda: (begin(), show()))]
    while not canvas.picture.is_sharp:
        times.append(cpu(lambda: (canvas.picture._advance(SLICE_S), show())))
    return times


def recolour(canvas: CanvasView, ids: tuple[str, ...]) -> Frames:
    """Frames while an engine pushes new loads for every link, four times."""
    random = np.random.default_rng(4)
    times: list[float] = []
    for _ in range(4):
        loads = (1.1 * random.beta(1.2, 3, (2, len(ids)))).astype(np.float32)

        def push(loads: NDArray[np.float32] = loads) -> None:
            canvas.scene.set_loads(ids, *loads)
            canvas.recolour_picture()

        times += until_sharp(canvas, push)
    return Frames("recolouring every link", tuple(times))


def drag(canvas: CanvasView, device: str) -> Frames:
    """Frames of moving a device with its links over the picture without them.

    Each is the mouse event and the painting that follows it, as the event loop runs them.
    """
    canvas.picture.finish()
    box = canvas.scene.rect_of(device)
    if box is None:
        raise LookupError(device)
    x, y = canvas.view.to_pixels((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    _mouse(canvas, QEvent.Type.MouseButtonPress, x, y)
    _mouse(canvas, QEvent.Type.MouseMove, x + 12, y + 12)
    canvas.picture.finish()
    QTest.qWait(300)  # the minimap repaints its picture a little later

    def frame(i: int) -> None:
        _mouse(canvas, QEvent.Type.MouseMove, x + 12 + 3 * i, y + 12 + 2 * i)
        QApplication.processEvents()

    times = tuple(cpu(lambda i=i: frame(i)) for i in range(FRAMES))
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    canvas.picture.finish()
    return Frames("drag of a device, 64 cables", times)


def _mouse(canvas: CanvasView, kind: QEvent.Type, x: float, y: float) -> None:
    left = Qt.MouseButton.LeftButton
    place = QPointF(x, y)
    event = QMouseEvent(kind, place, canvas.mapToGlobal(place), left, left, Qt.KeyboardModifier(0))
    QApplication.sendEvent(canvas, event)


def with_cables(document: Document, wanted: int) -> str:
    """The device whose number of links is nearest to the wanted one."""
    return min(document.devices, key=lambda i: abs(len(document.links_of(i)) - wanted))


def opening(document: Document) -> str:
    """Reading a file of this drawing beside `json.loads` of the same bytes."""
    data = native.dumps(document)
    parse = min(cpu(lambda: json.loads(data)) for _ in range(3))
    whole = min(cpu(lambda: native.loads(data, document.catalog, "benchmark")) for _ in range(3))
    return (
        f"  open {len(data) / 1e6:.0f} MB: {whole:.0f} ms, json.loads {parse:.0f} ms: "
        f"{whole / parse:.2f}x"
    )


def resident() -> float:
    """Memory of this process in MB, where the system tells."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return float("nan")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def plain_view(document: Document) -> tuple[QGraphicsView, QGraphicsScene]:
    """The same drawing as items of a plain QGraphicsView."""
    scene = QGraphicsScene()
    scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
    pen = QPen(QColor(Qt.GlobalColor.gray))
    pen.setCosmetic(True)
    for link in document.links.values():
        a, b = document.devices[link.a.device], document.devices[link.b.device]
        scene.addLine(QLineF(a.x, a.y, b.x, b.y), pen)
    for device in document.devices.values():
        scene.addRect(QRectF(device.x - 54, device.y - 22, 108, 44), pen)
    view = QGraphicsView(scene)
    view.resize(*SIZE)
    return view, scene


def plain_frames(document: Document, start: View, frames: int = 8) -> Frames:
    """Frames of the plain view, panning."""
    view, scene = plain_view(document)
    view.scale(start.scale, start.scale)
    view.centerOn(*start.to_canvas(SIZE[0] / 2, SIZE[1] / 2))
    target = QImage(*SIZE, QImage.Format.Format_RGB32)

    def frame() -> None:
        view.horizontalScrollBar().setValue(view.horizontalScrollBar().value() + 20)
        painter = QPainter(target)
        view.render(painter)
        painter.end()

    times = tuple(cpu(frame) for _ in range(frames))
    scene.clear()
    return Frames("plain QGraphicsView, pan", times)


def run(devices: int, wanted: int) -> None:
    """Print all figures for one size."""
    document = drawing(devices, wanted)
    session = DocumentSession(document)
    made: list[CanvasView] = []
    build = cpu(lambda: made.append(CanvasView(session, Theme.load("dark"))))
    canvas = made[0]
    canvas.resize(*SIZE)
    canvas.show()
    canvas.set_view(View.fit(canvas.scene.bounds(), *SIZE))
    random = np.random.default_rng(2)
    ids = tuple(document.links)
    loads = 1.1 * random.beta(1.2, 3, (2, wanted))
    canvas.scene.set_loads(ids, *loads)
    print(f"{devices} devices, {wanted} links: canvas made in {build:.0f} ms")
    fit = canvas.view
    canvas.picture.finish()
    print(f"  memory with document, scene and canvas: {resident():.0f} MB")
    for name, zoom in (("fit", 1.0), ("middle", 4.5), ("close", 20.0)):
        canvas.set_view(camera.zoomed(fit, zoom, SIZE[0] / 2, SIZE[1] / 2))
        start = canvas.view
        cost = line_cost()
        sharp = sharp_after(canvas)
        print(f"  {name}: sharp after {sharp:.0f} ms of CPU; a line of 400 px costs {cost:.0f} ns,")
        print(f"    as on a quiet reference core: {sharp * QUIET_LINE_NS / cost:.0f} ms")
        print(f"    {crowd_line(canvas)}")
        pan = canvas_frames(canvas, f"{name}, pan 20 px", lambda v, i: camera.panned(v, 20 * i, 0))
        print(pan.line())
        canvas.set_view(start)
        canvas.picture.finish()
        zooming = canvas_frames(
            canvas, f"{name}, zoom 3 %", lambda v, i: camera.zoomed(v, 1.03**i, 800, 500)
        )
        print(zooming.line())
        plain = plain_frames(document, start)
        print(plain.line())
        ratio = np.percentile(plain.times, 50) / np.percentile((*pan.times, *zooming.times), 50)
        print(f"  plain QGraphicsView / canvas, median frame: {ratio:.1f}x")
    canvas.set_view(fit)
    canvas.picture.finish()
    print(recolour(canvas, ids).line())
    device = with_cables(document, 64)
    box = canvas.scene.bounds((device,))
    canvas.set_view(camera.centred(camera.zoomed(fit, 20.0, 0, 0), box[0], box[1]))
    print(drag(canvas, device).line())
    print(opening(document))
    canvas.picture.stop()
    canvas.hide()
    session.close()


def main() -> None:
    """Run the sizes named on the command line."""
    app = QApplication(sys.argv[:1])
    register_fonts(app)
    sizes = sys.argv[1:] or ["2000,10000", "12000,60000", "50000,300000"]
    for size in sizes:
        devices, wanted = (int(part) for part in size.split(","))
        run(devices, wanted)


if __name__ == "__main__":
    main()
