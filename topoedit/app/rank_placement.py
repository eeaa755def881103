"""Which GPU holds which coordinate of a plan, and which links a rank's groups use."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from topoedit.app.analyse import subject_of
from topoedit.catalog.catalog import Catalog
from topoedit.engine.group_links import group_bytes
from topoedit.engine.rank_map import RankMap, rank_map
from topoedit.engine.types import Fabric
from topoedit.errors import BadInputError
from topoedit.model.plan import Workload


def ranks_on(
    fabric: Fabric, workload: Workload, catalog: Catalog, base: Path | None = None
) -> RankMap:
    """The ranks of a plan on the GPUs of a drawing; arguments as of `analyse_fabric`.

    Raises:
        BadInputError: no such model, or a plan that cannot exist here.
    """
    subject = subject_of(fabric, workload, catalog, base)
    return rank_map(fabric, subject.job.placement, experts=bool(subject.llm.experts))


def links_of_group(
    fabric: Fabric, workload: Workload, catalog: Catalog, group: str, rank: int,
    base: Path | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """Ids of the links, drawn ones first, that carry traffic of a rank's groups of a class.

    Raises:
        BadInputError: no such rank, or a plan that cannot exist here.
    """
    subject = subject_of(fabric, workload, catalog, base)
    order = subject.job.placement.order
    if not 0 <= rank < len(order):
        raise BadInputError(f"there is no rank {rank}", mend=f"Ranks are 0 to {len(order) - 1}")
    sent = group_bytes(subject, group.lower(), int(order[rank]))
    rows = np.unique(fabric.link[sent > 0])
    return tuple(fabric.link_ids[row] for row in rows.tolist())
