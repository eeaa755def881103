"""Several jobs on one fabric."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from tests.engine.step.cases import catalog, fabric, llm
from topoedit.app.generate import generate
from topoedit.cli.main import main
from topoedit.engine.jobs import Job, SharedJob, analyse_jobs, shared_links
from topoedit.engine.types import Fabric, Tier
from topoedit.errors import BadPlanError
from topoedit.io import native
from topoedit.model.plan import Plan, Workload

SLOW = 0.02


def narrow(share: float = SLOW) -> Fabric:
    """512 H100 below leaves whose uplinks have a small share of their rate."""
    whole = fabric("fat-tree", system="dgx-h100", nodes=64)
    capacity = whole.capacity.copy()
    capacity[whole.tier == Tier.LEAF_SPINE] *= share
    return dataclasses.replace(whole, capacity=capacity)


def job(name: str, ranks: np.ndarray, **plan: object) -> Job:
    wanted = Plan(**{"zero": 3, "seq_len": 512, **plan})
    return Job(name, llm("llama3-8b"), Workload(model="llama3-8b", plan=wanted), ranks)


def halves(drawing: Fabric) -> tuple[np.ndarray, np.ndarray]:
    """Every second server to either of two jobs: both cross the uplinks of every leaf."""
    server = np.arange(len(drawing.gpus)) // 8
    return np.flatnonzero(server % 2 == 0), np.flatnonzero(server % 2 == 1)


def two(share: float = SLOW, **plan: object) -> tuple[Fabric, tuple[SharedJob, ...]]:
    drawing = narrow(share)
    one, other = halves(drawing)
    return drawing, analyse_jobs(drawing, [job("a", one, **plan), job("b", other)], catalog())


def test_equal_jobs_on_saturated_links_take_nearly_twice_as_long() -> None:
    """Alone each fills the uplinks most of the time: s = 1 + s u / (1 - u + s u), at most 2."""
    drawing, found = two()
    first, second = found
    assert first.slowdown == pytest.approx(second.slowdown, rel=1e-6)
    assert 1.7 < first.slowdown <= 2
    uplinks = drawing.tier == Tier.LEAF_SPINE
    alone = float(np.nanmax(first.alone.figures.utilisation[uplinks]))
    assert alone > 0.5
    links = shared_links(drawing, found)
    assert links
    assert all(link.tier == "leaf-spine" for link in links)
    assert links[0].utilisation == pytest.approx(sum(links[0].by_job.values()))
    assert links[0].utilisation <= 1 + 1e-6
    assert set(links[0].by_job) == {"a", "b"}


def test_wide_links_slow_nobody_down() -> None:
    _, found = two(1.0)
    assert all(1 <= one.slowdown < 1.01 for one in found)


def test_jobs_apart_do_not_meet() -> None:
    """Each below leaves of its own, on rings that never leave them."""
    drawing = narrow()
    server = np.arange(len(drawing.gpus)) // 8
    jobs = [job("a", np.flatnonzero(server < 2)), job("b", np.flatnonzero(server == 63))]
    found = analyse_jobs(drawing, jobs, catalog())
    assert [one.slowdown for one in found] == [1.0, 1.0]
    assert shared_links(drawing, found) == ()


def test_a_light_neighbour_takes_little() -> None:
    """A job that sends once in many micro-batches stretches the other less than its equal does."""
    _, equal = two()
    drawing = narrow()
    one, other = halves(drawing)
    quiet = job("quiet", other, zero=1, tp=8, seq_len=8192, global_batch=4096)
    found = analyse_jobs(drawing, [job("a", one), quiet], catalog())
    assert 1 <= found[0].slowdown < equal[0].slowdown


def test_a_job_alone_is_as_ever() -> None:
    drawing = narrow()
    (only,) = analyse_jobs(drawing, [job("a", halves(drawing)[0])], catalog())
    assert only.slowdown == 1.0
    assert only.shared.analysis.step_time_s == only.alone.analysis.step_time_s


def test_a_gpu_belongs_to_one_job() -> None:
    drawing = narrow()
    one, _ = halves(drawing)
    with pytest.raises(BadPlanError, match="jobs a and b both use GPU 0"):
        analyse_jobs(drawing, [job("a", one), job("b", one[:64])], catalog())


@pytest.fixture
def pod_file(tmp_path: Path) -> Path:
    file = tmp_path / "pod.topo.json"
    native.save(generate("rail-optimized", {"system": "dgx-h100", "nodes": "8"}, catalog()), file)
    return file


def test_command(pod_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(
        "jobs:\n"
        "  - {name: pretrain, model: llama3-8b, ranks: 0-31, tp: 8, micro-batch: 1}\n"
        "  - {name: tune, model: llama3-8b, ranks: [32-47], zero: 3, recompute: full}\n"
    )
    code = main(["analyze", str(pod_file), "--jobs", str(jobs), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code in (0, 1)
    assert [row["name"] for row in answer["jobs"]] == ["pretrain", "tune"]
    assert [row["gpus"] for row in answer["jobs"]] == [32, 16]
    for row in answer["jobs"]:
        assert row["slowdown"] == pytest.approx(row["step_time_s"] / row["alone_s"])
        assert row["interval"]["low_s"] < row["step_time_s"] < row["interval"]["high_s"]
    assert main(["analyze", str(pod_file), "--jobs", str(jobs)]) == code
    assert "pretrain" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tp: 8", "lists no jobs"),
        ("jobs: []", "lists no jobs"),
        ("jobs: [8]", "job 1: is no table"),
        ("jobs: [{model: llama3-8b}]", "does not say on which GPUs"),
        ("jobs: [{model: llama3-8b, ranks: 0-99}]", "are not there"),
        ("jobs: [{model: llama3-8b, ranks: 0-7, wings: 2}]", 'a plan has no "wings"'),
        ("jobs: [{ranks: 0-7}]", "which model"),
        ("jobs: [{name: x, model: llama3-8b, ranks: 0-7, tp: 3}]", "job x: --tp: tp 3"),
        (
            "jobs: [{name: a, model: llama3-8b, ranks: 8}, {name: a, model: llama3-8b, ranks: 9}]",
            "twice",
        ),
        ("jobs: [", "YAML"),
    ],
)
def test_bad_files_end_with_one_line(
    pod_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(text)
    assert main(["analyze", str(pod_file), "--jobs", str(jobs)]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert said in out.err
    assert len(out.err.strip().splitlines()) == 1


def test_a_plan_beside_jobs_is_refused(
    pod_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["analyze", str(pod_file), "--jobs", str(tmp_path / "x.yaml"), "--model", "llama3-8b"]
    assert main(words) == 2
    assert "plans of their own" in capsys.readouterr().err
    assert main(["analyze", str(pod_file)]) == 2
    assert "which model" in capsys.readouterr().err
