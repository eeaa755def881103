"""A row's cluster drawn, compiled and routed gives what the closed form gives."""

from __future__ import annotations

import pytest

from topoedit.app.validate.drawn import drawn_seconds, fabric_like, with_drawn_rates
from topoedit.app.validate.steps import StepTable, read_steps
from topoedit.engine.published.step_rows import shipped_steps
from topoedit.engine.types import Tier

# A100 with DDP, FSDP on slow rails, TP and PP, context parallelism, experts over nodes, NVL72
# in one rack and in several, and B200.
DRAWN = ("MLM21T1-003", "FOUNDRY-080", "DGXC-033", "TITAN-008", "AUTOMODEL-007", "MBRIDGE-049",
         "MBRIDGE-044", "MBRIDGE-082")  # fmt: skip


@pytest.fixture(scope="module")
def table() -> StepTable:
    return read_steps(shipped_steps())


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_and_closed_form_agree(table: StepTable, name: str) -> None:
    assert table.predicted is not None
    place = next(i for i, row in enumerate(table.rows) if row.id == name)
    closed = float(table.predicted.seconds[place])
    assert drawn_seconds(table.rows[place]) == pytest.approx(closed, rel=0.005)


def test_the_drawing_has_the_rates_of_the_row(table: StepTable) -> None:
    row = next(row for row in table.rows if row.id == "FOUNDRY-141")  # 128 A100 of 40 GB, 200 Gb/s
    fabric = fabric_like(row)
    assert len(fabric.gpus) == 128
    assert set(fabric.accelerators) == {"a100-sxm-40"}
    nics = fabric.capacity[fabric.tier == Tier.HOST_LEAF]
    assert nics.min() == nics.max() == pytest.approx(25e9)


def test_what_cannot_be_drawn_says_so(table: StepTable) -> None:
    row = table.rows[0]
    other = read_like(row, accelerator="mi300x")
    assert drawn_seconds(other) == "no template draws servers with mi300x"


def read_like(row, **changes):
    import dataclasses

    return dataclasses.replace(row, **changes)


def test_a_table_with_drawn_rates(table: StepTable) -> None:
    few = tuple(row for row in table.rows if row.id in ("DGXC-001", "DGXC-021"))
    from topoedit.engine.published.predict import prepare
    from topoedit.engine.step.constants import ConstantPicker

    small = StepTable(few, (), prepare(few).predict(ConstantPicker()))
    made, agreement = with_drawn_rates(small)
    assert agreement.n == 2
    assert agreement.worst_abs_difference is not None
    assert agreement.worst_abs_difference < 0.005
    assert [row.id for row in made.rows] == [row.id for row in few]


@pytest.mark.long
def test_every_cluster_drawn(table: StepTable) -> None:
    _, agreement = with_drawn_rates(table)
    assert agreement.n >= 480
    assert agreement.median_abs_difference is not None
    assert agreement.median_abs_difference < 0.001
