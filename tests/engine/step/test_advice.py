"""What would make a plan fit into memory."""

from __future__ import annotations

import pytest

from tests.engine.step.cases import pod, run

KINDS = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")


def options(text: str) -> dict[str, object]:
    words = text.replace("--", "").split()
    return {
        name.replace("-", "_"): int(value) if value.isdigit() else value
        for name, value in zip(words[::2], words[1::2], strict=True)
    }


@pytest.mark.parametrize(
    ("model", "plan"),
    [
        ("llama3-70b", {"tp": 4}),
        ("llama3-70b", {}),
        ("llama3-70b", {"tp": 8, "pp": 2, "micro_batch": 4}),
        ("mixtral-8x7b", {"tp": 2, "zero": 0}),
        ("llama3-8b", {"zero": 0, "micro_batch": 2, "global_batch": 512}),
    ],
)
def test_what_is_offered_fits(model: str, plan: dict[str, object]) -> None:
    before = run(pod(), model, **plan).analysis
    assert before.memory.risk == "no"
    assert 1 <= len(before.memory.would_fit) <= 3
    batch = before.workload["global_batch"]
    for text in before.memory.would_fit:
        after = run(pod(), model, **{**plan, "global_batch": batch, **options(text)}).analysis
        assert after.memory.risk in ("fits", "tight"), text
    warning = next(text for text in before.warnings if "the accelerator has" in text)
    assert before.memory.dominant in warning
    assert before.memory.would_fit[0] in warning


def test_nothing_is_offered_where_state_alone_exceeds_all_gpus() -> None:
    """405e9 parameters of 16 bytes on 64 GPUs are 101 GB each, more than 85.9 GB."""
    found = run(pod(), "llama31-405b", tp=8, pp=4).analysis
    assert found.memory.would_fit == ()
    assert any("No change of up to three options fits 64" in text for text in found.warnings)


def test_the_dominant_kind_is_the_largest() -> None:
    memory = run(pod(), "llama3-70b", tp=8, pp=2).analysis.memory
    sizes = {name: getattr(memory, f"{name}_bytes") for name in KINDS}
    assert memory.dominant == max(sizes, key=lambda name: sizes[name])
    assert sum(sizes.values()) == pytest.approx(memory.total_bytes)
    assert (memory.risk, memory.would_fit) == ("fits", ())
