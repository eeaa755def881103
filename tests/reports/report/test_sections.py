"""What the sections say of drawings whose figures are worked out by hand."""

from __future__ import annotations

import pytest

from tests.reports.report.conftest import DENSE, blocks_of, sample, tables_of
from topoedit.app.generate import generate
from topoedit.app.report import Made, make_report
from topoedit.catalog.catalog import Catalog
from topoedit.engine.step.constants import step_section
from topoedit.errors import BadInputError, CancelledError
from topoedit.model.plan import Plan, Workload
from topoedit.reports.report.base import Section, chosen_sections, sections
from topoedit.reports.report.blocks import Callout, Figures, HeatMap, Histogram, Stack, Text
from topoedit.reports.report.words import model_words

ORDER = (
    "diagram", "summary", "tiers", "workload", "step", "oversubscription", "loads", "bottlenecks",
    "memory", "rules", "failures", "bom", "cables", "floor",
)  # fmt: skip


def test_sections_are_found_in_their_order() -> None:
    names = list(sections())
    assert [name for name in names if name in ORDER] == list(ORDER)
    assert names[-2:] == ["sources", "validation"]
    assert all(isinstance(one, Section) and one.title for one in sections().values())


def test_sections_are_chosen_in_the_order_of_the_report() -> None:
    assert [one.id for one in chosen_sections(["rules", " Tiers "])] == ["tiers", "rules"]
    assert len(chosen_sections([])) == len(sections())
    with pytest.raises(BadInputError, match=r'no section "tires".*tiers'):
        chosen_sections(["tires"])


def test_tiers_of_the_pod(pod64: Made) -> None:
    """64 GPUs x 450 GB/s NVLink; 64 NICs and 8 x 4 x 2 uplinks of 400 Gb/s = 50 GB/s each."""
    assert tables_of(pod64.report, "tiers")[0] == [
        ["scale-up", "0", "0", "0", "28.8 TB/s", "–", "–"],
        ["host-leaf", "8", "64", "64", "3.20 TB/s", "–", "–"],
        ["leaf-spine", "4", "32", "64", "3.20 TB/s", "1.0 : 1", "1.60 TB/s (100 %)"],
    ]


def test_tiers_of_the_superpod() -> None:
    """127 servers of 8 NICs and 4 cables of the fabric manager; 32 leaves x 16 spines x 2."""
    report = make_report(sample("superpod-h100-127"), sections=["tiers", "summary"]).report
    hosts, spines = tables_of(report, "tiers")[0][1:]
    assert hosts == ["host-leaf", "32", "1 020", "1 020", "51.0 TB/s", "–", "–"]
    assert spines[:5] == ["leaf-spine", "16", "512", "1 024", "51.2 TB/s"]
    facts = dict(line[:2] for line in tables_of(report, "summary")[0])
    assert facts["GPUs"] == "1 016"
    assert facts["Cables"] == "2 044"


def test_first_page_of_the_pod(pod64: Made) -> None:
    front = pod64.report.front
    assert front.title == "pod64-h100"
    assert front.subtitle.replace("\u2009", " ") == (
        "Llama 3 70B (llama3-70b) · TP 8 · CP 1 · PP 2 · DP 4 · EP 1 · seq 8 192 · batch 32 · bf16"
    )
    figures = next(block for block in front.blocks if isinstance(block, Figures))
    labels = [figure.label for figure in figures.items]
    assert labels == ["step time", "tokens per second", "MFU", "memory per GPU", "highest demand"]
    assert figures.items[0].note.startswith("80 %: ")
    assert figures.items[2].note == "full attention counted"
    assert figures.items[3].note == "of 85.9 GB"  # 80 x 2^30
    assert [table.title for table in front.pair] == ["Busiest links", "Equipment"]


def test_equipment_never_adds_unlike_things(pod64: Made) -> None:
    """8 x 10.2 kW; 12 x 1.72 kW; 64 NIC ports and 64 uplinks are 128 cables, two ports a cage."""
    equipment = pod64.report.front.pair[1]
    lines = {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in equipment.rows}
    assert lines["NVIDIA DGX H100"] == ["8", "81.6 kW"]
    assert lines["Leaf: NVIDIA Quantum-2 QM9700"][0] == "8"
    assert lines["Spine: NVIDIA Quantum-2 QM9700"][0] == "4"
    assert lines["Devices, at most, known for 20 of 20"] == ["", "102.2 kW"]
    assert lines["Modules in cages, within the above"][0] == "128"  # (8 x 4 + 64 + 32) cages
    assert lines["Cables: fibre"] == ["128", ""]


def test_step_parts_sum_to_the_step(pod64: Made) -> None:
    stack = next(b for b in blocks_of(pod64.report, "step") if isinstance(b, Stack))
    assert pod64.result is not None
    assert sum(one.value for one in stack.slices) == pytest.approx(
        pod64.result.analysis.step_time_s
    )
    parts = tables_of(pod64.report, "step")[0]
    assert parts[-1][0] == "Step"
    assert parts[-1][2] == "100.0 %"


def test_heat_map_shows_each_server_by_nic(pod64: Made) -> None:
    maps = [b for b in blocks_of(pod64.report, "loads") if isinstance(b, HeatMap)]
    assert [len(one.rows) for one in maps] == [8, 8]
    assert maps[0].columns == tuple(f"nic{n}" for n in range(8))
    assert maps[1].rows[0] == "leaf-1"
    assert maps[1].columns == ("spine-1", "spine-2", "spine-3", "spine-4")
    highest = max(
        tier.max_demand for tier in pod64.result.analysis.tiers if tier.tier == "host-leaf"
    )
    assert max(v for line in maps[0].values for v in line if v is not None) == pytest.approx(
        highest
    )


def test_histograms_count_every_direction_once(pod64: Made) -> None:
    plots = [b for b in blocks_of(pod64.report, "loads") if isinstance(b, Histogram)]
    assert [sum(one.count for one in plot.bins) for plot in plots] == [128, 64]


def test_two_to_one_leaves_cost_time(catalog: Catalog) -> None:
    """Losing one of two spines leaves the capacity that 4:1 has, so the step takes as long."""
    document = generate("fat-tree", {"gpus": 256, "oversubscription": 2.0}, catalog)
    plan = Workload(model="qwen3-30b-a3b", plan=Plan(ep=128, seq_len=4096))
    report = make_report(document, plan, sections=["tiers", "oversubscription", "failures"]).report
    assert tables_of(report, "tiers")[0][-1][5] == "2.0 : 1"
    drawn, equal, double = tables_of(report, "oversubscription")[0]
    assert [drawn[1], equal[1], double[1]] == ["2.0 : 1", "1.0 : 1", "4.0 : 1"]
    assert equal[4].startswith("−")
    assert double[4].startswith("+")
    demands = [float(line[6].rstrip(" %")) for line in (equal, drawn, double)]
    assert demands == pytest.approx([demands[0], 2 * demands[0], 4 * demands[0]], rel=2e-3)
    spine = next(line for line in tables_of(report, "failures")[0] if line[0] == "one spine")
    assert spine[2] == double[2]
    leaf = next(line for line in tables_of(report, "failures")[0] if line[0] == "one leaf")
    assert leaf[5].startswith("stops: ")


def test_failures_without_a_plan_name_cut_points(catalog: Catalog) -> None:
    document = generate("fat-tree", {"gpus": 256}, catalog)
    report = make_report(document, sections=["failures"]).report
    lines = tables_of(report, "failures")[0]
    assert "the loss of any of 8 switches" in lines[0][0]
    words = " ".join(getattr(b, "text", "") for b in blocks_of(report, "failures"))
    assert "Assumed" in words


def test_what_needs_a_plan_is_left_out_without_one(pod64_plain: Made) -> None:
    ids = {part.id for part in pod64_plain.report.parts}
    assert not ids & {"step", "loads", "bottlenecks", "memory", "oversubscription"}
    assert {"summary", "tiers", "rules", "bom", "cables", "sources", "validation"} <= ids
    assert [table.title for table in pod64_plain.report.front.pair] == ["Checks", "Equipment"]


def test_memory_that_does_not_fit_is_the_message() -> None:
    plan = Workload(model="llama3-70b", plan=Plan(tp=4, pp=2))
    report = make_report(sample("pod64-h100"), plan, sections=["memory"]).report
    message = next(b for b in report.front.blocks if isinstance(b, Callout))
    assert message.severity == "error"
    assert message.title.startswith("Does not fit: ")
    assert "--tp 8" in message.text


def test_rules_say_what_ran_and_what_could_not(pod64_plain: Made) -> None:
    titles = [getattr(block, "title", "") for block in blocks_of(pod64_plain.report, "rules")]
    assert "Rules that ran" in titles
    assert "Not checked" in titles


def test_cables_add_up(pod64_plain: Made) -> None:
    lines = tables_of(pod64_plain.report, "cables")[0]
    assert sum(int(line[4]) for line in lines) == 128
    for line in lines:
        metres, count, together = (float(line[i].split(" ")[0]) for i in (3, 4, 5))
        assert metres * count == together


def test_bom_lines_of_the_pod(pod64_plain: Made) -> None:
    """8 servers with 4 cages and 12 switches with 96 used cages: 32 flat and 96 finned modules."""
    lines = {(line[0], line[2]): line[3] for line in tables_of(pod64_plain.report, "bom")[0]}
    assert lines["server", "–"] == "8"
    assert lines["switch", "–"] == "12"
    assert lines["module", "MMS4X00-NS"] == "96"
    assert lines["module", "MMS4X00-NS-FLT"] == "32"


def test_floor_says_what_it_covers(pod64_plain: Made) -> None:
    """8 x 10.2 kW and 12 switches; all racks together are the whole."""
    words = " ".join(getattr(b, "text", "") for b in blocks_of(pod64_plain.report, "floor"))
    assert words.startswith("Power is known for all 8 servers and all 12 switches: ")
    whole, *_ = tables_of(pod64_plain.report, "floor")[0]
    racks = tables_of(pod64_plain.report, "floor")[1]
    assert whole[1] == "4"
    assert sum(float(line[2].split(" ")[0]) for line in racks) == pytest.approx(
        float(whole[2].split(" ")[0]), abs=0.2
    )


def test_a_stopped_report_says_so() -> None:
    asked = iter([False] * 3 + [True] * 100)
    with pytest.raises(CancelledError):
        make_report(sample("pod64-h100"), cancel=lambda: next(asked))


def test_progress_rises_to_the_end() -> None:
    seen: list[float] = []
    make_report(sample("pod64-h100"), DENSE, progress=lambda _, share: seen.append(share))
    assert seen[0] == 0.0
    assert all(0.0 <= share <= 1.0 for share in seen)
    assert seen[-1] > 0.7


def test_an_empty_drawing_has_a_report(catalog: Catalog) -> None:
    from topoedit.model.document import Document

    report = make_report(Document(catalog)).report
    assert report.front.title == "Untitled"
    assert report.marked == 0


def test_sections_never_change_the_drawing() -> None:
    document = sample("pod64-h100")
    before = sorted(map(repr, document.elements()))
    make_report(document, DENSE)
    assert document.revision == 0
    assert sorted(map(repr, document.elements())) == before


def test_the_interval_and_the_table_of_errors_count_the_same_steps(pod64: Made) -> None:
    """206 complete ones, 199 dense and 75 with experts; 207 of them dense ones on H100 and H200."""
    step, errors = tables_of(pod64.report, "validation")
    counts = {line[0]: int(line[1]) for line in errors}
    steps = sum(count for what, count in counts.items() if what.startswith("Step time"))
    kinds = step_section().intervals
    assert steps == sum(kind.rows for kind in kinds.values())
    words = dict(step)["Rests on"]
    assert words.startswith(
        f"{kinds['dense-hopper'].rows} of {steps} published steps: dense models"
    )


def test_a_model_is_called_as_in_the_catalogue(pod64: Made, catalog: Catalog) -> None:
    (settings,) = tables_of(pod64.report, "workload")
    assert dict(settings)["Model"] == "Llama 3 70B (llama3-70b)"
    assert model_words("Llama 3 70B", catalog) == "Llama 3 70B"
    assert model_words("my/config.json", catalog) == "my/config.json"


def test_power_is_said_in_two_plain_sentences(pod64: Made) -> None:
    text = next(block for block in blocks_of(pod64.report, "floor") if isinstance(block, Text))
    assert text.text == (
        "Power is known for all 8 servers and all 12 switches: 102.2 kW at most. This is IT power "
        "without cooling and losses; pluggable modules are included, and a switch with passive "
        "copper alone counts with its typical draw."
    )
