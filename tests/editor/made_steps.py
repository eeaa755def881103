"""Timelines and rank maps made by the engine, shared by tests of the editor."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from topoedit import paths
from topoedit.app.analyse import analyse_fabric
from topoedit.app.open import open_document
from topoedit.app.rank_placement import ranks_on
from topoedit.catalog.load import load_catalog
from topoedit.editor.engine_client import EngineResult, LinkLoads
from topoedit.editor.engine_state import EngineState
from topoedit.editor.session import DocumentSession
from topoedit.engine.analyse import Result
from topoedit.engine.compile import compile_fabric
from topoedit.engine.linkloads import link_arrays
from topoedit.engine.rank_map import RankMap
from topoedit.engine.timeline import timeline
from topoedit.engine.timeline_types import Timeline
from topoedit.engine.types import Fabric
from topoedit.model.document import Document
from topoedit.model.plan import Plan, Workload

SAMPLE = paths.samples() / "pod64-h100.topo.json"
WORKLOAD = Workload(model="llama-3.1-70b", plan=Plan(tp=2, pp=4, cp=2))


def pod() -> Document:
    """64 H100 in eight servers, eight leaves, four spines."""
    return open_document(SAMPLE, load_catalog(user=False)).document


@lru_cache(maxsize=1)
def _fabric() -> Fabric:
    return compile_fabric(pod())


def analysed(workload: Workload = WORKLOAD) -> tuple[Result, Timeline, RankMap]:
    """The pod analysed with a plan, its step on a time axis, and its ranks."""
    return _analysed(msgspec.json.encode(workload))


@lru_cache(maxsize=4)
def _analysed(encoded: bytes) -> tuple[Result, Timeline, RankMap]:
    workload = msgspec.json.decode(encoded, type=Workload)
    catalog = load_catalog(user=False)
    result = analyse_fabric(_fabric(), workload, catalog)
    return result, timeline(result.findings), ranks_on(_fabric(), workload, catalog)


def give_step(session: DocumentSession, workload: Workload = WORKLOAD) -> Result:
    """Let a session of the pod have result, timeline and ranks, as from the worker."""
    result, step, ranks = analysed(workload)
    session.set_workload(workload, "Set plan")
    arrays, links = link_arrays(result.fabric, result.figures), result.fabric.link_ids
    sides = [
        {name: arrays.values[2 * n + side] for n, name in enumerate(arrays.names)}
        for side in (0, 1)
    ]
    loads = LinkLoads(links, result.fabric.drawn_links, *sides)
    session.set_analysis_state(EngineState("current", seconds=0.02))
    session.take_result(
        EngineResult(session.key, session.document.revision, result.analysis, loads, 0.02)
    )
    session.timeline.take(step)
    session.ranks.take(ranks)
    return result
