"""Readers of the files for cable validation, written from their documentation alone."""

from __future__ import annotations

import io
import re
from typing import NamedTuple

import openpyxl

End = tuple[str, str]


class Topology(NamedTuple):
    """What a `.topo` file says: system -> type, and each cable as its two ends and its arrow."""

    systems: dict[str, str]
    cables: dict[frozenset[End], str]
    listed: int


def read_topo(data: bytes) -> Topology:
    """A topology file by the grammar of `ibdm-topo-file(1)`.

    A cable that both ends list must be the same from both; a system has one type throughout.
    """
    systems: dict[str, str] = {}
    cables: dict[frozenset[End], str] = {}
    listed, system = 0, ""

    def declare(name: str, kind: str) -> None:
        assert systems.setdefault(name, kind) == kind

    for line in data.decode().splitlines():
        if not line.strip():
            system = ""
        elif not line[0].isspace():
            kind, system = line.split()
            declare(system, kind)
        else:
            assert system, line
            port, arrow, kind, far, far_port = line.split()
            assert re.fullmatch(r"-(?:\d+x-[\d.]+G-)?>", arrow), arrow
            declare(far, kind)
            cable = frozenset({(system, port), (far, far_port)})
            assert cables.setdefault(cable, arrow) == arrow
            listed += 1
    return Topology(systems, cables, listed)


_STRING = r'"((?:[^"\\]|\\.)*)"'
_NODE = re.compile(rf"\s*{_STRING} \[(.*)\]")
_EDGE = re.compile(rf"\s*{_STRING}:{_STRING} -- {_STRING}:{_STRING}")
_ATTRIBUTE = re.compile(rf"(\w+)={_STRING}")


class Graph(NamedTuple):
    """What a DOT file says: node -> attributes, and each cable as its two ends."""

    nodes: dict[str, dict[str, str]]
    cables: list[frozenset[End]]


def read_dot(data: bytes) -> Graph:
    """An undirected graph with ports, one statement a line."""
    first, *lines, last = data.decode().strip().split("\n")
    assert first == "graph network {"
    assert last == "}"
    graph = Graph({}, [])
    for line in filter(None, lines):
        node, edge = _NODE.fullmatch(line), _EDGE.fullmatch(line)
        if node:
            attributes = {key: _plain(value) for key, value in _ATTRIBUTE.findall(node[2])}
            assert graph.nodes.setdefault(_plain(node[1]), attributes) is attributes
        else:
            assert edge, line
            a, a_port, b, b_port = map(_plain, edge.groups())
            graph.cables.append(frozenset({(a, a_port), (b, b_port)}))
    return graph


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def read_sheets(data: bytes) -> dict[str, list[dict[str, object]]]:
    """Sheet -> rows by their heads, which are found whatever their case and order."""
    found: dict[str, list[dict[str, object]]] = {}
    for sheet in openpyxl.load_workbook(io.BytesIO(data)):
        head, *rows = sheet.values
        keys = [str(cell).lower() for cell in head]
        assert len(set(keys)) == len(keys)
        found[sheet.title] = [dict(zip(keys, row, strict=True)) for row in rows]
    return found
