"""A pod of two racks with 20 physical cables, drawn by hand, four links of it through panels."""

from __future__ import annotations

from tests.reports.conftest import device, link
from topoedit.model.elements import Group, PortOverride, Ports, Settings, Trunk


def panel_pod() -> list[object]:
    """Eight jumpers and their trunk, six fibres, two twin DACs, a splitter and two patch cords."""
    dr4 = {"medium": "400g-dr4", "gbps": 400.0}
    dac = {"medium": "dac-100", "gbps": 400.0}
    oob = {"medium": "cat6", "gbps": 1.0, "length_m": 6.0, "network": "out-of-band"}
    return [
        Settings(name="panel-pod"),
        Group(id="berlin", name="Berlin", kind="site"),
        Group(id="R1", name="R1", kind="rack", parent="berlin", row="A", column=1),
        Group(id="R2", name="R2", kind="rack", parent="berlin", row="A", column=2),
        device("node-1", "server", "dgx-h100", "R1", unit=1,
               ports=(PortOverride(names="nic0", pcie="0000:18:00.0"),)),
        device("node-2", "server", "dgx-h100", "R1", unit=9),
        device("panel-1", "panel", "generic-panel", "R1", unit=42),
        device("tray-1", "server", "gb200-tray", "R2", unit=20),
        device("tray-2", "server", "gb200-tray", "R2", unit=21),
        device("oob-1", "leaf", "sn2201", "R2", unit=38, network="out-of-band"),
        device("leaf-1", "leaf", "qm9700", "R2", unit=40),
        device("leaf-2", "leaf", "qm9700", "R2", unit=41),
        device("panel-2", "panel", "generic-panel", "R2", unit=42),
        device("spine-1", "spine", "qm9700", "R2", unit=44),
        Trunk(id="trunk-1", a=Ports("panel-1", "1-12"), b=Ports("panel-2", "1-12"), fibres=144,
              fibre="smf", connector="MPO-12", polish="APC", polarity="B"),
        link("n1l1", "node-1/nic0-3", "leaf-1/1-4", "c1-4", length_m=7.5, phase="1",
             through=(Ports("panel-1", "1-4"), Ports("panel-2", "1-4")), **dr4),
        link("n1l2", "node-1/nic4-7", "leaf-2/1-4", "c5-8", length_m=6.0, phase="1", **dr4),
        link("n2l1", "node-2/nic0-1", "leaf-1/5-6", "c9-10", length_m=5.0, phase="2", **dr4),
        link("l1s1", "leaf-1/33-34", "spine-1/1-2", "c11-12", length_m=1.0, phase="1", **dac),
        link("l2s1", "leaf-2/33-34", "spine-1/3-4", "c13-14", length_m=1.0, phase="1", **dac),
        link("l2t1", "leaf-2/35", "tray-1/nic0", "c15", length_m=1.5, **dac),
        link("l2t2", "leaf-2/36", "tray-2/nic0", "c16", length_m=1.5, **dac),
        link("n1oob", "node-1/bmc", "oob-1/1", "c17", **oob),
        link("n2oob", "node-2/bmc", "oob-1/2", "c18", **oob),
    ]  # fmt: skip
