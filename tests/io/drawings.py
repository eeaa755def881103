"""Drawings for the tests of files."""

from __future__ import annotations

from tests.model.small import small_catalog
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, Note, Ports, SavedWorkload, Settings
from topoedit.model.plan import Plan, Workload


def small_drawing() -> Document:
    """Two servers in a rack, ten and two to show natural order, a leaf, a note, a workload."""
    return Document(
        small_catalog(),
        [
            Note(id="note-1", text="two lines\nof text é", x=-5.5),
            Link(
                id="link-2", a=Ports("node-2", "nic0-3"), b=Ports("leaf", "5-8"), cables="c5-8",
                gbps=400.0,
            ),
            Link(
                id="link-1", a=Ports("node-10", "nic0-3"), b=Ports("leaf", "1-4"), cables="c1-4",
                gbps=400.0, length_m=3.0,
            ),
            Device(id="node-10", name="node-10", type="server4", kind="server", group="rack"),
            Device(id="node-2", name="node-2", type="server4", kind="server", group="rack", x=9.25),
            Device(id="leaf", name="leaf", type="switch8", kind="leaf", y=-80.0),
            Group(id="rack", name="rack", kind="rack"),
            SavedWorkload(
                id="w", name="w", workload=Workload(model="llama-3.1-70b", plan=Plan(tp=4))
            ),
            Settings(name="Small"),
        ],
    )  # fmt: skip


CANONICAL = """{
"format":"topoedit",
"format_version":2,
"elements":[
{"is":"settings","name":"Small"},
{"is":"workload","id":"w","name":"w","workload":{"model":"llama-3.1-70b","plan":{"tp":4}}},
{"is":"group","id":"rack","name":"rack","kind":"rack"},
{"is":"device","id":"leaf","name":"leaf","type":"switch8","kind":"leaf","y":-80.0},
{"is":"device","id":"node-2","name":"node-2","type":"server4","kind":"server","group":"rack","x":9.25},
{"is":"device","id":"node-10","name":"node-10","type":"server4","kind":"server","group":"rack"},
{"is":"link","id":"link-1","a":["node-10","nic0-3"],"b":["leaf","1-4"],"cables":"c1-4","gbps":400.0,"length_m":3.0},
{"is":"link","id":"link-2","a":["node-2","nic0-3"],"b":["leaf","5-8"],"cables":"c5-8","gbps":400.0},
{"is":"note","id":"note-1","text":"two lines\\nof text é","x":-5.5}
]
}
"""
