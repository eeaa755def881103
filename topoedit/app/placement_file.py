"""Which GPU each rank runs on, from a hostlist, a hostfile or a rankfile.

Hostlist: names, one a line or with commas, ranges as in `node-[01-04,7]`. Hostfile: a name a line
with `slots=8` (Open MPI) or `:8` (MPICH). Rankfile: `rank 0=node-01 slot=3` (Open MPI).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from topoedit.engine.types import Fabric, Longs
from topoedit.errors import BadPlanError
from topoedit.io.reading import decode_text, read_bytes

MAX_BYTES = 20_000_000
MAX_NAMES = 1_000_000
_RANK = re.compile(r"rank\s+(\d+)\s*=\s*(\S+)\s+slots?\s*=\s*(\d+)\s*", re.IGNORECASE)
_HOST = re.compile(r"(?P<name>[^\s:]+)(?:\s*:\s*(?P<a>\d+)|\s+(?:max_)?slots\s*=\s*(?P<b>\d+))?\s*")
_RANGE = re.compile(r"(.*?)\[([0-9,\-]+)\](.*)")


def read_placement(path: Path, fabric: Fabric) -> Longs:
    """GPU number of each rank.

    Raises:
        BadInputError: the file cannot be read.
        BadPlanError: it names a server that is not drawn, or more slots than a server has GPUs.
    """
    text = decode_text(read_bytes(path, MAX_BYTES), str(path))
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line]
    if not numbered:
        raise BadPlanError("names no server", str(path))
    servers = _Servers(fabric)
    if _RANK.fullmatch(numbered[0][1]):
        return _ranks(path, numbered, servers)
    order: list[int] = []
    for number, line in numbered:
        for name, slots in _hosts(path, number, line):
            order += servers.gpus(name, slots, f"{path}:{number}")
    return np.array(order, dtype=np.int64)


class _Servers:
    """GPU numbers by name of their server."""

    def __init__(self, fabric: Fabric) -> None:
        rows = np.asarray(fabric.gpu_server)
        turn = np.argsort(rows, kind="stable")
        cuts = np.flatnonzero(np.diff(rows[turn])) + 1
        blocks = np.split(turn, cuts) if len(turn) else []
        self._by_name: dict[str, list[int]] = {
            fabric.device_names[int(rows[block[0]])]: block.tolist() for block in blocks
        }

    def gpus(self, name: str, slots: int | None, where: str) -> list[int]:
        """The first `slots` GPUs of a server, all if None."""
        found = self._by_name.get(name)
        if found is None:
            raise BadPlanError(f'there is no server "{name}" with GPUs on the drawing', where)
        if slots is not None and slots > len(found):
            raise BadPlanError(f"{name} has {len(found)} GPUs, not {slots}", where)
        return found if slots is None else found[:slots]


def _ranks(path: Path, lines: list[tuple[int, str]], servers: _Servers) -> Longs:
    chosen: dict[int, int] = {}
    for number, line in lines:
        where = f"{path}:{number}"
        match = _RANK.fullmatch(line)
        if match is None:
            raise BadPlanError("is no line of a rankfile", where, "rank 0=node-01 slot=3")
        rank, name, slot = int(match[1]), match[2], int(match[3])
        if rank in chosen:
            raise BadPlanError(f"rank {rank} is given twice", where)
        chosen[rank] = servers.gpus(name, slot + 1, where)[slot]
    missing = next((rank for rank in range(len(chosen)) if rank not in chosen), None)
    if missing is not None:
        raise BadPlanError(f"rank {missing} is missing", str(path))
    return np.array([chosen[rank] for rank in range(len(chosen))], dtype=np.int64)


def _hosts(path: Path, number: int, line: str) -> Iterator[tuple[str, int | None]]:
    """Names and slots on one line."""
    for word in re.split(r",(?![^\[]*\])", line):
        match = _HOST.fullmatch(word.strip())
        if match is None:
            raise BadPlanError(f'"{word.strip()}" is no host', f"{path}:{number}")
        slots = match["a"] or match["b"]
        for name in _expanded(match["name"], f"{path}:{number}"):
            yield name, None if slots is None else int(slots)


def _expanded(name: str, where: str) -> list[str]:
    """Names of a range such as `node-[01-04,7]`."""
    match = _RANGE.fullmatch(name)
    if match is None:
        return [name]
    head, body, tail = match.groups()
    names: list[str] = []
    for piece in body.split(","):
        first, dash, last = piece.partition("-")
        if not first or (dash and not last):
            raise BadPlanError(f'"{name}" is no range', where, "For example node-[01-04,7]")
        numbers = range(int(first), int(last or first) + 1)
        if len(names) + len(numbers) > MAX_NAMES:
            raise BadPlanError(f'"{name}" names more than {MAX_NAMES} servers', where)
        names += [f"{head}{n:0{len(first)}d}{tail}" for n in numbers]
    return names
