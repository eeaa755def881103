"""The chart of rank placement: levels, shades, hits."""

from __future__ import annotations

import numpy as np
import pytest

from topoedit.engine.rank_map import RankMap
from topoedit.render.placement_chart import DEEPEST, PALEST, arrange, shades


def ranks(servers: int, each: int = 8, *, pp: int = 1, used: int | None = None) -> RankMap:
    """Ranks in order on servers of so many GPUs."""
    many = servers * each if used is None else used
    return RankMap(
        tuple(f"node-{n}" for n in range(servers)),
        np.full(servers, each, np.int32),
        np.arange(many, dtype=np.int32),
        np.arange(many, dtype=np.int32).reshape(pp, -1, 1, 1),
        np.zeros((0, 1), np.int32),
    )


def test_a_small_drawing_has_a_cell_for_each_gpu() -> None:
    found = ranks(8)
    cells = arrange(found, 288)
    assert cells.level == "gpu"
    assert len(cells.x) == 64
    for number in (0, 9, 63):
        x, y = cells.x[number] + 2, cells.y[number] + 2
        assert cells.at(x, y) == number
    assert cells.at(-5, -5) is None
    assert (cells.x + cells.size <= 288).all()
    assert cells.height <= 168
    blocks = cells.x.reshape(8, 8)
    assert (np.diff(blocks, axis=1) > 0).all()  # a server lies in one line


def test_a_larger_one_has_a_cell_for_each_server() -> None:
    found = ranks(128)
    cells = arrange(found, 288)
    assert cells.level == "server"
    assert len(cells.x) == 128
    assert cells.first.tolist() == list(range(0, 1025, 8))
    assert cells.of_gpus(np.array([0, 7, 8, 1023])).tolist() == [0, 1, 127]
    assert cells.height <= 168


def test_very_many_servers_share_cells_by_rack_or_as_neighbours() -> None:
    found = ranks(12_288)
    racks = np.arange(12_288) // 16
    cells = arrange(found, 288, [("rack", racks), ("pod", racks // 200)])
    assert cells.level == "rack"
    assert len(cells.x) == 768
    cells = arrange(found, 288, [("rack", np.arange(12_288) // 4), ("pod", racks // 200)])
    assert cells.level == "4 racks"  # 3,072 racks are too many, four pods tell too little
    assert len(cells.x) == 768
    assert cells.height <= 168
    cells = arrange(found, 288)
    assert cells.level.endswith("servers")
    assert cells.first[-1] == 98_304


def test_shades_go_from_the_first_stage_to_the_last() -> None:
    found = ranks(4, pp=4)
    alphas = shades(found, arrange(found, 288)).reshape(4, 8)
    assert alphas[0] == pytest.approx(np.full(8, PALEST))
    assert alphas[3] == pytest.approx(np.full(8, DEEPEST))
    assert alphas[1] == pytest.approx(np.full(8, PALEST + (DEEPEST - PALEST) / 3))


def test_without_stages_replicas_have_the_shades_and_idle_gpus_none() -> None:
    found = ranks(2, used=8)
    alphas = shades(found, arrange(found, 288))
    assert alphas[0] == pytest.approx(PALEST)
    assert alphas[7] == pytest.approx(DEEPEST)
    assert np.isnan(alphas[8:]).all()


def test_a_cell_of_several_stages_has_the_mean_shade() -> None:
    found = ranks(1024, pp=2048)
    cells = arrange(found, 288)
    first = int(cells.first[1])
    mean = np.arange(first)
    assert shades(found, cells)[0] == pytest.approx(
        PALEST + (DEEPEST - PALEST) * (mean // 4).mean() / 2047
    )
