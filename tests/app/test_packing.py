"""A timeline survives the pipe to the editor."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import numpy as np
import pytest

from topoedit import paths
from topoedit.app import answers, protocol
from topoedit.app.analyse import analyse_fabric
from topoedit.app.mirror import Mirror
from topoedit.app.open import open_document
from topoedit.app.packing import unpack_ranks, unpack_timeline
from topoedit.catalog.load import load_catalog
from topoedit.engine.timeline import timeline
from topoedit.engine.timeline_types import Columns
from topoedit.errors import BadInputError
from topoedit.model.plan import Plan, Workload

WORKLOAD = Workload(model="llama-3.1-70b", plan=Plan(tp=8, pp=2))


@pytest.fixture(scope="module")
def mirror() -> Mirror:
    document = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog()).document
    return Mirror(document.catalog, document.revision, tuple(document.elements()), "")


def test_the_answer_is_the_timeline_of_the_result(mirror: Mirror) -> None:
    result = analyse_fabric(mirror.fabric(), WORKLOAD, mirror.document.catalog)
    found = unpack_timeline(answers.answer(protocol.StepTimeline(), mirror, result, lambda: False))
    made = timeline(result.findings)
    for name in ("step_time", "critical", "schedule", "stages", "batches", "phases", "pace"):
        assert getattr(found, name) == getattr(made, name), name
    assert np.array_equal(found.shares, made.shares)
    for field in fields(Columns):
        assert np.array_equal(getattr(found.spans, field.name), getattr(made.spans, field.name))


def test_without_a_result_it_says_what_to_do(mirror: Mirror) -> None:
    with pytest.raises(BadInputError, match="Choose a model"):
        answers.answer(protocol.StepTimeline(), mirror, None, lambda: False)


def test_ranks_and_links_of_groups_are_answered(mirror: Mirror) -> None:
    found = unpack_ranks(answers.answer(protocol.Ranks(WORKLOAD), mirror, None, lambda: False))
    assert found.device_of(40) == ("node-06", 0)
    body = answers.answer(protocol.GroupLinks(WORKLOAD, "TP", 40), mirror, None, lambda: False)
    links = msgspec.msgpack.decode(body)
    assert links == [f"node-06/nvlink/gpu{i}" for i in range(8)]
