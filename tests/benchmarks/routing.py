"""How long routing takes, against an obvious router and, if given, another script.

    python -m tests.benchmarks.routing [1k,16k,98k] [--profile]

Rail-optimised three-tier fabrics of 1,024, 16,384 and 98,304 GPUs; a step's four kinds of
traffic: TP in the server, a DP ring on the rails, PP between eight stages, and all-to-all in
groups of 64 GPUs, once neighbours and once strided over the cluster. CPU time of one thread, best
of several rounds. At 1k the tests' networkx oracle routes the same demand.

`hash` is hashed ECMP over 100 seeds (1k and 16k), `tables` forwarding tables. One edited link is
the patch of the arrays, a new router and the four kinds with neighbouring all-to-all. At 1k and 16k
the pairs of leaves of PP, DP and the strided all-to-all go through the tests' networkx oracle too.

TOPOEDIT_BASELINE may name a Python script to run beside it with the sizes (with 100k for 98k) as
its argument; of its output, the figures `near`/`far` `total cpu N ms` are compared, and for one
edited link its `near` with what it says of its set-up.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.engine.routing.drawings import CATALOG, Draft
from tests.engine.routing.oracle import Oracle
from topoedit.engine.compile import compile_fabric, patch_fabric
from topoedit.engine.routing import HashedRouter, Router, TableRouter
from topoedit.engine.routing.sums import merge
from topoedit.engine.routing.tally import Tally
from topoedit.engine.types import (
    AllToAll,
    Demand,
    Fabric,
    Floats,
    Flows,
    InNetwork,
    Longs,
    VertexKind,
)
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit

ROUNDS = 5
STAGES = 8
GROUP = 64


@dataclass(frozen=True)
class Size:
    """A cluster: servers of eight GPUs, servers a unit, pods, spines a pod, cores a spine."""

    servers: int
    unit: int
    pods: int
    spines: int
    cores: int


SIZES = {
    "1k": Size(128, 32, 2, 16, 8),
    "16k": Size(2048, 32, 8, 32, 16),
    "98k": Size(12288, 64, 12, 64, 32),
}


def cluster(size: Size) -> Document:
    """The drawing: one leaf a rail and unit, spines by pod, spine k of every pod on like cores."""
    draft = Draft()
    units = size.servers // size.unit
    for server in range(size.servers):
        draft.device(f"n{server}", "eight")
    for leaf in range(units * 8):
        draft.device(f"leaf{leaf}", "leaf")
    for spine in range(size.pods * size.spines):
        draft.device(f"spine{spine}", "spine")
    for core in range(size.spines * size.cores):
        draft.device(f"core{core}", "core")
    for server in range(size.servers):
        for rail in range(8):
            draft.plug(f"n{server}", f"nic{rail}", f"leaf{server // size.unit * 8 + rail}")
    for leaf in range(units * 8):
        pod = leaf // (units * 8 // size.pods)
        for spine in range(size.spines):
            draft.join(f"leaf{leaf}", f"spine{pod * size.spines + spine}")
    for spine in range(size.pods * size.spines):
        for core in range(size.cores):
            draft.join(f"spine{spine}", f"core{spine % size.spines * size.cores + core}")
    return Document(CATALOG, draft.elements)


def demands(gpus: int) -> dict[str, Demand]:
    """The four kinds of traffic, the all-to-all twice."""
    rank = np.arange(gpus)
    server, local = rank // 8, rank % 8
    replicas = gpus // 8 // STAGES
    stage, replica = server // replicas, server % replicas
    following = (stage * replicas + (replica + 1) % replicas) * 8 + local
    first = rank[stage < STAGES - 1]
    strided = np.argsort(server % (gpus // GROUP), kind="stable").reshape(-1, GROUP)
    return {
        "TP": InNetwork(rank.reshape(-1, 8), 1.75e9, 1.75e9),
        "DP ring": Flows(rank, following, np.full(gpus, 2 * (replicas - 1) / replicas * 1.25e8)),
        "PP": Flows(first, first + replicas * 8, np.full(len(first), 1e9 / 64)),
        "all-to-all near": AllToAll(rank.reshape(-1, GROUP), 1e9 / GROUP**2),
        "all-to-all far": AllToAll(strided, 1e9 / GROUP**2),
    }


def cpu_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Least CPU time of some rounds in milliseconds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1e3


def pairs_of(demand: Demand) -> list[tuple[int, int, float]]:
    """Demand as pairs for the oracle; what stays in a switch has none."""
    if isinstance(demand, Flows):
        columns = (demand.src.tolist(), demand.dst.tolist(), demand.bytes.tolist())
        return list(zip(*columns, strict=True))
    if isinstance(demand, InNetwork):
        return []
    groups = demand.groups.tolist()
    return [(a, b, demand.pair_bytes) for group in groups for a in group for b in group if a != b]


def measure(name: str, *, profile: bool) -> dict[str, float]:
    """Measure one size; returns the totals `near` and `far` in milliseconds."""
    document = cluster(SIZES[name])
    compiling = cpu_ms(lambda: compile_fabric(document), 1)
    fabric = compile_fabric(document)
    setup = cpu_ms(lambda: Router(fabric), 3)
    router = Router(fabric)
    print(f"== {name}: {len(fabric.gpus)} GPUs, {len(fabric.src)} directed edges, ", end="")
    print(f"{router.graph.classes} classes; compile {compiling:.0f} ms, router {setup:.1f} ms")
    times: dict[str, float] = {}
    for kind, demand in demands(len(fabric.gpus)).items():
        times[kind] = cpu_ms(lambda d=demand: router.route(d, pxn=False))
        with_pxn = cpu_ms(lambda d=demand: router.route(d, pxn=True))
        print(f"   {kind:16} {times[kind]:8.2f} ms   with PXN {with_pxn:8.2f} ms")
    common = times["TP"] + times["DP ring"] + times["PP"]
    totals = {end: common + times[f"all-to-all {end}"] for end in ("near", "far")}
    print(f"   total            near {totals['near']:.2f} ms, far {totals['far']:.2f} ms")
    steps = edited(document, fabric)
    totals["edit"] = sum(steps.values())
    told = ", ".join(f"{step} {ms:.1f}" for step, ms in steps.items())
    print(f"   one edited link  {totals['edit']:.1f} ms: {told}")
    if name == "1k":
        against_oracle(fabric, router, common + times["all-to-all near"])
    if name != "98k":
        hashed(fabric)
        leaf_pairs(fabric)
    if profile:
        profiled(router, list(demands(len(fabric.gpus)).values()))
    return totals


def hashed(fabric: Fabric) -> None:
    """Hashed ECMP over 100 seeds, and forwarding tables."""
    drawn, tables = HashedRouter(fabric), TableRouter(fabric)
    for kind, demand in demands(len(fabric.gpus)).items():
        times = [cpu_ms(lambda r=r, d=demand: r.route(d), 1) for r in (drawn, tables)]
        print(f"   {kind:16} hash {times[0]:8.1f} ms   tables {times[1]:8.1f} ms")


class Recorder(Router):
    """A router that notes which pairs of terminals it routes."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seen: list[tuple[Longs, Longs, Floats]] = []

    def add_pairs(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> None:
        """Note them and go on."""
        self.seen.append((src, dst, amount))
        super().add_pairs(tally, src, dst, amount)


def leaf_pairs(fabric: Fabric) -> None:
    """Pairs of leaves through the router's graph and through networkx, one destination a time."""
    recorder = Recorder(fabric)
    every = demands(len(fabric.gpus))
    recorder.route([every[kind] for kind in ("DP ring", "PP", "all-to-all far")], pxn=False)
    src, dst, amount = (np.concatenate(column) for column in zip(*recorder.seen, strict=True))
    count = len(recorder.graph.terminal_class)
    key, amount = merge(src * count + dst, amount, count * count)
    src, dst = key // count, key % count
    fast_ms = cpu_ms(lambda: recorder.graph.route(src, dst, amount))
    fast = recorder.graph.route(src, dst, amount).load[recorder.graph.edge_class]
    oracle = Oracle(fabric)
    switches = [v for v in oracle.network if fabric.vertex_kind[v] >= VertexKind.LEAF]
    oracle.network = oracle.network.subgraph(switches).copy()
    number = recorder.attachment.number
    vertex = np.empty(int(number.max()) + 1, np.int64)
    vertex[number[number >= 0]] = np.flatnonzero(number >= 0)
    terminal = vertex[recorder.graph.graph.terminals].tolist()
    legs: dict[int, dict[int, float]] = {}
    for a, b, value in zip(src.tolist(), dst.tolist(), amount.tolist(), strict=True):
        legs.setdefault(terminal[b], {})[terminal[a]] = value
    load = np.zeros(len(fabric.src))
    start = time.process_time()
    for end, starts in legs.items():
        oracle.push(load, inside=False, end=end, starts=starts)
    slow_ms = (time.process_time() - start) * 1e3
    edge = recorder.attachment.edge
    worst = float(np.abs(fast - load[edge]).max() / load.max())
    print(
        f"   {len(src)} leaf pairs: {fast_ms:.2f} ms, networkx {slow_ms:.0f} ms, "
        f"{slow_ms / fast_ms:.0f} times as long; greatest difference {worst:.1e}"
    )


def edited(document: Document, fabric: Fabric) -> dict[str, float]:
    """CPU time after one link between a leaf and a spine is removed: patch, set-up, routing."""
    seen: list[Change] = []
    stop = document.listen(seen.append)
    link = next(i for i, one in document.links.items() if one.b.device.startswith("spine"))
    inverse = document.apply(Edit("Remove", drop=(link,)))
    times = {"patch": cpu_ms(lambda: patch_fabric(fabric, document, seen[0]))}
    patched = patch_fabric(fabric, document, seen[0])
    document.apply(inverse)
    stop()
    times["set-up"] = cpu_ms(lambda: Router(patched))
    router = Router(patched)
    work = [d for kind, d in demands(len(fabric.gpus)).items() if kind != "all-to-all far"]
    times["routing"] = sum(cpu_ms(lambda d=d: router.route(d, pxn=False)) for d in work)
    return times


def against_oracle(fabric: Fabric, router: Router, taken: float) -> None:
    """The networkx oracle on the same demand, and how far the loads differ."""
    oracle = Oracle(fabric)
    chosen = [d for kind, d in demands(len(fabric.gpus)).items() if kind != "all-to-all far"]
    pairs = [pair for demand in chosen for pair in pairs_of(demand)]
    start = time.process_time()
    slow = oracle.route(pairs, pxn=False)
    oracle_ms = (time.process_time() - start) * 1e3
    fast = router.route([d for d in chosen if not isinstance(d, InNetwork)], pxn=False)
    difference = float(np.abs(fast.bytes - slow.load).max() / slow.load.max())
    print(
        f"   oracle           {oracle_ms:.0f} ms, {oracle_ms / taken:.0f} times as long; ", end=""
    )
    print(f"greatest difference {difference:.1e}")


def profiled(router: Router, work: list[Demand]) -> None:
    """A short profile of all demands together."""
    profiler = cProfile.Profile()
    profiler.runcall(lambda: [router.route(demand, pxn=False) for demand in work])
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(8)


def baseline(sizes: list[str]) -> dict[tuple[str, str], float]:
    """Totals of the script in TOPOEDIT_BASELINE by size and kind; nothing without one."""
    script = os.environ.get("TOPOEDIT_BASELINE")
    if not script:
        return {}
    names = ",".join("100k" if size == "98k" else size for size in sizes)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, script, names], cwd=Path(script).parent, env=environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[tuple[str, str], float] = {}
    key, setup = ("", ""), 0.0
    for line in done.stdout.splitlines():
        head = re.match(r"== \S+ (\S+) ep=(\w+)", line)
        key = (head[1].replace("100k", "98k"), head[2]) if head else key
        parts = re.search(r"setup: quotient ([\d.]+) ms cpu, bfs ([\d.]+) ms", line)
        setup = float(parts[1]) + float(parts[2]) if parts else setup
        total = re.search(r"total cpu ([\d.]+) ms", line)
        if total:
            found[key] = float(total[1])
            if key[1] == "near":
                found[key[0], "edit"] = setup + float(total[1])
    return found


def main(arguments: list[str]) -> None:
    """Measure the sizes named and compare."""
    names = [a for a in arguments if not a.startswith("-")]
    sizes = names[0].split(",") if names else list(SIZES)
    totals = {size: measure(size, profile="--profile" in arguments) for size in sizes}
    for (size, kind), other in baseline(sizes).items():
        own = totals[size][kind]
        print(f"{size} {kind}: {own:.2f} ms, baseline {other:.2f} ms, ratio {own / other:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
