"""GraphML (http://graphml.graphdrawing.org): devices as nodes, links as edges with attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from topoedit.io.exporters._losses import losses
from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.model.ports import natural_key

_NODE_KEYS = {
    "name": "string", "kind": "string", "type": "string", "group": "string", "x": "double",
    "y": "double",
}  # fmt: skip
_EDGE_KEYS = {
    "ports_a": "string", "ports_b": "string", "cables": "int", "gbps": "double",
    "medium": "string", "length_m": "double", "network": "string", "rail": "int",
}  # fmt: skip
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KEPT = ("positions of devices", "devices without a cable", "types of devices")


def write(document: Document) -> Exported:
    """The drawing as GraphML; `gbps` is the rate of one cable per direction."""
    text = "\n".join(_lines(document)) + "\n"
    return Exported(text.encode(), losses(document, keeps=_KEPT))


def _lines(document: Document) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for owner, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for key, kind in keys.items():
            name = f'id="{owner}_{key}" for="{owner}" attr.name="{key}" attr.type="{kind}"'
            yield f"  <key {name}/>"
    yield '  <graph id="topology" edgedefault="undirected">'
    for device in sorted(document.devices.values(), key=lambda d: natural_key(d.id)):
        group = document.groups.get(device.group)
        values = {**_fields(device, _NODE_KEYS), "group": group.name if group else ""}
        yield f"    <node id={_attribute(device.id)}>{_data('node', values)}</node>"
    for link in sorted(document.links.values(), key=lambda link: natural_key(link.id)):
        yield (
            f"    <edge id={_attribute(link.id)} source={_attribute(link.a.device)} "
            f"target={_attribute(link.b.device)}>{_data('edge', _edge(link))}</edge>"
        )
    yield "  </graph>"
    yield "</graphml>"


def _fields(element: Device | Link, keys: dict[str, str]) -> dict[str, object]:
    return {key: getattr(element, key) for key in keys if hasattr(element, key)}


def _edge(link: Link) -> dict[str, object]:
    ends = {"ports_a": link.a.ports, "ports_b": link.b.ports, "cables": link.count}
    return {**_fields(link, _EDGE_KEYS), **ends}


def _data(owner: str, values: dict[str, object]) -> str:
    return "".join(
        f'<data key="{owner}_{key}">{escape(_clean(str(value)))}</data>'
        for key, value in values.items()
        if value not in (None, "")
    )


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


FORMAT = Exporter("graphml", "GraphML graph", (".graphml",), write)
