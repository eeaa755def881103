"""How long a whole analysis takes after a change of plan, against the routing in it.

    python -m tests.benchmarks.analysis [1k,16k,98k] [--profile]

The fabrics of the routing benchmark; a dense plan (TP, PP, DP) and one with experts over eight
servers (all-to-all besides). Bar: a whole analysis within 3 times its routing plus 5 ms. Routing is
building the demand of the plan, routing it and finding the fullest edges; what the router alone
takes is printed beside it. CPU time of one thread, best of several rounds.
"""

from __future__ import annotations

import cProfile
import dataclasses
import pstats
import sys
import time
from collections.abc import Callable

from tests.benchmarks.routing import SIZES, cluster
from topoedit.app.analyse import analyse_fabric
from topoedit.catalog.load import load_catalog
from topoedit.engine import analyse as engine
from topoedit.engine.compile import compile_fabric
from topoedit.engine.routing import Router
from topoedit.engine.types import Fabric
from topoedit.model.plan import Plan, Workload

ROUNDS = 7
FACTOR, REST = 3, 5e-3
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
    for size in sizes:
        fabric = compile_fabric(cluster(SIZES[size]))
        fabric = dataclasses.replace(fabric, accelerators=("h100-sxm",) * len(fabric.gpus))
        for name, workload in PLANS.items():
            whole, routing, router = measure(fabric, workload)
            bar = FACTOR * routing + REST
            print(
                f"{size:>4} {name:<8} analyse {whole * 1e3:7.1f} ms  routing {routing * 1e3:6.1f} ms"
                f" (router {router * 1e3:6.1f})  bar {bar * 1e3:6.1f} ms"
                f"  {'held' if whole <= bar else 'MISSED'}"
            )
            if "--profile" in words:
                _profile(fabric, workload)


def _profile(fabric: Fabric, workload: Workload) -> None:
    catalog = load_catalog(user=False)
    with cProfile.Profile() as profile:
        analyse_fabric(fabric, workload, catalog)
    pstats.Stats(profile).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main(sys.argv[1:])
