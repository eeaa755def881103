"""Models, plans and fabrics that the tests of the step share."""

from __future__ import annotations

from functools import lru_cache

from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.catalog.types import Llm
from topoedit.engine.analyse import AnalyseOptions, Result, analyse, single_case
from topoedit.engine.compile import compile_fabric
from topoedit.engine.step.kernels import Case
from topoedit.engine.types import Fabric
from topoedit.engine.workload.resolve import ResolvedPlan, resolve_plan
from topoedit.model.plan import Plan, Workload


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    return load_catalog(user=False)


@lru_cache(maxsize=8)
def fabric(template: str = "rail-optimized", **params: object) -> Fabric:
    return compile_fabric(generate(template, params, catalog()))


def pod() -> Fabric:
    """64 H100 in 8 servers, rails to their own leaves."""
    return fabric("rail-optimized", system="dgx-h100", nodes=8)


def llm(name: str = "llama3-70b") -> Llm:
    return catalog().model(name)


def resolved(gpus: int = 64, model: str = "llama3-70b", **plan: object) -> ResolvedPlan:
    return resolve_plan(Plan(**plan), llm(model), gpus)


def case(gpus: int = 64, model: str = "llama3-70b", chip: str = "h100-sxm", **plan: object) -> Case:
    whole = resolved(gpus, model, **plan)
    return single_case(llm(model), whole, catalog().accelerator(chip))


def run(drawing: Fabric, model: str = "llama3-70b", links: bool = False, **plan: object) -> Result:
    workload = Workload(model=model, plan=Plan(**plan))
    return analyse(drawing, llm(model), workload, catalog(), options=AnalyseOptions(links=links))
