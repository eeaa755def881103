"""Published measurements of collectives: reading a table of rows and the group each one ran on."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from topoedit.engine.collectives.choose import collective_time
from topoedit.engine.collectives.constants import section
from topoedit.engine.collectives.cost import OPS, bus_factor
from topoedit.engine.types import GroupShape
from topoedit.errors import BadFileError
from topoedit.paths import resources

PLATEAU_BYTES = 2.0**34
"""Size taken for a row that only gives the peak rate."""

_MAX_ROWS = 100_000
_LARGEST = 1e18
_MOST_GPUS = 10**7
_ALIASES = {"alltoall": "all_to_all", "sendrecv": "send_recv", "allreduce": "all_reduce"}
_CHIPS = {
    "gb200": ("gb200", "blackwell", 900e9), "gb300": ("gb300", "blackwell", 900e9),
    "b200": ("b200-sxm", "blackwell", 900e9), "b300": ("b300-sxm", "blackwell", 900e9),
    "h100": ("h100-sxm", "hopper", 450e9), "h200": ("h200-sxm", "hopper", 450e9),
    "h20": ("h20", "hopper", 450e9), "p5": ("h100-sxm", "hopper", 450e9),
    "a100": ("a100-sxm-80", "ampere", 300e9), "v100": ("v100-sxm2-32", "volta", 150e9),
    "mi300x": ("mi300x", "cdna3", 448e9), "mi355x": ("mi355x", "cdna4", 537.6e9),
}  # fmt: skip
_MESHED = {"cdna3", "cdna4"}
_DOMAIN = 8


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        setup: the row's id without its running number.
        skipped: why it cannot be compared; the other fields are then meaningless.
        time: measured seconds.
        host: seconds of host time per call that the benchmark adds.
    """

    id: str
    source: str
    setup: str
    op: str = ""
    size: float = 0.0
    shape: GroupShape | None = None
    time: float = 0.0
    algorithm: str = "auto"
    host: float = 0.0
    skipped: str = ""

    def error(self, constants: str | None = None) -> float:
        """Predicted over measured time, less 1."""
        assert self.shape is not None  # noqa: S101 - rows without shape are skipped
        predicted = collective_time(
            self.op, self.size, self.shape, algorithm=self.algorithm, host=self.host,
            constants=constants or section().default,
        )  # fmt: skip
        return predicted.time_s / self.time - 1


def published_rows() -> Path:
    """The table that the product ships."""
    return resources() / "validation" / "collectives.csv"


def read_rows(path: Path) -> list[Row]:
    """The rows of a table with the columns of the shipped one.

    Columns: id, source, collective, gpus, gpus_per_node, gpu, intra_link, inter_link,
    message_bytes, and one of time_us, algbw_GBps and busbw_GBps; optional: algorithm, host_us.

    Raises:
        BadFileError: not such a table.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            needed = {"id", "collective", "gpus", "gpu"}
            if missing := needed - set(table.fieldnames or ()):
                raise BadFileError(f"lacks the columns {', '.join(sorted(missing))}", str(path))
            rows = [row for row, _ in zip(table, range(_MAX_ROWS), strict=False)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadFileError(f"cannot be read: {error}", str(path)) from error
    return [row_of(row) for row in rows]


def row_of(cells: Mapping[str, str]) -> Row:
    """One row of a table; what cannot be compared says why in `skipped`."""
    cells = {key: (text or "").strip() for key, text in cells.items() if key}
    name = cells["id"]
    base = Row(name, cells.get("source") or "", name.rsplit("-", 1)[0])
    try:
        return _measurement(cells, base)
    except ValueError as error:
        return Row(base.id, base.source, base.setup, skipped=str(error))


def _measurement(cells: Mapping[str, str], base: Row) -> Row:
    op = _ALIASES.get(cells["collective"], cells["collective"])
    if op not in OPS:
        raise ValueError(f"{op} is no operation of the model")
    shape = group_of(cells)
    size = _number(cells, "message_bytes", PLATEAU_BYTES)
    if not size > 0:
        raise ValueError("a call of 0 bytes has no rate")
    return Row(
        base.id, base.source, base.setup, op, size, shape,
        _seconds(cells, op, size, shape.ranks),
        cells.get("algorithm") or "auto", _number(cells, "host_us", 0.0) * 1e-6,
    )  # fmt: skip


def _number(cells: Mapping[str, str], column: str, default: float) -> float:
    """A number of a cell; raises ValueError where it is none that a cluster could have."""
    text = cells.get(column, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= _LARGEST:
        raise ValueError(f'{column} "{text[:30]}" is no number')
    return value


def _whole(cells: Mapping[str, str], column: str, default: int) -> int:
    value = _number(cells, column, default)
    if value != int(value) or value > _MOST_GPUS:
        raise ValueError(f"{column} must be a whole number up to {_MOST_GPUS}, not {value:g}")
    return int(value)


def _seconds(cells: Mapping[str, str], op: str, size: float, ranks: int) -> float:
    """Seconds from the most direct figure: time, then algorithm and bus bandwidth."""
    micro = _number(cells, "time_us", 0.0)
    bus, algo = _number(cells, "busbw_GBps", 0.0), _number(cells, "algbw_GBps", 0.0)
    if micro > 0:
        return micro * 1e-6
    if bus > 0:
        return size * bus_factor(op, ranks) / (bus * 1e9)
    if algo > 0:
        return size / (algo * 1e9)
    raise ValueError("gives neither time nor rate")


def group_of(cells: Mapping[str, str]) -> GroupShape:
    """The group that a row ran on; raises ValueError where the row does not say enough."""
    ranks = _whole(cells, "gpus", 0)
    node = _whole(cells, "gpus_per_node", _DOMAIN)
    if ranks < 2 or node < 1:
        raise ValueError("the number of GPUs is not given")
    text = cells["gpu"].lower()
    chip = next((found for key, found in _CHIPS.items() if key in text), None)
    if chip is None:
        raise ValueError("the accelerator is not named")
    accelerator, generation, wire = chip
    servers = max(1, -(-ranks // node))
    local = ranks / servers
    if generation in _MESHED:
        wire *= (min(ranks, node) - 1) / (_DOMAIN - 1)
    inner, outer = cells.get("intra_link", ""), cells.get("inter_link", "")
    rate, ports, network = network_of(outer, generation) if servers > 1 else (0.0, 0, "")
    return GroupShape(
        ranks=ranks, servers=servers, per_server=local, domain_ranks=round(local),
        scaleup_rate=wire, network_rate=rate, nics_per_server=ports,
        generation=generation, accelerator=accelerator, network=network,
        multicast="nvlink" in inner.lower() and generation in {"hopper", "blackwell"},
        reduction="sharp" in outer.lower(),
    )  # fmt: skip


def network_of(text: str, generation: str) -> tuple[float, int, str]:
    """Bytes/s of a server's ports, how many, and the kind of network, from a description."""
    low = text.lower()
    many = re.search(r"(\d+)\s*x\s*(?:hdr|ndr|edr)?(\d+)", low)
    whole = re.search(r"(\d{3,5})\s*g", low)
    if many:
        ports, gbps = int(many[1]), float(many[2])
    elif whole:
        total = float(whole[1])
        ports = 8 if total > 800 else 1
        gbps = total / ports
    elif "efa" in low and generation == "hopper":
        ports, gbps = 8, 400.0
    else:
        raise ValueError("the network is not described")
    kinds = (("efa", "EFA"), ("tcpx", "TCPXO"), ("tcp", "TCP"), ("ib", "InfiniBand"),
             ("rdma", "InfiniBand"), ("roce", "Ethernet"))  # fmt: skip
    kind = next((name for key, name in kinds if key in low), "")
    if kind == "EFA" and "v3" in low:
        kind = "EFA v3"
    return ports * gbps / 8 * 1e9, ports, kind


def scored(rows: Iterable[Row]) -> list[Row]:
    """Rows that can be compared."""
    return [row for row in rows if not row.skipped]
