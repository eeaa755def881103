"""How long the HTML report takes, against writing as many plain CSV rows as there are cables.

    python -m tests.benchmarks.report [1k,16k,98k] [--plan]

Bar: within 20 times. CPU time of one thread from the open document to the bytes of the file, with
every section; `--plan` adds the analyses of a model. Each size is measured once, in a process that
has written a small report before.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from tests.benchmarks.deliverables import SITES, best, plain, schedule_of
from topoedit.app.generate import generate
from topoedit.app.report import make_report, write_report
from topoedit.catalog.load import load_catalog
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload

BAR = 20.0
PLAN = Workload(model="llama3-405b", plan=Plan(tp=8, pp=16))


def write(document: Document, workload: Workload | None, target: Path) -> dict[str, float]:
    """Write one report; CPU seconds of each stage, by what was told at its begin."""
    marks: list[tuple[str, float]] = [("", time.process_time())]

    def told(words: str, _: float) -> None:
        marks.append((words, time.process_time()))

    made = make_report(document, workload, file="site.topo.json", progress=told)
    write_report(made, target, progress=told)
    marks.append(("", time.process_time()))
    taken: dict[str, float] = {}
    for (words, begun), (_, ended) in pairwise(marks):
        taken[words] = taken.get(words, 0.0) + ended - begun
    return taken


def main(words: list[str]) -> None:
    """Print one line for each size, and where the time went."""
    sizes = next((w for w in words if not w.startswith("-")), "1k,16k,98k").split(",")
    workload = PLAN if "--plan" in words else None
    catalog = load_catalog(user=False)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.html"
        write(generate("fat-tree", {"gpus": 64}, catalog), None, target)
        for size in sizes:
            document = generate("fat-tree", SITES[size], catalog)
            rows = schedule_of(document)
            base = best(lambda rows=rows: plain(rows), 3)  # type: ignore[misc]
            taken = write(document, workload, target)
            total = sum(taken.values())
            print(
                f"{size:<4}{rows[0].count:>9,} cables  plain {base:6.3f} s  HTML {total:6.2f} s = "
                f"{total / base:5.1f}x (bar {BAR:g}x), {target.stat().st_size / 1e6:.1f} MB",
                flush=True,
            )
            for name, seconds in sorted(taken.items(), key=lambda pair: -pair[1])[:8]:
                print(f"      {seconds:6.2f} s  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
