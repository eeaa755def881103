"""How long a whole analysis takes after a change of plan or drawing, and the memory it needs.

    python -m tests.benchmarks.analysis [1k,16k,98k] [--profile] [--memory]

The fabrics of the routing benchmark; a dense plan (TP, PP, DP) and one with experts over eight
servers (all-to-all besides). Bars: a whole analysis within 3 times what the router takes plus 5 ms;
memory below 400 MB over what an idle worker needs, the document not counted. An edited link is
patched, the router and what else depends on the fabric made anew, then all is analysed. CPU time
of one thread, best of several rounds; `--memory` measures in a process of its own.
"""

from __future__ import annotations

import cProfile
import dataclasses
import pstats
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.routing import SIZES, cluster
from topoedit.app.analyse import analyse_fabric
from topoedit.catalog.load import load_catalog
from topoedit.engine import analyse as engine
from topoedit.engine.compile import compile_fabric, patch_fabric
from topoedit.engine.routing import Router
from topoedit.engine.types import Fabric
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.plan import Plan, Workload

ROUNDS = 7
FACTOR, REST = 3, 5e-3
MEMORY = 400e6
EDITS = 4
PLANS = {
    "dense": Workload(model="llama3-70b", plan=Plan(tp=8, pp=8, vpp=5)),
    "experts": Workload(model="deepseek-v3", plan=Plan(tp=8, pp=8, ep=64)),
}


class Clock:
    """Adds up the CPU time spent in a function."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, call: Callable[..., object]) -> Callable[..., object]:
        def timed(*words: object, **named: object) -> object:
            begun = time.process_time()
            try:
                return call(*words, **named)
            finally:
                self.seconds += time.process_time() - begun

        return timed


def measure(fabric: Fabric, workload: Workload) -> tuple[float, float, float]:
    """Seconds of the analysis, of routing in it, and of the router alone; best round."""
    catalog = load_catalog(user=False)
    analyse_fabric(fabric, workload, catalog)
    stage, router = Clock(), Clock()
    kept = engine.route_all, Router.route
    engine.route_all = stage.around(kept[0])  # type: ignore[assignment]
    Router.route = router.around(kept[1])  # type: ignore[assignment,method-assign]
    try:
        best = (float("inf"), 0.0, 0.0)
        for _ in range(ROUNDS):
            stage.seconds = router.seconds = 0.0
            begun = time.process_time()
            analyse_fabric(fabric, workload, catalog)
            best = min(best, (time.process_time() - begun, stage.seconds, router.seconds))
    finally:
        engine.route_all, Router.route = kept  # type: ignore[method-assign]
    return best


def main(words: list[str]) -> None:
    """Print one line for each size and plan."""
    sizes = next((w for w in words if not w.startswith("-")), "1k,16k,98k").split(",")
    if "--in-child" in words:
        _memory(sizes[0])
        return
    for size in sizes:
        if "--memory" in words:
            call = [sys.executable, "-m", "tests.benchmarks.analysis", size, "--in-child"]
            subprocess.run(call, check=True)
            continue
        document = cluster(SIZES[size])
        fabric = _with_accelerators(compile_fabric(document))
        for name, workload in PLANS.items():
            whole, routing, router = measure(fabric, workload)
            bar = FACTOR * router + REST
            print(
                f"{size:>4} {name:<8} analyse {whole * 1e3:7.1f} ms"
                f"  routing {routing * 1e3:6.1f} ms (router {router * 1e3:6.1f})"
                f"  bar {bar * 1e3:6.1f} ms"
                f"  {'held' if whole <= bar else 'MISSED'}"
            )
            if "--profile" in words:
                _profile(fabric, workload)
        patching, setup, whole = edited(document, fabric)
        print(
            f"{size:>4} edited link: patch {patching * 1e3:.1f} ms, router {setup * 1e3:.1f} ms, "
            f"with the whole analysis of the dense plan {whole * 1e3:.1f} ms"
        )


def _with_accelerators(fabric: Fabric) -> Fabric:
    return dataclasses.replace(fabric, accelerators=("h100-sxm",) * len(fabric.gpus))


def edited(document: Document, fabric: Fabric) -> tuple[float, float, float]:
    """Seconds of patching after one link is removed, of the router, and of all; best edit."""
    catalog, seen = load_catalog(user=False), list[Change]()
    document.listen(seen.append)
    best = (float("inf"), float("inf"), float("inf"))
    for link in list(document.links)[: EDITS * 1000 : 1000]:
        document.apply(Edit("Remove", drop=(link,)))
        begun = time.process_time()
        fabric = patch_fabric(fabric, document, seen[-1])
        patched = time.process_time()
        engine.router_of(fabric, Plan(routing="adaptive"))  # kept, and found by the analysis
        routed = time.process_time()
        analyse_fabric(fabric, PLANS["dense"], catalog)
        taken = (patched - begun, routed - patched, time.process_time() - begun)
        best = min(best, taken, key=lambda times: times[2])
    return best


def _memory(size: str) -> None:
    """Resident memory of compiling, analysing both plans, and following some edits."""
    catalog = load_catalog(user=False)
    document = cluster(SIZES[size])
    before = _resident()
    fabric = _with_accelerators(compile_fabric(document))
    for workload in PLANS.values():
        analyse_fabric(fabric, workload, catalog)
    edited(document, fabric)
    grown = _resident() - before
    held = "held" if grown <= MEMORY else "MISSED"
    print(f"{size:>4} memory {grown / 1e6:.0f} MB over an idle worker and its document  {held}")


def _resident() -> float:
    """Resident bytes of this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    line = next(line for line in lines if line.startswith("VmRSS"))
    return float(line.split()[1]) * 1024


def _profile(fabric: Fabric, workload: Workload) -> None:
    catalog = load_catalog(user=False)
    with cProfile.Profile() as profile:
        analyse_fabric(fabric, workload, catalog)
    pstats.Stats(profile).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main(sys.argv[1:])
