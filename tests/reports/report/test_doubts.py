"""Which lines are marked, how they are counted, and when there are none."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from tests.reports.report.conftest import DENSE, sample
from topoedit.app.generate import generate
from topoedit.app.report import Made, make_report
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import CustomType
from topoedit.model.plan import Plan, Workload
from topoedit.reports.report.blocks import doubts_of
from topoedit.reports.report.build import MARKED, marked_words


def lines(made: Made) -> int:
    report = made.report
    blocks = [*report.front.blocks, *report.front.pair]
    blocks += [block for part in report.parts if part.id != MARKED for block in part.blocks]
    return sum(1 for doubts in doubts_of(blocks) if doubts)


def test_marked_lines_are_counted(pod64: Made) -> None:
    """The NVLink links per chip of a DGX H100 are quoted from memory, and so its step time."""
    report = pod64.report
    assert report.marked == report.unverified == lines(pod64) > 0
    assert report.overridden == 0
    assert "NVIDIA DGX H100: inside.scaleup.links_per_chip" in {d.what for d in report.doubts}
    assert report.front.marked == f"† {report.marked} lines rest on unverified values."
    assert report.parts[-1].id == MARKED


def test_words_of_the_count() -> None:
    assert marked_words(1, 0) == "† 1 line rests on unverified values."
    assert marked_words(2, 1) == (
        "† 2 lines rest on unverified values and ‡ 1 line on overridden values."
    )
    assert marked_words(0, 3) == "‡ 3 lines rest on overridden values."


def test_a_share_set_in_the_plan_is_overridden() -> None:
    plan = Workload(model="llama3-70b", plan=Plan(tp=8, pp=2, routing_efficiency=0.5))
    report = make_report(sample("pod64-h100"), plan, sections=["step"]).report
    assert "share that routing reaches: 0.5" in {doubt.what for doubt in report.doubts}
    assert report.overridden > 0
    assert report.marked < report.unverified + report.overridden  # a line may be both


def test_a_type_of_the_drawing_itself_is_overridden() -> None:
    document = sample("pod64-h100")
    kind = document.catalog.devices["qm9700"]
    own = msgspec.structs.replace(kind, power_kw_max=3.0)
    document.apply(Edit("Own type", put=(CustomType(id="qm9700", type=own),)))
    report = make_report(document, sections=["bom"]).report
    found = {doubt for doubt in report.doubts if doubt.kind == "overridden"}
    assert [(d.what, d.why) for d in found] == [
        (f"{kind.name}: the drawing's own type", "differs from the catalogue's")
    ]


def test_a_type_carried_as_the_catalogue_has_it_is_not() -> None:
    document = sample("pod64-h100")
    kind = document.catalog.devices["qm9700"]
    document.apply(Edit("Own type", put=(CustomType(id="qm9700", type=kind),)))
    assert make_report(document, sections=["bom"]).report.overridden == 0


def test_a_catalogue_of_the_user_is_overridden(catalog: Catalog) -> None:
    mine = dataclasses.replace(catalog, overridden={"models/llama3-70b": "mine.yaml"})
    document = Document(mine, list(sample("pod64-h100").elements()))
    report = make_report(document, DENSE, sections=["memory"]).report
    assert {(d.what, d.why) for d in report.doubts if d.kind == "overridden"} == {
        (f"{catalog.models['llama3-70b'].name}: a catalogue of your own", "mine.yaml")
    }


def test_a_drawing_of_sure_figures_is_clear(catalog: Catalog) -> None:
    """With every figure verified nothing is marked, and the list of them is not there."""
    kind = msgspec.structs.replace(catalog.devices["dgx-h100"], unverified=())
    sure = dataclasses.replace(catalog, devices={**dict(catalog.devices.items()), "dgx-h100": kind})
    document = Document(sure, list(sample("pod64-h100").elements()))
    report = make_report(document, DENSE, sections=["tiers", "step", "memory", "loads"]).report
    assert report.marked == 0
    assert report.front.marked == "No line rests on an unverified or overridden value."
    assert MARKED not in {part.id for part in report.parts}


def test_split_ports_are_not_the_users_doing(catalog: Catalog) -> None:
    """A template carries switches with split ports in the drawing; their figures are the box's."""
    document = generate("fat-tree", {"gpus": 256, "leaf": "sn5600", "system": "dgx-h100"}, catalog)
    assert any("-2x" in type_id for type_id in document.types)
    assert make_report(document, sections=["bom", "tiers"]).report.overridden == 0


@pytest.mark.parametrize("name", ["gb200-pod-8", "two-sites", "dgx-h100", "fabric-1024"])
def test_every_sample_has_a_report_that_counts(name: str) -> None:
    made = make_report(sample(name))
    assert made.report.marked == lines(made)
