"""Samples of the rules about patch panels and trunks."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tests.rules.drawing import Case, Draft, Make
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.elements import Ports, Trunk

TRUNK = Trunk(
    id="t1", a=Ports("p1", "1-4"), b=Ports("p2", "1-4"), fibres=48, fibre="smf", polish="APC",
    polarity="B", length_m=40.0,
)  # fmt: skip


def patched(*trunks: Trunk, panels: str = "12", limit: int | None = None, **fields: Any) -> Make:
    """One 400G link through port 1 of some panels; its own fields over the usual ones."""
    usual = {
        "medium": "400g-dr4", "gbps": 400.0, "length_m": 50.0,
        "through": tuple(Ports(f"p{n}", "1") for n in panels),
    }  # fmt: skip

    def make(catalog: Catalog) -> Document:
        draft = Draft(catalog).device("n1", "dgx-h100").device("leaf-1", "qm9700")
        for number in "1234":
            draft.device(f"p{number}", "generic-panel")
        draft.elements += trunks or (TRUNK,)
        if limit is not None:
            draft.settings(max_panels=limit)
        return draft.link("n1:nic0", "leaf-1:1", **usual | fields).document()

    return make


SECOND = replace(TRUNK, id="t2", a=Ports("p3", "1-4"), b=Ports("p4", "1-4"))
CASSETTE = replace(TRUNK, fibres=8)

CASES = (
    Case("panel-count", patched(panels="1234", limit=4), patched(panels="123"),
         ("through 3 patch panels, more than 2",), ("link-c1",)),
    Case("panel-medium", patched(), patched(medium="dac-100", length_m=2.0),
         ("DAC", "plugs attached", "2 patch panels"), ("link-c1",)),
    Case("panel-path", patched(), patched(panels="13"),
         ("trunk t1 behind p1:1 leads to p2:1",), ("link-c1",)),
    Case("panel-connector", patched(), patched(medium="400g-fr4"),
         ("LC of 400G-FR4 meets MPO-12 of trunk t1",), ("link-c1",)),
    Case("panel-connector", patched(CASSETTE, medium="400g-fr4"),
         patched(replace(TRUNK, polish="UPC")), ("APC polish", "meets UPC of trunk t1"),
         ("link-c1",)),
    Case("panel-connector", patched(medium="800g-dr8", through=(Ports("p1", "1-2"),)),
         patched(medium="800g-dr8"), ("2 MPO-12 a cable, but takes 1 port",), ("link-c1",)),
    Case("panel-connector", patched(), patched(replace(TRUNK, fibre="mmf")),
         ("runs on smf, but trunk t1 is mmf",), ("link-c1",)),
    Case("panel-connector", patched(medium="cat6", through=(Ports("p1", "9"), Ports("p2", "9"))),
         patched(medium="cat6"), ("Twisted pair", "meets MPO-12 of trunk t1"), ("link-c1",)),
    Case("trunk-fill", patched(), patched(replace(TRUNK, fibres=24)),
         ("uses 8 fibres a connector, but trunk t1 has 6 a port",), ("link-c1",)),
    Case("polarity", patched(), patched(replace(TRUNK, polarity="C")), ("method C",),
         ("link-c1",)),
    Case("polarity", patched(TRUNK, SECOND, panels="1234"),
         patched(TRUNK, replace(SECOND, polarity="A"), panels="1234"),
         ("mixes the polarity methods A and B",), ("link-c1",)),
    Case("loss-budget", patched(), patched(replace(TRUNK, splices=16)),
         ("loses 3.12 dB (0.02 dB fibre + 0.7 dB in 2 connector pairs + 2.4 dB in 16 splices)",
          "the 3 dB"), ("link-c1",)),
    Case("panel-length", patched(), patched(length_m=30.0),
         ("30 m long, but its trunks alone take 40 m",), ("link-c1",)),
)  # fmt: skip
