"""Frames of the canvas while panning and zooming, beside a plain QGraphicsView of the same scene.

    python -m tests.benchmarks.canvas [2000,10000] [12000,60000] [50000,300000]

A frame is one `set_view`, one paint and one slice of refinement, as the event loop would run them.
Times are CPU milliseconds of this process; machines differ, so read the ratios.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView

from topoedit.catalog.load import load_catalog
from topoedit.editor.canvas import camera
from topoedit.editor.canvas.picture import SLICE_S
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.session import DocumentSession
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Ports
from topoedit.render.theme import Theme, register_fonts
from topoedit.render.view import View

SIZE = (1600, 1000)
FRAMES = 60
UNIT_SERVERS, UNIT_LEAVES = 32, 8
LIMIT_MS = 16.0


def drawing(devices: int, links: int) -> Document:
    """Units of 32 servers and 8 leaves on a grid, spines on top; short and long links mixed."""
    units = max(1, devices // (UNIT_SERVERS + UNIT_LEAVES))
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


def sharp_after(canvas: CanvasView) -> float:
    """CPU milliseconds from a change of everything until the picture is sharp."""

    def work() -> None:
        canvas.picture.invalidate()
        canvas.picture.finish()

    return min(cpu(work) for _ in range(3))


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


def run(devices: int, links: int) -> None:
    """Print all figures for one size."""
    document = drawing(devices, links)
    session = DocumentSession(document)
    made: list[CanvasView] = []
    build = cpu(lambda: made.append(CanvasView(session, Theme.load("dark"))))
    canvas = made[0]
    canvas.resize(*SIZE)
    canvas.set_view(View.fit(canvas.scene.bounds(), *SIZE))
    random = np.random.default_rng(2)
    ids = list(document.links)
    canvas.scene.set_loads(ids, random.uniform(0, 1.05, links), random.uniform(0, 1.05, links))
    print(f"{devices} devices, {links} links: canvas made in {build:.0f} ms")
    fit = canvas.view
    middle = camera.zoomed(fit, 4.5, SIZE[0] / 2, SIZE[1] / 2)
    for name, start in (("fit", fit), ("middle", middle)):
        canvas.set_view(start)
        print(f"  {name}: sharp after {sharp_after(canvas):.0f} ms of CPU")
        pan = canvas_frames(canvas, f"{name}, pan 20 px", lambda v, i: camera.panned(v, 20 * i, 0))
        print(pan.line())
        canvas.set_view(start)
        canvas.picture.finish()
        zoom = canvas_frames(
            canvas, f"{name}, zoom 3 %", lambda v, i: camera.zoomed(v, 1.03**i, 800, 500)
        )
        print(zoom.line())
        plain = plain_frames(document, start)
        print(plain.line())
        ratio = np.percentile(plain.times, 50) / np.percentile((*pan.times, *zoom.times), 50)
        print(f"  plain QGraphicsView / canvas, median frame: {ratio:.1f}x")
    colours = random.uniform(0, 1.05, links)
    print(f"  new loads: {cpu(lambda: canvas.scene.set_loads(ids, colours, colours)):.0f} ms")
    canvas.picture.stop()
    session.close()


def main() -> None:
    """Run the sizes named on the command line."""
    app = QApplication(sys.argv[:1])
    register_fonts(app)
    sizes = sys.argv[1:] or ["2000,10000", "12000,60000"]
    for size in sizes:
        devices, links = (int(part) for part in size.split(","))
        run(devices, links)


if __name__ == "__main__":
    main()
