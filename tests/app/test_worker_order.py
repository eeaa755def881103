"""In which order the worker answers: a sweep of many sizes does not hold up what takes a moment."""

from __future__ import annotations

from collections import deque
from multiprocessing.connection import Connection
from typing import cast

import msgspec
import pytest

from topoedit.app import protocol
from topoedit.app.generate import generate
from topoedit.app.worker import Server
from topoedit.catalog.load import load_catalog
from topoedit.engine.collectives import estimate
from topoedit.engine.compile import compile_fabric
from topoedit.engine.types import EdgeLoad, Fabric, Floats

SWEEP = protocol.Sweep(("all_reduce",))
TRACE = protocol.Trace("node-01", "node-02")


class Pipe:
    """A pipe whose messages arrive one by one, each time the worker looks."""

    def __init__(self, *messages: protocol.ToWorker) -> None:
        self.coming = deque(protocol.encode(m) for m in messages)
        self.said: list[protocol.Message] = []

    def poll(self) -> bool:
        return bool(self.coming)

    def recv_bytes(self) -> bytes:
        if not self.coming:
            raise EOFError
        return self.coming.popleft()

    def send_bytes(self, data: bytes) -> None:
        self.said.append(protocol.decode_to_editor(data))


def served(*messages: protocol.ToWorker) -> list[protocol.Message]:
    pod = generate("rail-optimized", {"system": "dgx-h100", "nodes": "2"}, load_catalog(user=False))
    pipe = Pipe(protocol.Open(1, 0, tuple(pod.elements())), *messages)
    Server(cast("Connection", pipe)).run()
    return pipe.said


def answers(said: list[protocol.Message]) -> list[int]:
    return [m.request for m in said if isinstance(m, protocol.Answer)]


def test_questions_are_answered_between_two_sizes_of_a_sweep() -> None:
    said = served(protocol.Ask(1, 1, 0, SWEEP), protocol.Ask(1, 2, 0, TRACE))
    assert answers(said) == [2, 1]
    assert not any(m.line for m in said if isinstance(m, protocol.Answer))
    alone = served(protocol.Ask(1, 1, 0, SWEEP))
    assert [m for m in said if isinstance(m, protocol.Answer) and m.request == 1] == [
        m for m in alone if isinstance(m, protocol.Answer)
    ]


def test_a_question_after_an_edit_waits_until_the_edit_is_made() -> None:
    edits = protocol.Edits(1, 0, ())
    said = served(protocol.Ask(1, 1, 0, SWEEP), edits, protocol.Ask(1, 2, 0, TRACE))
    assert answers(said) == [1, 2]


def test_two_sweeps_run_one_after_the_other() -> None:
    other = protocol.Sweep(("all_gather",))
    said = served(protocol.Ask(1, 1, 0, SWEEP), protocol.Ask(1, 2, 0, other))
    assert answers(said) == [2]  # the newer one of a kind takes the place of the older


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    pod = generate("rail-optimized", {"system": "dgx-h100", "nodes": "4"}, load_catalog(user=False))
    return compile_fabric(pod)


def test_a_sweep_sums_its_tiers_once_for_each_algorithm(
    fabric: Fabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topoedit.app.collective import Request, parse_sweep, sweep_on

    summed: list[int] = []
    real = estimate.tier_bytes

    def counted(
        fabric: Fabric, load: EdgeLoad, seconds: Floats, ranks: int
    ) -> tuple[estimate.TierBytes, ...]:
        summed.append(ranks)
        return real(fabric, load, seconds, ranks)

    monkeypatch.setattr(estimate, "tier_bytes", counted)
    found = sweep_on(fabric, Request("all_reduce", 0), parse_sweep("8:16GiB"))
    assert len(found.rows) == 32
    assert 0 < len(summed) <= 4
    assert msgspec.to_builtins(found.rows[0])
