"""Checking a drawing against the design rules: what editor, command line and Python share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from topoedit.app.placement_file import read_placement
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.models import resolve_model
from topoedit.engine.analyse import accelerator_of
from topoedit.engine.compile import compile_fabric
from topoedit.engine.placement import place
from topoedit.engine.types import Fabric
from topoedit.engine.workload.resolve import resolve_plan
from topoedit.model.document import Document
from topoedit.model.plan import Workload
from topoedit.model.shared_ports import SharedPort
from topoedit.rules.context import PlanOnFabric
from topoedit.rules.run import Report, check_document


def check(
    document: Document,
    workload: Workload | None = None,
    *,
    fabric: Fabric | None = None,
    base: Path | None = None,
    only: Iterable[str] = (),
    severities: Mapping[str, str] | None = None,
    cancel: Callable[[], bool] | None = None,
    shared: tuple[SharedPort, ...] = (),
) -> Report:
    """Run the design rules over a drawing.

    Args:
        document: the drawing.
        workload: model and plan for the rules that need one; they are left out without it.
        fabric: the drawing's compute network, if it is compiled already.
        base: folder that relative files of the workload are looked for in.
        only: ids of the rules to run; all if empty.
        severities: rule id -> severity or `off`, before those of the document.
        cancel: asked before each rule; True stops.
        shared: ports with a second cable that was set aside when the file was opened.

    Raises:
        BadInputError: no such model, rule or severity, or a plan that cannot exist here.
        CancelledError: `cancel` said so.
    """
    compiled = compile_fabric(document) if fabric is None else fabric
    plan = None
    if workload is not None:
        plan = lay_plan(compiled, workload, document.catalog, base)
    return check_document(
        document, compiled, plan, only=only, severities=severities, cancel=cancel, shared=shared
    )


def lay_plan(
    fabric: Fabric, workload: Workload, catalog: Catalog, base: Path | None = None
) -> PlanOnFabric:
    """A workload made whole for a fabric, with the GPU of each of its ranks.

    Raises:
        BadInputError: no such model, or a plan that cannot exist here.
    """
    llm = resolve_model(_beside(workload.model, base), catalog)
    order = None
    if workload.plan.placement:
        order = read_placement(Path(_beside(workload.plan.placement, base)), fabric)
    gpus = len(fabric.gpus) if order is None else len(order)
    chip = accelerator_of(fabric, catalog, gpus)
    resolved = resolve_plan(workload.plan, llm, gpus, chip=chip, network=fabric.network)
    return PlanOnFabric(workload, llm, resolved, place(resolved, len(fabric.gpus), order))


def _beside(name: str, base: Path | None) -> str:
    """A file's name in a folder if it is there, else the name as it is."""
    return str(base / name) if base is not None and (base / name).is_file() else name
