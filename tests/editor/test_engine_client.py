from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.app.open import open_document
from topoedit.catalog.load import load_catalog
from topoedit.editor.engine_client import EngineClient, EngineResult
from topoedit.model import operations as op
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload

WORKLOAD = Workload(model="llama-3.1-70b", plan=Plan(tp=8, pp=2))
WAIT = 60_000


@pytest.fixture
def document() -> Document:
    path = paths.samples() / "pod64-h100.topo.json"
    return open_document(path, load_catalog()).document


@pytest.fixture
def client(qtbot: QtBot):
    made = EngineClient(debounce_ms=1)
    yield made
    made.shut_down()


def result_of(qtbot: QtBot, client: EngineClient, key: int, workload: Workload) -> EngineResult:
    with qtbot.waitSignal(client.finished, timeout=WAIT) as blocker:
        client.submit(key, workload)
    return blocker.args[0]


def test_results_follow_the_document_edit_by_edit(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    first = result_of(qtbot, client, 1, WORKLOAD)
    assert first.analysis.topology.gpus == 64
    assert set(first.loads.links[: first.loads.drawn]) == set(document.links)
    assert "DP" in first.loads.forward
    assert np.nanmax(first.loads.forward["utilisation"]) <= 1
    failed = next(iter(document.links))
    document.apply(op.set_fields(document, [failed], {"failed": document.links[failed].count}))
    second = result_of(qtbot, client, 1, WORKLOAD)
    assert second.revision == document.revision
    row = second.loads.links.index(failed)
    assert first.loads.forward["bytes"][row] > 0
    assert second.loads.forward["bytes"][row] == 0


def test_the_numbers_are_those_of_the_command_line(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    from topoedit.app.analyse import analyse_document

    client.add(1, document, lambda: "")
    found = result_of(qtbot, client, 1, WORKLOAD)
    assert found.analysis == analyse_document(document, WORKLOAD).analysis


def test_a_plan_that_cannot_be_says_why_in_one_line(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(7, document, lambda: "")
    with qtbot.waitSignal(client.failed, timeout=WAIT) as blocker:
        client.submit(7, Workload(model="llama-3.1-70b", plan=Plan(tp=7)))
    key, line = blocker.args
    assert key == 7
    assert "7" in line
    assert "\n" not in line


def test_a_dead_worker_is_started_again_and_answers(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    result_of(qtbot, client, 1, WORKLOAD)
    process = client._process
    assert process is not None
    with qtbot.waitSignal(client._gone, timeout=WAIT):
        process.process.kill()
    assert result_of(qtbot, client, 1, WORKLOAD).analysis.topology.gpus == 64


def test_a_missed_edit_is_mended_by_sending_the_whole(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    result_of(qtbot, client, 1, WORKLOAD)
    client._mirrored[1].forget()  # the worker no longer hears of edits
    document.apply(op.rename(document, next(iter(document.devices)), "renamed"))
    document.apply(op.delete(document, [next(iter(document.links))]))
    found = result_of(qtbot, client, 1, WORKLOAD)
    assert found.revision == document.revision
    assert found.loads.drawn == len(document.links)


def test_the_newest_request_wins(qtbot: QtBot, client: EngineClient, document: Document) -> None:
    client.add(1, document, lambda: "")
    result_of(qtbot, client, 1, WORKLOAD)
    for tp in (1, 2, 4):
        client.submit(1, Workload(model="llama-3.1-8b", plan=Plan(tp=tp)))
    found = result_of(qtbot, client, 1, Workload(model="llama-3.1-8b", plan=Plan(tp=8)))
    assert found.analysis.workload["tp"] == 8
