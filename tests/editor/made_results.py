"""A result made by hand, whose figures the panels must show."""

from __future__ import annotations

import numpy as np

from topoedit.editor.engine_client import EngineResult, LinkLoads
from topoedit.editor.engine_state import EngineState
from topoedit.editor.session import DocumentSession
from topoedit.model.analysis import (
    Analysis,
    Assumption,
    Bottleneck,
    Breakdown,
    Interval,
    Memory,
    TierLoad,
    TopologySummary,
    Unreachable,
)

LINKS = ("link-11", "link-12", "link-21", "link-22")


def analysis(**changes: object) -> Analysis:
    """Step 2 s: 1.5 s compute, 0.3 s TP, 0.2 s bubble; 64 of 80 GB."""
    fields: dict[str, object] = {
        "topology": TopologySummary("Two nodes", 16, 16, 2, 2, 4, 16),
        "workload": {"model": "llama-3.1-70b", "tp": 8, "pp": 2},
        "step_time_s": 2.0,
        "interval": Interval(1.8, 2.3, "rows of its kind", 42, "a row", ()),
        "tokens_per_s": 163840.0,
        "tokens_per_s_per_gpu": 10240.0,
        "tflops_per_gpu": 406.0,
        "mfu": 0.41,
        "mfu_causal": 0.39,
        "hfu": 0.45,
        "memory": Memory(0, 64e9, 80e9, 16e9, "fits", 12e9, 12e9, 5e9, 30e9, 4e9, 1e9),
        "breakdown_s": Breakdown(compute=1.5, tp=0.3, bubble=0.2),
        "unreachable": Unreachable(),
        "communication": (),
        "tiers": (TierLoad("host-leaf", 32, 1e12, 0.4, 0.2, 1.12, 1.0),),
        "bottlenecks": (
            Bottleneck(
                4, "link-11", "node-1", "leaf-1", "host-leaf", 0.5, 0.9, 1.12, 1.41e12,
                {"DP": 1e12, "PP": 0.41e12}, 0.26, 0.0, "DP traffic waits for these links",
            ),
            Bottleneck(
                16, "node-1/nvlink/gpu3", "node-1", "node-1", "scale-up", 0.3, 0.3, 0.3, 4e11,
                {"TP": 4e11}, 0.0, 0.0, "",
            ),
        ),
        "warnings": ("the sequence is longer than the context",),
        "assumptions": (Assumption("sequence of 8192 tokens", "default"),),
    }  # fmt: skip
    fields.update(changes)
    return Analysis(**fields)


def loads() -> LinkLoads:
    """112 % on all four links forward, 30 % backward."""

    def rows(value: float) -> dict[str, np.ndarray]:
        names = ("demand", "utilisation", "phase_share", "bytes", "DP", "PP")
        figures = (value, 0.5, 0.9, 1.41e12, 1e12, 0.41e12)
        return {n: np.full(7, f, np.float32) for n, f in zip(names, figures, strict=True)}

    return LinkLoads((*LINKS, *INNER), 4, rows(1.12), rows(0.3))


CLASSES = (np.array([0, 1, 2, 3], np.int32), np.array([4, 5, 6], np.int32))
"""Links of the two bottlenecks: the four drawn ones, and three inside two servers."""
INNER = ("node-1/nvlink/gpu3", "node-1/nvlink/gpu4", "node-2/nvlink/gpu3")


def give_result(session: DocumentSession, **changes: object) -> Analysis:
    """Let a session have a result that is up to date."""
    made = analysis(**changes)
    session.set_analysis_state(EngineState("current", seconds=0.038))
    revision = session.document.revision
    session.take_result(EngineResult(session.key, revision, made, loads(), 0.038, CLASSES))
    return made
