"""Progressive filling on cases worked out by hand, and its defining property."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.engine.maxmin import Sharing, concurrent_times, finish_times, max_min_rates
from topoedit.engine.types import EdgeLoad


def sharing(
    rows: list[dict[int, float]], capacity: list[float], weight: list[float] | None = None
) -> Sharing:
    entries = [(f, link, share) for f, row in enumerate(rows) for link, share in row.items()]
    flow, link, share = (np.array(column) for column in zip(*entries, strict=True))
    return Sharing(
        flow.astype(np.int64), link.astype(np.int64), share.astype(float),
        np.array(capacity, float), np.array(weight or [1.0] * len(rows)),
    )  # fmt: skip


def test_the_textbook_line_of_two_links() -> None:
    """A long flow and a short one on link 0, three short ones on link 1."""
    case = sharing([{0: 1, 1: 1}, {0: 1}, {1: 1}, {1: 1}], [10, 6])
    assert max_min_rates(case).tolist() == pytest.approx([2, 8, 2, 2])


def test_split_flows_count_by_their_share() -> None:
    case = sharing([{0: 0.5, 1: 0.5}, {0: 1}], [3, 10])
    assert max_min_rates(case).tolist() == pytest.approx([2, 2])


def test_a_row_of_three_flows_gets_three_shares() -> None:
    case = sharing([{0: 1}, {0: 1}], [8], [3, 1])
    assert max_min_rates(case).tolist() == pytest.approx([6, 2])


def test_a_dead_link_stops_its_flows_only() -> None:
    case = sharing([{0: 1}, {1: 1}], [0, 5])
    assert max_min_rates(case).tolist() == [0, 5]
    assert finish_times(case, np.array([1.0, 10.0])).tolist() == [np.inf, 2.0]


def test_the_rest_speeds_up_when_one_is_through() -> None:
    """1 and 10 bytes on a link of 2 bytes/s: the small one takes 1 s, then the other has it all."""
    case = sharing([{0: 1}, {0: 1}], [2])
    assert finish_times(case, np.array([1.0, 10.0])).tolist() == pytest.approx([1.0, 5.5])


def test_phases_share_their_common_link_and_keep_their_own() -> None:
    loads = [EdgeLoad(np.array([4.0, 4.0, 0.0]), 4), EdgeLoad(np.array([0.0, 4.0, 4.0]), 4)]
    capacity = np.array([4.0, 4.0, np.nan])
    assert concurrent_times(loads, capacity).tolist() == pytest.approx([2.0, 2.0])
    assert concurrent_times(loads[:1], capacity).tolist() == pytest.approx([1.0])


@given(st.data())
def test_no_flow_can_gain_without_a_slower_one_losing(data: st.DataObject) -> None:
    """Every flow crosses a full link on which none is faster (relative to its weight)."""
    links = data.draw(st.integers(1, 5))
    rows = data.draw(
        st.lists(
            st.dictionaries(
                st.integers(0, links - 1), st.sampled_from([0.25, 0.5, 1.0]), min_size=1
            ),
            min_size=1,
            max_size=8,
        )
    )
    capacity = data.draw(st.lists(st.sampled_from([1.0, 3.0, 8.0]), min_size=links, max_size=links))
    weight = data.draw(
        st.lists(st.sampled_from([1.0, 2.0]), min_size=len(rows), max_size=len(rows))
    )
    case = sharing(rows, capacity, weight)
    rate = max_min_rates(case)
    used = case.used(rate)
    assert (used <= case.capacity * (1 + 1e-9)).all()
    pace = rate / case.weight
    for number, row in enumerate(rows):
        full = [k for k in row if used[k] >= capacity[k] * (1 - 1e-9)]
        assert any(
            all(pace[o] <= pace[number] * (1 + 1e-9) for o, r in enumerate(rows) if k in r)
            for k in full
        )
