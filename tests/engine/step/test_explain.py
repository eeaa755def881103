"""Explanations recompute the figure that they explain."""

from __future__ import annotations

import pytest

from tests.engine.step.cases import pod, run
from topoedit.engine.analyse import Result
from topoedit.engine.explain import explain, keys
from topoedit.errors import BadInputError


@pytest.fixture(scope="module")
def result() -> Result:
    return run(pod(), tp=4, pp=2, cp=2)


def _busy_link(result: Result) -> str:
    return next(b.example for b in result.analysis.bottlenecks if b.tier == "host-leaf")


def _by_word(inputs: dict[str, float | str], word: str) -> dict[str, float]:
    return {
        name.removeprefix(f"{word} "): float(value)
        for name, value in inputs.items()
        if name.startswith(f"{word} ")
    }


def test_demand_of_a_link_is_the_sum_of_its_traffic(result: Result) -> None:
    told = explain(result, f"links[{_busy_link(result)}].demand")
    sent, window = _by_word(told.inputs, "bytes"), _by_word(told.inputs, "window")
    assert sent
    assert sent.keys() == window.keys()
    capacity = told.inputs["capacity"]
    again = sum(sent[kind] / (capacity * window[kind]) for kind in sent)
    assert told.value == pytest.approx(again)
    plain = explain(result, f"links[{_busy_link(result)}]")
    assert (plain.value, plain.formula) == (told.value, told.formula)


def test_utilisation_and_phase_share_of_a_link(result: Result) -> None:
    link = _busy_link(result)
    used = explain(result, f"links[{link}].utilisation")
    total = sum(_by_word(used.inputs, "bytes").values())
    assert used.value == pytest.approx(total / used.inputs["capacity"] / used.inputs["step_time"])
    assert used.inputs["step_time"] == result.analysis.step_time_s
    share = explain(result, f"links[{link}].phase_share")
    assert 0 < share.value <= 1
    assert explain(result, f"links[{link}].bytes").value == pytest.approx(total)
    assert explain(result, f"links[{link}].capacity_GBps").value == pytest.approx(50.0)


def test_inner_links_can_be_explained_too(result: Result) -> None:
    inner = next(name for name in result.fabric.link_ids if "/nvlink/" in name)
    told = explain(result, f"links[{inner}].demand")
    assert told.inputs["tier"] == "scale-up"
    assert told.value > 0


def test_tiers_and_rows(result: Result) -> None:
    row = next(r for r in result.analysis.tiers if r.tier == "host-leaf")
    assert explain(result, "tiers[host-leaf].max_demand").value == row.max_demand
    assert explain(result, "tiers[host-leaf]").value == row.max_demand
    first = result.analysis.communication[0]
    assert explain(result, "communication[0].time_s").value == first.time_s
    assert explain(result, "communication[0]").value == first.bytes_per_gpu
    cost = explain(result, "bottlenecks[0].cost_s")
    assert cost.value == result.analysis.bottlenecks[0].cost_s
    assert explain(result, "interval.low_s").value == result.analysis.interval.low_s
    assert explain(result, "topology.gpus").value == 64
    assert explain(result, "workload.tp").value == 4
    assert "4 x pp 2" in explain(result, "workload.global_batch").source


def test_every_listed_key_has_formula_and_source(result: Result) -> None:
    known = keys(result)
    assert len(known) == len(set(known)) > 100
    for key in known:
        told = explain(result, key)
        assert told.key == key
        assert told.formula, key
        assert told.source, key


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("links[nowhere].demand", 'no link "nowhere"'),
        ("links[X].colour", 'a link has no figure "colour"'),
        ("tiers[attic].bytes", "no figure"),
        ("memory.total_byte", "memory.total_bytes"),
        ("communication[999].time_s", "no figure"),
        ("[", "no figure"),
        ("", "no figure"),
    ],
)
def test_unknown_keys_are_refused_on_one_line(result: Result, key: str, said: str) -> None:
    with pytest.raises(BadInputError) as refused:
        explain(result, key.replace("X", _busy_link(result)))
    assert said in refused.value.line
    assert "\n" not in refused.value.line
