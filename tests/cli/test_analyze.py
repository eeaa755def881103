"""`topoedit analyze`: exit codes, JSON keys, tables, plan files and bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest

from topoedit.cli.main import main
from topoedit.engine.explain import keys
from topoedit.model.analysis import Analysis
from topoedit.paths import samples

POD = str(samples() / "pod64-h100.topo.json")
DGX = str(samples() / "dgx-h100.topo.json")
MODEL = ("--model", "llama-3.1-70b")
BOOK = (
    "--global-batch", "1", "--seq-len", "8192", "--tp", "8", "--pp", "1",
    "--no-sequence-parallel", "--recompute", "none",
)  # fmt: skip

Run = tuple[int, str, str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*words: str) -> Run:
        code = main(["analyze", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize("drawing", [DGX, POD], ids=["one server", "pod"])
def test_a_70b_does_not_fit_and_the_json_is_complete(run, drawing):
    code, out, _ = run(drawing, *MODEL, *BOOK, "--links", "all", "--json")
    record = json.loads(out)
    assert code == 1
    assert record["memory"]["risk"] == "no"
    assert msgspec.convert(record, Analysis).step_time_s > 0
    layers = [r for r in record["communication"] if r["class"] == "TP" and r["part"] == "layers"]
    assert [r["bytes_per_gpu"] for r in layers] == [pytest.approx(75.16e9, rel=1e-4)]
    assert all("TP" not in link["by_class"] for link in record["links"])


def test_keys_of_the_contract(run):
    code, out, _ = run(POD, *MODEL, "--tp", "8", "--pp", "2", "--json")
    record = json.loads(out)
    assert code == 0
    assert set(record) >= {
        "topology", "workload", "step_time_s", "interval", "tokens_per_s", "tokens_per_s_per_gpu",
        "tflops_per_gpu", "mfu", "mfu_causal", "hfu", "memory", "breakdown_s", "unreachable",
        "communication", "tiers", "bottlenecks", "links", "warnings", "assumptions",
    }  # fmt: skip
    assert set(record["interval"]) >= {
        "low_s",
        "high_s",
        "basis",
        "rows",
        "nearest",
        "extrapolated",
    }
    assert set(record["bottlenecks"][0]) >= {
        "links", "example", "from", "to", "utilisation", "phase_share", "demand", "bytes",
        "by_class", "cost_s", "cost_one_s", "why",
    }  # fmt: skip
    assert sum(record["breakdown_s"].values()) == pytest.approx(record["step_time_s"], rel=1e-12)
    workload = record["workload"]
    assert (workload["model"], workload["tp"], workload["dp"]) == ("llama3-70b", 8, 4)
    assert (workload["zero"], workload["schedule"], workload["stack"]) == (1, "1f1b", "nemo")
    assert (workload["sequence_parallel"], workload["routing"]) == (True, "adaptive")
    assert all(row["source"] for row in record["assumptions"])


def test_a_table_for_people(run):
    code, out, _ = run(POD, *MODEL, "--tp", "8", "--pp", "2")
    assert code == 0
    for word in ("step time", "80 % interval", "MFU", "scale-up", "host-leaf", "bottleneck"):
        assert word in out


def test_links_as_a_table(run, tmp_path):
    table = tmp_path / "links.csv"
    code, _, _ = run(POD, *MODEL, "--tp", "8", "--pp", "2", "--links", str(table))
    assert code == 0
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 2 * 96
    assert {"link", "from", "to", "capacity_GBps", "demand", "state", "DP", "PP"} <= set(rows[0])
    assert max(float(row["utilisation"]) for row in rows) <= 1


def test_a_plan_file_with_options_over_it(run, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text("model: llama3-8b\ntp: 4\npp: 2\nmicro-batch: 2\nalgorithm: {DP: ring}\n")
    _, out, _ = run(POD, "--plan", str(plan), "--tp", "8", "--json")
    workload = json.loads(out)["workload"]
    assert (workload["model"], workload["tp"], workload["pp"]) == ("llama3-8b", 8, 2)
    assert (workload["micro_batch"], workload["algorithms"]) == (2, "DP=ring")


def test_every_figure_can_be_explained(run):
    from topoedit.app.analyse import analyse_document
    from topoedit.app.open import open_document
    from topoedit.engine.explain import explain
    from topoedit.model.plan import Plan, Workload

    workload = Workload(model="mixtral-8x7b", plan=Plan(tp=2, pp=2, ep=4, cp=2))
    result = analyse_document(open_document(Path(POD)).document, workload)
    for key in keys(result):
        answer = explain(result, key)
        assert answer.formula, key
        assert answer.source, key
        assert answer.inputs or not answer.value, key
    code, out, _ = run(POD, *MODEL, "--tp", "8", "--explain", "step_time_s", "--json")
    answer = json.loads(out)
    parts = (
        "compute",
        "recompute",
        "tp",
        "cp",
        "ep",
        "pp",
        "bubble",
        "dp",
        "wan",
        "optimizer",
        "other",
    )
    assert answer["value"] == pytest.approx(sum(answer["inputs"][p] for p in parts))
    assert code in (0, 1)


BAD = [
    (("--tp", "6"), "Nearest that work: 4, 8"),
    (("--tp", "0"), "tp must lie between 1"),
    (("--tp", "8", "--pp", "16"), "needs 128 GPUs, the drawing has 64"),
    (("--tp", "x"), "--tp"),
    (("--precision", "int8"), 'unknown precision "int8"'),
    (("--precision", "nvfp4"), "no nvfp4 mode"),
    (("--schedule", "zigzag"), "Known: afab, 1f1b, zb, dualpipe"),
    (("--stack", "nemo@x", "--tp", "3"), "does not divide"),
    (("--pxn", "maybe"), "neither on nor off"),
    (("--algorithm", "TP"), "is not CLASS=NAME"),
    (("--algorithm", "XX=ring"), "no traffic class"),
    (("--algorithm", "TP=sorcery", "--tp", "8"), "sorcery"),
    (("--constants", "mine", "--tp", "8"), "--constants"),
    (("--links", "links.txt", "--tp", "8"), "neither all nor a .csv"),
    (("--explain", "luck", "--tp", "8"), 'no figure "luck"'),
    (("--plan", "nowhere.yaml"), "nowhere.yaml"),
]


@pytest.mark.parametrize(
    ("words", "line"), BAD, ids=lambda v: " ".join(v) if isinstance(v, tuple) else ""
)
def test_bad_input_is_one_line_and_exit_2(run, words, line):
    code, out, err = run(POD, *MODEL, *words, "--json")
    assert (code, out) == (2, "")
    assert line in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the file is empty"),
        ("tp: [1", "is not YAML"),
        ("tp: 8\ntp: 4", 'the key "tp" is used twice'),
        ("tp: &a [*a]", "anchors and aliases"),
        ("tp: !!python/object/apply:os.getcwd []", "tags are not allowed"),
        ("tp: " + "9" * 10_000, "--tp: expected a whole number, not text"),
        ('tp: "8"', "--tp: expected a whole number, not text"),
        ("tp: 8.0", "--tp: expected a whole number, not a number"),
        ("dp: [1]", "--dp: expected a whole number, not a list"),
        ("pxn: maybe", "--pxn: expected on or off, not text"),
        ("algorithm: fast", '--algorithm: "fast" is not CLASS=NAME. For example DP=ring'),
        ("algorithm: {XX: ring}", '--algorithm: there is no traffic class "XX"'),
        ("algorithm: {TP: luck}", '--algorithm: there is no algorithm "luck". Known: auto, '),
        ("tp: 8\nalgorithm: {TP: nvls}", '--algorithm: "nvls" cannot carry out all_gather. Able: '),
        ("algorithm: {TP: [ring]}", "--algorithm: expected text, not a list"),
        ("- 8", "not a table"),
        ("tpp: 8", 'no "tpp". Nearest: tp'),
        ("tp: many", "--tp"),
    ],
)
def test_bad_plan_files(run, tmp_path, text, line):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text)
    code, out, err = run(POD, *MODEL, "--plan", str(plan), "--json")
    assert (code, out) == (2, "")
    assert line in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"tp: 8 # \xff", "is not UTF-8 text (line 1"), (b"\0\1\2", "is a binary file, not text")],
)
@pytest.mark.parametrize("option", ["--plan", "--placement"])
def test_plan_files_that_are_no_text(run, tmp_path, option, data, says):
    file = tmp_path / "file"
    file.write_bytes(data)
    code, out, err = run(POD, *MODEL, option, str(file), "--json")
    assert (code, out) == (2, "")
    assert says in err
    _, _, err = run(POD, *MODEL, option, str(tmp_path / "none"), "--json")
    assert "none: there is no such file" in err


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("tp: 8\npp: null\npxn: off\n", "pxn", False),
        ("tp: 8\nsequence_parallel: no\n", "sequence_parallel", False),
        ("tp: 8\ngpudirect: On\n", "gpudirect", True),
        ("tp: 8\nalgorithm: DP=ring\n", "algorithms", "DP=ring"),
        ("tp: 8\nalgorithm: [dp=ring, TP=ring]\n", "algorithms", "DP=ring,TP=ring"),
        ("tp: 8\nalgorithm: {dp: ring}\n", "algorithms", "DP=ring"),
        ("tp: 8\nalgorithm: auto\n", "algorithms", "auto"),
        ("tp: 8\nalgorithm: {DP: auto, TP: ring}\n", "algorithms", "TP=ring"),
        ("tp: 8\nschedule: 1f1b\nglobal-batch: 32\n", "global_batch", 32),
    ],
)
def test_plan_files_say_the_same_as_options(run, tmp_path, text, key, value):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text)
    _, out, err = run(POD, *MODEL, "--plan", str(plan), "--json")
    assert out, err
    assert json.loads(out)["workload"][key] == value


def test_a_model_file_that_is_not_one(run, tmp_path):
    wrong = tmp_path / "config.json"
    wrong.write_text('{"hello": 1}')
    code, out, err = run(POD, "--model", str(wrong), "--json")
    assert (code, out) == (2, "")
    assert "no model" in err


def test_no_model_at_all(run):
    code, _, err = run(POD)
    assert code == 2
    assert "--model" in err
