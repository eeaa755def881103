"""Samples of the rules about what is in a server and in a scale-up domain."""

from __future__ import annotations

from msgspec.structs import replace

from tests.rules.drawing import Case, Draft, Make, changed, made
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import PortGroup
from topoedit.model.document import Document
from topoedit.model.edits import Edit

RAILS = made("rail-optimized", nodes=4)


def _type(**inside: object) -> Make:
    """A DGX H100 with another inside."""

    def build(catalog: Catalog) -> Document:
        base = catalog.devices["dgx-h100"]
        assert base.inside is not None
        kind = replace(base, id="mine", inside=replace(base.inside, **inside))
        return Draft(catalog).device("n1", kind).device("n2", kind).document()

    return build


def _links(*per_chip: int) -> Make:
    def build(catalog: Catalog) -> Document:
        base = catalog.devices["dgx-h100"]
        assert base.inside is not None
        scaleup = replace(base.inside.scaleup, links_per_chip=per_chip)
        kind = replace(base, id="mine", inside=replace(base.inside, scaleup=scaleup))
        return Draft(catalog).device("n1", kind).document()

    return build


def _nics(count: int) -> Make:
    def build(catalog: Catalog) -> Document:
        base = catalog.devices["dgx-h100"]
        nics = PortGroup(prefix="nic", first=0, count=count, gbps=400, role="compute", railed=True)
        return Draft(catalog).device("n1", replace(base, id="mine", ports=(nics,))).document()

    return build


def _trays(trays: int) -> Make:
    """GB200 trays on one NVLink switch tray, all in one rack."""

    def build(catalog: Catalog) -> Document:
        draft = Draft(catalog).group("rack-1").device("nvs", "nvswitch-tray-nvl5", group="rack-1")
        for number in range(1, trays + 1):
            draft.device(f"t{number}", "gb200-tray", group="rack-1")
            draft.link(f"t{number}:nvlink0", f"nvs:{number}")
        return draft.document()

    return build


def _torus(*shape: int) -> Make:
    def build(catalog: Catalog) -> Document:
        base = catalog.devices["tpu-v4-pod"]
        assert base.inside is not None
        scaleup = replace(base.inside.scaleup, torus=shape)
        gpus = shape[0] * shape[1] * shape[2]
        kind = replace(base, id="slice", inside=replace(base.inside, gpus=gpus, scaleup=scaleup))
        return Draft(catalog).device("pod", kind).document()

    return build


CASES = (
    Case("nic-pcie", _type(pcie="pcie5"), _type(pcie="pcie4"),
         ("400 Gb/s are 50 GB/s", "of 16 lanes gives 31")),
    Case("gpu-nic-ratio", _nics(8), _nics(4), ("4 compute NICs", "8 GPUs and 1 for each")),
    Case("gpu-without-nic", RAILS,
         changed(RAILS, lambda d: Edit("Cut", drop=d.links_of("node-02"))),
         ("1 server with 8 GPUs (node-02)",), ("node-02",)),
    Case("nvlink-domain", _trays(18), _trays(20),
         ("80 GPUs in one NVLink 5 domain over 20 servers", "largest built is 72")),
    Case("nvlink-links", _links(5, 4, 4, 5), _links(4, 4, 4, 4),
         ("16 scale-up links a GPU over 4 chips", "has 18"), ("n1",)),
    Case("torus-wrap", _torus(4, 4, 8), _torus(4, 4, 6), ("4 x 4 x 6", "6 is no multiple of 4")),
)  # fmt: skip
