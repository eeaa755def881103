from __future__ import annotations

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.app.open import open_document
from topoedit.app.path import Answer
from topoedit.app.protocol import AnyQuestion, Check, Trace, Why
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.editor.engine_client import EngineClient, EngineResult, Reply
from topoedit.editor.why import decode
from topoedit.engine.explain import explain, in_words
from topoedit.model import operations as op
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.plan import Plan, Workload
from topoedit.rules.run import Report

WORKLOAD = Workload(model="llama-3.1-70b", plan=Plan(tp=8, pp=2))
WAIT = 60_000
PATHS = tuple[Answer, tuple[tuple[str, ...], ...]]


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


def reply_to(qtbot: QtBot, client: EngineClient, key: int, question: AnyQuestion) -> Reply:
    numbers: list[int] = []
    with qtbot.waitSignal(
        client.answered, timeout=WAIT, check_params_cb=lambda reply: reply.request in numbers
    ) as blocker:
        numbers.append(client.ask(key, question))
    return blocker.args[0]


def test_why_is_answered_in_the_words_of_the_command_line(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    from topoedit.app.analyse import analyse_document

    client.add(1, document, lambda: "")
    none = reply_to(qtbot, client, 1, Why(("step_time_s",)))
    assert none.line == "there is no result to explain. Choose a model in the plan"
    result_of(qtbot, client, 1, WORKLOAD)
    reply = reply_to(qtbot, client, 1, Why(("step_time_s", "interval")))
    expected = analyse_document(document, WORKLOAD)
    assert decode(reply.body) == [
        in_words(explain(expected, k)) for k in ("step_time_s", "interval")
    ]
    wrong = reply_to(qtbot, client, 1, Why(("step_tim",)))
    assert 'no figure "step_tim"' in wrong.line


def test_the_links_of_a_bottleneck_come_from_the_engine(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    found = result_of(qtbot, client, 1, WORKLOAD)
    assert len(found.classes) == len(found.analysis.bottlenecks)
    for bottleneck, rows in zip(found.analysis.bottlenecks, found.classes, strict=True):
        names = [found.loads.links[row] for row in rows]
        assert bottleneck.example in names
        assert len(set(names)) == len(names) <= bottleneck.links
        drawn = [name in document.links for name in names]
        assert drawn == [row < found.loads.drawn for row in rows]


def test_a_question_about_a_changed_drawing_is_answered_about_the_change(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    first = msgspec.msgpack.decode(reply_to(qtbot, client, 1, Check()).body, type=Report)
    assert first.counts.error == 0
    model = next(iter(document.devices.values()))
    document.apply(Edit("Add", put=(replace(model, id="alone", name="alone"),)))
    reply = reply_to(qtbot, client, 1, Check())
    second = msgspec.msgpack.decode(reply.body, type=Report)
    assert reply.revision == document.revision
    alone = [f for f in second.violations if f.rule == "isolated-device"]
    assert [f.elements for f in alone] == [("alone",)]
    client._mirrored[1].forget()
    document.apply(op.rename(document, "alone", "another"))
    assert reply_to(qtbot, client, 1, Check(WORKLOAD)).revision == document.revision


def test_questions_survive_a_dead_worker(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    client.add(1, document, lambda: "")
    result_of(qtbot, client, 1, WORKLOAD)
    process = client._process
    assert process is not None
    process.process.kill()
    reply = reply_to(qtbot, client, 1, Trace("node-01/gpu0", "node-02/gpu1", WORKLOAD))
    assert msgspec.msgpack.decode(reply.body, type=PATHS)[0].paths


def test_a_trace_is_that_of_the_command_line(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    from topoedit.app.path import find_paths

    client.add(1, document, lambda: "")
    result_of(qtbot, client, 1, WORKLOAD)
    names = sorted(d.name for d in document.devices.values() if d.kind == "server")
    ends = (f"{names[0]}/gpu0", f"{names[-1]}/gpu3")
    reply = reply_to(qtbot, client, 1, Trace(*ends, WORKLOAD))
    answer, links = msgspec.msgpack.decode(reply.body, type=PATHS)
    assert answer == find_paths(document, *ends, WORKLOAD).answer
    assert answer.paths[0].hops[0].load
    for path, lit in zip(answer.paths, links, strict=True):
        assert {hop.link for hop in path.hops if hop.link in document.links} <= set(lit)
        drawn = [hop for hop in path.hops if hop.link in document.links]
        assert len(lit) <= sum(hop.links for hop in drawn)
    assert "no-such" in reply_to(qtbot, client, 1, Trace("no-such", ends[1])).line


def test_a_drawing_the_worker_cannot_read_says_why_and_others_go_on(
    qtbot: QtBot, client: EngineClient, document: Document
) -> None:
    kind = replace(next(iter(document.catalog.devices.values())), id="mine")
    catalog = Catalog(devices={"mine": kind})
    device = replace(
        next(iter(document.devices.values())), id="odd", name="odd", type="mine", group=""
    )
    client.add(1, Document(catalog, [device]), lambda: "")
    client.add(2, document, lambda: "")
    with qtbot.waitSignal(client.failed, timeout=WAIT) as blocker:
        client.submit(1, WORKLOAD)
    assert 'no device type "mine"' in blocker.args[1]
    assert 'no device type "mine"' in reply_to(qtbot, client, 1, Check()).line
    assert result_of(qtbot, client, 2, WORKLOAD).analysis.topology.gpus == 64
