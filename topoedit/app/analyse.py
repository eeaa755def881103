"""Analysing a training step of a drawing: what editor, command line and Python share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from topoedit.app.placement_file import read_placement
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.models import resolve_model
from topoedit.catalog.types import Llm
from topoedit.engine.analyse import AnalyseOptions, Result, Subject, analyse, prepare
from topoedit.engine.compile import compile_fabric
from topoedit.engine.types import Fabric
from topoedit.model.document import Document
from topoedit.model.plan import Workload


def analyse_fabric(
    fabric: Fabric,
    workload: Workload,
    catalog: Catalog,
    *,
    base: Path | None = None,
    options: AnalyseOptions | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Result:
    """Analyse a compiled drawing.

    Args:
        fabric: the drawing as arrays.
        workload: model and plan; the model is a catalogue name or a JSON file.
        catalog: models and accelerators.
        base: folder that a relative model file is looked for in.
        options: see `AnalyseOptions`.
        cancel: asked between stages; True stops.
        progress: told the stage in words and a fraction.

    Raises:
        BadInputError: no such model, or a plan that cannot exist here.
        CancelledError: `cancel` said so.
    """
    llm, options = _read(fabric, workload, catalog, base, options)
    return analyse(
        fabric, llm, workload, catalog, options=options, cancel=cancel, progress=progress
    )


def subject_of(
    fabric: Fabric, workload: Workload, catalog: Catalog, base: Path | None = None
) -> Subject:
    """A plan laid on a compiled drawing, ready to be routed; arguments as of `analyse_fabric`.

    Raises:
        BadInputError: no such model, or a plan that cannot exist here.
    """
    llm, options = _read(fabric, workload, catalog, base, None)
    return prepare(fabric, llm, workload, catalog, options)


def _read(
    fabric: Fabric, workload: Workload, catalog: Catalog, base: Path | None,
    options: AnalyseOptions | None,
) -> tuple[Llm, AnalyseOptions]:  # fmt: skip
    """The model and the placement that a workload names."""
    name = workload.model
    if base is not None and (base / name).is_file():
        name = str(base / name)
    llm = resolve_model(name, catalog)
    chosen = options or AnalyseOptions()
    file = workload.plan.placement
    if file and chosen.order is None:
        path = base / file if base is not None and (base / file).is_file() else Path(file)
        chosen = replace(chosen, order=read_placement(path, fabric))
    return llm, chosen


def analyse_document(
    document: Document,
    workload: Workload,
    *,
    base: Path | None = None,
    options: AnalyseOptions | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Result:
    """Compile a document and analyse it; see `analyse_fabric`."""
    if progress is not None:
        progress("Reading the drawing", 0.0)
    return analyse_fabric(
        compile_fabric(document), workload, document.catalog,
        base=base, options=options, cancel=cancel, progress=progress,
    )  # fmt: skip
