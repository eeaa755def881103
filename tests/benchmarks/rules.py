"""How long all design rules take, against one analysis of the same drawing.

    python -m tests.benchmarks.rules [1k,16k,98k] [--profile]

Two drawings of each size: the routing benchmark's cluster, and the same with every cable too long,
so that every link has a finding. Bar: all rules, with their arrays, within one analysis of a
changed drawing: compiling it, making its router, analysing. CPU time of one thread, best of
several rounds.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable

import msgspec

from tests.benchmarks.routing import SIZES, cluster
from topoedit.app.analyse import analyse_fabric
from topoedit.app.check import lay_plan
from topoedit.catalog.load import load_catalog
from topoedit.engine.compile import compile_fabric
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.plan import Plan, Workload
from topoedit.rules.base import rules
from topoedit.rules.context import Context, PlanOnFabric
from topoedit.rules.run import check_document

ROUNDS = 3
WORKLOAD = Workload(model="llama3-70b", plan=Plan(tp=8, pp=8, vpp=5))


def best(work: Callable[[], object]) -> float:
    """Least CPU seconds of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def spoilt(document: Document) -> Document:
    """The same drawing with every cable longer than its medium reaches."""
    elements = [
        msgspec.structs.replace(e, medium="dac", length_m=4.0) if isinstance(e, Link) else e
        for e in document.elements()
    ]
    return Document(document.catalog, [e for e in elements if e.id != "document"])


def main(words: list[str]) -> None:
    """Print one line for each size and drawing."""
    sizes = next((w for w in words if not w.startswith("-")), "1k,16k,98k").split(",")
    catalog = load_catalog(user=False)
    for size in sizes:
        sound = cluster(SIZES[size])
        fabric = compile_fabric(sound)
        fabric = dataclasses.replace(fabric, accelerators=("h100-sxm",) * len(fabric.gpus))
        compiling = best(lambda: compile_fabric(sound))  # noqa: B023 - called at once
        anew = best(lambda: analyse_fabric(dataclasses.replace(fabric), WORKLOAD, catalog))  # noqa: B023
        plan = lay_plan(fabric, WORKLOAD, catalog)
        for name, drawing in (("sound", sound), ("spoilt", spoilt(sound))):
            taken = best(lambda: check_document(drawing, fabric, plan))  # noqa: B023
            report = check_document(drawing, fabric, plan)
            bar = compiling + anew
            found = sum((report.counts.error, report.counts.warning, report.counts.info))
            print(
                f"{size:>4} {name:<6} {len(drawing.links):>7} links  rules {taken * 1e3:7.1f} ms"
                f"  analysis {bar * 1e3:7.1f} ms (compiling {compiling * 1e3:.1f})"
                f"  {found} findings  {'held' if taken <= bar else 'MISSED'}"
            )
            if "--profile" in words:
                _by_rule(drawing, plan)


def _by_rule(document: Document, plan: PlanOnFabric) -> None:
    """Seconds of each rule, the arrays counted with the first that needs them."""
    context = Context(document, fabric=compile_fabric(document), plan=plan)
    taken = {}
    for table in ("devices", "links", "cables", "hosts", "tiers", "switch_pairs"):
        begun = time.process_time()
        getattr(context, table)
        taken[table] = time.process_time() - begun
    for rule in rules().values():
        begun = time.process_time()
        rule.check(context)
        taken[rule.id] = time.process_time() - begun
    for name, seconds in sorted(taken.items(), key=lambda item: -item[1])[:16]:
        print(f"       {name:<26} {seconds * 1e3:7.1f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
