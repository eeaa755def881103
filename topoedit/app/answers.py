"""What the worker process answers beside analyses: reasons, rule reports, paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from topoedit.app import protocol
from topoedit.app.mirror import Mirror
from topoedit.errors import BadInputError

if TYPE_CHECKING:
    from topoedit.app.path import Traced
    from topoedit.engine.analyse import Result
    from topoedit.engine.trace import Path

Cancel = Callable[[], bool]


def answer(
    question: protocol.AnyQuestion, mirror: Mirror, result: Result | None, cancel: Cancel
) -> bytes:
    """The record that answers a question, in MessagePack.

    Args:
        question: what is asked.
        mirror: the document.
        result: its last analysis, which may be of an earlier revision.
        cancel: asked between rules; True stops.

    Raises:
        TopoeditError: there is no answer; the line says why.
        CancelledError: `cancel` said so.
    """
    match question:
        case protocol.Why():
            return _why(question, result)
        case protocol.Check():
            return _check(question, mirror, cancel)
        case protocol.Trace():
            return _trace(question, mirror, result)
        case protocol.Charts():
            return _charts(result)
        case protocol.Sweep():
            return _sweep(question, mirror, cancel)
        case protocol.Matrix():
            return _matrix(question, mirror, cancel)
        case protocol.StepTimeline():
            return _timeline(result)
        case protocol.Ranks():
            return _ranks(question, mirror)
        case protocol.GroupLinks():
            return _group_links(question, mirror)


def _why(question: protocol.Why, result: Result | None) -> bytes:
    from topoedit.engine.explain import explain, in_words

    if result is None:
        raise BadInputError("there is no result to explain", mend="Choose a model in the plan")
    return msgspec.msgpack.encode([in_words(explain(result, one)) for one in question.figures])


def _check(question: protocol.Check, mirror: Mirror, cancel: Cancel) -> bytes:
    from topoedit.app.check import check

    report = check(
        mirror.document,
        question.workload,
        fabric=mirror.fabric(),
        base=mirror.folder,
        cancel=cancel,
    )
    return msgspec.msgpack.encode(report)


def _trace(question: protocol.Trace, mirror: Mirror, result: Result | None) -> bytes:
    from topoedit.app.path import trace_on
    from topoedit.model.plan import Plan

    fabric, workload = mirror.fabric(), question.workload
    plan = Plan() if workload is None else workload.plan
    fits = result is not None and result.fabric is fabric and result.findings.workload == workload
    found = trace_on(
        mirror.document, fabric, question.start, question.goal, plan,
        result if fits else None, base=mirror.folder,
    )  # fmt: skip
    drawn = [_drawn(found, path) for path in found.trace.paths]
    return msgspec.msgpack.encode((found.answer, drawn))


def _drawn(found: Traced, path: Path) -> list[str]:
    """Ids of the drawn links of a class of paths, hop by hop."""
    fabric = found.fabric
    every = (int(fabric.link[edge]) for hop in path.hops for edge in hop.members.tolist())
    return [fabric.link_ids[row] for row in dict.fromkeys(every) if row < fabric.drawn_links]


def _charts(result: Result | None) -> bytes:
    from topoedit.app.chart_figures import chart_figures

    if result is None:
        raise BadInputError("there is no result yet", mend="Choose a model in the plan")
    return msgspec.msgpack.encode(chart_figures(result))


def _sweep(question: protocol.Sweep, mirror: Mirror, cancel: Cancel) -> bytes:
    from topoedit.app.collective import Request, parse_sweep, sweep_on
    from topoedit.model.plan import Plan

    plan = Plan() if question.workload is None else question.workload.plan
    sizes = parse_sweep(protocol.SWEEP_SIZES)
    asked = (
        Request(
            op, 0, constants=plan.constants, ring_order=plan.ring_order,
            routing=plan.routing or "", pxn=plan.pxn, seeds=plan.seeds,
            flows_per_connection=plan.flows_per_connection,
            routing_efficiency=plan.routing_efficiency,
        )
        for op in question.ops
    )  # fmt: skip
    return msgspec.msgpack.encode([sweep_on(mirror.fabric(), one, sizes, cancel) for one in asked])


def _matrix(question: protocol.Matrix, mirror: Mirror, cancel: Cancel) -> bytes:
    from topoedit.app.rank_matrix import Window, rank_matrix

    window = Window(question.rows, question.columns)
    found = rank_matrix(
        mirror.document, mirror.fabric(), question.workload, window,
        base=mirror.folder, cancel=cancel,
    )  # fmt: skip
    return msgspec.msgpack.encode(found)


def _timeline(result: Result | None) -> bytes:
    from topoedit.app.packing import pack_timeline
    from topoedit.engine.timeline import timeline

    if result is None:
        raise BadInputError("there is no step to show", mend="Choose a model in the plan")
    return pack_timeline(timeline(result.findings))


def _ranks(question: protocol.Ranks, mirror: Mirror) -> bytes:
    from topoedit.app.packing import pack_ranks
    from topoedit.app.rank_placement import ranks_on

    catalog = mirror.document.catalog
    return pack_ranks(ranks_on(mirror.fabric(), question.workload, catalog, mirror.folder))


def _group_links(question: protocol.GroupLinks, mirror: Mirror) -> bytes:
    from topoedit.app.rank_placement import links_of_group

    found = links_of_group(
        mirror.fabric(), question.workload, mirror.document.catalog, question.group,
        question.rank, mirror.folder,
    )  # fmt: skip
    return msgspec.msgpack.encode(found)
