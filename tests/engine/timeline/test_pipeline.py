"""Schedules played through: closed forms, and an obvious oracle for what may not overlap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topoedit.engine.pipeline import Order, Pass, Played, play

ORDERS: tuple[Order, ...] = ("afab", "1f1b", "interleaved", "zb", "dualpipe")


def idle(played: Played, stage: int) -> float:
    own = played.stage == stage
    return played.span - float((played.end - played.start)[own].sum())


@pytest.mark.parametrize(
    ("order", "stages", "batches", "chunks", "expected"),
    [
        # Narayanan et al. 2021: (p-1)(F+B), divided by v when interleaved; F 1 s, B 2 s
        ("afab", 4, 8, 1, 9.0),
        ("1f1b", 4, 8, 1, 9.0),
        ("1f1b", 4, 2, 1, 9.0),
        ("interleaved", 4, 8, 2, 4.5),
        ("interleaved", 8, 32, 4, 5.25),
        # Qi et al. 2023, ZB-H1: (p-1)(F+B-2W) with W 1 s of B
        ("zb", 4, 8, 1, 3.0),
        ("1f1b", 1, 5, 1, 0.0),
    ],
)
def test_waiting_is_what_the_papers_say(
    order: Order, stages: int, batches: int, chunks: int, expected: float
) -> None:
    played = play(order, stages, batches, chunks, 1.0, 2.0, 1.0 if order in _SPLIT else 0.0)
    assert [idle(played, stage) for stage in range(stages)] == pytest.approx([expected] * stages)


_SPLIT = ("zb", "dualpipe")


@pytest.mark.parametrize(("stages", "batches"), [(2, 4), (4, 8), (8, 20), (5, 10)])
def test_from_both_ends_waits_no_longer_than_the_paper_says(stages: int, batches: int) -> None:
    """DeepSeek-V3 report 2024: (p/2-1)(F + 2B - 3W); weight gradients fill gaps greedily here."""
    played = play("dualpipe", stages, batches, 1, 1.0, 2.0, 1.0)
    assert max(idle(played, s) for s in range(stages)) <= max(stages / 2 - 1, 0) * 2 + 1e-9


def test_one_forward_one_backward_by_hand() -> None:
    """Two stages, two micro-batches, F 1 s and B 2 s: worked out with a pencil."""
    played = play("1f1b", 2, 2, 1, 1.0, 2.0)
    rows = list(zip(played.stage, played.kind, played.batch, played.start, played.end, strict=True))
    assert rows == [
        (0, Pass.FORWARD, 0, 0, 1), (0, Pass.FORWARD, 1, 1, 2),
        (0, Pass.BACKWARD, 0, 4, 6), (0, Pass.BACKWARD, 1, 7, 9),
        (1, Pass.FORWARD, 0, 1, 2), (1, Pass.BACKWARD, 0, 2, 4),
        (1, Pass.FORWARD, 1, 4, 5), (1, Pass.BACKWARD, 1, 5, 7),
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ORDERS), st.integers(1, 6), st.integers(1, 5), st.integers(1, 3),
    st.floats(0.1, 3), st.floats(0.2, 5),
)  # fmt: skip
def test_nothing_runs_before_what_it_needs_nor_twice(
    order: Order, stages: int, rounds: int, chunks: int, forward: float, backward: float
) -> None:
    batches = rounds * stages
    chunks = chunks if order in ("afab", "interleaved") else 1
    weights = backward / 2 if order in _SPLIT else 0.0
    played = play(order, stages, batches, chunks, forward, backward, weights)
    for stage in range(stages):
        own = played.stage == stage
        assert (played.start[own][1:] >= played.end[own][:-1] - 1e-9).all()
        busy = (played.end - played.start)[own].sum()
        assert busy == pytest.approx(batches * (forward + backward))
    done = {
        (int(k), int(b), int(c)): (float(s), float(e))
        for k, b, c, s, e in zip(
            played.kind, played.batch, played.chunk, played.start, played.end, strict=True
        )
    }
    kinds = 3 if order in _SPLIT else 2
    assert len(done) == len(played.start) == kinds * batches * stages * chunks
    last = stages * chunks - 1
    for (kind, batch, chunk), (start, _) in done.items():
        end = last if chunk <= last else 2 * stages - 1  # DualPipe's second end
        before = {
            Pass.FORWARD: (0, batch, chunk - 1),
            Pass.BACKWARD: (1, batch, chunk + 1) if chunk < end else (0, batch, chunk),
            Pass.WEIGHTS: (1, batch, chunk),
        }[Pass(kind)]
        if before in done:
            assert start >= done[before][1] - 1e-9


def test_times_are_in_order_on_every_stage() -> None:
    played = play("interleaved", 4, 8, 2, 1.0, 2.0)
    assert (np.diff(played.stage) >= 0).all()
    assert played.chunk.max() == 7
