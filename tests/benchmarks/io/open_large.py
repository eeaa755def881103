"""Opening a drawing of 300,000 cables, as a ratio to `json.loads` of the same file.

Run: `python tests/benchmarks/io/open_large.py`. CPU time of one core, best of three.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from topoedit.catalog.load import load_catalog
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Link, Ports

SERVERS, RAILS, CABLES = 12_500, 8, 300_000
LEAVES = SERVERS * RAILS // 32
SPINES = LEAVES // 2


def elements() -> Iterator[AnyElement]:
    """100,000 GPUs on rails, one cable a link: the worst case for a file."""
    for number in range(SERVERS):
        name = f"node-{number}"
        yield Device(id=name, name=name, type="dgx-h100", kind="server", x=100.0 * number)
    for role, count in (("leaf", LEAVES), ("spine", SPINES)):
        for number in range(count):
            name = f"{role}-{number}"
            yield Device(id=name, name=name, type="generic-switch", kind=role, x=1.5 * number)
    ends = [
        (f"node-{s}", f"nic{r}", f"leaf-{(s // 32 * RAILS + r) % LEAVES}", f"{s}x{r}")
        for s in range(SERVERS)
        for r in range(RAILS)
    ]
    ends += [
        (f"leaf-{k % LEAVES}", f"up{k}", f"spine-{(k // LEAVES * 7 + k) % SPINES}", f"{k}")
        for k in range(CABLES - len(ends))
    ]
    for number, (a, a_port, b, b_port) in enumerate(ends, start=1):
        cable = f"c{number}"
        yield Link(
            id=f"link-{cable}", a=Ports(a, a_port), b=Ports(b, b_port), cables=cable, gbps=400.0
        )


def best(work: Callable[[], object]) -> float:
    """Least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print the ratios."""
    catalog = load_catalog(user=False)
    document = Document(catalog, elements())
    data = native.dumps(document)
    baseline = best(lambda: json.loads(data))
    for what, work in {
        "open": lambda: native.loads(data, catalog, "large"),
        "parse alone": lambda: native.parse_elements(data, "large"),
        "write": lambda: native.dumps(document),
    }.items():
        seconds = best(work)
        print(f"{what:<12} {seconds:6.2f} s  {seconds / baseline:5.2f} x json.loads")
    print(f"json.loads   {baseline:6.2f} s  of {len(data) / 1e6:.1f} MB, {len(document)} elements")


if __name__ == "__main__":
    main()
